"""JSON that somebody else wrote: quick while nothing is odd, and exact about everything that is.

Numbers stay as they are written, duplicate keys are refused, and so is what no database or document can hold.
"""

import json
import re
from collections import Counter
from typing import Any

import orjson

from qaviz.loading.load_log import quote_text

JsonObject = dict[str, Any]
"""An object of JSON that somebody else wrote: anything may be missing, or of another kind."""

COLUMN_LIMIT = 20_000
"""Most columns of a file. A spreadsheet ends at 16,384, and a run has at most a thousand pipelines."""

KEYS_LIMIT, DOCUMENT_KEYS_LIMIT = 200_000, 2_000_000
"""Most keys of one line, and of one document of many rows: parsing alone takes seconds for each million."""

_LONG = 512 * 1024
"""Bytes of a text from which its keys are counted before it is parsed: KEYS_LIMIT does not fit into less."""

_KEY = re.compile(rb'"[ \t\r\n]*:')
_SPACED_KEY = re.compile(rb'"[ \t\r\n]+:')
_NUMBER = re.compile(rb'":[ \t\r\n]*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)[ \t\r\n]*[,}\]]')
"""A number that is the value of a key."""

_DIGITS = 308
"""Digits up to which any whole number is a float too. With more it is read as one: then it may be infinite."""


class Written(float):
    """A number whose shortest spelling is another than the file's: 1.50, NaN, and what no float holds."""

    digits: str


class _NotPlainError(ValueError):
    """Something that JSON parsers let pass and that this one does not. The message says what."""


def parse(text: bytes) -> object:
    """The JSON value of a text. Raises ValueError or RecursionError if it is none, or not a plain one."""
    keys = count_keys(text)
    if keys > KEYS_LIMIT and (keys > COLUMN_LIMIT * text.count(b"{") or keys > DOCUMENT_KEYS_LIMIT):
        raise _NotPlainError(f"{keys:,} keys")  # far more than columns make sense: before it is parsed
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _parse_carefully(text)  # it lets more pass, and says what is wrong in words
    return value if _is_plain(value, text) else _parse_carefully(text)


def count_keys(text: bytes) -> int:
    """How many keys a JSON text seems to have, at any depth, without parsing it; 0 for one too short for KEYS_LIMIT."""
    if len(text) < _LONG:
        return 0
    keys = text.count(b'":') + text.count(b'" :')
    # Slower, and only where blanks may hide keys.
    return keys if keys > KEYS_LIMIT or text.count(b":") <= KEYS_LIMIT else sum(1 for _ in _KEY.finditer(text))


def _is_plain(value: object, text: bytes) -> bool:
    """Whether the quick parser has lost nothing: no key stands twice, and each number reads as it is written.

    Texts that quote JSON may look like keys: the careful parser then has more to do.
    """
    floats: list[float] = []
    keys = _count(value, floats)
    if keys != text.count(b'":') or _SPACED_KEY.search(text):
        return False
    if not floats:
        return True
    written = [digits for digits in _NUMBER.findall(text) if not digits.removeprefix(b"-").isdigit()]
    return written == [repr(number).encode() for number in floats]


def _count(value: object, floats: list[float]) -> int:
    """How many keys a value has at any depth; its numbers with a point go to `floats`, in order."""
    if type(value) is float:
        floats.append(value)
        return 0
    keys = 0
    if type(value) is dict:
        keys = len(value)
        inner: Any = value.values()
    elif type(value) is list:
        inner = value
    else:
        return 0
    for element in inner:
        if type(element) is not str:
            keys += _count(element, floats)
    return keys


def _parse_carefully(text: bytes) -> object:
    return json.loads(
        text.decode(),
        object_pairs_hook=_pairs,
        parse_int=_read_int,
        parse_float=_read_float,
        parse_constant=_read_float,
    )


def _pairs(pairs: list[tuple[str, Any]]) -> JsonObject:
    row = dict(pairs)
    if len(row) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = next(name for name in row if counted[name] > 1)
        raise _NotPlainError(f"the key {quote_text(twice)} twice in one object")
    for name in row:
        if not is_whole(name):
            raise _NotPlainError("half a character (a lone surrogate) in a key")
    return row


def _read_int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else _read_float(digits)


def _read_float(digits: str) -> float:
    number = float(digits)
    if repr(number) == digits:
        return number
    written = Written(number)
    written.digits = digits
    return written


def as_text(value: object) -> str | None:
    """A JSON value as text, its numbers as they are written; lists and objects as JSON."""
    match value:
        case None | str():
            return value
        case Written():
            return value.digits
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case _:
            try:
                return orjson.dumps(value, default=_write_number).decode()
            except orjson.JSONEncodeError:  # numbers of 20 digits, halves of characters, or too deep
                return json.dumps(value, ensure_ascii=False)


def _write_number(value: object) -> orjson.Fragment:
    if isinstance(value, Written):
        return orjson.Fragment(value.digits)
    raise TypeError


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


def is_whole(text: str) -> bool:
    """Whether no character is a lone surrogate."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
