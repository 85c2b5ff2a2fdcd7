"""The acceptance criteria of a file and of a workspace: read with every problem at once, written, and in words."""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from typing import Annotated, TypedDict

import orjson
from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from qaviz.analysis import numbers
from qaviz.analysis.numbers import out_of, percent, plural
from qaviz.loading.doubts import read_doubts
from qaviz.loading.load_log import DOUBT
from qaviz.model import columns as c
from qaviz.model.classes import Measure, measure_of
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import NO_PROTOCOL, Criterion, Protocol, Run
from qaviz.store.labels import HASH, hash_responses
from qaviz.store.settings import kept_policy, policies_kept
from qaviz.store.workspace import Workspace

CRITERIA = "criteria"
AT_LEAST, AT_MOST, NOT_WORSE_BY, THAN, SCORE = "at_least", "at_most", "not_worse_by", "than", "score"
BASELINE = "baseline"
"""What a criterion is `than` where a gate measures it against the baseline's counterpart."""
SMALLEST, A_DAY = "smallest_difference", "questions_a_day"
"""The smallest difference of two shares of right answers that matters, and questions that people write a day."""

_FORM = '[[criteria]] with measure = "right answers", at_least = 0.9 and, if it is not for all, category or tag'
_ENOUGH = 1_000_000
"""Bytes beyond which a file is no policy."""
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
_Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
_FORMER_NAMES = {"correct": Measure.CORRECT.value}
"""Measures under the names that older policies give them."""
_MEASURES = tuple(measure.value for measure in Measure if measure is not Measure.SCORE)
_EXPECTED = {
    "measure": (", ".join(_MEASURES), "Name one of them."),
    SCORE: ("the name of a score of the responses", "Name it."),
    SMALLEST: ("from 0 to 1", "Write 0.05."),
    A_DAY: ("a whole number", "Write 20."),
    **dict.fromkeys(("category", "tag"), ("a text", "Remove it to cover all questions.")),
    THAN: ("the name of a pipeline", "Name the pipeline."),
}
EVERY = "all questions"


def doubts_in_force(workspace: Workspace, run: Run) -> tuple[str, ...]:
    """What was doubtful when the run was loaded, a sentence each; QavizError if the run's list is damaged."""
    return read_doubts(workspace.read_listed(run)) if DOUBT in run.listed_counts else ()


def read_policy(file: Path) -> tuple[Criterion, ...]:
    """The criteria of a .toml or .json file, in its order. Raises QavizError with every problem of the file."""
    try:
        text = file.read_bytes()
        if len(text) > _ENOUGH:
            raise _refuse(file.name, f"{len(text):,} bytes")
        content = orjson.loads(text) if file.suffix.lower() == ".json" else tomllib.loads(text.decode("utf-8"))
    except OSError as error:
        raise _refuse(file.name, error.strerror or "a file that cannot be read") from error
    except ValueError as error:  # of JSON, TOML and UTF-8 alike
        raise _refuse(file.name, str(error).rstrip(".")) from error
    return criteria_of(content, file.name)


def criteria_of(content: object, where: str) -> tuple[Criterion, ...]:
    """The criteria of what a policy says, once parsed. Raises QavizError with every problem, named by its place."""
    listed = content.get(CRITERIA) if isinstance(content, Mapping) else None
    if not isinstance(content, Mapping) or not isinstance(listed, list) or not listed:
        raise _refuse(where, f"no list of {CRITERIA}")
    try:
        policy = _Policy.model_validate(content)
    except ValidationError as error:
        raise QavizError(*(_describe_problem(fault, where) for fault in error.errors())) from error
    return tuple(entry.criterion() for entry in policy.criteria)


