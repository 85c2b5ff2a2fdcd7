"""Asking a judge from the page: which model and responses, the estimate and the cap before, progress and cancel."""

from functools import partial

import streamlit as st

from qaviz.analysis.numbers import count, plural
from qaviz.background import Job, Jobs
from qaviz.judging.prompts import Judge
from qaviz.judging.runs import Judged, Only, estimate_run, journal_of, judge_run, parse_only
from qaviz.llm import Settings, open_session
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress, Run
from qaviz.model.visible import plain
from qaviz.processes import Cancelled
from qaviz.store import Workspace
from qaviz.store.audit_log import Deed
from qaviz.ui.widgets.jobs import cap_field, read_cap, show_estimate, show_job, show_why_no_result, start_job
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import offers, person_said
from qaviz.ui.widgets.text import show_problems

_CHOICES = {"open": "Undecided by words", "all": "All responses", "sample:200": "A random sample of 200"}


@st.cache_resource(show_spinner=False)
def _jobs() -> Jobs[Judged]:
    """Of all visitors, by the run's id: one judge at a time asks about a run."""
    return Jobs()


def offer_judging(run: Run) -> None:
    """Draw the form that asks a judge about the run, or how far one is."""
    st.subheader("Ask a judge", anchor=False)
    job = _jobs().newest(run.run_id)
    if job and job.running:
        show_job(job)
        return
    _draw_form(run)
    if job:
        _show_outcome(job)


def _draw_form(run: Run) -> None:
    if not offers(workspace(), Deed.JUDGE, "ask a judge", run=run.run_id):
        return
    st.caption(
        "OPENAI_BASE_URL names the server and OPENAI_API_KEY holds the key, as set where qaviz was started. "
        "Every reply is kept: no request is paid twice."
    )
    with st.form("ask_judge", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            model = st.text_input("Model", placeholder="openai:NAME or bedrock:NAME", width=260)
            which = st.selectbox("Responses", list(_CHOICES), format_func=_CHOICES.__getitem__, width=260)
            cap = cap_field()
            few = st.toggle("With examples", value=True)
        with st.container(horizontal=True):
            estimated = st.form_submit_button("Estimate", icon=":material/calculate:")
            started = st.form_submit_button("Ask", type="primary", icon=":material/gavel:")
    if not (estimated or started):
        return
    try:
        judge, only = Judge(model=model, few_shot=few), parse_only(which)
        settings = Settings(model=model, journal=journal_of(workspace(), run), caps=read_cap(cap))
        if estimated:
            with open_session(settings) as session:
                show_estimate(estimate_run(session, workspace(), run, judge, only))
        else:
            start_job(_jobs(), run.run_id, partial(_ask, workspace(), settings, run, judge, only, person_said()))
            st.rerun()
    except QavizError as error:
        show_problems(error)


def _ask(
    home: Workspace,
    settings: Settings,
    run: Run,
    judge: Judge,
    only: Only,
    by: str | None,
    progress: Progress,
    cancelled: Cancelled,
) -> Judged:
    with open_session(settings) as session:
        return judge_run(session, home, run, judge, only, progress=progress, cancelled=cancelled, by=by)


def _show_outcome(job: Job[Judged]) -> None:
    show_why_no_result(
        job, cancelled="Cancelled. Replies so far are kept.", broke_off="The judge stopped; replies so far are kept."
    )
    if job.result is None:
        return
    outcome = job.result
    st.text(
        f"{count(outcome.graded)} of {plural(outcome.asked, 'response')} graded, {count(outcome.unscored)} unscored; "
        f"{plural(outcome.calls, 'call')}."
    )
    if outcome.stopped:
        st.text(plain(f"Stopped by {outcome.stopped}."))
