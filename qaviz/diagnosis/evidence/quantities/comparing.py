"""Whether a response gives the golden quantity: which of the golden text's matter, what the response says of them, and
what belongs to one beside number and unit: a bound (at least, at most) and a period (a month, a year).
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.evidence.clauses import clauses, level_text
from qaviz.diagnosis.evidence.lexicon import word_set
from qaviz.diagnosis.evidence.quantities.agreement import (
    Fit,
    Target,
    answering,
    fit,
    have_opposite_signs,
    is_temperature,
    read_target,
    stem,
    turn,
)
from qaviz.diagnosis.evidence.quantities.reading import Quantity, find
from qaviz.diagnosis.evidence.quantities.units import CURRENCY_CODES, UNITS

LEAST, MOST_QUALIFIED = "at least", "at most"
_REACH = 28
"""Characters before and after a quantity in which they stand."""
_BOUND = re.compile(
    r"(?P<others_least>mindestens|wenigstens|al menos|por lo menos|como mínimo|au moins|au minimum|ít nhất|tối thiểu"
    r"|以上|至少|少なくとも)"
    r"|(?P<others_most>höchstens|maximal|como máximo|a lo sumo|no más de|au plus|au maximum|pas plus de|nhiều nhất"
    r"|tối đa|không quá|以下|以内|最多|至多|不超过)"
    r"|\b(?:(?P<least>at least|(?:no|not) (?:less|fewer|lower) than|minimum(?: of)?"
    r"|or (?:more|above|higher|older|later)"
    r"|(?<!no )(?<!not )(?:more|greater|higher|longer|older) than|over|above|exceed(?:s|ed|ing)?|upwards? of|beyond)"
    r"|(?P<most>at most|(?:no|not) (?:more|greater|higher|longer|older) than|not exceed|maximum(?: of)?|up to"
    r"|or (?:less|fewer|below|lower|younger|earlier)|(?<!no )(?<!not )(?:less|fewer|lower|shorter|younger) than|under"
    r"|below|within))\b"
)
_PERIOD = re.compile(
    r"(?:\bper |\ban? |\beach |\bevery |\bmỗi |\bpro |\bpar |\bpor |/ ?)"
    r"(?P<by>second|minute|hour|day|night|week|month|quarter|year|annum)s?\b"
    r"|\b(?P<ly>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually|annual)\b"
)
_LY = {"hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "monthly": "month"}
_LY |= {"quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year", "annum": "year"}
_HALF = re.compile(
    r"(?P<am>\ba\.?m\b|\bin the morning\b|午前|上午|早上|\bsáng\b)"
    r"|\bp\.?m\b|\bin the (?:afternoon|evening)\b|\bat night\b|午後|下午|晚上|\b(?:chiều|tối)\b"
)
"""Which half of the day a time is in."""
_STOP = re.compile("[.,;] ")
Qualifiers = tuple[str, str, str]
"""Bound, period and half of the day, empty where none is written."""


@lru_cache(maxsize=4096)
def read(level: str) -> Qualifiers:
    """Return the bound and the period that stand in a levelled text beside a quantity."""
    bound, period = _BOUND.search(level), _PERIOD.search(level)
    by = (period["by"] or period["ly"]) if period else ""
    half = _HALF.search(level)
    return (
        (LEAST if bound["least"] or bound["others_least"] else MOST_QUALIFIED) if bound else "",
        _LY.get(by, by),
        ("before noon" if half["am"] else "after noon") if half else "",
    )


def read_near(level: str, start: int, end: int) -> Qualifiers:
    """Return those beside the quantity from `start` to `end` of a levelled text, within its sentence."""
    before = level[max(0, start - _REACH) : start]
    after = level[end : end + _REACH]
    return read(f"{before[max(before.rfind('. '), before.rfind(', ')) + 1 :]} {_STOP.split(after, maxsplit=1)[0]}")


def differ(golden: str, response: str, start: int, end: int) -> str:
    """Return how the bound or period of the quantity at `start` is another than the golden one; empty if it is not."""
    own, stated = read(level_text(golden)), read_near(level_text(response), start, end)
    if own[0] and stated[0] and own[0] != stated[0]:
        return f"it is {stated[0]} that, not {own[0]}"
    if own[1] and stated[1] and own[1] != stated[1]:
        return f"it is for a {stated[1]}, not for a {own[1]}"
    if own[2] and stated[2] and own[2] != stated[2]:
        return f"it is {stated[2]}, not {own[2]}"
    return ""


def is_missing(golden: str, golden_texts: str, level: str, start: int, end: int) -> bool:
    """Return whether a bound or period stands on one side only: beside the quantity, or in the golden text.

    What `told`, the question with the golden answer, says need not be said again.
    """
    stated, own, third = read_near(level, start, end), read(level_text(golden)), read(level_text(golden_texts))
    return any(
        bool(one) != bool(other) and (one or other) != known
        for one, other, known in zip(stated, own, third, strict=True)
    )


KIND = "quantity"

SUPPORTING = 0.5
"""Highest strength of a quantity that only illustrates the golden answer, or may agree by chance."""
MOST = 20
"""Quantities of a golden text that are looked at."""
FEW = 8
"""Different quantities up to which one that agrees is no chance hit."""
NEW_WORDS = 4
"""One word in so many may be new for a golden text to be about its quantity."""
_FILLER = word_set(
    "a an the of about around approximately roughly nearly almost over under some just only exactly total was is were "
    "are in at to and or each every per it they he she its there his her their by for on as p m am pm usd us yes "
    "no has have had amount amounts loss profit gain increase decrease decline drop rise growth tăng giảm lỗ lãi"
)
_MOVES = word_set("rose rises risen fell falls fallen grew grows up down increased decreased declined dropped went")
"""Words with which a golden text says which way a quantity went: `rose by 6%` is the quantity, with its sign."""
_WORD = re.compile(r"[^\W\d_]+")
_SILENT = Evidence(KIND, Stance.SILENT)
_NO_PERCENT = re.compile(r" (?:thousand|million|billion|trillion|dollars|euros)\b", re.IGNORECASE)
"""What makes an amount of a number that was a percentage: `37 million` for `37%`."""
_BESIDE, _RATED, _SHORT, _ABOUT, _SMALL = 90, 12, 200, 2, 4
"""Characters beside a quantity that tell what it is of; quantities that are rated; characters of a response that is
about the question anyway; the question's words that make a sentence be about it;
letters up to which a word tells nothing."""
_FACTORS = ("*", "×", "/", "÷", " x", " by", "multiplied by")
"""What stands before a factor of a calculation."""
_WORD_AFTER = 24
"""Characters behind a number in which its currency stands."""
_CURRENCY_AFTER = re.compile(r"[ -]?(?:(?:us|u\.s\.|canadian|australian) )?([^\W\d_]+|[€£¥₹₫])", re.IGNORECASE)


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """Return whether the response gives the golden quantity: all of them for a fact, the first for a long answer.

    Silent where the golden text is not about a quantity. Where a quantity only illustrates the golden answer, it can
    support a response and not refute it. What the question gives itself is no evidence, and where the response
    calculates, its result counts and not its working.
    """
    wanted, role, ends = _sought(golden, question)
    if not wanted:
        return _SILENT
    target = read_target(question)
    if ends:
        decisive = _compare_change(golden, *ends, response, target)
    else:
        either = len(wanted) > 1 and " or " in level_text(golden)
        verdicts = (_verdict(golden, quantity, response, target) for quantity in wanted)
        decisive = max(verdicts, key=_rank) if either else min(verdicts, key=_rank)
    if role is _Role.ANSWER:
        return decisive
    if decisive.stance is Stance.ABSENT or (decisive.stance is Stance.CONTRADICTS and role is _Role.ILLUSTRATION):
        return _SILENT
    return decisive._replace(strength=min(decisive.strength, SUPPORTING))


def is_other(variant: str, response: str, start: int, end: int) -> bool:
    """Return whether a quasi-exact match lost a decimal point, a minus sign or a unit: `79` for `7.9%`."""
    golden, stated = find(variant), find(response[max(0, start - 1) : end])
    if "%" in variant and _NO_PERCENT.match(response, end):
        return True
    if golden and _names_other_currency(golden[0].unit, response[end : end + _WORD_AFTER]):
        return True
    if not golden or [(q.value, q.negative) for q in golden] != [(q.value, q.negative) for q in stated]:
        return bool(golden)
    return any(one.unit and other.unit and one.unit != other.unit for one, other in zip(golden, stated, strict=True))


def _names_other_currency(unit: str | None, after: str) -> bool:
    """Whether another currency stands behind a number than the golden one's: `5 euros` for `$5`."""
    match = _CURRENCY_AFTER.match(after) if unit in CURRENCY_CODES else None
    code = UNITS.get(match[1].lower(), ("", None))[0] if match else ""
    dollars = bool(match and match[1].lower().startswith("dollar") and (unit or "").endswith("D"))
    return code in CURRENCY_CODES and code != unit and not dollars