class _Entry(BaseModel, extra="forbid", strict=True):
    """One criterion as a file has it."""

    measure: Annotated[Measure, BeforeValidator(lambda name: Measure(_FORMER_NAMES.get(str(name), str(name))))] = (
        Measure.SCORE
    )
    score: _Text | None = None
    at_least: _Share | None = None
    at_most: _Share | None = None
    not_worse_by: _Share | None = None
    than: _Text | None = None
    category: _Text | None = None
    tag: _Text | None = None

    @property
    def bound_name(self) -> str:
        """Which of the bounds the measure takes."""
        if self.not_worse_by is not None:
            return NOT_WORSE_BY
        return AT_LEAST if self.measure.more_is_better else AT_MOST

    @model_validator(mode="after")
    def _refuse_what_does_not_fit(self) -> "_Entry":
        if (self.measure is Measure.SCORE) is (self.score is None):
            expected = f"{', '.join(_MEASURES)}; or score, the name of a score of the responses"
            raise _misfit("a measure and a score" if self.score else "no measure", expected, "Name one of them.")
        if self.score in set(Measure):
            raise _misfit(f'score = "{self.score}"', "the name of a score of the responses", "Write measure.")
        name, certified = self.bound_name, self.measure is Measure.CERTIFIED
        bound = getattr(self, name)
        others = [other for other in (AT_LEAST, AT_MOST) if other != name and getattr(self, other) is not None]
        if self.than is not None and name != NOT_WORSE_BY:
            others.append(THAN)
        if bound is None:
            raise _misfit(f"no {name}", f"{name} from 0 to 1 for {self.measure.value}", "Write 0.9 for 90%.")
        if others:
            raise _misfit(f'"{others[0]}"', _FORM, "Remove it.")
        if name == NOT_WORSE_BY and (certified or self.than is None):
            expected = 'than = "the pipeline to compare with", and a measure other than certified'
            raise _misfit(f"{name} = {bound}", expected, "Name the pipeline.")
        if self.measure.is_expense and self.than != BASELINE:
            expected = f'{NOT_WORSE_BY} = 0.5 and {THAN} = "{BASELINE}" for {self.measure.value}: half as much again'
            raise _misfit(f"{THAN} = {self.than!r}", expected, "Write both.")
        if certified and bound in (0, 1):
            raise _misfit(f"at_most = {bound}", "at_most above 0 and below 1 for certified", "Write 0.1 for 10%.")
        if (certified or self.measure.is_expense) and (self.category or self.tag):
            of = "verdict" if certified else "response"
            expected = f"all questions: {self.measure.value} is about every {of} of the run"
            raise _misfit('"category"' if self.category else '"tag"', expected, "Remove it.")
        return self

    def criterion(self) -> Criterion:
        """The criterion that the entry says."""
        bound = getattr(self, self.bound_name)
        scope = {"category": self.category, "tag": self.tag}
        return Criterion(measure=self.measure, score=self.score, bound=bound, than=self.than, **scope)


class _Policy(BaseModel, extra="forbid", strict=True):
    """A policy as a file has it."""

    criteria: list[_Entry]
    smallest_difference: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)] | None = None
    questions_a_day: Annotated[int, Field(ge=1)] | None = None


def _misfit(fault: str, expected: str, fix: str) -> PydanticCustomError:
    return PydanticCustomError("misfit", "{found}", {"found": fault, "expected": expected, "fix": fix})


def _describe_problem(fault: ErrorDetails, where: str) -> Problem:
    place, own = fault["loc"], fault.get("ctx", {})
    of_entry = len(place) > 1 and place[0] == CRITERIA
    where = f"{where}, criterion {int(place[1]) + 1}" if of_entry else where
    if fault["type"] == "misfit":
        return Problem(where=where, **own)
    name, given = str(place[-1]), fault["input"]
    if of_entry and len(place) == 2:
        return Problem(where=where, found=str(given), expected=_FORM, fix="Write it as a table.")
    if fault["type"] == "extra_forbidden":
        return Problem(where=where, found=f'"{name}"', expected=_FORM, fix="Remove it.")
    expected, fix = _EXPECTED.get(name, (f"{name} from 0 to 1", "Write 0.9 for 90%."))
    words = f'the measure "{given}"' if name == "measure" else f"{name} = {given}"
    return Problem(where=where, found=words, expected=expected, fix=fix)


def protocol_in_force(workspace: Workspace, run: Run) -> Protocol:
    """What is agreed beside the criteria, and whether all of it stood before the run was scored.

    What was set again as it was, or beside other parts of the policy, keeps its first date.
    """
    kept = policies_kept(workspace)
    if not kept:
        return NO_PROTOCOL
    newest = kept[0][0]
    agreed = {name: newest[name] for name in (CRITERIA, SMALLEST) if newest.get(name)}
    unchanged = takewhile(lambda policy: all(policy[0].get(name) == value for name, value in agreed.items()), kept)
    since = [moment for _, moment in unchanged][-1]
    return Protocol(
        smallest_difference=newest.get(SMALLEST),
        questions_a_day=newest.get(A_DAY),
        set_at=since if agreed else None,
        before=since < _first_seen(workspace, run, since) if agreed else None,
    )


def _first_seen(workspace: Workspace, run: Run, since: datetime) -> datetime:
    """When the responses of the run were scored first: what is imported again is no new result."""
    if since >= run.created_at:
        return run.created_at
    earlier = [
        other
        for other in workspace.runs(archived=True)
        if other.created_at <= since and {*other.pipelines} == {*run.pipelines} and other.responses == run.responses
    ]
    own, *others = (
        hash_responses(workspace, seen).select(c.PIPELINE, HASH).sort(c.PIPELINE, HASH) for seen in (run, *earlier)
    )
    same = (other.created_at for other, hashes in zip(earlier, others, strict=True) if hashes.equals(own))
    return min(same, default=run.created_at)


