"""Scores of a table of responses: equal texts are scored once, what cannot be scored is null with a reason."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import polars as pl

from qaviz.model import (
    AND_DELIMITER,
    ANSWER,
    CONTEXT_RECALL,
    FACT,
    HIT_COLUMNS,
    OR_DELIMITER,
    RESPONSE,
    SCORES,
    UNSCORED_ANSWER,
    UNSCORED_FACT,
    WARNINGS,
    Problem,
    Progress,
    QavizError,
)
from qaviz.scoring import forms
from qaviz.scoring.answers import answer_scores, answer_variants
from qaviz.scoring.facts import TRIPLET, UNIT, fact_scores, fact_variants, look_for
from qaviz.scoring.places import place_facts
from qaviz.scoring.traps import warn

CHUNK = 10_000
"""Units scored at a time by one thread: bounds the memory that the forms of their texts take."""

_TEXTS = [ANSWER, FACT, RESPONSE]
_ADDED = [*SCORES, CONTEXT_RECALL, *HIT_COLUMNS, WARNINGS]


def score(rows: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the rows, in their order, with FMEval's seven word scores and what belongs to them.

    Needs the text columns `answer`, `fact` and `response`. Adds `unscored_fact` and `unscored_answer` (the reason, null
    where scored), SCORES and `context_recall` (Float64, null where there is nothing to score by), HIT_COLUMNS (null
    where no variant of the fact hit) and `warnings` (a list of sentences, empty where there is none); columns of these
    names are replaced. Raises QavizError where one of the three is missing or not text.
    """
    check_texts(rows)
    given = rows.select(pl.col(_TEXTS).cast(pl.String))
    reasons = given.select(_why_no_fact_score().alias(UNSCORED_FACT), _why_no_answer_score().alias(UNSCORED_ANSWER))
    texts = given.hstack(reasons).select(
        pl.when(pl.col(UNSCORED_ANSWER).is_null()).then(ANSWER),
        pl.when(pl.col(UNSCORED_FACT).is_null()).then(FACT),
        pl.col(RESPONSE),
    )
    units = texts.unique(maintain_order=True)
    scored = _score_units(units, progress)
    if units.height < texts.height:
        scored = texts.join(units.hstack(scored), on=_TEXTS, how="left", nulls_equal=True, maintain_order="left")
    return rows.with_columns(*reasons, *scored.select(_ADDED))


def check_texts(rows: pl.DataFrame) -> None:
    """Raise QavizError, with all problems, unless `answer`, `fact` and `response` are there as text, or all null."""
    problems = [
        Problem(
            where=f"column {name}",
            found=f"values of type {rows.schema[name]}" if name in rows.columns else "no such column",
            expected="text",
            fix="Load the files with qaviz.loading, or give this column as pl.String.",
        )
        for name in _TEXTS
        if rows.schema.get(name) not in (pl.String(), pl.Null())
    ]
    if problems:
        raise QavizError(*problems)


def _nothing(column: str, *delimiters: str) -> pl.Expr:
    """Whether a text column is null, or holds but white space and delimiters."""
    return pl.col(column).is_null() | pl.col(column).str.contains(
        f"^(?:{'|'.join(delimiters)}|[{forms.WHITE_SPACE}])*$"
    )


def _why_no_fact_score() -> pl.Expr:
    both = pl.all_horizontal(pl.col(FACT).str.contains(mark, literal=True) for mark in (OR_DELIMITER, AND_DELIMITER))
    return (
        pl.when(pl.col(RESPONSE).is_null())
        .then(pl.lit("there is no response"))
        .when(_nothing(FACT, OR_DELIMITER, AND_DELIMITER))
        .then(pl.lit("the triplet has no fact"))
        .when(both)
        .then(pl.lit("the fact mixes <OR> and <AND>, which FMEval cannot read"))
    )


def _why_no_answer_score() -> pl.Expr:
    return (
        pl.when(pl.col(RESPONSE).is_null())
        .then(pl.lit("there is no response"))
        .when(_nothing(ANSWER, OR_DELIMITER))
        .then(pl.lit("the triplet has no answer"))
    )


def _score_units(units: pl.DataFrame, progress: Progress | None) -> pl.DataFrame:
    """Return what `score` adds for each unit, in their order."""
    golden = units.select(ANSWER, FACT).unique(maintain_order=True).with_row_index(TRIPLET)
    answers, facts = answer_variants(golden), fact_variants(golden)
    numbered = units.join(golden, on=[ANSWER, FACT], nulls_equal=True, maintain_order="left").with_row_index(UNIT)
    scored = []
    with ThreadPoolExecutor(pl.thread_pool_size()) as threads:
        chunks = (numbered.slice(begin, CHUNK) for begin in range(0, max(units.height, 1), CHUNK))
        for part in threads.map(partial(_score_chunk, answers=answers, facts=facts), chunks):
            scored.append(part)
            if progress:
                done = sum(map(len, scored))
                progress(done / max(units.height, 1), f"scored {done:,} of {units.height:,} responses")
    return pl.concat(scored)


def _score_chunk(units: pl.DataFrame, answers: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    lowered = forms.lower(units[RESPONSE])
    normal = forms.normal(lowered)
    responses = units.with_columns(
        lower=lowered, normal=normal, stripped=forms.strip(units[RESPONSE]), words=forms.words(normal)
    )
    looked = look_for(responses.drop("stripped", "words"), facts)
    scores, placed = fact_scores(looked), place_facts(looked)
    joined = units.select(UNIT)
    for part in (answer_scores(responses, answers), scores, placed, warn(looked, scores, placed)):
        joined = joined.join(part, on=UNIT, how="left", maintain_order="left")
    return joined.with_columns(pl.col(WARNINGS).fill_null(pl.lit([], dtype=pl.List(pl.String))))
