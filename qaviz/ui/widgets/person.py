"""Who the reader is: the name that they give or sign in with, the workspace as they may see it, what their role lets
them do, and the way out; and buttons that do something in their name."""

import os
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

import streamlit as st

from qaviz.access import IDENTITY_HEADER, SignInSettings, actor_of, open_subject, sign_in_settings
from qaviz.model.errors import QavizError
from qaviz.model.records import default_folder
from qaviz.model.visible import plain
from qaviz.store.audit_log import Deed
from qaviz.store.members import find_former, own_role
from qaviz.store.roles import Actor
from qaviz.store.tables import LONGEST_NAME, NAME_OF_PERSON, as_kept, checked_name
from qaviz.store.workspace import Workspace, open_workspace
from qaviz.ui.widgets.components import NAME_COOKIE, remember_name, say_problems, show_problems
from qaviz.ui.widgets.keeping import Arguments, Permission

PERSON = "person"
"""Session key of the name that the reader gave."""
NAME_FIELD = "person_name"

FORMER_NAME = "former_name"
"""Session key of the name that somebody had before the proxy named them, at their labels and decisions."""

OUTCOME = "outcome"
"""Session key of what came of the last act: a sentence or a problem until it is drawn, another object until the next
act."""


@say_problems
def ask_name() -> None:
    """Draw the field for the reader's name in the sidebar, where nobody signs in; the browser remembers it."""
    if signed_in() is not None:
        return
    with st.sidebar:
        hint, remembered = "Shown with what you change", _known_name()
        # As a default: to Streamlit each page has another field, of which the state may be the last page's.
        name = st.text_input("Your name", remembered, key=NAME_FIELD, placeholder=hint, autocomplete="name")
        person = ""
        try:
            person = checked_name(name, NAME_OF_PERSON) if name.strip() else ""
        finally:  # in one step: Streamlit may end the run at any access of the state
            st.session_state[PERSON] = person
            remember_name(person)


def person_for(deed: Deed, then: str) -> str | None:
    """The reader's name; None, and a word on what they need to do `then`, without a name or a role for the `deed`."""
    if not offers(deed, then):
        return None
    person = person_said()
    if person is None:
        st.caption(f"Enter your name in the sidebar (» on a phone) to {then}.")
    return person


def person_said() -> str | None:
    """The name that the reader signed in with, or gave on any page in this visit or an earlier one; None without."""
    identity = signed_in()
    if identity is not None:
        return as_kept(identity.name)[:LONGEST_NAME]
    return _known_name() or None


def _known_name() -> str:
    """The name of this visit, else a valid one that the browser remembers, else blank."""
    if PERSON not in st.session_state:
        remembered = unquote(dict(st.context.cookies).get(NAME_COOKIE, ""))  # anyone may have written it
        try:
            st.session_state[PERSON] = checked_name(remembered, NAME_OF_PERSON)
        except QavizError:
            st.session_state[PERSON] = ""
    return str(st.session_state[PERSON])


@cache
def _settings() -> SignInSettings:
    return sign_in_settings(os.environ)


def signed_in() -> Actor | None:
    """Who has signed in; None on a person's own machine, without sign-in."""
    subject = open_subject(st.context.headers.get(IDENTITY_HEADER)) if _settings().required else None
    return Actor(subject, st.session_state.get(FORMER_NAME) or subject) if subject else None


@st.cache_resource(show_spinner=False)
def _workspace(folder: Path) -> Workspace:
    return open_workspace(folder)


def workspace() -> Workspace:
    """The workspace that the environment variable QAVIZ_WORKSPACE names, else `./workspace`, as the visitor may see it.
    Raises QavizError where people sign in, and this visitor has not."""
    home = _workspace(default_folder())
    if not _settings().required:
        return home
    actor = actor_of(_settings(), st.context.headers.get(IDENTITY_HEADER))
    signed = home.as_actor(actor)
    if FORMER_NAME not in st.session_state:
        former = find_former(signed, actor.subject)
        st.session_state[FORMER_NAME] = former.name if former else None
    name = st.session_state[FORMER_NAME]
    return home.as_actor(Actor(actor.subject, name)) if name else signed


