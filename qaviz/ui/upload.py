"""Files in the browser, and what became of them: uploads are kept on the disk, not in the server's memory."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import polars as pl
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from qaviz import runs
from qaviz.analysis.numbers import plural
from qaviz.analysis.sentences import listed_in_words
from qaviz.loading import GOLDEN, RESPONSES, Source, sandbox
from qaviz.loading.column_mapping import BRING_GOLDEN
from qaviz.loading.load_log import DETAIL, KIND, UNALIGNED, WHERE
from qaviz.loading.readers.reading import SUFFIXES
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import visible
from qaviz.ui.mapping import read_preview, recognise_upload
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.table import Column, Row, show_pages

_LISTED = (
    "What",
    "Where",
    "Question",
    "Pipeline",
    Column(label="Reason", wide=True),
)

SAVED = "saved"
"""Session key of the run that was saved last, and of its files."""
FROM_FILE, FROM_RUN = "a file", "a run, to which responses are added"
_SUFFIXES = [suffix.removeprefix(".") for suffix in SUFFIXES]
GOLDEN_FIELD, RESPONSES_FIELD = "golden_upload", "responses_upload"
"""Session keys of the upload fields."""


def pick_files() -> runs.ImportRequest:
    """Draw where the golden dataset comes from, and the upload fields; returns the files, and the run to add to.

    FMEval's own output and results of other tools need no golden dataset: the first file stands for it, in whichever
    field it is.
    """
    there = workspace().runs()
    adds = bool(there) and st.radio("Golden dataset from", [FROM_FILE, FROM_RUN], horizontal=True) == FROM_RUN
    left, right = st.columns(2)
    added_to = None
    if adds:
        by_id = {run.run_id: run for run in there}
        names = {run.run_id: visible(run.name) for run in there}
        added_to = by_id[left.selectbox("Add to a run", by_id, format_func=names.__getitem__)]
    else:
        _draw_golden_field(left)
    _draw_responses_field(right)
    files = tuple(on_disk(RESPONSES_FIELD))
    if added_to:
        return runs.ImportRequest(responses=files, added_to=added_to)
    first = next(iter(on_disk(GOLDEN_FIELD)), None)
    if first is None and files and all(recognise_upload(each).fmeval for each in files):
        return runs.ImportRequest(golden=files[0], responses=files[1:])
    if first is None and files and all(recognise_upload(each).tool for each in files) and _has_golden(files[0]):
        return runs.ImportRequest(golden=files[0], responses=files)
    if first and not files and recognise_upload(first).tool:
        return runs.ImportRequest(golden=first, responses=(first,))
    if first and not files and not _has_golden(first):
        return runs.ImportRequest(responses=(first,))
    return runs.ImportRequest(golden=first, responses=files)


def _has_golden(source: Source) -> bool:
    """Whether the file may hold golden answers: not where it is responses and nothing else."""
    try:
        return not read_preview(source, GOLDEN).lacking or bool(read_preview(source, RESPONSES).lacking)
    except QavizError:
        return True


def _draw_golden_field(place: DeltaGenerator) -> None:
    place.file_uploader(
        "Golden dataset",
        _SUFFIXES,
        key=GOLDEN_FIELD,
        help="One row a triplet: question, answer, fact. A fact may hold several variants, joined by `<OR>`. "
        "Or FMEval's own output: then it is what FMEval scored against. "
        "Or results of another tool, such as Ragas or promptfoo, which hold the responses too.",
    )


def _draw_responses_field(place: DeltaGenerator) -> None:
    place.file_uploader(
        "Responses",
        _SUFFIXES,
        key=RESPONSES_FIELD,
        accept_multiple_files=True,
        help="One row a response: question or its id, pipeline, response. Or a column for each pipeline. "
        "Leave it empty if the golden dataset's file holds them too.",
    )


def show_missing_golden() -> None:
    """Say that the responses are kept, and what they wait for."""
    st.info(
        f"{BRING_GOLDEN} Upload it on the left, or add these responses to a run. They are kept here meanwhile.",
        icon=":material/hourglass_empty:",
    )


def open_new(run: Run, files: Sequence[Source] = ()) -> NoReturn:
    """Make the new run of these files the one in view, and say that it is saved."""
    url_state.write(url_state.RUN, run.run_id)
    st.session_state[SAVED] = (run.run_id, [source.data for source in files])
    st.rerun()


def is_new(run: Run, files: Sequence[Source]) -> bool:
    """Whether it is the run that was saved last, of these files: what they listed is of interest beside them."""
    saved: object = st.session_state.get(SAVED)
    return saved == (run.run_id, [source.data for source in files])


def show_listed(run: Run, *, new: bool) -> None:
    """Draw what loading the run's files listed, with a link to the run where it is new."""
    if new:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(f"Saved: {plural(run.responses, 'response')} to {plural(run.questions, 'question')} scored.")
            st.page_link("pages/overview.py", label="Open the run", icon=":material/arrow_forward:")
    st.subheader("Listed while loading", anchor=False)
    # What is rare first: a word about a whole file would stand behind thousands about rows.
    listed = workspace().listed(run).sort(pl.len().over(KIND), maintain_order=True)
    if listed.is_empty():
        st.text(f"{run.name}: nothing, every row of the files is in the run.")
        return
    st.text(f"{run.name}: {listed_in_words(run.listed_counts)}")
    show_pages(
        "listed", "Listed while loading", _LISTED, listed, lambda page: map(_listed_row, page.iter_rows(named=True))
    )


def _listed_row(entry: Mapping[str, Any]) -> Row:
    """An entry of a question that the run has leads to it."""
    question = None if entry[KIND] == UNALIGNED else entry[QUESTION_ID]
    cells = [entry[each] for each in (KIND, WHERE, QUESTION_ID, PIPELINE, DETAIL)]
    return Row(cells=cells, href=url_state.href("question", question=question) if question else "")


def on_disk(field: str) -> list[Source]:
    """The uploads in the field that was drawn under this session key, each written to the disk once.

    The server's memory has their bytes no more, unless somebody keeps what drawing the field returned: a copy. Where
    the disk has no room it goes on holding them.
    """
    given = st.session_state[field] or []
    files: list[UploadedFile] = given if isinstance(given, list) else [given]
    known: dict[str, Source] = st.session_state.get(f"{field} on disk", {})
    kept = {each.file_id: known.get(each.file_id) or _move_to_disk(each) for each in files}
    st.session_state[f"{field} on disk"] = kept
    return list(kept.values())


def _move_to_disk(file: UploadedFile) -> Source:
    context = get_script_run_ctx()
    try:
        moved = sandbox.kept(file.name, file.getvalue(), context.session_id if context else "")
    except QavizError:
        # Whoever reads the upload finds the disk full again, and says so beside the file.
        return Source(file.name, file.getvalue())
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        empty = UploadedFileRec(file.file_id, file.name, file.type, b"")
        context.uploaded_file_mgr.add_file(context.session_id, empty)
    file.seek(0)
    file.truncate()
    return moved
