"""A table for texts from files: it wraps them, marks scores with symbols, and its rows lead to pages. Long ones are
shown a page at a time.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, asdict, dataclass
from typing import Any, Literal

import polars as pl
import streamlit as st

from qaviz.analysis.selection import Listed
from qaviz.model.visible import visible
from qaviz.ui.widgets.components import declare_component
from qaviz.ui.widgets.url_state import open_row

LONGEST_TEXT = 400
"""Characters of a text that go to the browser; the Question page has all of it."""

_table = declare_component("table", '<div class="frame"></div>')

ROWS_ON_A_PAGE = 25
FOLLOWING = 100
"""Rows after those of a page that the panel goes on to."""


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    label: str
    _: KW_ONLY
    title: str = ""
    """Shown when the pointer rests on the label."""
    note: str = ""
    """Shown under the label: what the column comes to."""
    head: bool = False
    """Its cells name their rows and stay in sight when the table scrolls sideways."""
    wide: bool = False
    """Holds sentences."""
    lines: bool = False
    """Holds short lines that are not broken: `judge: correct`."""
    short: str = ""
    """Stands in place of the label, for many narrow columns; the label is read on hover and in the key."""


Columns = Sequence[Column | str]
"""Those of a table. A plain text is a column's label; the first one's cells name the rows."""

Tone = Literal["good", "bad", "warn", "none"]
"""What the colour of a mark says."""

DrawnCell = dict[str, Any]
"""What table.js draws a cell from; made by the functions below."""
Cell = DrawnCell | str | None
"""A plain text is a `text_cell`."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of a table, a cell a column."""

    cells: Sequence[Cell]
    id: str = ""
    """What opening the row returns; without one, opening it goes where it leads."""
    href: str = ""
    """Where the row leads (`url_state.href`), so that it can be opened in a new tab."""
    note: str = ""
    """Shown under the row's name, in a quiet tone."""
    flag: str = ""
    """A remark beside the row's name."""
    flag_tone: Tone = "bad"
    """A `bad` one is a warning, and colours the row."""


def text_cell(text: str | None, missing: str = "–", whole: bool = False, note: str = "") -> DrawnCell:
    """A text, wrapped, as it is, with signs for what cannot be seen; `missing` in a quiet tone where there is none.

    The note stands under it, quietly.

    A long one is cut to a few lines, unless it is wanted `whole`.
    """
    if text is None or not text.strip():
        return {"kind": "text", "text": missing, "quiet": True, "note": _cut(note)}
    return {"kind": "text", "text": visible(text) if whole else _cut(text), "whole": whole, "note": _cut(note)}


MarkedWord = tuple[str, Literal["same", "gone", "new"]]
"""A word of a response, and whether another response has it too."""


def words_cell(text: str, words: Sequence[MarkedWord], missing: str) -> DrawnCell:
    """A short text, and under it the words of a response, marked where another response has not the same ones."""
    shown = [{"text": visible(word), "change": change} for word, change in words if word]
    return {"kind": "words", "text": text, "words": shown or [{"text": missing, "change": "same"}]}


def link_cell(cell: DrawnCell, href: str) -> DrawnCell:
    """The cell as a link that leads there."""
    return cell | {"id": "", "href": href}


def _cut(text: str) -> str:
    text = visible(text)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def mark_cell(text: str, tone: Tone, title: str, *, id: str = "", href: str = "") -> DrawnCell:
    """A short mark whose text tells what its colour tells; `title` says why.

    With an `href` it leads there, so that it can be opened in a new tab; `id` is what opening it returns.
    """
    return {"kind": "mark", "text": text, "tone": tone, "title": title, "id": id, "href": href}


def bar_cell(share: float | None, text: str, note: str = "") -> DrawnCell:
    """A share from 0 to 1 as a bar under its figure."""
    return {"kind": "bar", "share": share, "text": text, "note": note}


