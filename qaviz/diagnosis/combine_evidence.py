"""What the readers say together of one response: what leads, what each kind says by itself, and what is doubtful."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import (
    Asked,
    Evidence,
    Stance,
    dates,
    doubts,
    phrases,
    polarity,
    quantities,
    refusal,
    symbols,
    verbatim,
)
from qaviz.diagnosis.evidence.clauses import holds_words, level_text
from qaviz.diagnosis.evidence.words import words
from qaviz.model.columns import OR_DELIMITER
from qaviz.scoring.definition import fact_variants, needs_all


class Reader(NamedTuple):
    """One kind of evidence."""

    name: str
    """Of its columns: `{name}_stance`, `{name}_strength`."""
    compare: Callable[[str, str, str], Evidence]
    """Golden text, response and question in, evidence out."""
    speaks: Callable[[str, str], bool]
    """Whether a golden text, with its question, has such evidence: else `compare` is silent."""


VARIANT_READERS = (
    Reader("symbols", symbols.compare, symbols.speaks),
    Reader("sides", polarity.compare, polarity.speaks),
    Reader("dates", dates.compare, dates.speaks),
    Reader("amounts", quantities.compare, quantities.speaks),
    Reader("phrases", phrases.compare, phrases.speaks),
)
"""What reads each variant of the fact, else the answer. The first that speaks leads."""
READERS = ("verbatim", *(reader.name for reader in VARIANT_READERS))
"""The kinds of evidence that a response has columns for."""

ZERO = "0"
"""A golden text that a response may hold without meaning it: `page 0`, `Confidence: 0`."""
_ENDINGS = ("therefore", "thus", "hence", "rounded", "finally", "overall", "conclusion", "do đó", "vì vậy")
_GOES_ON = re.compile(rf"\b(?:{'|'.join(_ENDINGS)})\b")
"""What begins a conclusion that may end in another quantity, in a levelled text."""
SURE = 0.9
"""Strength from which no further variant is looked at."""
COMPARED = 64
"""Variants with which each further one is compared to leave out repetitions: all pairs would take too long."""
_LONG = 320
"""Characters from which a response that states the fact may decline at its beginning and at its end."""
_SILENT = Evidence("", Stance.SILENT)
_ORDER = (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.SILENT)
Kinds = tuple[Evidence, ...]
"""What each of VARIANT_READERS says."""
_NONE: Kinds = (_SILENT,) * len(VARIANT_READERS)


class Weighed(NamedTuple):
    """What is known of one response before any threshold is applied."""

    leading: Evidence | None = None
    """The evidence that decides; None where there is nothing to compare."""
    declined: Evidence | None = None
    """The refusal, if the response declines."""
    unread: str | None = None
    """The name of a language that qaviz does not read, where the verdict would rest on its words."""
    kinds: tuple[Evidence, ...] = (_SILENT,) * len(READERS)
    """What each of READERS says by itself."""
    doubted: frozenset[str] = frozenset()
    """The names of the doubts about the leading evidence."""


def weigh(asked: Sequence[Asked]) -> list[Weighed]:
    """Return what is known of each response.

    Give at most `workers.AT_ONCE`: the readers' caches hold the texts of so many.
    """
    return [_weigh(row) if row.response.strip() else Weighed() for row in asked]


def _weigh(asked: Asked) -> Weighed:
    stated = verbatim.find_verbatim(asked)
    plainly = stated is not None and stated.stance is Stance.AGREES and stated.strength == 1 and not _may_differ(asked)
    declined = _find_refusal(stated, plainly, asked)
    if plainly and not declined:
        kinds = _speaking(asked.variant or "", asked.question)
        found = stated
    else:
        found, kinds = read_variants(asked)
        found = leading(stated, found, asked)
    every = (stated or _SILENT, *kinds)
    if declined and (plainly or _may_be_stray(found, asked) or _is_echo(found, asked)):
        return Weighed(None, declined, kinds=every)
    if declined and _answers_beside(found, declined, asked):
        declined = None
    doubted = doubts.find(found, asked) if found and found.stance is Stance.AGREES else frozenset[str]()
    return Weighed(found, declined, kinds=every, doubted=doubted)


@lru_cache(maxsize=4096)
def _speaking(variant: str, question: str) -> Kinds:
    """What the readers say of a response that states a variant as it is: those that it speaks to agree."""
    agrees = Evidence("", Stance.AGREES)
    return tuple(agrees if reader.speaks(variant, question) else _SILENT for reader in VARIANT_READERS)


def _find_refusal(stated: Evidence | None, plainly: bool, asked: Asked) -> Evidence | None:
    if plainly and not _may_be_stray(stated, asked) and not _is_echo(stated, asked):
        long = len(asked.response) > _LONG
        return refusal.declines_first_and_last(asked.response, asked.question) if long else None
    refused = refusal.find(asked.response, asked.question)
    return refused if refused.stance is Stance.AGREES else None


def _is_echo(found: Evidence | None, asked: Asked) -> bool:
    """Whether the golden value that a response names stands in the question too: a refusal may repeat it."""
    if not found or not found.response:
        return False
    return holds_words(level_text(asked.question), level_text(found.response.text))


def _answers_beside(found: Evidence | None, declined: Evidence, asked: Asked) -> bool:
    """Whether a response that declines says all of a golden phrase in another clause, in words the question lacks."""
    if not found or found.stance is not Stance.AGREES or not found.response or not found.golden:
        return False
    if not declined.response or declined.response.start <= found.response.start < declined.response.end:
        return False
    if found.kind == polarity.KIND:
        refuses = refusal.find(found.response.text, asked.question).stance is Stance.AGREES
        return not refuses and not polarity.asks_yes_or_no(asked.question)
    if found.kind != phrases.KIND or found.strength < phrases.WHOLE:
        return False
    question = "".join(words(asked.question).forms)
    return any(form.isalpha() and form not in question for form in words(found.golden.text).forms)


def _may_be_stray(found: Evidence | None, asked: Asked) -> bool:
    """Whether a response agrees only by a 0 behind other words: in a refusal that is no answer."""
    if not found or found.stance is not Stance.AGREES or not found.golden or not found.response:
        return False
    return found.golden.text.strip() == ZERO and any(map(str.isalpha, asked.response[: found.response.start]))


def _may_differ(asked: Asked) -> bool:
    """Whether a stated number has another bound or period, or a calculation follows that may end in another number."""
    if not any(map(str.isdigit, asked.variant or "")):
        return False
    if quantities.differ(asked.variant or "", asked.response, asked.start, asked.end):
        return True
    after = level_text(asked.response)[asked.end :]
    if "=" in after or "≈" in after:
        return True
    return any(ending in after for ending in _ENDINGS) and _GOES_ON.search(after) is not None


def leading(stated: Evidence | None, found: Evidence, asked: Asked) -> Evidence | None:
    """The evidence that decides: the golden value in any form, else another value.

    The fact as Factual Knowledge found it comes first, unless the response goes on to answer with another value.
    """
    if stated and stated.kind == verbatim.ACCIDENT:
        return stated
    if stated and stated.stance is Stance.AGREES and _concludes_with(stated, asked):
        return stated
    if stated and stated.stance is not found.stance:
        return stated if found.stance in (Stance.ABSENT, Stance.SILENT) else found
    return stated or (None if found.stance is Stance.SILENT else found)


def _concludes_with(stated: Evidence, asked: Asked) -> bool:
    """Whether the last conclusion of a response states the fact as it is written."""
    level = level_text(asked.response)
    last = max((ending.start() for ending in _GOES_ON.finditer(level)), default=-1)
    return last >= 0 and stated.response is not None and holds_words(level[last:], level_text(stated.response.text))


def by_variants(asked: Asked) -> Evidence:
    """What the response says of the fact, else of the answer: its best variant, or for `<AND>` its worst."""
    return read_variants(asked)[0]


def read_variants(asked: Asked) -> tuple[Evidence, Kinds]:
    """Return what leads and what each kind says: of the best variant, or for `<AND>` of the worst."""
    golden = asked.fact if _variants(asked.fact) else asked.answer
    if needs_all(golden):
        every = [_read_kinds(variant, asked) for variant in _variants(golden)]
        best = max((found for found, _ in every), key=_rank, default=_SILENT)
        return best, tuple(
            max(of_kind, key=_rank_worst) for of_kind in zip(*(kinds for _, kinds in every), strict=True)
        )
    best, kinds = _SILENT, _NONE
    for variant in _drop_repeated_variants(golden, asked.question):
        found, of_variant = _read_kinds(variant, asked)
        best = min(best, found, key=_rank)
        kinds = tuple(min(pair, key=_rank) for pair in zip(kinds, of_variant, strict=True))
        if best.stance is Stance.AGREES and best.strength >= SURE:
            break
    return best, kinds


@lru_cache(maxsize=1024)
def _variants(golden: str) -> tuple[str, ...]:
    return tuple(variant.strip() for variant in fact_variants(golden) if variant.strip())


@lru_cache(maxsize=65_536)
def _drop_repeated_variants(golden: str, question: str) -> tuple[str, ...]:
    """The variants, without those that repeat the quantity of an earlier one in another unit."""
    variants = _variants(golden)
    if len(variants) < 2 or OR_DELIMITER not in golden:
        return variants
    kept: list[str] = []
    amounts: list[str] = []
    for variant in variants:
        if not quantities.find(variant):
            kept.append(variant)
        elif not any(quantities.same(other, variant, question) for other in amounts[:COMPARED]):
            kept.append(variant)
            amounts.append(variant)
    return tuple(kept)


def _read_kinds(variant: str, asked: Asked) -> tuple[Evidence, Kinds]:
    """What leads of one variant, and what each kind says of it.

    The first kind that speaks leads; but yes or no does not where the amount that goes with it is another, nor where
    the response takes no side and gives the amount.
    """
    kinds = tuple(
        reader.compare(variant, asked.response, asked.question) if reader in spoken else _SILENT
        for spoken in (_spoken(variant, asked.question),)
        for reader in VARIANT_READERS
    )
    spoke = (found for found in kinds if found.stance is not Stance.SILENT and not _is_other_form(found))
    first = next(spoke, kinds[0])
    amount = kinds[_AMOUNTS]
    if first.kind == polarity.KIND and (first.stance, amount.stance) in _AMOUNT_LEADS:
        return amount, kinds
    return first, kinds


def _is_other_form(found: Evidence) -> bool:
    """Whether a code is not there as it is: words may say the same."""
    return found.kind == symbols.KIND and found.stance is Stance.ABSENT


_AMOUNTS = next(place for place, reader in enumerate(VARIANT_READERS) if reader.name == "amounts")
_AMOUNT_LEADS = ((Stance.AGREES, Stance.CONTRADICTS), (Stance.ABSENT, Stance.AGREES))


@lru_cache(maxsize=16_384)
def _spoken(variant: str, question: str) -> tuple[Reader, ...]:
    """The readers that a variant speaks to."""
    return tuple(reader for reader in VARIANT_READERS if reader.speaks(variant, question))


def _rank(evidence: Evidence) -> tuple[int, float]:
    """A sort key, best first: evidence that agrees, by strength; the order of the variants decides among the rest."""
    strength = evidence.strength if evidence.stance is Stance.AGREES else 0.0
    return _ORDER.index(evidence.stance), -strength


def _rank_worst(evidence: Evidence) -> tuple[bool, int, float]:
    """The same for all of several variants: one that does not speak of a kind says nothing against it."""
    return evidence.stance is not Stance.SILENT, *_rank(evidence)
