"""Figures that a text derives from two amounts it names: growth, difference, sum, ratio, computed again.

Only what is plainly a derivation is checked ("grew 15% from $514B to $575B", "$2B + $3B = $5B", "$2B and $3B, a total
of $5B"). Amounts are as exact as they are written, so a figure is wrong only where no rounding of them gives it.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.evidence.clauses import clauses, level_text
from qaviz.diagnosis.evidence.quantities import Quantity, find

GROWTH, DIFFERENCE, SUM, RATIO = "growth", "difference", "sum", "ratio"
MAY_DERIVE = r"(?i)\bfrom\b.*\bto\b|\bto\b.*\bfrom\b|[=≈]|\btotal|\bsum\b|\bcombined\b|\btogether\b|\bratio\b"
"""What every text with a derived figure has, for polars: cheap to look for before the text is read."""
_MAY_DERIVE = re.compile(MAY_DERIVE, re.DOTALL)
_Range = tuple[Decimal, Decimal]
_RISE = r"grew|grow\w*|increas\w*|rose|ris(?:e|en|ing)|up|climb\w*|improv\w*|jump\w*|gain\w*|surg\w*|expand\w*"
_FALL = r"fell|fall\w*|decreas\w*|declin\w*|down|drop\w*|shrank|reduc\w*|lower\w*|contract\w*"
_CHANGE_BEFORE = re.compile(rf"\b(?:{_RISE}|{_FALL})\b[^.;%$€£\d]{{0,40}}$")
_CHANGE_AFTER = re.compile(rf"^[\w-]*,? ?(?:[\w-]+ ){{0,2}}(?:{_RISE}|{_FALL}|change)\b")
_OTHER_GROWTH = re.compile(
    r"\b(?:cagr|compound|annuali[sz]ed|annually|per annum|per year|each year|a year|on average|average|excluding"
    r"|constant[ -]currency|organic\w*|adjusted|points?)\b"
)
"""What makes a growth rate another one than that between the two amounts."""
_TO = re.compile(r"^\s*(?:\([^()]*\)\s*)?(?:[^\d$€£%.;]{0,30}\s)?to\s+(?:about |nearly |almost |over )?$")
_FROM = re.compile(r"\bfrom\s+(?:about |nearly |almost |over )?(?:a |the )?$")
_BACK = re.compile(r"^\s*(?:\([^()]*\)\s*)?(?:[^\d$€£%.;]{0,30}\s)?from\s+$")
_TO_BEFORE = re.compile(r"\bto\s+(?:about |nearly |almost |over )?$")
_OF_DIFFERENCE = re.compile(
    r"\b(?:by|(?:increase|decrease|difference|rise|drop|gain|decline|growth|change)(?: of| is| was))\s+$"
)
_OF_TOTAL = re.compile(
    r"\b(?:total(?:s|ing|ling|ed|led)?|sum|combined(?: \w+)?|together[^.;]{0,20})(?: of| is| was| to|,| =|:)*\s*$"
)
_AND = re.compile(r"\b(?:and|plus)\b|\+")
_OPERATOR = re.compile(r"^\)?\s*([-+−–*/÷])\s*\(?$")
_EQUALS = re.compile(r"^\)?\s*(?:=|≈|equals)\s*$")
_LOOK = 60
_HEDGED = 5
"""How many times less exact an amount is that `about` or `nearly` stands before."""
_SCALES = ((Decimal(10) ** 12, " trillion"), (Decimal(10) ** 9, " billion"), (Decimal(10) ** 6, " million"))


class WrongFigure(NamedTuple):
    """A figure that the amounts beside it do not give."""

    kind: str
    """`growth`, `difference`, `sum` or `ratio`."""
    stated: Span
    operands: tuple[Span, Span]
    computed: str
    """What the two amounts give: `11.9%`."""
    unit: str
    """Of the stated figure: `%`, a currency's code, or empty."""

    @property
    def note(self) -> str:
        """The finding in words: `the growth from “$514B” to “$575B” is 11.9%, not “15%”`."""
        joined = {GROWTH: "from “{}” to “{}”", SUM: "of “{}” and “{}”"}.get(self.kind, "between “{}” and “{}”")
        amounts = joined.format(*(operand.text for operand in self.operands))
        return f"the {self.kind} {amounts} is {self.computed}, not “{self.stated.text}”"


