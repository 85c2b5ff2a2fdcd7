"""Scores of a table of responses: equal texts are scored once, what cannot be scored is null with a reason."""

import polars as pl

from qaviz.model import (
    AND_DELIMITER,
    ANSWER,
    ANSWER_SCORES,
    CONTEXT_RECALL,
    FACT,
    FACT_SCORES,
    HIT_COLUMNS,
    OR_DELIMITER,
    RESPONSE,
    SCORES,
    UNSCORED_ANSWER,
    UNSCORED_FACT,
    WARNINGS,
    Progress,
)
from qaviz.scoring import definition
from qaviz.scoring.hits import find_fact
from qaviz.scoring.traps import warnings

_TEXTS = (ANSWER, FACT, RESPONSE)
_HIT_TYPES = (pl.String(), pl.Int64(), pl.Int64(), pl.Boolean())
_COMPUTED = pl.Schema(
    {name: pl.Float64() for name in (*SCORES, CONTEXT_RECALL)}
    | dict(zip(HIT_COLUMNS, _HIT_TYPES, strict=True))
    | {WARNINGS: pl.List(pl.String())}
)


def score(rows: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the rows, in their order, with FMEval's seven word scores and what belongs to them.

    Needs the text columns `answer`, `fact` and `response`. Adds SCORES and `context_recall` (Float64, null where there
    is nothing to score by), `unscored_fact` and `unscored_answer` (the reason, null where scored), HIT_COLUMNS (null
    where no variant of the fact hit) and `warnings` (a list of sentences, empty where there is none).
    """
    rows = rows.with_columns(_why_no_fact_score().alias(UNSCORED_FACT), _why_no_answer_score().alias(UNSCORED_ANSWER))
    asked = rows.select(*_TEXTS, UNSCORED_FACT, UNSCORED_ANSWER)
    unique = asked.unique(maintain_order=True)
    computed = pl.DataFrame([_row(*texts) for texts in unique.iter_rows()], schema=_COMPUTED, orient="row")
    joined = asked.join(unique.hstack(computed), on=asked.columns, how="left", nulls_equal=True, maintain_order="left")
    if progress:
        progress(1.0, "scored")
    return rows.hstack(joined.select(_COMPUTED.names()))


def _blank(column: str) -> pl.Expr:
    """Whether a text column says nothing: null, white space, or nothing but delimiters."""
    without_delimiters = pl.col(column).str.replace_all(f"{OR_DELIMITER}|{AND_DELIMITER}", "")
    return pl.col(column).is_null() | (without_delimiters.str.strip_chars() == "")


def _why_no_fact_score() -> pl.Expr:
    both = pl.col(FACT).str.contains(OR_DELIMITER, literal=True) & pl.col(FACT).str.contains(
        AND_DELIMITER, literal=True
    )
    return (
        pl.when(pl.col(RESPONSE).is_null())
        .then(pl.lit("there is no response"))
        .when(_blank(FACT))
        .then(pl.lit("the triplet has no fact"))
        .when(both)
        .then(pl.lit("the fact mixes <OR> and <AND>, which FMEval cannot read"))
    )


def _why_no_answer_score() -> pl.Expr:
    return (
        pl.when(pl.col(RESPONSE).is_null())
        .then(pl.lit("there is no response"))
        .when(_blank(ANSWER))
        .then(pl.lit("the triplet has no answer"))
    )


def _row(
    answer: str, fact: str, response: str, unscored_fact: str | None, unscored_answer: str | None
) -> tuple[object, ...]:
    facts: tuple[object, ...] = (None,) * len(FACT_SCORES)
    answers: tuple[object, ...] = (None,) * len(ANSWER_SCORES)
    hit, warned, context = None, list[str](), None
    if not unscored_fact:
        facts, hit = definition.fact_scores(fact, response), find_fact(fact, response)
        warned = warnings(fact, response)
    if not unscored_answer:
        answers = definition.answer_scores(answer, response)
    if not unscored_fact and not unscored_answer:
        context = definition.context_recall(answer, fact, response)
    where = (hit.variant, hit.start, hit.end, hit.inside_token) if hit else (None,) * len(HIT_COLUMNS)
    return *facts, *answers, context, *where, warned
