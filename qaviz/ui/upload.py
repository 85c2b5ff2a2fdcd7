"""Files in the browser, and what became of them: pick them, open the new run, see what loading listed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.analysis.numbers import plural
from qaviz.analysis.sentences import listed_in_words
from qaviz.loading import Source
from qaviz.loading.load_log import DETAIL, KIND, UNALIGNED, WHERE
from qaviz.loading.readers.reading import SUFFIXES
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.records import Run
from qaviz.ui.mapping import recognise_upload
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.paging import draw_pages, page_of
from qaviz.ui.widgets.table import Column, Row, show_table, text_cell
from qaviz.ui.widgets.uploads import on_disk

_LISTED = (
    Column(label="What", head=True),
    Column(label="Where"),
    Column(label="Question"),
    Column(label="Pipeline"),
    Column(label="Reason", wide=True),
)

SAVED = "saved"
"""Session key of the run that was saved last."""
GOLDEN_FIELD, RESPONSES_FIELD = "golden_upload", "responses_upload"
"""Session keys of the upload fields."""


def pick_files() -> tuple[Source | None, list[Source]]:
    """Draw the two upload fields; returns the golden dataset's file, if there is one yet, and those with responses.

    FMEval's own output and results of other tools need no golden dataset: the first file stands for it, in whichever
    field it is.
    """
    suffixes = [suffix.removeprefix(".") for suffix in SUFFIXES]
    left, right = st.columns(2)
    left.file_uploader(
        "Golden dataset",
        suffixes,
        key=GOLDEN_FIELD,
        help="One row a triplet: question, answer, fact. A fact may hold several variants, joined by `<OR>`. "
        "Or FMEval's own output: then it is what FMEval scored against. "
        "Or results of another tool, such as Ragas or promptfoo, which hold the responses too.",
    )
    right.file_uploader(
        "Responses",
        suffixes,
        key=RESPONSES_FIELD,
        accept_multiple_files=True,
        help="One row a response: question or its id, pipeline, response. Or a column for each pipeline. "
        "Leave it empty if the golden dataset's file holds them too.",
    )
    first, files = next(iter(on_disk(GOLDEN_FIELD)), None), on_disk(RESPONSES_FIELD)
    if first is None and files and all(recognise_upload(each).fmeval for each in files):
        return files[0], files[1:]
    if first is None and files and all(recognise_upload(each).tool for each in files):
        return files[0], files
    return first, [first] if first and not files and recognise_upload(first).tool else files


def load_sample(folder: Path) -> Run:
    """The sample data in `folder` as a run of the workspace."""
    return runs.import_sample(folder, workspace())


def open_new(run: Run) -> NoReturn:
    """Make the new run the one in view, and say that it is saved."""
    url_state.write(url_state.RUN, run.run_id)
    st.session_state[SAVED] = run.run_id
    st.rerun()


def is_new(run: Run) -> bool:
    """Whether it is the run that was saved last: then what its files listed is of interest beside them."""
    return st.session_state.get(SAVED) == run.run_id


def show_listed(run: Run) -> None:
    """Draw what loading the run's files listed, with a link to the run where it has just been saved."""
    if is_new(run):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(f"Saved: {plural(run.responses, 'response')} to {plural(run.questions, 'question')} scored.")
            st.page_link("pages/overview.py", label="Open the run", icon=":material/arrow_forward:")
    st.subheader("What loading listed", anchor=False)
    # What is rare first: a word about a whole file would stand behind thousands about rows.
    listed = workspace().listed(run).sort(pl.len().over(KIND), maintain_order=True)
    if listed.is_empty():
        st.text(f"{run.name}: nothing, every row of the files is in the run.")
        return
    st.text(f"{run.name}: {listed_in_words(run.listed_counts)}")
    page = page_of(listed, "listed").iter_rows(named=True)
    opened = show_table("listed", "What loading listed", _LISTED, [_listed_row(each) for each in page])
    draw_pages(listed, "listed")
    if opened is not None:
        st.switch_page("pages/question.py", query_params=url_state.link(question=opened))


def _listed_row(entry: Mapping[str, Any]) -> Row:
    """An entry of a question that the run has leads to it."""
    question = None if entry[KIND] == UNALIGNED else entry[QUESTION_ID]
    cells = [text_cell(entry[each]) for each in (KIND, WHERE, QUESTION_ID, PIPELINE, DETAIL)]
    return Row(cells=cells, id=question or "", href=url_state.href("question", question=question) if question else "")
