"""Results that pages derive from a run, kept in memory by the run's id and shared by all sessions: never change a table
in place."""

from dataclasses import replace
from pathlib import Path
from time import monotonic

import polars as pl

from qaviz.analysis import closeness, consistency, estimates, sentences, tables
from qaviz.analysis.board import tabulate_cells
from qaviz.analysis.criteria import find_certificates, meets
from qaviz.analysis.decision import Decision, decide
from qaviz.analysis.estimates import compare_all
from qaviz.analysis.judges import heard_opinions
from qaviz.analysis.labels import Certificate, certify_run, find_contenders, label_queue
from qaviz.analysis.outcomes import find_overruled, score_questions, select_asked, select_counted, tabulate, whole
from qaviz.analysis.policy import criteria_in_force, doubts_in_force, protocol_in_force
from qaviz.analysis.selection import Passing, classes_again, classes_of, find_worst
from qaviz.charts import tradeoff
from qaviz.diagnosis.judging import judge_again
from qaviz.golden.versions import edited_since
from qaviz.model.columns import CATEGORY, PIPELINE, QUESTION_ID
from qaviz.model.records import Criterion, Protocol, Run, Thresholds
from qaviz.stats.certify import PROMISE, Promise
from qaviz.store.labels import kept_grades, kept_labels, known_judges, labels_state
from qaviz.ui.widgets.filters import Filters
from qaviz.ui.widgets.keeping import OPEN_RUNS, OpenRun, keep
from qaviz.ui.widgets.page_setup import workspace

SCORES_KEPT = 2
"""Factual Knowledge, exact and loose."""
SEARCHES_KEPT = 8
"""Of a run: one bit a response."""
CELLS_KEPT = 3
"""Matrices, of all visitors: at a million responses one takes 60 MB."""
TRIALS_KEPT = 4
"""Other thresholds, of all visitors: at a million responses the classes of one take 5 MB."""
JUDGED_KEPT = 1
"""The same with words, of all visitors: at a million responses one takes 200 MB."""
PASSING_KEPT = 8
"""Filters, of all visitors: at a million responses the places of one take up to 4 MB."""


RESPONSES_A_SECOND = 500
"""Of a run, whose figures one core derives anew: how long they stand while people label."""
_counted: dict[tuple[Path, str], tuple[float, tuple[int, int]]] = {}
"""By workspace and run: since when which state of its labels counts."""


