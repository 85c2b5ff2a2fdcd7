"""Who the reader is: asked for once a visit, and kept beside what they say and do."""

import streamlit as st

from qaviz.model.errors import QavizError
from qaviz.store.names import NAME_OF_PERSON, checked_name
from qaviz.ui.widgets.text import show_problems

PERSON = "person"
"""Session key of the name that the reader gave."""
NAME_FIELD = "person_name"


def pick_person(beside: str, then: str) -> str | None:
    """Draw the field for the reader's name; returns it, None where there is none yet or it will not do.

    It says what the name will stand `beside`, and what the reader may do `then`.
    """
    with st.container(width=320, gap="small"):
        said = name_field(beside)
        if not said.strip():
            st.caption(f"Say who you are, then {then}.")
        try:
            return remember_person(said)
        except QavizError as error:
            show_problems(error)
            return None


def name_field(beside: str) -> str:
    """Draw the field alone; returns what the reader wrote. It says what the name will stand `beside`."""
    # Streamlit forgets a field that a page does not draw; the name is asked for once a visit.
    st.session_state.setdefault(NAME_FIELD, st.session_state.get(PERSON, ""))
    return st.text_input("Your name", key=NAME_FIELD, placeholder=f"Shown with your {beside}", autocomplete="name")


def remember_person(said: str) -> str | None:
    """The name as it is kept, remembered for this visit; None for a blank one. Raises QavizError if it will not do."""
    if not said.strip():
        st.session_state.pop(PERSON, None)
        return None
    person = checked_name(said, NAME_OF_PERSON)
    st.session_state[PERSON] = person
    return person


def person_said() -> str | None:
    """The name that the reader gave this visit, on whichever page; None where there is none."""
    return st.session_state.get(PERSON)
