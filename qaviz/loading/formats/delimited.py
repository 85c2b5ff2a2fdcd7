"""CSV: cells divided by comma, semicolon, tab or another mark. `NA`, `null` and `1e999` are texts like any other."""

import csv
import io
import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from qaviz.loading.formats.cells import CELL_LIMIT, Batch, refuse_many_columns
from qaviz.loading.formats.grid import Numbered, read_grid
from qaviz.loading.load_log import Problems
from qaviz.loading.source import Source, open_text
from qaviz.model.errors import stop
from qaviz.model.records import Progress

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", ";", "\t", "|", "~", "^", "¦", "§")

_SEP = re.compile(r"\ufeff?\"?sep=(.)\"?\s*\Z", re.IGNORECASE)
"""The first line by which Excel is told the delimiter."""

HEADER_LIMIT = 4_000_000
"""Most characters of the first line: COLUMN_LIMIT names of 200."""

# The csv module's own limit (131,072) is below ours. It is one for the whole process; nothing else here reads CSV.
csv.field_size_limit(CELL_LIMIT)


def read(source: Source, problems: Problems, progress: Progress) -> Iterator[Batch]:
    """The rows, as `read_grid` has them. A row that lacks only its last cells has empty cells there; any other row of
    another width is a problem."""
    with open_text(source) as stream:
        start = stream.tell()
        stream.seek(-1, io.SEEK_END)
        is_ended = stream.read() in (b"\n", b"\r")
        stream.seek(start)
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        rows = csv.reader(())
        try:
            first = text.readline(HEADER_LIMIT)
            if len(first) == HEADER_LIMIT:
                fault = f"a first line of more than {HEADER_LIMIT:,} characters"
                raise stop(source.name, fault, "the names of the columns", "Write them in the first line.")
            delimiter = find_delimiter(first)
            refuse_many_columns(first.count(delimiter) + 1, problems)
            lines = chain([_SEP.sub("\n", first)], text)
            rows = csv.reader(lines, delimiter=delimiter, strict=True)
            fill = partial(_fill_rows, problems, is_ended=is_ended)
            for batch in read_grid(_number_rows(rows), problems, fill, name=source.name, unit="line"):
                yield batch
                progress(min(1.0, stream.tell() / source.size), f"reading {source.name}")
        except csv.Error as error:
            fault = f"a cell over {CELL_LIMIT:,} characters, or a quote that never closes"
            if "field limit" not in str(error):
                fault = f"a quote that breaks the row ({error})"
            fix = 'Write a quote within a text as "".'
            problems.add(rows.line_num, fault, "quotes in pairs", fix, in_row=False)
        except UnicodeDecodeError:
            line, fix = _find_bad_line(source), "Save the file as UTF-8: in Excel as “CSV UTF-8”."
            problems.add(line, "bytes that are not UTF-8", "UTF-8 text", fix, in_row=False)
        finally:
            text.detach()  # or it would close the stream, which is open_text's


def _number_rows(reader: "Reader") -> Iterator[Numbered]:
    """The rows, without cells where a line is empty."""
    line = 1
    for row in reader:
        yield line, row
        line = reader.line_num + 1


def find_delimiter(first: str) -> str:
    """The delimiter that the first line has most of; `sep=;` says it itself."""
    named = _SEP.match(first)
    return named[1] if named else max(DELIMITERS, key=first.count)


def _find_bad_line(source: Source) -> int:
    with open_text(source) as stream:
        for line, content in enumerate(stream, 1):
            try:
                content.decode()
            except UnicodeDecodeError:
                return line
    raise AssertionError("called only for a file that holds such a line")


def _fill_rows(problems: Problems, rows: Iterator[Numbered], width: int, *, is_ended: bool) -> Iterator[Numbered]:
    """The rows with so many cells; the others become problems.

    A short row lacks its last cells, unless it may be a piece: of a row that a line end in a text has cut, which its
    neighbour then completes, or of a file that breaks off.
    """
    waiting: Numbered | None = None
    for line, row in rows:
        is_short = width / 2 < len(row) < width
        if waiting and is_short:
            # Two short rows may be one that was cut: rows that lack the same cells are two.
            above = len(waiting[1])
            if above != len(row) or above + len(row) == width + 1:
                _refuse_width(*waiting, width, problems)
                waiting, is_short = None, False
        if waiting:
            yield waiting
        waiting = (line, row) if is_short else None
        if len(row) == width:
            yield line, row
        elif not is_short:
            _refuse_width(line, row, width, problems)
    if waiting and is_ended:
        yield waiting
    elif waiting:
        _refuse_width(*waiting, width, problems)


def _refuse_width(line: int, row: list[str], width: int, problems: Problems) -> None:
    fix = "Put texts that hold a delimiter or a line end in quotes. Remove lines above the names of the columns."
    problems.add(line, f"a row of {len(row)}", f"a row of {width} cells, as the first line has", fix)
