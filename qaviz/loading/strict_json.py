"""JSON lines one by one: every line that is not one plain object, and every cell not of its kind, is a problem."""

import json
from collections.abc import Mapping
from typing import Any

import polars as pl

from qaviz.loading.problems import Problems, quoted
from qaviz.loading.table import LINE, Kind

_DIGITS = 400
"""Digits of a whole number beyond which it is infinite, as `1e999` is: no float is that large."""


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


class _NotPlainError(ValueError):
    """Something that JSON parsers let pass and that this one does not. The message says what."""


def _row(text: bytes, line: int, problems: Problems) -> dict[str, Any] | None:
    """The object of one line, or None and a problem."""
    try:
        row = json.loads(text.decode(), object_pairs_hook=_pairs, parse_int=_number, parse_constant=float)
    except UnicodeDecodeError as error:
        found, fix = f"bytes that are not UTF-8, from byte {error.start + 1} of the line", "Save the file as UTF-8."
    except json.JSONDecodeError as error:
        found = f"broken JSON at character {error.colno} ({error.msg})"
        fix = "The line may be cut off: export the file again."
    except _NotPlainError as error:
        found, fix = str(error), "Mend the line."
    except RecursionError:
        found, fix = "lists or objects nested too deep", "Mend the line."
    else:
        if isinstance(row, dict):
            return row
        found, fix = named(row), 'Write the line as {"question": ..., ...}.'
    problems.add(line, found, "one JSON object", fix)
    return None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in row if names.count(name) > 1)
        raise _NotPlainError(f"the key {quoted(twice)} twice in one object")
    for name in row:
        if not name.isascii() and not _is_whole(name):
            raise _NotPlainError("half a character (a lone surrogate) in a key")
        if "\0" in name:
            raise _NotPlainError("a NUL character in a key")
    return row


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else float(digits)


def _cell(value: object, name: str, kind: Kind, line: int, problems: Problems) -> str | None:
    """The value as text; None if it is missing, or not of its kind and then a problem."""
    if value is None:
        return None
    if isinstance(value, str):
        if value.isascii() or _is_whole(value):
            return value
        found, fix = f"half a character (a lone surrogate) in {quoted(name)}", "Remove it."
        problems.add(line, found, "whole characters", fix)
        return None
    if _fits(value, kind):
        return json.dumps(value)
    fix = "Mend the line."
    if kind == Kind.TEXT and isinstance(value, int | float):
        fix = f'Write "{json.dumps(value)}" in quotes.'
    problems.add(line, f"{named(value)} in {quoted(name)}", kind, fix)
    return None


def _fits(value: object, kind: Kind) -> bool:
    match kind:
        case Kind.ID:
            return type(value) is int
        case Kind.NUMBER:
            return type(value) in (int, float)
        case Kind.FLAG:
            return type(value) is bool
        case Kind.TEXTS:
            return isinstance(value, list) and all(isinstance(text, str) and _is_whole(text) for text in value)
        case Kind.TEXT:
            return False


def _is_whole(text: str) -> bool:
    """Whether no character is a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def named(value: object) -> str:
    """A JSON value in words."""
    match value:
        case bool() | None:
            return f"the value {json.dumps(value)}"
        case int() | float():
            return f"the number {json.dumps(value)}"
        case str():
            return f"the text {quoted(value)}"
        case list():
            return "a list"
        case _:
            return "an object"
