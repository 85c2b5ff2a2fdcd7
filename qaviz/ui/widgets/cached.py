"""Results that pages derive from a run, kept in memory by the run's id and shared by all sessions: never change a table
in place."""

from dataclasses import replace
from pathlib import Path
from time import monotonic

import polars as pl

from qaviz.analysis import estimates, sentences, tables
from qaviz.analysis.board import name_cell, tabulate_cells
from qaviz.analysis.criteria import find_certificates, meets
from qaviz.analysis.decision import Decision, decide
from qaviz.analysis.estimates import compare_all
from qaviz.analysis.labels import certify_run, heard_opinions, label_queue
from qaviz.analysis.outcomes import find_overruled, score_questions, select_asked, select_counted, tabulate, whole
from qaviz.analysis.policy import criteria_in_force, doubts_in_force, protocol_in_force
from qaviz.analysis.selection import Passing, classes_of, find_worst
from qaviz.diagnosis.judging import judge
from qaviz.model.columns import CATEGORY, DIAGNOSIS, PIPELINE, QUESTION_ID
from qaviz.model.records import Run, Thresholds
from qaviz.scoring.normalised import normalised_gain, normalised_scores
from qaviz.stats.certify import PROMISE, Certificate
from qaviz.store.labels import kept_grades, kept_labels, known_judges, labels_state
from qaviz.store.settings import policies_kept
from qaviz.ui.widgets.filters import Filters
from qaviz.ui.widgets.keeping import OPEN_RUNS, OpenRun, RunView, keep
from qaviz.ui.widgets.person import workspace

RESPONSES_A_SECOND = 500
"""Of a run, whose figures one core derives anew: how long they stand while people label."""
_counted: dict[tuple[Path, str], tuple[float, tuple[int, int]]] = {}
"""By workspace and run: since when which state of its labels counts."""

_ANSWERED_AS = "answered_as"
"""The name of the repeat that a response is of, where `over_repeats` gave it the pipeline's."""


