"""The decision at the top of the overview: what to ship, how sure that is, the risk, and what would settle it."""

from collections.abc import Mapping
from typing import Literal

import polars as pl
import streamlit as st

from qaviz.analysis.criteria import Outcome
from qaviz.analysis.decision import Confidence, Decision
from qaviz.analysis.numbers import out_of
from qaviz.model.columns import FAULT, PIPELINE, VERDICT
from qaviz.model.records import Run
from qaviz.ui.agreement import View
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.page_setup import OpenRun
from qaviz.ui.widgets.sentences import show_sentences
from qaviz.ui.widgets.text import plain

_BADGES: Mapping[Confidence, tuple[Literal["green", "orange", "gray"], str]] = {
    Confidence.HIGH: ("green", "check_circle"),
    Confidence.MEDIUM: ("orange", "contrast"),
    Confidence.LOW: ("gray", "help"),
}
_BADGE_HELP = (
    "High: ahead of all others beyond chance, or a criterion decides. Medium: ahead of at least half of them, or no "
    "clear difference. Low: anything else."
)
_BASIS = "Decided by right answers: responses whose verdict is correct. An unsure verdict is neither right nor wrong."

_NARROW = (*url_state.FILTERS, VERDICT, FAULT, url_state.DIFFER, url_state.UNREAD, url_state.QUEUE, url_state.BLIND)
"""What would leave responses out of the queue, or order it otherwise."""


def show_decision(shown: OpenRun, decision: Decision) -> None:
    """Draw the card: sentence, confidence, reasons; under them risk, what would settle it, criteria, and trust."""
    with st.container(border=True, key="decision_card", gap="small"):
        colour, icon = _BADGES[decision.confidence]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(
                f"{decision.confidence.capitalize()} confidence",
                icon=f":material/{icon}:",
                color=colour,
                help=_BADGE_HELP,
            )
            st.caption(plain(_basis(shown.run)), help=_method(decision))
        show_sentences("decision", decision.reasons, lead=decision.sentence)
        risk, settle, trust = st.columns(3, gap="medium")
        with risk:
            _show_risk(decision)
        with settle:
            _part("What would settle it", decision.settling)
            _part("Criteria", _criteria(decision))
            if decision.effort:
                _part("Cost and time", decision.effort)
        with trust:
            _show_trust(shown, decision)


def _basis(run: Run) -> str:
    """What the decision goes by, and which judge was heard."""
    return f"{_BASIS} Judge where words leave it open: {run.judge}." if run.judge else _BASIS


def _method(decision: Decision) -> str:
    """How the interval of the pipeline that the card speaks of was made."""
    row = decision.ranking.row(by_predicate=_is(decision.subject), named=True)
    return plain(f"Interval: {row['method']}.")


def _is(name: str) -> pl.Expr:
    return pl.col(PIPELINE) == name


def _part(title: str, text: str) -> None:
    st.caption(f"**{title}**")
    st.text(text)


def _show_risk(decision: Decision) -> None:
    risk = decision.risk
    if risk is None:
        _part(
            "Biggest risk",
            f"Every response of {decision.subject} is right. Check whether the questions are hard enough.",
        )
        return
    _part("Biggest risk", risk.sentence)
    st.page_link(
        "pages/question.py",
        label="See an example",
        icon=":material/arrow_forward:",
        query_params=url_state.link(**url_state.at_response(risk.question_id, risk.pipeline)),
    )


def _criteria(decision: Decision) -> str:
    own = decision.criteria.filter(_is(decision.subject))["outcome"]
    if own.is_empty():
        return "None set. Set them on Compare."
    return f"{decision.subject} meets {out_of(int((own == Outcome.MET.value).sum()), own.len())}."


def _show_trust(shown: OpenRun, decision: Decision) -> None:
    _part("Can the verdicts be trusted?", decision.trust)
    if decision.labelled < shown.run.responses:
        st.page_link(
            "pages/diagnostics.py",
            label="Label the responses that decide",
            icon=":material/how_to_vote:",
            query_params=url_state.link(**dict.fromkeys(_NARROW, "") | {url_state.LABELS: View.LABEL.value}),
        )
