"""The History page: a metric over the runs of one line of golden dataset versions."""

from collections.abc import Mapping, Sequence
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis import history
from qaviz.analysis.comparison import level
from qaviz.analysis.history import BEFORE, PLACE, RUN, STEP, HistoryRow, Movement
from qaviz.analysis.numbers import count, day, interval, plural
from qaviz.analysis.outcomes import select_asked
from qaviz.charts.history_chart import history_chart
from qaviz.exports.table_files import as_csv
from qaviz.model.columns import PIPELINE, QUESTION_ID, VERDICT, typed_rows
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.report import ENDS, Column, Kind, Tone
from qaviz.store.golden_versions import kept_edits, line_of, versions
from qaviz.store.labels import kept_labels
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import counted_state
from qaviz.ui.widgets.components import HERE, show_problems, show_sentences
from qaviz.ui.widgets.filters import pick, pick_several
from qaviz.ui.widgets.keeping import keep
from qaviz.ui.widgets.person import offer_file, workspace
from qaviz.ui.widgets.table import show_frame

MOST_RUNS = 1_000
"""Of the newest runs of a line."""
MOST_PIPELINES = 12
"""Followed at once where the reader picks none: more lines in one chart tell nothing apart."""
_TONES: Mapping[bool | None, Tone] = {True: "good", False: "bad", None: "none"}

_LEGEND = (
    "Bars: 95% intervals over questions. Each point: all scored questions of its run. "
    "Triangles: a change beyond noise from the run before, on shared questions. "
    "Dashed lines: the golden dataset version, thresholds or engine changed. "
    "Runs are in the order in which they were scored here."
)
_CONFIG = {"displayModeBar": "hover", "displaylogo": False, "doubleClick": False}


@keep(MOST_RUNS, waiting="Reading the runs")
def _outcomes_of(run: Run, state: tuple[int, int]) -> pl.DataFrame:  # noqa: ARG001 - state: labels, a part of the key
    home = workspace()
    rows = home.rows(run, history.READ)
    questions = select_asked(home.golden(run.golden_id), rows, run.listed_counts)
    return history.outcomes_of(rows, questions[QUESTION_ID], kept_labels(home, run))


def show_past(run: Run) -> None:
    """Draw the runs on the line of this run's golden dataset: the choice of metric and pipelines, what happened, in
    words and as a chart, and every step in a table. Of runs that cannot be read the page says why."""
    home = workspace()
    line_id = line_of(home, run.golden_id)
    numbers = history.number_versions(versions(home, line_id), kept_edits(home, line_id))
    every_run = home.runs()
    line = [run for run in every_run if run.golden_id in numbers]
    if elsewhere := len(every_run) - len(line):
        says = "is of another golden dataset" if elsewhere == 1 else "are of other golden datasets"
        st.caption(f"{plural(elsewhere, 'run')} {says} and cannot be compared with these.")
    if len(line) > MOST_RUNS:
        st.caption(f"{plural(len(line) - MOST_RUNS, 'older run')} not shown.")
    runs, outcomes, problems = list[Run](), list[pl.DataFrame](), list[Problem]()
    for older in reversed(line[:MOST_RUNS]):
        try:
            outcomes.append(_outcomes_of(older, counted_state(older)))
            runs.append(older)
        except QavizError as error:
            problems += error.problems
    if problems:
        show_problems(QavizError(*problems))
    if len(runs) < 2:
        st.text("One run of this golden dataset so far: there is nothing to compare yet. History starts at the second.")
        return
    every_pipeline = history.pipelines_of(outcomes)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        metric = pick(url_state.FOLLOW, "Follow", history.FOLLOWED, history.followed_label, width=260)
        picked = pick_several(PIPELINE, every_pipeline) if len(every_pipeline) > 1 else []
    if not picked and len(every_pipeline) > MOST_PIPELINES:
        st.caption(f"The first {MOST_PIPELINES} of {count(len(every_pipeline))} pipelines; pick others to follow them.")
    pipelines = picked or every_pipeline[:MOST_PIPELINES]
    _draw_past(history.history(runs, outcomes, numbers, metric, pipelines), runs, numbers, metric, pipelines)


def _draw_past(
    steps: pl.DataFrame, runs: Sequence[Run], numbers: Mapping[str, int], metric: str, pipelines: Sequence[str]
) -> None:
    label, changes = history.followed_label(metric), history.find_measurement_changes(runs, numbers)
    if steps["n"].sum() == 0:
        st.text(f"{label}: nothing is scored in these runs.")
        return
    lead, *others = history.word_steps(steps, runs, metric)
    show_sentences("history", others, lead=lead)
    st.html(HERE / "figure.css")
    figure = history_chart(steps, runs, metric, pipelines, changes)
    alt = f"{label} of each pipeline, run by run, with 95% intervals; {lead}"
    st.plotly_chart(figure, key="history_chart", on_select="ignore", config=_CONFIG, alt=alt)
    st.caption(_LEGEND)
    data = partial(as_csv, _name_runs(steps, runs, changes))
    offer_file("Data (CSV)", f"chart .csv: {label} over runs", "history.csv", data)
    _show_steps(steps, runs, changes, metric, pipelines)


def _name_runs(steps: pl.DataFrame, runs: Sequence[Run], changes: history.Measurements) -> pl.DataFrame:
    """The figures with their runs' names and times, and how the measurement differs from the run before."""
    described = [
        (run.run_id, run.name, run.created_at.isoformat(timespec="seconds"), ", ".join(changes.get(place, ())))
        for place, run in enumerate(runs)
    ]
    named = pl.DataFrame(described, (RUN, "run_name", "run_scored", "measurement"), orient="row")
    return steps.join(named, on=RUN, how="left", maintain_order="left").drop(PLACE)