def check_derived_figures(text: str) -> tuple[WrongFigure, ...]:
    """Return the derived figures of a text that the two amounts beside them do not give, in order."""
    if not _MAY_DERIVE.search(text):
        return ()
    level, amounts = level_text(text), find(text)
    found: list[WrongFigure] = []
    for start, end in clauses(level):
        inside = [amount for amount in amounts if start <= amount.start and amount.end <= end]
        if len(inside) > 1:
            found += _in_clause(_Clause(text, level, start, end, inside))
    return tuple(found)


class _Clause(NamedTuple):
    """One clause with the amounts in it; offsets are those of the whole text."""

    text: str
    level: str
    start: int
    end: int
    amounts: Sequence[Quantity]


def _in_clause(clause: _Clause) -> Iterator[WrongFigure]:
    pairs = list(_changes(clause))
    yield from _growths(clause, pairs)
    if len(pairs) == 1:
        yield from _differences(clause, *pairs[0])
    yield from _totals(clause)
    yield from _equations(clause)


def _changes(clause: _Clause) -> Iterator[tuple[Quantity, Quantity]]:
    """The amounts before and after a change: `from A to B`, `to B from A`."""
    outside = [amount for amount in clause.amounts if not _in_brackets(clause, amount)]
    for first, second in pairwise(outside):
        between = clause.level[first.end : second.start]
        before = clause.level[max(clause.start, first.start - _LOOK) : first.start]
        if not _comparable(first, second):
            continue
        if _TO.search(between) and _FROM.search(before):
            yield first, second
        elif _BACK.search(between) and _TO_BEFORE.search(before):
            yield second, first


def _in_brackets(clause: _Clause, amount: Quantity) -> bool:
    before = clause.level[clause.start : amount.start]
    return before.count("(") > before.count(")")


def _comparable(first: Quantity, second: Quantity) -> bool:
    """Whether two amounts can be added or compared: the same unit, plain and positive."""
    plain = all(
        each.high is None and each.negative is not True and each.value > 0 and not each.weak for each in (first, second)
    )
    return plain and (first.unit, first.scaled) == (second.unit, second.scaled)


def _growths(clause: _Clause, pairs: Sequence[tuple[Quantity, Quantity]]) -> Iterator[WrongFigure]:
    if not pairs or _OTHER_GROWTH.search(clause.level, clause.start, clause.end):
        return
    operands = {amount for pair in pairs for amount in pair}
    rates = [amount for amount in clause.amounts if amount not in operands and _is_growth(clause, amount)]
    if len(rates) != len(pairs):
        return
    for rate, (before, after) in zip(rates, pairs, strict=True):
        (low, high), (least, most) = _range(before), _range(after)
        growths = sorted(abs(new / old - 1) * 100 for new, old in ((least, high), (most, low)))
        if before.unit != "%" and low > 0 and not _overlap(rate, (growths[0], growths[1])):
            computed = abs(after.value * after.factor / (before.value * before.factor) - 1) * 100
            yield _wrong(clause, GROWTH, rate, (before, after), _like(rate, computed))


def _is_growth(clause: _Clause, amount: Quantity) -> bool:
    """Whether a percentage is said to be a change."""
    if amount.unit != "%" or amount.factor != 1 or amount.high is not None:
        return False
    before = clause.level[max(clause.start, amount.start - _LOOK) : amount.start]
    after = clause.level[amount.end : min(clause.end, amount.end + _LOOK)]
    return bool(_CHANGE_BEFORE.search(before) or _CHANGE_AFTER.search(after))


def _differences(clause: _Clause, before: Quantity, after: Quantity) -> Iterator[WrongFigure]:
    for amount in clause.amounts:
        lead = clause.level[max(clause.start, amount.start - _LOOK) : amount.start]
        if amount in (before, after) or not _comparable(amount, before) or not _OF_DIFFERENCE.search(lead):
            continue
        (low, high), (least, most) = _range(before), _range(after)
        apart = sorted((abs(most - low), abs(least - high)))
        if not _overlap(amount, (apart[0], apart[1])):
            yield _wrong(
                clause, DIFFERENCE, amount, (before, after), _like(amount, abs(_worth(after) - _worth(before)))
            )


