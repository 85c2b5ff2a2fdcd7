"""What a question asks for, and values of golden texts: which of them count, whether an answer region gives them."""

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from functools import cached_property, lru_cache

from qaviz.diagnosis.golden_texts import Triplet, is_spaced
from qaviz.diagnosis.patterns import QUESTION, WORDS
from qaviz.diagnosis.stance import DATE, NOTES, QUANTITY, SYMBOL, VERBATIM, Evidence, Stance
from qaviz.reading import Comparison, Kind, Relation, Token, compare, level_text, sentences, tokens
from qaviz.reading.equal import same_digits
from qaviz.reading.level import LETTERS
from qaviz.reading.tables import table

KIND_OF = {
    **dict.fromkeys((Kind.AMOUNT, Kind.FREQUENCY, Kind.ORDINAL), QUANTITY),
    **dict.fromkeys((Kind.DATE, Kind.TIME), DATE),
    Kind.CODE: SYMBOL,
}
"""Tokens that are values -> the kind of evidence that they are."""
_WHAT = {QUANTITY: "amount", DATE: "date", SYMBOL: "code"}
_STRENGTH = {"exact": 1.0, "converted": 0.9, "scaled": 0.9, "rounded": 0.8, "silent": 0.7, "part": 0.5}
_STRENGTH |= {"value": 0.9, "date": 0.9, "excluded": 0.9, "end": 0.7, "unit": 0.6, "currency": 0.6, "bound": 0.6}
_STRENGTH |= {"period": 0.6, "sign": 0.5}
"""How far evidence for a reason is from tipping over."""
_QUALIFIERS = ("unit", "currency", "sign", "bound", "period")
LONGEST_ANSWER, LIST_GAP = 400, 12
"""Characters of a golden answer that qualify its fact; characters behind a list in which it goes on."""
PROSE = 12
"""Words beside a value from which it is the point of a golden text only if it is measured."""
QUESTION_READ = 2_000
_WORTH = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "nghìn": 3, "triệu": 6, "tỷ": 9}


def _asks(name: str) -> "cached_property[bool]":
    """Whether a question has words of a pattern of patterns.toml; looked for where it is asked."""
    return cached_property(lambda target: QUESTION[name].search(target.level) is not None)


class Target:
    """What a question asks for: a date, an amount, a side, a name; and the scale and sign that it sets for amounts."""

    def __init__(self, question: str, language: str) -> None:
        self.level = level_text(question[:QUESTION_READ]).strip()
        self._read = question[:QUESTION_READ], language

    date, amount, percent, thing = map(_asks, ("date", "amount", "percent", "thing"))
    counts, ratio, limit, least, falling = map(_asks, ("counts", "ratio", "limit", "least", "falling"))

    @cached_property
    def scale(self) -> Decimal | None:
        """Of a plain number: 1,000,000 where the question says "in USD millions"."""
        scale = QUESTION["scale"].search(self.level)
        return Decimal(10) ** _WORTH[scale["scale"]] if scale else None

    @cached_property
    def units(self) -> frozenset[str]:
        """Units that it names without a number: `how many seconds`."""
        phrases = table(self._read[1]).units
        units = (phrases.at(self.level, match.end()) for match in QUESTION["how_many"].finditer(self.level))
        return frozenset(unit[1] for unit in units if unit)

    @cached_property
    def named(self) -> bool:
        """It names something: a word within it has a capital."""
        return any(word[:1].isupper() for word in self._read[0].split()[1:])

    @cached_property
    def given(self) -> tuple[Token, ...]:
        """The tokens that the question itself contains."""
        return tokens(*self._read)


read_question = lru_cache(maxsize=4_096)(Target)
"""What a question of a language asks for, read once."""


class Role(StrEnum):
    """What golden values are to the golden text."""

    LEADS = "leads"
    """They are all that counts."""
    SUPPORTS = "supports"
    """They need not be said, and prove nothing if they are others."""


