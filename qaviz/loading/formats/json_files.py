"""JSON Lines, an object a line; and JSON documents, one value, of which the objects of a list are the rows.

Numbers stay as they are written; keys that stand twice are refused, and so is what no database or document can hold.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
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
from qaviz.model.errors import stop
from qaviz.model.records import Progress

DOCUMENT_LIMIT = 200 * 1024**2
"""Most bytes of a JSON document, which is only read whole. JSON Lines have no limit."""

LINE_LIMIT = 64 * 1024**2
"""Most bytes of one line."""

BYTES_AT_ONCE = 16 * 1024**2
"""Bytes of lines that make a batch, however few they are."""

_EXPECTED, _EXPORT = "one JSON object", "Export the file again."


def read(source: Source, problems: Problems, progress: Progress) -> Iterator[Batch]:
    """The file's objects, whichever of the two it is. A line that is none is a problem."""
    with open_text(source) as stream:
        start = stream.tell()
        first = next((text for text in iter(partial(stream.readline, LINE_LIMIT), b"") if text.strip()), b"").strip()
        is_list = first.startswith(b"[")
        # A line of JSON Lines that is cut off ends in a text or a number.
        is_object = first.startswith(b"{") and first.endswith((b"{", b"[", b",")) and bool(stream.read(1))
        stream.seek(start)
        if is_list or is_object:
            yield from _read_document(source, stream, problems)
        else:
            yield from _read_lines(source, stream, problems, progress)


def parse_object(content: bytes, where: str) -> object:
    """The JSON value of a whole file. Raises QavizError if it is none, or not a plain one."""
    try:
        return _parse(content)
    except (ValueError, RecursionError) as error:
        raise stop(where, describe_fault(error), "plain JSON", _EXPORT) from None


def _read_document(source: Source, stream: BinaryIO, problems: Problems) -> Iterator[Batch]:
    content = stream.read(DOCUMENT_LIMIT + 1)
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
        yield Batch(name=source.name, unit="record", problems=problems, given=records[:FIRST_ROWS])
    for begin in range(FIRST_ROWS, len(records), ROWS_AT_ONCE):
        part = records[begin : begin + ROWS_AT_ONCE]
        yield Batch(name=source.name, unit="record", problems=problems, given=part)


def _read_lines(source: Source, stream: BinaryIO, problems: Problems, progress: Progress) -> Iterator[Batch]:
    records: list[tuple[int, JsonObject]] = []
    keys, met = set[str](), set[str]()
    size = 0
    limit = FIRST_ROWS
    for line, text in enumerate(iter(partial(stream.readline, LINE_LIMIT + 1), b""), 1):
        if len(text) > LINE_LIMIT:
            expected = f"at most {LINE_LIMIT / 1024**2:.0f} MB in a line"
            raise stop(f"{source.name} line {line}", "a line without end", expected, "Write one object a line.")
        size += len(text)
        if text.strip() and (record := _read_object(text.removesuffix(b"\n"), line, problems)) is not None:
            records.append((line, record))
            keys.update(record)
        # Rows times columns too: lines may have different keys.
        if records and (len(records) >= limit or size >= BYTES_AT_ONCE or len(records) * len(keys) >= 4_000_000):
            _check_keys(keys, met, problems)
            yield Batch(name=source.name, unit="line", problems=problems, given=records)
            progress(min(1.0, stream.tell() / source.size), f"reading {source.name}")
            records, keys, size, limit = [], set(), 0, ROWS_AT_ONCE
    _check_keys(keys, met, problems)
    if records:
        yield Batch(name=source.name, unit="line", problems=problems, given=records)


def _check_keys(keys: set[str], met: set[str], problems: Problems) -> None:
    """Raise QavizError for a key that holds a NUL, and if those that were met with these are too many."""
    if any("\0" in name for name in keys):
        problems.add(1, "a NUL character in a key", "text", "Rename the key.", in_row=False)
        problems.stop_if_any()
    met |= keys
    refuse_many_columns(len(met), problems)


def _read_object(text: bytes, line: int, problems: Problems) -> JsonObject | None:
    """The object of one line, or None and a problem."""
    expected, fix = _EXPECTED, "Correct the line. If it is cut off, export the file again."
    try:
        value = _parse(text)
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


KEYS_LIMIT, ALL_KEYS_LIMIT = 200_000, 2_000_000
"""Most keys of an object with few others in it, and of one value: parsing alone takes seconds for each million."""

_KEY = re.compile(rb'"[ \t\r\n]*:')

_DIGITS = 308
"""Digits up to which any whole number is a float too. With more it is read as one: then it may be infinite."""


def _parse(text: bytes) -> object:
    """The JSON value of a text. Raises ValueError or RecursionError if it is none, or not a plain one."""
    keys = sum(1 for _ in _KEY.finditer(text)) if text.count(b":") > KEYS_LIMIT else 0
    if keys > KEYS_LIMIT and (keys > COLUMN_LIMIT * text.count(b"{") or keys > ALL_KEYS_LIMIT):
        raise ValueError(f"{keys:,} keys")  # far more than columns make sense: before it is parsed
    return _DECODER.decode(text.decode())


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
