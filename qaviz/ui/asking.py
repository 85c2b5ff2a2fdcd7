"""Asking a pipeline that the server's owner allows, on Load."""

from collections.abc import Hashable
from datetime import datetime
from functools import partial

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.analysis.numbers import plural
from qaviz.background import Job
from qaviz.golden.versions import newest_version
from qaviz.llm.requests import hash_of
from qaviz.loading import Source, apart, silent
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.model.records import Progress, Run
from qaviz.model.visible import plain
from qaviz.pipelines import PIPELINES_VARIABLE, AskSettings, Pipeline, allowed_pipelines, ask_pipelines
from qaviz.processes import Cancelled, CancelledError
from qaviz.store.audit_log import Deed
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import say_problems
from qaviz.ui.widgets.jobs import cap_field, read_cap, show_work, start_job
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import person_said


@say_problems
def offer_asking(run: Run | None, uploaded: Source | None) -> None:
    """Draw the pipelines that may be asked the questions of the uploaded golden dataset, else of the run's."""
    allowed, of = allowed_pipelines(), uploaded or run
    with st.expander("Ask a pipeline", icon=":material/forum:", expanded=bool(allowed)):
        if not allowed:
            st.caption(
                "No pipeline is configured. Whoever starts the server names them in a TOML file: "
                f"`qaviz app --pipelines FILE`, or {PIPELINES_VARIABLE}."
            )
        elif of is None:
            st.caption("Choose a golden dataset above, or open a run, to ask its questions.")
        else:
            st.caption(plain(f"The questions are those of the golden dataset of {of.name}."))
            pipeline = allowed[st.selectbox("Pipeline", list(allowed), width=200)]
            # Where people sign in, each sees only their own.
            key = ("ask", workspace().actor.subject, pipeline.name)
            job: Job[Run] | None = show_work(
                key,
                partial(_draw_buttons, key, pipeline, of),
                cancelled="Cancelled. Answers so far are kept: asking all questions again asks the rest.",
                broke_off="Asking stopped; answers so far are kept.",
            )
            if job and job.result:
                run = job.result
                answers = f"{plural(run.responses, 'response')} to {plural(run.questions, 'question')}"
                with st.container(border=True, horizontal=True, vertical_alignment="center"):
                    st.text(f"Saved: {run.name}, {answers}.")
                    url_state.draw_link("Open the run", "board", **{url_state.RUN: run.run_id})


@say_problems
def _draw_buttons(key: Hashable, pipeline: Pipeline, of: Source | Run) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.text_input("Name of the new run", f"{pipeline.name} {datetime.now():%Y-%m-%d %H:%M}", width=240)
        cap = cap_field() if pipeline.kind in ("openai", "bedrock") else ""
        started = st.button("Ask all questions", type="primary", icon=":material/forum:")
    if not started:
        return
    home, settings = workspace(), AskSettings(caps=read_cap(cap))
    home.require(Deed.IMPORT)
    home.refuse_name(title)
    if isinstance(of, Source):
        golden, _ = apart.load_golden(of, silent)
    else:
        golden = home.golden(newest_version(home, of.golden_id).golden_id)
    start_job(key, partial(_ask_all, home, golden, pipeline, settings, title=title, by=person_said()))


def _ask_all(
    home: Workspace,
    golden: pl.DataFrame,
    pipeline: Pipeline,
    settings: AskSettings,
    progress: Progress,
    cancelled: Cancelled,
    *,
    title: str,
    by: str | None,
) -> Run:
    """Ask, and keep a run; what a cancel or a kill leaves unasked is asked when it is started again."""
    fingerprint = hash_of([pipeline.fingerprint, golden.select(QUESTION_ID, QUESTION).rows()])[:16]
    out = home.folder / "journals" / f"asked-{fingerprint}.jsonl"
    outcome = ask_pipelines(golden, [pipeline], out, settings=settings, progress=progress, cancelled=cancelled)
    if outcome.stopped == "cancelled" or cancelled():
        raise CancelledError
    questions = Source("golden.jsonl", golden.write_ndjson().encode())
    # What was asked is kept, whatever is odd about it: the doubts stand with the run.
    request = runs.ImportRequest(name=title, golden=questions, responses=(Source.of(out),), by=by, accept_doubts=True)
    run = runs.import_files(request, home)
    out.unlink(missing_ok=True)
    return run
