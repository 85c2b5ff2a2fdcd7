"""A passage with the words of a fact marked in it."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from qaviz.model.visible import visible

HERE = Path(__file__).parent

_passage = st.components.v2.component(
    "qaviz_passage",
    html='<div class="passage"></div>',
    css=(HERE / "passage.css").read_text("utf-8"),
    js=(HERE / "passage.js").read_text("utf-8"),
)


def show_passage(key: str, text: str, marked: Sequence[str]) -> None:
    """Draw the text, whatever stands in it, with each of these words marked wherever it stands."""
    _passage(key=key, data=[{"text": visible(part), "marked": mark} for part, mark in marked_parts(text, marked)])


def marked_parts(text: str, marked: Sequence[str]) -> list[tuple[str, bool]]:
    """The text in parts, each with whether it is one of the marked words, in whatever case."""
    lower, taken = text.lower(), [False] * len(text)
    for each in marked:
        word = each.lower().strip()
        at = lower.find(word) if word and len(lower) == len(text) else -1
        while at >= 0:
            taken[at : at + len(word)] = [True] * len(word)
            at = lower.find(word, at + 1)
    parts: list[tuple[str, bool]] = []
    for char, mark in zip(text, taken, strict=True):
        if parts and parts[-1][1] == mark:
            parts[-1] = parts[-1][0] + char, mark
        else:
            parts.append((char, mark))
    return parts
