"""What came of a button's act: kept until the page, which the button runs again, has shown it."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from qaviz.model.errors import QavizError
from qaviz.model.visible import plain
from qaviz.ui.widgets.text import show_problems

_P = ParamSpec("_P")


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
