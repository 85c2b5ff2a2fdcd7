"""The top of the board: the verdict line, its four facts, what a person decides otherwise, and the decision pack."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from io import BytesIO

import polars as pl
import streamlit as st

from qaviz.analysis.board import Cell, find_flip
from qaviz.analysis.decision import Decision, choice, word_impact, word_override, word_verdict
from qaviz.analysis.numbers import out_of, plural
from qaviz.analysis.policy import Outcome
from qaviz.exports.decision_pack import exporters, name_file
from qaviz.golden.versions import edited_since
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.records import Override
from qaviz.model.visible import plain
from qaviz.report.decision import MATRIX, SCATTER, report_saved
from qaviz.store.audit_log import Deed
from qaviz.store.run_records import confirm_override, find_record, override_decision, withdraw_override
from qaviz.store.workspace import Workspace
from qaviz.ui.board import select_cells
from qaviz.ui.labels import View
from qaviz.ui.widgets import person as reader
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import cells_of, steps_of, view_run
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome
from qaviz.ui.widgets.url_state import open_response

_BASIS = "Decided by right answers, of all questions asked. Unsure verdicts are open: none of them may win."

STEPS_SHOWN = 2
"""Steps about responses that stand under the first one."""


def show_decision(shown: OpenRun, decision: Decision) -> None:
    """Draw the verdict line, and under it how sure it is, what it gains, the risk, and what to do next."""
    override = find_record(workspace(), shown.run.run_id).override
    if override:
        st.warning(plain(word_override(override)), icon=":material/gavel:")
    show_sentences("decision", [], lead=word_verdict(decision))
    sure, gain, risk, settle = (column.container(gap="xsmall") for column in st.columns([3, 3, 3, 4], gap="medium"))
    with sure:
        _show_confidence(shown, decision, override)
    with gain:
        _show_part("What it gains", word_impact(decision.subject, decision.impact) or "Nothing to compare with.")
    with risk:
        _show_risk(decision)
    with settle:
        _show_steps(shown, decision)


def _offer_override(shown: OpenRun, override: Override | None) -> None:
    """Draw what may be done about what a person decided instead, or the way to decide otherwise."""
    home, run_id = workspace(), shown.run.run_id
    reader.show_outcome()
    if override:
        if not override.holds and reader.may(home, Deed.CONFIRM):
            st.button("Confirm as a second person", on_click=_change, args=(confirm_override, run_id))
        if reader.may(home, Deed.WITHDRAW):
            st.button("Follow the recommendation again", on_click=_change, args=(withdraw_override, run_id))
    elif reader.may(home, Deed.OVERRIDE):
        panel = st.popover("Decide otherwise", type="tertiary", key="override", on_change="rerun")
        if panel.open:
            with panel, st.form("override_form", border=False):
                person = "" if reader.signed_in() else reader.name_field("decision")
                ships = st.selectbox("Ship", [_NOTHING, *shown.run.pipelines])
                reason = st.text_area("Reason")
                if st.form_submit_button("Decide"):
                    _decide_otherwise(run_id, person, None if ships == _NOTHING else ships, reason)
                    st.rerun()


_NOTHING = "none of them"


@keep_outcome
def _change(change: Callable[[Workspace, str, str], object], run_id: str) -> None:
    change(workspace(), run_id, reader.person_said() or "")


@keep_outcome
def _decide_otherwise(run_id: str, person: str, ships: str | None, reason: str) -> None:
    override_decision(workspace(), run_id, reader.person_said() or reader.remember_person(person) or "", ships, reason)


def _show_confidence(shown: OpenRun, decision: Decision, override: Override | None) -> None:
    """Draw how sure the decision is and why; a click shows what it goes by, another one decides otherwise."""
    sure = f"{decision.confidence.capitalize()} confidence. " if decision.confidence else ""
    _show_part("How sure", f"{sure}{decision.confidence_reason}")
    row = st.container(horizontal=True, gap="small")
    with row, st.popover("Why", type="tertiary"):
        _show_part(decision.status.capitalize(), decision.status_reason)
        show_sentences("reasons", decision.reasons, lead=decision.sentence)
        judge = shown.run.judge
        st.text(f"{_BASIS} Judge of unsure verdicts: {judge}." if judge else _BASIS)
        method = decision.ranking.filter(pl.col(c.PIPELINE) == decision.subject)["method"].item()
        _show_part("Interval", f"{method}.")
        _show_part("Can the verdicts be trusted?", decision.trust)
        outcomes = decision.criteria.filter(pl.col(c.PIPELINE) == decision.subject)["outcome"]
        met = out_of(int((outcomes == Outcome.MET.value).sum()), outcomes.len())
        words = f"{decision.subject} meets {met}." if outcomes.len() else "None set. Set them on Compare."
        _show_part("Criteria", words)
        _show_part("What would settle it", decision.settling)
        if decision.effort:
            _show_part("Cost and time", decision.effort)
    with row:
        _offer_override(shown, override)
    if flip := find_flip(cells_of(view_run(shown))):
        label = f"{plural(flip.needed, 'open response')} of {plain(flip.pipeline)} could change this"
        what = (Cell.UNSURE.value, flip.pipeline)
        st.button(label, key="step_flip", type="tertiary", on_click=select_cells, args=what)


def _show_part(title: str, text: str) -> None:
    st.caption(f"**{title}**")
    st.text(text)


def _show_risk(decision: Decision) -> None:
    risk = decision.risk
    if decision.doubts:
        _show_part("The first risk: how the files were read", "\n".join(f"{doubt}." for doubt in decision.doubts))
    if risk is None:
        right = f"Every response of {decision.subject} is right. Check whether the questions are hard enough."
        _show_part("The risk", right)
        return
    _show_part("The risk", risk.sentence)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("See an example", type="tertiary", on_click=open_response, args=(risk.question_id, risk.pipeline))
        worst = url_state.WIDE | {url_state.WORST: "yes"}
        url_state.draw_link("The five worst", "responses", "priority_high", **worst)


def _show_steps(shown: OpenRun, decision: Decision) -> None:
    """Draw what to do next, the most useful first, each with where it is done."""
    _show_part("Next", f"1. {decision.next_step}")
    if decision.labelled < shown.run.responses:
        labelled = url_state.WIDE | {url_state.LABELS: View.LABEL.value}
        url_state.draw_link("Label the responses that decide", "responses", "how_to_vote", **labelled)
    if decision.kind is choice.Kind.OPEN:
        url_state.draw_link("Let a judge grade the unsure ones", "judges", "gavel")
    steps = steps_of(view_run(shown), decision.subject, edited_since(workspace(), shown.run.golden_id))
    for place, step in enumerate(steps[:STEPS_SHOWN], start=2):
        cell = Cell.UNSURE.value if step.diagnosis is Diagnosis.UNSCORED else step.diagnosis.value
        label = f"{place}. {plain(step.title)}"
        st.button(label, key=f"step_{place}", type="tertiary", on_click=select_cells, args=(cell, step.pipeline))


def offer_decision_pack(shown: OpenRun) -> None:
    """Draw a button that opens one button a format; a pack is made when its button is pressed."""
    files: list[tuple[str, str, str, str | None]] = []
    files += [(f"{exporter.name} ({suffix})", suffix, suffix, None) for suffix, exporter in exporters().items()]
    slides = (("Matrix", MATRIX), ("Scatter", SCATTER))
    files += [(f"{name} as a slide", ".pptx", f"-{name.lower()}.pptx", section) for name, section in slides]
    with st.popover("Decision pack", icon=":material/download:"):
        for label, suffix, ending, section in files:
            write = partial(_write_pack, workspace(), shown, suffix, section)
            what, file = f"decision pack {ending}", name_file(shown.run, datetime.now(UTC), ending)
            reader.offer_file(workspace(), label, what, file, write, run=shown.run.run_id, wide=True)


def _write_pack(home: Workspace, shown: OpenRun, suffix: str, section: str | None) -> bytes:
    """The decision pack, or one section of it."""
    report, stream = report_saved(home, shown.run, datetime.now(UTC)), BytesIO()
    alone = tuple(part for part in report.sections if part.title == section)
    exporters()[suffix].write(replace(report, sections=alone or report.sections), stream)
    return stream.getvalue()
