"""The History page: a metric over the runs of one line of golden dataset versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

import polars as pl
import streamlit as st

from qaviz.analysis.comparison import level
from qaviz.analysis.history import (
    BEFORE,
    FOLLOWED,
    PLACE,
    READ,
    RUN,
    STEP,
    Change,
    HistoryRow,
    Measurements,
    better,
    bounds,
    difference,
    find_measurement_changes,
    followed_label,
    history,
    number_versions,
    outcomes_of,
    pipelines_of,
    word_steps,
)
from qaviz.analysis.labels import READ as CERTIFIED_BY
from qaviz.analysis.labels import certify_run
from qaviz.analysis.numbers import count, day, interval, percent, plural
from qaviz.analysis.outcomes import select_asked
from qaviz.analysis.selection import groups_of
from qaviz.charts import pipeline_marks
from qaviz.charts.history_chart import history_chart
from qaviz.exports.chart_files import About
from qaviz.model.columns import CATEGORY, PIPELINE, QUESTION_ID, VERDICT, typed_rows
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.report import ENDS, Column, Kind, Tone
from qaviz.store.golden_versions import kept_edits, line_of, versions
from qaviz.store.labels import kept_labels
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import counted_state
from qaviz.ui.widgets.chart import show_chart
from qaviz.ui.widgets.components import LegendMark, show_problems, show_sentences
from qaviz.ui.widgets.filters import Filters, pick_listed, pick_several
from qaviz.ui.widgets.keeping import keep
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.table import show_frame

MOST_RUNS = 1_000
MOST_RESPONSES = 10_000_000
"""Of the newest runs of a line: at 22 bytes a response they take 220 MB."""
MOST_PIPELINES = 12
"""Followed at once where the reader picks none: more lines in one chart tell nothing apart."""
VIEWS_KEPT = 8
"""Metrics and filters whose figures are kept, of all visitors."""
WIDTH = 260
_PATIENCE_S = 0.3
"""Seconds of reading after which its progress is shown."""


@dataclass(frozen=True, kw_only=True)
class Past:
    """The runs that a page follows."""

    runs: Sequence[Run]
    """Oldest first, on one line of golden dataset versions."""
    outcomes: Sequence[pl.DataFrame]
    """Of each run, what `history.outcomes_of` keeps."""
    versions: Mapping[str, int]
    """`number_versions` of the line."""
    measurement_changes: Measurements
    pipelines: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Followed:
    """What the reader follows."""

    metric: str
    filters: Filters
    pipelines: Sequence[str]


def open_past(run: Run) -> Past:
    """The runs on the line of this run's golden dataset, each read once. Unreadable ones are left out, and the
    page shows why."""
    home = workspace()
    line_id = line_of(home, run.golden_id)
    numbers = number_versions(versions(home, line_id), kept_edits(home, line_id))
    everybody = home.runs()
    line = [run for run in everybody if run.golden_id in numbers]
    newest = _newest(line)
    read = _read(newest[::-1])
    runs, outcomes = [run for run, _ in read], [kept for _, kept in read]
    _say_what_is_left_out(len(everybody) - len(line), len(line) - len(newest))
    return Past(
        runs=runs,
        outcomes=outcomes,
        versions=numbers,
        measurement_changes=find_measurement_changes(runs, numbers),
        pipelines=pipelines_of(outcomes),
    )


def _newest(line: Sequence[Run]) -> Sequence[Run]:
    """The newest runs, as many as are read."""
    responses = 0
    for place, run in enumerate(line[:MOST_RUNS]):
        responses += run.responses
        if place and responses > MOST_RESPONSES:
            return line[:place]
    return line[:MOST_RUNS]


def _read(runs: Sequence[Run]) -> list[tuple[Run, pl.DataFrame]]:
    outcomes: list[tuple[Run, pl.DataFrame]] = []
    problems: list[Problem] = []
    began, bar = monotonic(), st.empty()
    for place, run in enumerate(runs):
        if monotonic() - began > _PATIENCE_S:
            bar.progress(place / len(runs), text=f"Reading {plural(len(runs), 'run')}: {count(place)} done")
        try:
            outcomes.append((run, _outcomes_of(run, counted_state(run))))
        except QavizError as error:
            problems += error.problems
    bar.empty()
    if problems:
        show_problems(QavizError(*problems))
    return outcomes


@keep(MOST_RUNS)
def _outcomes_of(run: Run, state: tuple[int, int]) -> pl.DataFrame:  # noqa: ARG001 - state: labels, a part of the key
    home = workspace()
    rows = home.rows(run, READ)
    questions = select_asked(home.golden(run.golden_id), rows, run.listed_counts)
    return outcomes_of(rows, questions[QUESTION_ID], kept_labels(home, run))


MOST_LED = 1_000_000
"""Responses of the runs of a list whose leaders are found: those of more are a click away."""
_TONES: Mapping[bool | None, Tone] = {True: "good", False: "bad", None: "none"}


def _shift_column(metric: str, name: str, heading: str, *, help: str = "", wide: bool = False) -> Column:
    """A column of what `_describe_shift` returns, by the metric."""
    return Column(
        name,
        heading,
        kind=Kind.DIFFERENCE,
        ends=ENDS,
        text="{size}",
        by="word",
        looks={f"{change} beyond noise": ("", _TONES[better(metric, change)]) for change in (Change.ROSE, Change.FELL)},
        note="{words}",
        missing="{none}",
        href="lead",
        help=help,
        wide=wide,
    )


LEADER_COLUMNS = (
    Column(
        "leader",
        "Most right answers",
        note="{share}",
        missing="{why_not}",
        help="The pipeline with most right answers, and their share with its 95% interval.",
    ),
    _shift_column(
        VERDICT,
        "step",
        "Since the run before",
        help="Its change on the questions of the run before, over the same golden dataset.",
    ),
)


def _describe_unled(why_not: str) -> dict[str, object]:
    return {"leader": {"value": None, "why_not": why_not}, "step": _describe_none(why_not)}


def _describe_none(words: str) -> dict[str, object]:
    return {"value": None, "none": words}


NOT_LED = _describe_unled("many responses: open the run")


def list_leaders(listed: Sequence[str]) -> Mapping[str, dict[str, object]]:
    """What LEADER_COLUMNS draw by run, for these runs (`run_id`) as long as their responses are MOST_LED at most."""
    leaders, lines, responses = dict[str, dict[str, object]](), dict[str, str](), 0
    everybody = workspace().runs()
    for place, run in enumerate(everybody):
        if run.run_id not in listed:
            continue
        responses += run.responses
        if responses > MOST_LED:
            return leaders
        before = next((older for older in everybody[place + 1 :] if _are_on_one_line(run, older, lines)), None)
        try:
            states = counted_state(run), counted_state(before) if before else None
            leaders[run.run_id] = _describe_leaders(run, before, _find_leaders(run, before, states))
        except QavizError:  # The run's own card shows it.
            leaders[run.run_id] = _describe_unled("cannot be read")
    return leaders


def _are_on_one_line(run: Run, other: Run, lines: dict[str, str]) -> bool:
    """Whether both are over versions of one golden dataset; `lines` keeps what was asked, by golden dataset."""
    for golden_id in {run.golden_id, other.golden_id} - lines.keys():
        lines[golden_id] = line_of(workspace(), golden_id)
    return lines[run.golden_id] == lines[other.golden_id]


@keep(MOST_RUNS)
def _find_leaders(run: Run, before: Run | None, states: tuple[object, ...]) -> list[HistoryRow]:  # noqa: ARG001 - a key
    """The pipelines of the run with most right answers, as history has them beside the run before."""
    home, runs = workspace(), [*filter(None, [before]), run]
    outcomes = [_outcomes_of(run, counted_state(run)) for run in runs]
    line = line_of(home, run.golden_id)
    numbers = number_versions(versions(home, line), kept_edits(home, line))
    alone = history([run], outcomes[-1:], numbers, VERDICT, pipelines_of(outcomes[-1:]))
    leading = alone.filter(pl.col("mean") == pl.col("mean").max())[PIPELINE].to_list()
    steps = history(runs, outcomes, numbers, VERDICT, leading)
    return [row for row in typed_rows(steps, HistoryRow) if row[RUN] == run.run_id]


def _describe_leaders(run: Run, before: Run | None, leaders: Sequence[HistoryRow]) -> dict[str, object]:
    if not leaders:
        return _describe_unled("nothing is graded")
    row, others = leaders[0], len(leaders) - 1
    name = row[PIPELINE] + (f" and {plural(others, 'other')}, all equal" if others else "")
    share = f"{percent(row['mean'])} ({interval(row['low'], row['high'])}), n = {count(row['n'])}"
    none = "first run" if before is None else row[STEP] or "not in the run before"
    lead = _lead_to_changes(run, before.run_id if before else "", row)
    return {
        "leader": {"value": name, "share": share},
        "step": _describe_shift(VERDICT, row, none, lead),
    }


def _say_what_is_left_out(elsewhere: int, older: int) -> None:
    if elsewhere:
        says = "is of another golden dataset" if elsewhere == 1 else "are of other golden datasets"
        st.caption(f"{plural(elsewhere, 'run')} {says} and cannot be compared with these.")
    if older:
        most = f"{count(MOST_RUNS)} runs and {count(MOST_RESPONSES)} responses"
        st.caption(f"{plural(older, 'older run')} not shown: this page reads the newest, up to {most}.")


def pick_followed(past: Past) -> Followed:
    """Draw the choice of metric, pipelines and category; returns what the reader picked."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        metric = pick_listed(url_state.FOLLOW, "Follow", FOLLOWED, WIDTH, followed_label)

        several = len(past.pipelines) > 1
        pipelines = pick_several(PIPELINE, list(past.pipelines)) if several else []
        categories = groups_of(_categories_of(past.runs[-1])) if past.runs else []
        picked = pick_several(CATEGORY, categories) if len(categories) > 1 else []
    if not pipelines and len(past.pipelines) > MOST_PIPELINES:
        st.caption(f"The first {MOST_PIPELINES} of {count(len(past.pipelines))} pipelines; pick others to follow them.")
    return Followed(
        metric=metric,
        filters=Filters(pipelines=pipelines, categories=picked),
        pipelines=pipelines or past.pipelines[:MOST_PIPELINES],
    )


