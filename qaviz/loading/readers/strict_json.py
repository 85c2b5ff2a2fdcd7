"""JSON lines one by one: every line that is not one plain object, and every cell not of its kind, is a problem."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import polars as pl

from qaviz.loading.load_log import Problems, quote_text
from qaviz.loading.readers.table import COLUMN_LIMIT, LINE, Kind
from qaviz.model.columns import OR_DELIMITER

JsonObject = dict[str, Any]
"""An object of JSON that somebody else wrote: anything may be missing, or of another kind."""

KEYS_LIMIT, DOCUMENT_KEYS_LIMIT = 200_000, 2_000_000
"""Most keys of one line, and of one document of many rows: parsing alone takes seconds for each million."""

LONG = 512 * 1024
"""Bytes of a text from which its keys are counted before it is parsed: KEYS_LIMIT does not fit into less."""
_KEY = re.compile(rb'"[ \t\r\n]*:')

_DIGITS = 308
"""Digits up to which any whole number is a float too. With more it is read as one: then it may be infinite."""


def parse(
    chunk: bytes, first_line: int, kinds: Mapping[str, Kind], problems: Problems
) -> tuple[pl.DataFrame, dict[str, None]]:
    """The columns of `kinds` that the lines have, every cell as text, with LINE; and the keys of all lines."""
    columns: dict[str, list[str | None]] = {name: [] for name in kinds}
    lines: list[int] = []
    keys: dict[str, None] = {}
    for line, text in enumerate(chunk.split(b"\n"), first_line):
        row = _row(text, line, problems) if text.strip() else None
        if row is None:
            continue
        keys |= dict.fromkeys(row)
        lines.append(line)
        for name, kind in kinds.items():
            columns[name].append(_cell(row.get(name), name, kind, line, problems))
    frame = pl.DataFrame({LINE: lines, **columns}, schema={LINE: pl.UInt32, **dict.fromkeys(kinds, pl.String)})
    return frame.drop(name for name in kinds if name not in keys), keys


def count_keys(text: bytes) -> int:
    """How many keys a JSON text seems to have, at any depth, without parsing it; 0 for one too short for KEYS_LIMIT."""
    if len(text) < LONG:
        return 0
    keys = text.count(b'":') + text.count(b'" :')
    # Slower, and only where blanks may hide keys.
    return keys if keys > KEYS_LIMIT or text.count(b":") <= KEYS_LIMIT else sum(1 for _ in _KEY.finditer(text))


def value(text: bytes) -> object:
    """The JSON value of a text. Raises ValueError or RecursionError if it is none, or not a plain one."""
    keys = count_keys(text)
    if keys > KEYS_LIMIT and (keys > COLUMN_LIMIT * text.count(b"{") or keys > DOCUMENT_KEYS_LIMIT):
        raise _NotPlainError(f"{keys:,} keys")  # far more than columns make sense: before it is parsed
    return json.loads(text.decode(), object_pairs_hook=_pairs, parse_int=_number, parse_constant=float)


class _Written(float):
    """A number with a point or an exponent, and how it was written: 1.50 is another text than 1.5."""

    digits: str


def _keep_digits(digits: str) -> _Written:
    number = _Written(digits)
    number.digits = digits
    return number


class _NotPlainError(ValueError):
    """Something that JSON parsers let pass and that this one does not. The message says what."""


def describe_fault(error: Exception, *, in_line: bool = False) -> str:
    """What is wrong with a JSON text, in words, of what `value` raises; `in_line` where the text is a line."""
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


def _row(text: bytes, line: int, problems: Problems) -> JsonObject | None:
    """The object of one line, or None and a problem."""
    expected, fix = "one JSON object", "Correct the line."
    try:
        row = json.loads(
            text.decode(), object_pairs_hook=_pairs, parse_int=_number, parse_float=_keep_digits, parse_constant=float
        )
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnicodeDecodeError):
            expected, fix = "UTF-8 text", "Save the file as UTF-8."
        elif isinstance(error, json.JSONDecodeError):
            fix = "The line may be cut off: export the file again."
        fault = describe_fault(error, in_line=True)
    else:
        if isinstance(row, dict):
            return row
        fault, fix = _name_value(row), 'Write the line as {"question": ..., ...}.'
    problems.add(line, fault, expected, fix)
    return None


def _pairs(pairs: list[tuple[str, Any]]) -> JsonObject:
    row = dict(pairs)
    if len(row) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = next(name for name in row if counted[name] > 1)
        raise _NotPlainError(f"the key {quote_text(twice)} twice in one object")
    for name in row:
        if not name.isascii() and not is_whole(name):
            raise _NotPlainError("half a character (a lone surrogate) in a key")
        if "\0" in name:
            raise _NotPlainError("a NUL character in a key")
    return row


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else float(digits)


def _cell(cell: object, name: str, kind: Kind, line: int, problems: Problems) -> str | None:
    """The value as text; None if it is missing, or not of its kind and then a problem."""
    if cell is None:
        return None
    if isinstance(cell, str):
        if cell.isascii() or is_whole(cell):
            return cell
        fault, fix = f"half a character (a lone surrogate) in {quote_text(name)}", "Remove it."
        problems.add(line, fault, "whole characters", fix)
        return None
    if kind == Kind.TEXTS and not _holds_half(cell):
        return json.dumps(_list_texts(cell))
    if _fits(cell, kind):
        return json.dumps(cell)
    if kind == Kind.TEXT and isinstance(cell, int | float) and math.isfinite(cell):
        text = cell.digits if isinstance(cell, _Written) else json.dumps(cell)
        problems.note(line, f"{_name_value(cell)} in {quote_text(name)} is read as {quote_text(text)}")
        return text
    problems.add(line, f"{_name_value(cell)} in {quote_text(name)}", kind, _remedy(cell, kind))
    return None


def _remedy(cell: object, kind: Kind) -> str:
    if kind == Kind.TEXT and isinstance(cell, float):
        return f'Write "{json.dumps(cell)}" in quotes.'
    if kind == Kind.TEXT and isinstance(cell, list):
        return f'Write one text; join variants by "{OR_DELIMITER}".'
    return "Correct the line."


def _fits(cell: object, kind: Kind) -> bool:
    match kind:
        case Kind.ID:
            return type(cell) is int
        case Kind.NUMBER:
            return isinstance(cell, int | float) and type(cell) is not bool
        case Kind.FLAG:
            return type(cell) is bool
        case Kind.SCORES:
            return isinstance(cell, list)
        case Kind.TEXT | Kind.TEXTS:
            return False


def _list_texts(cell: object) -> list[str]:
    """The texts of a list; what is none (a passage with its id and score) as JSON."""
    listed = cell if isinstance(cell, list) else [cell]
    return [
        element if isinstance(element, str) else json.dumps(element, ensure_ascii=False)
        for element in listed
        if element
    ]


def _holds_half(cell: object) -> bool:
    """Whether a text somewhere in it has half a character, or it is nested too deep to be looked at."""
    try:
        return not is_whole(json.dumps(cell, ensure_ascii=False))
    except RecursionError:
        return True


def is_whole(text: str) -> bool:
    """Whether no character is a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _name_value(cell: object) -> str:
    """A JSON value in words."""
    match cell:
        case bool() | None:
            return f"the value {json.dumps(cell)}"
        case int() | float():
            return f"the number {json.dumps(cell)}"
        case str():
            return f"the text {quote_text(cell)}"
        case list():
            return "a list"
        case _:
            return "an object"