def speaks(golden: str, question: str) -> bool:
    """Return whether a golden text is about a quantity, so that `compare` will read the response for its own."""
    return bool(_sought(golden, question)[0])


def is_amount(golden: str, question: str) -> bool:
    """Return whether a golden text is an amount and nothing else that counts."""
    return speaks(golden, question) and not _words_beside(golden, find(golden))


def same(one: str, other: str, question: str = "") -> bool:
    """Return whether two golden texts are one quantity each, and the same: `134.4 billion` and `134,400 million`."""
    first, second, target = _only(one), _only(other), read_target(question)
    if target.date or not first or not second:
        return False
    how = fit(first, second, target)
    return bool(how and how.agrees) and not have_opposite_signs(
        first, second, level_text(one), level_text(other), target
    )


@lru_cache(maxsize=1024)
def _only(golden: str) -> Quantity | None:
    """The quantity that a golden text is; None where it is several, or says more."""
    quantities = find(golden)
    return quantities[0] if len(quantities) == 1 and not _words_beside(golden, quantities) else None


@lru_cache(maxsize=4096)
def _sought(golden: str, question: str) -> tuple[list[Quantity], "_Role", tuple[Quantity, Quantity] | None]:
    """The golden quantities that matter, what they are to the golden answer, and the two ends where it is a change."""
    quantities, target = find(golden)[:MOST], read_target(question)
    if not quantities or target.date:
        return [], _Role.ILLUSTRATION, None
    wanted, role = _find_wanted_quantities(golden, quantities, target)
    return wanted, role, _ends(level_text(golden), quantities) if target.change else None


