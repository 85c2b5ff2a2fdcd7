"""Files in the browser: pick them, look at them, say what their columns are."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.loading import GOLDEN, Preview, Role, Source, apart
from qaviz.loading.names import IGNORE
from qaviz.loading.reading import SUFFIXES
from qaviz.model import RESPONSE, QavizError, Run
from qaviz.report.numbers import count, plural
from qaviz.ui import address
from qaviz.ui.frame import workspace
from qaviz.ui.text import show_problems

LEFT_OUT = "left out"
READ_AS = "Read as"
THEIRS = "Column in the file"

PREVIEWS_KEPT = 32

SAVED = "saved"
"""Session key of the run that was saved last."""


def pick_files() -> tuple[Source | None, list[Source]]:
    """Draw the two upload fields; returns the golden dataset's file, if there is one yet, and those with responses.

    FMEval's own output and results of other tools need no golden dataset: the first file stands for it, in whichever
    field it is.
    """
    suffixes = [suffix.removeprefix(".") for suffix in SUFFIXES]
    left, right = st.columns(2)
    golden = left.file_uploader(
        "Golden dataset",
        suffixes,
        help="One row a triplet: question, answer, fact. A fact may hold several variants, joined by `<OR>`. "
        "Or FMEval's own output: then it is what FMEval scored against. "
        "Or results of another tool, such as Ragas or promptfoo, which hold the responses too.",
    )
    responses = right.file_uploader(
        "Responses",
        suffixes,
        accept_multiple_files=True,
        help="One row a response: question or its id, pipeline, response. Or a column for each pipeline. "
        "Leave it empty if the golden dataset's file holds them too.",
    )
    files = [Source(each.name, each.getvalue()) for each in responses]
    if golden is None and files and all(_recognised(each).fmeval for each in files):
        return files[0], files[1:]
    if golden is None and files and all(_recognised(each).tool for each in files):
        return files[0], files
    first = Source(golden.name, golden.getvalue()) if golden else None
    return first, [first] if first and not files and _recognised(first).tool else files


def map_columns(source: Source, role: Role, key: str) -> dict[str, str] | None:
    """Draw a file's first rows and what each column is read as; returns what the reader changed.

    None if the file cannot be read yet: the problems are on the screen.
    """
    with st.container(border=True):
        name = st.container(horizontal=True, vertical_alignment="center", gap="small")
        name.markdown(":material/description:", width="content")
        name.text(source.name)
        try:
            if _recognised(source).fmeval:
                name.caption("FMEval's own output: its scores are kept", width="content")
                return {}
            guessed = _preview(source, role, {})
            left, right = st.columns([2, 3])
            with left:
                mapping = _edited(guessed, role, key)
            mapped = _preview(source, role, mapping)
        except QavizError as error:
            show_problems(error)
            return None
        name.caption(_as_what(mapped, role), width="content")
        right.dataframe(mapped.first, hide_index=True, height="content", placeholder="–")
        if mapped.lacking:
            show_problems(QavizError(*mapped.lacking))
            return None
    return mapping


def _as_what(mapped: Preview, role: Role) -> str:
    rows = plural(mapped.rows, "row")
    if mapped.tool:
        return f"{mapped.tool}, {rows}, as {'golden dataset' if role is GOLDEN else 'responses'}"
    return f"{rows}, {mapped.form} form"


_KEYS: dict[str | type[Any], Callable[[Any], Any]] = {
    Source: lambda source: (source.name, hash(source.data)),
    Role: lambda role: role is GOLDEN,
}


@st.cache_resource(max_entries=PREVIEWS_KEPT, show_spinner="Reading the file", hash_funcs=_KEYS)
def _read(source: Source, role: Role, mapping: Mapping[str, str]) -> Preview | QavizError:
    """The preview, or why there is none: a file that takes long to refuse is refused once."""
    try:
        return apart.preview(source, role, mapping)
    except QavizError as error:
        return error


def _preview(source: Source, role: Role, mapping: Mapping[str, str]) -> Preview:
    read = _read(source, role, mapping)
    if isinstance(read, QavizError):
        raise read
    return read


@st.cache_resource(max_entries=PREVIEWS_KEPT, show_spinner="Reading the file", hash_funcs=_KEYS)
def _recognised(source: Source) -> apart.Recognised:
    return apart.recognised(source)


def _edited(guessed: Preview, role: Role, key: str) -> dict[str, str]:
    """What the reader says of the columns, where it is not what was guessed."""
    usual = {**guessed.words, **dict.fromkeys(guessed.pipelines, RESPONSE)}
    table = pl.DataFrame({THEIRS: guessed.columns, READ_AS: [usual.get(each, LEFT_OUT) for each in guessed.columns]})
    said = st.data_editor(
        table,
        key=key,
        hide_index=True,
        disabled=[THEIRS],
        column_config={
            THEIRS: st.column_config.TextColumn(),
            READ_AS: st.column_config.SelectboxColumn(options=[*role.names, LEFT_OUT], required=True),
        },
    )
    changed = said.filter(said[READ_AS] != table[READ_AS]).iter_rows()
    return {column: IGNORE if word == LEFT_OUT else word for column, word in changed}


def load_sample(folder: Path) -> Run:
    """The sample data in `folder` as a run of the workspace."""
    return runs.import_sample(folder, workspace())


def open_new(run: Run) -> NoReturn:
    """Make the new run the one in view, and say that it is saved."""
    address.write(address.RUN, run.run_id)
    st.session_state[SAVED] = run.run_id
    st.rerun()


def show_listed(run: Run) -> None:
    """Draw what loading the run's files listed, with a link to the run where it has just been saved."""
    if st.session_state.get(SAVED) == run.run_id:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.text(f"Saved: {plural(run.responses, 'response')} to {plural(run.questions, 'question')} scored.")
            st.page_link("pages/overview.py", label="Open the run", icon=":material/arrow_forward:")
    st.subheader("What loading listed", anchor=False)
    listed = workspace().listed(run)
    if listed.is_empty():
        st.text(f"{run.name}: nothing, every row of the files is in the run.")
        return
    st.text(f"{run.name}: {', '.join(f'{count(rows)} {kind}' for kind, rows in run.listed_counts.items())}")
    st.dataframe(listed, hide_index=True, lazy=True, placeholder="–")
