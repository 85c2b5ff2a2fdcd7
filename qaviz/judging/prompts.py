"""What a judge is asked, and what its reply says: the rubric with its criteria, and grades of each, read strictly, or a
reason why there are none.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from statistics import median_low
from typing import Annotated, Any, Self

import pydantic
from pydantic.dataclasses import dataclass as checked

from qaviz.llm import Failure, Fence, Reply, Request, Tool, fence_texts, parse_model
from qaviz.llm.requests import hash_of, object_schema, read_objects
from qaviz.model.columns import ANSWER, CONTEXTS, FACT, QUESTION, RESPONSE
from qaviz.model.errors import stop, stop_at_fields

TEXTS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
DEFAULT_FILE = Path(__file__).parent / "default_rubric.toml"
COMPOSITE = "composite"
"""Name of the weighted mean of all criteria."""
MOST_GRADES, MOST_CRITERIA = 11, 10
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_RESERVED = {COMPOSITE, "nonce", "gives_no_answer"}
_BY_GRADE = pydantic.AfterValidator(lambda texts: tuple(sorted(texts, key=lambda text: text.grade)))
_Text = Annotated[str, pydantic.StringConstraints(strip_whitespace=True, min_length=1)]


@checked(frozen=True, kw_only=True)
class Example:
    """A response that earns a grade."""

    question: str
    golden_answer: str
    response: str

    @property
    def text(self) -> str:
        """As a judge reads it."""
        return f"Question: {self.question}\nGolden answer: {self.golden_answer}\nResponse: {self.response}"


@checked(frozen=True, kw_only=True)
class GradeText:
    """What earns a grade."""

    grade: pydantic.StrictInt
    text: _Text
    example: Example | None = None


@checked(frozen=True, kw_only=True)
class Criterion:
    """One thing that is graded by itself."""

    name: str
    weight: Annotated[float, pydantic.Field(strict=True, ge=0, lt=1e6)]
    question: _Text
    grades: Annotated[tuple[GradeText, ...], _BY_GRADE]


def _name_criteria(content: object) -> object:
    if not isinstance(content, dict):
        raise ValueError(f"1 to {MOST_CRITERIA} criteria")
    return [{"name": name, **entry} if isinstance(entry, dict) else entry for name, entry in content.items()]


@checked(frozen=True, kw_only=True)
class Rubric:
    """Criteria on one scale of integers."""

    name: str
    lowest: pydantic.StrictInt
    highest: pydantic.StrictInt
    criteria: Annotated[
        tuple[Criterion, ...],
        pydantic.Field(min_length=1, max_length=MOST_CRITERIA),
        pydantic.BeforeValidator(_name_criteria),
    ]
    decided_by: str
    """Name of the criterion, or COMPOSITE, whose grade says whether a response counts as correct."""
    correct_from: Annotated[float, pydantic.Field(strict=True)]

    @pydantic.model_validator(mode="after")
    def _check_whole(self) -> Self:
        """Refuse what each part alone cannot know."""
        names, scale = [criterion.name for criterion in self.criteria], list(self.scale[: MOST_GRADES + 1])
        others = [name for name in names if not _NAME.fullmatch(name) or name in _RESERVED]
        uneven = [part.name for part in self.criteria if [text.grade for text in part.grades] != scale]
        needs = {
            f"2 to {MOST_GRADES} grades, not {self.lowest} to {self.highest}": 1 < len(scale) <= MOST_GRADES,
            f"names of small letters, digits and _, no {', no '.join(sorted(_RESERVED))}, not {others}": not others,
            f"of {', '.join(uneven)} each grade from {self.lowest} to {self.highest} once": not uneven,
            "weights, of which one is above 0": any(criterion.weight for criterion in self.criteria),
            f"decided_by: {COMPOSITE} or a criterion, not {self.decided_by!r}": self.decided_by in (COMPOSITE, *names),
            f"correct_from: a grade above {self.lowest}, up to {self.highest}, not {self.correct_from:g}": (
                self.lowest < self.correct_from <= self.highest
            ),
        }
        if lacking := [need for need, met in needs.items() if not met]:
            raise ValueError("; ".join(lacking))
        return self

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
    fix = f"Write it as in {DEFAULT_FILE}."
    try:
        content = {"name": path.name, "decided_by": COMPOSITE} | tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise stop(path.name, str(error)[:200], "a rubric in TOML", fix) from error
    lowest, highest = content.get("lowest"), content.get("highest")
    if "correct_from" not in content and isinstance(lowest, int) and isinstance(highest, int):
        content["correct_from"] = lowest + 2 / 3 * (highest - lowest)
    try:
        return pydantic.TypeAdapter(Rubric).validate_python(content)
    except pydantic.ValidationError as error:
        raise stop_at_fields(path.name, error, fix) from error


PROMPT_VERSION = 2
TOOL_NAME = "submit_grades"
NONCE = "nonce"
GIVES_NO_ANSWER = "gives_no_answer"
LONGEST_TEXT = 20_000
"""Characters of a response, an answer or the contexts that a judge is given. Of a longer text it gets the beginning."""
_GIVEN = {
    QUESTION: "question",
    ANSWER: "golden_answer",
    FACT: "golden_fact_variants",
    CONTEXTS: "retrieved_passages",
    RESPONSE: "response",
}
"""Columns that a judge is given, under the names of their fences."""

LONGEST_REASON = 1_000


@dataclass(frozen=True, kw_only=True)
class Judge:
    """A model with its rubric and prompt. Only grades of one judge are compared."""

    model: str
    """`openai:NAME` or `bedrock:NAME`."""
    rubric: Rubric = field(default_factory=default_rubric)
    few_shot: bool = True
    """Whether the rubric's examples are shown."""
    temperature: float = 0.1
    repeats: int = 1
    """How often each response is graded; the grade is the median."""

    @property
    def key(self) -> str:
        """Hash of all that makes it this judge: 16 hexadecimal digits. Grades of two keys are never mixed."""
        # No examples of its own: the keys are those of judges that could have some.
        fields = {"model": str(parse_model(self.model)), "rubric": asdict(self.rubric), "few_shot": self.few_shot}
        fields |= {"examples": (), "temperature": self.temperature, "repeats": self.repeats, "version": PROMPT_VERSION}
        return hash_of(fields)[:16]

    @property
    def shots(self) -> str:
        """`few-shot` or `zero-shot`."""
        return "few-shot" if self.few_shot else "zero-shot"


