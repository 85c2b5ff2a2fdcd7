"""Acceptance criteria on the screen: what they come to for the run, and the panel that changes them."""

from collections.abc import Mapping, Sequence

import streamlit as st

from qaviz.analysis.decision import word_protocol
from qaviz.analysis.numbers import out_of, percent
from qaviz.analysis.policy import (
    A_DAY,
    SMALLEST,
    CriterionRow,
    Outcome,
    as_policy,
    criteria_in_force,
    criteria_of,
    criterion_in_words,
    protocol_in_force,
    word_bound,
    word_value,
)
from qaviz.model.classes import Measure
from qaviz.model.columns import CATEGORY, PIPELINE, TAGS, typed_rows
from qaviz.model.errors import QavizError
from qaviz.model.records import Criterion, Protocol
from qaviz.store import keep_policy
from qaviz.store.audit_log import Deed
from qaviz.ui.widgets.cached import criteria_of_run, decision_of
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import offers, person_said
from qaviz.ui.widgets.table import Cell, Column, Row, Tone, interval_cell, mark_cell, show_table, text_cell
from qaviz.ui.widgets.text import show_problems

_MARKS: Mapping[str, tuple[str, Tone]] = {
    Outcome.MET.value: ("✓ met", "good"),
    Outcome.NOT_MET.value: ("✗ not met", "bad"),
    Outcome.NOT_SHOWN.value: ("? not shown", "warn"),
}
_COLUMNS = (
    "Criterion",
    "Pipeline",
    "Wanted",
    Column("Found", title="With its 95% interval."),
    Column("Outcome", title="Met: the whole interval is past the bound. Not met: none of it is. Else: not shown."),
)
_ALL, _NONE = "all", "nobody"
_REFUSED = "policy_refused"


def show_policy(shown: OpenRun) -> None:
    """Draw the workspace's acceptance criteria as they stand for each pipeline, and the panel to change them."""
    st.subheader("Acceptance criteria", anchor=False)
    if refused := st.session_state.pop(_REFUSED, None):
        show_problems(refused)
    criteria = criteria_in_force(workspace())
    if criteria:
        results = criteria_of_run(shown, criteria)
        show_table("criteria", "Acceptance criteria", _COLUMNS, list(map(_row, typed_rows(results, CriterionRow))))
    else:
        st.caption("No criterion yet. Set what a pipeline has to reach; each run then shows whether it does.")
    protocol = protocol_in_force(workspace(), shown.run)
    if when := word_protocol(protocol):
        st.caption(f"{when.capitalize()}.")
    if not offers(workspace(), Deed.POLICY, "change the criteria"):
        return
    panel = st.expander("Change the criteria", icon=":material/edit:", key="policy", on_change="rerun")
    if panel.open:
        with panel:
            _edit(shown, criteria)
            _edit_protocol(protocol)


def _row(row: CriterionRow) -> Row:
    text, tone = _MARKS[row["outcome"]]
    sign = "≥" if Measure(row["measure"]).more_is_better else "≤"
    wanted = f"{sign} {percent(row['bound'])}"
    if row["than"] is not None:
        wanted = word_bound(Measure(row["measure"]), row["bound"], row["than"])
    return Row(
        note=row["scope"],
        cells=[
            row["measure"].capitalize(),
            row[PIPELINE],
            wanted,
            _result_cell(row),
            mark_cell(text, tone, row["sentence"]),
        ],
    )


def _result_cell(row: CriterionRow) -> Cell:
    settled = f"{out_of(row['scored'], row['expected'])} settled"
    if row["value"] is None:
        return text_cell(None, missing=settled)
    likely = f"95% interval {percent(row['low'])} to {percent(row['high'])}; {settled} questions"
    if row["than"] is not None:
        value, low, high = (word_value(row, row[end]) for end in ("value", "low", "high"))
        return text_cell(value, note=f"95% interval {low} to {high}; {settled} questions")
    return interval_cell(row["value"], row["low"], row["high"], percent(row["value"]), likely)


def _edit(shown: OpenRun, criteria: Sequence[Criterion]) -> None:
    st.caption(
        "They hold for every run of this workspace and for the command gate. 100% and 0% are about these very "
        "questions; any other bound is met once the whole interval is past it."
    )
    for place, criterion in enumerate(criteria):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(criterion_in_words(criterion))
            rest = [*criteria[:place], *criteria[place + 1 :]]
            st.button("Remove", key=f"remove_criterion_{place}", icon=":material/delete:", on_click=_keep, args=[rest])
    with st.form("criterion", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.selectbox("Measure", list(Measure), key="criterion_measure")
        bound = st.number_input("At least, or at most, %", 0.0, 100.0, 90.0, 1.0, key="criterion_bound")
        category = st.selectbox(
            "Category",
            [_ALL, *shown.golden[CATEGORY].drop_nulls().unique(maintain_order=True)],
            key="criterion_category",
        )
        tag = st.selectbox("Tag", [_ALL, *_tags(shown)], key="criterion_tag")
        pipelines = decision_of(shown).ranking[PIPELINE]
        than = st.selectbox("At most so much worse than", [_NONE, *pipelines], key="criterion_than")
        added = st.form_submit_button("Add", icon=":material/add:", type="primary")
    if added and measure:
        scope = {name: None if value == _ALL else value for name, value in (("category", category), ("tag", tag))}
        guarded = None if than == _NONE else than
        _keep([*criteria, Criterion(measure=measure, bound=bound / 100, than=guarded, **scope)])
        st.rerun()


def _edit_protocol(protocol: Protocol) -> None:
    with st.form("protocol", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        smallest = st.number_input(
            "Smallest difference that matters, points", 0.0, 99.0, (protocol.smallest_difference or 0.0) * 100, 1.0
        )
        a_day = st.number_input("Questions that you can write a day", 0, 10_000, protocol.questions_a_day or 0)
        if st.form_submit_button("Save", icon=":material/save:"):
            _save({SMALLEST: smallest / 100 or None, A_DAY: int(a_day) or None})
            st.rerun()


def _keep(criteria: Sequence[Criterion]) -> None:
    try:
        if criteria:
            criteria_of(as_policy(criteria), "the new criterion")
    except QavizError as error:
        st.session_state[_REFUSED] = error
        return
    _save(as_policy(criteria))


def _save(part: Mapping[str, object]) -> None:
    try:
        keep_policy(workspace(), dict(part), person_said())
    except QavizError as error:
        st.session_state[_REFUSED] = error


def _tags(shown: OpenRun) -> list[str]:
    words = shown.golden[TAGS].drop_nulls().str.split(";").explode().str.strip_chars()
    return words.filter(words != "").unique(maintain_order=True).to_list()
