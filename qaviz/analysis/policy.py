"""The acceptance criteria of a file and of a workspace: read with every problem at once, written, and in words."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

import orjson

from qaviz.analysis.numbers import out_of, percent, plural
from qaviz.loading.doubts import read_doubts
from qaviz.loading.load_log import DOUBT
from qaviz.model import columns as c
from qaviz.model.classes import Measure
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import NO_PROTOCOL, Criterion, Protocol, Run
from qaviz.store.settings import kept_policy, policies_kept
from qaviz.store.workspace import Workspace

CRITERIA = "criteria"
AT_LEAST, AT_MOST, NOT_WORSE_BY, THAN = "at_least", "at_most", "not_worse_by", "than"
BASELINE = "baseline"
"""What a criterion is `than` where a gate measures it against the baseline's counterpart."""
SCOPES = ("category", "tag")
SMALLEST, A_DAY = "smallest_difference", "questions_a_day"
"""The smallest difference of two shares of right answers that matters, and questions that people write a day."""

_FORM = '[[criteria]] with measure = "right answers", at_least = 0.9 and, if it is not for all, category or tag'
_ENOUGH = 1_000_000
"""Bytes beyond which a file is no policy."""


def doubts_in_force(workspace: Workspace, run: Run) -> tuple[str, ...]:
    """What was doubtful when the run was loaded, a sentence each; QavizError if the run's list is damaged."""
    return read_doubts(workspace.read_listed(run)) if DOUBT in run.listed_counts else ()


