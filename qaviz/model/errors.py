"""The one error that a user can fix, with all problems that were found."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


@dataclass(frozen=True)
class Problem:
    """One thing in a file that a person can mend."""

    where: str
    """File, and line or row where there is one: `golden.csv line 7`."""
    found: str
    expected: str
    fix: str
    in_row: bool = False
    """Whether it is in a row or a line, so that the others can be loaded without that."""

    def __str__(self) -> str:
        return f"{self.where}: found {self.found}; expected {self.expected}. {self.fix}"


class QavizError(Exception):
    """Something a user can fix, with every problem that was found. Shown as it is; anything else is a bug."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        # One file may hold the golden dataset and the responses: what is wrong with it is found twice.
        self.problems = tuple(dict.fromkeys(problems))

    @property
    def only_in_rows(self) -> bool:
        """Whether leaving out single rows would do."""
        return all(problem.in_row for problem in self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class DoubtError(QavizError):
    """What was read may not be what the files mean: nothing is saved until a person says so."""


def stop(where: str, found: str, expected: str, fix: str) -> QavizError:
    """Return the error with this one problem, to be raised."""
    return QavizError(Problem(where, found, expected, fix))


@contextmanager
def disk_refusals(
    where: Path, fix: str = "Make room or get the right to write there, or choose another folder."
) -> Iterator[None]:
    """Turn what the disk refuses (full, no right, no folder, a file instead) into a QavizError that names `where`."""
    try:
        yield
    except (FileExistsError, NotADirectoryError) as error:
        raise stop(str(where), "a file", "a folder", "Name another folder.") from error
    except Exception as error:
        if isinstance(error, OSError):
            why = "a full disk" if error.errno in (ENOSPC, EDQUOT) else error.strerror or str(error)
        elif type(error).__name__ == "ComputeError" and "(os error" in str(error):
            # polars has no exception of its own for what the system refuses; to import it would start its threads.
            why = str(error).rpartition("IO error: ")[2]
        else:
            raise
        fault, expected = f"that it cannot be read or written ({why})", "a folder with free space that you may write to"
        raise stop(str(where), fault, expected, fix) from error


def stop_without(library: str, expected: str) -> QavizError:
    """Return the error of an optional library that is not installed, to be raised."""
    fix = "Install it with Python 3.11 or 3.12: pip install -r requirements.txt"
    return stop("Python environment", f"no {library}", expected, fix)


def stop_at_fields(where: str, error: "ValidationError", fix: str, *, has_secrets: bool = False) -> QavizError:
    """Return the error with each field that pydantic refused, and its value unless that may be a secret."""
    problems = []
    for fault in error.errors():
        place, value = ".".join(map(str, fault["loc"])), fault["input"]
        words = f"{place or 'a part'} that cannot be used"
        if fault["type"] == "missing":
            words = f"no {place}"
        elif not has_secrets and isinstance(value, (str, int, float)):
            words = f"{place} = {repr(value)[:100]}"
        expected = fault["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
        problems.append(Problem(where, words, expected, fix))
    return QavizError(*problems)


_VARYING = re.compile(r'"[^"]*"|\d[\d.,]*')
"""What differs among problems of one kind: quoted texts and numbers."""


def groupby_kind(problems: Iterable[Problem]) -> list[list[Problem]]:
    """The problems in groups of one kind: what is found differs in quoted texts and numbers at most."""
    groups: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in problems:
        kind = (_VARYING.sub("", problem.where), _VARYING.sub("", problem.found), problem.expected)
        groups.setdefault(kind, []).append(problem)
    return list(groups.values())


def spell_problems(problems: Iterable[Problem]) -> list[str]:
    """A sentence for each problem; of more than three of one kind the first, their number, and where the last is."""
    sentences: list[str] = []
    for alike in groupby_kind(problems):
        spelled = list(dict.fromkeys(map(str, alike)))
        if len(spelled) > 3:
            sentences.append(f"{spelled[0]} And {len(spelled) - 1:,} more like it, the last: {alike[-1].where}")
        else:
            sentences += spelled
    return sentences


def count_problems(error: QavizError) -> int:
    """How many problems an error speaks of: those that are spelled out, and those that it only counts."""
    counted = [int(match[1].replace(",", "")) for problem in error.problems if (match := _MORE.match(problem.found))]
    return len(error.problems) - len(counted) + sum(counted)


def count_rows(error: QavizError) -> int:
    """In how many rows or lines there are problems; those that are only counted are a row each."""
    spelled = [problem for problem in error.problems if not _MORE.match(problem.found)]
    return count_problems(error) - len(spelled) + len({problem.where for problem in spelled})


_MORE = re.compile(r"([\d,]+) more problems?$")

EXTRAS = {
    **dict.fromkeys(("docx", "lxml", "markdown_it", "pypdfium2"), "documents"),
    **dict.fromkeys(("prometheus_client", "starlette", "streamlit"), "app"),
    **{name: name for name in ("fmeval", "mcp", "mlflow", "pandas")},
    "plotly": "plots",
    "pptx": "slides",
    "psycopg": "server",
}
"""The libraries that `pip install qaviz` leaves out, and the extra that brings each."""


@contextmanager
def naming_extras() -> Iterator[None]:
    """Turn a library that is not installed into a QavizError that says which extra brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in EXTRAS:
            raise
        fix = f'Install it: pip install "qaviz[{EXTRAS[library]}]".'
        raise stop("Python environment", f"no {library}", f"the extra {EXTRAS[library]}", fix) from error
