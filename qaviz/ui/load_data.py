"""The Load page: the upload field, an import that goes on beside the pages, and what loading listed."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import date
from typing import NoReturn

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.sentences import listed_in_words
from qaviz.background import Job
from qaviz.loading import Source
from qaviz.loading.formats import SUFFIXES
from qaviz.loading.load_log import DETAIL, KIND, UNALIGNED, WHERE
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.errors import DoubtError, QavizError, count_rows
from qaviz.model.records import Progress, Run, Thresholds
from qaviz.model.visible import visible
from qaviz.processes import Cancelled
from qaviz.report import Column, Record
from qaviz.runs import ImportRequest
from qaviz.store.audit_log import Deed
from qaviz.ui.mapping import identify_request, is_fmeval_upload, read_previews
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import say_problems, show_problems
from qaviz.ui.widgets.jobs import show_job, show_why_no_result
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import name_field, remember_person
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
"""Session key of the import that runs, or whose outcome was not yet shown."""

SKIPPED = "import_skipped"
"""Session key of whether the last import left bad rows out."""
REFUSED, REFUSED_FILES = "import_refused", "import_refused_files"
"""Session keys of why the last import was refused, and of the files that it was to load."""

NAME_FIELD, TYPED_NAME, SUGGESTED_NAME = "run_name", "run_name_typed", "run_name_suggested"
"""Session keys of the run's name: of the field, of what was typed into it, and of what it was filled with."""
TYPED = "import_typed"
"""Session key of what else was typed into the form, by field: it outlasts the fields, which go with the files."""

QUIET_S = 2.0
"""An import that ends within this time shows no progress."""


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
    """Draw the name, the thresholds and the start of an import. What was typed stays when an import is refused. It can
    be started if the files are `ready` and no other import runs. The problems of a refused one stand below, with a
    button that loads the good rows where only rows are bad."""
    refused = _refusal(files)
    idle = IMPORT not in st.session_state
    left, right = st.columns(2)
    name = left.text_input("Name of the run", key=_prefill_name(files))
    st.session_state[TYPED_NAME] = name
    with right:
        typed = name_field("runs")
    near = not any(map(is_fmeval_upload, files.files)) and st.toggle(
        "Join questions that are nearly the same",
        key=_restore_field("near", False),
        help="Responses to a question that nearly is a golden one are scored as to that one; each pair is listed.",
    )
    thresholds = files.added_to.thresholds if files.added_to else _thresholds()
    wanted = st.button("Score and save", type="primary", icon=":material/play_arrow:", disabled=not (ready and idle))
    skip_bad = accept_doubts = False
    if isinstance(refused, DoubtError) and idle and not wanted:
        with st.container(border=True):
            st.text("Nothing is saved yet: the files may mean something else than what was read.")
            for doubt in refused.problems:
                st.text(visible(f"{doubt.found}. Expected: {doubt.expected}."))
            st.caption("Pick other columns above, or save it as it is.")
        help = "The doubts stay with the run: they are its first risk, and no decision on it is sure."
        accept_doubts = st.button("Save it all the same", icon=":material/warning:", help=help)
        skip_bad = accept_doubts and bool(st.session_state.get(SKIPPED))
    elif refused and idle and not wanted:
        show_problems(refused)
        words = _name_good_rows(refused, files)
        skip_bad = refused.only_in_rows and st.button(words, icon=":material/playlist_remove:")
    if not (wanted or skip_bad or accept_doubts):
        return
    st.session_state[SKIPPED] = skip_bad
    person = remember_person(typed)
    workspace().refuse_name(name)
    golden = files.golden and replace(files.golden, skip_bad=skip_bad)
    responses = tuple(replace(response, skip_bad=skip_bad) for response in files.responses)
    request = replace(files, golden=golden, responses=responses, thresholds=thresholds, name=name, by=person)
    _start(replace(request, accept_doubts=accept_doubts), files, near=near)