def grade_requests(judge: Judge, row: Mapping[str, object]) -> list[Request]:
    """The requests, one a repeat, that grade one response. `row` has the columns that a run has. The nonce that a reply
    has to bear is that of `fence_row`. Every text of files and people, the examples too, stands in the user's
    message, fenced as data; the system message names the fences."""
    fence = fence_row(judge, row)
    request = Request(
        system=_write_system(judge, fence),
        prompt=f"{fence.text}\n\nGrade the response.",
        temperature=judge.temperature,
        max_tokens=300 + 200 * len(judge.rubric.criteria),
        tool=_build_tool(judge.rubric, fence.nonce),
    )
    return [replace(request, repeat=repeat) for repeat in range(judge.repeats)]


def fence_row(judge: Judge, row: Mapping[str, object]) -> Fence:
    """What this judge is given with this row; a reply has to repeat the nonce."""
    texts = {
        f"example_{criterion.name}_{grade.grade}": grade.example.text
        for criterion in (judge.rubric.criteria if judge.few_shot else ())
        for grade in criterion.grades
        if grade.example
    }
    texts |= {name: _read_cell(row.get(column)) for column, name in _GIVEN.items()}
    return fence_texts({name: _shorten(text) for name, text in texts.items() if text})


def _read_cell(value: object) -> str:
    if isinstance(value, list | tuple):
        return "\n\n".join(str(item) for item in value)
    return "" if value is None else str(value)


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}\n[{len(text) - LONGEST_TEXT} more characters]"


def _build_tool(rubric: Rubric, nonce: str) -> Tool:
    """The function by which a judge replies: for each criterion the reason, and only then the grade."""
    properties: dict[str, object] = {NONCE: {"type": "string", "enum": [nonce]}}
    for criterion in rubric.criteria:
        reason = {"type": "string", "description": "One or two sentences that lead to the grade."}
        grade = {"type": "integer", "enum": list(rubric.scale)}
        properties[criterion.name] = object_schema({"reason": reason, "grade": grade})
    properties[GIVES_NO_ANSWER] = {
        "type": "boolean",
        "description": "Whether the response declines: it says that it cannot answer, and gives no answer.",
    }
    description = "Submit the grades of one response."
    return Tool(name=TOOL_NAME, description=description, parameters=object_schema(properties))


