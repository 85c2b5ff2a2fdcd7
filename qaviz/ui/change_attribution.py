"""Ruler or pipeline: two runs, each on a version of its golden dataset, and what made the score change between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, percent, plural
from qaviz.charts.flywheel import points, waterfall
from qaviz.golden.change_attribution import END, PIPELINES, QUESTIONS, RULER, START, ledger
from qaviz.model.columns import F1, FACT_SCORES, PIPELINE, PRECISION, RECALL
from qaviz.model.errors import QavizError
from qaviz.model.metrics import METRICS
from qaviz.model.records import Run
from qaviz.store import GoldenVersion, line_of, versions
from qaviz.ui.curation_state import Curating, rows_on
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.chart import about_run, show_chart
from qaviz.ui.widgets.filters import Filters, pick_listed
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.table import Cell, Column, Row, Tone, mark_cell, show_table, text_cell
from qaviz.ui.widgets.text import plain, show_problems

ALL = "all pipelines"
NAME_WIDTH = 280
"""Pixels of a list of runs or scores."""
_STEPS = {
    START: "Before",
    QUESTIONS: "Other questions",
    RULER: "Golden dataset",
    PIPELINES: "Pipeline",
    END: "After",
}
_SCORES = (*FACT_SCORES, RECALL, PRECISION, F1)


@dataclass(frozen=True, kw_only=True)
class _Side:
    run: Run
    version: GoldenVersion

    def __str__(self) -> str:
        return f"{self.run.name} on version {self.version.number}"


@st.fragment
def show_ledger(curating: Curating) -> None:
    """Draw the choice of two runs and versions, the parts of the change between them, and one pipeline's waterfall.

    A fragment: another choice redraws nothing else on the page.
    """
    st.subheader("Golden dataset or pipeline", anchor=False)
    runs = workspace().runs()
    left, right = st.columns(2, gap="medium")
    with left:
        before = _pick_side(
            "Before", url_state.BEFORE, url_state.BEFORE_VERSION, runs, curating.shown.run, newest=False
        )
    with right:
        after = _pick_side("After", url_state.AFTER, url_state.AFTER_VERSION, runs, curating.shown.run, newest=True)
    score = pick_listed(url_state.SCORE, "Score", _SCORES, NAME_WIDTH, lambda name: METRICS[name].label)
    if before == after:
        st.text("Both sides are the same run on the same version. Pick another to see what changed its score.")
        return
    try:
        parts = ledger(
            rows_on(before.run, before.version.golden_id),
            rows_on(before.run, after.version.golden_id),
            rows_on(after.run, after.version.golden_id),
            score,
            same_line=before.version.line == after.version.line,
        )
    except QavizError as error:
        show_problems(error)
        return
    if parts.is_empty():
        st.text("The two runs have no pipeline of the same name.")
        return
    _show_parts(parts)
    _show_waterfall(curating, parts, before, after, score)


def _pick_side(label: str, run: str, version: str, runs: list[Run], usual: Run, *, newest: bool) -> _Side:
    """The run and the version of its golden dataset that the URL says under these names.

    Usually the open run, archived or not, and its own version or the newest.
    """
    names = {each.run_id: each for each in (usual, *runs)}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        named = pick_listed(run, label, list(names), NAME_WIDTH, lambda each: names[each].name)
        line = versions(workspace(), line_of(workspace(), names[named].golden_id))
        own = next(each for each in line if each.golden_id == names[named].golden_id)
        numbers = {str(each.number): each for each in line}
        number = pick_listed(version, "on version", list(numbers), 120, usual=str((line[-1] if newest else own).number))
    return _Side(run=names[named], version=numbers[number])


def _show_parts(parts: pl.DataFrame) -> None:
    columns = [
        Column(label="Pipeline", head=True),
        Column(label="Before"),
        Column(label="Other questions", title="Effect on the mean of questions that only one run has"),
        Column(label="Golden dataset", title="Old responses: new version minus old version"),
        Column(label="Pipeline's part", title="New version: new responses minus old responses"),
        Column(label="After"),
    ]
    rows = [Row(cells=_cells(each)) for each in parts.iter_rows(named=True)]
    show_table("ledger", "Parts of the score change", columns, rows, short=True)
    st.caption(
        "The parts add up to the change. First the golden dataset changes for the old responses, then the responses "
        "change on the new golden dataset; both over the questions that a pipeline answered in both runs."
    )


def _cells(part: Mapping[str, Any]) -> list[Cell]:
    shared = f"over {plural(part['shared_n'], 'response')} to the same questions in each run"
    return [
        text_cell(part[PIPELINE] or ALL),
        text_cell(f"{percent(part[START])}\nof {count(part['start_n'])}"),
        *(_part_cell(part[name], shared) for name in (QUESTIONS, RULER, PIPELINES)),
        text_cell(f"{percent(part[END])}\nof {count(part['end_n'])}"),
    ]


def _part_cell(part: float | None, said: str) -> Cell:
    tone: Tone = "none" if not part else "good" if part > 0 else "bad"
    return mark_cell(points(part), tone, said if part is not None else "The runs share no scored question.")


def _show_waterfall(curating: Curating, parts: pl.DataFrame, before: _Side, after: _Side, score: str) -> None:
    names = [each or ALL for each in parts[PIPELINE]]
    picked = st.selectbox(
        "Pipeline in the chart", range(len(names)), len(names) - 1, format_func=names.__getitem__, width=320
    )
    part = parts.row(picked, named=True)
    if any(part[name] is None for name in _STEPS):
        st.text("No chart: the two runs share no question that is scored in both.")
        return
    steps = [{"label": label, "value": part[name], "whole": name in (START, END)} for name, label in _STEPS.items()]
    show_chart(
        waterfall(steps),
        key="waterfall",
        name=f"{METRICS[score].label}: golden dataset or pipeline",
        alt="The score before, what other questions, the golden dataset and the pipeline did to it, the score after",
        data=lambda: parts,
        about=about_run(curating.shown.run, Filters()),
        caption=plain(f"From {before} to {after}."),
    )
