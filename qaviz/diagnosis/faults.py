"""Whose fault a response is, proved by what its contexts hold: the first of FAULTS that applies, else its rule's.

Null where nothing is at fault, and where nothing proves who is: a wrong response without contexts may be the
retriever's or the generator's.
"""

from dataclasses import dataclass

import polars as pl

from qaviz.diagnosis.columns import REFUSAL
from qaviz.diagnosis.rules import count_words, is_blank, quote_text
from qaviz.model import columns as c
from qaviz.model.classes import Fault, Verdict

TOP_K = 4
"""Contexts that count as the top: from what stands below, a generator is less likely to answer."""
UNSUPPORTED, SURELY_SUPPORTED = 0.5, 0.9
"""Support by the contexts below which a right response does not stand on them; and where none states a fact of more
than VALUE_WORDS, which other words may say."""
VALUE_WORDS = 6

CONTEXT_SCHEMA = pl.Schema(
    {
        c.RETRIEVAL_RANK: pl.Int32(),
        c.RETRIEVAL_HIT: pl.Boolean(),
        c.CONTEXT_COUNT: pl.Int32(),
        c.CONTEXTS_STATE: pl.Boolean(),
        c.IN_DOCUMENTS: pl.Boolean(),
        c.CONTEXT_USED: pl.Boolean(),
        c.TAKEN_FROM: pl.Int32(),
        c.TAKEN: pl.String(),
        c.GOLDEN_OTHERWISE: pl.String(),
        c.CONTEXT_SUPPORT: pl.Float64(),
    }
)
"""What faults are proved by; rows that lack a column have null there."""

_FACT = pl.when(is_blank(c.FACT)).then(quote_text(c.ANSWER)).otherwise(quote_text(c.FACT))
_FACT_WORDS = pl.when(is_blank(c.FACT)).then(count_words(c.ANSWER)).otherwise(count_words(c.FACT))
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NTH = dict(enumerate(_ORDINALS, start=1))


def _place(column: str) -> pl.Expr:
    """`third` for 3, `number 12` for 12."""
    number = pl.col(column)
    return pl.coalesce(
        number.replace_strict(_NTH, default=None, return_dtype=pl.String), pl.format("number {}", number)
    )


_WRONG, _RIGHT = Verdict.INCORRECT.value, Verdict.CORRECT.value
_FAILS = pl.col(c.VERDICT).is_in([_WRONG, Verdict.DECLINED.value]) & pl.col(c.ANSWERABLE).fill_null(True)
_HOLDS = pl.format("The passage with {} was {} of {}", _FACT, _place(c.RETRIEVAL_RANK), pl.col(c.CONTEXT_COUNT))
_TOOK = pl.when(pl.col(c.TAKEN).is_not_null() & (pl.col(c.TAKEN_FROM) != pl.col(c.RETRIEVAL_RANK))).then(
    pl.format("; the response took {} from the {}.", quote_text(c.TAKEN), _place(c.TAKEN_FROM))
)
_NONE_HOLDS = (
    pl.when(pl.col(c.CONTEXT_COUNT) == 0)
    .then(pl.lit("No passage was retrieved"))
    .when(pl.col(c.CONTEXT_COUNT) == 1)
    .then(pl.format("The only passage does not hold {}", _FACT))
    .otherwise(pl.format("None of the {} passages holds {}", pl.col(c.CONTEXT_COUNT), _FACT))
)


@dataclass(frozen=True)
class FaultRule:
    """One proof of a fault."""

    name: str
    fault: Fault
    when: pl.Expr
    """Whether it applies, over VERDICT and the columns of CONTEXT_SCHEMA. Null counts as no."""
    sentence: pl.Expr


