"""The Load page: the upload field, an import that goes on beside the pages, what loading listed, and asking a pipeline
that the server's owner allows."""

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import date, datetime
from functools import partial
from typing import NamedTuple, NoReturn

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.sentences import listed_in_words
from qaviz.background import Job
from qaviz.golden.versions import newest_version
from qaviz.llm.requests import hash_of
from qaviz.loading import Source, apart, silent
from qaviz.loading.formats import SUFFIXES
from qaviz.loading.load_log import DETAIL, KIND, UNALIGNED, WHERE
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.errors import DoubtError, QavizError, count_rows
from qaviz.model.records import Progress, Run, Thresholds
from qaviz.model.visible import plain, visible
from qaviz.pipelines import PIPELINES_VARIABLE, AskSettings, Pipeline, allowed_pipelines, ask_pipelines
from qaviz.processes import Cancelled, CancelledError
from qaviz.report import Column, Record
from qaviz.runs import ImportRequest
from qaviz.store.audit_log import Deed
from qaviz.store.workspace import Workspace
from qaviz.ui.mapping import identify_request, is_fmeval_upload
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import say_problems, show_problems
from qaviz.ui.widgets.jobs import cap_field, read_cap, show_job, show_why_no_result, show_work, start_job
from qaviz.ui.widgets.person import person_said, workspace
from qaviz.ui.widgets.table import show_frame
from qaviz.uploads import on_disk

_LISTED = (
    Column(KIND, "What"),
    Column(WHERE, "Where"),
    Column(QUESTION_ID, "Question"),
    PIPELINE,
    Column(DETAIL, "Reason", wide=True),
)

SAVED = "saved"
"""Session key of the run that was saved last, and of its files."""
_SUFFIXES = [suffix.removeprefix(".") for suffix in SUFFIXES]
FILES_FIELD = "files_upload"
"""Session key of the upload field."""
_FILES_HELP = (
    "Any files, in any order: each gives what it has, golden answers, responses of one pipeline or more, or both. "
    "A fact may hold several variants, joined by `<OR>`. Results of other tools, such as Ragas or promptfoo, are "
    "recognised, and FMEval's own output."
)

IMPORT = "import"
"""Session key of the last import, of which the outcome may be shown still."""

QUIET_S = 2.0
"""An import that ends within this time shows no progress."""


class _Import(NamedTuple):
    job: Job[Run]
    of: tuple[object, ...]
    """What tells its files from others: `identify_request`."""
    skip_bad: bool


def pick_files() -> ImportRequest:
    """Draw the upload field, and what the files are added to; returns the files, and the run to add to."""
    st.file_uploader("Files", _SUFFIXES, key=FILES_FIELD, accept_multiple_files=True, help=_FILES_HELP)
    files = tuple(on_disk(FILES_FIELD))
    runs_by_id = {run.run_id: run for run in workspace().runs()}
    left, right = st.columns(2)
    chosen = left.selectbox(
        "Add to a run",
        [None, *runs_by_id],
        format_func=lambda run_id: visible(runs_by_id[run_id].name) if run_id else "none: they become a new run",
        help="A new run has that run's golden dataset and responses, and the responses of the files.",
        disabled=not runs_by_id,
    )
    if chosen:
        return ImportRequest(responses=files, added_to=runs_by_id[chosen])
    if len(files) < 2:
        return ImportRequest(responses=files)
    counting = right.selectbox(
        "Golden answers that count where files differ",
        [None, *range(len(files))],
        format_func=lambda place: "none: ask" if place is None else f"those of {visible(files[place].name)}",
        help="That file alone is then the golden dataset. Questions that it lacks are listed, not scored.",
    )
    if counting is None:
        return ImportRequest(responses=files)
    return ImportRequest(golden=files[counting], responses=(*files[:counting], *files[counting + 1 :]))


def open_new(run: Run, files: Sequence[Source] = ()) -> NoReturn:
    """Make the new run of these files the one in view, and say that it is saved."""
    url_state.write(url_state.RUN, run.run_id)
    st.session_state[SAVED] = (run.run_id, [source.data for source in files])
    st.rerun()


def is_new(run: Run, files: Sequence[Source]) -> bool:
    """Whether this run is the last one saved in this session, from these files."""
    saved: object = st.session_state.get(SAVED)
    return saved == (run.run_id, [source.data for source in files])


def show_listed(run: Run, *, new: bool) -> None:
    """Draw what loading the run's files listed, with a link to the run where it is new."""
    if new:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(f"Saved: {plural(run.responses, 'response')} to {plural(run.questions, 'question')} scored.")
            st.page_link("pages/board.py", label="Open the run", icon=":material/arrow_forward:")
    st.subheader("Listed while loading", anchor=False)
    # Rare kinds first: an entry about a whole file would come after thousands about rows.
    listed = workspace().read_listed(run).sort(pl.len().over(KIND), maintain_order=True)
    if listed.is_empty():
        st.text(f"{run.name}: nothing, every row of the files is in the run.")
        return
    st.text(f"{run.name}: {listed_in_words(run.listed_counts)}")
    show_frame("listed", "Listed while loading", listed, _LISTED, leads=_lead_to_question)


