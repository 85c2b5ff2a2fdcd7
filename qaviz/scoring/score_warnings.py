"""Warnings: why the scores of a response may mislead. The scores themselves stay FMEval's."""

import re
from collections.abc import Iterator

import polars as pl

from qaviz.model.columns import (
    FACT_END,
    FACT_INSIDE_TOKEN,
    FACT_START,
    FACT_VARIANT,
    FACTUAL_KNOWLEDGE,
    FACTUAL_KNOWLEDGE_QUASI_EXACT,
    RESPONSE,
    WARNINGS,
)
from qaviz.scoring import forms
from qaviz.scoring.facts import EXACT_HIT
from qaviz.scoring.hits import token_around
from qaviz.scoring.scoring_items import UNIT

_QUOTED = 80
"""Characters of a text that a sentence quotes at most."""
_CURLY = "[‘’‛′“”„″]"
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_NUMBER = re.compile(r"(?<![0-9A-Za-z])-?[0-9][0-9.,]*")


def warn(looked: pl.DataFrame, scores: pl.DataFrame, placed: pl.DataFrame) -> pl.DataFrame:
    """Return unit and `warnings` of the units that walked into a trap: a list of sentences, one for each kind.

    Takes what `look_for`, `fact_scores` and `place_facts` of `facts` returned.
    """
    unstated = looked.join(scores.filter(pl.col(FACTUAL_KNOWLEDGE) == 0), on=UNIT, maintain_order="left")
    unsaid = unstated.filter(pl.col(FACTUAL_KNOWLEDGE_QUASI_EXACT) == 0)
    found = (_empty_variants(looked), _blanks(unstated), _curly_quotes(unsaid), _misleading_hits(looked, placed))
    return pl.concat(found).group_by(UNIT, maintain_order=True).agg(WARNINGS)


def _sentence(variants: pl.DataFrame, template: str, *parts: str | pl.Expr) -> pl.DataFrame:
    """Return the sentence for the first of these variants of each unit."""
    return variants.unique(UNIT, keep="first", maintain_order=True).select(
        UNIT, pl.format(template, *parts).alias(WARNINGS)
    )


def _quote_expression(column: str) -> pl.Expr:
    """Return a text short enough for a sentence."""
    text = pl.col(column)
    return pl.when(text.str.len_chars() > _QUOTED).then(text.str.head(_QUOTED) + "…").otherwise(text)


def _empty_variants(looked: pl.DataFrame) -> pl.DataFrame:
    return _sentence(
        looked.filter(pl.col("variant_normal") == ""),
        "empty variant: variant {} of {} is empty once normalised, so every response has it",
        "variant_number",
        "variant_count",
    )


def _blanks(unstated: pl.DataFrame) -> pl.DataFrame:
    trimmed = pl.col("variant_lower").str.strip_chars()
    padded = ~pl.col("exact") & (trimmed != "") & (trimmed != pl.col("variant_lower"))
    return _sentence(
        unstated.filter(padded).filter(forms.holds(pl.col("lower"), trimmed)),
        "blank in a variant: “{}” keeps the blank beside its delimiter, so the response needs it too",
        _quote_expression("variant"),
    )


def _curly_quotes(unsaid: pl.DataFrame) -> pl.DataFrame:
    bare = unsaid.unique(UNIT).select(UNIT, "normal", bare=pl.col("normal").str.replace_all(_CURLY, ""))
    bare_variant = pl.col("variant_normal").str.replace_all(_CURLY, "")
    curly = (pl.col("bare") != pl.col("normal")) | (bare_variant != pl.col("variant_normal"))
    joined = unsaid.drop("normal").join(bare, on=UNIT, maintain_order="left")
    return _sentence(
        joined.filter(curly).filter(~pl.col("quasi_exact") & forms.holds(pl.col("bare"), bare_variant)),
        "curly apostrophe: “{}” is there but for a curly quotation mark, which FMEval keeps",
        _quote_expression("variant"),
    )


def _misleading_hits(looked: pl.DataFrame, placed: pl.DataFrame) -> pl.DataFrame:
    suspects = placed.filter(pl.col(FACT_INSIDE_TOKEN) | ~pl.col(EXACT_HIT))
    joined = suspects.join(looked.select(UNIT, RESPONSE), on=UNIT, maintain_order="left")
    hits = joined.unique(UNIT, maintain_order=True).select(UNIT, RESPONSE, FACT_VARIANT, FACT_START, FACT_END)
    found = [(unit, sentence) for unit, *hit in hits.iter_rows() for sentence in _of_hit(*hit)]
    return pl.DataFrame(found, schema={UNIT: pl.UInt32, WARNINGS: pl.String}, orient="row")


def _of_hit(response: str, variant: str, start: int, end: int) -> Iterator[str]:
    stated, token = response[start:end], token_around(response, start, end)
    if stated != token:
        yield f"inside a larger token: “{_shorten_text(stated)}” is there only as a part of “{_shorten_text(token)}”"
    signed = response[max(start - 1, 0) : end]
    if _numbers(variant) not in (_numbers(stated), _numbers(signed)):
        yield f"sign or decimal point lost: “{_shorten_text(stated)}” is not “{_shorten_text(variant.strip())}”"


def _shorten_text(text: str) -> str:
    """As `_quote_expression`."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def _numbers(text: str) -> list[str]:
    """Return the numbers of a text with sign and decimal point, without thousands separators."""
    return [number.rstrip(".,") for number in _NUMBER.findall(_THOUSANDS.sub("", text))]
