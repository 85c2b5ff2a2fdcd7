"""The problems of one file, gathered so that a person reads all of them at once."""

import json
from collections.abc import Callable

import polars as pl

from qaviz.model.errors import Problem, QavizError

PROBLEM_LIMIT = 50
"""Most problems of one file that are spelled out. The rest are counted."""

_QUOTED = 40
"""Characters of a text that a problem quotes."""


LINE = "\0line"
"""The column of physical line or row numbers. No column of a file can be named so: a NUL is refused."""

WORDS = "words"


class Problems:
    """What is wrong with one file, spelled out up to PROBLEM_LIMIT and counted beyond.

    With `skip_bad` a problem of a row is listed with the row left out, and does not stop the load.
    """

    def __init__(self, name: str, unit: str, *, skip_bad: bool = False) -> None:
        """`unit` is what the file's rows are counted in: `line` or `row`."""
        self.name = name
        self.unit = unit
        self._skip_bad = skip_bad
        self._skipped: dict[int, str] = {}
        self._taken = 0
        self._notes: list[tuple[int, str]] = []
        self._spelled: list[Problem] = []
        self._more = 0

    def __bool__(self) -> bool:
        """Whether anything is wrong so far that stops the load."""
        return bool(self._spelled)

    def add(self, line: int, fault: str, expected: str, fix: str, *, in_row: bool = True) -> None:
        """Note what stands on one line; `in_row` unless it is wrong with the whole file."""
        if self._skip_bad and in_row:
            self._skipped.setdefault(line, f"left out: found {fault}; expected {expected}")
        elif len(self._spelled) < PROBLEM_LIMIT:
            where = f"{self.name} {self.unit} {line}"
            self._spelled.append(Problem(where=where, found=fault, expected=expected, fix=fix, in_row=in_row))
        else:
            self._more += 1

    def add_rows(self, rows: pl.DataFrame, describe_fault: Callable[[str], str], expected: str, fix: str) -> None:
        """Note each of `rows`: its line, and a text that `found` puts into words."""
        limit = rows.height if self._skip_bad else PROBLEM_LIMIT
        for line, text in rows.head(limit).iter_rows():
            self.add(line, describe_fault(text), expected, fix)
        self._more += max(0, rows.height - limit)

    def include(self, error: QavizError) -> None:
        """Note the problems of an error, and go on to find the others."""
        self._spelled += error.problems

    def without_skipped(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows (with LINE) but those that are skipped."""
        if not self._skipped:
            return rows
        return rows.filter(~pl.col(LINE).is_in(list(self._skipped)))

    def note(self, line: int, words: str) -> None:
        """Note a cell that was read as another value than the file has, such as a number read as text; no problem."""
        self._notes.append((line, words))

    def new_notes(self) -> pl.DataFrame:
        """LINE and WORDS of what was noted since the last call."""
        new, self._notes = self._notes, []
        return pl.DataFrame(new, schema={LINE: pl.UInt32, WORDS: pl.String}, orient="row")

    def newly_skipped(self) -> pl.DataFrame:
        """LINE and WORDS of the rows that were skipped since the last call."""
        new = list(self._skipped.items())[self._taken :]
        self._taken += len(new)
        return pl.DataFrame(new, schema={LINE: pl.UInt32, WORDS: pl.String}, orient="row")

    def stop_if_any(self) -> None:
        """Raise QavizError with everything noted so far that stops the load."""
        if self._more:
            rest = f"{self._more:,} more problem{'s' if self._more > 1 else ''}"
            fix = "Correct those above first: they may share one cause."
            more = Problem(where=self.name, found=rest, expected="none", fix=fix, in_row=True)
            self._spelled.append(more)
        if self._spelled:
            raise QavizError(*self._spelled)


def quote_text(text: str) -> str:
    """The text as a problem quotes it: on one line, shortened, halves of characters as question marks."""
    short = text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"
    return json.dumps(short, ensure_ascii=False).encode(errors="replace").decode()
