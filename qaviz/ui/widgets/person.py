"""Who the reader is: asked for once, remembered by the browser, and kept beside what they say and do."""

import streamlit as st

from qaviz.model.errors import QavizError
from qaviz.store import Workspace
from qaviz.store.audit_log import Deed
from qaviz.store.names import LONGEST_NAME, NAME_OF_PERSON, as_kept, checked_name
from qaviz.ui.widgets.remembered import Remembered, remember, remembered
from qaviz.ui.widgets.signed_in import may, say_role, signed_in
from qaviz.ui.widgets.text import show_problems

PERSON = "person"
"""Session key of the name that the reader gave."""
NAME_FIELD = "person_name"


def pick_person(beside: str, then: str, deed: Deed, home: Workspace) -> str | None:
    """Draw the field for the reader's name; returns it, None where there is none yet or it will not do.

    It says what the name will stand `beside`, and what the reader may do `then`. Who has signed in is asked for no
    name; None where their role does not allow the `deed`.
    """
    identity = signed_in()
    if identity is not None:
        if may(home, deed):
            return as_kept(identity.name)[:LONGEST_NAME]
        say_role(home, then)
        return None
    with st.container(width=320, gap="small"):
        said = name_field(beside)
        if not said.strip():
            st.caption(f"Say who you are, then {then}.")
        try:
            person = remember_person(said)
        except QavizError as error:
            show_problems(error)
            return None
        remember(Remembered.NAME, person or "")
        return person


def name_field(beside: str) -> str:
    """Draw the field alone; returns what the reader wrote. It says what the name will stand `beside`."""
    # Streamlit forgets a field that a page does not draw; the name is asked for once.
    st.session_state.setdefault(NAME_FIELD, _known_name())
    return st.text_input("Your name", key=NAME_FIELD, placeholder=f"Shown with your {beside}", autocomplete="name")


def remember_person(said: str) -> str | None:
    """The name as it is kept, remembered for this visit; None for a blank one. Raises QavizError if it will not do."""
    if not said.strip():
        st.session_state[PERSON] = ""
        return None
    person = checked_name(said, NAME_OF_PERSON)
    st.session_state[PERSON] = person
    return person


def person_said() -> str | None:
    """The name that the reader gave, on whichever page, this visit or before, or signed in with; None for no name."""
    identity = signed_in()
    if identity is not None:
        return as_kept(identity.name)[:LONGEST_NAME]
    return _known_name() or None


def _known_name() -> str:
    """The name of this visit, else the one that the browser remembers, if it will do; else blank."""
    if PERSON not in st.session_state:
        try:
            st.session_state[PERSON] = checked_name(remembered(Remembered.NAME), NAME_OF_PERSON)
        except QavizError:
            st.session_state[PERSON] = ""
    return str(st.session_state[PERSON])