def counted_state(run: Run) -> tuple[int, int]:
    """`labels_state` of the run, as its figures count it.

    A label counts at once where none did shortly before. In a large run it may count some seconds later
    (RESPONSES_A_SECOND), so that many who label at once do not have each page derive everything anew at each label.
    """
    key, now, state = (workspace().folder, run.run_id), monotonic(), labels_state(workspace(), run)
    since, counted = _counted.get(key, (0.0, state))
    if key not in _counted or (state != counted and now - since >= run.responses // RESPONSES_A_SECOND):
        _counted[key] = now, state
        return state
    return counted


@keep()
def answered_of(shown: OpenRun) -> pl.DataFrame:
    """The triplets of the run's golden dataset that have a response, in its order."""
    return shown.golden.join(shown.rows.select(QUESTION_ID), on=QUESTION_ID, how="semi", maintain_order="left")


@keep(waiting="Reading the responses again …")
def normalised_gain_of(shown: OpenRun) -> pl.DataFrame:
    """`normalised.normalised_gain` of the run."""
    return closeness.normalised_gain(closeness.with_normalised(shown.rows))


def steps_of(shown: OpenRun, about: str) -> list[sentences.Step]:
    """`sentences.next_steps` of the run, about this pipeline, without what newer versions have edited."""
    labels = counted_state(shown.run)
    return _steps_in(shown, about, edited_since(workspace(), shown.run.golden_id), labels)


@keep()
def _steps_in(shown: OpenRun, about: str, edited: frozenset[str], state: tuple[int, int]) -> list[sentences.Step]:
    return sentences.next_steps(shown.rows, about, edited=edited, labels=_labels_in(shown.run, state, None))


_ANSWERED_AS = "answered_as"
"""The name of the repeat that a response is of, where `over_repeats` gave it the pipeline's."""


@keep()
def over_repeats(shown: OpenRun) -> OpenRun:
    """The run with the repeats of each pipeline under one name; the run itself where it has no repeats."""
    if consistency.find_repeated(shown.rows).is_empty():
        return shown
    rows = whole(shown.rows.with_columns(pl.col(PIPELINE).alias(_ANSWERED_AS)))
    pipelines = tuple(rows[PIPELINE].unique(maintain_order=True))
    return replace(shown, run=replace(shown.run, pipelines=pipelines), rows=rows)


@keep()
def repeats_of(run: Run) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`consistency.consistency` and `consistency.flaky` of the run."""
    rows = workspace().rows(run, consistency.READ)
    return consistency.consistency(rows), consistency.flaky(rows)


def decision_of(shown: OpenRun) -> Decision:
    """`decision.decide` of the run, by the criteria in force and people's labels as they are now."""
    doubts = doubts_in_force(workspace(), shown.run)
    protocol, state = protocol_in_force(workspace(), shown.run), counted_state(shown.run)
    return _decision_in(shown, criteria_in_force(workspace()), doubts, protocol, state)


@keep(waiting="Comparing the pipelines")
def _decision_in(
    shown: OpenRun,
    criteria: tuple[Criterion, ...],
    doubts: tuple[str, ...],
    protocol: Protocol,
    state: tuple[int, int],
) -> Decision:
    return decide(shown.rows, _asked_in(shown), criteria, kept_labels(workspace(), shown.run), doubts, protocol)


def certificate_of(shown: OpenRun, promise: Promise = PROMISE) -> Certificate:
    """`certificate.certify_run` of the run, with people's labels as they are now."""
    return _certificate_in(shown, promise.wrong, promise.sure, counted_state(shown.run))


@keep()
def _certificate_in(shown: OpenRun, wrong: float, sure: float, state: tuple[int, int]) -> Certificate:
    return certify_run(shown.rows, kept_labels(workspace(), shown.run), Promise(wrong=wrong, sure=sure))


def queue_of(shown: OpenRun) -> pl.DataFrame:
    """`label_queue.label_queue` of the run, by the decision as it is now."""
    decision = decision_of(shown)
    return _queue_in(shown, decision.subject, tuple(find_contenders(decision.ranking)))


@keep()
def _queue_in(shown: OpenRun, leader: str, contenders: tuple[str, ...]) -> pl.DataFrame:
    return label_queue(shown.rows, leader, contenders)


def comparison_of(shown: OpenRun) -> pl.DataFrame:
    """`estimates.compare_all` of the run's pipelines, with people's labels as they are now."""
    smallest = protocol_in_force(workspace(), shown.run).smallest_difference
    return _comparison_in(shown, smallest, counted_state(shown.run))


@keep(waiting="Comparing the pipelines")
def _comparison_in(shown: OpenRun, smallest: float | None, state: tuple[int, int]) -> pl.DataFrame:
    return compare_all(_settle_rows(shown), shown.run.pipelines, smallest)


def categories_of(shown: OpenRun, metric: str, first: str, second: str) -> pl.DataFrame:
    """`estimates.compare_categories` of two pipelines of the run, with people's labels as they are now."""
    return _categories_in(shown, metric, first, second, counted_state(shown.run))


@keep()
def _categories_in(shown: OpenRun, metric: str, first: str, second: str, state: tuple[int, int]) -> pl.DataFrame:
    golden = _asked_in(shown)
    scores = score_questions(_settle_rows(shown), (first, second), (metric,), golden[QUESTION_ID])
    return estimates.compare_categories(scores, metric, (first, second), golden[CATEGORY])


def deciding_of(shown: OpenRun, metric: str, first: str, second: str) -> pl.DataFrame:
    """`estimates.deciding` of two pipelines of the run, with people's labels as they are now."""
    return _deciding_in(shown, metric, first, second, counted_state(shown.run))


@keep()
def _deciding_in(shown: OpenRun, metric: str, first: str, second: str, state: tuple[int, int]) -> pl.DataFrame:
    scores = score_questions(_settle_rows(shown), (first, second), (metric,), _asked_in(shown)[QUESTION_ID])
    return estimates.deciding(scores, metric, first, second)


def criteria_of_run(shown: OpenRun, criteria: tuple[Criterion, ...]) -> pl.DataFrame:
    """`criteria.meets` of the run, with people's labels as they are now."""
    return _criteria_in(shown, criteria, counted_state(shown.run))


@keep()
def _criteria_in(shown: OpenRun, criteria: tuple[Criterion, ...], state: tuple[int, int]) -> pl.DataFrame:
    certificates = find_certificates(criteria, shown.rows, kept_labels(workspace(), shown.run))
    return meets(_settle_rows(shown), _asked_in(shown), shown.run.pipelines, criteria, certificates)


def tradeoff_of(shown: OpenRun, metric: str) -> pl.DataFrame:
    """`charts.tradeoff` of the run, with people's labels as they are now."""
    return _tradeoff_in(shown, metric, counted_state(shown.run))


@keep()
def _tradeoff_in(shown: OpenRun, metric: str, state: tuple[int, int]) -> pl.DataFrame:
    return tradeoff(_settle_rows(shown), shown.run.pipelines, metric)


def _settle_rows(shown: OpenRun) -> pl.DataFrame:
    """The run's rows as they count: 200 bytes a response, so never kept. Each repeat is a pipeline of its own, but of
    `over_repeats`."""
    labels, questions = kept_labels(workspace(), shown.run), _asked_in(shown)[QUESTION_ID]
    if _ANSWERED_AS not in shown.rows.columns:
        return tabulate(select_counted(shown.rows), questions, labels, apart=True)
    by_repeat = shown.rows.with_columns(pl.col(_ANSWERED_AS).alias(PIPELINE))
    return tabulate(select_counted(by_repeat), questions, labels)


def _asked_in(shown: OpenRun) -> pl.DataFrame:
    return select_asked(shown.golden, shown.rows, shown.run.listed_counts)


def opinions_of(shown: OpenRun) -> pl.DataFrame:
    """`judges.heard_opinions` of the run: of the judge that it heard, else of the one that graded it last."""
    judge = next(iter(known_judges(workspace(), shown.run)), None)
    graded = (judge.key, judge.last_used_at) if judge else None
    return _opinions_in(shown, graded, counted_state(shown.run))


@keep()
def _opinions_in(shown: OpenRun, graded: tuple[str, str] | None, state: tuple[int, int]) -> pl.DataFrame:
    grades = kept_grades(workspace(), shown.run, graded[0]) if graded else None
    return heard_opinions(shown.rows, grades, kept_labels(workspace(), shown.run), shown.run.thresholds)


@keep(OPEN_RUNS * SCORES_KEPT)
def matrix_of(shown: OpenRun, score: str) -> pl.DataFrame:
    """`tables.fact_matrix` of the run by this score."""
    return tables.fact_matrix(shown.rows, shown.golden, shown.run.pipelines, score)


@keep(JUDGED_KEPT)
def _judged_anew(shown: OpenRun, thresholds: Thresholds) -> pl.DataFrame:
    return judge_again(shown.rows, shown.run.thresholds, thresholds)


def judged_by(shown: OpenRun, thresholds: Thresholds) -> pl.DataFrame:
    """The run's rows as these thresholds diagnose them; its own rows for its own thresholds."""
    return shown.rows if thresholds == shown.run.thresholds else _judged_anew(shown, thresholds)


@keep()
def _own_classes(shown: OpenRun) -> pl.DataFrame:
    return classes_of(shown.rows, shown.golden, shown.run.pipelines)


@keep(TRIALS_KEPT)
def _tried_classes(shown: OpenRun, thresholds: Thresholds) -> pl.DataFrame:
    return classes_again(shown.rows, _own_classes(shown), shown.run.thresholds, thresholds)


@keep()
def worst_of(shown: OpenRun) -> pl.Series:
    """`selection.find_worst` of the run by its own thresholds: a trial of others changes diagnoses, not places."""
    return find_worst(shown.rows, _own_classes(shown))


def overruled_of(shown: OpenRun) -> pl.Series:
    """`outcomes.find_overruled` of the run, with people's labels as they are now."""
    return _overruled_in(shown, counted_state(shown.run))


@keep()
def _overruled_in(shown: OpenRun, state: tuple[int, int]) -> pl.Series:
    return find_overruled(shown.rows, kept_labels(workspace(), shown.run))


def select_responses(shown: OpenRun, filters: Filters, thresholds: Thresholds | None = None) -> Passing:
    """The responses that pass, as these thresholds diagnose them, else the run's own."""
    own = shown.run.thresholds
    tried = thresholds or own
    classes = _own_classes(shown) if tried == own else _tried_classes(shown, tried)
    places = _places(shown, filters, tried) if filters else None
    return Passing(rows=shown.rows, classes=classes, own=own, tried=tried, places=places)


@keep(PASSING_KEPT)
def _places(shown: OpenRun, filters: Filters, thresholds: Thresholds) -> pl.Series:
    selected = select_responses(shown, Filters(), thresholds)
    if filters.text.strip():
        selected = selected.at(_with_text(shown, filters.text).arg_true())
    for column, values in filters.classes().items():
        selected = selected.where(column, values)
    selected = selected.within(dict(filters.ranges))
    return pl.int_range(selected.height, dtype=pl.UInt32, eager=True) if selected.places is None else selected.places


def cells_of(shown: OpenRun, tried: Thresholds) -> pl.DataFrame:
    """`board.tabulate_cells` of the run as these thresholds diagnose it, its pipelines ranked as the decision ranks
    them, with people's labels as they are now. Of `row`, the place among the run's rows."""
    ranked = tuple(decision_of(shown).ranking[PIPELINE])
    return _cells_in(shown, tried, ranked, counted_state(shown.run))


@keep(CELLS_KEPT, waiting="Laying out the matrix")
def _cells_in(shown: OpenRun, tried: Thresholds, ranked: tuple[str, ...], state: tuple[int, int]) -> pl.DataFrame:
    questions = _asked_in(shown)[QUESTION_ID]
    outcomes = tabulate(select_counted(judged_by(shown, tried)), questions, kept_labels(workspace(), shown.run))
    return tabulate_cells(outcomes, questions, ranked)


@keep(OPEN_RUNS * SEARCHES_KEPT)
def _with_text(shown: OpenRun, text: str) -> pl.Series:
    return tables.with_text(shown.rows, shown.golden, text)


@keep()
def _labels_in(run: Run, state: tuple[int, int], person: str | None) -> pl.DataFrame:
    return kept_labels(workspace(), run, person)


def counted_labels(run: Run) -> pl.DataFrame:
    """`store.kept_labels` of the run, as its figures count them."""
    return _labels_in(run, counted_state(run), None)


def labels_of(run: Run, person: str | None = None) -> pl.DataFrame:
    """`store.kept_labels` of the run as they are now, read again only if they have changed."""
    return _labels_in(run, labels_state(workspace(), run), person)
