"""The Flywheel page: what each version of the golden dataset is worth, which edit comes next, and what of a change of
score pipelines and golden dataset did.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import starmap

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, percent, plural
from qaviz.analysis.sentences import finding_counts
from qaviz.charts.history_chart import Step, points, versions_chart, waterfall
from qaviz.golden.lint.findings import SEVERITIES
from qaviz.golden.versions import (
    AGREED,
    AGREED_N,
    END,
    FACTS,
    FACTS_N,
    GOLDEN_DATASET,
    MEASURE_AT_FAULT,
    MEASURE_AT_FAULT_N,
    PIPELINES,
    QUESTIONS,
    START,
    attribute_change,
    version_state,
)
from qaviz.model.columns import F1, FACT_SCORES, PIPELINE, PRECISION, QUESTION_ID, RECALL
from qaviz.model.errors import QavizError
from qaviz.model.metrics import METRICS
from qaviz.model.records import Run
from qaviz.model.visible import plain
from qaviz.store.golden_versions import AFTER, FIELD, RULE, GoldenVersion, line_of, versions
from qaviz.store.labels import kept_answer_forms, kept_triplet_findings
from qaviz.ui.curation_state import VERSIONS_KEPT, Curating, effects_of, findings_on, rows_on, run_on, version_in_words
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.chart import about_run, show_chart
from qaviz.ui.widgets.components import show_problems, variants_on_lines
from qaviz.ui.widgets.filters import Filters, pick_listed
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.table import Cell, Column, Row, Tone, mark_cell, show_table, text_cell

NEXT = 10
"""Edits that are proposed at once."""

ALL = "all pipelines"
NAME_WIDTH = 280
"""Pixels of a list of runs or scores."""
_STEPS = {
    START: "Before",
    QUESTIONS: "Other questions",
    GOLDEN_DATASET: "Golden dataset",
    PIPELINES: "Pipeline",
    END: "After",
}
_SCORES = (*FACT_SCORES, RECALL, PRECISION, F1)


def show_versions(curating: Curating) -> None:
    """Draw the newest versions: findings, Factual Knowledge, agreement with people, faults of dataset or metric."""
    line = versions(workspace(), curating.version.line)[-VERSIONS_KEPT:]
    version_states = [_state(curating, version) for version in line]
    numbered = [{"number": version.number, **state} for version, state in zip(line, version_states, strict=True)]
    states = pl.DataFrame(numbered, infer_schema_length=None)
    run = curating.shown.run
    show_chart(
        versions_chart(states),
        key="versions_chart",
        name="Versions of the golden dataset",
        alt="For each version: findings, Factual Knowledge, agreement with people, faults of golden dataset or metric",
        data=lambda: states,
        about=about_run(run, Filters()),
        caption="The open run on each version. Golden dataset or metric at fault, not the pipeline.",
    )
    columns = (
        "Version",
        Column("Findings", wide=True),
        "Factual Knowledge",
        Column("Agrees with people", title="Responses on which Factual Knowledge agrees with people"),
        Column(
            "Golden dataset or metric at fault",
            title="Share of verdicts with the fault in the golden dataset or the metric",
        ),
    )
    rows = list(map(_version_row, line, version_states))
    show_table("versions_table", "Versions of the golden dataset in figures", columns, rows[::-1], short=True)


def _state(curating: Curating, version: GoldenVersion) -> Mapping[str, float | None]:
    shown, golden = curating.shown, version.golden_id
    judged, forms = kept_triplet_findings(workspace(), golden), kept_answer_forms(workspace(), golden)
    return version_state(
        findings_on(shown, golden, judged, forms, curating.labels), run_on(shown, golden), curating.labels
    )


def _version_row(version: GoldenVersion, state: Mapping[str, float | None]) -> Row:
    return Row(
        cells=[
            version_in_words(version),
            finding_counts(*(int(state[severity] or 0) for severity in SEVERITIES)),
            _share_cell(state[FACTS], state[FACTS_N], "scores"),
            _share_cell(state[AGREED], state[AGREED_N], "labelled"),
            _share_cell(state[MEASURE_AT_FAULT], state[MEASURE_AT_FAULT_N], "verdicts"),
        ]
    )


def _share_cell(share: float | None, n: float | None, of: str) -> Cell:
    return f"{percent(share)}\nof {count(int(n))} {of}" if n else text_cell(None, f"nothing {of}")


def show_next_edits(curating: Curating) -> None:
    """Draw the edits that would set most responses right; opening one leads to it on the Curation page."""
    st.subheader("Next best edits", anchor=False)
    best = effects_of(curating).filter(pl.col("moves") > 0).head(NEXT)
    if best.is_empty():
        st.text("No suggestion of lint changes a score of this run.")
        return
    st.caption(
        "The edits that let Factual Knowledge judge most responses correctly, as people's labels say, or the diagnosis "
        "where there is no label. Open one to see everything it changes."
    )
    columns = (
        "Triplet",
        "Set right",
        "Scores that change",
        Column("The text would be", wide=True),
        "Rule",
    )
    edits = best.select(QUESTION_ID, FIELD, AFTER, RULE, "gain", "moves")
    show_table("next_edits", "Next best edits", columns, list(starmap(_edit_row, edits.iter_rows())))


def _edit_row(question: str, field: str, after: str | None, rule: str, gain: int, moves: int) -> Row:
    tone: Tone = "good" if gain > 0 else "bad" if gain < 0 else "none"
    return Row(
        href=url_state.href("golden", question=question),
        note=field,
        cells=[
            question,
            mark_cell(f"{gain:+d}", tone, f"{plural(gain, 'response')} more judged correctly"),
            count(moves),
            text_cell(variants_on_lines(after), missing="nothing"),
            rule.replace("-", " "),
        ],
    )


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
        parts = attribute_change(
            rows_on(before.run, before.version.golden_id),
            rows_on(before.run, after.version.golden_id),
            rows_on(after.run, after.version.golden_id),
            score,
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
    names = {name.run_id: name for name in (usual, *runs)}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        named = pick_listed(run, label, list(names), NAME_WIDTH, lambda run_id: names[run_id].name)
        line = versions(workspace(), line_of(workspace(), names[named].golden_id))
        own = next(version for version in line if version.golden_id == names[named].golden_id)
        numbers = {str(version.number): version for version in line}
        number = pick_listed(version, "on version", list(numbers), 120, usual=str((line[-1] if newest else own).number))
    return _Side(run=names[named], version=numbers[number])


def _show_parts(parts: pl.DataFrame) -> None:
    columns = (
        "Pipeline",
        "Before",
        Column(
            "Other questions",
            title="Effect on the mean of questions of one run, or whose text was rewritten",
        ),
        Column("Golden dataset", title="Old responses: new version minus old version"),
        Column("Pipeline's part", title="New version: new responses minus old responses"),
        "After",
    )
    figures = parts.select(PIPELINE, START, "start_n", END, "end_n", "shared_n", QUESTIONS, GOLDEN_DATASET, PIPELINES)
    rows = [Row(cells=_part_cells(*row)) for row in figures.iter_rows()]
    show_table("ledger", "Parts of the score change", columns, rows, short=True)
    st.caption(
        "The parts add up to the change. First the golden dataset changes for the old responses, then the responses "
        "change on the new golden dataset; both over the questions of both runs."
    )


def _part_cells(
    pipeline: str | None, start: float, start_n: int, end: float, end_n: int, shared_n: int, *parts: float | None
) -> list[Cell]:
    shared = f"over {plural(shared_n, 'response')} to the same questions in each run"
    return [
        pipeline or ALL,
        f"{percent(start)}\nof {count(start_n)}",
        *(_part_cell(part, shared) for part in parts),
        f"{percent(end)}\nof {count(end_n)}",
    ]


def _part_cell(part: float | None, words: str) -> Cell:
    tone: Tone = "none" if not part else "good" if part > 0 else "bad"
    return mark_cell(points(part), tone, words if part is not None else "The runs share no scored question.")


def _show_waterfall(curating: Curating, parts: pl.DataFrame, before: _Side, after: _Side, score: str) -> None:
    names = [part or ALL for part in parts[PIPELINE]]
    picked = st.selectbox(
        "Pipeline in the chart", range(len(names)), len(names) - 1, format_func=names.__getitem__, width=320
    )
    part = parts.row(picked, named=True)
    if any(part[name] is None for name in _STEPS):
        st.text("No chart: the two runs share no question that is scored in both.")
        return
    steps = [Step(label, part[name], whole=name in (START, END)) for name, label in _STEPS.items()]
    show_chart(
        waterfall(steps),
        key="waterfall",
        name=f"{METRICS[score].label}: golden dataset or pipeline",
        alt="The score before, what other questions, the golden dataset and the pipeline did to it, the score after",
        data=lambda: parts,
        about=about_run(curating.shown.run, Filters()),
        caption=plain(f"From {before} to {after}."),
    )
