"""What the terminal says: problems, one a line, and how far long work is."""

import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from qaviz.model.errors import QavizError, spell_problems
from qaviz.model.records import Progress

if TYPE_CHECKING:
    from qaviz.report import Table

QUIET_S = 1.0
"""Work that ends within this time shows no progress."""
REDRAW_S = 0.2
"""Seconds between two states of the progress line on a terminal."""
CLEAR_LINE = "\r\x1b[K"
LOG_S = 10.0
"""Seconds between two progress lines where stderr is no terminal: a file, a pipe, a CI log."""

_STEERING = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that steer a terminal and that JSON has as they are."""
MOST_ROWS = 20
EXAMPLES = 3
"""Listed rows of a kind that are named; the others are counted."""


def say(message: str) -> None:
    """One line on stderr."""
    print(f"qaviz: {escape(message)}", file=sys.stderr)


def escape(text: str) -> str:
    """The text on one line, line breaks and control characters spelled out: a file's text cannot steer the terminal."""
    if text.isprintable():  # nearly all are, and looking at each character is slow
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def print_lines(lines: "Iterable[str | Table]") -> None:
    """Print each on one line of stdout, as `escape` spells it; a table with one line a row, figures to the right."""
    for line in lines:
        for text in [line] if isinstance(line, str) else _write_table(line):
            print(escape(text))


def _write_table(table: "Table") -> Iterator[str]:
    from qaviz.report import is_number, write_cells  # with the command that has made the table

    if table.frame.is_empty():
        return
    heads = tuple(column.heading for column in table.columns)
    rows = [tuple(map(escape, cells)) for cells in (heads, *write_cells(table))]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    yield from filter(None, [table.title])
    for row in rows:
        cells = (
            cell.rjust(width) if is_number(column) else cell.ljust(width)
            for column, cell, width in zip(table.columns, row, widths, strict=True)
        )
        yield f"  {'  '.join(cells)}".rstrip()
    yield from filter(None, [table.note])


def lay_out(figures: object) -> "Iterator[str | Table]":
    """The figures as people read them: those of `as_json` under their names, a line each, of records a table."""
    content = orjson.loads(as_json(figures))
    for name, value in content.items() if isinstance(content, dict) else [("", content)]:
        words = name.replace("_", " ")
        if isinstance(value, list) and value and all(isinstance(record, dict) for record in value):
            from polars import DataFrame

            from qaviz.report import table_of

            # Without the columns that have nothing in any record.
            names = [name for name in value[0] if any(record.get(name) not in (None, []) for record in value)]
            rows = [[_write_value(record.get(name)) for name in names] for record in value[:MOST_ROWS]]
            yield table_of(DataFrame(rows, names, orient="row"), *names, title=words)
            if len(value) > MOST_ROWS:
                yield f"  and {len(value) - MOST_ROWS:,} more: --format json has all"
        else:
            yield f"{words}: {_write_value(value)}" if words else _write_value(value)


def _write_value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_write_value(part)}" for name, part in value.items()) or "none"
    if isinstance(value, list):
        more = [f"and {len(value) - MOST_ROWS:,} more"] if len(value) > MOST_ROWS else []
        return ", ".join([*map(_write_value, value[:MOST_ROWS]), *more]) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return f"{value:,}" if isinstance(value, int) else str(value) or "none"


def as_json(value: object) -> str:
    """The value as JSON: tables as lists of records, paths as texts."""
    written = orjson.dumps(value, _as_plain, orjson.OPT_INDENT_2).decode()
    return _STEERING.sub(lambda char: f"\\u{ord(char[0]):04x}", written)


def _as_plain(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    from polars import DataFrame  # takes long to load, and few commands print a table

    if isinstance(value, DataFrame):
        return value.to_dicts()
    raise TypeError


def say_problems(error: QavizError) -> None:
    """One line for each problem; many alike are one line, with their number."""
    for sentence in spell_problems(error.problems):
        say(sentence)
    if error.problems and error.only_in_rows:
        say("--skip-bad loads the other rows, and lists these")


@contextmanager
def progress_line() -> Iterator[Progress]:
    """Progress on stderr, after a quiet second: one line redrawn on a terminal; elsewhere a line for each kind of work,
    and one now and then."""
    watched = sys.stderr.isatty()
    pause = REDRAW_S if watched else LOG_S
    next_at = time.monotonic() + QUIET_S
    doing = ""

    def show(fraction: float, words: str) -> None:
        nonlocal next_at, doing
        now, kind = time.monotonic(), "".join(filter(str.isalpha, words))
        if now < next_at and (not doing or kind == doing):
            return
        next_at, doing = now + pause, kind
        line = f"qaviz: {escape(words)}, {fraction:.0%}"
        print(f"{CLEAR_LINE}{line}" if watched else line, end="" if watched else "\n", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if doing and watched:
            print(CLEAR_LINE, end="", file=sys.stderr, flush=True)
