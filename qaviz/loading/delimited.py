"""CSV: text in columns, divided by comma, semicolon or tab. `NA`, `null` and `1e999` are texts like any other."""

import csv
import io
from collections.abc import Iterator
from itertools import islice

import polars as pl

from qaviz.loading.source import Problems, Source, open_text
from qaviz.loading.table import CELL_LIMIT, LINE, Plan, Progress, Table, typed
from qaviz.model import Problem, QavizError

DELIMITERS = (",", ";", "\t")

_ROWS_AT_ONCE = 20_000

# The csv module's own limit (131,072) is below ours, and is one for the whole process.
csv.field_size_limit(CELL_LIMIT)


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for; an empty cell is null. Raises QavizError with every line that will not do."""
    problems = Problems(source.name, "line")
    parts: list[pl.DataFrame] = []
    with open_text(source) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        try:
            rows = csv.reader(text, delimiter=_delimiter(text), strict=True)
            header = _header(next(rows, []), source)
            kinds = plan(header)
            width = len(header)
            asked = [(place, name) for place, name in enumerate(header) if name in kinds]
            for lines, cells in _batches(rows, width, problems):
                columns = list(zip(*cells, strict=True)) or [()] * width
                part = pl.DataFrame(
                    {LINE: lines, **{name: columns[place] for place, name in asked}},
                    schema={LINE: pl.UInt32, **{name: pl.String for _, name in asked}},
                ).with_columns(pl.col(pl.String).replace("", None))
                parts.append(typed(part, kinds, problems))
                progress(min(1.0, stream.tell() / source.size), f"Reading {source.name}")
        except csv.Error as error:
            problems.add(_broken(problems.at(rows.line_num), str(error)))
        except UnicodeDecodeError:
            problems.add(_not_utf_8(source))
        finally:
            text.detach()
    problems.stop_if_any()
    unread = tuple(name for name in header if name not in kinds)
    return Table(source, "line", pl.concat(parts), unread, tells_empty_from_missing=False)


def _delimiter(text: io.TextIOWrapper) -> str:
    """The one that divides the first line into most cells."""
    start = text.tell()
    line = text.readline()
    text.seek(start)
    return max(DELIMITERS, key=line.count)


def _header(names: list[str], source: Source) -> list[str]:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise QavizError(
            Problem(
                where=f"{source.name} line 1",
                found=f"the column {twice[0]!r} twice",
                expected="each column once",
                fix="Rename one of them.",
            )
        )
    return names


def _batches(rows: Iterator[list[str]], width: int, problems: Problems) -> Iterator[tuple[list[int], list[list[str]]]]:
    """Rows of the right width with their physical lines, many at a time."""
    number_of = rows  # the reader knows the line on which it stands
    more = True
    while more:
        lines: list[int] = []
        cells: list[list[str]] = []
        more = False
        start = number_of.line_num + 1  # type: ignore[attr-defined]
        for row in islice(rows, _ROWS_AT_ONCE):
            more = True
            if len(row) == width:
                lines.append(start)
                cells.append(row)
            elif row:
                problems.add(_ragged(problems.at(start), len(row), width))
            start = number_of.line_num + 1  # type: ignore[attr-defined]
        yield lines, cells


def _ragged(where: str, cells: int, width: int) -> Problem:
    return Problem(
        where=where,
        found=f"{cells} cells",
        expected=f"{width}, as in the first line",
        fix="Put texts that hold a delimiter or a line end in quotes.",
    )


def _broken(where: str, message: str) -> Problem:
    return Problem(
        where=where,
        found=f"a quote that breaks the row ({message})",
        expected="quotes in pairs",
        fix='Write a quote inside a text as "".',
    )


def _not_utf_8(source: Source) -> Problem:
    return Problem(where=source.name, found="bytes that are not UTF-8", expected="UTF-8 text", fix="Save it as UTF-8.")
