"""What the columns of uploaded files are: a table of them to edit, two readings to choose from."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from zlib import crc32

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import plural
from qaviz.loading import Preview, Source, apart
from qaviz.loading.roles import FIRST, IGNORE, NAMES, VARIANTS
from qaviz.model.columns import ANSWER, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.visible import visible
from qaviz.report import Column
from qaviz.runs import ImportRequest
from qaviz.store.run_records import find_last_mapping
from qaviz.ui.widgets.components import show_problems
from qaviz.ui.widgets.keeping import identify_source, keep
from qaviz.ui.widgets.person import workspace
from qaviz.ui.widgets.table import show_frame

LEFT_OUT = "left out"
PREVIEWS_KEPT = 32
CHOICES = "choices of layouts"
"""Session key of what a person said of columns: by the names of all columns of a file, so that it is said of the next
file of that layout too."""
COLUMN, READ_AS, WHY, EXAMPLE = "Column", "Read as", "Why", "Example"

Choices = dict[tuple[str, ...], dict[str, str]]


def identify_request(request: ImportRequest) -> tuple[object, ...]:
    """What tells these files, and how they are read, from all others."""
    run = request.added_to.run_id if request.added_to else None
    return run, request.golden is not None, *map(identify_source, request.files)


def map_files(picked: ImportRequest) -> ImportRequest | None:
    """Draw what each table is read as; returns the files with their mappings, None if one is not ready."""
    if any(is_fmeval_upload(source) for source in picked.files):
        for source in picked.files:
            with st.container(border=True, horizontal=True):
                st.text(visible(source.name))
                if is_fmeval_upload(source):
                    st.caption("FMEval's own output: its scores are kept", width="content")
        return picked
    try:
        mapped, tables = _preview(picked)
    except QavizError as error:
        show_problems(error)
        st.button("Read the columns as recognised", on_click=lambda: _choices().clear(), icon=":material/undo:")
        return None
    for number, table in enumerate(tables):
        _draw_table(table, number)
    # A table in doubt asks above, with a button for each reading; its problem names flags of the terminal.
    settled = [table for table in tables if not table.readings]
    lacking = list(dict.fromkeys(problem for table in settled for problem in table.lacking))
    if lacking:
        show_problems(QavizError(*lacking))
    return mapped if len(settled) == len(tables) and not lacking else None


def find_question_file(picked: ImportRequest) -> Source | None:
    """The file with its mapping, if there is one alone with golden answers and without responses: what may be asked."""
    if len(picked.files) != 1 or is_fmeval_upload(picked.files[0]):
        return None
    try:
        mapped, tables = _preview(picked)
    except QavizError:  # `map_files` shows it.
        return None
    asks = any(table.has_golden for table in tables) and not any(table.has_responses for table in tables)
    return mapped.files[0] if asks else None


def _choices() -> Choices:
    chosen: Choices = st.session_state.setdefault(CHOICES, {})
    return chosen


def _preview(picked: ImportRequest) -> tuple[ImportRequest, list[Preview]]:
    """The files with what a person said of columns like theirs in this session, or of a file of their name before its
    last import, and a look at their tables."""
    mappings: dict[str, dict[str, str]] = {}
    for table in read_previews(picked):
        last = find_last_mapping(workspace(), table.file)
        fitting = dict(last) if set(last) <= set(table.columns) else {}
        mappings.setdefault(table.file, {}).update(_choices().get(_layout(table), fitting))
    responses = [replace(source, mapping=mappings.get(source.name, {})) for source in picked.responses]
    golden = picked.golden and replace(picked.golden, mapping=mappings.get(picked.golden.name, {}))
    mapped = replace(picked, golden=golden, responses=tuple(responses))
    return mapped, read_previews(mapped)


def _layout(table: Preview) -> tuple[str, ...]:
    return tuple(sorted(table.columns))


def _words(table: Preview) -> dict[str, str]:
    """What each column is read as."""
    words = {**dict.fromkeys(table.columns, LEFT_OUT), **table.words, **dict.fromkeys(table.pipelines, RESPONSE)}
    return {name: (table.one_answer or word) if word == ANSWER else word for name, word in words.items()}


def _draw_table(table: Preview, number: int) -> None:
    """Draw a table's name, its columns to edit, and its first rows; of a table in doubt the readings first."""
    with st.container(border=True):
        head = st.container(horizontal=True, vertical_alignment="center", gap="small")
        head.markdown(":material/description:", width="content")
        head.text(visible(table.place))
        given = {"golden answers": table.has_golden, "responses": table.has_responses}
        gives = [words for words, is_given in given.items() if is_given]
        form = table.tool or f"{table.form} form"
        head.caption(f"{plural(table.rows, 'row')}, {form}: {' and '.join(gives) or 'nothing yet'}", width="content")
        _offer_readings(table, number)
        left, right = st.columns(2, gap="medium")
        with left:
            _draw_columns(table, number)
        with right:
            words = _words(table)
            names = sorted(table.first.columns, key=lambda name: words[name] == LEFT_OUT)[:12]
            caption = f"First rows of {visible(table.place)}"
            _show_rows(f"preview {number}", caption, table, {name: words[name] for name in names})
            if len(table.columns) > len(names):
                st.caption(f"{plural(len(table.columns) - len(names), 'more column')}.")
            if table.ignored:
                st.caption(f"Left out, and like answers: {visible(', '.join(table.ignored))}.")


