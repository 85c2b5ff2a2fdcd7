"""The flywheel on the screen: what each version of the golden dataset is worth, and which edits to make next."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.curation_words import finding_counts
from qaviz.analysis.numbers import count, percent, plural
from qaviz.charts.flywheel import versions_chart
from qaviz.golden.edits import edits_to, proposed_edits
from qaviz.golden.flywheel import AGREED, AGREED_N, FACTS, FACTS_N, RULER, RULER_N, version_state
from qaviz.golden.preview import expected_effects
from qaviz.model.columns import QUESTION_ID
from qaviz.store import GoldenVersion, versions
from qaviz.store.golden_versions import AFTER, FIELD, RULE
from qaviz.store.triplet_findings import kept_triplet_findings
from qaviz.ui.curation_state import VERSIONS_KEPT, Curating, findings_on, run_on, version_in_words
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.chart import about_run, show_chart
from qaviz.ui.widgets.filters import Filters
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.table import Cell, Column, Row, Tone, mark_cell, show_table, text_cell
from qaviz.ui.widgets.text import variants_on_lines

NEXT = 10
"""Edits that are proposed at once."""


def show_versions(curating: Curating) -> None:
    """Draw the newest versions on a line: findings, Factual Knowledge, agreement with people, the ruler's faults."""
    line = versions(workspace(), curating.version.line)[-VERSIONS_KEPT:]
    states = pl.DataFrame(
        [{"number": each.number, **_state(curating, each)} for each in line], infer_schema_length=None
    )
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
    columns = [
        Column(label="Version", head=True),
        Column(label="Findings", wide=True),
        Column(label="Factual Knowledge"),
        Column(label="Agrees with people", title="Responses on which Factual Knowledge agrees with people"),
        Column(
            label="Golden dataset or metric at fault",
            title="Share of verdicts with the fault in the golden dataset or the metric",
        ),
    ]
    rows = [_version_row(each, state) for each, state in zip(line, states.iter_rows(named=True), strict=True)]
    show_table("versions_table", "Versions of the golden dataset in figures", columns, rows[::-1], short=True)


def _state(curating: Curating, version: GoldenVersion) -> Mapping[str, float | None]:
    shown, golden = curating.shown, version.golden_id
    judged = kept_triplet_findings(workspace(), golden)
    return version_state(findings_on(shown, golden, judged), run_on(shown, golden), curating.labels)


def _version_row(version: GoldenVersion, state: Mapping[str, Any]) -> Row:
    shares = ((FACTS, FACTS_N, "scores"), (AGREED, AGREED_N, "labelled"), (RULER, RULER_N, "verdicts"))
    return Row(
        cells=[
            text_cell(version_in_words(version)),
            text_cell(finding_counts(state["error"], state["warning"], state["note"])),
            *(_share_cell(state[share], state[n], of) for share, n, of in shares),
        ]
    )


def _share_cell(share: float | None, n: int, of: str) -> Cell:
    return text_cell(f"{percent(share)}\nof {count(n)} {of}" if n else None, missing=f"nothing {of}")


def show_next_edits(curating: Curating) -> None:
    """Draw the edits that would set most responses right; opening one leads to it on the Curation page."""
    st.subheader("Next best edits", anchor=False)
    proposed = edits_to(curating.golden, proposed_edits(curating.findings))
    best = expected_effects(curating.rows, proposed, curating.labels).filter(pl.col("moves") > 0).head(NEXT)
    if best.is_empty():
        st.text("No suggestion of lint changes a score of this run.")
        return
    st.caption(
        "Ordered by how many more responses Factual Knowledge would judge as people do, or the diagnosis where nobody "
        "has labelled them. Open one to see all that it changes."
    )
    columns = [
        Column(label="Triplet", head=True),
        Column(label="Set right"),
        Column(label="Scores that change"),
        Column(label="The text would be", wide=True),
        Column(label="Rule"),
    ]
    opened = show_table(
        "next_edits", "Next best edits", columns, [_edit_row(each) for each in best.iter_rows(named=True)]
    )
    if opened is not None:
        st.switch_page("pages/curation.py", query_params=url_state.link(question=opened))


def _edit_row(edit: Mapping[str, Any]) -> Row:
    gain = edit["gain"]
    tone: Tone = "good" if gain > 0 else "bad" if gain < 0 else "none"
    return Row(
        id=edit[QUESTION_ID],
        href=url_state.href("curation", question=edit[QUESTION_ID]),
        note=edit[FIELD],
        cells=[
            text_cell(edit[QUESTION_ID]),
            mark_cell(f"{gain:+d}", tone, f"{plural(gain, 'response')} more judged correctly"),
            text_cell(count(edit["moves"])),
            text_cell(variants_on_lines(edit[AFTER]), missing="nothing"),
            text_cell(edit[RULE].replace("-", " ")),
        ],
    )
