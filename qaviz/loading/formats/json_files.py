"""JSON Lines, an object a line; and JSON documents, one value, of which the objects of a list are the rows.

Numbers stay as they are written; keys that stand twice are refused, and so is what no database or document can hold.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

from qaviz.loading.formats.cells import (
    COLUMN_LIMIT,
    FIRST_ROWS,
    ROWS_AT_ONCE,
    Batch,
    JsonObject,
    Written,
    is_whole,
    refuse_many_columns,
)
from qaviz.loading.load_log import Problems, quote_text
from qaviz.loading.source import Source, open_text
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import Progress

DOCUMENT_LIMIT = 200 * 1024**2
"""Most bytes of a JSON document, which is only read whole. JSON Lines have no limit."""

LINE_LIMIT = 64 * 1024**2
"""Most bytes of one line."""

BYTES_AT_ONCE = 16 * 1024**2
"""Bytes of lines that make a batch, however few they are."""

MANY_KEYS = 1_000
"""Different keys of lines from which on all lines are looked through for theirs."""

_BLOCK = 1024**2

_EXPECTED, _EXPORT = "one JSON object", "Export the file again."


def read(source: Source, problems: Problems, progress: Progress) -> Iterator[Batch]:
    """The file's objects, whichever of the two it is. A line that is none is a problem."""
    with open_text(source) as stream:
        before = 0
        while first := stream.readline(DOCUMENT_LIMIT):
            if len(first) > LINE_LIMIT and not first.startswith(b"["):
                raise _refuse_endless_line(source.name, before + 1)
            if first.strip():
                break
            before += 1
        more = stream.read(1)
        if _opens_document(first.strip(), ends=not more):
            yield from _read_document(source, first + more, stream, problems)
        else:
            yield from _read_lines(source, first + more, before, stream, problems, progress)


def parse_object(content: bytes, where: str) -> object:
    """The JSON value of a whole file. Raises QavizError if it is none, or not a plain one."""
    try:
        return parse(content)
    except (ValueError, RecursionError) as error:
        raise stop(where, describe_fault(error), "plain JSON", _EXPORT) from None


def _refuse_endless_line(name: str, line: int) -> QavizError:
    limit = f"at most {LINE_LIMIT / 1024**2:.0f} MB in a line"
    return stop(f"{name} line {line}", "a line without end", limit, "Write one object a line.")


def _opens_document(line: bytes, *, ends: bool) -> bool:
    """Whether a JSON document begins so: a list, or an object over several lines, which breaks off at its first."""
    if line.startswith(b"[") or (line == b"{" and not ends):
        return True
    if not line.startswith(b"{") or ends or line.endswith(b"}"):
        return False
    try:
        parse(line)
    except RecursionError:
        return False
    except ValueError:
        # A line of JSON Lines that is cut off ends in a text or a number; a document's first line in `{`, `[` or `,`.
        return line.endswith((b"{", b"[", b","))
    return False


def _read_document(source: Source, start: bytes, stream: BinaryIO, problems: Problems) -> Iterator[Batch]:
    content = start + stream.read(DOCUMENT_LIMIT + 1)
    if len(content) > DOCUMENT_LIMIT:
        fault = f"a JSON document over {DOCUMENT_LIMIT / 1024**2:,.0f} MB"
        raise stop(source.name, fault, "at most that, or JSON Lines", "Export it in parts, or as JSON Lines.")
    value = parse_object(content, source.name)
    del content
    records: list[tuple[int, JsonObject]] = []
    for place, record in enumerate(value if isinstance(value, list) else [value], 1):
        if isinstance(record, dict):
            records.append((place, record))
        else:
            problems.add(place, "something else than an object", _EXPECTED, "Remove it.")
    if records:
        yield _batch(source, "record", records[:FIRST_ROWS], problems)
    for begin in range(FIRST_ROWS, len(records), ROWS_AT_ONCE):
        yield _batch(source, "record", records[begin : begin + ROWS_AT_ONCE], problems)


def _batch(source: Source, unit: str, records: list[tuple[int, JsonObject]], problems: Problems) -> Batch:
    return Batch(name=source.name, unit=unit, problems=problems, given=records)


def _read_lines(
    source: Source, start: bytes, before: int, stream: BinaryIO, problems: Problems, progress: Progress
) -> Iterator[Batch]:
    records: list[tuple[int, JsonObject]] = []
    keys: dict[str, object] = {}
    met: set[str] = set()
    size = done = 0
    limit = FIRST_ROWS
    for line, text in _number_lines(source.name, start, before, stream):
        done += len(text) + 1
        size += len(text) + 1
        record = _read_object(text, line, source.name, problems) if text.strip() else None
        if record is not None:
            records.append((line, record))
            keys.update(record)
        # Rows times columns too: lines may have different keys.
        if len(records) >= limit or size >= BYTES_AT_ONCE or len(records) * len(keys) >= 4_000_000:
            _check_keys(source, keys, met, problems)
            yield _batch(source, "line", records, problems)
            progress(min(1.0, done / source.size), f"reading {source.name}")
            records, keys, size, limit = [], {}, 0, ROWS_AT_ONCE
    _check_keys(source, keys, met, problems)
    if records:
        yield _batch(source, "line", records, problems)


