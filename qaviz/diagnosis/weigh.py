"""What the kinds of evidence say together of one response."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from qaviz.diagnosis import dates, quantities, refusal
from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.model import AND_DELIMITER, OR_DELIMITER
from qaviz.scoring.definition import fact_variants, needs_all, words_of
from qaviz.scoring.hits import token_around

VERBATIM = "verbatim"
PART = "part"


@dataclass(frozen=True, slots=True)
class Asked:
    """One response with what it is judged by."""

    question: str
    answer: str
    fact: str
    response: str
    variant: str | None
    """The variant of the fact that Factual Knowledge found, None where it found none."""
    start: int
    end: int
    inside_token: bool


@dataclass(frozen=True, slots=True)
class Weighed:
    """What is known of one response before any threshold is applied."""

    leading: Evidence | None
    """The evidence that decides; None where there is nothing to compare."""
    declined: Evidence | None
    """The refusal, if the response declines."""
    off_topic: bool
    """Whether the words beside the fact have nothing to do with the question."""


def weigh(asked: Asked) -> Weighed:
    """Return the evidence that leads, whether the response declines, and whether it is off the question's topic."""
    if not asked.response.strip():
        return Weighed(None, None, False)
    declined = refusal.find(asked.response, asked.question)
    return Weighed(
        leading(asked),
        declined if declined.stance is Stance.AGREES else None,
        asked.variant is not None and off_topic(asked),
    )


def leading(asked: Asked) -> Evidence | None:
    """The evidence that decides: the golden value in any form, else another value, else a part of the golden answer.

    The fact as Factual Knowledge found it comes first, unless the response goes on to answer with another value.
    """
    stated, found = verbatim(asked), by_variants(asked)
    if stated and stated.stance is not found.stance:
        return stated if found.stance in (Stance.ABSENT, Stance.SILENT) else found
    if stated or found.stance is Stance.AGREES or found.stance is Stance.CONTRADICTS:
        return stated or found
    return part(asked) or (found if found.stance is Stance.ABSENT else None)


def by_variants(asked: Asked) -> Evidence:
    """What the response says of the fact, else of the answer: its best variant, or for `<AND>` its worst."""
    golden = asked.fact if asked.fact.strip() else asked.answer
    every = needs_all(golden)
    found = [by_kinds(variant.strip(), asked) for variant in fact_variants(golden) if variant.strip()]
    choose = max if every else min
    return choose(found, key=_rank, default=Evidence("", Stance.SILENT))


def by_kinds(variant: str, asked: Asked) -> Evidence:
    """What the kinds of evidence say of one variant: a date before a quantity, for a year is no amount."""
    for compare in (dates.compare, quantities.compare):
        found = compare(variant, asked.response, asked.question)
        if found.stance is not Stance.SILENT:
            return found
    return Evidence("", Stance.SILENT)


_ORDER = (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.SILENT)


def _rank(evidence: Evidence) -> tuple[int, float]:
    return _ORDER.index(evidence.stance), -evidence.strength


def verbatim(asked: Asked) -> Evidence | None:
    """The fact as Factual Knowledge found it; CONTRADICTS where it stands only inside a larger token."""
    if not asked.variant or not asked.variant.strip():
        return None
    golden = Span(0, len(asked.variant), asked.variant)
    stated = asked.response[asked.start : asked.end]
    if asked.inside_token:
        stated = token_around(asked.response, asked.start, asked.end)
        return Evidence(VERBATIM, Stance.CONTRADICTS, golden, Span(asked.start, asked.end, stated))
    return Evidence(VERBATIM, Stance.AGREES, golden, Span(asked.start, asked.end, stated))


def part(asked: Asked) -> Evidence | None:
    """AGREES where all that the response says beyond the question stands in the golden answer: a part of it."""
    said = _telling(asked.response) - _telling(asked.question)
    if not said or not said <= _telling(asked.answer):
        return None
    words = ", ".join(sorted(said))
    note = f"all that it says beyond the question is in the golden answer ({words}), which says more"
    return Evidence(PART, Stance.AGREES, response=Span(0, len(asked.response), asked.response), note=note, strength=0.5)


def off_topic(asked: Asked) -> bool:
    """Whether the response says something beside the fact, and none of it is in the question or the golden answer."""
    beside = _telling(asked.response) - _telling(asked.fact)
    return bool(beside) and beside.isdisjoint(_telling(asked.question)) and beside.isdisjoint(_telling(asked.answer))


_FUNCTION_WORDS = frozenset(
    words_of(
        "about all also and any are as at be been but by can could did do does for from had has have he her his how i "
        "if in into is it its many may more much no not of on one or our she so some such than that their them there "
        "these they this to was we were what when where which who whose why will with would you your"
    )
)


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    """Return the normalised words of a text that are more than grammar."""
    return frozenset(words_of(text.replace(OR_DELIMITER, " ").replace(AND_DELIMITER, " "))) - _FUNCTION_WORDS


def spans(found: Iterable[Evidence | None]) -> list[dict[str, str | int]]:
    """Return where the evidence stands in the response, for highlighting."""
    return [
        {"kind": evidence.kind, "start": evidence.response.start, "end": evidence.response.end}
        for evidence in found
        if evidence and evidence.response
    ]
