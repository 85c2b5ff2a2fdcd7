"""Asking from the pages: a pipeline that the server's owner allows, on Load, and a judge, on Judges."""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import NamedTuple

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.run_changes import Change, compare_runs, count_changes, read_side
from qaviz.background import Job
from qaviz.bulk.chunks import stream_files
from qaviz.golden.versions import newest_version
from qaviz.judging.prompts import Judge
from qaviz.judging.runs import Judged, Only, estimate_run, journal_of, judge_run, parse_only
from qaviz.llm import Settings, open_session
from qaviz.llm.requests import hash_of
from qaviz.loading import Source, apart, silent
from qaviz.model.columns import DIAGNOSIS, ERROR, LATENCY_MS, PIPELINE, QUESTION, QUESTION_ID, REASON, RESPONSE, VERDICT
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress, Run
from qaviz.model.visible import plain
from qaviz.pipelines import PIPELINES_VARIABLE, AskSettings, Pipeline, allowed_pipelines, ask_pipelines
from qaviz.pipelines.answers import ResponseRow
from qaviz.processes import Cancelled, CancelledError
from qaviz.report import Column, Kind
from qaviz.store.audit_log import Deed
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import show_problems
from qaviz.ui.widgets.jobs import (
    cap_field,
    jobs,
    read_cap,
    show_estimate,
    show_job,
    show_why_no_result,
    show_work,
    start_job,
)
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import offers, person_said
from qaviz.ui.widgets.table import show_frame

TRIED = 3
SHOWN = 10
"""Responses that are shown as they arrive, the newest first."""
SHOWN_EVERY_S = 1.0
_COLUMNS = (
    Column(QUESTION, "Question", wide=True, note="{question_id}, {pipeline}"),
    Column(RESPONSE, "Response", wide=True, missing="no response", note="{latency_ms:,.0f} ms"),
    Column(DIAGNOSIS, "Diagnosis", kind=Kind.MARK, by=VERDICT),
    Column(REASON, "Why", wide=True),
)


JobKey = tuple[str, str | None, str]
"""That a pipeline is asked, by whom, and its name: it is asked once at a time."""


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What came of asking a pipeline."""

    run: Run | None = None
    """None where three questions were tried."""
    before: Run | None = None
    """The newest earlier run of the same golden dataset."""
    changes: dict[Change, int] = field(default_factory=dict)
    """Responses by change since `before`; empty where the two share no pipeline."""


@dataclass(frozen=True, kw_only=True)
class _Order:
    """What a visitor asks of a pipeline."""

    key: JobKey
    golden: pl.DataFrame
    pipeline: Pipeline
    settings: AskSettings
    title: str | None
    """The name of the new run; None to try three questions."""
    by: str | None


class Arrived(NamedTuple):
    """A row of the file of responses, with its diagnosis if it has a response."""

    row: ResponseRow
    diagnosis: str | None = None
    verdict: str = ""
    reason: str | None = None


class LiveResponses:
    """The newest responses of a pipeline, diagnosed. For any number of threads."""

    def __init__(self, golden: pl.DataFrame) -> None:
        self._golden, self._lock = golden, Lock()
        self._new = deque[ResponseRow](maxlen=SHOWN)
        self._shown: list[Arrived] = []

    def hear(self, row: ResponseRow) -> None:
        """Keep a row of a file of responses until it is shown."""
        self._new.append(row)

    def diagnose_new(self) -> list[Arrived]:
        """Diagnose what came since the last call; returns the newest responses, newest first."""
        with self._lock:
            new = [self._new.popleft() for _ in range(len(self._new))]
            if new:
                self._shown = (_diagnose(self._golden, new)[::-1] + self._shown)[:SHOWN]
            return self._shown


def _diagnose(golden: pl.DataFrame, rows: list[ResponseRow]) -> list[Arrived]:
    """The rows; those with a response get the diagnosis that an import would give them."""
    answered = pl.DataFrame([row for row in rows if row[RESPONSE] is not None])
    if answered.is_empty():
        return [Arrived(row) for row in rows]
    triplets = golden.filter(pl.col(QUESTION_ID).is_in(answered[QUESTION_ID].implode()))
    files = [
        Source(f"{name}.jsonl", table.write_ndjson().encode()) for name, table in (("g", triplets), ("r", answered))
    ]
    scored = pl.concat(chunk.rows for chunk in stream_files(files[0], files[1:]))
    judged = {question: of for question, *of in scored.select(QUESTION_ID, DIAGNOSIS, VERDICT, REASON).iter_rows()}
    return [Arrived(row, *judged.get(row[QUESTION_ID], ())) for row in rows]


@st.cache_resource(show_spinner=False)
def _live() -> dict[JobKey, LiveResponses]:
    """The responses of each pipeline's newest job, by `_key_of`."""
    return {}


