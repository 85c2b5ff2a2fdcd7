"""A job beside the pages: what it may cost, how far it is, and a way to end it."""

from collections.abc import Callable, Hashable
from typing import Any

import streamlit as st

from qaviz.background import Job, Jobs, Work
from qaviz.llm import Caps, parse_caps
from qaviz.model.visible import plain
from qaviz.ui.widgets.components import say_problems, show_problems
from qaviz.ui.widgets.person import signed_in, workspace


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs[Any]:
    """Of all visitors. A key says what is done, and about which run or by whom: that is done once at a time."""
    return Jobs()


@st.fragment(run_every=0.5)
def show_job(job: Job[Any]) -> None:
    """Draw the progress of a running job and a button that cancels it; runs the page again when it has ended."""
    if not job.running:
        st.rerun()
    st.progress(min(job.fraction, 1.0), text=plain(job.words))
    identity = signed_in()
    if job.may_end(identity.subject if identity else None):
        st.button("Cancel", icon=":material/close:", on_click=job.cancel)
    else:
        st.caption("Somebody else started it and can cancel it.")


@say_problems
def start_job(key: Hashable, work: Work[Any]) -> None:
    """Start the work in the visitor's name and run the page again; where they have too much running, the page says
    so."""
    jobs().start(key, work, workspace().actor.subject)
    st.rerun()


def show_work(key: Hashable, offer: Callable[[], None], *, cancelled: str, broke_off: str) -> Job[Any] | None:
    """Draw how far the work is; where none runs, what starts it, and why the last has no result. Returns the last, once
    it has ended."""
    job = jobs().newest(key)
    if job and job.running:
        show_job(job)
        return None
    offer()
    if job:
        show_why_no_result(job, cancelled=cancelled, broke_off=broke_off)
    return job


def show_why_no_result(job: Job[Any], *, cancelled: str, broke_off: str) -> None:
    """Say why an ended job has no result: what was refused, or one of these words. Nothing where it has one."""
    if job.refusal:
        show_problems(job.refusal)
    elif job.cancelled:
        st.text(cancelled)
    elif job.result is None:
        st.text(f"{broke_off} The server's log says why.")


def cap_field(*, disabled: bool = False) -> str:
    """Draw the field for the most to spend; returns what stands in it, for `read_cap`."""
    help = "The most to spend: 5USD, 200000tokens or 100calls"
    return st.text_input("Cap", "1000calls", help=help, width=160, disabled=disabled)


def read_cap(text: str) -> Caps:
    """The cap that the field says; none where it is blank. Raises QavizError for what is no cap."""
    return parse_caps([text] if text.strip() else [])
