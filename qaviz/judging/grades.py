"""What a judge's reply says, read strictly: grades of every criterion, or a reason why there are none."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median_low
from typing import Any

from qaviz.judging.prompts import GIVES_NO_ANSWER, NONCE
from qaviz.judging.rubric import Rubric
from qaviz.llm import Failure, Reply

LONGEST_REASON = 1_000
MOST_BRACES = 200
"""Places at which an object may begin; a reply with more is no reply to what was asked."""


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
    consistent: bool | None = None
    """Whether all repeats gave the same deciding grade; None for a single one."""


def read_reply(reply: Reply, nonce: str, rubric: Rubric) -> Graded:
    """Read one reply. Whatever is not exactly what was asked for is unscored, never a grade."""
    if reply.failure:
        return Graded(unscored=_why_failed(reply))
    if reply.cut:
        return Graded(unscored="the reply was cut")
    objects = [each for each in read_objects(reply.text) if each is None or NONCE in each]
    ours = [each for each in objects if each and each[NONCE] == nonce]
    if None in objects:
        return Graded(unscored="a key twice in one object")
    if not ours:
        return Graded(unscored="no JSON object with the nonce")
    if len(ours) > 1:
        return Graded(unscored="several JSON objects with the nonce")
    return _read_object(ours[0], rubric)


def _why_failed(reply: Reply) -> str:
    return "the judge refused" if reply.failure is Failure.REFUSED else str(reply.failure)


def _read_object(said: Mapping[str, Any], rubric: Rubric) -> Graded:
    grades: dict[str, int] = {}
    reasons: dict[str, str] = {}
    for criterion in rubric.criteria:
        part = said.get(criterion.name)
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
    return Graded(grades=grades, reasons=reasons, declined=said.get(GIVES_NO_ANSWER) is True)


def read_objects(text: str) -> Iterator[dict[str, Any] | None]:
    """Every JSON object in a text that is not a part of another one; None for one with a key twice."""
    decoder = json.JSONDecoder(object_pairs_hook=_unique)
    place = text.find("{")
    for _ in range(MOST_BRACES):
        if place < 0:
            return
        try:
            found, end = decoder.raw_decode(text, place)
        except _DoubledKeyError:
            yield None
            return
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield found
        place = text.find("{", end)


class _DoubledKeyError(Exception):
    """A key stands twice in one object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _DoubledKeyError
    return found


def combine_repeats(repeats: list[Graded], rubric: Rubric) -> Graded:
    """The median of each criterion's grades over the repeats; unscored where fewer than half have grades."""
    if len(repeats) == 1:
        return repeats[0]
    scored = [each for each in repeats if each.unscored is None]
    if 2 * len(scored) <= len(repeats):
        return next(each for each in repeats if each.unscored is not None)
    grades = {each.name: median_low(graded.grades[each.name] for graded in scored) for each in rubric.criteria}
    nearest = next(
        (each for each in scored if rubric.deciding_grade(each.grades) == rubric.deciding_grade(grades)), scored[0]
    )
    return Graded(
        grades=grades,
        reasons=nearest.reasons,
        declined=2 * sum(each.declined for each in scored) > len(scored),
        consistent=len({rubric.deciding_grade(each.grades) for each in scored}) == 1,
    )
