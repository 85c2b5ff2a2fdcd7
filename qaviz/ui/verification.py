"""A run's scores against the installed FMEval, in the background: the page shows how far it is, and what it found."""

from functools import partial

import streamlit as st

from qaviz import runs
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.sentences import lacking_sentence, verified_sentence
from qaviz.background import Job, Jobs
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import plain
from qaviz.scoring.bridge import Verification
from qaviz.scoring.reference import TESTED_VERSION, fmeval_version
from qaviz.store.audit_log import Deed
from qaviz.ui.widgets.jobs import show_job, show_why_no_result, start_job
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import offers, person_said

INSTALL = f"pip install fmeval=={TESTED_VERSION}"
USUAL_SAMPLE = 10_000
"""Responses that FMEval scores in some seconds."""


@st.cache_resource(show_spinner=False)
def _jobs() -> Jobs[Verification]:
    """Of all visitors, so that nobody starts what runs already; by the run's id."""
    return Jobs()


def show_verification(run: Run) -> None:
    """Draw the choice of a sample and the start, or how far the work is; and what the last one found."""
    kept = workspace().verified(run)
    if kept:
        with st.container(border=True):
            st.text(verified_sentence(kept, run.responses))
    job = _jobs().newest(run.run_id)
    if job and job.running:
        show_job(job)
        return
    _offer(run)
    if job:
        _show_outcome(job)


def _offer(run: Run) -> None:
    try:
        version = fmeval_version()
    except QavizError:
        _explain_missing(run)
        return
    if not offers(workspace(), Deed.VERIFY, "verify a run", run=run.run_id):
        return
    with st.form("verify", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        sample = st.number_input(
            f"Responses to score again, of {count(run.responses)}",
            1,
            run.responses,
            min(run.responses, USUAL_SAMPLE),
            help="A smaller number is drawn at random, always the same responses.",
            width=260,
        )
        started = st.form_submit_button(f"Verify with FMEval {plain(version)}", type="primary", icon=":material/rule:")
    if started:
        workspace().require(Deed.VERIFY, run=run.run_id)
        # Of this visitor: the work has no session to ask.
        verify = partial(runs.verify, run, workspace(), sample=sample, by=person_said())
        start_job(_jobs(), run.run_id, lambda progress, cancelled: verify(progress=progress, cancelled=cancelled))
        st.rerun()


def _explain_missing(run: Run) -> None:
    """What Verify would do, and what it needs."""
    st.text(
        f"FMEval is not installed here, and no page but this one needs it. With it, Verify scores any of this run's "
        f"{plural(run.responses, 'response')} with FMEval itself and lists every score that differs. Install it with "
        "Python 3.11 or 3.12, then start qaviz again:"
    )
    st.code(INSTALL, language="bash")
    st.text("In a terminal:")
    st.code(f'python -m qaviz verify "{run.run_id}"', language="bash")


def _show_outcome(job: Job[Verification]) -> None:
    show_why_no_result(
        job, cancelled="Cancelled. Nothing was recorded.", broke_off="FMEval's process stopped. Nothing was recorded."
    )
    if job.result is None:
        return
    if job.result.differences.is_empty():
        st.text(f"{plural(job.result.compared, 'response')} compared: every score is the same, bit for bit.")
    else:
        st.text(f"{plural(job.result.compared, 'response')} compared. These scores differ:")
        st.dataframe(job.result.differences, hide_index=True, lazy=True, placeholder="–")
    if job.result.lacking:
        st.text(lacking_sentence(job.result.lacking))
