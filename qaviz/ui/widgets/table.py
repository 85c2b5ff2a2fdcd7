"""A table for texts from files: it wraps them, marks scores with symbols, and its rows lead to pages. Long ones are
shown a page at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import polars as pl
import streamlit as st

from qaviz.analysis.selection import Passing
from qaviz.model.visible import visible
from qaviz.report import Column, Kind, Record, fill_template, write_figure, write_interval
from qaviz.ui.widgets.components import declare_component
from qaviz.ui.widgets.url_state import open_row

LONGEST_TEXT = 400
"""Characters of a text that go to the browser; the Question page has all of it."""

_table = declare_component("table", '<div class="frame"></div>')

ROWS_ON_A_PAGE = 25
FOLLOWING = 100
"""Rows after those of a page that the panel goes on to."""

Columns = Iterable[Column | str]
"""Those of a table. A plain text is a column under its own name. The first one names the rows, unless another does."""

Drawn = dict[str, Any]
"""What table.js draws a row or a cell from."""


def show_frame(
    key: str,
    caption: str,
    table: Passing | pl.DataFrame | Sequence[Record],
    columns: Columns,
    *,
    leads: Callable[[Record], str] | None = None,
    opens: str = "",
    prepare: Callable[[pl.DataFrame], pl.DataFrame | Iterable[Record]] | None = None,
    short: bool = False,
    whole: bool = False,
    dense: bool = False,
) -> str | None:
    """Draw these columns of a frame, or of records, a page at a time; returns what the row that the reader opened has
    in the column `opens`, once, else None. Where a row `leads` (`url_state.href`), it can be opened in a new tab. What
    leads somewhere and opens nothing is followed at once: a response opens in the panel, which goes on to the rows
    after it. `prepare` makes the rows of a page from its part of the table. A `short` one scrolls sooner, to leave room
    for what stands under it; a `whole` one has one page and never scrolls. On a phone each row becomes a card; a
    `dense` one, of many short marks, stays a table there. One with `short` headings has low rows."""
    drawn = [
        Column(column, column[:1].upper() + column[1:]) if isinstance(column, str) else column for column in columns
    ]
    if not any(column.head for column in drawn):
        drawn[0] = replace(drawn[0], head=True)

    height = len(table) if isinstance(table, Sequence) else table.height

    def draw_rows(offset: int, length: int) -> list[Drawn]:
        if isinstance(table, Sequence):
            rows: pl.DataFrame | Iterable[Record] = table[offset : offset + length]
        else:
            part = table.slice(offset, length)
            rows = prepare(part) if prepare else part
        records = rows.iter_rows(named=True) if isinstance(rows, pl.DataFrame) else rows
        return [_draw_row(drawn, record, leads, opens) for record in records]

    begin, many = (0, height) if whole else (_read_page(key, height), ROWS_ON_A_PAGE)
    rows = draw_rows(begin, many)
    data = {
        "caption": caption,
        "columns": [
            {"label": column.heading, "title": column.help, "note": column.total}
            | {name: getattr(column, name) for name in ("head", "wide", "lines", "short")}
            for column in drawn
        ],
        "rows": rows,
        "short": short,
        "whole": whole,
        "dense": dense,
    }
    opened: str | None = _table(key=key, data=data, on_opened_change=lambda: None).opened
    if opened and opened in {part.get("href") for row in rows for part in (row, *row["cells"]) if not part.get("id")}:
        open_row(opened, _list_addresses(opened, rows + draw_rows(begin + many, FOLLOWING)))
    draw_pages(key, 0 if whole else height)
    return opened


def _draw_row(columns: Sequence[Column], row: Record, leads: Callable[[Record], str] | None, opens: str) -> Drawn:
    cells = [_draw_cell(column, row) for column in columns]
    named = next(cell for column, cell in zip(columns, cells, strict=True) if column.head)
    return {
        "cells": cells,
        "id": row[opens] if opens else "",
        "href": leads(row) if leads else "",
        "note": named.pop("note", ""),
    }


def _draw_cell(column: Column, row: Record) -> Drawn:
    """The cell, as it is, with signs for what cannot be seen; `missing` in a quiet tone where there is no value."""
    value = row.get(column.name)
    if isinstance(value, dict):
        row, value = {**row, **value}, value["value"]
    ends = write_interval(column, row)
    row = {**row, "interval": ends or None}
    note = fill_template(column.note, row)
    href = row.get(column.href)
    lead = {"href": href, "id": ""} if href else {}
    if value is None or (isinstance(value, str) and not value.strip()):
        missing = _cut(fill_template(column.missing, row))
        return {"kind": "text", "text": missing, "quiet": True, "note": _cut(note), **lead}
    text = write_figure(column, value, row)
    sign, tone = column.looks.get(str(row.get(column.by) if column.by else value), ("", "none"))
    low, high = (row.get(name) for name in column.ends or ("", ""))
    match column.kind:
        case Kind.MARK:
            title = fill_template(column.title, row)
            return {"kind": "mark", "text": visible(f"{sign} {text}".strip()), "tone": tone, "title": title, **lead}
        case Kind.SHARE | Kind.SCORE if column.ends:
            within = {"low": low and max(0.0, low), "high": high and max(0.0, high)}
            return {"kind": "interval", "share": max(0.0, value), **within, "text": text, "note": note or ends}
        case Kind.BAR:
            return {"kind": "bar", "share": value, "text": text, "note": note}
        case Kind.DIFFERENCE:
            within = {"difference": value, "low": low, "high": high}
            word = {"text": text, "word": row.get(column.by) or "", "tone": tone, "note": note}
            return {"kind": "difference", **within, **word, **lead}
        case Kind.WORDS:
            words = [{"text": visible(word["text"]), "change": word["change"]} for word in row[column.of] or ()]
            none = [{"text": fill_template(column.missing, row), "change": "same"}]
            return {"kind": "words", "text": text, "words": [word for word in words if word["text"]] or none}
        case _:
            shown = visible(text) if column.whole else _cut(text)
            return {"kind": "text", "text": shown, "whole": column.whole, "note": _cut(note), **lead}


def _cut(text: str) -> str:
    text = visible(text)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def _list_addresses(opened: str, rows: Sequence[Drawn]) -> Iterator[str]:
    """Where rows lead, if one of them leads where the opened one does; else where their cells in its column do."""
    if any(row["href"] == opened for row in rows):
        return (row["href"] for row in rows)
    leads = [[cell.get("href", "") for cell in row["cells"]] for row in rows]
    place = next((row.index(opened) for row in leads if opened in row), 0)
    return (row[place] for row in leads)


def page_of(table: Passing | pl.DataFrame, key: str) -> pl.DataFrame:
    """The rows of the page that the reader is on."""
    return table.slice(_read_page(key, table.height), ROWS_ON_A_PAGE)


def _read_page(key: str, rows: int) -> int:
    """The place of the first row of the page that the reader is on."""
    return (cast(int, st.session_state.get(_turner(key, rows), 1)) - 1) * ROWS_ON_A_PAGE


def draw_pages(key: str, rows: int) -> None:
    """Draw what turns the pages of a table of so many rows, if it has several."""
    pages = -(-rows // ROWS_ON_A_PAGE)
    if pages > 1:
        with st.container(horizontal_alignment="center"):
            st.pagination(pages, key=_turner(key, rows))


def _turner(key: str, rows: int) -> str:
    """The widget's key. A list of another length is another list, which begins at its first page."""
    return f"{key}_page_of_{rows}"
