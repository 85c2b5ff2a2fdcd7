"""Evidence for a table of scored responses: what each response says of its fact, before any threshold is applied."""

import polars as pl

from qaviz.diagnosis.columns import (
    EVIDENCE_SCHEMA,
    GOLDEN,
    KIND,
    NOTE,
    REFUSAL,
    REFUSAL_STRENGTH,
    SAYS,
    SPANS,
    STANCE,
    STRENGTH,
    UNREAD,
)
from qaviz.diagnosis.combine_evidence import MAY_GO_ON, ZERO
from qaviz.diagnosis.evidence import VERBATIM, Stance, derived_figures, quantities, refusal
from qaviz.diagnosis.evidence.assertion_status import LOOK, MAY_DENY
from qaviz.diagnosis.evidence.claims import answers, choices
from qaviz.diagnosis.evidence.claims.parts import LONGEST
from qaviz.diagnosis.evidence.claims.settle import BEHIND_NAME
from qaviz.diagnosis.evidence.clauses import AMOUNT, LEAD, NOTHING_ELSE, SENTENCE_ENDS
from qaviz.diagnosis.evidence.polarity import SIDES
from qaviz.diagnosis.evidence.verbatim import ORDINALS
from qaviz.diagnosis.languages.detection import may_be_foreign
from qaviz.diagnosis.workers import weigh_table
from qaviz.model.columns import (
    ANSWER,
    FACT,
    FACT_END,
    FACT_INSIDE_TOKEN,
    FACT_START,
    FACT_VARIANT,
    QUESTION,
    RESPONSE,
)
from qaviz.model.records import Progress

_TEXTS = (QUESTION, ANSWER, FACT, RESPONSE)
_HIT = (FACT_VARIANT, FACT_START, FACT_END, FACT_INSIDE_TOKEN)
_PLACE = "place"
FOREIGN = "foreign"


