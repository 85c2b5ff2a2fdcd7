"""Ask a pipeline on Load data: one that the server's owner allows, three questions to try it, or all as a run."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.analysis.numbers import plural
from qaviz.analysis.run_changes import Change, RunSide, compare_runs, count_changes
from qaviz.background import Jobs
from qaviz.bulk.chunks import stream_files
from qaviz.golden.versions import newest_version
from qaviz.llm import parse_caps
from qaviz.llm.requests import hash_of
from qaviz.loading import Source, sandbox, silent
from qaviz.model.columns import DIAGNOSIS, ERROR, LATENCY_MS, PIPELINE, QUESTION, QUESTION_ID, REASON, RESPONSE, VERDICT
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress, Run
from qaviz.model.visible import plain
from qaviz.pipelines import PIPELINES_VARIABLE, AskSettings, Pipeline, allowed_pipelines, ask_pipelines
from qaviz.processes import Cancelled, CancelledError
from qaviz.store import Workspace, kept_labels
from qaviz.store.audit_log import Deed
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.jobs import show_job, show_why_no_result
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import person_said
from qaviz.ui.widgets.responses import VERDICT_TONES
from qaviz.ui.widgets.table import Column, Row, mark_cell, show_table, text_cell
from qaviz.ui.widgets.text import show_problems

TRIED = 3
SHOWN = 10
"""Responses that are shown as they arrive, the newest first."""
SHOWN_EVERY_S = 1.0
USUAL_CAP = "1000calls"
_COLUMNS = (
    Column(label="Question", head=True, wide=True),
    Column(label="Response", wide=True),
    Column(label="Diagnosis"),
    Column(label="Why", wide=True),
)


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What came of asking a pipeline."""

    run: Run | None = None
    """None where three questions were tried."""
    before: Run | None = None
    """The newest run of the same golden dataset before."""
    changes: dict[Change, int] = field(default_factory=dict)
    """Against it; empty where the two share no pipeline."""


class LiveResponses:
    """The newest responses of a pipeline, diagnosed. For any number of threads."""

    def __init__(self, golden: pl.DataFrame) -> None:
        self._golden, self._lock = golden, Lock()
        self._new = deque[dict[str, Any]](maxlen=SHOWN)
        self._shown: list[dict[str, Any]] = []

    def hear(self, row: dict[str, Any]) -> None:
        """Keep a row of a file of responses until it is shown."""
        self._new.append(row)

    def diagnosed(self) -> list[dict[str, Any]]:
        """The newest rows, newest first, those with a response with their DIAGNOSIS, VERDICT and REASON."""
        with self._lock:
            new = [self._new.popleft() for _ in range(len(self._new))]
            if new:
                self._shown = (_diagnose(self._golden, new)[::-1] + self._shown)[:SHOWN]
            return self._shown