def read_policy(file: Path) -> tuple[Criterion, ...]:
    """The criteria of a .toml or .json file, in its order. Raises QavizError with every problem of the file."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise _unreadable(file, error.strerror or "a file that cannot be read") from error
    if len(text) > _ENOUGH:
        raise _unreadable(file, f"{len(text):,} bytes")
    try:
        content = orjson.loads(text) if file.suffix.lower() == ".json" else tomllib.loads(text.decode("utf-8"))
    except (orjson.JSONDecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _unreadable(file, str(error).rstrip(".")) from error
    return criteria_of(content, file.name)


def criteria_of(content: object, where: str) -> tuple[Criterion, ...]:
    """The criteria of what a policy says, once parsed. Raises QavizError with every problem, named by its place."""
    listed = content.get(CRITERIA) if isinstance(content, Mapping) else None
    if not isinstance(listed, list) or not listed:
        raise _unreadable(Path(where), f"no list of {CRITERIA}")
    others = (
        {name: value for name, value in content.items() if name != CRITERIA} if isinstance(content, Mapping) else {}
    )
    problems = list(_find_problems_of_protocol(others, where))
    criteria = []
    for number, entry in enumerate(listed, start=1):
        place = f"{where}, criterion {number}"
        problems_of_entry = list(_find_problems(entry, place))
        problems += problems_of_entry
        if not problems_of_entry:
            criteria.append(_read_criterion(entry))
    if problems:
        raise QavizError(*problems)
    return tuple(criteria)


def _find_problems_of_protocol(given: Mapping[str, Any], where: str) -> Iterator[Problem]:
    for name, value in given.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name == SMALLEST and not (number and 0 < value < 1):
            yield Problem(where=where, found=f"{name} = {value}", expected="from 0 to 1", fix="Write 0.05.")
        elif name == A_DAY and not (number and value >= 1 and int(value) == value):
            yield Problem(where=where, found=f"{name} = {value}", expected="a whole number", fix="Write 20.")
        elif name not in (SMALLEST, A_DAY):
            yield Problem(where=where, found=f'"{name}"', expected=_FORM, fix="Remove it.")


def protocol_in_force(workspace: Workspace, run: Run) -> Protocol:
    """What is agreed beside the criteria, and whether all of it stood before the run was scored.

    What was set again as it was, or beside other parts of the policy, keeps its first date.
    """
    kept = policies_kept(workspace)
    if not kept:
        return NO_PROTOCOL
    newest = kept[0][0]
    agreed = {name: newest[name] for name in (CRITERIA, SMALLEST) if newest.get(name)}
    since = None
    for policy, moment in kept:
        if any(policy.get(name) != value for name, value in agreed.items()):
            break
        since = moment
    return Protocol(
        smallest_difference=newest.get(SMALLEST),
        questions_a_day=newest.get(A_DAY),
        set_at=since if agreed else None,
        before=since < run.created_at if agreed and since else None,
    )


def criteria_in_force(workspace: Workspace) -> tuple[Criterion, ...]:
    """The criteria that were saved with the workspace last; none if there never were any."""
    kept = kept_policy(workspace)
    listed = (kept or {}).get(CRITERIA)
    return criteria_of({CRITERIA: listed}, "the policy of the workspace") if listed else ()


def as_policy(criteria: Sequence[Criterion]) -> dict[str, list[dict[str, object]]]:
    """What `criteria_of` reads as these criteria: for JSON."""
    entries = list[dict[str, object]]()
    for criterion in criteria:
        scope = {"category": criterion.category, "tag": criterion.tag}
        bound: dict[str, object] = {AT_LEAST if criterion.measure.more_is_better else AT_MOST: criterion.bound}
        if criterion.than is not None:
            bound = {NOT_WORSE_BY: criterion.bound, THAN: criterion.than}
        entries.append({"measure": criterion.measure.value} | bound | {name: of for name, of in scope.items() if of})
    return {CRITERIA: entries}


_FORMER_NAMES = {"correct": Measure.CORRECT.value}
"""Measures under the names that older policies give them."""


_Entry: TypeAlias = Mapping[str, Any]
"""One criterion as a file has it, before it is checked: any fields with any values."""


def _read_measure(entry: _Entry) -> str:
    measure = str(entry.get("measure", ""))
    return _FORMER_NAMES.get(measure, measure)


def _find_problems(entry: object, place: str) -> Iterator[Problem]:
    if not isinstance(entry, Mapping):
        yield Problem(where=place, found=str(entry), expected=_FORM, fix="Write it as a table.")
        return
    measures = [measure.value for measure in Measure]
    measure = _read_measure(entry)
    if measure not in measures:
        words = f'the measure "{measure}"' if measure else "no measure"
        yield Problem(where=place, found=words, expected=", ".join(measures), fix="Name one of them.")
        return
    guardrail = NOT_WORSE_BY in entry
    bound = NOT_WORSE_BY if guardrail else AT_LEAST if Measure(measure).more_is_better else AT_MOST
    value = entry.get(bound)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        words = f"{bound} = {value}" if bound in entry else f"no {bound}"
        expected = f"{bound} from 0 to 1 for {measure}"
        yield Problem(where=place, found=words, expected=expected, fix="Write 0.9 for 90%.")
    yield from _find_problems_of_measure(entry, Measure(measure), value, place)
    if guardrail and (measure == Measure.CERTIFIED.value or not str(entry.get(THAN) or "").strip()):
        expected = 'than = "the pipeline to compare with", and a measure other than certified'
        yield Problem(where=place, found=f"{NOT_WORSE_BY} = {value}", expected=expected, fix="Name the pipeline.")
    for name in SCOPES:
        if name in entry and not (isinstance(entry[name], str) and entry[name].strip()):
            yield Problem(
                where=place,
                found=f"{name} = {entry[name]!r}",
                expected="a text",
                fix="Remove it to cover all questions.",
            )
    for name in entry:
        if name not in ("measure", bound, *SCOPES, *([THAN] if guardrail else [])):
            yield Problem(where=place, found=f'"{name}"', expected=_FORM, fix="Remove it.")


def _find_problems_of_measure(entry: _Entry, measure: Measure, bound: object, place: str) -> Iterator[Problem]:
    """A time or a cost is measured against a baseline; a certificate is about all verdicts of a run, of which some may
    be wrong."""
    if measure.is_expense and entry.get(THAN) != BASELINE:
        expected = f'{NOT_WORSE_BY} = 0.5 and {THAN} = "{BASELINE}" for {measure.value}: half as much again'
        yield Problem(where=place, found=f"{THAN} = {entry.get(THAN)!r}", expected=expected, fix="Write both.")
    if measure is not Measure.CERTIFIED:
        return
    if bound in (0, 1):
        expected = "at_most above 0 and below 1 for certified"
        yield Problem(where=place, found=f"at_most = {bound}", expected=expected, fix="Write 0.1 for 10%.")
    for name in SCOPES:
        if name in entry:
            expected = "all questions: certified is about every verdict of the run"
            yield Problem(where=place, found=f'"{name}"', expected=expected, fix="Remove it.")


def _read_criterion(entry: _Entry) -> Criterion:
    measure = Measure(_read_measure(entry))
    than = entry.get(THAN)
    bound = entry[NOT_WORSE_BY if than else AT_LEAST if measure.more_is_better else AT_MOST]
    return Criterion(
        measure=measure, bound=float(bound), category=entry.get("category"), tag=entry.get("tag"), than=than
    )


def _unreadable(file: Path, fault: str) -> QavizError:
    return QavizError(Problem(where=file.name, found=fault, expected=_FORM, fix="Correct the file."))


class CriterionRow(TypedDict):
    """A row of `evaluate`: one criterion and pipeline."""

    measure: str
    """A `Measure`."""
    scope: str
    """The questions it is about, in words."""
    bound: float
    """Of a guardrail: the most that it may be worse."""
    than: str | None
    """Of a guardrail: the pipeline that it is compared with; value, low and high are then the difference, above 0 for
    better."""
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


EVERY = "all questions"


class Outcome(StrEnum):
    """What is known of a criterion."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown with this many questions"


