"""A file of another tool, record by record: JSON Lines, a JSON document, CSV or Parquet; and as a table of its own
columns.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import polars as pl

from qaviz.loading.adapters.logs import is_archive, read_archived_head, read_archived_records
from qaviz.loading.adapters.tool import SCORES, Record, Row, Score, Tool, text
from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import Problems, quote_text
from qaviz.loading.readers import delimited, parquet, strict_json, xlsx
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
from qaviz.loading.source import Source, open_text
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import Progress

DOCUMENT_LIMIT = 200 * 1024**2
"""Most bytes of a JSON document, which is only read whole. JSON Lines have no limit."""

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
DELIMITED_SUFFIXES = (".csv", ".tsv")
PARQUET_SUFFIX = ".parquet"
WORKBOOK_SUFFIX = ".xlsx"

_EXPECTED = "plain JSON"


def read_first_record(source: Source) -> Record | None:
    """The record that the file begins with; of CSV and of a workbook's only sheet its columns, without values; of
    Parquet with nested columns each column's first value. None if it begins with none.

    Raises QavizError for a JSON document that breaks somewhere, and for an archive that will not do.
    """
    if is_archive(source):
        return read_archived_head(source)
    if source.suffix in DELIMITED_SUFFIXES:
        return dict.fromkeys(_read_header(source))
    if source.suffix == WORKBOOK_SUFFIX:
        return _read_only_sheet(source)
    if source.suffix == PARQUET_SUFFIX:
        return parquet.sample_nested(source) if source.size <= DOCUMENT_LIMIT else None
    if source.suffix not in JSON_SUFFIXES:
        return None
    start, ends = _read_first_line(source)
    if _opens_document(start, ends):
        value = document(source)
        value = value[0] if isinstance(value, list) and value else value
    else:
        try:
            value = strict_json.value(start)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def records(source: Source, problems: Problems) -> Iterator[tuple[int, Record]]:
    """The file's records, each with its line, or its place in a document; what is none becomes a problem."""
    if is_archive(source):
        yield from read_archived_records(source)
    elif source.suffix in DELIMITED_SUFFIXES:
        yield from _read_cells(delimited.read(source, _all_texts, _quiet))
    elif source.suffix == WORKBOOK_SUFFIX:
        yield from _read_cells(xlsx.read(source, _all_texts, _quiet))
    elif source.suffix == PARQUET_SUFFIX:
        yield from parquet.read_nested(source)
    elif _opens_document(*_read_first_line(source)):
        value = document(source)
        for place, record in enumerate(value if isinstance(value, list) else [value], 1):
            yield from _require_object(place, record, problems)
    else:
        yield from _read_lines(source, problems)


def is_document(source: Source) -> bool:
    """Whether the file is one JSON value over several lines, or a list, and no JSON Lines."""
    return source.suffix in JSON_SUFFIXES and _opens_document(*_read_first_line(source))


def document(source: Source) -> Any:  # noqa: ANN401 - somebody's JSON
    """The file's one JSON value. Raises QavizError if it is none, not a plain one, or too long."""
    with open_text(source) as stream:
        content = stream.read(DOCUMENT_LIMIT + 1)
    if len(content) > DOCUMENT_LIMIT:
        fault = f"a JSON document over {DOCUMENT_LIMIT / 1024**2:,.0f} MB"
        raise stop(source.name, fault, "at most that, or JSON Lines", "Export it in parts, or as JSON Lines.")
    return parse_json(content, source.name)


def parse_json(content: bytes, where: str) -> Any:  # noqa: ANN401 - somebody's JSON
    """The JSON value. Raises QavizError if it is none, or not a plain one."""
    try:
        return strict_json.value(content)
    except (ValueError, RecursionError) as error:
        raise stop(where, strict_json.describe_fault(error), _EXPECTED, "Export the file again.") from None


def _read_lines(source: Source, problems: Problems) -> Iterator[tuple[int, Record]]:
    with open_text(source) as stream:
        for line, content in enumerate(iter(lambda: stream.readline(DOCUMENT_LIMIT), b""), 1):
            if not content.strip():
                continue
            try:
                value = strict_json.value(content)
            except (ValueError, RecursionError) as error:
                problems.add(
                    line, strict_json.describe_fault(error), _EXPECTED, "Correct the line, or export the file again."
                )
            else:
                yield from _require_object(line, value, problems)


def _require_object(place: int, value: object, problems: Problems) -> Iterator[tuple[int, Record]]:
    if isinstance(value, dict):
        yield place, value
    else:
        problems.add(place, "something else than an object", "one JSON object", "Remove it.")


def _read_first_line(source: Source) -> tuple[bytes, bool]:
    """The first line with anything on it, and whether the file ends there."""
    with open_text(source) as stream:
        for line in iter(lambda: stream.readline(DOCUMENT_LIMIT), b""):
            if line.strip():
                return line.strip(), not stream.read(1)
    return b"", True


