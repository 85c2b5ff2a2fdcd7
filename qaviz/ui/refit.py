"""Confidence fitted to people's labels on the screen: how honest it is before and after, and the way to it and back."""

from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, percent, plural, score
from qaviz.diagnosis.recalibration import FEWEST, Refit, find_refit, keep_refit, refit_in_force, take_back_refit
from qaviz.model.errors import QavizError
from qaviz.store.audit_log import Deed
from qaviz.ui.widgets.page_setup import OpenRun, workspace
from qaviz.ui.widgets.person import may, person_said
from qaviz.ui.widgets.table import Column, Row, show_table, text_cell
from qaviz.ui.widgets.text import show_problems

_REFUSED = "refit_refused"
"""Session key of what refused the last change."""
_NOT_OWNER = "Your role does not let you change how confidence is counted: ask an owner."


def show_refit(shown: OpenRun, labels: pl.DataFrame) -> None:
    """Draw what the labels, one a response, make of the confidence of verdicts, and the buttons that use it or not."""
    st.subheader("Confidence that these labels propose", anchor=False)
    if refused := st.session_state.pop(_REFUSED, None):
        show_problems(refused)
    found, kept = find_refit(shown.rows, labels), refit_in_force(workspace())
    st.caption(_describe_map(kept))
    if isinstance(found, Refit):
        st.text(_describe_change(found))
        _show_reliability(found)
    allowed = may(workspace(), Deed.POLICY)
    why_not = _describe_lack(found) if isinstance(found, int) else ("" if allowed else _NOT_OWNER)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Use it for the next runs",
            key="refit_use",
            icon=":material/balance:",
            help=None if why_not else "Runs that are scored from now on; those that are kept stay as they are.",
            disabled=bool(why_not),
            on_click=_use,
            args=(shown, found),
        )
        if kept:
            st.button(
                "Back to the shipped map",
                key="refit_undo",
                icon=":material/undo:",
                disabled=not allowed,
                on_click=_take_back,
            )
    if why_not:
        st.caption(why_not)


def _describe_lack(labels: int) -> str:
    return f"{plural(labels, 'label')} of verdicts with a confidence; a fit takes at least {FEWEST}."


def _describe_map(kept: dict[str, Any] | None) -> str:
    if kept is None:
        return "In use: the shipped map from evidence to confidence."
    labels = plural(kept["labels"], "label")
    errors = f"{score(kept['error_before'])} before, {score(kept['error_after'])} after"
    return f"In use: fitted to {labels} of the run “{kept['run']}”; calibration error {errors}."


def _describe_change(found: Refit) -> str:
    errors = f"{score(found.error_before)} as shipped, {score(found.error_after)} fitted"
    made_of = f"{plural(found.labels, 'label')} to {plural(found.questions, 'question')}"
    advice = "" if found.better else " The shipped map is nearer to these labels: better keep it."
    return f"Calibration error on labels kept out of the fit: {errors} ({made_of}).{advice}"


def _show_reliability(found: Refit) -> None:
    """How often people agree with verdicts of each confidence, by the shipped map and by refits that saw no label."""
    columns = [
        Column(label="Map", head=True),
        Column(label="Confidence"),
        Column(label="People agree"),
        Column(label="Labels"),
    ]
    rows = [
        Row(
            cells=[
                text_cell(name),
                text_cell(percent(band["confidence"])),
                text_cell(percent(band["right"])),
                text_cell(count(band["rows"])),
            ],
        )
        for name, table in (("Shipped", found.before), ("Fitted, on labels kept out", found.after))
        for band in table.iter_rows(named=True)
    ]
    show_table("reliability", "Confidence against people's labels, by tenths", columns, rows, short=True)


def _use(shown: OpenRun, found: Refit) -> None:
    try:
        keep_refit(workspace(), found, shown.run.name, person_said())
    except QavizError as error:
        st.session_state[_REFUSED] = error


def _take_back() -> None:
    try:
        take_back_refit(workspace(), person_said())
    except QavizError as error:
        st.session_state[_REFUSED] = error
