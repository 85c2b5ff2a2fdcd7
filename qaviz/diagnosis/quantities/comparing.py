"""Whether a response gives the golden quantity: which of the golden text's matter, which of the response's answer."""

import re
import sys
from collections.abc import Iterator, Sequence
from decimal import Decimal

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.quantities.agreement import Fit, fit, opposed
from qaviz.diagnosis.quantities.question import Asked, ask, stem
from qaviz.diagnosis.quantities.reading import Quantity, find
from qaviz.diagnosis.statements import clauses, levelled

KIND = "quantity"

SUPPORTING = 0.5
"""Highest strength of a quantity that only illustrates the golden answer."""
FEW = 8
"""Different quantities up to which one that agrees is no chance hit."""
NEW_WORDS = 4
"""One word in so many may be new for a golden text to be about its quantity."""
_FILLER = frozenset(
    "a an the of about around approximately roughly nearly almost over under some just only exactly total was is were "
    "are in at to and or each every per it they he she its there his her their by for on as p m am pm usd us yes "
    "no has have had amount amounts".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_ORDER = (Stance.CONTRADICTS, Stance.ABSENT, Stance.AGREES)
_SILENT = Evidence(KIND, Stance.SILENT)


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """Return whether the response gives the golden quantity: all of them for a fact, the first for a long answer.

    Silent where the golden text is not about a quantity. Where a quantity only illustrates the golden answer, it can
    support a response and not refute it. What the question gives itself is no evidence, and where the response
    calculates, its result counts and not its working.
    """
    found = find(golden)
    if not found:
        return _SILENT
    asked = ask(question)
    wanted, supporting = _wanted(golden, found, asked)
    if not wanted:
        return _SILENT
    verdicts = [_verdict(golden, quantity, response, asked) for quantity in wanted]
    decisive = min(verdicts, key=lambda evidence: _ORDER.index(evidence.stance))
    if not supporting:
        return decisive
    if decisive.stance is not Stance.AGREES:
        return _SILENT
    strength = min(decisive.strength, SUPPORTING)
    return Evidence(KIND, Stance.AGREES, decisive.golden, decisive.response, decisive.note, strength)


def _wanted(golden: str, found: tuple[Quantity, ...], asked: Asked) -> tuple[list[Quantity], bool]:
    """The golden quantities that the question is after, and whether they only illustrate the answer."""
    if asked.date:
        return [], False
    words = _words_beside(golden, found)
    if not words:
        fresh = [quantity for quantity in found if not _given(quantity, asked)] or list(found)
        named = asked.thing and not asked.amount and not any(map(_is_measured, fresh))
        return _without_restatement(fresh, asked), named
    fresh = [q for q in found if (asked.amount or _is_measured(q)) and not q.weak and not _given(q, asked)]
    return fresh[:1], not fresh or not (asked.amount or _is_headline(fresh[0], golden, found, words, asked))


def _is_headline(
    quantity: Quantity, golden: str, found: tuple[Quantity, ...], words: Sequence[str], asked: Asked
) -> bool:
    """Whether the golden text says little more than the quantity: most words beside it are the question's.

    After a yes or no it is the quantity's own sentence that counts: `Yes. It has a working capital of $1.6 bn.`
    """
    if asked.polar:
        words = _words_beside(golden, found, *_sentence(golden, quantity))
    elif asked.thing:
        return False
    return NEW_WORDS * sum(stem(word) not in asked.words for word in words) <= len(words)


def _sentence(golden: str, of: Quantity) -> tuple[int, int]:
    """Where the sentence of a quantity begins and ends."""
    return next((start, end) for start, end in clauses(levelled(golden)) if start <= of.start < end)


def _is_measured(quantity: Quantity) -> bool:
    """Whether it is more than a plain number, which may be part of a name."""
    return bool(quantity.unit or quantity.scaled or quantity.half < Decimal("0.5"))


def _words_beside(golden: str, found: tuple[Quantity, ...], start: int = 0, end: int = sys.maxsize) -> list[str]:
    """The words of the golden text, or of a stretch of it, that are neither quantity nor filler."""
    level = levelled(golden)
    words: list[str] = []
    for quantity in found:
        if start <= quantity.start < end:
            words += _WORD.findall(level, start, quantity.start)
            start = quantity.end
    words += _WORD.findall(level, start, end)
    return [word for word in words if word not in _FILLER]


def _without_restatement(quantities: list[Quantity], asked: Asked) -> list[Quantity]:
    """The quantities, without those that give an earlier one in other units: `5.97 m (19 ft 7 in)`."""
    kept: list[Quantity] = []
    for quantity in quantities:
        fits = [fit(quantity, earlier, asked) for earlier in kept if earlier.unit and earlier.unit == quantity.unit]
        if not any(found and found.agrees for found in fits):
            kept.append(quantity)
    return kept


def _given(quantity: Quantity, asked: Asked) -> bool:
    """Whether the question itself contains the quantity."""
    return any(
        quantity.value == given.value and (quantity.unit == given.unit or "" in (quantity.unit, given.unit))
        for given in asked.given
    )


def _verdict(golden: str, wanted: Quantity, response: str, asked: Asked) -> Evidence:
    """What the response says of one golden quantity."""
    words = wanted.words(golden)
    said = [quantity for quantity in find(response) if _given(wanted, asked) or not _given(quantity, asked)]
    fits = {quantity: found for quantity in said if (found := fit(wanted, quantity, asked))}
    level = levelled(response)
    final = _final(level, [*fits])
    golden_level = levelled(golden)
    agreeing = [q for q in final if fits[q].agrees and not opposed(wanted, q, golden_level, level, asked)]
    if agreeing:
        best = max(agreeing, key=lambda quantity: fits[quantity].strength)
        strength = fits[best].strength * (SUPPORTING if _is_lucky(best, final) else 1)
        return Evidence(KIND, Stance.AGREES, words, best.words(response), _same(words, best.words(response)), strength)
    others = [quantity for quantity in final if not quantity.weak]
    if not others:
        return Evidence(KIND, Stance.ABSENT, words, None, f"gives no quantity where the golden one is {words.text}")
    return _other(words, wanted, others[-1], fits[others[-1]], response)


def _is_lucky(best: Quantity, final: Sequence[Quantity]) -> bool:
    """Whether one of so many different quantities would agree with anything, or the one has another reading."""
    return best.weak or len({quantity.value for quantity in final}) > FEW


def _same(golden: Span, said: Span) -> str:
    if golden.text == said.text:
        return f"states the golden {golden.text}"
    return f"{said.text} is the golden {golden.text}"


def _other(words: Span, wanted: Quantity, other: Quantity, how: Fit, response: str) -> Evidence:
    """The response gives another quantity."""
    said = other.words(response)
    note = f"States {said.text} where the golden quantity is {words.text}"
    if how.agrees:
        return Evidence(KIND, Stance.CONTRADICTS, words, said, f"{note}: the size agrees, the sign does not", 0.5)
    if wanted.value and _digits(wanted) == _digits(other):
        note += ": the digits agree, the scale does not"
    return Evidence(KIND, Stance.CONTRADICTS, words, said, note, how.strength)


def _digits(quantity: Quantity) -> tuple[int, ...]:
    return quantity.value.normalize().as_tuple().digits


_CONCLUDES = re.compile(
    r"(?:^|\W)(?:therefore|thus|hence|in conclusion|in summary|to summari[sz]e|in total|overall|finally|final answer"
    r"|the answer|rounded|rounding|as a result|do đó|vì vậy|vậy|tóm lại)\W|^\W*so\W"
)
_EQUALS = re.compile("[=≈]")


def _final(level: str, candidates: list[Quantity]) -> list[Quantity]:
    """The quantities with which a response answers.

    Those of its last conclusion ("therefore ..."), else those of its first statement and of its last equation, else all.
    """
    if len(candidates) < 2 or not (_EQUALS.search(level) or _CONCLUDES.search(level)):
        return candidates
    stated = [*_by_clause(level, candidates)]
    for start, end, inside in reversed(stated):
        if _CONCLUDES.search(level[start:end]):
            return _after_equals(level, start, inside)
    start, end, inside = stated[0]
    first = [] if _EQUALS.search(level, start, end) else inside
    return first + _after_equals(level, end, [q for q in candidates if q.start >= end])


def _by_clause(level: str, candidates: list[Quantity]) -> Iterator[tuple[int, int, list[Quantity]]]:
    """The clauses that hold a quantity, with their quantities."""
    place = 0
    for start, end in clauses(level):
        first = place
        while place < len(candidates) and candidates[place].start < end:
            place += 1
        if any(not quantity.weak for quantity in candidates[first:place]):
            yield start, end, candidates[first:place]
    if place == 0 or all(quantity.weak for quantity in candidates):
        yield 0, len(level), candidates


def _after_equals(level: str, start: int, candidates: list[Quantity]) -> list[Quantity]:
    """The candidates after the last equals sign that has any."""
    if not candidates:
        return candidates
    last = max(quantity.start for quantity in candidates)
    equals = max(level.rfind("=", start, last), level.rfind("≈", start, last))
    return [quantity for quantity in candidates if quantity.start > equals]
