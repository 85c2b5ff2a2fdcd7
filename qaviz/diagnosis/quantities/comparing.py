"""Whether a response gives the golden quantity, within the precision in which both are written."""

import re
from collections.abc import Iterator
from decimal import Decimal

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.quantities.question import Asked, ask
from qaviz.diagnosis.quantities.reading import Quantity, find
from qaviz.diagnosis.quantities.units import PERCENT
from qaviz.diagnosis.statements import clauses, levelled

KIND = "quantity"

_FILLER = frozenset(
    ["a", "an", "the", "of", "about", "around", "approximately", "roughly", "nearly", "almost", "over", "under", "some", "just", "only", "exactly", "total", "was", "is", "were", "are", "in", "at", "to", "and", "or", "each", "every", "per", "it", "they", "he", "she", "its", "there", "his", "her", "their", "by", "for", "on", "as", "p", "m", "am", "pm", "usd", "us"]
)
_WORD = re.compile(r"[^\W\d_]+")


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """Return whether the response gives the golden quantity.

    Silent where the golden text is not about a quantity. What the question gives itself is no evidence. Where the
    response calculates, the result counts and not the numbers of its working.
    """
    asked = ask(question)
    wanted, supporting = _wanted(golden, asked, question)
    if not wanted:
        return Evidence(KIND, Stance.SILENT)
    said = find(response)
    verdicts = [_verdict(golden, quantity, response, said, asked) for quantity in wanted]
    decisive = min(verdicts, key=lambda evidence: _ORDER.index(evidence.stance))
    if not supporting:
        return decisive
    if decisive.stance is not Stance.AGREES:
        return Evidence(KIND, Stance.SILENT)
    return Evidence(
        KIND, Stance.AGREES, decisive.golden, decisive.response, decisive.note, min(decisive.strength, SUPPORTING)
    )


SUPPORTING = 0.5
"""Strength of a quantity that only illustrates the golden answer."""
_ORDER = (Stance.CONTRADICTS, Stance.ABSENT, Stance.AGREES)


def _wanted(golden: str, asked: Asked, question: str) -> tuple[list[Quantity], bool]:
    """The golden quantities that the question is after, and whether they only illustrate the answer."""
    found = find(golden)
    if not found:
        return [], False
    left = _left(golden, found, question)
    if not left and not asked.date:
        return [quantity for quantity in found if not _given(quantity, asked)] or list(found), False
    new = [quantity for quantity in found if not quantity.weak and not _given(quantity, asked)]
    if not new or asked.date:
        return [], False
    return new[:1], asked.polar or not (asked.amount or left <= 2)


def _left(golden: str, found: tuple[Quantity, ...], question: str) -> int:
    """How many words of the golden text are neither quantity, filler nor words of the question."""
    level = list(levelled(golden))
    for quantity in found:
        level[quantity.start : quantity.end] = " " * (quantity.end - quantity.start)
    known = {word[:4] for word in _WORD.findall(levelled(question))}
    return sum(word not in _FILLER and word[:4] not in known for word in _WORD.findall("".join(level)))


def _given(quantity: Quantity, asked: Asked) -> bool:
    return any(
        quantity.value == given.value and (quantity.unit == given.unit or "" in (quantity.unit, given.unit))
        for given in asked.given
    )


def _verdict(golden: str, wanted: Quantity, response: str, said: tuple[Quantity, ...], asked: Asked) -> Evidence:
    """What the response says of one golden quantity."""
    words = wanted.words(golden)
    fresh = [q for q in said if not _given(q, asked)] if not _given(wanted, asked) else list(said)
    candidates = [quantity for quantity in fresh if comparable(wanted, quantity, asked)]
    final = _final(levelled(response), candidates)
    for quantity in final:
        if agree(wanted, quantity, asked):
            return Evidence(
                KIND, Stance.AGREES, words, quantity.words(response), _same(words, quantity.words(response))
            )
    others = [quantity for quantity in final if not quantity.weak]
    if not others:
        return Evidence(KIND, Stance.ABSENT, words, None, f"gives no quantity where the golden one is {words.text}")
    other = others[-1].words(response)
    return Evidence(
        KIND, Stance.CONTRADICTS, words, other, f"States {other.text} where the golden quantity is {words.text}"
    )