def counted_state(run: Run) -> tuple[int, int]:
    """`labels_state` of the run, as its figures count it. A label counts at once where none did shortly before. In a
    large run it may count some seconds later (RESPONSES_A_SECOND), so that many who label at once do not have each page
    derive everything anew at each label."""
    key, now, state = (workspace().folder, run.run_id), monotonic(), labels_state(workspace(), run)
    since, counted = _counted.get(key, (0.0, state))
    if key not in _counted or (state != counted and now - since >= run.responses // RESPONSES_A_SECOND):
        _counted[key] = now, state
        return state
    return counted


def view_run(shown: OpenRun) -> RunView:
    """The run with people's labels and the policy as they are now."""
    return RunView(shown=shown, labels=counted_state(shown.run), policies=len(policies_kept(workspace())))


@keep()
def answered_of(shown: OpenRun) -> pl.DataFrame:
    """The triplets of the run's golden dataset that have a response, in its order."""
    return shown.golden.join(shown.rows.select(QUESTION_ID), on=QUESTION_ID, how="semi", maintain_order="left")


@keep(waiting="Reading the responses again …")
def normalised_gain_of(shown: OpenRun) -> pl.DataFrame:
    """`normalised.normalised_gain` of the run."""
    return normalised_gain(shown.rows.hstack(normalised_scores(shown.rows)))


@keep(1, waiting="Judging the responses anew")
def judge_anew(shown: OpenRun, thresholds: Thresholds) -> OpenRun:
    """The run as these thresholds diagnose it: a trial, of which nothing is saved."""
    return replace(shown, run=replace(shown.run, thresholds=thresholds), rows=judge(shown.rows, thresholds))


@keep()
def steps_of(view: RunView, about: str, edited: frozenset[str]) -> list[sentences.Step]:
    """`sentences.next_steps` of the run, about this pipeline, without what newer versions have edited."""
    return sentences.next_steps(view.shown.rows, about, edited=edited, labels=_kept_labels(view))


@keep()
def over_repeats(shown: OpenRun) -> OpenRun:
    """The run with the repeats of each pipeline under one name; the run itself where it has no repeats."""
    if tables.find_repeated(shown.rows).is_empty():
        return shown
    rows = whole(shown.rows.with_columns(pl.col(PIPELINE).alias(_ANSWERED_AS)))
    pipelines = tuple(rows[PIPELINE].unique(maintain_order=True))
    return replace(shown, run=replace(shown.run, pipelines=pipelines), rows=rows)


@keep()
def repeats_of(run: Run) -> pl.DataFrame:
    """`tables.consistency` of the run."""
    return tables.consistency(workspace().rows(run, tables.OF_REPEATS))


@keep(waiting="Comparing the pipelines")
def decision_of(view: RunView) -> Decision:
    """`decision.decide` of the run."""
    home, run, rows = workspace(), view.shown.run, view.shown.rows
    criteria, doubts, protocol = criteria_in_force(home), doubts_in_force(home, run), protocol_in_force(home, run)
    return decide(rows, _asked_in(view.shown), criteria, kept_labels(home, run), doubts, protocol)


@keep()
def certificate_of(view: RunView) -> Certificate:
    """`labels.certify_run` of the run."""
    return certify_run(view.shown.rows, _kept_labels(view), PROMISE)


@keep()
def queue_of(shown: OpenRun, leader: str, contenders: tuple[str, ...]) -> pl.DataFrame:
    """`labels.label_queue` of the run."""
    return label_queue(shown.rows, leader, contenders)


@keep(waiting="Comparing the pipelines")
def comparison_of(view: RunView) -> pl.DataFrame:
    """`estimates.compare_all` of the run's pipelines."""
    run = view.shown.run
    return compare_all(_settle_rows(view), run.pipelines, protocol_in_force(workspace(), run).smallest_difference)


@keep()
def categories_of(view: RunView, metric: str, first: str, second: str) -> pl.DataFrame:
    """`estimates.compare_categories` of two pipelines of the run."""
    golden = _asked_in(view.shown)
    scores = score_questions(_settle_rows(view), (first, second), (metric,), golden[QUESTION_ID])
    return estimates.compare_categories(scores, metric, (first, second), golden[CATEGORY])


@keep()
def deciding_of(view: RunView, metric: str, first: str, second: str) -> pl.DataFrame:
    """`estimates.deciding` of two pipelines of the run."""
    scores = score_questions(_settle_rows(view), (first, second), (metric,), _asked_in(view.shown)[QUESTION_ID])
    return estimates.deciding(scores, metric, first, second)


@keep()
def criteria_of_run(view: RunView) -> pl.DataFrame:
    """`criteria.meets` of the run, by the criteria in force."""
    shown, criteria = view.shown, criteria_in_force(workspace())
    certificates = find_certificates(criteria, shown.rows, _kept_labels(view))
    return meets(_settle_rows(view), _asked_in(shown), shown.run.pipelines, criteria, certificates)


def _kept_labels(view: RunView) -> pl.DataFrame:
    return kept_labels(workspace(), view.shown.run)


def _settle_rows(view: RunView) -> pl.DataFrame:
    """The run's rows as they count: 200 bytes a response, so never kept. Each repeat is a pipeline of its own, but of
    `over_repeats`."""
    shown, labels = view.shown, _kept_labels(view)
    questions = _asked_in(shown)[QUESTION_ID]
    if _ANSWERED_AS not in shown.rows.columns:
        return tabulate(select_counted(shown.rows), questions, labels, apart=True)
    by_repeat = shown.rows.with_columns(pl.col(_ANSWERED_AS).alias(PIPELINE))
    return tabulate(select_counted(by_repeat), questions, labels)


def _asked_in(shown: OpenRun) -> pl.DataFrame:
    return select_asked(shown.golden, shown.rows, shown.run.listed_counts)


def opinions_of(view: RunView) -> pl.DataFrame:
    """`labels.heard_opinions` of the run: of the judge that it heard, else of the one that graded it last."""
    judge = next(iter(known_judges(workspace(), view.shown.run)), None)
    return _opinions_in(view, (judge.key, judge.last_used_at) if judge else None)


@keep()
def _opinions_in(view: RunView, graded: tuple[str, str] | None) -> pl.DataFrame:
    shown = view.shown
    grades = kept_grades(workspace(), shown.run, graded[0]) if graded else None
    return heard_opinions(shown.rows, grades, _kept_labels(view), shown.run.thresholds)


@keep()
def golden_state_of(shown: OpenRun) -> list[str]:
    """`tables.golden_sentences` of the run."""
    return tables.golden_sentences(shown.golden, shown.rows, shown.run.pipelines)


@keep()
def _classes_of(shown: OpenRun) -> pl.DataFrame:
    """`selection.classes_of` the run's rows; their diagnoses are the cells that the board counts them in, as far as
    nobody overrules them: a list stays as it is while people label it."""
    outcomes = tabulate(select_counted(shown.rows), _asked_in(shown)[QUESTION_ID], apart=True)
    cells = outcomes.head(shown.rows.height).select(name_cell().alias(DIAGNOSIS)).to_series()
    return classes_of(shown.rows, shown.golden, shown.run.pipelines).with_columns(cells)


@keep()
def worst_of(shown: OpenRun) -> pl.Series:
    """`selection.find_worst` of the run."""
    return find_worst(shown.rows, classes_of(shown.rows, shown.golden, shown.run.pipelines))


@keep()
def overruled_of(view: RunView) -> pl.Series:
    """`outcomes.find_overruled` of the run."""
    return find_overruled(view.shown.rows, _kept_labels(view))


def select_responses(shown: OpenRun, filters: Filters) -> Passing:
    """The responses that pass."""
    places = _places(shown, filters) if filters else None
    return Passing(rows=shown.rows, classes=_classes_of(shown), places=places)


@keep(8)  # of all visitors: at a million responses the places of one filter take up to 4 MB
def _places(shown: OpenRun, filters: Filters) -> pl.Series:
    selected = Passing(rows=shown.rows, classes=_classes_of(shown))
    if filters.text.strip():
        selected = selected.at(_with_text(shown, filters.text).arg_true())
    for column, values in filters.classes.items():
        selected = selected.where(column, values)
    selected = selected.within(dict(filters.ranges))
    return pl.int_range(selected.height, dtype=pl.UInt32, eager=True) if selected.places is None else selected.places


@keep(3, waiting="Laying out the matrix")  # of all visitors: at a million responses a matrix takes 60 MB
def cells_of(view: RunView) -> pl.DataFrame:
    """`board.tabulate_cells` of the run, its pipelines ranked as the decision ranks them. Of `row`, the place among the
    run's rows."""
    questions = _asked_in(view.shown)[QUESTION_ID]
    outcomes = tabulate(select_counted(view.shown.rows), questions, _kept_labels(view))
    return tabulate_cells(outcomes, questions, tuple(decision_of(view).ranking[PIPELINE]))


@keep(OPEN_RUNS * 8)  # a search of a run takes one bit a response
def _with_text(shown: OpenRun, text: str) -> pl.Series:
    return tables.with_text(shown.rows, shown.golden, text)


@keep()
def _labels_in(run: Run, state: tuple[int, int], person: str | None) -> pl.DataFrame:
    return kept_labels(workspace(), run, person)


def labels_of(run: Run, person: str | None = None, *, counted: bool = False) -> pl.DataFrame:
    """`labels.kept_labels` of the run, read again only if they have changed: as they are now, or as figures count
    them."""
    return _labels_in(run, counted_state(run) if counted else labels_state(workspace(), run), person)