def _diagnose(golden: pl.DataFrame, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, those with a response with the diagnosis that an import would give them."""
    answered = pl.DataFrame([row for row in rows if row[RESPONSE] is not None], infer_schema_length=None)
    if answered.is_empty():
        return rows
    asked = golden.filter(pl.col(QUESTION_ID).is_in(answered[QUESTION_ID].implode()))
    files = [Source(f"{name}.jsonl", each.write_ndjson().encode()) for name, each in (("g", asked), ("r", answered))]
    said = pl.concat(chunk.rows for chunk in stream_files(files[0], files[1:]))
    found = {row[QUESTION_ID]: row for row in said.select(QUESTION_ID, DIAGNOSIS, VERDICT, REASON).to_dicts()}
    return [row | found.get(row[QUESTION_ID], {}) for row in rows]


@st.cache_resource(show_spinner=False)
def _jobs() -> Jobs[Asking]:
    """By `_key_of` the pipeline: it is asked once at a time."""
    return Jobs()


@st.cache_resource(show_spinner=False)
def _live() -> dict[str, LiveResponses]:
    """The responses of each pipeline's newest job, by `_key_of`."""
    return {}


def _key_of(name: str) -> str:
    """Whose asking of this pipeline: nobody sees what another one asks, where people sign in."""
    return f"{workspace().actor.subject or ''} {name}"


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
            _draw_form(allowed, run, uploaded)


def _draw_form(allowed: dict[str, Pipeline], run: Run | None, uploaded: Source | None) -> None:
    of = uploaded.name if uploaded else run.name if run else ""
    st.caption(plain(f"The questions are those of the golden dataset of {of}."))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Pipeline", list(allowed), width=200)
        pipeline = allowed[name]
        title = st.text_input("Name of the new run", f"{name} {datetime.now():%Y-%m-%d %H:%M}", width=240)
        cap = ""
        if pipeline.kind in ("openai", "bedrock"):
            cap = st.text_input("Cap", USUAL_CAP, help="The most to spend: 5USD, 200000tokens or 100calls", width=160)
        busy = bool((job := _jobs().newest(_key_of(name))) and job.running)
        tried = st.button("Try three questions", icon=":material/science:", disabled=busy)
        started = st.button("Ask all questions", type="primary", icon=":material/forum:", disabled=busy)
    if tried or started:
        try:
            settings = AskSettings(caps=parse_caps([cap] if cap.strip() else []))
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
    golden = _golden_of(home, run, uploaded)
    work = _try if title is None else partial(_ask_all, home, title, person_said())
    _jobs().start(key, partial(_begin, work, _live(), key, golden, pipeline, settings), home.actor.subject)


def _golden_of(home: Workspace, run: Run | None, uploaded: Source | None) -> pl.DataFrame:
    if uploaded:
        golden, _ = sandbox.load_golden(uploaded, silent)
        return golden
    return home.golden(newest_version(home, run.golden_id).golden_id) if run else pl.DataFrame()


def _begin(
    work: Callable[..., Asking],
    lives: dict[str, LiveResponses],
    key: str,
    golden: pl.DataFrame,
    pipeline: Pipeline,
    settings: AskSettings,
    progress: Progress,
    cancelled: Cancelled,
) -> Asking:
    live = lives[key] = LiveResponses(golden)
    ask = partial(ask_pipelines, settings=settings, progress=progress, cancelled=cancelled, heard=live.hear)
    found = work(golden, pipeline, ask)
    if cancelled():
        raise CancelledError
    return found


def _try(golden: pl.DataFrame, pipeline: Pipeline, ask: Callable[..., object]) -> Asking:
    with TemporaryDirectory(prefix="qaviz-") as folder:
        ask(golden.sample(min(TRIED, golden.height), seed=0), [pipeline], Path(folder) / "responses.jsonl")
    return Asking()


def _ask_all(
    home: Workspace, title: str, by: str | None, golden: pl.DataFrame, pipeline: Pipeline, ask: Callable[..., Any]
) -> Asking:
    """Ask, and keep a run; what a cancel or a kill leaves unasked is asked when it is started again."""
    asked = hash_of([pipeline.fingerprint, golden.select(QUESTION_ID, QUESTION).rows()])[:16]
    out = home.folder / "journals" / f"asked-{asked}.jsonl"
    if ask(golden, [pipeline], out).stopped == "cancelled":
        raise CancelledError
    questions = Source("golden.jsonl", golden.write_ndjson().encode())
    request = runs.ImportRequest(name=title, golden=questions, responses=(Source.of(out),), by=by)
    run = runs.import_files(request, home)
    out.unlink(missing_ok=True)
    before = [each for each in home.runs() if each.golden_id == run.golden_id and each.run_id != run.run_id]
    # The newest that has this pipeline, else the newest.
    before.sort(key=lambda each: pipeline.name not in each.pipelines)
    return Asking(run=run, before=before[0], changes=_changes(home, run, before[0])) if before else Asking(run=run)


def _changes(home: Workspace, now: Run, before: Run) -> dict[Change, int]:
    old, new = (
        RunSide(run=each, golden=home.golden(each.golden_id), rows=home.rows(each), labels=kept_labels(home, each))
        for each in (before, now)
    )
    try:
        return count_changes(compare_runs(old, new))
    except QavizError:  # no pipeline in common
        return {}


def _show_newest(name: str) -> None:
    """Draw what the pipeline is being asked, or what came of it last."""
    job = _jobs().newest(_key_of(name))
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


def _show_run(found: Asking, run: Run) -> None:
    said, icon = {url_state.RUN: run.run_id}, ":material/arrow_forward:"
    with st.container(border=True):
        st.text(f"Saved: {run.name}, {plural(run.responses, 'response')} to {plural(run.questions, 'question')}.")
        if found.before and found.changes:
            counts = ", ".join(f"{number:,} {change.value}" for change, number in found.changes.items())
            st.text(f"Against {found.before.name}: {counts}.")
        with st.container(horizontal=True):
            st.page_link("pages/overview.py", label="Open the run", icon=icon, query_params=url_state.link(**said))
            if found.before:
                against = url_state.link(**said, **{url_state.AGAINST: found.before.run_id})
                st.page_link("pages/compare.py", label="Compare with the last run", icon=icon, query_params=against)


@st.fragment(run_every=SHOWN_EVERY_S)
def _show_arriving(name: str) -> None:
    _show_responses(name)


def _show_responses(name: str) -> None:
    live = _live().get(_key_of(name))
    try:
        rows = live.diagnosed() if live else []
    except QavizError as error:
        show_problems(error)
        return
    if rows:
        show_table("arriving", "Newest responses", _COLUMNS, [_row(each) for each in rows], short=True)


def _row(each: dict[str, Any]) -> Row:
    latency = each.get(LATENCY_MS)
    return Row(
        cells=(
            text_cell(each[QUESTION]),
            text_cell(each[RESPONSE], missing="no response", note="" if latency is None else f"{latency:,.0f} ms"),
            mark_cell(each[DIAGNOSIS], VERDICT_TONES.get(each[VERDICT], "none"), "")
            if each.get(DIAGNOSIS)
            else text_cell(None),
            text_cell(each.get(REASON) or each.get(ERROR)),
        ),
        note=f"{each[QUESTION_ID]}, {each[PIPELINE]}",
    )
