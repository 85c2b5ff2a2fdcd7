"""Acceptance criteria on the screen: what they come to for the run, and the panel that changes them."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import streamlit as st

from qaviz.model import CATEGORY, PIPELINE, TAGS, Criterion, Measure, QavizError
from qaviz.policy import as_policy, criteria_of
from qaviz.report.criteria import Outcome, evaluate
from qaviz.report.numbers import out_of, percent
from qaviz.store import keep_policy, kept_policy
from qaviz.ui.frame import OpenRun, workspace
from qaviz.ui.table import Cell, Column, Row, Tone, interval_cell, mark_cell, show_table, text_cell
from qaviz.ui.text import show_problems

_MARKS: Mapping[str, tuple[str, Tone]] = {
    Outcome.MET.value: ("✓ met", "good"),
    Outcome.NOT_MET.value: ("✗ not met", "bad"),
    Outcome.NOT_SHOWN.value: ("? not shown", "warn"),
}
_COLUMNS = (
    Column(label="Criterion", head=True),
    Column(label="Pipeline"),
    Column(label="Wanted"),
    Column(label="Found", title="With the interval that is likely over many questions like these."),
    Column(label="Outcome", title="Met if all of the interval is; not met if none of it is; else not shown."),
)
_ALL = "all"


def show_policy(shown: OpenRun) -> None:
    """Draw the workspace's acceptance criteria as they stand for each pipeline, and the panel to change them."""
    st.subheader("Acceptance criteria", anchor=False)
    kept = kept_policy(workspace())
    criteria = criteria_of(kept, "the policy of the workspace") if kept else ()
    if criteria:
        found = evaluate(shown.rows, shown.golden, shown.run.pipelines, criteria)
        show_table("criteria", "Acceptance criteria", _COLUMNS, list(map(_row, found.iter_rows(named=True))))
    else:
        st.caption("No criterion yet. Say what a pipeline has to reach, and each run shows whether it does.")
    panel = st.expander("Change the criteria", icon=":material/edit:", key="policy", on_change="rerun")
    if panel.open:
        with panel:
            _edit(shown, criteria)


def _row(row: Mapping[str, Any]) -> Row:
    text, tone = _MARKS[row["outcome"]]
    sign = "≥" if Measure(row["measure"]).more_is_better else "≤"
    return Row(
        note=row["scope"],
        cells=[
            text_cell(row["measure"].capitalize()),
            text_cell(row[PIPELINE]),
            text_cell(f"{sign} {percent(row['bound'])}"),
            _found(row),
            mark_cell(text, tone, row["sentence"]),
        ],
    )


def _found(row: Mapping[str, Any]) -> Cell:
    coverage = f"{out_of(row['scored'], row['expected'])} scored"
    if row["value"] is None:
        return text_cell(None, missing=coverage)
    likely = f"likely {percent(row['low'])} to {percent(row['high'])}; {coverage}"
    return interval_cell(row["value"], row["low"], row["high"], percent(row["value"]), likely)


def _edit(shown: OpenRun, criteria: Sequence[Criterion]) -> None:
    st.caption(
        "They hold for every run of this workspace and for `qaviz gate`. 100% and 0% are about these very questions; "
        "any other bound is met once the whole interval is past it."
    )
    edited = st.data_editor(
        _as_table(criteria),
        num_rows="dynamic",
        key="policy_editor",
        hide_index=True,
        column_config={
            "measure": st.column_config.SelectboxColumn("Measure", options=list(Measure), required=True),
            "bound": st.column_config.NumberColumn(
                "At least, or at most, %", min_value=0.0, max_value=100.0, step=1.0, required=True
            ),
            "category": st.column_config.SelectboxColumn("Category", options=[_ALL, *_categories(shown)]),
            "tag": st.column_config.SelectboxColumn("Tag", options=[_ALL, *_tags(shown)]),
        },
    )
    if st.button("Save the criteria", icon=":material/save:", type="primary"):
        _save(edited)


def _save(edited: pl.DataFrame) -> None:
    try:
        criteria = [_criterion(row) for row in edited.iter_rows(named=True) if row["measure"]]
        keep_policy(workspace(), as_policy(criteria) if criteria else {})
    except QavizError as error:
        show_problems(error)
        return
    st.rerun()


def _as_table(criteria: Sequence[Criterion]) -> pl.DataFrame:
    return pl.DataFrame(
        [(each.measure.value, 100 * each.bound, each.category or _ALL, each.tag or _ALL) for each in criteria],
        schema={"measure": pl.String, "bound": pl.Float64, "category": pl.String, "tag": pl.String},
        orient="row",
    )


def _criterion(row: Mapping[str, Any]) -> Criterion:
    scope = {name: None if row[name] in (None, _ALL) else row[name] for name in ("category", "tag")}
    return Criterion(measure=Measure(row["measure"]), bound=(row["bound"] or 0.0) / 100, **scope)


def _categories(shown: OpenRun) -> list[str]:
    return shown.golden[CATEGORY].drop_nulls().unique(maintain_order=True).to_list()


def _tags(shown: OpenRun) -> list[str]:
    words = shown.golden[TAGS].drop_nulls().str.split(";").explode().str.strip_chars()
    return words.filter(words != "").unique(maintain_order=True).to_list()