def _write_system(judge: Judge, fence: Fence) -> str:
    rubric, lines = judge.rubric, list[str]()
    for criterion in rubric.criteria:
        lines += ["", f"{criterion.name}: {criterion.question}"]
        for grade in criterion.grades:
            lines.append(f"  {grade.grade}: {grade.text}")
            if judge.few_shot and grade.example:
                lines.append(f"     Example: the data example_{criterion.name}_{grade.grade}.")
    scale = {"lowest": rubric.lowest, "highest": rubric.highest, "criteria": "\n".join(lines)}
    return write_prompt("response", fence, TOOL_NAME, **scale)


def write_prompt(name: str, fence: Fence, tool: str, **fields: object) -> str:
    """The message of this name in prompts.toml for texts within this fence."""
    template: str = TEXTS[name]
    return template.format(notice=fence.notice, nonce=fence.nonce, tool=tool, **fields)


@dataclass(frozen=True, kw_only=True)
class Graded:
    """One response's grades, or why it has none."""

    grades: Mapping[str, int] = field(default_factory=dict)
    """By criterion; empty where the response is unscored."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """The judge's, by criterion. Untrusted."""
    declined: bool = False
    """Whether the judge says that the response gives no answer."""
    unscored: str | None = None
    """Why there are no grades; None where there are."""


def read_reply(reply: Reply, nonce: str, rubric: Rubric) -> Graded:
    """Read one reply. Whatever is not exactly what was asked for is unscored, never a grade."""
    if reply.failure:
        return Graded(unscored="the judge refused" if reply.failure is Failure.REFUSED else str(reply.failure))
    if reply.cut:
        return Graded(unscored="the reply was cut")
    objects = [*read_objects(reply.text)]
    ours = [content for content in objects if content and content.get(NONCE) == nonce]
    if None in objects:
        return Graded(unscored="a key twice in one object")
    if len(ours) != 1:
        return Graded(unscored=f"{'several JSON objects' if ours else 'no JSON object'} with the nonce")
    grades: dict[str, int] = {}
    reasons: dict[str, str] = {}
    for criterion in rubric.criteria:
        part = ours[0].get(criterion.name)
        if not isinstance(part, dict) or "grade" not in part:
            return Graded(unscored=f"no grade of {criterion.name}")
        grade, reason = part["grade"], part.get("reason")
        if not isinstance(grade, int) or isinstance(grade, bool) or grade not in rubric.scale:
            return Graded(unscored=f"a grade of {criterion.name} outside the scale")
        if not isinstance(reason, str) or not reason.strip():
            return Graded(unscored=f"no reason for {criterion.name}")
        if list(part).index("reason") > list(part).index("grade"):
            return Graded(unscored=f"the grade of {criterion.name} before its reason")
        grades[criterion.name], reasons[criterion.name] = grade, reason.strip()[:LONGEST_REASON]
    return Graded(grades=grades, reasons=reasons, declined=ours[0].get(GIVES_NO_ANSWER) is True)


def combine_repeats(repeats: list[Graded], rubric: Rubric) -> Graded:
    """The median of each criterion's grades over the repeats; unscored where fewer than half have grades."""
    if len(repeats) == 1:
        return repeats[0]
    scored = [repeat for repeat in repeats if repeat.unscored is None]
    if 2 * len(scored) <= len(repeats):
        return next(repeat for repeat in repeats if repeat.unscored is not None)
    names = [criterion.name for criterion in rubric.criteria]
    grades = {name: median_low(graded.grades[name] for graded in scored) for name in names}
    deciding = [rubric.deciding_grade(graded.grades) for graded in scored]
    median = rubric.deciding_grade(grades)
    return Graded(
        grades=grades,
        reasons=scored[deciding.index(median) if median in deciding else 0].reasons,
        declined=2 * sum(graded.declined for graded in scored) > len(scored),
    )
