"""One triplet to review beside its passage: decided on by one key, with findings, a note and new texts.

The browser keeps what is being written and sends it as a draft; every text is set as text.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
KEY = "reading"

_reading = st.components.v2.component(
    "qaviz_reading",
    html='<div class="reading"></div>',
    css=(HERE / "reading.css").read_text("utf-8"),
    js=(HERE / "reading.js").read_text("utf-8"),
)


def show_reading(data: Mapping[str, Any], hear: Callable[[Mapping[str, Any]], None]) -> None:
    """Draw the triplet; `hear` is told what the reader does: `kind` is decide, draft or undo (see reading.js)."""
    _reading(key=KEY, data=dict(data), on_said_change=lambda: _pass_on(hear))


def _pass_on(hear: Callable[[Mapping[str, Any]], None]) -> None:
    said: Mapping[str, Any] | None = st.session_state[KEY].said
    if said:
        hear(said)
