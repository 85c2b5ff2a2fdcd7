"""CSV: cells divided by comma, semicolon or tab. `NA`, `null` and `1e999` are texts like any other."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

import polars as pl

from qaviz.loading.problems import Problems, stop
from qaviz.loading.readers.table import (
    CELL_LIMIT,
    LINE,
    Head,
    Plan,
    Table,
    joined,
    named_columns,
    planned,
    refuse_header,
    refuse_many_columns,
    typed,
)
from qaviz.loading.source import Source, open_text
from qaviz.model.records import Progress

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", ";", "\t")

ROWS_AT_ONCE = 20_000

HEADER_LIMIT = 4_000_000
"""Most characters of the first line: COLUMN_LIMIT names of 200."""

# The csv module's own limit (131,072) is below ours. It is one for the whole process; nothing else here reads CSV.
csv.field_size_limit(CELL_LIMIT)


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for; an empty cell is null. Raises QavizError with every line that will not do."""
    problems = Problems(source.name, "line")
    parts: list[pl.DataFrame] = []
    with _rows(source, problems) as (stream, rows):
        header = _header(rows, problems)
        kinds = planned(plan, header, problems)
        places = {name: place for place, name in enumerate(header) if name in kinds}
        schema = {LINE: pl.UInt32} | dict.fromkeys(places, pl.String)
        for lines, cells in _batches(rows, len(header), problems):
            columns = list(zip(*cells, strict=True)) or [()] * len(header)
            data = {LINE: lines} | {name: columns[place] for name, place in places.items()}
            part = pl.DataFrame(data, schema=schema).with_columns(pl.col(pl.String).replace("", None))
            parts.append(typed(part, kinds, problems))
            progress(min(1.0, stream.tell() / source.size), f"reading {source.name}")
    problems.stop_if_any()
    unread = tuple(name for name in header if name not in kinds)
    return Table(source.name, "line", joined(parts, source.name), unread, knows_missing=False)


def head(source: Source, rows: int, _plan: Plan) -> Head:
    """The first rows of the right width, and how many rows there are."""
    problems = Problems(source.name, "line")
    with _rows(source, problems) as (_, reader):
        header = _header(reader, problems)
        whole = (row for row in reader if len(row) == len(header))
        first = list(islice(whole, rows))
        count = len(first) + sum(1 for _ in whole)
    return Head(tuple(header), pl.DataFrame(first, schema=dict.fromkeys(header, pl.String), orient="row"), count)


def header(source: Source) -> list[str]:
    """The names of the columns. Raises QavizError if there is no reading them."""
    problems = Problems(source.name, "line")
    with _rows(source, problems) as (_, reader):
        return _header(reader, problems)


@contextmanager
def _rows(source: Source, problems: Problems) -> Iterator[tuple[BinaryIO, "Reader"]]:
    """The stream and the rows in it. Raises QavizError for what ends the reading: a broken quote, or not UTF-8."""
    with open_text(source) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        try:
            start = text.tell()
            first = text.readline(HEADER_LIMIT)
            delimiter = max(DELIMITERS, key=first.count)
            if len(first) == HEADER_LIMIT:
                found = f"a first line of more than {HEADER_LIMIT:,} characters"
                raise stop(source.name, found, "the names of the columns", "Write them in the first line.")
            refuse_many_columns(first.count(delimiter) + 1, problems)
            text.seek(start)
            rows = csv.reader(text, delimiter=delimiter, strict=True)
            yield stream, rows
        except csv.Error as error:
            found = f"a cell over {CELL_LIMIT:,} characters, or a quote that never closes"
            if "field limit" not in str(error):
                found = f"a quote that breaks the row ({error})"
            problems.add(rows.line_num, found, "quotes in pairs", 'Write a quote within a text as "".')
        except UnicodeDecodeError:
            problems.add(_first_bad_line(source), "bytes that are not UTF-8", "UTF-8 text", "Save the file as UTF-8.")
        finally:
            text.detach()  # or it would close the stream, which is open_text's
        problems.stop_if_any()


def _first_bad_line(source: Source) -> int:
    with open_text(source) as stream:
        for line, content in enumerate(stream, 1):
            try:
                content.decode()
            except UnicodeDecodeError:
                return line
    raise AssertionError("called only for a file that holds such a line")


def _header(rows: "Reader", problems: Problems) -> list[str]:
    """The names in the first row that has any."""
    header = named_columns(next(filter(None, rows), []))
    refuse_header(header, rows.line_num, problems)
    return header


def _batches(rows: "Reader", width: int, problems: Problems) -> Iterator[tuple[list[int], list[list[str]]]]:
    """Rows of the right width with the lines on which they start, many at a time; the others become problems."""
    lines: list[int] = []
    cells: list[list[str]] = []
    line = rows.line_num + 1
    for row in rows:
        if len(row) == width:
            lines.append(line)
            cells.append(row)
        elif row:
            fix = "Put texts that hold a delimiter or a line end in quotes."
            problems.add(line, f"a row of {len(row)}", f"a row of {width} cells, as the first line has", fix)
        line = rows.line_num + 1
        if len(cells) == ROWS_AT_ONCE:
            yield lines, cells
            lines, cells = [], []
    yield lines, cells
