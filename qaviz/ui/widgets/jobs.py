"""How far a job beside the pages is, and a way to end it."""

from typing import Any

import streamlit as st

from qaviz.background import Job, Jobs, Result, Work
from qaviz.model.errors import QavizError
from qaviz.model.visible import plain
from qaviz.ui.widgets.person import signed_in
from qaviz.ui.widgets.text import show_problems

SHOWN_EVERY_SECONDS = 0.5


@st.fragment(run_every=SHOWN_EVERY_SECONDS)
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


def start_job(jobs: Jobs[Result], key: str, work: Work[Result]) -> Job[Result] | None:
    """Start the work in the visitor's name; None, and the page says why, where they have too much running."""
    identity = signed_in()
    try:
        return jobs.start(key, work, identity.subject if identity else None)
    except QavizError as error:
        show_problems(error)
        return None


def show_why_no_result(job: Job[Any], *, cancelled: str, broke_off: str) -> None:
    """Say why an ended job has no result: what was refused, or one of these words. Nothing where it has one."""
    if job.refusal:
        show_problems(job.refusal)
    elif job.cancelled:
        st.text(cancelled)
    elif job.result is None:
        st.text(f"{broke_off} The server's log says why.")