def find_values(text: str, target: Target, language: str) -> tuple[tuple[Token, ...], Role]:
    """Return the values of a golden text that are compared, and what they are to it."""
    own = [token for token in tokens(text[:2_000], language) if token.kind in KIND_OF][:40]  # values at most
    for place, token in enumerate(own):
        # The dash of a list's entry is no sign.
        if token.sign < 0 and "\n" in text and text[: token.start].strip(" ")[-1:] in ("", "\n"):
            own[place] = token._replace(sign=0)
    fresh = [token for token in own if not _is_given(token, target)]
    if not own:
        return (), Role.SUPPORTS
    beside = _words_beside(text, own)
    if not beside or (len(beside) == 1 and any(token.moved for token in own)):
        named = target.thing and not (target.amount or target.date or any(token.unit for token in own))
        return tuple(fresh or own), Role.SUPPORTS if named and own[0].kind is not Kind.CODE else Role.LEADS
    kinds = (Kind.DATE, Kind.TIME) if target.date else (Kind.AMOUNT, Kind.FREQUENCY)
    of_kind = [token for token in fresh if token.kind in kinds and (not token.weak or target.amount)]
    long = len(beside) > PROSE or (len(text) > 25 and not is_spaced(text))  # characters of prose without blanks
    if long and (in_asked_unit := [token for token in of_kind if token.unit in target.units]):
        of_kind = in_asked_unit[-1:]  # it works its way to what is asked for
    measured = [token for token in of_kind if token.unit or 0 < token.step < 1 or token.step > 1]
    if not (target.date or target.amount) or long:
        of_kind = measured
    if not of_kind:
        return (), Role.SUPPORTS
    first = of_kind[0]
    begin = max((start for start, end in sentences(text) if start <= first.start), default=0)
    before = _words_beside(text[: first.end], [token for token in own if begin <= token.start < first.end], begin)
    question_words = frozenset(LETTERS.findall(target.level))
    about = sum(word not in question_words for word in before) * 4 <= len(before)  # one in four may be new
    ends = 2 if text[: first.start].lower().endswith("from ") else 1
    if target.date or target.amount or (about and not target.thing):
        return tuple(of_kind[:ends]), Role.LEADS
    return (first,), Role.SUPPORTS


def _is_given(token: Token, target: Target) -> bool:
    """Whether the question itself contains the value."""
    return any(token.kind is own.kind and (token.value, token.unit) == (own.value, own.unit) for own in target.given)


def _words_beside(text: str, values: Sequence[Token], begin: int = 0) -> list[str]:
    """The words of a golden text, from a place on, that are neither value nor filler."""
    level, end, beside = level_text(text), begin, []
    for token in values:
        beside += LETTERS.findall(level, end, token.start)
        end = token.end
    beside += LETTERS.findall(level, end)
    return [word for word in beside if word not in WORDS["filler"] and not (len(word) == 1 and word.isascii())]


def compare_values(text: str, values: Sequence[Token], region: str, triplet: Triplet, language: str) -> Evidence:
    """Return what a region says of the values of a golden text: all of them are needed, or one where it says `or`."""
    target = read_question(triplet.question, language)
    qualified = [token for token in tokens(triplet.answer[:LONGEST_ANSWER], language) if token.kind in KIND_OF]
    given = [token for token in tokens(region, language) if token.kind in KIND_OF]
    either = any(token.link == "or" for token in values)
    several = [_compare_value(text, value, _qualify(value, qualified), given, target, region) for value in values]
    order = (Stance.AGREES, Stance.ABSENT, Stance.CONTRADICTS)  # what contradicts is worse than what is absent
    decisive = (min if either else max)(several, key=lambda own: (order.index(own.stance), -own.strength))
    if decisive.stance is Stance.AGREES and len(several) > 1:
        start, end = min(evidence.start for evidence in several), max(evidence.end for evidence in several)
        listed = [token for token in given if start - 3 <= token.start <= end + LIST_GAP]
        if sum(token.kind is values[0].kind for token in listed) > len(values):  # another value beside all golden ones
            return decisive._replace(doubts=(*decisive.doubts, "extra"))
    return decisive


def _qualify(value: Token, qualified: Sequence[Token]) -> Token:
    """The token of the golden answer that says with a unit, a scale or a bound what the fact says without."""
    if value.kind is not Kind.AMOUNT:
        return value
    same = next((token for token in qualified if token.kind is Kind.AMOUNT and same_digits(token, value)), value)
    if not value.unit:
        return same
    return value._replace(moved=same.moved) if same.unit == value.unit and not value.moved else value