def _same(golden: Span, said: Span) -> str:
    if golden.text == said.text:
        return f"states the golden {golden.text}"
    return f"{said.text} is the golden {golden.text}"


_CONCLUDES = re.compile(
    r"(?:^|\W)(?:therefore|thus|hence|in conclusion|in summary|to summari[sz]e|in total|overall|finally|final answer|the answer"
    r"|rounded|rounding|as a result|do đó|vì vậy|vậy|tóm lại)\W|^\W*so\W"
)
_EQUALS = re.compile(r"[=≈]")


def _final(level: str, candidates: list[Quantity]) -> list[Quantity]:
    """The quantities with which a response answers: those of its last conclusion, else of its last equation, else all."""
    for start, end in reversed([*clauses(level)] if len(candidates) > 1 else []):
        inside = [quantity for quantity in candidates if start <= quantity.start < end]
        if any(not quantity.weak for quantity in inside) and _CONCLUDES.search(level[start:end]):
            return _after_equals(level, start, end, inside)
    return _after_equals(level, 0, len(level), candidates)


def _after_equals(level: str, start: int, end: int, candidates: list[Quantity]) -> list[Quantity]:
    """The candidates after the last equals sign that has any."""
    if not candidates:
        return candidates
    last = max(quantity.start for quantity in candidates)
    equals = max(level.rfind("=", start, last), level.rfind("≈", start, last))
    return [quantity for quantity in candidates if quantity.start > equals]


Reading = tuple[Decimal, Decimal]
"""A value and half of its last digit."""

COARSE = Decimal("0.05")
"""A response may round to within this share of the golden value: "0.2 billion" does not say 158 million."""


def agree(golden: Quantity, said: Quantity, asked: Asked) -> bool:
    return any(
        abs(value - other) <= max(half, min(other_half, COARSE * value))
        for (value, half), (other, other_half) in _readings(golden, said, asked)
    )


def comparable(golden: Quantity, said: Quantity, asked: Asked) -> bool:
    """Whether the two have units between which a comparison makes sense."""
    return next(_readings(golden, said, asked), None) is not None


def _readings(golden: Quantity, said: Quantity, asked: Asked) -> Iterator[tuple[Reading, Reading]]:
    """The pairs of readings under which the two can be compared."""
    half = max(golden.half, asked.half)
    if golden.unit == said.unit or ("" in (golden.unit, said.unit) and PERCENT not in (golden.unit, said.unit)):
        if golden.unit and said.unit:
            one = golden.value * golden.factor, half * golden.factor
            two = said.value * said.factor, said.half * said.factor
        else:
            one, two = (golden.value, half), (said.value, said.half)
        yield from _scaled(golden, said, asked.scale, one, two)
    elif golden.unit == PERCENT and said.unit == "":
        if asked.percent:
            yield (golden.value, half), (said.value, said.half)
        if asked.ratio:
            yield (golden.value / 100, half / 100), (said.value, said.half)
    elif said.unit == PERCENT and golden.unit == "":
        if asked.percent:
            yield (golden.value, half), (said.value, said.half)
        if asked.ratio:
            yield (golden.value, half), (said.value / 100, said.half / 100)


def _scaled(
    golden: Quantity, said: Quantity, scale: Decimal | None, one: Reading, two: Reading
) -> Iterator[tuple[Reading, Reading]]:
    """The readings with the scale that the question sets for plain numbers."""
    if scale is None or golden.scaled:
        yield one, two
    else:
        value = one[0].normalize()
        half = (
            Decimal(5).scaleb(min(0, value.as_tuple().exponent) - 1)
            if golden.unit and golden.unit != PERCENT
            else one[1]
        )
        one = one[0] * scale, half * scale
        yield one, two
    if scale and not said.scaled:
        yield one, (two[0] * scale, two[1] * scale)