def _rank(evidence: Evidence) -> tuple[int, float]:
    return (Stance.CONTRADICTS, Stance.ABSENT, Stance.AGREES).index(evidence.stance), evidence.strength


class _Role(Enum):
    """What a golden quantity is to the golden answer."""

    ANSWER = "answers the question"
    GROUNDS = "stands beside a yes or no: it need not be said, and should not be another"
    ILLUSTRATION = "need not be said, and proves nothing if it is another"


def _find_wanted_quantities(
    golden: str, quantities: tuple[Quantity, ...], target: Target
) -> tuple[list[Quantity], _Role]:
    """The golden quantities that matter, and what they are to the golden answer."""
    words = _words_beside(golden, quantities)
    if not words or (not target.polar and _MOVES.issuperset(words)):
        fresh = [quantity for quantity in quantities if not _is_in_question(quantity, target)] or list(quantities)
        named = target.thing and not target.amount
        return _without_restatement(fresh, target), _Role.ILLUSTRATION if named else _Role.ANSWER
    fresh = [
        q for q in quantities if (target.amount or _is_measured(q)) and not q.weak and not _is_in_question(q, target)
    ]
    if not fresh:
        return [], _Role.ILLUSTRATION
    if target.polar:
        words = _words_beside(*_sentence(golden, fresh[0], quantities))
    about_it = NEW_WORDS * sum(stem(word) not in target.words for word in words) <= len(words)
    if target.polar:
        return fresh[:1], _Role.GROUNDS if about_it else _Role.ILLUSTRATION
    return fresh[:1], _Role.ANSWER if target.amount or (about_it and not target.thing) else _Role.ILLUSTRATION


def _sentence(golden: str, of: Quantity, quantities: tuple[Quantity, ...]) -> tuple[str, tuple[Quantity, ...], int]:
    """The golden text to the end of a quantity's sentence, the quantities there, and where the sentence begins."""
    level = level_text(golden)
    around = (clause for clause in clauses(level) if clause[0] <= of.start < clause[1])
    start, end = next(around, (0, len(golden)))
    end = next((cut for cut in range(of.end, end) if level[cut] in ",("), end)
    return golden[:end], tuple(quantity for quantity in quantities if quantity.end <= end), start


def _is_measured(quantity: Quantity) -> bool:
    """Whether it is more than a plain number, which may be part of a name."""
    return bool(quantity.unit or quantity.scaled or quantity.half < Decimal("0.5"))


def _words_beside(golden: str, quantities: tuple[Quantity, ...], start: int = 0) -> list[str]:
    """The words of the golden text from `start` on that are neither quantity nor filler."""
    level, end = level_text(golden), start
    words: list[str] = []
    for quantity in quantities:
        if quantity.start < start:
            continue
        words += _WORD.findall(level, end, quantity.start)
        end = quantity.end
    words += _WORD.findall(level, end)
    return [word for word in words if word not in _FILLER]