def _lead_to_question(entry: Record) -> str:
    """An entry of a question that the run has leads to it."""
    has_question = entry[QUESTION_ID] and entry[KIND] != UNALIGNED
    return url_state.response_href(entry[QUESTION_ID]) if has_question else ""


@say_problems
def offer_import(files: ImportRequest, *, ready: bool) -> None:
    """Draw the name, the thresholds and the start of an import. It can be started if the files are `ready` and no other
    import runs. The problems of a refused one stand below, with a button that loads the good rows where only rows are
    bad."""
    last: _Import | None = st.session_state.get(IMPORT)
    idle = last is None or not last.job.running
    refused = last.job.refusal if last and idle and last.of == identify_request(files) else None
    stems = [file.stem for file in files.responses[:1] or files.files]
    run = [files.added_to.name] if files.added_to else []
    name = st.text_input("Name of the run", " ".join([*run, *stems, f"{date.today():%Y-%m-%d}"]))
    near = not any(map(is_fmeval_upload, files.files)) and st.toggle(
        "Join questions that are nearly the same",
        key="import_near",
        help="Responses to a question that nearly is a golden one are scored as to that one; each pair is listed.",
    )
    thresholds = files.added_to.thresholds if files.added_to else _thresholds()
    wanted = st.button("Score and save", type="primary", icon=":material/play_arrow:", disabled=not (ready and idle))
    skip_bad = accept_doubts = False
    if isinstance(refused, DoubtError) and not wanted:
        with st.container(border=True):
            st.text("Nothing is saved yet: the files may mean something else than what was read.")
            for doubt in refused.problems:
                st.text(visible(f"{doubt.found}. Expected: {doubt.expected}."))
            st.caption("Pick other columns above, or save it as it is.")
        help = "The doubts stay with the run: they are its first risk, and no decision on it is sure."
        accept_doubts = st.button("Save it all the same", icon=":material/warning:", help=help)
        skip_bad = accept_doubts and bool(last and last.skip_bad)
    elif refused and not wanted:
        show_problems(refused)
        words = f"Load the good rows, list the other {count(count_rows(refused))}"
        skip_bad = refused.only_in_rows and st.button(words, icon=":material/playlist_remove:")
    if not (wanted or skip_bad or accept_doubts):
        return
    workspace().refuse_name(name)
    golden = files.golden and replace(files.golden, skip_bad=skip_bad)
    responses = tuple(replace(response, skip_bad=skip_bad) for response in files.responses)
    request = replace(files, golden=golden, responses=responses, thresholds=thresholds, name=name, by=person_said())
    _start(replace(request, accept_doubts=accept_doubts), files, near=near, skip_bad=skip_bad)


def _start(request: ImportRequest, files: ImportRequest, *, near: bool, skip_bad: bool) -> NoReturn:
    home = workspace()

    def import_files(progress: Progress, cancelled: Cancelled) -> Run:
        joined: tuple[tuple[str, str], ...] = ()
        if near:
            with suppress(QavizError):  # the import says what is wrong with the files
                joined = tuple(runs.find_near_questions(request, home).select(QUESTION, QUESTION_ID).iter_rows())
        return runs.import_files(replace(request, joined=joined), home, progress, cancelled)

    home.require(Deed.IMPORT)
    job = Job(import_files, home.actor.subject)
    st.session_state[IMPORT] = _Import(job, identify_request(files), skip_bad)
    with st.spinner("Reading the files"):
        job.wait(QUIET_S)
    st.rerun()


def show_import(*, form: bool) -> Run | None:
    """Draw the import's progress with a button that cancels it, or why it failed: of a refused one the form says that,
    where the page has it. Returns the run once, when it is saved. The import goes on while the reader is on other
    pages."""
    last: _Import | None = st.session_state.get(IMPORT)
    if last is None:
        return None
    if last.job.running:
        show_job(last.job)
        return None
    if form and last.job.refusal:
        return None
    del st.session_state[IMPORT]
    show_why_no_result(
        last.job, cancelled="Cancelled. Nothing was saved.", broke_off="The import stopped. Nothing was saved."
    )
    return last.job.result


def _thresholds() -> Thresholds:
    """Draw the thresholds of a new run, folded away, with the usual values; returns what they are set to."""
    usual = asdict(Thresholds())
    with st.expander("Thresholds of the diagnoses", icon=":material/tune:"):
        columns = st.columns(len(usual))
        values = {}
        for column, (name, value) in zip(columns, usual.items(), strict=True):
            words = THRESHOLD_WORDS[name]
            values[name] = column.number_input(
                words.label, 0.0, 1.0, value, 0.05, key=f"import_{name}", help=words.help
            )
        return Thresholds(**values)


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
