"""What the reader's browser remembers from visit to visit, in cookies: small, no secret, and untrusted when read back.

A cookie is there when a visit begins, so that nothing on the page moves when it is read.
"""

from enum import StrEnum
from pathlib import Path
from urllib.parse import unquote

import streamlit as st

HERE = Path(__file__).parent

_cookie = st.components.v2.component(
    "qaviz_remembered", html="<span></span>", js=(HERE / "remembered.js").read_text("utf-8")
)


class Remembered(StrEnum):
    """The name of each cookie."""

    NAME = "qaviz_name"
    TOUR = "qaviz_tour"


def remembered(name: Remembered) -> str:
    """What the browser said when the visit began, whoever wrote it; blank where it said nothing."""
    return unquote(dict(st.context.cookies).get(name.value, ""))


def remember(name: Remembered, value: str) -> None:
    """Have the browser remember this; a blank value is forgotten. Draws nothing that can be seen."""
    _cookie(key=f"remember_{name.value}", data={"name": name.value, "value": value})
