"""A file of another tool as a table of its own columns, like that of every other reader."""

from collections.abc import Iterator, Mapping

import polars as pl

from qaviz.loading.adapters.records import records
from qaviz.loading.adapters.tool import THEIR_SCORES, Row, Tool, text
from qaviz.loading.column_values import Cells
from qaviz.loading.problems import Problems, quote_text
from qaviz.loading.readers.table import (
    HEAD_CELL,
    LINE,
    SAMPLED_ROWS,
    Head,
    Kind,
    Plan,
    Table,
    convert_columns,
    no_rows,
    plan_columns,
)
from qaviz.loading.source import Source
from qaviz.model.records import Progress


def read(tool: Tool, source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for. Raises QavizError with every record that will not do."""
    broken = Problems(source.name, "record", skip_bad=source.skip_bad)
    found = _Rows(tool, source, broken)
    broken.stop_if_any()
    if not found.rows:
        raise no_rows(source.name)
    problems = Problems(source.name, found.unit, skip_bad=source.skip_bad)
    kinds = plan_columns(plan, found.columns, found.cells(), problems)
    frame = convert_columns(found.frame(kinds, problems), kinds, problems)
    problems.stop_if_any()
    progress(1.0, f"reading {source.name}")
    unread = tuple(name for name in found.columns if name not in kinds)
    skipped = pl.concat([broken.newly_skipped(), problems.newly_skipped()])
    return Table(source.name, found.unit, frame, unread, knows_missing=True, skipped=skipped, tool=tool.name)


def head(tool: Tool, source: Source, rows: int, _plan: Plan) -> Head:
    """The first rows, and how many there are. Raises QavizError with every record that will not do."""
    problems = Problems(source.name, "record")
    found = _Rows(tool, source, problems)
    problems.stop_if_any()
    if not found.rows:
        raise no_rows(source.name)
    first = [{name: _shown(row.get(name)) for name in found.columns} for row in found.rows[:rows]]
    frame = pl.DataFrame(first, schema=dict.fromkeys(found.columns, pl.String))
    return Head(tuple(found.columns), frame, len(found.rows), found.cells())


class _Rows:
    """All rows of a file, with their lines."""

    def __init__(self, tool: Tool, source: Source, problems: Problems) -> None:
        self.rows: list[Row] = []
        self.lines: list[int] = []
        whole = records(source, problems)
        for line, record in tool.gather(list(whole)) if tool.gather else whole:
            given = list(tool.rows(record))
            self.rows += given
            self.lines += [line] * len(given)
        self.unit = "record"
        if len(set(self.lines)) < len(self.lines):
            self.unit, self.lines = "row", list(range(1, len(self.rows) + 1))
        _drop_what_never_is_a_number(self.rows)
        # In the order of the words, so that a preview begins with what is read.
        present = {name for row in self.rows for name, value in row.items() if value is not None}
        order = dict.fromkeys([*tool.words, *(name for row in self.rows for name in row)])
        self.columns = [name for name in order if name in present]

    def cells(self) -> Cells:
        """The first cells of each column."""
        return {name: [_shown(row.get(name)) for row in self.rows[:SAMPLED_ROWS]] for name in self.columns}

    def frame(self, kinds: Mapping[str, Kind], problems: Problems) -> pl.DataFrame:
        """LINE and the columns of `kinds`, every cell as text."""
        cells = {name: list(self._cells(name, problems)) for name in kinds}
        return pl.DataFrame({LINE: self.lines, **cells}, schema={LINE: pl.UInt32, **dict.fromkeys(kinds, pl.String)})

    def _cells(self, name: str, problems: Problems) -> Iterator[str | None]:
        for line, row in zip(self.lines, self.rows, strict=True):
            cell = text(row.get(name))
            if cell is None or _is_whole(cell):
                yield cell
                continue
            found = f"half a character (a lone surrogate) in {quote_text(name)}"
            problems.add(line, found, "whole characters", "Remove it.")
            yield None


def _drop_what_never_is_a_number(rows: list[Row]) -> None:
    """A column may look like a score that failed in one row and hold words in another: then it is none."""
    scored = {each["name"] for row in rows for each in row.get(THEIR_SCORES) or () if each["value"] is not None}
    for row in rows:
        kept = [each for each in row.get(THEIR_SCORES) or () if each["name"] in scored]
        row[THEIR_SCORES] = kept or None


def _is_whole(cell: str) -> bool:
    """Whether no character is a lone surrogate."""
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: object) -> str | None:
    shown = text(value)
    return None if shown is None else shown[:HEAD_CELL].encode(errors="replace").decode()
