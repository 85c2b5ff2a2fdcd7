"""A golden triplet and every response to it, word by word: found, missing, extra, from the question."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from qaviz.analysis.response_card import ResponseCard
from qaviz.charts.word_board import board

HERE = Path(__file__).parent

_words = st.components.v2.component(
    "qaviz_words",
    html='<div class="board"></div>',
    css=(HERE / "words.css").read_text("utf-8"),
    js=(HERE / "words.js").read_text("utf-8"),
)


def show_words(
    triplet: Mapping[str, Any], cards: Sequence[ResponseCard], *, folded: bool = False, at: str = ""
) -> None:
    """Draw a golden triplet (a row of the golden dataset) and a card for each response to it, arithmetic `folded`.

    The card of the pipeline `at` comes into view.
    """
    _words(key="words", data=board(triplet, cards, folded=folded, at=at))
