"""What there is to score in a table: the texts that can be scored, each distinct set of them once."""

import polars as pl

from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER, RESPONSE, UNSCORED_ANSWER, UNSCORED_FACT
from qaviz.model.errors import Problem, QavizError
from qaviz.scoring import forms

TRIPLET = "triplet"
"""Number of a distinct pair of answer and fact."""
UNIT = "unit"
"""Number of a distinct set of answer, fact and response."""

_TEXTS = [ANSWER, FACT, RESPONSE]


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


def reasons(rows: pl.DataFrame) -> pl.DataFrame:
    """Return `unscored_fact` and `unscored_answer`: why a row cannot be scored, null where it can.

    FMEval would give 1.0 to every response on a fact that says nothing.
    """
    return rows.select(pl.col(_TEXTS).cast(pl.String)).select(
        _why_no_fact_score().alias(UNSCORED_FACT), _why_no_answer_score().alias(UNSCORED_ANSWER)
    )


def _why_no_fact_score() -> pl.Expr:
    both = pl.all_horizontal(pl.col(FACT).str.contains(mark, literal=True) for mark in (OR_DELIMITER, AND_DELIMITER))
    return (
        pl.when(pl.col(RESPONSE).is_null())
        .then(pl.lit("there is no response"))
        .when(_says_nothing(FACT, OR_DELIMITER, AND_DELIMITER))
        .then(pl.lit("the triplet has no fact"))
        .when(both)
        .then(pl.lit("the fact mixes <OR> and <AND>, which FMEval cannot read"))
    )


def _why_no_answer_score() -> pl.Expr:
    return (
        pl.when(pl.col(RESPONSE).is_null())
        .then(pl.lit("there is no response"))
        .when(_says_nothing(ANSWER, OR_DELIMITER))
        .then(pl.lit("the triplet has no answer"))
    )


def _says_nothing(column: str, *delimiters: str) -> pl.Expr:
    """Whether a text is null, or holds but white space and delimiters."""
    nothing = f"^(?:{'|'.join(delimiters)}|[{forms.WHITE_SPACE}])*$"
    return pl.col(column).is_null() | pl.col(column).str.contains(nothing)


def scorable(rows: pl.DataFrame, why_not: pl.DataFrame) -> pl.DataFrame:
    """Return `answer`, `fact` and `response` as text, null where `reasons` has one against their scores."""
    return rows.select(
        pl.when(why_not[UNSCORED_ANSWER].is_null()).then(pl.col(ANSWER).cast(pl.String)),
        pl.when(why_not[UNSCORED_FACT].is_null()).then(pl.col(FACT).cast(pl.String)),
        pl.col(RESPONSE).cast(pl.String),
    )


def distinct(texts: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """Return the distinct rows of `scorable` texts with the columns `unit` and `triplet`, and each row's unit.

    Units are numbered from 0 in the order of their first rows.
    """
    answer, fact, response = (_number(texts.select(name)) for name in _TEXTS)
    triplet = _number(pl.DataFrame([answer.alias(ANSWER), fact.alias(FACT)])).alias(TRIPLET)
    unit = _number(pl.DataFrame([triplet, response.alias(RESPONSE)])).alias(UNIT)
    return texts.with_columns(unit, triplet).unique(UNIT, keep="first", maintain_order=True), unit


def _number(keys: pl.DataFrame) -> pl.Series:
    """Return the number of each row's keys. One text or several numbers: polars would copy several texts to compare."""
    numbered = keys.unique(maintain_order=True).with_row_index("number")
    return keys.join(numbered, on=keys.columns, how="left", nulls_equal=True, maintain_order="left")["number"]