def _key_of(name: str) -> JobKey:
    """Key of the visitor's job for this pipeline: where people sign in, each sees only their own."""
    return "ask", workspace().actor.subject, name


def offer_asking(run: Run | None, uploaded: Source | None) -> None:
    """Draw the pipelines that may be asked the questions of the uploaded golden dataset, else of the run's."""
    try:
        allowed = allowed_pipelines()
    except QavizError as error:
        show_problems(error)
        return
    with st.expander("Ask a pipeline", icon=":material/forum:", expanded=bool(allowed)):
        if not allowed:
            st.caption(
                "No pipeline is configured. Whoever starts the server names them in a TOML file: "
                f"`qaviz app --pipelines FILE`, or {PIPELINES_VARIABLE}."
            )
        elif run is None and uploaded is None:
            st.caption("Choose a golden dataset above, or open a run, to ask its questions.")
        else:
            _draw_pipeline_form(allowed, run, uploaded)


def _draw_pipeline_form(allowed: dict[str, Pipeline], run: Run | None, uploaded: Source | None) -> None:
    of = uploaded.name if uploaded else run.name if run else ""
    st.caption(plain(f"The questions are those of the golden dataset of {of}."))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Pipeline", list(allowed), width=200)
        pipeline = allowed[name]
        title = st.text_input("Name of the new run", f"{name} {datetime.now():%Y-%m-%d %H:%M}", width=240)
        cap = cap_field() if pipeline.kind in ("openai", "bedrock") else ""
        busy = bool((job := jobs().newest(_key_of(name))) and job.running)
        tried = st.button("Try three questions", icon=":material/science:", disabled=busy)
        started = st.button("Ask all questions", type="primary", icon=":material/forum:", disabled=busy)
    if tried or started:
        try:
            settings = AskSettings(caps=read_cap(cap))
            _start(pipeline, settings, run, uploaded, None if tried else title)
        except QavizError as error:
            show_problems(error)
            return
        st.rerun()
    _show_newest(name)


def _start(
    pipeline: Pipeline, settings: AskSettings, run: Run | None, uploaded: Source | None, title: str | None
) -> None:
    """Start asking: all questions as a run with this title, or three without one. Raises QavizError."""
    home, key = workspace(), _key_of(pipeline.name)
    home.require(Deed.IMPORT)
    if title is not None:
        home.refuse_name(title)
    order = _Order(
        key=key,
        golden=_read_golden(home, run, uploaded),
        pipeline=pipeline,
        settings=settings,
        title=title,
        by=person_said(),
    )
    jobs().start(key, partial(_ask_pipeline, home, _live(), order), home.actor.subject)


def _read_golden(home: Workspace, run: Run | None, uploaded: Source | None) -> pl.DataFrame:
    if uploaded:
        golden, _ = apart.load_golden(uploaded, silent)
        return golden
    return home.golden(newest_version(home, run.golden_id).golden_id) if run else pl.DataFrame()


def _ask_pipeline(
    home: Workspace, lives: dict[JobKey, LiveResponses], order: _Order, progress: Progress, cancelled: Cancelled
) -> Asking:
    """Ask, and keep a run; what a cancel or a kill leaves unasked is asked when it is started again."""
    live = lives[order.key] = LiveResponses(order.golden)
    ask = partial(ask_pipelines, settings=order.settings, progress=progress, cancelled=cancelled, heard=live.hear)
    if order.title is None:
        tried = order.golden.sample(min(TRIED, order.golden.height), seed=0)
        with TemporaryDirectory(prefix="qaviz-") as folder:
            ask(tried, [order.pipeline], Path(folder) / "responses.jsonl")
        if cancelled():
            raise CancelledError
        return Asking()
    fingerprint = hash_of([order.pipeline.fingerprint, order.golden.select(QUESTION_ID, QUESTION).rows()])[:16]
    out = home.folder / "journals" / f"asked-{fingerprint}.jsonl"
    if ask(order.golden, [order.pipeline], out).stopped == "cancelled" or cancelled():
        raise CancelledError
    questions = Source("golden.jsonl", order.golden.write_ndjson().encode())
    # What was asked is kept, whatever is odd about it: the doubts stand with the run.
    responses = (Source.of(out),)
    request = runs.ImportRequest(
        name=order.title, golden=questions, responses=responses, by=order.by, accept_doubts=True
    )
    run = runs.import_files(request, home)
    out.unlink(missing_ok=True)
    before = [other for other in home.runs() if other.golden_id == run.golden_id and other.run_id != run.run_id]
    # The newest that has this pipeline, else the newest.
    before.sort(key=lambda run: order.pipeline.name not in run.pipelines)
    if not before:
        return Asking(run=run)
    return Asking(run=run, before=before[0], changes=_count_changes(home, run, before[0]))


