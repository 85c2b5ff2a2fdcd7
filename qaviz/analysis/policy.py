"""The acceptance criteria of a file and of a workspace: read with every problem at once, and written."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from qaviz.loading.doubts import read_doubts
from qaviz.loading.load_log import DOUBT
from qaviz.model.classes import Measure
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import NO_PROTOCOL, Criterion, Protocol, Run
from qaviz.store import Workspace, kept_policy, policies_kept

CRITERIA = "criteria"
AT_LEAST, AT_MOST, NOT_WORSE_BY, THAN = "at_least", "at_most", "not_worse_by", "than"
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
        said = orjson.loads(text) if file.suffix.lower() == ".json" else tomllib.loads(text.decode("utf-8"))
    except (orjson.JSONDecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _unreadable(file, str(error).rstrip(".")) from error
    return criteria_of(said, file.name)


def criteria_of(said: object, where: str) -> tuple[Criterion, ...]:
    """The criteria of what a policy says, once parsed. Raises QavizError with every problem, named by its place."""
    listed = said.get(CRITERIA) if isinstance(said, Mapping) else None
    if not isinstance(listed, list) or not listed:
        raise _unreadable(Path(where), f"no list of {CRITERIA}")
    others = {name: value for name, value in said.items() if name != CRITERIA} if isinstance(said, Mapping) else {}
    problems = list(_find_problems_of_protocol(others, where))
    criteria = []
    for number, each in enumerate(listed, start=1):
        place = f"{where}, criterion {number}"
        found = list(_find_problems(each, place))
        problems += found
        if not found:
            criteria.append(_read_criterion(each))
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
    return {CRITERIA: [_as_entry(each) for each in criteria]}


def _as_entry(each: Criterion) -> dict[str, object]:
    scope = {"category": each.category, "tag": each.tag}
    bound: dict[str, object] = {AT_LEAST if each.measure.more_is_better else AT_MOST: each.bound}
    if each.than is not None:
        bound = {NOT_WORSE_BY: each.bound, THAN: each.than}
    return {"measure": each.measure.value, **bound, **{name: value for name, value in scope.items() if value}}


_FORMER_NAMES = {"correct": Measure.CORRECT.value}
"""Measures under the names that older policies give them."""


_Entry: TypeAlias = Mapping[str, Any]
"""One criterion as a file has it, before it is checked: any fields with any values."""


def _read_measure(said: _Entry) -> str:
    measure = str(said.get("measure", ""))
    return _FORMER_NAMES.get(measure, measure)


def _find_problems(said: object, place: str) -> Iterator[Problem]:
    if not isinstance(said, Mapping):
        yield Problem(where=place, found=str(said), expected=_FORM, fix="Write it as a table.")
        return
    measures = [each.value for each in Measure]
    measure = _read_measure(said)
    if measure not in measures:
        found = f'the measure "{measure}"' if measure else "no measure"
        yield Problem(where=place, found=found, expected=", ".join(measures), fix="Name one of them.")
        return
    guardrail = NOT_WORSE_BY in said
    bound = NOT_WORSE_BY if guardrail else AT_LEAST if Measure(measure).more_is_better else AT_MOST
    value = said.get(bound)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        found = f"{bound} = {value}" if bound in said else f"no {bound}"
        expected = f"{bound} from 0 to 1 for {measure}"
        yield Problem(where=place, found=found, expected=expected, fix="Write 0.9 for 90%.")
    if measure == Measure.CERTIFIED.value:
        yield from _find_problems_of_promise(said, value, place)
    if guardrail and (measure == Measure.CERTIFIED.value or not str(said.get(THAN) or "").strip()):
        expected = 'than = "the pipeline to compare with", and a measure other than certified'
        yield Problem(where=place, found=f"{NOT_WORSE_BY} = {value}", expected=expected, fix="Name the pipeline.")
    for name in SCOPES:
        if name in said and not (isinstance(said[name], str) and said[name].strip()):
            yield Problem(
                where=place,
                found=f"{name} = {said[name]!r}",
                expected="a text",
                fix="Remove it to cover all questions.",
            )
    for name in said:
        if name not in ("measure", bound, *SCOPES, *([THAN] if guardrail else [])):
            yield Problem(where=place, found=f'"{name}"', expected=_FORM, fix="Remove it.")


def _find_problems_of_promise(said: _Entry, bound: object, place: str) -> Iterator[Problem]:
    """A certificate is about all verdicts of a run, and some of them may be wrong."""
    if bound in (0, 1):
        expected = "at_most above 0 and below 1 for certified"
        yield Problem(where=place, found=f"at_most = {bound}", expected=expected, fix="Write 0.1 for 10%.")
    for name in SCOPES:
        if name in said:
            expected = "all questions: certified is about every verdict of the run"
            yield Problem(where=place, found=f'"{name}"', expected=expected, fix="Remove it.")


def _read_criterion(said: _Entry) -> Criterion:
    measure = Measure(_read_measure(said))
    than = said.get(THAN)
    bound = said[NOT_WORSE_BY if than else AT_LEAST if measure.more_is_better else AT_MOST]
    return Criterion(measure=measure, bound=float(bound), category=said.get("category"), tag=said.get("tag"), than=than)


def _unreadable(file: Path, found: str) -> QavizError:
    return QavizError(Problem(where=file.name, found=found, expected=_FORM, fix="Correct the file."))
