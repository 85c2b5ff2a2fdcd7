"""Judging the responses of a run: which ones, at what cost, and the grades as a table."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from qaviz.diagnosis import open_rows
from qaviz.judging.grades import Graded, combine_repeats, read_reply
from qaviz.judging.prompts import Judge, grade_requests, nonce_of
from qaviz.llm import Estimate, Request, Session
from qaviz.llm.asking import Cancelled
from qaviz.llm.requests import hash_of
from qaviz.model.classes import Verdict
from qaviz.model.columns import (
    COST,
    JUDGE,
    JUDGE_REASON,
    PIPELINE,
    QUESTION_ID,
    RESPONSE,
)
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress, Thresholds
from qaviz.store.grades import COMPOSITE, CONSISTENT, GRADES, GRADES_SCHEMA, SECONDS, TOKENS, UNSCORED

OPEN, ALL, SAMPLE = "open", "all", "sample"
_ONLY = re.compile(r"(?P<which>open|all|sample):?(?P<number>\d{1,9})?")


@dataclass(frozen=True, kw_only=True)
class Only:
    """Which responses are judged: those that the rules leave open, all, or a random sample."""

    which: str
    number: int | None = None

    def __str__(self) -> str:
        return self.which if self.number is None else f"{self.which}:{self.number}"


def parse_only(text: str) -> Only:
    """Read `open`, `all` or `sample:N`. Raises QavizError for anything else."""
    found = _ONLY.fullmatch(text)
    if not found or (found["which"] == SAMPLE) != (found["number"] is not None) or found["number"] == "0":
        raise QavizError(
            Problem(
                where="--only",
                found=repr(text),
                expected="open, all or sample:N",
                fix="Write open for what the rules leave open, all, or for example sample:200.",
            )
        )
    return Only(which=found["which"], number=int(found["number"]) if found["number"] else None)


def select_rows(rows: pl.DataFrame, only: Only, thresholds: Thresholds, seed: int = 0) -> pl.DataFrame:
    """The diagnosed rows to judge, in their order. Blank responses are never judged: there is nothing to grade.

    A sample goes by a hash of seed, question and pipeline: the same rows each time, whatever their order, and a larger
    sample contains a smaller one.
    """
    answered = pl.col(RESPONSE).str.strip_chars().str.len_chars().fill_null(0) > 0
    if only.which == OPEN:
        return rows.filter(open_rows(rows, thresholds) & answered)
    return _draw_sample(rows.filter(answered), only, seed)


def _draw_sample(answered: pl.DataFrame, only: Only, seed: int) -> pl.DataFrame:
    if only.number is None or only.number >= answered.height:
        return answered
    drawn = [hash_of([seed, *pair]) for pair in answered.select(QUESTION_ID, PIPELINE).iter_rows()]
    numbered = answered.with_columns(pl.Series("drawn", drawn, pl.String))
    return numbered.filter(pl.col("drawn").rank("ordinal") <= only.number).drop("drawn")


def estimate_judging(session: Session, judge: Judge, rows: pl.DataFrame) -> Estimate:
    """What judging these rows would take."""
    return session.estimate(request for row in rows.iter_rows(named=True) for request in grade_requests(judge, row))


def judge_rows(
    session: Session,
    judge: Judge,
    rows: pl.DataFrame,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pl.DataFrame:
    """Grade each row; returns GRADES_SCHEMA, a row each in their order. Raises as `Session.ask`.

    What was not asked, because of a cap or a cancel, is unscored with that reason.
    """
    asked: list[Request] = []
    nonces = []
    for row in rows.iter_rows(named=True):
        asked += grade_requests(judge, row)
        nonces.append(nonce_of(row))
    replies = session.ask(asked, progress=progress, cancelled=cancelled)
    found = []
    named = rows.select(QUESTION_ID, PIPELINE).rows()
    for place, ((question, pipeline), nonce) in enumerate(zip(named, nonces, strict=True)):
        of_row = replies[place * judge.repeats : (place + 1) * judge.repeats]
        graded = combine_repeats([read_reply(reply, nonce, judge.rubric) for reply in of_row], judge.rubric)
        costs = [reply.cost for reply in of_row if reply.cost is not None]
        paid = {
            COST: sum(costs) if costs else None,
            TOKENS: sum(each.usage.input_tokens + each.usage.output_tokens for each in of_row if each.usage),
            SECONDS: sum(reply.seconds for reply in of_row),
        }
        found.append({QUESTION_ID: question, PIPELINE: pipeline} | _graded_row(graded, judge) | paid)
    return pl.DataFrame(found, schema=GRADES_SCHEMA)


def _graded_row(graded: Graded, judge: Judge) -> dict[str, Any]:
    if graded.unscored is not None:
        return {UNSCORED: graded.unscored}
    rubric = judge.rubric
    said = graded.reasons.get(rubric.decided_by) or " ".join(graded.reasons.values())
    return {
        JUDGE: verdict_of(graded.grades, graded.declined, judge, rubric.correct_from),
        JUDGE_REASON: said,
        COMPOSITE: rubric.composite(graded.grades),
        GRADES: [
            {"criterion": name, "grade": grade, "reason": graded.reasons[name]} for name, grade in graded.grades.items()
        ],
        CONSISTENT: graded.consistent,
    }


def verdict_of(grades: Mapping[str, int], declined: bool, judge: Judge, correct_from: float) -> str:
    """What the grades say of the answer: correct, incorrect or declined."""
    if judge.rubric.deciding_grade(grades) >= correct_from:
        return Verdict.CORRECT.value
    return Verdict.DECLINED.value if declined else Verdict.INCORRECT.value


def unscored_counts(grades: pl.DataFrame) -> Sequence[tuple[str, int]]:
    """Why responses have no grades, and how many, the most frequent first."""
    counted = grades.drop_nulls(UNSCORED).group_by(UNSCORED).len().sort("len", UNSCORED, descending=[True, False])
    return [(str(why), int(number)) for why, number in counted.iter_rows()]