def _totals(clause: _Clause) -> Iterator[WrongFigure]:
    """`A and B, a total of C`."""
    for first, second, total in zip(clause.amounts, clause.amounts[1:], clause.amounts[2:], strict=False):
        between = clause.level[first.end : second.start]
        lead = clause.level[second.end : total.start]
        if len(between) > _LOOK or not _AND.search(between) or not _OF_TOTAL.search(lead):
            continue
        if _comparable(first, second) and _comparable(second, total):
            sums = tuple(map(sum, zip(_range(first), _range(second), strict=True)))
            if not _overlap(total, (Decimal(sums[0]), Decimal(sums[1]))):
                yield _wrong(clause, SUM, total, (first, second), _like(total, _worth(first) + _worth(second)))


def _equations(clause: _Clause) -> Iterator[WrongFigure]:
    """`A + B = C`, `A - B = C`, `A / B = C`, where nothing stands before A that goes into it."""
    for first, second, result in zip(clause.amounts, clause.amounts[1:], clause.amounts[2:], strict=False):
        operator = _OPERATOR.match(clause.level[first.end : second.start])
        equals = _EQUALS.match(clause.level[second.end : result.start])
        lead = clause.level[clause.start : first.start].rstrip(" (")
        alone = not lead or lead[-1] not in "+-−–*/÷×x^)" or lead[-1:].isalpha()
        if not (operator and equals and alone and _comparable(first, second)) or result.high is not None:
            continue
        kind, computed, reach = _calculate(operator[1], first, second)
        scale = 100 if kind == RATIO and result.unit == "%" else 1
        if kind == RATIO:
            alike = result.unit in ("", "%") and not result.scaled
        else:
            alike = result.unit in ("", first.unit) and result.scaled == first.scaled
        if alike and kind and not _overlap(result, (reach[0] * scale, reach[1] * scale)):
            yield _wrong(clause, kind, result, (first, second), _like(result, computed * scale))


def _calculate(operator: str, first: Quantity, second: Quantity) -> tuple[str, Decimal, _Range]:
    """The kind of a calculation, its result, and between what it lies as exactly as the amounts are written."""
    (low, high), (least, most) = _range(first), _range(second)
    if operator == "+":
        return SUM, _worth(first) + _worth(second), (low + least, high + most)
    if operator in "-−–":
        return DIFFERENCE, abs(_worth(first) - _worth(second)), _apart(low - most, high - least)
    if operator in "/÷" and least > 0:
        return RATIO, _worth(first) / _worth(second), (low / most, high / least)
    return "", Decimal(0), (Decimal(0), Decimal(0))


def _apart(low: Decimal, high: Decimal) -> _Range:
    """The sizes between two signed numbers."""
    if low <= 0 <= high:
        return Decimal(0), max(-low, high)
    return min(abs(low), abs(high)), max(abs(low), abs(high))


def _worth(amount: Quantity) -> Decimal:
    return amount.value * amount.factor


def _range(amount: Quantity) -> _Range:
    """Between what an amount lies, as exactly as it is written."""
    reach = amount.half * amount.factor
    return _worth(amount) - reach, _worth(amount) + reach


def _overlap(stated: Quantity, computed: _Range) -> bool:
    """Whether a stated figure can be the computed one. A whole last digit is allowed: many cut off, not round."""
    reach = 2 * stated.half * stated.factor * (_HEDGED if stated.hedged else 1)
    return _worth(stated) - reach <= computed[1] and computed[0] <= _worth(stated) + reach


def _wrong(
    clause: _Clause, kind: str, stated: Quantity, operands: tuple[Quantity, Quantity], computed: str
) -> WrongFigure:
    first, second = (operand.words(clause.text) for operand in operands)
    return WrongFigure(kind, stated.words(clause.text), (first, second), computed, stated.unit)


def _like(stated: Quantity, worth: Decimal) -> str:
    """A computed amount in words: `61 billion USD`, `11.9%`, `0.9`."""
    value = worth / stated.factor
    scale, name = next(((scale, name) for scale, name in _SCALES if abs(value) >= scale), (Decimal(1), ""))
    # One digit more than the stated figure has, so that the two differ in print.
    digits = max(1, -(stated.half / scale).adjusted()) if stated.half else 1
    said = f"{value / scale:,.{digits}f}".rstrip("0").rstrip(".") or "0"
    return f"{said}%" if stated.unit == "%" else f"{said}{name} {stated.unit}".strip()
