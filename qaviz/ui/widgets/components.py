"""Elements of qaviz's own, written in JavaScript: each is declared once, with what it is given and what it sends back.

Texts go to them as data and are set as text, never as markdown or HTML.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps
from pathlib import Path

import polars as pl
import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from qaviz.analysis.glossary import WORDS
from qaviz.analysis.numbers import count
from qaviz.analysis.response_card import ResponseCard
from qaviz.charts.word_board import board
from qaviz.model import columns as c
from qaviz.model.columns import Triplet
from qaviz.model.errors import QavizError, count_problems, groupby_kind
from qaviz.model.metrics import METRICS, QUADRANTS
from qaviz.model.visible import visible, visible_texts
from qaviz.ui.widgets.keeping import Arguments, Result

HERE = Path(__file__).parent

_INSIDE = "[0-9A-Za-z]"
"""What makes a word beside it a piece of a longer one; Chinese has no spaces between words."""
NAME_COOKIE = "qaviz_name"
PROBLEMS_OF_A_KIND = 3


def declare_component(name: str, html: str) -> ComponentRenderer:
    """The element that NAME.js beside this module, behind element.js, draws into the `html`, with the styles of
    NAME.css, if there are any."""
    styles, scripts = HERE / f"{name}.css", (HERE / "element.js", HERE / f"{name}.js")
    css = styles.read_text("utf-8") if styles.exists() else None
    js = "".join(script.read_text("utf-8") for script in scripts)
    return st.components.v2.component(f"qaviz_{name}", html=html, css=css, js=js)


_words = declare_component("words", '<div class="board"></div>')


def show_words(
    triplet: Triplet, cards: Sequence[ResponseCard], *, compact: bool = False, at: str = "", beside: str = ""
) -> None:
    """Draw a golden triplet (a row of the golden dataset) and a card for each response to it. The card of the pipeline
    `at` comes into view. In the panel they are `compact`: the others are a line each, but that of the pipeline
    `beside`, at its side."""
    _words(key="words", data=board(triplet, cards, compact=compact, at=at, beside=beside))


_passage = declare_component("passage", '<div class="passage"></div>')


def show_passage(key: str, text: str, marked: Sequence[str]) -> None:
    """Draw the text, whatever stands in it: each of these words marked wherever it stands."""
    _passage(key=key, data=[{"text": visible(part), "marked": mark} for part, mark in marked_parts(text, marked)])


def marked_parts(text: str, marked: Sequence[str]) -> list[tuple[str, bool]]:
    """The text in parts, and whether each is one of the marked words and numbers, whole and in whatever case."""
    words = sorted(filter(None, (name.strip() for name in marked)), key=len, reverse=True)
    pattern = "|".join(rf"(?<!{_INSIDE})(?<!\d[.,]){re.escape(word)}(?!{_INSIDE})(?!(?<=\d)[.,]\d)" for word in words)
    parts = re.split(f"({pattern})", text, flags=re.IGNORECASE) if words else [text]
    return [(part, place % 2 == 1) for place, part in enumerate(parts) if part]


_cookie = declare_component("remembered", "<span></span>")


def remember_name(name: str) -> None:
    """Have the browser keep the reader's name in a cookie; a blank one deletes it. Draws nothing visible."""
    _cookie(key="remember_name", data={"name": NAME_COOKIE, "value": name})


_prose = declare_component("sentences", '<div class="prose"></div>')


def variants_on_lines(text: str | None) -> str | None:
    """A fact or an answer with each variant on its own line, as people read it."""
    return text and text.replace(c.OR_DELIMITER, "\nor ").replace(c.AND_DELIMITER, "\nand ")


def show_problems(error: QavizError) -> None:
    """Draw every problem of an error: what was found and what to do. Many of them as a table."""
    with st.container(border=True):
        many = count_problems(error)
        st.markdown(
            f":material/error: **{count(many)} problems to fix**" if many > 1 else ":material/error: **Problem to fix**"
        )
        for alike in groupby_kind(error.problems):
            for problem in alike[:PROBLEMS_OF_A_KIND]:
                st.text(visible(str(problem)))
            if len(alike) > PROBLEMS_OF_A_KIND:
                with st.expander(f"and {count(len(alike) - PROBLEMS_OF_A_KIND)} more like these"):
                    listed = pl.DataFrame(list(map(asdict, alike))).drop("in_row")
                    st.dataframe(listed.with_columns(map(visible_texts, listed.columns)), hide_index=True)


def say_problems(draw: Callable[Arguments, Result]) -> Callable[Arguments, Result | None]:
    """Make a function of a page say what stops it: a QavizError is drawn in its place, and it returns None."""

    @wraps(draw)
    def draw_or_say(*args: Arguments.args, **named: Arguments.kwargs) -> Result | None:
        try:
            return draw(*args, **named)
        except QavizError as error:
            show_problems(error)
            return None

    return draw_or_say


def show_sentences(key: str, points: Sequence[str], lead: str = "") -> None:
    """Draw a leading sentence in large type and points under it, each as it is."""
    _prose(key=key, data={"lead": lead, "points": list(points)})


def show_what_is_this() -> None:
    """Draw the panel that says what the words and scores of all pages mean, and how closeness and conciseness are read
    together: texts of `analysis.glossary` and `model.metrics`, of which docs/metrics.md is made too."""
    panel = st.popover("What is this?", icon=":material/help:", type="tertiary", key="what_is_this", on_change="rerun")
    if not panel.open:
        return
    with panel:
        for word, meaning in WORDS.items():
            st.markdown(f"**{word.capitalize()}.** {meaning}")
        for metric in METRICS.values():
            if guide := metric.guide:
                st.markdown(
                    f"**{metric.label}** (`{metric.name}`). {guide.definition}\n\nHigh, and wrong: "
                    f"{guide.high_and_wrong}\n\nLow, and right: {guide.low_and_right} {guide.remedy}"
                )
        for quadrant in QUADRANTS:
            st.markdown(f"**{quadrant.name}.** {quadrant.reading} {quadrant.remedy}")
