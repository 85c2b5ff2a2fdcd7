"""The biggest risk of shipping a pipeline: what it gets wrong that hurts most, with an example."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from qaviz.analysis.numbers import out_of
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import (
    ANSWER,
    CONFIDENCE,
    DIAGNOSIS,
    FACT,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REASON,
    RESPONSE,
    VERDICT,
)


@dataclass(frozen=True, kw_only=True)
class Risk:
    """What may go wrong, and one response that shows it. Texts as they came; None where there is none."""

    sentence: str
    responses: int
    question_id: str
    pipeline: str
    question: str | None
    answer: str | None
    fact: str | None
    response: str | None
    reason: str | None


_CRITICAL = "critical"
_PLACE = "place"

_WEIGHTS = {
    Diagnosis.HALLUCINATION.value: 3.0,
    Diagnosis.ACCIDENTAL.value: 2.0,
    Diagnosis.OFF_TARGET.value: 2.0,
    Diagnosis.DECLINED.value: 1.0,
    Diagnosis.UNSCORED.value: 0.5,
}
_BY_PEOPLE = "by people"
_BY_PEOPLE_WEIGHT = 2.0
"""How much a response of each diagnosis hurts: a wrong value is believed, an answer that is not given is not."""

_SENTENCES = {
    _CRITICAL: "{n} critical questions are not answered right",
    Diagnosis.HALLUCINATION.value: "{n} responses state a wrong value that readers may believe",
    Diagnosis.ACCIDENTAL.value: "{n} responses match the fact by accident: FMEval counts them as right",
    Diagnosis.OFF_TARGET.value: "{n} responses answer a different question",
    Diagnosis.DECLINED.value: "{n} responses give no answer",
    Diagnosis.UNSCORED.value: "{n} responses are not judged: they may be right or wrong",
    _BY_PEOPLE: "{n} responses look right, but people labelled them as wrong",
}

_EXAMPLE = (QUESTION_ID, PIPELINE, QUESTION, ANSWER, FACT, RESPONSE, REASON)


def biggest_risk(settled: pl.DataFrame, pipeline: str, critical: pl.Series, rows: pl.DataFrame) -> Risk | None:
    """The risk of a pipeline that weighs most, with its most certain response; None where every response is right.

    `critical` are the ids of the questions tagged critical: one of them that is not right outweighs all else.
    `settled` are the verdicts of the `rows`, in their order; the texts of the example are the rows'.
    """
    judged = settled.select(QUESTION_ID, PIPELINE, DIAGNOSIS, VERDICT, CONFIDENCE).with_row_index(_PLACE)
    own = judged.filter(pl.col(PIPELINE) == pipeline)
    wrong = own.filter(pl.col(VERDICT) != Verdict.CORRECT.value)
    broken = wrong.filter(pl.col(QUESTION_ID).is_in(critical.implode()))
    if broken.height:
        among = own.filter(pl.col(QUESTION_ID).is_in(critical.implode())).height
        return _risk(_CRITICAL, broken, among, rows)
    if wrong.is_empty():
        return None
    diagnosis = pl.col(DIAGNOSIS).cast(pl.String)
    wrong = wrong.with_columns(
        pl.when(diagnosis.is_in(list(_WEIGHTS))).then(diagnosis).otherwise(pl.lit(_BY_PEOPLE)).alias("kind")
    )
    found = dict(wrong["kind"].value_counts(sort=True).iter_rows())
    name = max(found, key=lambda kind: found[kind] * _WEIGHTS.get(kind, _BY_PEOPLE_WEIGHT))
    return _risk(name, wrong.filter(pl.col("kind") == name), own.height, rows)


def _risk(name: str, responses: pl.DataFrame, among: int, rows: pl.DataFrame) -> Risk:
    """The risk of this name, with the surest of these responses from the rows that they were taken of."""
    surest = responses.sort(CONFIDENCE, descending=True, nulls_last=True, maintain_order=True)[_PLACE][0]
    example: dict[str, Any] = dict.fromkeys(_EXAMPLE) | rows[surest].select(pl.col(_known(rows))).row(0, named=True)
    sentence = f"{_SENTENCES[name].format(n=out_of(responses.height, among))}."
    return Risk(sentence=sentence, responses=responses.height, **example)


def _known(rows: pl.DataFrame) -> list[str]:
    return [name for name in _EXAMPLE if name in rows.columns]
