"""Factual Knowledge: whether responses state the fact, for whole columns, and which variant hits where in one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from unicodedata import category

import polars as pl

from qaviz.model import columns as c
from qaviz.scoring import forms
from qaviz.scoring.definition import ARTICLES, PUNCTUATION, fact_variants, needs_all, normalise, without_punctuation
from qaviz.scoring.forms import TRIPLET, UNIT

EXACT_HIT = "exact_hit"
"""Whether the hit is one of the texts in lower case, not only of the normalised ones."""

_TYPES = pl.UInt32, pl.String, pl.Int64, pl.Int64, pl.Boolean, pl.Boolean
_SCHEMA = dict(zip((UNIT, *c.HIT_COLUMNS, EXACT_HIT), _TYPES, strict=True))
_PUNCTUATION_RUN = re.compile(f"[{re.escape(PUNCTUATION)}]+")
_REACH = 60


def split_facts(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of facts, blanks kept: triplet, fact, needs_all, variant_number (from 1), variant_count.
    Takes triplet and fact; null facts are left out."""
    needs_all = pl.col(c.FACT).str.contains(c.AND_DELIMITER, literal=True)
    by_or, by_and = (pl.col(c.FACT).str.split(mark) for mark in (c.OR_DELIMITER, c.AND_DELIMITER))
    split = golden.drop_nulls(c.FACT).select(
        TRIPLET, pl.when(needs_all).then(by_and).otherwise(by_or), needs_all=needs_all
    )
    count = pl.col(c.FACT).list.len()
    numbered = split.with_columns(variant_number=pl.int_ranges(1, count + 1), variant_count=count)
    return numbered.explode(c.FACT, "variant_number")


def explode_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of each fact, ready to look for in responses. Takes triplet and fact (null where unscored).
    Returns what `split_facts` does, fact being called variant, and variant_lower and variant_normal (without the blanks
    around it)."""
    variants = split_facts(golden).rename({c.FACT: "variant"})
    lowered = forms.lower(variants["variant"])
    return variants.with_columns(variant_lower=lowered, variant_normal=forms.normal(lowered).str.strip_chars(" "))


def look_for(responses: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Return one row a unit and variant, with Booleans `exact` and `quasi_exact`: whether the response holds it. Takes
    responses (unit, triplet, lower, normal, ...) and what `explode_variants` returned."""
    return responses.join(variants, on=TRIPLET, maintain_order="left").with_columns(
        exact=forms.holds(pl.col("lower"), pl.col("variant_lower")),
        quasi_exact=forms.holds(pl.col("normal"), pl.col("variant_normal")),
    )


def fact_scores(looked: pl.DataFrame) -> pl.DataFrame:
    """Return unit and the two Factual Knowledge scores, from what `look_for` returned."""
    scores = ((c.FACTUAL_KNOWLEDGE, pl.col("exact")), (c.FACTUAL_KNOWLEDGE_QUASI_EXACT, pl.col("quasi_exact")))
    all_needed = pl.col("needs_all").first()
    return looked.group_by(UNIT, maintain_order=True).agg(
        pl.when(all_needed).then(hits.all()).otherwise(hits.any()).cast(pl.Float64).alias(name) for name, hits in scores
    )


def place_facts(looked: pl.DataFrame) -> pl.DataFrame:
    """Unit, HIT_COLUMNS and `exact_hit` of units that state their fact (`find_fact`), from what `look_for` returned."""
    stated = looked.filter(pl.col("exact") | pl.col("quasi_exact")).unique(UNIT, maintain_order=True)
    hits = ((unit, find_fact(*texts)) for unit, *texts in stated.select(UNIT, c.FACT, c.RESPONSE).iter_rows())
    rows = [(unit, hit.variant, hit.start, hit.end, hit.inside_token, hit.exact) for unit, hit in hits if hit]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


@dataclass(frozen=True, slots=True)
class Hit:
    """One place in a response where a variant of the fact stands."""

    variant: str
    """As it is written in the fact."""
    exact: bool
    """False where only the normalised texts agree."""
    start: int
    """Offset of the first character in the response; an empty variant hits at 0."""
    end: int
    """Offset after the last character."""
    inside_token: bool
    """Whether the variant is nowhere in the response but as a part of a larger word or number."""


