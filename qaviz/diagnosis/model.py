"""The probability that a response is right: evidence and overlap in, one logistic regression, weights in a file.

A term is an expression over the columns of evidence and of `surface`, with the way it may move the probability; what it
weighs stands in model.json beside its card. `python -m benchmarks.fit_model` fits it on labelled families.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.diagnosis import surface
from qaviz.diagnosis.columns import DOUBTS_SCHEMA, KIND, REFUSAL, STANCE, STRENGTH, UNREAD, doubt_of
from qaviz.diagnosis.doubts import DOUBTS as KINDS_OF_DOUBT
from qaviz.diagnosis.doubts import UNSETTLED
from qaviz.diagnosis.stance import Stance
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, QUESTION, RESPONSE

Numbers = NDArray[np.float64]
WEIGHTS = Path(__file__).with_name("model.json")
P_CORRECT = "p_correct"
"""Probability that a person calls the response correct."""
P_DECLINED = "p_declined"
"""Probability that a person who does not call it correct calls it declined."""
HELD_BACK = "held_back"
"""The name of the first of LIMITS that keeps the row below SURE; null where none does."""
DOUBTS = "doubts"
"""What makes the leading evidence doubtful, in words; null where nothing does."""
PROBABILITY_SCHEMA = pl.Schema(
    {P_CORRECT: pl.Float64(), P_DECLINED: pl.Float64(), HELD_BACK: pl.String(), DOUBTS: pl.String()}
)
COLUMNS_READ = (QUESTION, ANSWER, FACT, RESPONSE, STANCE, KIND, STRENGTH, REFUSAL, UNREAD)
"""What the model reads of a row, beside doubts and SURFACE."""

SURE = 0.9
HIGHEST_DOUBTFUL = 0.89
"""The most that a row is certain of which one of LIMITS applies to."""
PART = 0.7
"""Strength below which a phrase is said in part, and a yes or no is only implied."""
LOWEST, HIGHEST = 0.005, 0.995
RAISES, LOWERS, EITHER = 1, -1, 0

_STANCE = pl.col(STANCE).fill_null("")
_KIND = pl.col(KIND).fill_null("")
_STRENGTH = pl.col(STRENGTH).fill_null(0.0)


def _flag(when: pl.Expr) -> pl.Expr:
    return when.fill_null(False).cast(pl.Float64)


AGREES, CONTRADICTS, ABSENT = (
    _flag(_STANCE.eq(stance.value)) for stance in (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT)
)
_WORDS = _flag(_KIND == "phrase")
_VALUES = _flag(_KIND.is_in(["quantity", "date", "symbol"]))
_VALUE_OR_FACT = _flag(_KIND.is_in(["quantity", "date", "symbol", "verbatim", "accident"]))
_EXACT = _flag(_KIND.is_in(["quantity", "date", "symbol", "verbatim", "accident", "polarity"]))
_BY_WORDS = (1 - _EXACT) * (1 - AGREES * (1 - pl.col(surface.STATEMENT)))
"""Where neither an exact kind of evidence nor a stated phrase decides: the golden words do."""
_AS_STATEMENT = pl.col(surface.STATEMENT) * (1 - _VALUE_OR_FACT)
"""How far a golden text is a statement of which the response may say more or less."""
_VALUE_STATED = AGREES * _flag(
    _KIND.is_in(["quantity", "date", "symbol", "verbatim"]) | ((_KIND == "phrase") & (_STRENGTH >= SURE))
)
_REFUSED = _flag(pl.col(REFUSAL).is_not_null() & (_KIND != "refusal"))
"""It declines, and the golden text does not."""

_LENGTH = pl.col(surface.REGION_LENGTH).clip(2, 5) - 3.5
_GOLDEN_LENGTH = pl.col(surface.GOLDEN_LENGTH) - 2.5


@dataclass(frozen=True)
class Term:
    """One addend of the log odds."""

    name: str
    value: pl.Expr
    moves: int = EITHER
    """Which way more of it may move the probability that the response is right."""
    pull: float = 1.0
    """How strongly its weight is pulled to `prior`, against the other terms."""
    prior: float = 0.0
    """The weight where no label speaks against it: what a term means by definition."""


TERMS = (
    Term("agrees", AGREES, RAISES, 0.1),
    Term("contradicts", CONTRADICTS, LOWERS, 0.5, -2.0),
    Term("absent", ABSENT, LOWERS, 0.1),
    Term("words agree", _WORDS * AGREES),
    Term("values absent", _VALUES * ABSENT),
    Term("agrees weakly", AGREES * (1 - _STRENGTH), LOWERS),
    Term("contradicts strongly", CONTRADICTS * _STRENGTH, LOWERS),
    Term("declines", _REFUSED * (1 - _VALUE_STATED), LOWERS, 2.0, -4.0),
    Term("agrees, no fact", AGREES * pl.col(surface.BARE)),
    *(
        Term(f"doubt: {doubt.name}", _flag(doubted) * pl.col(surface.SHORT), LOWERS, 1.3, doubt.prior)
        for doubt, doubted in zip(KINDS_OF_DOUBT, map(pl.col, DOUBTS_SCHEMA), strict=True)
    ),
    Term("length, agrees", AGREES * _LENGTH),
    Term("absent, a value or a name", ABSENT * (1 - pl.col(surface.PROSE)), LOWERS, 1.0, -0.5),
    Term("golden length", _GOLDEN_LENGTH * (1 - CONTRADICTS)),
    Term("prose", pl.col(surface.PROSE)),
    Term("other names", pl.col(surface.OTHER_NAMES), LOWERS),
    Term("negation differs", pl.col(surface.NEGATION_DIFFERS), LOWERS),
    Term("denial missing", _AS_STATEMENT * pl.col(surface.DENIAL_MISSING), LOWERS, 1.0, -1.0),
    Term("words said, statement", _AS_STATEMENT * pl.col(surface.WORDS_SAID), RAISES, 0.3),
    Term("words missing, statement", _AS_STATEMENT * pl.col(surface.WORDS_MISSING), LOWERS, 0.3),
    Term("words said, by words", _BY_WORDS * pl.col(surface.WORDS_SAID), RAISES, 0.3),
    Term("overlap, agrees", AGREES * pl.col(surface.OVERLAP), RAISES),
    Term("focus, agrees", AGREES * pl.col(surface.FOCUS), RAISES),
)

_COMPARED = [Stance.AGREES.value, Stance.CONTRADICTS.value]
LIMITS = {
    "unread language": pl.col(UNREAD).is_not_null(),
    "references": (pl.col(surface.BARE) > 0) & pl.col(ANSWER).str.contains(OR_DELIMITER, literal=True),
    "prose": (pl.col(surface.PROSE) > 0) & ~_KIND.is_in(["quantity", "date", "symbol", "verbatim"]),
    "unsettled": pl.any_horizontal(pl.col(doubt_of(name)) for name in UNSETTLED),
    "doubt": pl.any_horizontal(*DOUBTS_SCHEMA),
    "other words": _STANCE.eq(Stance.AGREES.value) & (pl.col(surface.SHORT) > 0) & (pl.col(surface.FOCUS) < 0.51),
    "part": _STANCE.eq(Stance.AGREES.value) & (_KIND == "phrase") & (_STRENGTH < PART),
    "implied": _STANCE.eq(Stance.AGREES.value) & (_KIND == "polarity") & (_STRENGTH < PART),
    "overlap alone": ~_STANCE.is_in(_COMPARED)
    & ~_KIND.is_in(["quantity", "date", "symbol", "polarity"])
    & pl.col(REFUSAL).is_null(),
}
"""Where a row is never sure, for labelled families have shown too little of it; in words in rules.toml."""

CELL = pl.concat_str(_KIND, pl.lit(" "), _STANCE)
"""The kind of evidence that leads with what it says: `phrase agrees`."""


@dataclass(frozen=True)
class Model:
    """What model.json holds."""

    card: Mapping[str, Any]
    weights: Mapping[str, float]
    """By term, and `1` for the constant."""
    members: Mapping[str, Mapping[str, float]]
    """The same of models fitted without one family, by that family."""
    slope: float
    """What the log odds are multiplied with: fitted on families left out, it takes back what the pull flattens."""
    families_of: Mapping[str, int]
    """In how many families a CELL occurs."""
    declined: Mapping[str, float]
    """Log odds of `declined` against `incorrect`: `none` without a refusal, `some` with one."""


@cache
def read_model(file: Path = WEIGHTS) -> Model:
    """Return the model of a file."""
    return Model(**json.loads(file.read_text("utf-8")))


def values_of_terms(rows: pl.DataFrame) -> Numbers:
    """Return the values of TERMS of rows with evidence and SURFACE, a column each, behind a column of ones."""
    values = rows.select(pl.lit(1.0).alias("1"), *(term.value.fill_null(0).alias(term.name) for term in TERMS))
    return values.cast(pl.Float64).to_numpy()


def log_odds(values: Numbers, model: Model) -> Numbers:
    """Return the log odds that each row is right, pulled to 0 as far as models without one family differ.

    The spread of the members is a jackknife's standard error; the pull is MacKay's (1992) for a logistic output.
    """
    names = ["1", *(term.name for term in TERMS)]
    weights, *others = (
        np.array([weights.get(name, 0.0) for name in names]) for weights in (model.weights, *model.members.values())
    )
    whole = _weigh(values, weights[:, None])[:, 0] * model.slope
    if not others:
        return whole
    several = _weigh(values, np.column_stack(others)) * model.slope
    families = several.shape[1]
    variance = ((several - several.mean(1, keepdims=True)) ** 2).sum(1) * (families - 1) / families
    odds: Numbers = whole / np.sqrt(1 + np.pi / 8 * variance)
    return odds


def _weigh(values: Numbers, weights: Numbers) -> Numbers:
    """The matrix product, term by term: BLAS gives a row other last bits among other numbers of rows."""
    total = np.zeros((values.shape[0], weights.shape[1]))
    for place in np.flatnonzero(weights.any(axis=1)):
        total += values[:, place, None] * weights[place]
    return total


def read_terms(gathered: pl.DataFrame) -> pl.DataFrame:
    """Return what TERMS and LIMITS are computed from, of a table of evidence."""
    return gathered.select(*COLUMNS_READ, *DOUBTS_SCHEMA, *surface.SURFACE)


def add_probabilities(gathered: pl.DataFrame, model: Model | None = None) -> pl.DataFrame:
    """Return a table of evidence with the columns of PROBABILITY_SCHEMA, without SURFACE. Row order is kept."""
    rows = read_terms(gathered)
    probabilities = probabilities_of(rows, values_of_terms(rows), model or read_model())
    return gathered.drop(*PROBABILITY_SCHEMA.names(), *surface.SURFACE, strict=False).hstack(probabilities)


def probabilities_of(rows: pl.DataFrame, values: Numbers, model: Model) -> pl.DataFrame:
    """Return the columns of PROBABILITY_SCHEMA of rows of `read_terms`, whose terms have these values."""
    odds = pl.Series(log_odds(values, model), dtype=pl.Float64)
    # What fewer than two families show is never sure.
    rare = CELL.replace_strict(model.families_of, default=0, return_dtype=pl.Int64) < 2
    held = pl.coalesce(
        *(pl.when(holds.fill_null(False)).then(pl.lit(name)) for name, holds in LIMITS.items()),
        pl.when(rare).then(pl.lit("rare evidence")),
    )
    declined = pl.when(pl.col(REFUSAL).is_not_null()).then(model.declined["some"]).otherwise(model.declined["none"])
    doubts = [pl.when(pl.col(doubt_of(doubt.name))).then(pl.lit(doubt.says)) for doubt in KINDS_OF_DOUBT]
    in_words = pl.concat_str(doubts, separator=", ", ignore_nulls=True)
    chances = rows.select(
        (1 / (1 + (-odds).exp())).alias(P_CORRECT),
        (1 / (1 + (-declined).exp())).alias(P_DECLINED),
        held.alias(HELD_BACK),
        pl.when(in_words != "").then(in_words).alias(DOUBTS),
    )
    bound = pl.when(pl.col(HELD_BACK).is_null()).then(HIGHEST).otherwise(HIGHEST_DOUBTFUL)
    return chances.with_columns(pl.col(P_CORRECT).clip(1 - bound, bound))
