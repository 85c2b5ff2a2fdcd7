"""Who the reader is: asked for once a visit, and kept beside what they say and do."""

import streamlit as st

from qaviz.model import QavizError
from qaviz.store.names import checked_name
from qaviz.ui.text import show_problems

PERSON = "person"
"""Session key of the name that the reader gave."""
NAME_FIELD = "person_name"


def pick_person(beside: str, then: str) -> str | None:
    """Draw the field for the reader's name; returns it, None where there is none yet or it will not do.

    It says what the name will stand `beside`, and what the reader may do `then`.
    """
    with st.container(width=320, gap="small"):
        # Streamlit forgets a field that a page does not draw; the name is asked for once a visit.
        st.session_state.setdefault(NAME_FIELD, st.session_state.get(PERSON, ""))
        said = st.text_input(
            "Your name",
            key=NAME_FIELD,
            placeholder=f"Stands beside your {beside}",
            autocomplete="name",
        )
        if not said.strip():
            st.session_state.pop(PERSON, None)
            st.caption(f"Say who you are, then {then}.")
            return None
        try:
            st.session_state[PERSON] = checked_name(said, "your name")
        except QavizError as error:
            show_problems(error)
            return None
        return str(st.session_state[PERSON])


def person_said() -> str | None:
    """The name that the reader gave this visit, on whichever page; None where there is none."""
    return st.session_state.get(PERSON)
