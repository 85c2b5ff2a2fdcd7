"""Warnings: why the scores of a response may mislead. The scores themselves stay FMEval's."""

import re
from collections.abc import Iterator

import polars as pl

from qaviz.model import FACT_END, FACT_INSIDE_TOKEN, FACT_START, FACT_VARIANT, RESPONSE, WARNINGS
from qaviz.scoring.facts import UNIT
from qaviz.scoring.hits import token_around
from qaviz.scoring.places import EXACT_HIT

_CURLY = "[‘’‛′“”„″]"
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_NUMBER = re.compile(r"(?<![0-9A-Za-z])-?[0-9][0-9.,]*")


def warn(looked: pl.DataFrame, placed: pl.DataFrame) -> pl.DataFrame:
    """Return unit and `warnings` (a list of sentences) of the units that walked into a trap.

    Takes what `facts.look_for` and `places.place_facts` returned.
    """
    found = pl.concat(
        [_empty_variants(looked), _blanks(looked), _curly_quotes(looked), _misleading_hits(looked, placed)]
    )
    return found.group_by(UNIT, maintain_order=True).agg(WARNINGS)


def _empty_variants(looked: pl.DataFrame) -> pl.DataFrame:
    return looked.filter(pl.col("variant_normal") == "").select(
        UNIT,
        pl.format(
            "empty variant: variant {} of {} is empty once normalised, so every response has it",
            "variant_number",
            "variant_count",
        ).alias(WARNINGS),
    )


def _blanks(looked: pl.DataFrame) -> pl.DataFrame:
    trimmed = pl.col("variant_lower").str.strip_chars()
    return looked.filter(
        ~pl.col("exact"),
        trimmed != "",
        trimmed != pl.col("variant_lower"),
        pl.col("lower").str.contains(trimmed, literal=True),
    ).select(
        UNIT,
        pl.format(
            "blank in a variant: “{}” keeps the blank beside its delimiter, so the response needs it too",
            "variant",
        ).alias(WARNINGS),
    )


def _curly_quotes(looked: pl.DataFrame) -> pl.DataFrame:
    curly = pl.any_horizontal(pl.col(column).str.contains(_CURLY) for column in ("normal", "variant_normal"))
    missed = looked.filter(~pl.col("quasi_exact") & curly)
    bare = (pl.col(column).str.replace_all(_CURLY, "") for column in ("normal", "variant_normal"))
    return missed.filter(next(bare).str.contains(next(bare), literal=True)).select(
        UNIT,
        pl.format(
            "curly apostrophe: “{}” is there but for a curly quotation mark, which FMEval keeps", "variant"
        ).alias(WARNINGS),
    )


def _misleading_hits(looked: pl.DataFrame, placed: pl.DataFrame) -> pl.DataFrame:
    suspects = placed.filter(pl.col(FACT_INSIDE_TOKEN) | ~pl.col(EXACT_HIT))
    responses = looked.select(UNIT, RESPONSE).unique(UNIT, maintain_order=True)
    joined = suspects.join(responses, on=UNIT, maintain_order="left").select(
        UNIT, RESPONSE, FACT_VARIANT, FACT_START, FACT_END
    )
    found = [(unit, sentence) for unit, *hit in joined.iter_rows() for sentence in _of_hit(*hit)]
    return pl.DataFrame(found, schema={UNIT: pl.UInt32, WARNINGS: pl.String}, orient="row")


def _of_hit(response: str, variant: str, start: int, end: int) -> Iterator[str]:
    stated, token = response[start:end], token_around(response, start, end)
    if stated != token:
        yield f"inside a larger token: “{stated}” is there only as a part of “{token}”"
    signed = response[max(start - 1, 0) : end]
    if _numbers(variant) not in (_numbers(stated), _numbers(signed)):
        yield f"sign or decimal point lost: “{stated}” is not “{variant.strip()}”"


def _numbers(text: str) -> list[str]:
    """Return the numbers of a text with sign and decimal point, without thousands separators."""
    return [number.rstrip(".,") for number in _NUMBER.findall(_THOUSANDS.sub("", text))]
