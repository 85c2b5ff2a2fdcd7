"""Sentences about a run. They quote pipelines' names, so they are set as text, never parsed."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

_prose = st.components.v2.component(
    "qaviz_prose",
    html='<div class="prose"></div>',
    css=(HERE / "sentences.css").read_text("utf-8"),
    js=(HERE / "sentences.js").read_text("utf-8"),
)


def show_sentences(key: str, points: Sequence[str], lead: str = "") -> None:
    """Draw a leading sentence in large type and points under it, each as it is."""
    _prose(key=key, data={"lead": lead, "points": list(points)})
