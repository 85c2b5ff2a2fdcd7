"""Buttons that step through a list or do something in a person's name; what came of it is kept until it is shown."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from qaviz.model.errors import QavizError
from qaviz.model.visible import plain
from qaviz.ui.widgets.text import show_problems

_P = ParamSpec("_P")


def offer_act(
    label: str,
    key: str,
    icon: str,
    act: Callable[[str], None],
    person: str | None,
    *,
    ready: bool = True,
    primary: bool = False,
    help: str | None = None,
) -> None:
    """Draw a button that calls `act` with the person's name. It is off where there is no name, or it is not `ready`."""
    st.button(
        label,
        key=key,
        icon=f":material/{icon}:" if icon else None,
        type="primary" if primary else "secondary",
        help=help,
        disabled=not (person and ready),
        on_click=act,
        args=(person,),
    )


def draw_steps(key: str, place: int, height: int, go: Callable[[int], None]) -> None:
    """Draw the buttons that go to the place before and the one after, of so many; arrow keys press them."""
    for label, icon, arrow, to in (
        ("Previous", "arrow_back", "Left", place - 1),
        ("Next", "arrow_forward", "Right", place + 1),
    ):
        st.button(
            label,
            key=f"{key}_{label}",
            icon=f":material/{icon}:",
            shortcut=arrow,
            disabled=not 0 <= to < height,
            on_click=go,
            args=(to,),
        )


def keep_outcome(key: str) -> Callable[[Callable[_P, object]], Callable[_P, None]]:
    """Make a function one for a button: what it returns, or the QavizError it raises, is kept in the session.

    A sentence is what `show_outcome` draws; the page itself draws any other object. None says nothing.
    """

    def decorate(act: Callable[_P, object]) -> Callable[_P, None]:
        @wraps(act)
        def act_and_keep(*args: _P.args, **named: _P.kwargs) -> None:
            try:
                st.session_state[key] = act(*args, **named)
            except QavizError as error:
                st.session_state[key] = error

        return act_and_keep

    return decorate


def show_outcome(key: str) -> None:
    """Draw what came of the last act kept under this key, once: a sentence, or the problems to fix."""
    outcome = st.session_state.pop(key, None)
    if isinstance(outcome, QavizError):
        show_problems(outcome)
    elif outcome:
        st.success(plain(str(outcome)), icon=":material/check:")