def _show_steps(
    steps: pl.DataFrame, runs: Sequence[Run], changes: history.Measurements, metric: str, pipelines: Sequence[str]
) -> None:
    st.subheader("Run by run", anchor=False)
    st.caption(
        "Each run's result, and its change from the run before. A change is beyond noise if its p-value, corrected for "
        "all changes of the pipeline, is below 0.05. Open a change to see its questions."
    )
    rows = {(row[PIPELINE], row[PLACE]): row for row in typed_rows(steps, HistoryRow)}
    columns = (
        Column("name", "Run", note="{scored}"),
        Column("measured", "Measured by", missing="{unchanged}", help="Golden dataset version, thresholds and engine."),
        *(_step_column(metric, f"{STEP}{number}", name, wide=True) for number, name in enumerate(pipelines)),
    )

    def describe_run(place: int) -> dict[str, object]:
        run, of_run = runs[place], [rows.get((name, place)) for name in pipelines]
        return {
            RUN: run.run_id,
            "name": run.name,
            "scored": day(run.created_at),
            "measured": ", ".join(changes.get(place, ())),
            "unchanged": "as before" if place else "first run",
            **{f"{STEP}{number}": _describe_step(metric, run, row) for number, row in enumerate(of_run)},
        }

    show_frame(
        "steps",
        f"{history.followed_label(metric)}: run by run",
        pl.DataFrame({PLACE: range(len(runs) - 1, -1, -1)}),
        columns,
        leads=lambda row: url_state.href("", run=row[RUN]),
        prepare=lambda page: map(describe_run, page[PLACE]),
    )


def _step_column(metric: str, name: str, heading: str, *, wide: bool = False) -> Column:
    """A column of what `_describe_step` returns."""
    looks = {
        f"{change} beyond noise": ("", _TONES[history.better(metric, change)])
        for change in (Movement.ROSE, Movement.FELL)
    }
    return Column(
        name,
        heading,
        kind=Kind.DIFFERENCE,
        ends=ENDS,
        text="{size}",
        by="word",
        looks=looks,
        note="{words}",
        missing="{none}",
        href="lead",
        wide=wide,
    )


LEADER_COLUMNS = (
    Column("leader", "Most right answers", note="{leader_share}", missing="nothing is graded"),
    _step_column(VERDICT, "leader_step", "Since the run before"),
)


def describe_leader(run: Run) -> dict[str, object]:
    """What LEADER_COLUMNS draw of a run: who has most right answers, their share, and its change from the run before
    over the same golden dataset."""
    if run.responses > 1_000_000:
        return {"leader": "many responses: open the run"}
    try:
        home, line = workspace(), line_of(workspace(), run.golden_id)
        runs = home.runs()
        older = runs[runs.index(run) + 1 :] if run in runs else []
        before = next((other for other in older if line_of(home, other.golden_id) == line), None)
        states = counted_state(run), counted_state(before) if before else None
        rows = _find_leaders(run, before, states)
    except QavizError:  # The run's own card shows it.
        return {"leader": "cannot be read"}
    if not rows:
        return {}
    row, others = rows[0], len(rows) - 1
    name = row[PIPELINE] + (f" and {plural(others, 'other')}, all equal" if others else "")
    share = f"{level(VERDICT, row['mean'])} ({interval(row['low'], row['high'])}), n = {count(row['n'])}"
    step = _describe_step(VERDICT, run, row)
    if before is None:
        step = {"value": None, "none": "first run"}
    return {"leader": name, "leader_share": share, "leader_step": step}


@keep(MOST_RUNS)
def _find_leaders(run: Run, before: Run | None, states: tuple[object, ...]) -> list[HistoryRow]:  # noqa: ARG001 - a key
    """The pipelines of the run with most right answers, as history has them beside the run before."""
    home, line = workspace(), line_of(workspace(), run.golden_id)
    runs = [*filter(None, [before]), run]
    outcomes = [_outcomes_of(run, counted_state(run)) for run in runs]
    numbers = history.number_versions(versions(home, line), kept_edits(home, line))
    steps = history.history(runs, outcomes, numbers, VERDICT, history.pipelines_of(outcomes[-1:]))
    rows = steps.filter(pl.col(RUN) == run.run_id).filter(pl.col("mean") == pl.col("mean").max())
    return list(typed_rows(rows, HistoryRow))


def _describe_step(metric: str, run: Run, row: HistoryRow | None) -> dict[str, object]:
    """The difference from the run before, which opens the questions behind it; else what the run came to."""
    if row is None:
        return {"value": None, "none": "no response"}
    mean = f"{level(metric, row['mean'])}, n = {count(row['n'])}" if row["n"] else "not scored"
    if row["difference"] is None:
        return {"value": None, "none": mean}
    change, paired = row[STEP], row["paired"]
    both = "" if paired is None or paired == row["n"] else f"; {count(paired)} in both"
    lead = {url_state.RUN: run.run_id, url_state.AGAINST: row[BEFORE] or "", PIPELINE: row[PIPELINE]}
    return {
        "value": row["difference"],
        "low": row["step_low"],
        "high": row["step_high"],
        "size": history.difference(metric, row["difference"]),
        "word": f"{change} beyond noise" if change in (Movement.ROSE, Movement.FELL) else change or "",
        "words": f"{history.bounds(metric, row['step_low'], row['step_high'])}; now {mean}{both}",
        "lead": url_state.href("compare", **lead, change=""),
    }