FAULTS = (
    FaultRule(
        "golden dataset wrong",
        Fault.GOLDEN,
        _FAILS & pl.col(c.GOLDEN_OTHERWISE).is_not_null(),
        pl.format(
            "The passages and the response say {}; no passage says {}, the golden dataset's.",
            quote_text(c.GOLDEN_OTHERWISE),
            _FACT,
        ),
    ),
    FaultRule(
        "not in the documents",
        Fault.DOCUMENTS,
        _FAILS & pl.col(c.IN_DOCUMENTS).not_() & ~pl.col(c.RETRIEVAL_HIT).fill_null(False),
        pl.format("No document holds {}.", _FACT),
    ),
    FaultRule("not retrieved", Fault.RETRIEVER, _FAILS & pl.col(c.RETRIEVAL_HIT).not_(), _NONE_HOLDS + "."),
    FaultRule(
        "retrieved too low",
        Fault.RETRIEVER,
        _FAILS & (pl.col(c.RETRIEVAL_RANK) > TOP_K),
        _HOLDS + pl.coalesce(_TOOK, pl.lit(", below the others.")),
    ),
    FaultRule(
        "used, wrong",
        Fault.GENERATOR,
        _FAILS & pl.col(c.RETRIEVAL_HIT) & pl.col(c.CONTEXT_USED),
        _HOLDS + "; the response draws on it and says something else.",
    ),
    FaultRule(
        "in the context, not used",
        Fault.GENERATOR,
        _FAILS & pl.col(c.RETRIEVAL_HIT),
        _HOLDS
        + pl.coalesce(
            pl.when(pl.col(REFUSAL).is_not_null()).then(pl.lit("; the response declines.")),
            _TOOK,
            pl.lit("; the response does not use it."),
        ),
    ),
    FaultRule(
        "right but unsupported",
        Fault.GENERATOR,
        (pl.col(c.VERDICT) == _RIGHT)
        & pl.col(c.CONTEXTS_STATE).not_()
        & ((_FACT_WORDS <= VALUE_WORDS) | (pl.col(c.CONTEXT_SUPPORT).fill_null(0) < SURELY_SUPPORTED)),
        pl.format("Right, but {} stands in no passage: the response does not rest on its contexts.", _FACT),
    ),
    FaultRule(
        "right in other words, unsupported",
        Fault.GENERATOR,
        (pl.col(c.VERDICT) == _RIGHT)
        & (pl.col(c.CONTEXT_SUPPORT) < UNSUPPORTED)
        & ((pl.col(c.FAULT) == Fault.GOLDEN.value) | pl.col(c.CONTEXTS_STATE).is_null()),
        pl.format(
            "Right by its words, but its passages support {}% of it.",
            (pl.col(c.CONTEXT_SUPPORT) * 100).round(0).cast(pl.Int64),
        ),
    ),
)
"""In the order in which they are asked."""

READ = {*CONTEXT_SCHEMA, REFUSAL, c.FACT, c.ANSWER, c.ANSWERABLE}
"""Columns that faults are decided by, beside VERDICT."""
_NUMBER = "number of the proof"


def add_faults(judged: pl.DataFrame, *, reasons: bool = True) -> pl.DataFrame:
    """Return the table, which has VERDICT and FAULT of its rules, with proved FAULT and its FAULT_REASON.

    FAULT_REASON is null where no context proves anything, and everywhere without `reasons`.
    """
    # Proofs rest on contexts: most runs have none, and thresholds are moved through a million rows of them.
    if all(judged[name].null_count() == judged.height for name in CONTEXT_SCHEMA if name in judged.columns):
        return judged.with_columns(pl.lit(None, pl.String).alias(c.FAULT_REASON))
    lacking = {name: kind for name, kind in (CONTEXT_SCHEMA | _BESIDE).items() if name not in judged.columns}
    whole = judged.with_columns(pl.lit(None, kind).alias(name) for name, kind in lacking.items())
    numbers = (pl.when(rule.when.fill_null(False)).then(pl.lit(place)) for place, rule in enumerate(FAULTS))
    numbered = whole.with_columns(pl.coalesce(*numbers).alias(_NUMBER))
    number = pl.col(_NUMBER)
    named = number.replace_strict(
        {place: rule.fault.value for place, rule in enumerate(FAULTS)}, default=None, return_dtype=pl.String
    )
    sentences = [pl.when(number == place).then(rule.sentence) for place, rule in enumerate(FAULTS)] if reasons else []
    reason = pl.coalesce(*sentences, pl.lit(None, pl.String))
    added = numbered.with_columns(pl.coalesce(named, c.FAULT).alias(c.FAULT), reason.alias(c.FAULT_REASON))
    return added.drop(_NUMBER, *lacking)


_BESIDE = pl.Schema({REFUSAL: pl.String(), c.FACT: pl.String(), c.ANSWER: pl.String(), c.ANSWERABLE: pl.Boolean()})