@keep(VIEWS_KEPT)
def _categories_of(run: Run) -> pl.DataFrame:
    """Each question of the run's golden dataset with its category."""
    return workspace().golden(run.golden_id).select(QUESTION_ID, CATEGORY)


@keep(VIEWS_KEPT, waiting="Comparing the runs")
def _history_of(runs: tuple[Run, ...], followed: Followed, _past: Past) -> pl.DataFrame:  # noqa: ARG001 - runs: a key
    questions = None
    if followed.filters.categories:
        wanted = pl.col(CATEGORY).is_in(followed.filters.categories)
        questions = _categories_of(_past.runs[-1]).filter(wanted)[QUESTION_ID].to_list()
    return history(
        _past.runs,
        _past.outcomes,
        _past.versions,
        followed.metric,
        followed.pipelines,
        questions=questions,
    )


def show_past(past: Past, followed: Followed) -> None:
    """Draw what happened, in words and as a chart, and every step in a table; opening a row leads to its run."""
    steps = _history_of(tuple(past.runs), followed, past)
    if steps["n"].sum() == 0:
        st.text(f"{followed_label(followed.metric)}: nothing is scored in these runs.")
        return
    lead, *others = word_steps(steps, past.runs, followed.metric)
    show_sentences("history", others, lead=lead)
    label = followed_label(followed.metric)
    show_chart(
        history_chart(steps, past.runs, followed.metric, followed.pipelines, past.measurement_changes),
        key="history_chart",
        name=f"{label} over runs",
        alt=f"{label} of each pipeline, run by run, with 95% intervals; {lead}",
        data=lambda: _name_runs(steps, past),
        about=About(
            run=plural(len(past.runs), "run"), scored=past.runs[-1].created_at, filtered=followed.filters.in_words()
        ),
        caption=(
            "Bars: 95% intervals over questions. Each point: all scored questions of its run. "
            "Triangles: a change beyond noise from the run before, on shared questions. "
            "Dashed lines: the golden dataset version, thresholds or engine changed. "
            "Runs are in the order in which they were scored here."
        ),
        legend=[
            LegendMark(name=name, colour=colour, symbol=symbol, group=str(place))
            for place, (name, (colour, symbol)) in enumerate(pipeline_marks(followed.pipelines).items())
        ],
    )
    _show_steps(steps, past, followed)


