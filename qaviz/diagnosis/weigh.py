"""What is known of one response before any threshold is applied: evidence, refusal, doubts, overlap."""

from functools import lru_cache
from typing import NamedTuple

from babel import Locale, UnknownLocaleError

from qaviz.diagnosis.answer_region import Region, find_region
from qaviz.diagnosis.compare import SURE, compare_region
from qaviz.diagnosis.doubts import find_doubts, find_other_name
from qaviz.diagnosis.golden_texts import Triplet, read_triplet
from qaviz.diagnosis.stance import PHRASE, POLARITY, REFUSAL, VERBATIM, Evidence, Stance
from qaviz.diagnosis.surface import SURFACE, compare_surface
from qaviz.reading import detect_language, level_text, without_marks
from qaviz.reading.level import holds_words
from qaviz.reading.refusals import Refusal, read_refusal
from qaviz.reading.tables import languages

LONGEST_NAME = 6
"""Words up to which a golden text is a name, and a region is one and nothing else."""


class Case(NamedTuple):
    """One response with what it is judged by."""

    question: str
    answer: str
    fact: str
    response: str


class Weighed(NamedTuple):
    """What is known of one response."""

    region: Region = Region("")
    surface: tuple[float, ...] = (0.0,) * len(SURFACE)
    leading: Evidence | None = None
    """The evidence that decides; None where there is nothing to compare."""
    declined: Refusal | None = None
    unread: str | None = None
    """The name of a language that qaviz does not read, where the verdict would rest on its words."""
    doubted: frozenset[str] = frozenset()
    failure: str | None = None
    """The bug that ended the reading."""


def weigh(case: Case) -> Weighed:
    """Return what is known of a response."""
    triplet = read_triplet(case.question, case.answer, case.fact)
    own_language = detect_language(case.question)
    region = find_region(case.response, triplet, own_language)
    if not region.text.strip():
        return Weighed(region, compare_surface(triplet, region.text))
    language = detect_language(region.text[:240], own_language)  # enough to tell it
    if own_language == "vi" and region.text.isascii():  # written without marks, as on a foreign keyboard
        triplet = read_triplet(*map(without_marks, (case.question, case.answer, case.fact)))
    evidence, variant = compare_region(region.text, triplet, language)
    agrees = evidence.stance is Stance.AGREES
    surface = compare_surface(triplet, region.text, variant if agrees and evidence.strength >= SURE else "")
    # What agrees says nothing in a refusal if it is a 0 behind other words (`page 0`), or words of the question.
    quoted = region.text[evidence.start : evidence.end]
    is_zero = evidence.golden.strip() == "0" and any(map(str.isalpha, region.text[: evidence.start]))
    stray = agrees and (is_zero or (quoted != "" and holds_words(level_text(case.question), level_text(quoted))))
    plainly = agrees and evidence.kind == VERBATIM and evidence.strength == 1 and not stray
    refusal = None if plainly else read_refusal(region.text, case.question, language)
    declined = refusal if refusal and refusal.declines else None
    if declined and (golden := _find_declining(triplet, own_language)):
        note = "declines, as the golden text does"
        evidence = Evidence(REFUSAL, Stance.AGREES, golden, declined.start, declined.end, note, SURE)
        return Weighed(region, surface, evidence, declined)
    implied = evidence.kind == POLARITY and evidence.strength < SURE
    if evidence.stance is Stance.SILENT or (declined and (stray or implied)):
        return Weighed(region, surface, None, declined, _name_unread(language, own_language, None, region.text))
    if evidence.stance is Stance.ABSENT and evidence.kind == PHRASE and evidence.start == evidence.end:
        evidence = _name_instead(evidence, region.text, triplet)
    doubted = find_doubts(evidence, region.text, triplet, language) if agrees else frozenset[str]()
    unread = None if declined else _name_unread(language, own_language, evidence, region.text)
    return Weighed(region, surface, evidence, declined, unread, doubted)


def _name_instead(evidence: Evidence, region: str, triplet: Triplet) -> Evidence:
    """The evidence with the name that stands where the golden one is wanted, if one does."""
    golden = evidence.golden.split()
    if not any(word[0].isupper() for word in golden) or len(golden) > LONGEST_NAME:
        return evidence
    if level_text(region).strip(" .") in triplet.words:  # a part of the golden name
        return evidence
    alone = len(region.split()) <= LONGEST_NAME and region[:1].isupper()
    if not (place := (0, len(region)) if alone else find_other_name(region, triplet)):
        return evidence
    return evidence._replace(start=place[0], end=place[1], note="another name than the golden one")


@lru_cache(maxsize=4_096)
def _find_declining(triplet: Triplet, language: str) -> str:
    """The first golden variant that declines itself: `Not stated.`"""
    refusals = ((text, read_refusal(text, "", language)) for text in triplet.variants)
    return next((text for text, refusal in refusals if refusal and refusal.declines), "")


def _name_unread(language: str, own_language: str, evidence: Evidence | None, region: str) -> str | None:
    """The language of region or question that qaviz does not read; None where the golden text is all that is said.

    Its negations are not read, so that a golden name or value beside other words may be denied.
    """
    code = next((code for code in (language, own_language) if code not in languages()), None)
    beside = region
    if evidence and evidence.stance is Stance.AGREES:
        beside = region[: evidence.start] + region[evidence.end :]
    return _english_name(code) if code and any(map(str.isalnum, beside)) else None


@lru_cache
def _english_name(code: str) -> str:
    try:
        return Locale.parse(code).english_name or code
    except (UnknownLocaleError, ValueError):
        return code