def _opens_document(line: bytes, ends: bool) -> bool:
    """Whether a JSON document begins so: a list, or an object over several lines, which breaks off at its first."""
    if line.startswith(b"[") or (line == b"{" and not ends):
        return True
    if not line.startswith(b"{") or ends or line.endswith(b"}"):
        return False
    try:
        strict_json.value(line)
    except RecursionError:
        return False
    except ValueError:
        # A line of JSON Lines that is cut off ends in a text or a number; a document's first line in `{`, `[` or `,`.
        return line.endswith((b"{", b"[", b","))
    return False


def _read_header(source: Source) -> list[str]:
    try:
        return delimited.header(source)
    except QavizError:
        return []


def _read_only_sheet(source: Source) -> Record | None:
    """The columns of a workbook that has one sheet; None of any other, and of one that cannot be read."""
    try:
        head = xlsx.head(source, 1, _all_texts)
    except QavizError:
        return None
    return dict.fromkeys(head.columns) if len(head.sheets) == 1 else None


def _all_texts(columns: Sequence[str], _cells: object) -> dict[str, Kind]:
    return dict.fromkeys(columns, Kind.TEXT)


def _quiet(_fraction: float, _words: str) -> None:
    """Report no progress."""


def _read_cells(table: Table) -> Iterator[tuple[int, Record]]:
    for row in table.frame.iter_rows(named=True):
        yield row.pop(LINE), row


def read(tool: Tool, source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for. Raises QavizError with every record that will not do."""
    broken = Problems(source.name, "record", skip_bad=source.skip_bad)
    contents = _Rows(tool, source, broken)
    broken.stop_if_any()
    if not contents.rows:
        raise no_rows(source.name)
    problems = Problems(source.name, contents.unit, skip_bad=source.skip_bad)
    kinds = plan_columns(plan, contents.columns, contents.cells(), problems)
    frame = convert_columns(contents.frame(kinds, problems), kinds, problems)
    problems.stop_if_any()
    progress(1.0, f"reading {source.name}")
    unread = tuple(name for name in contents.columns if name not in kinds)
    skipped = pl.concat([broken.newly_skipped(), problems.newly_skipped()])
    return Table(source.name, contents.unit, frame, unread, knows_missing=True, skipped=skipped, tool=tool.name)


def head(tool: Tool, source: Source, rows: int, _plan: Plan) -> Head:
    """The first rows, and how many there are. Raises QavizError with every record that will not do."""
    problems = Problems(source.name, "record")
    contents = _Rows(tool, source, problems)
    problems.stop_if_any()
    if not contents.rows:
        raise no_rows(source.name)
    first = [{name: _preview_value(row.get(name)) for name in contents.columns} for row in contents.rows[:rows]]
    frame = pl.DataFrame(first, schema=dict.fromkeys(contents.columns, pl.String))
    return Head(tuple(contents.columns), frame, len(contents.rows), contents.cells())


class _Rows:
    """All rows of a file, with their lines."""

    def __init__(self, tool: Tool, source: Source, problems: Problems) -> None:
        self.rows: list[Row] = []
        self.lines: list[int] = []
        whole = records(source, problems)
        for line, record in tool.gather(list(whole)) if tool.gather else whole:
            given = list(tool.read_rows(record))
            self.rows += given
            self.lines += [line] * len(given)
        self.unit = "record"
        if len(set(self.lines)) < len(self.lines):
            self.unit, self.lines = "row", list(range(1, len(self.rows) + 1))
        _drop_scores_without_a_number(self.rows)
        # In the order of the words, so that a preview begins with what is read.
        present = {name for row in self.rows for name, value in row.items() if value is not None}
        order = dict.fromkeys([*tool.words, *(name for row in self.rows for name in row)])
        self.columns = [name for name in order if name in present]

    def cells(self) -> Cells:
        """The first cells of each column."""
        return {name: [_preview_value(row.get(name)) for row in self.rows[:SAMPLED_ROWS]] for name in self.columns}

    def frame(self, kinds: Mapping[str, Kind], problems: Problems) -> pl.DataFrame:
        """LINE and the columns of `kinds`, every cell as text."""
        cells = {name: list(self._cells(name, problems)) for name in kinds}
        return pl.DataFrame({LINE: self.lines, **cells}, schema={LINE: pl.UInt32, **dict.fromkeys(kinds, pl.String)})

    def _cells(self, name: str, problems: Problems) -> Iterator[str | None]:
        for line, row in zip(self.lines, self.rows, strict=True):
            cell = text(row.get(name))
            if cell is None or strict_json.is_whole(cell):
                yield cell
                continue
            fault = f"half a character (a lone surrogate) in {quote_text(name)}"
            problems.add(line, fault, "whole characters", "Remove it.")
            yield None


def _drop_scores_without_a_number(rows: list[Row]) -> None:
    """A column may look like a score that failed in one row and hold words in another: then it is no score."""
    # `Tool.read_rows` puts nothing but scores there.
    given = [cast("list[Score]", row.get(SCORES) or []) for row in rows]
    scored = {entry["name"] for scores in given for entry in scores if entry["value"] is not None}
    for row, scores in zip(rows, given, strict=True):
        row[SCORES] = [entry for entry in scores if entry["name"] in scored] or None


def _preview_value(value: object) -> str | None:
    shown = text(value)
    return None if shown is None else shown[:HEAD_CELL].encode(errors="replace").decode()