def _compare_value(
    golden: str, value: Token, qualified: Token, given: Sequence[Token], target: Target, region: str
) -> Evidence:
    fresh = given if _is_given(value, target) else [token for token in given if not _is_given(token, target)]
    kind = KIND_OF[value.kind]
    text = golden[value.start : value.end]
    compared = [(token, _relate_both(value, qualified, token, target)) for token in fresh]
    comparable = [(token, how) for token, how in compared if how.relation is not Relation.APART]
    if not comparable:
        return Evidence(kind, Stance.ABSENT, text, note=NOTES["none"].format(what=_WHAT[kind], golden=text))
    # Same before other; of these the surest, and what differs in a qualifier only before another value.
    ranks = {Relation.SAME: -1, Relation.OTHER: 1}
    token, how = min(
        comparable, key=lambda pair: (ranks[pair[1].relation], ranks[pair[1].relation] * _STRENGTH[pair[1].reason])
    )
    note = NOTES[how.reason].format(golden=text, what=_WHAT[kind])
    strength = _STRENGTH[how.reason]
    if how.relation is Relation.OTHER:
        if how.reason == "value" and same_digits(token, value):
            note = NOTES["digits"].format(golden=text)
        return Evidence(kind, Stance.CONTRADICTS, text, token.start, token.end, note, strength)
    start, end = token.start, token.end
    lower, written = region.lower(), golden.lower().strip(" .")
    at = lower.find(written, max(0, start - len(written)), end + len(written))
    if at >= 0 and len(lower) == len(region):
        kind, note, start, end = VERBATIM, "", at, at + len(written)
    bare = how.reason == "silent" and _lacks_qualifier(value, token, target)
    doubts = ("qualifier",) * (bare or _adds_unit(value, token, target))
    return Evidence(kind, Stance.AGREES, text, start, end, note, strength, doubts)


def _relate_both(value: Token, qualified: Token, token: Token, target: Target) -> Comparison:
    """How a token stands to a fact's value, which the golden answer may qualify."""
    how = _relate(value, token, target)
    if qualified is value:
        return how
    fuller = _relate(qualified, token, target)
    if how.relation is Relation.SAME and fuller.relation is Relation.OTHER and fuller.reason in _QUALIFIERS:
        return fuller
    return fuller if fuller.relation is Relation.SAME and how.relation is not Relation.SAME else how


def _relate(value: Token, token: Token, target: Target) -> Comparison:
    """How a token stands to a golden one, in the scale, sign and measure that the question sets."""
    how = _relate_as_written(value, token)
    if how.relation is Relation.SAME:
        return how
    if how.reason == "sign" and target.falling and value.unit not in ("°C", "°F"):  # degrees keep their sign
        return _relate_as_written(value, token._replace(sign=value.sign, moved=value.moved))
    if how.reason == "unit" and (target.percent or target.ratio) and (value.unit, token.unit) == ("%", "pp"):
        return Comparison(Relation.SAME, "silent")  # a margin that falls by 0.2 points falls by 0.2 %
    if value.kind is not Kind.AMOUNT or token.kind is not Kind.AMOUNT:
        return how
    pairs = [(_times(value, target.scale), token), (value, _times(token, target.scale))] if target.scale else []
    if (target.ratio or target.percent) and token.value and {value.unit, token.unit} == {"%", ""}:
        as_ratio = Decimal("0.01") if value.unit == "%" else Decimal(100)
        pairs.append((_times(value, as_ratio)._replace(unit=""), token._replace(unit="")))
    scaled = any(compare(first, second).relation is Relation.SAME for first, second in pairs)
    return Comparison(Relation.SAME, "scaled") if scaled else how


def _relate_as_written(value: Token, token: Token) -> Comparison:
    """The same, whatever the question sets."""
    how = compare(value, token)
    dates = value.kind is token.kind is Kind.DATE and value.date.until is not None
    if how.reason == "granularity" and dates and token.date.year in (value.date.year, value.date.until):
        return Comparison(Relation.SAME, "part")  # the first or the last year of a span
    precise = isinstance(token.value, Decimal) and token.step * 200 < token.value
    if how.reason == "rounded" and token.bound == "~" and precise:
        return compare(value, token._replace(bound=""))  # `about 42.57` is as exact as it is written
    return how


def _times(token: Token, factor: Decimal) -> Token:
    """The token in a scale: zeros behind its last digit are none then, as in $8.70 of billions."""
    if not isinstance(token.value, Decimal):
        return token
    last = token.value.normalize().as_tuple().exponent
    step = max(token.step, Decimal(1).scaleb(last)) if isinstance(last, int) and token.value else token.step
    return token._replace(value=token.value * factor, step=step * factor)


def _lacks_qualifier(value: Token, token: Token, target: Target) -> bool:
    """Whether a bound or period stands on one side only, and the question does not say it."""
    if target.given or target.named or all(own.kind is Kind.DATE and own.date.until for own in (value, token)):
        return False
    bound = len({value.bound, token.bound} - {"~"}) == 2
    asks_bound = target.limit and (target.least or ">" not in token.bound)
    return (bound and not asks_bound) or bool(value.period) != bool(token.period)


def _adds_unit(value: Token, token: Token, target: Target) -> bool:
    """Whether a plain number, which the question does not ask as a share or in a unit, is given as one or in one."""
    if value.kind is not Kind.AMOUNT or value.unit or not token.unit or value.value != token.value:
        return False
    if token.unit != "%":
        return target.counts and token.unit not in ("times", *target.units)
    return not (target.percent or target.ratio or any(own.unit == "%" for own in target.given))