def extract_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the columns of `EVIDENCE_SCHEMA`. Row order is kept.

    A fact that plainly stands in the response needs no second look, which is most of a good pipeline's rows. Of the
    others equal rows are looked at once.
    """
    asked = scored.select(
        pl.col(*_TEXTS).fill_null(""),
        FACT_VARIANT,
        pl.col(FACT_START, FACT_END).fill_null(0),
        pl.col(FACT_INSIDE_TOKEN).fill_null(False),
        may_be_foreign(QUESTION, RESPONSE).alias(FOREIGN),
    ).with_row_index(_PLACE)
    plain = asked.select(stands_plainly().fill_null(False) & ~pl.col(FOREIGN)).to_series()
    found = (
        pl.concat([_plain(asked.filter(plain)), _weigh_rows(asked.filter(~plain), progress)]).sort(_PLACE).drop(_PLACE)
    )
    # One chunk: polars' own format(), with which rules speak, panics on frames whose first chunk is empty (2.1.0).
    found = found.rechunk()
    return scored.drop(EVIDENCE_SCHEMA.names(), strict=False).hstack(found)


def stands_plainly() -> pl.Expr:
    """Whether the fact stands in the response on its own, and nothing around it may deny or outdo it."""
    start, end = pl.col(FACT_START), pl.col(FACT_END)
    begin = (start - LOOK).clip(lower_bound=0)
    around = pl.col(RESPONSE).str.slice(begin, end + LOOK - begin)
    number = pl.col(FACT_VARIANT).str.contains(r"\d")
    may_go_on = number & pl.col(RESPONSE).str.slice(end).str.contains(MAY_GO_ON)
    in_a_row = number & pl.col(RESPONSE).str.slice(end, 2).str.to_lowercase().is_in(ORDINALS)
    exact = _stated_expression().str.to_lowercase() == pl.col(FACT_VARIANT).str.to_lowercase()
    bare = pl.col(FACT_VARIANT).str.contains(r"^\s*\d[\d.,]*\s*$")
    side = pl.col(FACT_VARIANT).str.strip_chars().str.to_lowercase().is_in(SIDES)
    # One variant may be derived from another; null elsewhere, which costs nothing.
    several = pl.when(pl.col(FACT).str.contains(derived_figures.OF_SEVERAL)).then(RESPONSE)
    return (
        (pl.col(FACT_VARIANT).str.strip_chars() != "")
        & ~pl.col(FACT_INSIDE_TOKEN)
        & ~around.str.contains(MAY_DENY)
        & ~may_go_on
        & ~in_a_row
        & (pl.col(FACT_VARIANT).str.strip_chars() != ZERO)
        & (exact | ~number)
        & ~bare
        & ~side
        & ~several.str.contains(derived_figures.MAY_DERIVE).fill_null(False)
        & ~(pl.col(RESPONSE).str.len_chars().is_between(end - start + 1, LONGEST) & ~_is_sentence_expression())
        & ~(~number & pl.col(RESPONSE).str.head(start).str.contains(answers.BEFORE))
        & ~(
            pl.col(RESPONSE).str.len_chars().gt(LONGEST)
            & pl.col(RESPONSE).str.head(refusal.ENDING).str.contains(refusal.OPENS)
            & pl.col(RESPONSE).str.tail(refusal.ENDING).str.contains(refusal.CLOSES)
        )
        & ~((start > 0) & (start < LONGEST) & pl.col(RESPONSE).str.head(start).str.contains(BEHIND_NAME))
        & ~pl.col(QUESTION).str.contains(pl.col(FACT_VARIANT), literal=True)
    )


def _is_sentence_expression() -> pl.Expr:
    """Whether the fact is an amount that is all of a sentence, and no other sentence declines: `It was $5 million.`

    Then `judge_claim` and `declines_beside` change nothing, unless the question asks for a change or a choice.
    """
    start, end = pl.col(FACT_START), pl.col(FACT_END)
    begin = (start - LEAD).clip(lower_bound=0)
    number = pl.col(FACT_VARIANT).str.extract(r"([0-9][0-9.,]*)")
    return (
        pl.col(RESPONSE).str.slice(begin, start - begin).str.contains(NOTHING_ELSE)
        & pl.col(RESPONSE).str.slice(end, 2).is_in(SENTENCE_ENDS)
        & _stated_expression().str.contains(rf"^(?:{AMOUNT})$")
        & ~pl.col(RESPONSE).str.contains(refusal.MAY_DECLINE)
        & ~pl.col(QUESTION).str.contains(quantities.MAY_ASK_CHANGE)
        & ~pl.col(QUESTION).str.contains(choices.MAY_CHOOSE)
        & ~pl.col(QUESTION).str.contains(number, literal=True).fill_null(True)
    )


def _stated_expression() -> pl.Expr:
    return pl.col(RESPONSE).str.slice(pl.col(FACT_START), pl.col(FACT_END) - pl.col(FACT_START))


def _plain(asked: pl.DataFrame) -> pl.DataFrame:
    """Evidence of rows whose fact stands plainly: what `weigh` would return, by column."""
    span = pl.struct(pl.lit(VERBATIM).alias("kind"), pl.col(FACT_START).alias("start"), pl.col(FACT_END).alias("end"))
    columns = {
        STANCE: pl.lit(Stance.AGREES.value),
        KIND: pl.lit(VERBATIM),
        SAYS: _stated_expression(),
        GOLDEN: pl.col(FACT_VARIANT),
        NOTE: pl.lit(""),
        STRENGTH: pl.lit(1.0),
        REFUSAL: pl.lit(None, pl.String),
        REFUSAL_STRENGTH: pl.lit(None, pl.Float64),
        UNREAD: pl.lit(None, pl.String),
        SPANS: pl.concat_list(span),
    }
    return asked.select(_PLACE, **columns)


def _weigh_rows(asked: pl.DataFrame, progress: Progress | None) -> pl.DataFrame:
    key = [*_TEXTS, *_HIT, FOREIGN]
    # By question, so that each question and its golden texts are read once.
    unique = asked.select(key).unique().sort(QUESTION)
    found = unique.hstack(weigh_table(unique, progress))
    joined = asked.join(found, on=key, how="left", nulls_equal=True, maintain_order="left")
    return joined.select(_PLACE, *EVIDENCE_SCHEMA.names())