def _without_restatement(quantities: list[Quantity], target: Target) -> list[Quantity]:
    """The quantities, without those that give an earlier one in other units: `5.97 m (19 ft 7 in)`."""
    kept: list[Quantity] = []
    for quantity in quantities:
        alike = (earlier for earlier in kept if earlier.unit == quantity.unit or is_temperature(quantity, earlier))
        fits = [fit(quantity, earlier, target) for earlier in alike if earlier.unit]
        if not any(how and how.agrees for how in fits):
            kept.append(quantity)
    return kept


def _is_in_question(quantity: Quantity, target: Target) -> bool:
    """Whether the question itself contains the quantity."""
    return (quantity.value, quantity.unit) in target.given


def _verdict(golden: str, wanted: Quantity, response: str, target: Target) -> Evidence:
    """What the response says of one golden quantity."""
    words = wanted.words(golden)
    given = target.given
    stated = (
        find(response)
        if _is_in_question(wanted, target)
        else [q for q in find(response) if (q.value, q.unit) not in given]
    )
    comparable = [(quantity, fitting) for quantity in stated if (fitting := fit(wanted, quantity, target))]
    if not comparable:
        return _no_such(words, wanted, stated, response)
    level, golden_level = level_text(response), level_text(golden)
    final = answering(level, [quantity for quantity, _ in comparable])
    fits = {quantity.start: fitting for quantity, fitting in comparable}
    agreeing = [
        q for q in final if fits[q.start].agrees and not have_opposite_signs(wanted, q, golden_level, level, target)
    ]
    if agreeing:
        best = max(agreeing, key=lambda quantity: fits[quantity.start].strength)
        if how := differ(golden, response, best.start, best.end):
            note = f"States {best.words(response).text} where the golden quantity is {words.text}: {how}"
            return Evidence(KIND, Stance.CONTRADICTS, words, best.words(response), note, SUPPORTING)
        strength = fits[best.start].strength * (SUPPORTING if _is_lucky(best, final) else 1)
        in_scale = target.scale is not None and not wanted.scaled
        return _same(words, best, response, strength, exact=fits[best.start].apart == 0, in_scale=in_scale)
    if by_ends := _from_ends(golden, wanted, response, target):
        return by_ends
    others = [quantity for quantity in final if not quantity.weak]
    if not others:
        return _no_such(words, wanted, stated, response)
    other, is_telling = _find_most_telling(others, wanted, level, target)
    return _other(words, wanted, other, fits[other.start], response, is_telling=is_telling)


def _is_lucky(best: Quantity, final: list[Quantity]) -> bool:
    """Whether one of so many different quantities would agree with anything, or the one has another reading."""
    return best.weak or len({quantity.value for quantity in final}) > FEW


def _find_most_telling(
    others: Sequence[Quantity], wanted: Quantity, level: str, target: Target
) -> tuple[Quantity, bool]:
    """The quantity that a response gives in place of the golden one, and whether its sentence is about the question.

    It is of the golden unit rather than of none, no factor of a calculation, and beside most of the question's words.
    """

    def rate(quantity: Quantity) -> tuple[bool, bool, int]:
        begin = max(0, quantity.start - _BESIDE)
        begin = max(begin, level.rfind(". ", begin, quantity.start), level.rfind("\n", begin, quantity.start))
        stop = level.find(". ", quantity.end, quantity.end + _BESIDE)
        near = _WORD.findall(level, begin, stop if stop >= 0 else min(len(level), quantity.end + _BESIDE))
        beside = {stem(word) for word in near if len(word) > _SMALL}
        factor = level[begin : quantity.start].rstrip(" $(").endswith(_FACTORS)
        return not factor, quantity.unit == wanted.unit, len(beside & target.words)

    rates = [rate(quantity) for quantity in others[:_RATED]]
    best = max(rates)
    return others[rates.index(best)], len(level) <= _SHORT or (best[0] and best[2] >= _ABOUT)


def _same(golden: Span, stated: Quantity, response: str, strength: float, *, exact: bool, in_scale: bool) -> Evidence:
    words = stated.words(response)
    if golden.text == words.text:
        note = f"states the golden {golden.text}"
    else:
        scale = ", in the scale of the question" if in_scale else ""
        note = f"{words.text} agrees with the golden {golden.text}{scale}{'' if exact else ', rounded'}"
    return Evidence(KIND, Stance.AGREES, golden, words, note, strength)