def criteria_in_force(workspace: Workspace) -> tuple[Criterion, ...]:
    """The criteria that were saved with the workspace last; none if there never were any."""
    listed = (kept_policy(workspace) or {}).get(CRITERIA)
    return criteria_of({CRITERIA: listed}, "the policy of the workspace") if listed else ()


def as_policy(criteria: Sequence[Criterion]) -> dict[str, list[dict[str, object]]]:
    """What `criteria_of` reads as these criteria: for JSON."""
    entries = list[dict[str, object]]()
    for criterion in criteria:
        bound = AT_LEAST if criterion.measure.more_is_better else AT_MOST
        entry = {
            "measure": None if criterion.score else criterion.measure.value,
            SCORE: criterion.score,
            bound if criterion.than is None else NOT_WORSE_BY: criterion.bound,
            THAN: criterion.than,
            "category": criterion.category,
            "tag": criterion.tag,
        }
        entries.append({name: given for name, given in entry.items() if given not in (None, "")})
    return {CRITERIA: entries}


def _refuse(where: str, fault: str) -> QavizError:
    return stop(where, fault, _FORM, "Correct the file.")


class CriterionRow(TypedDict):
    """A row of `criteria.meets`: one criterion and pipeline."""

    measure: str
    """A `Measure`, or the name of a score."""
    scope: str
    """The questions it is about, in words."""
    bound: float
    """Of a guardrail: the most that it may be worse."""
    than: str | None
    """Of a guardrail: the pipeline to compare with; value, low and high are then the difference, above 0 for better."""
    pipeline: str
    scored: int
    """Questions without an open response, of how many `expected`."""
    expected: int
    value: float | None
    """Open responses count as 0, missing scores not at all; None where nothing is scored."""
    low: float | None
    """With `high`: between which the value for many questions like these lies at 95 %, however what is open turns out;
    None without a question."""
    high: float | None
    deviation: float | None
    """Of the questions' values where they are means; None for shares."""
    outcome: str
    """An `Outcome`."""
    at_worst: str
    """The outcome if all unsure responses failed, and `at_best`, if all of them passed."""
    at_best: str
    sentence: str


class Outcome(StrEnum):
    """What is known of a criterion."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown with this many questions"


def word_scope(criterion: Criterion) -> str:
    """`category income, tagged critical`; `all questions`."""
    words = {f"category {criterion.category}": criterion.category, f"tagged {criterion.tag}": criterion.tag}
    return ", ".join(word for word, given in words.items() if given) or EVERY


def criterion_in_words(criterion: Criterion) -> str:
    """`facts stated, at least 90%, tagged critical`."""
    bound = word_bound(criterion.measure, criterion.bound, criterion.than)
    return f"{criterion.name}, {bound}, {word_scope(criterion)}"


def in_words(row: CriterionRow) -> str:
    """A row of `criteria.meets` as what it asks: `hallucinations at most 5%, tagged critical`."""
    scope = "" if row["scope"] == EVERY else f", {row['scope']}"
    return f"{row['measure']} {word_bound(measure_of(row['measure']), row['bound'], row['than'])}{scope}"


def word_bound(measure: Measure, bound: float, than: str | None = None) -> str:
    """`at least 90%`; of a guardrail `at most 2 points worse than A`."""
    if than is not None:
        return f"at most {bound * 100:.3g} points worse than {than}"
    return f"{'at least' if measure.more_is_better else 'at most'} {numbers.bound(bound)}"


def word_value(row: CriterionRow, share: float | None) -> str:
    """A value of a row or an end of its interval: `80%`; of a guardrail the difference, `−2.0 points`."""
    return percent(share) if row["than"] is None or share is None else f"{share * 100:+.1f} points"


def word_row(row: CriterionRow) -> str:
    """What came of a criterion, in a sentence."""
    words = f"{word_bound(measure_of(row['measure']), row['bound'], row['than'])} required"
    subject = f"{row[c.PIPELINE]}, {row['measure']}, {row['scope']}"
    if not row["expected"]:
        return f"{subject}: no question in scope, so {words} is not shown."
    if row["value"] is None:
        return f"{subject}: none of {row['expected']:,} is scored, so {words} is not shown."
    value, low, high = (word_value(row, row[end]) for end in ("value", "low", "high"))
    ends = numbers.interval(row["low"], row["high"]) if row["than"] is None else f"{low} to {high}"
    coverage = plural(row["expected"], "question")
    if row["scored"] < row["expected"]:
        coverage = f"{out_of(row['scored'], row['expected'])} questions known"
    return f"{subject}: {value} (95% interval {ends}; {coverage}), {words}: {row['outcome']}."
