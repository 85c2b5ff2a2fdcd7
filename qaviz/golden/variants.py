"""Variants that a fact lacks: the words in which correct responses state it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

import polars as pl

from qaviz.diagnosis import columns
from qaviz.diagnosis.evidence import Stance, dates, phrases, quantities
from qaviz.diagnosis.evidence.quantities import Quantity
from qaviz.diagnosis.evidence.quantities.agreement import fit
from qaviz.diagnosis.evidence.quantities.question import Asked, ask
from qaviz.model import columns as c
from qaviz.model.classes import Verdict

VARIANT = "variant"
RESPONSES = "responses"
"""How many responses state the fact in these words."""
PIPELINES = "pipelines"
"""Which pipelines do, a list of names."""
SEEN = pl.Schema(
    {c.QUESTION_ID: pl.String(), VARIANT: pl.String(), RESPONSES: pl.UInt32(), PIPELINES: pl.List(pl.String())}
)

LONGEST = 60
"""Characters of a variant: what is longer is a sentence, which no other response has."""
SURE = 0.9
"""Strength from which a phrase is the same in another form."""
SURE_OF_SEVERAL_WORDS = 0.75
"""The same for a phrase of two words or more: most of its words, or a surname with its title."""
LIKELY = 0.75
"""Confidence of a verdict from which its response may teach a variant."""
PLAIN = 0.5
"""Strength above which a quantity answers the question, and does not only illustrate the golden answer."""
_NO_VARIANT = r"[\r\n<>|]|^\W*\d{1,4}\W*$"
"""Lines, tags, and a number that stands in years, ids and larger numbers."""
_WORDS = re.compile(r"[\w.,]*\w|%")
_OPEN_END = r"\s\d{1,2}$"
"""Words that end in a short number: `won 7` stands in `won 71 of them`."""


def seen_in_responses(golden: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return SEEN: the words that correct responses use for the fact and that none of its variants matches.

    `rows` are diagnosed rows over the golden dataset, `golden` may be a newer version of it. In the golden dataset's
    order, the most frequent first. Left out are parts of a sentence, bare numbers, dates and numbers that say less than
    the golden answer, and words that stand in the question; where two contradict each other the rarer one.
    """
    stated = _select_stated(rows)
    counted = stated.group_by(c.QUESTION_ID, pl.col(columns.SAYS).str.to_lowercase().alias("level")).agg(
        pl.col(columns.SAYS).mode().sort().first().alias(VARIANT),
        pl.first(columns.KIND),
        pl.len().cast(pl.UInt32).alias(RESPONSES),
        pl.col(c.PIPELINE).unique().sort().alias(PIPELINES),
    )
    triplets = golden.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT).with_row_index("place")
    placed = triplets.join(counted, on=c.QUESTION_ID)
    ordered = placed.sort("place", RESPONSES, VARIANT, descending=[False, True, False])
    return ordered.filter(pl.Series([*_select_variants(ordered)], dtype=pl.Boolean)).select(
        pl.col(name).cast(kind) for name, kind in SEEN.items()
    )


_READ = (
    *(c.QUESTION_ID, c.PIPELINE, c.FACT, c.FACTUAL_KNOWLEDGE, c.VERDICT, c.CONFIDENCE),
    *(columns.SAYS, columns.KIND, columns.STRENGTH, columns.STANCE),
)


def _select_stated(rows: pl.DataFrame) -> pl.DataFrame:
    """The correct responses that Factual Knowledge missed, whose evidence quotes words fit for a variant."""
    says, strength = pl.col(columns.SAYS), pl.col(columns.STRENGTH)
    words = says.str.count_matches(r"\S+")
    sure = (strength >= SURE) | ((strength >= SURE_OF_SEVERAL_WORDS) & (words > 1))
    phrase = sure & ~says.str.contains(_OPEN_END)
    quantity = pl.col(c.FACT).is_not_null() | (strength > PLAIN)
    fit_kind = (
        ((pl.col(columns.KIND) == phrases.KIND) & phrase)
        | ((pl.col(columns.KIND) == quantities.KIND) & quantity)
        | ((pl.col(columns.KIND) == dates.KIND) & (strength == 1))
    )
    whole = (says.str.count_matches(r"\(") == says.str.count_matches(r"\)")) & (says.str.count_matches('"') % 2 == 0)
    fit_words = (says.str.len_chars() <= LONGEST) & ~says.str.contains(_NO_VARIANT) & whole
    missed = pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0
    correct = (pl.col(c.VERDICT) == Verdict.CORRECT.value) & (pl.col(c.CONFIDENCE) >= LIKELY)
    read = rows.select(_READ)
    return read.filter(missed & correct & fit_kind & fit_words & (pl.col(columns.STANCE) == Stance.AGREES.value))


def _select_variants(ordered: pl.DataFrame) -> Iterator[bool]:
    """For each of the words in order whether they make a variant."""
    asked_before, kept = None, list[str]()
    columns_ = ordered.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, pl.col(c.FACT).fill_null(""), VARIANT, columns.KIND)
    for question_id, question, answer, fact, variant, kind in columns_.iter_rows():
        if question_id != asked_before:
            asked_before, kept = question_id, []
        known = [part.strip().lower() for part in fact.split(c.OR_DELIMITER) if part.strip()]
        level = variant.lower()
        fits = (
            c.AND_DELIMITER not in fact
            and level not in question.lower()
            and not any(variant in level for variant in (*known, *map(str.lower, kept)))
            and not _says_less(level, known)
            and _says_as_much(variant, fact, answer or "", question, kind)
            and not any(_contradicts(other, variant, question) for other in kept)
        )
        if fits:
            kept.append(variant)
        yield fits


def _says_less(variant: str, known: Sequence[str]) -> bool:
    """Whether the words are a part of a variant's: `4.5 %` of `fell by 4.5 %`."""
    own = set(_WORDS.findall(variant))
    return any(own < set(_WORDS.findall(other)) for other in known)


def _says_as_much(variant: str, fact: str, answer: str, question: str, kind: str) -> bool:
    """Whether the words are no less exact than the fact or, where there is none, than the golden answer."""
    golden = [*fact.split(c.OR_DELIMITER), answer]
    if kind == dates.KIND:
        verdicts = (dates.compare(variant, triplet, question) for triplet in golden)
        return any(says.stance is Stance.AGREES and says.strength == 1 for says in verdicts)
    if kind == quantities.KIND:
        stated = quantities.find(variant)
        return len(stated) == 1 and _is_as_exact(stated[0], golden, ask(question))
    return True


def _is_as_exact(other: Quantity, golden: Iterable[str], options: Asked) -> bool:
    """Whether a quantity is no coarser than one with which it agrees."""
    known = (quantity for text in golden for quantity in quantities.find(text))
    agreeing = [quantity for quantity in known if (how := fit(quantity, other, options)) and how.agrees]
    return any(_half_of_last_digit(other, options) <= _half_of_last_digit(quantity, options) for quantity in agreeing)


def _half_of_last_digit(quantity: Quantity, options: Asked) -> Decimal:
    """Half of the last digit, in the scale that the question sets for plain numbers."""
    return quantity.half if quantity.scaled or not options.scale else quantity.half * options.scale


def _contradicts(one: str, other: str, question: str) -> bool:
    return any(kind(one, other, question).stance is Stance.CONTRADICTS for kind in (dates.compare, quantities.compare))
