"""The tour of a first visit: three cards on the Overview, until the reader closes them in this browser."""

from pathlib import Path

import streamlit as st

from qaviz.ui.widgets.remembered import Remembered

HERE = Path(__file__).parent

STEPS = (
    (
        "What should we ship?",
        "The card on top says which pipeline to ship, how sure that is, and the biggest risk. Compare and History show "
        "what it rests on.",
    ),
    (
        "Why is a response right or wrong?",
        "Diagnostics and Question show every response with its diagnosis and the reason. Label responses there: labels "
        "correct the figures.",
    ),
    (
        "What should we change?",
        "Curation proposes edits of the golden dataset and shows what each would change. Ctrl+K finds any page, run or "
        "question; the Glossary explains every word.",
    ),
)
"""Title and text of each card."""

_tour = st.components.v2.component(
    "qaviz_tour",
    html="<section hidden></section>",
    css=(HERE / "tour.css").read_text("utf-8"),
    js=(HERE / "tour.js").read_text("utf-8"),
)


def show_tour() -> None:
    """Draw the cards over the page, unless this browser has closed them. They take up no room."""
    steps = [{"title": title, "text": text} for title, text in STEPS]
    _tour(key="remember_tour", data={"cookie": Remembered.TOUR.value, "steps": steps})
