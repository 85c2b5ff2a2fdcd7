"""The rubric that a judge grades by: criteria with weights, an integer scale, texts and examples per grade."""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from qaviz.model.errors import Problem, QavizError

DEFAULT_FILE = Path(__file__).parent / "default_rubric.toml"
COMPOSITE = "composite"
"""Name of the weighted mean of all criteria."""
MOST_GRADES = 11
MOST_CRITERIA = 10
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_RESERVED = {COMPOSITE, "nonce", "gives_no_answer"}


@dataclass(frozen=True, kw_only=True)
class Example:
    """A response that earns a grade."""

    question: str
    golden_answer: str
    response: str


@dataclass(frozen=True, kw_only=True)
class GradeText:
    """What earns a grade."""

    grade: int
    text: str
    example: Example | None = None


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """One thing that is graded by itself."""

    name: str
    weight: float
    question: str
    grades: tuple[GradeText, ...]


@dataclass(frozen=True, kw_only=True)
class Rubric:
    """Criteria on one scale of integers."""

    name: str
    lowest: int
    highest: int
    criteria: tuple[Criterion, ...]
    decided_by: str
    """Name of the criterion, or COMPOSITE, whose grade says whether a response counts as correct."""
    correct_from: float

    @property
    def key(self) -> str:
        """Hash of all of its content: 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]

    @property
    def scale(self) -> range:
        """Every grade."""
        return range(self.lowest, self.highest + 1)

    def composite(self, grades: Mapping[str, int]) -> float:
        """The mean of the grades by the criteria's weights, on the same scale."""
        weights = sum(criterion.weight for criterion in self.criteria)
        return sum(criterion.weight * grades[criterion.name] for criterion in self.criteria) / weights

    def deciding_grade(self, grades: Mapping[str, int]) -> float:
        """The grade that says whether a response counts as correct."""
        return self.composite(grades) if self.decided_by == COMPOSITE else grades[self.decided_by]


@cache
def default_rubric() -> Rubric:
    """Correctness 60 %, comprehensiveness 20 %, readability 20 %, each from 0 to 3."""
    return read_rubric(DEFAULT_FILE)


def read_rubric(path: Path) -> Rubric:
    """Read a rubric from a TOML file. Raises QavizError with every problem that it has."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise QavizError(_problem(path.name, str(error), "a rubric in TOML")) from error
    reader = _Reader(path.name)
    rubric = reader.rubric(content)
    if reader.problems or rubric is None:
        raise QavizError(*reader.problems)
    return rubric


def _problem(where: str, found: str, expected: str) -> Problem:
    return Problem(
        where=where,
        found=found[:200],
        expected=expected,
        fix=f"Write it as in {DEFAULT_FILE}.",
    )


class _Reader:
    """Reads what a file says, and collects every problem."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.problems: list[Problem] = []

    def rubric(self, content: Mapping[str, object]) -> Rubric | None:
        lowest, highest = (self._number(content, name, whole=True) for name in ("lowest", "highest"))
        if not 1 <= highest - lowest < MOST_GRADES:
            self._refuse(f"a scale from {lowest:g} to {highest:g}", f"2 to {MOST_GRADES} grades")
            return None
        criteria = content.get("criteria")
        if not isinstance(criteria, dict) or not 1 <= len(criteria) <= MOST_CRITERIA:
            self._refuse("no table of criteria", f"1 to {MOST_CRITERIA} criteria")
            return None
        criteria_read = tuple(
            self._criterion(name, entry, int(lowest), int(highest)) for name, entry in criteria.items()
        )
        if sum(criterion.weight for criterion in criteria_read) <= 0:
            self._refuse("no weight above 0", "weights, of which one is above 0")
        decided_by = str(content.get("decided_by", COMPOSITE))
        if decided_by not in (COMPOSITE, *criteria):
            self._refuse(f"decided_by = {decided_by!r}", f"{COMPOSITE} or a criterion")
        default = lowest + 2 / 3 * (highest - lowest)
        correct_from = self._number(content, "correct_from") if "correct_from" in content else default
        if not lowest < correct_from <= highest:
            self._refuse(f"correct_from = {correct_from:g}", f"a grade above {lowest:g}, up to {highest:g}")
        return Rubric(
            name=str(content.get("name", self._file)),
            lowest=int(lowest),
            highest=int(highest),
            criteria=criteria_read,
            decided_by=decided_by,
            correct_from=correct_from,
        )

    def _criterion(self, name: str, content: object, lowest: int, highest: int) -> Criterion:
        where = f"criterion {name!r}"
        if not _NAME.fullmatch(name) or name in _RESERVED:
            self._refuse(where, f"a name of small letters, digits and _, other than {', '.join(sorted(_RESERVED))}")
        if not isinstance(content, dict):
            self._refuse(where, "a table")
            content = {}
        grades = content.get("grades")
        texts = tuple(self._grade(where, grade) for grade in grades) if isinstance(grades, list) else ()
        if sorted(text.grade for text in texts) != list(range(lowest, highest + 1)):
            self._refuse(
                f"{where} with the grades {', '.join(str(text.grade) for text in texts) or 'none'}",
                f"each grade from {lowest} to {highest} once",
            )
        return Criterion(
            name=name,
            weight=self._number(content, "weight", where),
            question=self._text(content, "question", where),
            grades=tuple(sorted(texts, key=lambda grade_text: grade_text.grade)),
        )

    def _grade(self, where: str, content: object) -> GradeText:
        if not isinstance(content, dict):
            self._refuse(f"{where}: {content!r}", "a table for each grade")
            content = {}
        example = content.get("example")
        names = ("question", "golden_answer", "response")
        if example is not None and not (
            isinstance(example, dict) and all(isinstance(example.get(name), str) for name in names)
        ):
            self._refuse(f"{where}: the example {example!r}", f"texts for {', '.join(names)}")
            example = None
        return GradeText(
            grade=int(self._number(content, "grade", where, whole=True)),
            text=self._text(content, "text", where),
            example=Example(**{name: example[name] for name in names}) if example else None,
        )

    def _number(self, content: Mapping[str, object], name: str, where: str = "", whole: bool = False) -> float:
        value = content.get(name)
        fits = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6
        if not fits or (whole and not isinstance(value, int)) or (name == "weight" and float(str(value)) < 0):
            self._refuse(f"{where} {name} = {value!r}".strip(), "a whole number" if whole else "a number from 0")
            return 0.0
        return float(str(value))

    def _text(self, content: Mapping[str, object], name: str, where: str) -> str:
        value = content.get(name)
        if not isinstance(value, str) or not value.strip():
            self._refuse(f"{where}: {name} = {value!r}", "a text")
            return ""
        return value.strip()

    def _refuse(self, found: str, expected: str) -> None:
        self.problems.append(_problem(self._file, found, expected))