def _start(request: ImportRequest, files: ImportRequest, *, near: bool) -> NoReturn:
    home = workspace()

    def import_files(progress: Progress, cancelled: Cancelled) -> Run:
        joined: tuple[tuple[str, str], ...] = ()
        if near:
            with suppress(QavizError):  # the import says what is wrong with the files
                joined = tuple(runs.find_near_questions(request, home).select(QUESTION, QUESTION_ID).iter_rows())
        return runs.import_files(replace(request, joined=joined), home, progress, cancelled)

    home.require(Deed.IMPORT)
    job = Job(import_files, home.actor.subject)
    st.session_state[IMPORT] = job
    st.session_state[REFUSED_FILES] = identify_request(files)
    with st.spinner("Reading the files"):
        job.wait(QUIET_S)
    st.rerun()


def show_import(*, form: bool) -> Run | None:
    """Draw the import's progress with a button that cancels it, or why it failed: of a refused one the form says that,
    where the page has it. Returns the run once, when it is saved. The import goes on while the reader is on other
    pages."""
    job: Job[Run] | None = st.session_state.get(IMPORT)
    if job is None:
        return None
    if job.running:
        show_job(job)
        return None
    if form and job.refusal:  # it ended after the form was drawn
        st.rerun()
    del st.session_state[IMPORT]
    show_why_no_result(
        job, cancelled="Cancelled. Nothing was saved.", broke_off="The import stopped. Nothing was saved."
    )
    if job.result:
        st.session_state.pop(TYPED_NAME, None)
    return job.result


def _refusal(files: ImportRequest) -> QavizError | None:
    """Why the last import of these files was refused; None if it was not. Its job is dropped, so another can start."""
    job: Job[Run] | None = st.session_state.get(IMPORT)
    if job and not job.running and job.refusal:
        st.session_state[REFUSED] = job.refusal
        del st.session_state[IMPORT]
    refused: QavizError | None = st.session_state.get(REFUSED)
    return refused if st.session_state.get(REFUSED_FILES) == identify_request(files) else None


def _name_good_rows(refused: QavizError, files: ImportRequest) -> str:
    """Label of the button that leaves the bad rows out: how many rows are loaded, and how many listed."""
    bad = count_rows(refused)
    rows = 0
    for source in dict.fromkeys(files.files):
        if any(problem.where.startswith(source.name) for problem in refused.problems):
            rows += sum(table.rows for table in read_previews(files) if table.file == source.name)
    good = f"the {plural(rows - bad, 'good row')}" if rows > bad else "the good rows"
    return f"Load {good}, list the other {count(bad)}"


def _prefill_name(files: ImportRequest) -> str:
    """The key of the field for the run's name, filled with what was typed, else with the names of run and file."""
    stems = [file.stem for file in files.responses[:1] or files.files]
    run = [files.added_to.name] if files.added_to else []
    suggested = " ".join([*run, *stems, f"{date.today():%Y-%m-%d}"])
    before = st.session_state.get(SUGGESTED_NAME)
    if NAME_FIELD not in st.session_state:
        st.session_state[NAME_FIELD] = st.session_state.get(TYPED_NAME, suggested)
    if st.session_state[NAME_FIELD] == before:
        st.session_state[NAME_FIELD] = suggested
    st.session_state[SUGGESTED_NAME] = suggested
    return NAME_FIELD


def _restore_field(field: str, usual: float) -> str:
    """The key of a field of the form, filled with what was typed into it before, else with the usual value."""
    key, typed = f"import_{field}", st.session_state.setdefault(TYPED, {})
    st.session_state.setdefault(key, typed.get(field, usual))
    typed[field] = st.session_state[key]
    return key


def _thresholds() -> Thresholds:
    """Draw the thresholds of a new run, folded away, with the usual values; returns what they are set to."""
    usual = asdict(Thresholds())
    with st.expander("Thresholds of the diagnoses", icon=":material/tune:"):
        columns = st.columns(len(usual))
        values = {}
        for column, (name, value) in zip(columns, usual.items(), strict=True):
            words, key = THRESHOLD_WORDS[name], _restore_field(name, value)
            values[name] = column.number_input(words.label, 0.0, 1.0, step=0.05, key=key, help=words.help)
        return Thresholds(**values)