@dataclass(frozen=True, slots=True)
class VariantHits:
    """Where one variant of the fact stands in the response; None where it does not."""

    variant: str
    exact: Hit | None
    quasi_exact: Hit | None

    @property
    def best(self) -> Hit | None:
        """The one that stands alone, the exact one if both or neither do."""
        return min((hit for hit in (self.exact, self.quasi_exact) if hit), key=_weakness, default=None)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in the form that is searched, and the offset in the original of each of its characters."""

    text: str
    at: Sequence[int]


def fold_case(text: str) -> Folded:
    """Return the text in lower case. `İ` becomes two characters, so offsets can shift."""
    lower = text.lower()
    if len(lower) == len(text):
        return Folded(lower, range(len(text)))
    return Folded(lower, [offset for offset, character in enumerate(text) for _ in character.lower()])


def fold_normalised(low: Folded) -> Folded:
    """Return a text from `fold_case` as `definition.normalise` leaves it after `strip`."""
    begin, end = len(low.text) - len(low.text.lstrip()), len(low.text.rstrip())
    bare = list[int]()  # the offsets of what is no punctuation
    for run in _PUNCTUATION_RUN.finditer(low.text, begin, end):
        bare += low.at[begin : run.start()]
        begin = run.end()
    bare += low.at[begin:end]
    words, at, place = list[str](), list[int](), 0
    for word in without_punctuation(low.text.strip()).split(" "):
        if word and word not in ARTICLES:
            blank_too = place - 1 if words else place
            at += bare[blank_too : place + len(word)]
            words.append(word)
        place += len(word) + 1
    return Folded(" ".join(words), at)


def find_fact(fact: str, response: str) -> Hit | None:
    """Return the hit that speaks best for the fact, None where FMEval has none. A variant with text comes before an
    empty one, a hit that stands alone before one inside a larger token, an exact one before a quasi-exact one. Where
    every variant counts, it is the weakest hit."""
    every, low = needs_all(fact), fold_case(response)
    for variant in () if every else filter(None, fact_variants(fact)):
        hit = _find(variant, variant.lower(), response, low, exact=True)
        if hit and not hit.inside_token:  # as nearly all are, and none is better
            return hit
    variants = find_variants(fact, response)
    hits = [hit for variant in variants if (hit := variant.best)]
    if not every:
        return min(hits, key=_weakness, default=None)
    stated = all(variant.exact for variant in variants) or all(variant.quasi_exact for variant in variants)
    return max(hits, key=_weakness) if stated else None


def find_variants(fact: str, response: str) -> list[VariantHits]:
    """Return where each variant of the fact stands in the response, in the fact's order."""
    low = fold_case(response)
    normal = fold_normalised(low)
    return [
        VariantHits(
            variant,
            _find(variant, variant.lower(), response, low, exact=True),
            _find(variant, normalise(variant.strip()), response, normal, exact=False),
        )
        for variant in fact_variants(fact)
    ]


def _weakness(hit: Hit) -> tuple[bool, bool, bool]:
    return hit.start == hit.end, hit.inside_token, not hit.exact


def _find(variant: str, wanted: str, response: str, folded: Folded, *, exact: bool) -> Hit | None:
    """Return the first place that stands alone, else the first place."""
    best: Hit | None = None
    for start, end in islice(_places(wanted, folded), 10_000):  # a hostile response may have a million
        inside = start < end and (continues(response, start) or continues(response, end))
        if not inside or not best:
            best = Hit(variant, exact, start, end, inside)
        if not inside:
            break
    return best


def _places(wanted: str, folded: Folded) -> Iterator[tuple[int, int]]:
    """Yield the offsets in the original of the places, which do not overlap, where the wanted text stands."""
    if not wanted:
        yield 0, 0
        return
    place = folded.text.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        yield folded.at[place], folded.at[end - 1] + 1
        place = folded.text.find(wanted, end)


def continues(text: str, offset: int) -> bool:
    """Return whether a word or a number of the text goes on across the offset. Digits continue digits, also over one
    point or comma (`134|.4`); letters continue letters in scripts that have case, since others put no blanks between
    words. A number and a word are two tokens: `FY|2023`."""
    if not 0 < offset < len(text):
        return False
    before, after = text[offset - 1], text[offset]
    if before.isdecimal():
        return after.isdecimal() or (after in ".," and text[offset + 1 : offset + 2].isdecimal())
    if after.isdecimal():
        return before in ".," and text[max(offset - 2, 0) : offset - 1].isdecimal()
    return {category(before), category(after)} <= {"Lu", "Ll", "Lt"}


def token_around(text: str, start: int, end: int) -> str:
    """Return the stretch of the text together with what it is a part of: `112%` for the `12%` in it. Of a hostile token
    of a million characters, no more than _REACH on either side."""
    first, last = max(start - _REACH, 0), min(end + _REACH, len(text))
    while start > first and continues(text, start):
        start -= 1
    while end < last and continues(text, end):
        end += 1
    return text[start:end]