def _count_changes(home: Workspace, now: Run, before: Run) -> dict[Change, int]:
    try:
        return count_changes(compare_runs(read_side(home, before), read_side(home, now)))
    except QavizError:  # no pipeline in common
        return {}


def _show_newest(name: str) -> None:
    """Draw what the pipeline is being asked, or what came of it last."""
    job = jobs().newest(_key_of(name))
    if job is None:
        return
    if job.running:
        show_job(job)
        _show_arriving(name)
        return
    show_why_no_result(
        job,
        cancelled="Cancelled. Answers so far are kept: asking all questions again asks the rest.",
        broke_off="Asking stopped; answers so far are kept.",
    )
    if job.result and job.result.run:
        _show_run(job.result, job.result.run)
    _show_responses(name)


def _show_run(asking: Asking, run: Run) -> None:
    params = {url_state.RUN: run.run_id}
    with st.container(border=True):
        st.text(f"Saved: {run.name}, {plural(run.responses, 'response')} to {plural(run.questions, 'question')}.")
        if asking.before and asking.changes:
            counts = ", ".join(f"{number:,} {change.value}" for change, number in asking.changes.items())
            st.text(f"Against {asking.before.name}: {counts}.")
        with st.container(horizontal=True):
            url_state.draw_link("Open the run", "board", **params)
            if asking.before:
                against = {url_state.AGAINST: asking.before.run_id}
                url_state.draw_link("Compare with the last run", "compare", **params, **against)


def _show_responses(name: str) -> None:
    live = _live().get(_key_of(name))
    try:
        rows = live.diagnose_new() if live else []
    except QavizError as error:
        show_problems(error)
        return
    if rows:
        fields = (QUESTION_ID, PIPELINE, QUESTION, RESPONSE, LATENCY_MS)
        arrived = [
            {name: arrived.row.get(name) for name in fields}
            | {DIAGNOSIS: arrived.diagnosis, VERDICT: arrived.verdict}
            | {REASON: arrived.reason or arrived.row.get(ERROR)}
            for arrived in rows
        ]
        show_frame("arriving", "Newest responses", arrived, _COLUMNS, short=True)


_show_arriving = st.fragment(run_every=SHOWN_EVERY_S)(_show_responses)


_CHOICES = {"open": "Where words are least sure", "all": "All responses", "sample:200": "A random sample of 200"}


def offer_judging(run: Run) -> None:
    """Draw the form that asks a judge about the run, or how far one is."""
    st.subheader("Ask a judge", anchor=False)
    job: Job[Judged] | None = show_work(
        ("judge", run.run_id),
        partial(_draw_judge_form, run),
        cancelled="Cancelled. Replies so far are kept.",
        broke_off="The judge stopped; replies so far are kept.",
    )
    if job and job.result:
        _show_judged(job.result)


def _draw_judge_form(run: Run) -> None:
    if not offers(workspace(), Deed.JUDGE, "ask a judge"):
        return
    st.caption(
        "OPENAI_BASE_URL names the server and OPENAI_API_KEY holds the key, as set where qaviz was started. "
        "Every reply is kept: no request is paid twice."
    )
    with st.form("ask_judge", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            model = st.text_input("Model", placeholder="openai:NAME, ollama:NAME …", width=260)
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
            ask = partial(_ask_judge, workspace(), settings, run, judge, only, person_said())
            start_job(("judge", run.run_id), ask)
    except QavizError as error:
        show_problems(error)


def _ask_judge(
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


def _show_judged(outcome: Judged) -> None:
    st.text(
        f"{count(outcome.graded)} of {plural(outcome.asked, 'response')} graded, {count(outcome.unscored)} unscored; "
        f"{plural(outcome.calls, 'call')}."
    )
    if outcome.stopped:
        st.text(plain(f"Stopped by {outcome.stopped}."))