def _draw_columns(table: Preview, number: int) -> None:
    """Draw the columns with what each is read as; what a person says of them is kept for all files of this layout."""
    words = _words(table)
    rows = pl.DataFrame(
        {
            COLUMN: [visible(name) for name in table.columns],
            READ_AS: [words[name] for name in table.columns],
            WHY: [_explain(table, name) for name in table.columns],
            EXAMPLE: [visible(next(filter(None, table.first[name]), "")) for name in table.columns],
        },
        schema=dict.fromkeys((COLUMN, READ_AS, WHY, EXAMPLE), pl.String),
    )
    # Another key for each state: edits are made on the rows as they stand.
    state = crc32(repr((table.columns, words)).encode())
    edited = st.data_editor(
        rows,
        key=f"columns {number} {state}",
        hide_index=True,
        disabled=[COLUMN, WHY, EXAMPLE],
        column_config={
            READ_AS: st.column_config.SelectboxColumn(options=[LEFT_OUT, *NAMES, VARIANTS, FIRST], required=True)
        },
    )
    changed = {
        name: IGNORE if word == LEFT_OUT else word
        for name, word, before in zip(table.columns, edited[READ_AS], rows[READ_AS], strict=True)
        if word != before
    }
    if changed:
        _say(table, changed)
        st.rerun()


def _say(table: Preview, changed: Mapping[str, str]) -> None:
    """Keep what a person said of columns, for all files with these columns."""
    before = _choices().get(_layout(table), {})
    _choices()[_layout(table)] = before | dict(changed)


def _explain(table: Preview, name: str) -> str:
    guess = next((guess for guess in table.guesses if guess.column == name), None)
    if guess is None:
        return "It looks like answers." if name in table.ignored else ""
    if not guess.certain and name not in table.words:
        return f"Is this {guess.word}? {guess.why}"
    return guess.why


def _offer_readings(table: Preview, number: int) -> None:
    """Draw the readings of a table in doubt, three rows of each, with a button that takes it; nothing if none is."""
    if not table.readings:
        return
    st.text(f"{visible(table.doubt)} The headings and cells leave it open: choose a reading.")
    for place, reading in enumerate(table.readings, 1):
        names = [name for name in reading.mapping if name in table.columns]
        words = {name: reading.mapping[name] or LEFT_OUT for name in names}
        _show_rows(f"reading {number} {place}", f"Reading {place}", table, words)
        take = partial(_say, table, reading.mapping)
        st.button(f"Reading {place}", key=f"take {number} {place}", icon=":material/check:", on_click=take)


def _show_rows(key: str, caption: str, table: Preview, words: Mapping[str, str]) -> None:
    """Draw the first rows of these columns, each with what it is read as."""
    columns = [Column(name, visible(name), total=word) for name, word in words.items()]
    show_frame(key, caption, table.first.head(3), columns, whole=True, dense=True)


@keep(PREVIEWS_KEPT, waiting="Reading the file")
def is_fmeval_upload(source: Source) -> bool:
    """Whether FMEval wrote the file, kept."""
    return apart.is_fmeval_output(source)


@keep(PREVIEWS_KEPT, waiting="Reading the files", by={ImportRequest: identify_request})
def _read(request: ImportRequest) -> list[Preview] | QavizError:
    """The previews, or why there are none: errors are kept too, as a file may take long to refuse."""
    try:
        return apart.preview(request.golden, request.responses, aside=request.added_to is not None)
    except QavizError as error:
        return error


def read_previews(request: ImportRequest) -> list[Preview]:
    """A first look at all tables of the files, kept. Raises QavizError if one cannot be read."""
    read = _read(request)
    if isinstance(read, QavizError):
        raise read
    return read