def _name_runs(steps: pl.DataFrame, past: Past) -> pl.DataFrame:
    """The figures with their runs' names and times, and how the measurement differs from the run before."""
    runs = pl.DataFrame(
        {
            RUN: [run.run_id for run in past.runs],
            "run_name": [run.name for run in past.runs],
            "run_scored": [run.created_at.isoformat(timespec="seconds") for run in past.runs],
            "measurement": [", ".join(past.measurement_changes.get(place, ())) for place in range(len(past.runs))],
        }
    )
    return steps.join(runs, on=RUN, how="left", maintain_order="left").drop(PLACE)


def _show_steps(steps: pl.DataFrame, past: Past, followed: Followed) -> None:
    st.subheader("Run by run", anchor=False)
    st.caption(
        "Each run's result, and its change from the run before. A change is beyond noise if its p-value, corrected for "
        "all changes of the pipeline, is below 0.05. Open a change to see its questions."
    )
    rows = {(row[PIPELINE], row[PLACE]): row for row in typed_rows(steps, HistoryRow)}
    certified = {place: word for place, run in enumerate(past.runs) if (word := _word_certified(run))}
    metric, named = followed.metric, list(enumerate(followed.pipelines))
    columns = (
        Column("name", "Run", note="{scored}"),
        Column("measured", "Measured by", missing="{unchanged}", help="Golden dataset version, thresholds and engine."),
        *(_shift_column(metric, f"{STEP}{place}", name, wide=True) for place, name in named),
        *([_CERTIFIED] if certified else []),
    )

    def describe_run(place: int) -> dict[str, object]:
        run, of_run = past.runs[place], [rows.get((name, place)) for name in followed.pipelines]
        return {
            RUN: run.run_id,
            "name": run.name,
            "scored": day(run.created_at),
            "measured": ", ".join(past.measurement_changes.get(place, ())),
            "unchanged": "as before" if place else "first run",
            "certified": certified.get(place),
            **{f"{STEP}{number}": _describe_step(metric, run, row) for number, row in enumerate(of_run)},
        }

    show_frame(
        "steps",
        f"{followed_label(metric)}: run by run",
        pl.DataFrame({PLACE: range(len(past.runs) - 1, -1, -1)}),
        columns,
        leads=lambda row: url_state.href("", run=row[RUN]),
        prepare=lambda page: map(describe_run, page[PLACE]),
    )


