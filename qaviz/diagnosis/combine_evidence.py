"""What the readers say together of one response: what leads, and what is doubtful."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import (
    Case,
    Evidence,
    Span,
    Stance,
    dates,
    doubts,
    phrases,
    polarity,
    quantities,
    refusal,
    verbatim,
)
from qaviz.diagnosis.evidence.clauses import holds_words, level_text
from qaviz.model.columns import OR_DELIMITER
from qaviz.model.plugins import load_plugins
from qaviz.scoring.definition import fact_variants, needs_all


class Reader(NamedTuple):
    """One kind of evidence."""

    name: str
    compare: Callable[[str, str, str], Evidence]
    """Golden text, response and question in, evidence out."""
    speaks: Callable[[str, str], bool]
    """Whether a golden text, with its question, has such evidence: else `compare` is silent."""


VARIANT_READERS = (
    Reader("symbols", verbatim.compare, verbatim.speaks),
    Reader("sides", polarity.compare, polarity.speaks),
    Reader("dates", dates.compare, dates.speaks),
    Reader("amounts", quantities.compare, quantities.speaks),
    Reader("phrases", phrases.compare, phrases.speaks),
)
"""What reads each variant of the fact, else the answer. The first that speaks leads."""

ZERO = "0"
"""A golden text that a response may hold without meaning it: `page 0`, `Confidence: 0`."""
SURE = 0.9
"""Strength from which no further variant is looked at."""
COMPARED = 64
"""Variants with which each further one is compared to leave out repetitions: all pairs would take too long."""
_SILENT = Evidence("", Stance.SILENT)
_ORDER = (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.SILENT)


class Weighed(NamedTuple):
    """What is known of one response before any threshold is applied."""

    leading: Evidence | None = None
    """The evidence that decides; None where there is nothing to compare."""
    declined: Evidence | None = None
    """The refusal, if the response declines."""
    unread: str | None = None
    """The name of a language that qaviz does not read, where the verdict would rest on its words."""
    doubted: frozenset[str] = frozenset()
    """The names of the doubts about the leading evidence."""


def weigh(cases: Sequence[Case]) -> list[Weighed]:
    """Return what is known of each response.

    Give at most `workers.AT_ONCE`: the readers' caches hold the texts of so many.
    """
    return [_weigh(row) if row.response.strip() else Weighed() for row in cases]


def _weigh(case: Case) -> Weighed:
    stated = verbatim.find_verbatim(case)
    plainly = stated is not None and stated.stance is Stance.AGREES and stated.strength == 1
    declined = _find_refusal(stated, plainly, case)
    if declined and (golden := _find_declining(case.fact if case.fact.strip() else case.answer)):
        note = "declines, as the golden text does"
        return Weighed(Evidence(phrases.KIND, Stance.AGREES, golden, declined.response, note, phrases.WHOLE))
    evidence = stated if plainly and not declined else leading(stated, by_variants(case))
    if declined and (plainly or _may_be_stray(evidence, case) or _is_echo(evidence, case)):
        return Weighed(None, declined)
    doubted = doubts.find(evidence, case) if evidence and evidence.stance is Stance.AGREES else frozenset[str]()
    return Weighed(evidence, declined, doubted=doubted)


def _find_refusal(stated: Evidence | None, plainly: bool, case: Case) -> Evidence | None:
    if plainly and not _may_be_stray(stated, case) and not _is_echo(stated, case):
        return None
    refused = refusal.find(case.response, case.question)
    return refused if refused.stance is Stance.AGREES else None


@lru_cache(maxsize=4096)
def _find_declining(golden: str) -> Span | None:
    """The first golden variant that declines itself: `Not stated.`"""
    variants = (variant for variant in _variants(golden) if refusal.find(variant).stance is Stance.AGREES)
    return next((Span(0, len(variant), variant) for variant in variants), None)


def _is_echo(evidence: Evidence | None, case: Case) -> bool:
    """Whether the golden value that a response names stands in the question too: a refusal may repeat it."""
    if not evidence or not evidence.response:
        return False
    return holds_words(level_text(case.question), level_text(evidence.response.text))


def _may_be_stray(evidence: Evidence | None, case: Case) -> bool:
    """Whether a response agrees only by a 0 behind other words: in a refusal that is no answer."""
    if not evidence or evidence.stance is not Stance.AGREES or not evidence.golden or not evidence.response:
        return False
    return evidence.golden.text.strip() == ZERO and any(map(str.isalpha, case.response[: evidence.response.start]))


def leading(stated: Evidence | None, evidence: Evidence) -> Evidence | None:
    """The evidence that decides: the golden value in any form, else another value.

    The fact as Factual Knowledge found it comes first, unless the response goes on to answer with another value.
    """
    if stated and stated.kind == verbatim.ACCIDENT:
        return stated
    if stated and stated.stance is not evidence.stance:
        return stated if evidence.stance in (Stance.ABSENT, Stance.SILENT) else evidence
    return stated or (None if evidence.stance is Stance.SILENT else evidence)


def by_variants(case: Case) -> Evidence:
    """What the response says of the fact, else of the answer: its best variant, or for `<AND>` its worst."""
    golden = case.fact if _variants(case.fact) else case.answer
    if needs_all(golden):
        return max((_read_variant(variant, case) for variant in _variants(golden)), key=_rank, default=_SILENT)
    best = _SILENT
    for variant in _drop_repeated_variants(golden, case.question):
        best = min(best, _read_variant(variant, case), key=_rank)
        if best.stance is Stance.AGREES and best.strength >= SURE:
            break
    return best


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


def _read_variant(variant: str, case: Case) -> Evidence:
    """What leads of one variant: the first of VARIANT_READERS that speaks.

    But yes or no does not where the amount that goes with it is another, nor where the response takes no side and gives
    the amount; nor does a code that is not there as it is, because words may say the same.
    """
    first = _SILENT
    for reader in _spoken(variant, case.question):
        evidence = reader.compare(variant, case.response, case.question)
        if first.kind == polarity.KIND:
            if (first.stance, evidence.stance) in _AMOUNT_LEADS and reader.name == "amounts":
                return evidence
        elif evidence.stance is not Stance.SILENT and not (
            evidence.kind == verbatim.KIND and evidence.stance is Stance.ABSENT
        ):
            first = evidence
            if first.kind != polarity.KIND:
                break
    return first


_AMOUNT_LEADS = ((Stance.AGREES, Stance.CONTRADICTS), (Stance.ABSENT, Stance.AGREES))


@lru_cache(maxsize=16_384)
def _spoken(variant: str, question: str) -> tuple[Reader, ...]:
    """The readers that a variant speaks to."""
    return tuple(reader for reader in _list_readers() if reader.speaks(variant, question))


def _list_readers() -> tuple[Reader, ...]:
    """Those of installed packages, then qaviz's own."""
    return (*load_plugins("qaviz.evidence", Reader), *VARIANT_READERS)


def _rank(evidence: Evidence) -> tuple[int, float]:
    """A sort key, best first: evidence that agrees, by strength; the order of the variants decides among the rest."""
    strength = evidence.strength if evidence.stance is Stance.AGREES else 0.0
    return _ORDER.index(evidence.stance), -strength