def interval_cell(share: float | None, low: float | None, high: float | None, text: str, note: str) -> DrawnCell:
    """A share from 0 to 1 and its interval on a line, under its figure."""
    return {"kind": "interval", "share": share, "low": low, "high": high, "text": text, "note": note}


def difference_cell(
    difference: float | None, low: float | None, high: float | None, text: str, word: str, tone: Tone, note: str
) -> DrawnCell:
    """A difference from -1 to 1 and its interval on a line around 0; `word` says what is known of it."""
    ends = {"difference": difference, "low": low, "high": high}
    return {"kind": "difference", **ends, "text": text, "word": word, "tone": tone, "note": note}


def show_table(
    key: str,
    caption: str,
    columns: Columns,
    rows: Sequence[Row],
    *,
    short: bool = False,
    whole: bool = False,
    dense: bool = False,
    following: Callable[[], Iterable[Row]] = tuple,
) -> str | None:
    """Draw a table; returns the id of the row or mark that the reader opened, once, else None.

    What leads somewhere and has no id of its own is followed at once: a response opens in the panel, which goes on to
    the rows after it, and those `following` the table's.
    A `short` one scrolls sooner, to leave room for what stands under it; a `whole` one never scrolls. On a phone each
    row becomes a card; a `dense` one, of many short marks, stays a table there. One with `short` labels has low rows
    and, unless it is dense, a key of these labels over it.
    """
    drawn = [
        vars(row) | {"cells": [cell if isinstance(cell, dict) else text_cell(cell) for cell in row.cells]}
        for row in rows
    ]
    data = {
        "caption": caption,
        "columns": [
            asdict(Column(label=column, head=not place) if isinstance(column, str) else column)
            for place, column in enumerate(columns)
        ],
        "rows": drawn,
        "short": short,
        "whole": whole,
        "dense": dense,
    }

    opened: str | None = _table(key=key, data=data, on_opened_change=lambda: None).opened
    leads = {part.get("href") for row in drawn for part in (row, *row["cells"]) if not part.get("id")}
    if opened and opened in leads:
        open_row(opened, _list_addresses(opened, [*rows, *following()]))
    return opened


def _list_addresses(opened: str, rows: Sequence[Row]) -> Iterator[str]:
    """Where rows lead, if one of them leads where the opened one does; else where their marks in its column do."""
    if any(row.href == opened for row in rows):
        return (row.href for row in rows)
    marks = [[cell.get("href", "") if isinstance(cell, dict) else "" for cell in row.cells] for row in rows]
    place = next((row.index(opened) for row in marks if opened in row), 0)
    return (row[place] for row in marks if len(row) > place)


def show_pages(
    key: str,
    caption: str,
    columns: Columns,
    table: Listed,
    rows: Callable[[pl.DataFrame], Iterable[Row]],
) -> str | None:
    """`show_table` a page at a time, and what turns the pages; `rows` makes those of the page in view."""
    page = st.session_state.get(_turner(table, key), 1)

    def read_following() -> Iterable[Row]:
        return rows(table.slice(page * ROWS_ON_A_PAGE, FOLLOWING))

    opened = show_table(key, caption, columns, list(rows(page_of(table, key))), following=read_following)
    draw_pages(table, key)
    return opened


def page_of(table: Listed, key: str) -> pl.DataFrame:
    """The rows of the page that the reader is on."""
    page = st.session_state.get(_turner(table, key), 1)
    return table.slice((page - 1) * ROWS_ON_A_PAGE, ROWS_ON_A_PAGE)


def draw_pages(table: Listed, key: str) -> None:
    """Draw what turns the pages of the table, if it has several."""
    pages = -(-table.height // ROWS_ON_A_PAGE)
    if pages > 1:
        with st.container(horizontal_alignment="center"):
            st.pagination(pages, key=_turner(table, key))


def _turner(table: Listed, key: str) -> str:
    """The widget's key. A list of another length is another list, which begins at its first page."""
    return f"{key}_page_of_{table.height}"
