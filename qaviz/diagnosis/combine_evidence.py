"""What the readers say together of one response: what leads, and what is doubtful. Responses in another language than
English are read as English, and what is found is quoted as it is written.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import (
    VERBATIM,
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
from qaviz.diagnosis.languages.reading import ENGLISH, Reading, language_of, read_as_english, read_unchanged
from qaviz.diagnosis.languages.vocabulary import READ, WITHOUT_BLANKS, english_name
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.model.plugins import load_plugins
from qaviz.scoring.definition import fact_variants, needs_all
from qaviz.scoring.facts import find_fact


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


_WITHOUT_WORDS = (VERBATIM, quantities.KIND, dates.KIND)
"""Evidence that rests on numbers, dates and exact names: it holds in a language that qaviz does not read."""
_EXACT = 0.9
"""Strength from which a phrase is an exact name."""

_FEW, _SOME = 3, 12
"""Words up to which a text tells no language: of a name beside a language that is read, of a text beside another."""
_NAME_ALONE = 3
"""Words of a response that is a name and nothing else."""


class _Translation(NamedTuple):
    """One response and what it is judged by, as they are read."""

    case: Case
    response: Reading
    golden: tuple[Reading, ...]
    """Each variant of the fact, else of the answer."""
    written: tuple[str, ...]
    """The same as written."""
    code: str
    """The language that the response is in."""
    unread: str | None
    """The name of the language of question or response that qaviz does not read."""


def weigh_in_any_language(cases: Sequence[Case]) -> list[Weighed]:
    """Return what `weigh` does; a row in another language than English is read as English before."""
    read = [_read(one) if one.foreign else None for one in cases]
    weighed = weigh([one.case if one else row for row, one in zip(cases, read, strict=True)])
    return [
        _as_written(weighed_case, one) if one else weighed_case for weighed_case, one in zip(weighed, read, strict=True)
    ]


def _read(case: Case) -> _Translation | None:
    """One row as it is read; None where all of it is in English."""
    texts = (case.question, case.answer, case.response)
    asking = next(filter(None, map(language_of, texts)), ENGLISH)
    answering = _language_beside(case.response, asking)
    if asking == ENGLISH and answering == ENGLISH:
        return None
    # What is written without a language of its own is written in the question's.
    golden = case.fact if case.fact.strip() else case.answer
    golden_language = _language_beside(golden.replace(OR_DELIMITER, " ").replace(AND_DELIMITER, " "), asking)
    response = read_as_english(case.response, answering) if answering != ENGLISH else None
    question = read_as_english(case.question, asking, question=True).text if asking != ENGLISH else case.question
    variants = tuple(fact_variants(golden))
    read = (
        tuple(read_as_english(variant, golden_language) for variant in variants) if golden_language != ENGLISH else ()
    )
    mark = AND_DELIMITER if needs_all(golden) else OR_DELIMITER
    joined = mark.join(one.text.strip() for one in read) if read else golden
    fact, answer = case.fact, joined
    if fact.strip():
        fact, answer = (
            joined,
            read_as_english(case.answer, golden_language).text if golden_language != ENGLISH else joined,
        )
    unread = next((code for code in (answering, asking) if code not in (*READ, ENGLISH)), None)
    response_read = response or read_unchanged(case.response)
    one = case._replace(question=question, answer=answer, fact=fact, response=response_read.text)
    return _Translation(
        _with_hit(one),
        response_read,
        read,
        variants,
        answering,
        english_name(unread) if unread else None,
    )


def _language_beside(text: str, asking: str) -> str:
    """The language of a response or golden text: the question's where it is too short to tell, or nearly the same."""
    language = language_of(text) or asking
    if language == "zh" and asking == "ja":
        return asking
    by_words = language in READ and language not in WITHOUT_BLANKS and asking not in (ENGLISH, *WITHOUT_BLANKS)
    return asking if by_words and len(text.split()) <= (_FEW if asking in READ else _SOME) else language


def _with_hit(case: Case) -> Case:
    """The row with the fact looked for anew, where Factual Knowledge found it in the texts as written."""
    if not case.variant or not case.variant.strip():
        return case
    hit = find_fact(case.fact, case.response)
    if not hit or hit.start == hit.end or (hit.inside_token and not case.inside_token):
        return case._replace(variant=None, start=0, end=0, inside_token=False)
    return case._replace(variant=hit.variant, start=hit.start, end=hit.end, inside_token=hit.inside_token)


def _as_written(weighed: Weighed, read: _Translation) -> Weighed:
    """What was found, quoted from the texts as written."""
    leading = weighed.leading
    if leading:
        leading = _quote_original(leading, read)
    declined = _quote_original(weighed.declined, read) if weighed.declined else None
    unread = None if declined or _needs_no_words(leading, read.case.response) else read.unread
    return weighed._replace(leading=leading, declined=declined, unread=unread)


def _needs_no_words(leading: Evidence | None, response: str) -> bool:
    """Whether evidence holds in a language that qaviz does not read."""
    if not leading or leading.stance not in (Stance.AGREES, Stance.CONTRADICTS):
        return False
    if leading.kind in _WITHOUT_WORDS:
        return True
    return (
        leading.kind == phrases.KIND
        and leading.stance is Stance.AGREES
        and (leading.strength >= _EXACT or len(response.split()) <= _NAME_ALONE)
    )


def _quote_original(evidence: Evidence, read: _Translation) -> Evidence:
    """The evidence with the places of its quotes in the texts as written, and the golden text in its own language."""
    stated, golden = evidence.response, evidence.golden
    if stated:
        stated = Span(*read.response.as_written(stated.start, stated.end), stated.text)
    for reading, written in zip(read.golden, read.written, strict=False):
        if golden and golden.text and golden.text in reading.text:
            at = reading.text.index(golden.text)
            start, end = reading.as_written(at, at + len(golden.text))
            golden = Span(start, end, written[start:end])
            break
    return evidence._replace(response=stated, golden=golden)