def _check_keys(source: Source, keys: dict[str, object], met: set[str], problems: Problems) -> None:
    """Raise QavizError for a key that holds a NUL, and, once lines have many keys, if those of all lines are too many:
    columns for each of them take a minute in a file of 1 MB."""
    if any("\0" in name for name in keys.keys() - met):
        problems.add(1, "a NUL character in a key", "text", "Rename the key.", in_row=False)
        problems.stop_if_any()
    few = len(met) < MANY_KEYS
    met.update(keys)
    if few and len(met) >= MANY_KEYS:
        done, every = 0, set[str]()
        with open_text(source) as stream:
            for _, text in _number_lines(source.name, b"", 0, stream):
                done += len(text) + 1
                try:
                    value = parse(text)
                except (ValueError, RecursionError):
                    continue  # said where the line is read
                every.update(value if isinstance(value, dict) else ())
                refuse_many_columns(len(every), problems, f" in the first {done / 1024**2:,.1f} MB")


def _number_lines(name: str, start: bytes, before: int, stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    line, rest = before + 1, start
    while block := stream.read(_BLOCK):
        rest += block
        if len(rest) > LINE_LIMIT and b"\n" not in rest:
            raise _refuse_endless_line(name, line)
        *lines, rest = rest.split(b"\n")
        yield from enumerate(lines, line)
        line += len(lines)
    yield from enumerate(rest.split(b"\n"), line)


def _read_object(text: bytes, line: int, name: str, problems: Problems) -> JsonObject | None:
    """The object of one line, or None and a problem. Raises QavizError for one that takes too long to parse."""
    keys = count_keys(text)
    if keys > KEYS_LIMIT:
        expected = f"at most {KEYS_LIMIT:,} in a line"
        raise stop(f"{name} line {line}", f"{keys:,} keys", expected, "Write one object a line, a row each.")
    expected, fix = _EXPECTED, "Correct the line. If it is cut off, export the file again."
    try:
        value = _DECODER.decode(text.decode())
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnicodeDecodeError):
            expected, fix = "UTF-8 text", "Save the file as UTF-8."
        problems.add(line, describe_fault(error, in_line=True), expected, fix)
        return None
    if isinstance(value, dict):
        return value
    fault = "a list" if isinstance(value, list) else f"the value {json.dumps(value)[:40]}"
    problems.add(line, fault, expected, 'Write the line as {"question": ..., ...}.')
    return None


KEYS_LIMIT, DOCUMENT_KEYS_LIMIT = 200_000, 2_000_000
"""Most keys of one line, and of one document of many rows: parsing alone takes seconds for each million."""

_KEY = re.compile(rb'"[ \t\r\n]*:')

_DIGITS = 308
"""Digits up to which any whole number is a float too. With more it is read as one: then it may be infinite."""


def parse(text: bytes) -> object:
    """The JSON value of a text. Raises ValueError or RecursionError if it is none, or not a plain one."""
    keys = count_keys(text)
    if keys > KEYS_LIMIT and (keys > COLUMN_LIMIT * text.count(b"{") or keys > DOCUMENT_KEYS_LIMIT):
        raise ValueError(f"{keys:,} keys")  # far more than columns make sense: before it is parsed
    return _DECODER.decode(text.decode())


def count_keys(text: bytes) -> int:
    """How many keys a JSON text seems to have, at any depth, without parsing it; 0 for few."""
    return sum(1 for _ in _KEY.finditer(text)) if text.count(b":") > KEYS_LIMIT else 0


def _make_object(pairs: list[tuple[str, Any]]) -> JsonObject:
    row = dict(pairs)
    if len(row) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = next(name for name in row if counted[name] > 1)
        raise ValueError(f"the key {quote_text(twice)} twice in one object")
    for name in row:
        if not is_whole(name):
            raise ValueError("half a character (a lone surrogate) in a key")
    return row


def _read_float(digits: str) -> float:
    number = float(digits)
    if repr(number) == digits:
        return number
    written = Written(number)
    written.digits = digits
    return written


_DECODER = json.JSONDecoder(
    object_pairs_hook=_make_object,
    parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else _read_float(digits),
    parse_float=_read_float,
    parse_constant=_read_float,
)


def describe_fault(error: Exception, *, in_line: bool = False) -> str:
    """What is wrong with a JSON text, in words, of what `parse` raises; `in_line` where the text is a line."""
    match error:
        case RecursionError():
            return "lists or objects nested too deep"
        case UnicodeDecodeError():
            return f"bytes that are not UTF-8, from byte {error.start + 1:,}" + (" of the line" if in_line else "")
        case json.JSONDecodeError():
            # Some of Python's messages end in the words that lead to the position.
            words = error.msg.removesuffix(" at").removesuffix(" starting")
            place = f"character {error.colno}" if in_line else f"line {error.lineno:,}, character {error.colno:,}"
            return f"broken JSON at {place} ({words})"
        case _:
            return str(error)
