"""Lists and objects that stand in a cell as text: as JSON writes them, or as Python and numpy print them."""

import ast
import json
import re
from typing import Any

_PRINTED_LIMIT = 1_000_000
"""Characters that Python printed into a cell, up to which they are read as a list or an object."""

_PRINTED_TEXT = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(\s+(?=['"]))?""", re.DOTALL)
"""A text as Python prints it, and what stands between it and the next where that is no comma."""


def read_printed(value: object, kind: type[list[Any]] | type[dict[str, Any]]) -> object:
    """A list or an object of this kind that a cell holds as Python, or numpy, prints it; anything else as it is."""
    if not isinstance(value, str) or not value.startswith(("[", "{")) or len(value) > _PRINTED_LIMIT:
        return value
    try:
        printed = ast.literal_eval(_PRINTED_TEXT.sub(_with_comma, value))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value
    return printed if isinstance(printed, kind) else value


def _with_comma(printed: re.Match[str]) -> str:
    """A printed text, and a comma where numpy leaves none before the next: Python would make them one text."""
    return f"{printed[1]}, " if printed[2] else printed[1]


def read_texts(cell: str | None) -> list[str] | None:
    """The texts of a list in a cell, whoever wrote it; a cell with no list is one text. None where it is blank."""
    if cell is None or not cell.strip():
        return None
    value = read_list(cell)
    return [cell] if value is None else [each if isinstance(each, str) else json.dumps(each) for each in value]


def read_list(cell: str) -> list[Any] | None:
    """The elements of a list in a cell, as JSON or Python writes it; None where it is none."""
    if not cell.lstrip().startswith("["):
        return None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        value = read_printed(cell.strip(), list)
    return value if isinstance(value, list) else None


def read_json(value: object) -> Any:  # noqa: ANN401 - somebody's JSON
    """The list or object that a text holds as JSON; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