def may(deed: Deed) -> bool:
    """Whether the visitor's role allows the deed, so that a page offers it. The store checks again when it is done."""
    home = workspace()
    return home.actor.subject is None or own_role(home).allows(deed)


def offers(deed: Deed, then: str) -> bool:
    """Whether `may` lets the visitor do the deed; where it does not, the page says what they cannot do `then`."""
    allowed = may(deed)
    if not allowed:
        st.caption(f"Your role is {own_role(workspace())}: to {then}, ask an owner for another one.")
    return allowed


def offer_file(
    label: str,
    what: str,
    name: str,
    write: Callable[[], str | bytes],
    *,
    run: str | None = None,
    line: str | None = None,
    key: str | None = None,
    help: str | None = None,
    wide: bool = False,
) -> None:
    """Draw a button that downloads the file `name`, made by `write` after the audit log has noted who takes `what` of
    this run, or line of golden datasets, along."""

    home = workspace()

    def note_and_write() -> bytes:
        home.note_export(what, run=run, line=line, by=home.actor.name or None)
        made = write()
        return made.encode() if isinstance(made, str) else made

    width: Literal["stretch", "content"] = "stretch" if wide else "content"
    icon = ":material/download:"
    st.download_button(label, note_and_write, name, key=key, help=help, icon=icon, on_click="ignore", width=width)


def show_signed_in() -> None:
    """Draw who is signed in and a link to sign out. Nothing without sign-in."""
    identity = signed_in()
    if identity is None:
        return
    with st.sidebar.container(key="signed_in", gap="small"):
        st.caption(f"Signed in as {plain(identity.name)}")
        st.html(f'<a href="{_settings().way_out}" target="_self" style="color: inherit">Sign out</a>')


def permission_of(home: Workspace) -> Permission:
    """Which workspace the visitor may see, for the keys of caches. Raises QavizError if they have no role in it."""
    own_role(home)
    return Permission(str(home.folder))


def offer_act(
    label: str,
    key: str,
    icon: str,
    person: str | None,
    act: Callable[..., object],
    *args: object,
    says: str | Callable[[Any], object] = "",
    ready: bool = True,
    primary: bool = False,
    help: str | None = None,
    shortcut: str | None = None,
) -> None:
    """Draw a button that calls `act` with the workspace, these arguments and the person's name; what it `says`, else
    the result, is kept as `keep_outcome` does. It is off where there is no name, or it is not `ready`."""

    @keep_outcome
    def act_in_name() -> object:
        made = act(workspace(), *args, person)
        return says(made) if callable(says) else says or made

    st.button(
        label,
        key=key,
        icon=f":material/{icon}:" if icon else None,
        type="primary" if primary else "secondary",
        help=help,
        disabled=not (person and ready),
        on_click=act_in_name,
        shortcut=shortcut,
    )


def draw_steps(key: str, place: int, height: int, go: Callable[[int], None]) -> None:
    """Draw the buttons that go to the place before and the one after, of so many; arrow keys press them."""
    steps = (("Previous", "arrow_back", "Left", place - 1), ("Next", "arrow_forward", "Right", place + 1))
    for label, icon, arrow, to in steps:
        step_key, symbol, off = f"{key}_{label}", f":material/{icon}:", not 0 <= to < height
        st.button(label, key=step_key, icon=symbol, shortcut=arrow, disabled=off, on_click=go, args=(to,))


def keep_outcome(act: Callable[Arguments, object]) -> Callable[Arguments, None]:
    """Make a function one for a button: what it returns, or the QavizError it raises, is kept in the session. A
    sentence is what `show_outcome` draws; the page itself draws any other object. None says nothing."""

    @wraps(act)
    def act_and_keep(*args: Arguments.args, **named: Arguments.kwargs) -> None:
        try:
            st.session_state[OUTCOME] = act(*args, **named)
        except QavizError as error:
            st.session_state[OUTCOME] = error

    return act_and_keep


def show_outcome() -> None:
    """Draw what came of the last act, once: a sentence, or the problems to fix."""
    outcome = st.session_state.get(OUTCOME)
    if isinstance(outcome, QavizError):
        show_problems(outcome)
    elif isinstance(outcome, str):
        st.success(plain(outcome), icon=":material/check:")
    else:
        return
    del st.session_state[OUTCOME]
