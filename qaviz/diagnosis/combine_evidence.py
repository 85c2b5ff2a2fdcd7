"""What the kinds of evidence say together of one response."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import (
    Asked,
    Evidence,
    Span,
    Stance,
    clock,
    dates,
    derived_figures,
    phrases,
    polarity,
    quantities,
    references,
    refusal,
)
from qaviz.diagnosis.evidence.claims import choices
from qaviz.diagnosis.evidence.claims.parts import LONGEST
from qaviz.diagnosis.evidence.claims.settle import judge_claim
from qaviz.diagnosis.evidence.clauses import holds_words, level_text
from qaviz.diagnosis.evidence.verbatim import ACCIDENT, find_verbatim
from qaviz.diagnosis.evidence.words import words
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.scoring.definition import fact_variants, needs_all, words_of

PART = "part"
"""A part of the golden answer, and nothing else."""

Compare = Callable[[str, str, str], Evidence]
"""A kind of evidence: golden text, response and question in, evidence out."""
ZERO = "0"
"""A golden text that a response may hold without meaning it: `page 0`, `Confidence: 0`."""
_ENDINGS = ("therefore", "thus", "hence", "rounded", "finally", "overall", "conclusion", "do đó", "vì vậy")
_GOING_ON = f"(?:{'|'.join(_ENDINGS)})"
_GOES_ON = re.compile(rf"\b{_GOING_ON}\b")
"""What begins a conclusion that may end in another quantity, in a levelled text."""
MAY_GO_ON = f"(?i)[=≈]|{_GOING_ON}"
"""The same for polars, and a little more: without word boundaries, which cost it most on text outside of ASCII."""
SURE = 0.9
"""Strength from which no further variant is looked at."""
COMPARED = 64
"""Variants with which each further one is compared to leave out repetitions: all pairs would take too long."""
_SILENT = Evidence("", Stance.SILENT)
_ORDER = (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.SILENT)
_BEGINNING = 120
"""Characters of a longer response that are looked at first: most say something else there already."""
_FUNCTION_WORDS = frozenset(
    words_of(
        "about all also and any are as at be been but by can could did do does for from had has have he her his how i "
        "if in into is it its many may more much no not of on one or our she so some such than that the their them "
        "there these they this to was we were what when where which who whose why will with would you your"
    )
)


class Weighed(NamedTuple):
    """What is known of one response before any threshold is applied."""

    leading: Evidence | None = None
    """The evidence that decides; None where there is nothing to compare."""
    declined: Evidence | None = None
    """The refusal, if the response declines."""
    unread: str | None = None
    """The name of a language that qaviz does not read, where the verdict would rest on its words."""


def weigh(asked: Sequence[Asked]) -> list[Weighed]:
    """Return for each the evidence that leads, and whether it declines.

    Each step is taken for all responses before the next step, which is a sixth faster than one response after another.
    Give at most `workers.AT_ONCE`: the readers' caches hold the texts of so many.
    """
    weighed = iter(_weigh([one for one in asked if one.response.strip()]))
    return [next(weighed) if one.response.strip() else Weighed() for one in asked]


def _weigh(asked: Sequence[Asked]) -> list[Weighed]:
    stated = [find_verbatim(one) for one in asked]
    plainly = [_states_plainly(found, one) for found, one in zip(stated, asked, strict=True)]
    declined = [_find_refusal(*each) for each in zip(stated, plainly, asked, strict=True)]
    _read_ahead([one for one, plain, refused in zip(asked, plainly, declined, strict=True) if refused or not plain])
    weighed = (_weigh_found(*each) for each in zip(stated, plainly, declined, asked, strict=True))
    return [_check_figures(found, one) for found, one in zip(weighed, asked, strict=True)]


def _states_plainly(stated: Evidence | None, asked: Asked) -> bool:
    """Whether the response states the fact, and nothing that follows may outdo it."""
    return stated is not None and stated.stance is Stance.AGREES and not _may_go_on(asked)


def _find_refusal(stated: Evidence | None, plainly: bool, asked: Asked) -> Evidence | None:
    if plainly and not _may_be_stray(stated, asked) and not _is_echo(stated, asked):
        long = len(asked.response) > LONGEST
        return refusal.declines_first_and_last(asked.response, asked.question) if long else None
    refused = refusal.find(asked.response, asked.question)
    return refused if refused.stance is Stance.AGREES else None


def _is_echo(found: Evidence | None, asked: Asked) -> bool:
    """Whether the golden value that a response names stands in the question too: a refusal may repeat it."""
    if not found or not found.response:
        return False
    return holds_words(level_text(asked.question), level_text(found.response.text))


def _read_ahead(asked: Sequence[Asked]) -> None:
    """Read the texts that `leading` will look at; the readers remember them."""
    golden = [(_golden(one), one.question) for one in asked]
    measured = {
        (text, question)
        for text, question in dict.fromkeys(golden)
        if any(quantities.sought(variant, question) for variant in _drop_repeated_variants(text, question))
    }
    for one, text in zip(asked, golden, strict=True):
        if text in measured:
            quantities.find(one.response)


def _weigh_found(stated: Evidence | None, plainly: bool, declined: Evidence | None, asked: Asked) -> Weighed:
    if declined and choices.options(asked.question, _golden(asked)):
        return Weighed(None, declined)
    if chosen := choices.compare(asked.question, _golden(asked), asked.response):
        return Weighed(stated if stated and stated.stance is chosen.stance else chosen)
    found = stated if plainly and not declined else leading(stated, asked)
    if declined and (plainly or _may_be_stray(found, asked) or _is_echo(found, asked)):
        return Weighed(None, declined)
    if not declined and (refused := refusal.declines_beside(found, asked.question, asked.response)):
        return Weighed(None, refused)
    texts = asked.question, asked.answer, _golden(asked), asked.response
    claimed = judge_claim(found, *texts, doubts=not (asked.foreign or declined)) if found else None
    return Weighed(claimed, None if declined and _answers_beside(claimed, declined, asked) else declined)


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


def _check_figures(weighed: Weighed, asked: Asked) -> Weighed:
    """What was weighed; CONTRADICTS where the response states one variant and derives another wrongly from it."""
    leading = weighed.leading
    if OR_DELIMITER not in asked.fact or leading is None or leading.stance is not Stance.AGREES or not leading.golden:
        return weighed
    wrong = derived_figures.compare(asked.fact, asked.response, leading.golden.text)
    return weighed._replace(leading=wrong) if wrong else weighed


def _may_be_stray(found: Evidence | None, asked: Asked) -> bool:
    """Whether a response agrees only by a 0 behind other words: in a refusal that is no answer."""
    if not found or found.stance is not Stance.AGREES or not found.golden or not found.response:
        return False
    return found.golden.text.strip() == ZERO and any(map(str.isalpha, asked.response[: found.response.start]))


def _may_go_on(asked: Asked) -> bool:
    """Whether a calculation or a conclusion follows the stated number: it may end in another number."""
    if not any(map(str.isdigit, asked.variant or "")):
        return False
    after = level_text(asked.response)[asked.end :]
    if "=" in after or "≈" in after:
        return True
    return any(ending in after for ending in _ENDINGS) and _GOES_ON.search(after) is not None


def leading(stated: Evidence | None, asked: Asked) -> Evidence | None:
    """The evidence that decides: the golden value in any form, else another value, else a part of the golden answer.

    The fact as Factual Knowledge found it comes first, unless the response goes on to answer with another value.
    """
    if stated and stated.kind == ACCIDENT:
        return stated
    found = _by_references(asked) or by_variants(asked)
    if stated and stated.stance is Stance.AGREES and _concludes_with(stated, asked):
        return stated
    if stated and stated.stance is not found.stance:
        return stated if found.stance in (Stance.ABSENT, Stance.SILENT) else found
    if stated or found.stance is Stance.AGREES or found.stance is Stance.CONTRADICTS:
        return stated or found
    return find_part(asked) or (found if found.stance is Stance.ABSENT else None)


def _concludes_with(stated: Evidence, asked: Asked) -> bool:
    """Whether the last conclusion of a response states the fact as it is written."""
    level = level_text(asked.response)
    last = max((ending.start() for ending in _GOES_ON.finditer(level)), default=-1)
    return last >= 0 and stated.response is not None and holds_words(level[last:], level_text(stated.response.text))


def _by_references(asked: Asked) -> Evidence | None:
    """What the response says of several references; None where the golden dataset gives a fact, or one answer."""
    if _variants(asked.fact) or not references.are_references(asked.answer):
        return None
    return references.compare(asked.answer, asked.response, asked.question)


def by_variants(asked: Asked) -> Evidence:
    """What the response says of the fact, else of the answer: its best variant, or for `<AND>` its worst."""
    golden = _golden(asked)
    if needs_all(golden):
        every = [by_kinds(variant, asked) for variant in _variants(golden)]
        return max(every, key=_rank, default=_SILENT)
    best = _SILENT
    for variant in _drop_repeated_variants(golden, asked.question):
        best = min(best, by_kinds(variant, asked), key=_rank)
        if best.stance is Stance.AGREES and best.strength >= SURE:
            break
    return best


def _golden(asked: Asked) -> str:
    """What the response is compared with: the fact, else the answer."""
    return asked.fact if _variants(asked.fact) else asked.answer


@lru_cache(maxsize=1024)
def _variants(golden: str) -> tuple[str, ...]:
    return tuple(variant.strip() for variant in fact_variants(golden) if variant.strip())


@lru_cache(maxsize=65_536)
def _drop_repeated_variants(golden: str, question: str) -> tuple[str, ...]:
    """The variants, without those that repeat the quantity of an earlier one in another unit."""
    variants = _variants(golden)
    if len(variants) < 2:
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


def by_kinds(variant: str, asked: Asked) -> Evidence:
    """What the kinds of evidence say of one variant.

    Yes or no comes first, unless the amount that goes with it is another; where the response takes no side the amount
    alone can agree. A time of day or a date comes before a quantity, for a year is no amount; words come last.
    """
    side = polarity.compare(variant, asked.response, asked.question)
    if side.stance is Stance.SILENT:
        return _first_to_speak((clock.compare, dates.compare, quantities.compare, phrases.compare), variant, asked)
    if side.stance is Stance.CONTRADICTS:
        return side
    amount = quantities.compare(variant, asked.response, asked.question)
    if side.stance is Stance.ABSENT:
        return amount if amount.stance is Stance.AGREES else side
    return amount if amount.stance is Stance.CONTRADICTS else side


def _first_to_speak(kinds: Iterable[Compare], variant: str, asked: Asked) -> Evidence:
    found = (compare(variant, asked.response, asked.question) for compare in kinds)
    return next((evidence for evidence in found if evidence.stance is not Stance.SILENT), _SILENT)


def _rank(evidence: Evidence) -> tuple[int, float]:
    """A sort key, best first: evidence that agrees, by strength; the order of the variants decides among the rest."""
    strength = evidence.strength if evidence.stance is Stance.AGREES else 0.0
    return _ORDER.index(evidence.stance), -strength


def find_part(asked: Asked) -> Evidence | None:
    """AGREES where all that the response says beyond the question stands in the golden answer: a part of it."""
    if not asked.fact.strip():
        return None
    said = find_part_words(asked.answer, asked.fact, asked.question, asked.response)
    if not said:
        return None
    words = ", ".join(sorted(said))
    note = f"all that it says beyond the question is in the golden answer ({words}), which says more"
    return Evidence(PART, Stance.AGREES, response=Span(0, len(asked.response), asked.response), note=note, strength=0.5)


def find_part_words(answer: str, fact: str, question: str, response: str) -> frozenset[str]:
    """Return what the response says beyond the question, if it is what the golden answer says beside the fact.

    Nothing, if it says anything else.
    """
    asked, golden = _telling(question), _telling(answer)
    if (
        len(response) > _BEGINNING
        and not _telling(response[: response.rfind(" ", 0, _BEGINNING) + 1]) <= asked | golden
    ):
        return frozenset()
    said = _telling(response) - asked
    return said if said <= golden and not said <= _telling(fact) else frozenset()


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    """Return the normalised words of a text that are more than grammar."""
    return frozenset(words_of(text.replace(OR_DELIMITER, " ").replace(AND_DELIMITER, " "))) - _FUNCTION_WORDS