_CERTIFIED = Column(
    "certified",
    "Certified",
    missing="no labels",
    help="Verdicts that need no reader: by its own labels, 10% wrong at most, 90% sure.",
)


def _word_certified(run: Run) -> str | None:
    """What the run's own labels certify, in words; None where it has none."""
    state = counted_state(run)
    return _certified_share(run, state) if state[1] else None


@keep(MOST_RUNS)
def _certified_share(run: Run, state: tuple[int, int]) -> str:  # noqa: ARG001 - state: a key
    certificate = certify_run(workspace().rows(run, CERTIFIED_BY), kept_labels(workspace(), run))
    return f"{percent(certificate.automatic / certificate.of)} automatic" if certificate.certified else "not yet"


def _describe_step(metric: str, run: Run, row: HistoryRow | None) -> dict[str, object]:
    """The difference from the run before, which opens the questions behind it; else what the run came to."""
    if row is None:
        return _describe_none("no response")
    return _describe_shift(metric, row, _word_mean(metric, row), _lead_to_changes(run, row[BEFORE] or "", row))


def _lead_to_changes(run: Run, before: str, row: HistoryRow) -> str:
    lead = {url_state.RUN: run.run_id, url_state.AGAINST: before, PIPELINE: row[PIPELINE]}
    return url_state.href("compare", **lead, change="")


def _word_mean(metric: str, row: HistoryRow) -> str:
    return f"{level(metric, row['mean'])}, n = {count(row['n'])}" if row["n"] else "not scored"


def _describe_shift(metric: str, row: HistoryRow, none: str, lead: str) -> dict[str, object]:
    """The difference with its interval, and what the run came to; these words where there is `none`."""
    change, paired = row[STEP], row["paired"]
    if row["difference"] is None:
        return _describe_none(none)
    word = f"{change} beyond noise" if change in (Change.ROSE, Change.FELL) else change or ""
    both = "" if paired is None or paired == row["n"] else f"; {count(paired)} in both"
    return {
        "value": row["difference"],
        "low": row["step_low"],
        "high": row["step_high"],
        "size": difference(metric, row["difference"]),
        "word": word,
        "words": f"{bounds(metric, row['step_low'], row['step_high'])}; now {_word_mean(metric, row)}{both}",
        "lead": lead,
    }