def _no_such(golden: Span, wanted: Quantity, stated: Iterable[Quantity], response: str) -> Evidence:
    """The response has no quantity to compare; but 12 % where the golden one is $12 is another answer."""
    for quantity in stated:
        other_unit = quantity.unit and wanted.unit and quantity.unit != wanted.unit
        if quantity.value == wanted.value and other_unit and not quantity.weak:
            words = quantity.words(response)
            note = (
                f"States {words.text} where the golden quantity is {golden.text}: the number agrees, the unit does not"
            )
            return Evidence(KIND, Stance.CONTRADICTS, golden, words, note, SUPPORTING)
    return Evidence(KIND, Stance.ABSENT, golden, None, f"Gives no quantity where the golden one is {golden.text}")


def _other(golden: Span, wanted: Quantity, other: Quantity, how: Fit, response: str, *, is_telling: bool) -> Evidence:
    """The response gives another quantity; it is quoted only where its sentence is about the question."""
    words_stated = other.words(response)
    note = f"States {words_stated.text} where the golden quantity is {golden.text}"
    if how.agrees:
        return Evidence(
            KIND, Stance.CONTRADICTS, golden, words_stated, f"{note}: the size agrees, the sign does not", SUPPORTING
        )
    if wanted.value and _digits(wanted) == _digits(other) and not is_temperature(wanted, other):
        note += ": the digits agree, the scale does not"
    elif not is_telling:
        note = f"Gives other amounts, none of them the golden {golden.text}"
        return Evidence(KIND, Stance.CONTRADICTS, golden, None, note, how.strength)
    return Evidence(KIND, Stance.CONTRADICTS, golden, words_stated, note, how.strength)


def _digits(quantity: Quantity) -> tuple[int, ...]:
    return quantity.value.normalize().as_tuple().digits


def _ends(level: str, quantities: Sequence[Quantity]) -> tuple[Quantity, Quantity] | None:
    """The two ends of a change, as in `from 20% in 2021 to 23% in 2022`."""
    for first, last in pairwise(quantity for quantity in quantities if not quantity.weak):
        alike = (first.unit, first.factor) == (last.unit, last.factor)
        if alike and level.endswith("from ", 0, first.start) and level.endswith("to ", 0, last.start):
            return first, last
    return None


def _step(first: Quantity, last: Quantity) -> Quantity:
    """How far it is from one end of a change to the other."""
    return first._replace(end=last.end, value=abs(last.value - first.value), half=first.half + last.half)


def _compare_change(golden: str, first: Quantity, last: Quantity, response: str, target: Target) -> Evidence:
    """What the response says of a change: right if it gives both ends, or by how much."""
    both = min((_verdict(golden, end, response, target) for end in (first, last)), key=_rank)
    if both.stance is Stance.AGREES:
        return both if not _is_reversed(first, last, response, target) else _turned_round(golden, first, last, response)
    by, level = _step(first, last), level_text(response)
    for quantity in answering(level, [q for q in find(response) if not q.weak and fit(by, q, target)]):
        how = fit(by, quantity, target)
        if how and how.agrees and turn(quantity, level) * (last.value - first.value) >= 0:
            words = quantity.words(response)
            note = f"{words.text} is the change from {first.words(golden).text} to {last.words(golden).text}"
            return Evidence(KIND, Stance.AGREES, by.words(golden), words, note, how.strength)
    return both


def _is_reversed(first: Quantity, last: Quantity, response: str, target: Target) -> bool:
    """Whether a response gives the two ends of a change the other way round."""
    ends = _ends(level_text(response), find(response))
    if not ends:
        return False
    fits = fit(first, ends[1], target), fit(last, ends[0], target)
    as_golden = fit(first, ends[0], target)
    return all(how and how.agrees for how in fits) and not (as_golden and as_golden.agrees)


def _turned_round(golden: str, first: Quantity, last: Quantity, response: str) -> Evidence:
    start, end = _ends(level_text(response), find(response)) or (first, last)
    words, words_stated = _step(first, last).words(golden), _step(start, end).words(response)
    note = f"{words_stated.text} is the change from {words.text} the other way round"
    return Evidence(KIND, Stance.CONTRADICTS, words, words_stated, note, 0.8)


def _from_ends(golden: str, wanted: Quantity, response: str, target: Target) -> Evidence | None:
    """Agreement where the golden quantity is a change of which the response gives both ends."""
    ends = _ends(level_text(response), find(response)) if target.change else None
    how = fit(wanted, _step(*ends), target) if ends else None
    if not ends or not how or not how.agrees:
        return None
    first, last = ends
    if turn(wanted, level_text(golden)) * (last.value - first.value) < 0:
        return None
    words, words_stated = wanted.words(golden), _step(first, last).words(response)
    return Evidence(
        KIND, Stance.AGREES, words, words_stated, f"from {words_stated.text} is a change of {words.text}", how.strength
    )
