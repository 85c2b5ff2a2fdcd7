"""The problems of one file, gathered so that a person reads all of them at once."""

import json
from collections.abc import Callable

import polars as pl

from qaviz.model.errors import Problem, QavizError

PROBLEM_LIMIT = 50
"""Most problems of one file that are spelled out. The rest are counted."""

_QUOTED = 40
"""Characters of a text that a problem quotes."""


class Problems:
    """What is wrong with one file, spelled out up to PROBLEM_LIMIT and counted beyond."""

    def __init__(self, name: str, unit: str) -> None:
        """`unit` is what the file's rows are counted in: `line` or `row`."""
        self.name = name
        self.unit = unit
        self._spelled: list[Problem] = []
        self._more = 0

    def __bool__(self) -> bool:
        """Whether anything is wrong so far."""
        return bool(self._spelled)

    def add(self, line: int, found: str, expected: str, fix: str) -> None:
        """Note what stands on one line."""
        if len(self._spelled) < PROBLEM_LIMIT:
            where = f"{self.name} {self.unit} {line}"
            self._spelled.append(Problem(where=where, found=found, expected=expected, fix=fix))
        else:
            self._more += 1

    def add_rows(self, rows: pl.DataFrame, found: Callable[[str], str], expected: str, fix: str) -> None:
        """Note each of `rows`: its line, and a text that `found` puts into words."""
        for line, text in rows.head(PROBLEM_LIMIT).iter_rows():
            self.add(line, found(text), expected, fix)
        self._more += max(0, rows.height - PROBLEM_LIMIT)

    def include(self, error: QavizError) -> None:
        """Note the problems of an error, and go on to find the others."""
        self._spelled += error.problems

    def stop_if_any(self) -> None:
        """Raise QavizError with everything noted so far."""
        if self._more:
            rest = f"{self._more:,} more problem{'s' if self._more > 1 else ''}"
            fix = "Mend those above first: they may share one cause."
            self._spelled.append(Problem(where=self.name, found=rest, expected="none", fix=fix))
        if self._spelled:
            raise QavizError(*self._spelled)


def stop(where: str, found: str, expected: str, fix: str) -> QavizError:
    """The error with this one problem, to be raised."""
    return QavizError(Problem(where=where, found=found, expected=expected, fix=fix))


def quoted(text: str) -> str:
    """The text as a problem quotes it: on one line, shortened, halves of characters as question marks."""
    short = text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"
    return json.dumps(short, ensure_ascii=False).encode(errors="replace").decode()