def word_scope(criterion: Criterion) -> str:
    """`category income, tagged critical`; `all questions`."""
    words = [f"category {criterion.category}"] if criterion.category else []
    if criterion.tag:
        words.append(f"tagged {criterion.tag}")
    return ", ".join(words) or EVERY


def criterion_in_words(criterion: Criterion) -> str:
    """`facts stated, at least 90%, tagged critical`."""
    bound = word_bound(criterion.measure, criterion.bound, criterion.than)
    return f"{criterion.measure.value}, {bound}, {word_scope(criterion)}"


def in_words(row: CriterionRow) -> str:
    """A row of `evaluate` as what it asks: `hallucinations at most 5%, tagged critical`."""
    scope = "" if row["scope"] == EVERY else f", {row['scope']}"
    return f"{row['measure']} {word_bound(Measure(row['measure']), row['bound'], row['than'])}{scope}"


def word_bound(measure: Measure, bound: float, than: str | None = None) -> str:
    """`at least 90%`; of a guardrail `at most 2 points worse than A`."""
    if than is not None:
        return f"at most {bound * 100:.3g} points worse than {than}"
    return f"{'at least' if measure.more_is_better else 'at most'} {percent(bound)}"


def word_value(row: CriterionRow, share: float | None) -> str:
    """A value of a row or an end of its interval: `80%`; of a guardrail the difference, `−2.0 points`."""
    return percent(share) if row["than"] is None or share is None else f"{share * 100:+.1f} points"


def word_row(row: CriterionRow) -> str:
    """What came of a criterion, in a sentence."""
    words = f"{word_bound(Measure(row['measure']), row['bound'], row['than'])} required"
    subject = f"{row[c.PIPELINE]}, {row['measure']}, {row['scope']}"
    if not row["expected"]:
        return f"{subject}: no question in scope, so {words} is not shown."
    if row["value"] is None:
        return f"{subject}: none of {row['expected']:,} is scored, so {words} is not shown."
    value, low, high = (word_value(row, row[end]) for end in ("value", "low", "high"))
    likely = f"95% interval {low} to {high}"
    coverage = plural(row["expected"], "question")
    if row["scored"] < row["expected"]:
        coverage = f"{out_of(row['scored'], row['expected'])} questions known"
    return f"{subject}: {value} ({likely}; {coverage}), {words}: {row['outcome']}."
