"""The other forms of a fact's amount or date, as CLDR writes them: each says what the fact says."""

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

from babel import Locale
from babel.core import UnknownLocaleError
from babel.dates import format_date, format_skeleton
from babel.numbers import format_decimal
from babel.units import format_unit

from qaviz.model.columns import AND_DELIMITER
from qaviz.reading import Date, Granularity, Kind, Relation, Token, compare, detect_language, tokens
from qaviz.reading.tables import table
from qaviz.scoring.definition import fact_variants

MEASURED = (Kind.AMOUNT, Kind.DATE, Kind.FREQUENCY)
"""Kinds of tokens that have other forms."""
INSIDE_OTHERS = frozenset(("zero", "one", "two", "four", "six", "seven", "eight", "nine", "ten", "twenty"))
"""Number words that are a part of other words: `one` of `none`, `ten` of `often`, `six` of `sixteen`."""
_LARGEST_MANTISSA, _MOST_DECIMALS = 10**6, 3
"""Of numbers before a scale word: no 134,383,000 thousand, and no 10.317750796 billion."""
_LEAST_GROUPED, _LARGEST = 1000, 10**15
"""From here to there a number is written out."""
_LEAST_BARE = 10**6
"""A whole number without separators and unit: below it, years, postal codes and extensions look the same."""
_THOUSAND, _MONTHS = 3, 12
_TWO_DIGITS, _FOLLOWED = 10, 3
"""Days below end other dates: `2 May` stands in `22 May`; days up to there begin others: `May 2` stands in `May 22`."""
_WRITTEN = re.compile(
    r"[-−–(]?\s?(?P<currency>(?:US|HK|[A-Z]{3}\s)?[$€£¥₹₫]?\s?)[-−–]?(?P<number>\d(?:[\d.,\s]*\d)?)(?P<mark>\)?\s?)(?P<behind>.*)",
    re.DOTALL,
)
"""An amount: sign and currency, the number, and what follows: a scale, a unit."""


class Sole(NamedTuple):
    """A text that is one value, and the words around it."""

    token: Token
    before: str
    written: str
    behind: str

    @property
    def text(self) -> str:
        """All of it."""
        return self.before + self.written + self.behind


@dataclass(frozen=True)
class Texts:
    """The texts of a triplet; a missing one is empty."""

    question: str
    answer: str
    fact: str

    @cached_property
    def variants(self) -> list[str]:
        """The variants of its fact that say something, without blanks around them."""
        return [variant.strip() for variant in fact_variants(self.fact) if variant.strip()]

    @cached_property
    def language(self) -> str:
        """The code of the language in which its values are read."""
        return detect_language(self.question, detect_language(self.answer))

    @cached_property
    def soles(self) -> list[Sole]:
        """The variants that are one value each."""
        return [sole for variant in self.variants if (sole := read_sole(variant, self.language))]

    @property
    def contradicts_itself(self) -> bool:
        """Whether two variants are different values of the same thing."""
        return any(differ(*pair) for pair in combinations(self.soles, 2))


def equivalent_forms(fact: str, answer: str, question: str) -> list[str]:
    """Return the forms of the fact that none of its variants matches yet, the commonest first, in its language.

    Each says exactly what a variant says, in other units, separators or order; none is coarser than the golden answer.
    Nothing for a fact joined by `<AND>`, for variants of which one contradicts another, and for a fact that is no
    amount or date: in which other words people say it, responses show.
    """
    texts = Texts(question, answer, fact)
    if AND_DELIMITER in fact or texts.contradicts_itself:
        return []
    alone = [sole for sole in texts.soles if sole.token.bound or not any(map(str.isalpha, sole.before))]
    levels = [variant.lower() for variant in texts.variants]
    forms: list[str] = []
    for sole in alone:
        for form in _write(sole, alone, texts.language):
            level = form.lower()
            # Reading a form back costs most: only one that no variant, and no form before, matches.
            if not any(variant in level for variant in levels) and _reads_back(form, sole, texts.language):
                levels.append(level)
                forms.append(form)
    return forms


def read_sole(text: str, language: str) -> Sole | None:
    """The one amount, date or frequency that a text is; None for a range, and for a name with a number in it."""
    values = tokens(text, language)
    if len(values) != 1 or values[0].kind not in MEASURED or values[0].high is not None:
        return None
    (token,) = values
    before, written, behind = text[: token.start], text[token.start : token.end], text[token.end :]
    named = any(map(str.isalpha, before)) or behind != behind.lower()
    if named and not token.unit and not any(map(str.isalpha, written)):
        return None
    return Sole(token, before, written, behind)


def differ(first: Sole, second: Sole) -> bool:
    """Whether two values of the same thing cannot both be right, each in the precision in which it is written."""
    same_thing = first.behind.strip() == second.behind.strip() and first.token.kind is second.token.kind
    return same_thing and compare(first.token, second.token).relation is Relation.OTHER


def _reads_back(form: str, sole: Sole, language: str) -> bool:
    """Whether a form reads as the very value; a unit that is kept need not be read, nor an English date."""
    if isinstance(sole.token.value, Date) and language == "en":
        return True
    read = read_sole(form, language)
    near = compare(sole.token, read.token) if read else None
    return near is not None and near.relation is Relation.SAME and near.reason in ("exact", "silent")


def _write(sole: Sole, soles: Sequence[Sole], language: str) -> Iterator[str]:
    """The forms of a value; with zeros for unknown digits only if no other variant is more exact."""
    token = sole.token
    finest = min(other.token.step for other in soles)
    if isinstance(token.value, Date):
        cores = write_date(token.value, language)
    elif amount := _read_amount(sole, language):
        cores = write_amount(amount, token.unit, language, padded=amount.step <= finest)
    else:
        return
    yield from (f"{sole.before}{core}{sole.behind}" for core in cores)


@cache
def _locale(language: str) -> Locale:
    try:
        return Locale.parse("zh_Hans" if language == "zh" else language)
    except UnknownLocaleError:
        return Locale.parse("en")


@cache
def _scales(language: str) -> tuple[tuple[int, str, str], ...]:
    """Power of ten, name and short name of each scale as they stand behind a number, the largest first."""
    names = dict[int, list[str]]()
    for style in ("long", "short"):
        patterns = _locale(language).compact_decimal_formats.get(style, {}).get("other", {})
        for power, pattern in patterns.items():
            if pattern.pattern.count("0") == 1 and pattern.pattern != "0":
                name = pattern.pattern.replace("0", "").replace("'", "").replace("\xa0", " ")
                names.setdefault(len(power) - 1, []).append(name)
    return tuple((power, both[0], both[-1]) for power, both in sorted(names.items(), reverse=True))


class Amount(NamedTuple):
    """An amount and the words within it that its forms keep."""

    value: Decimal
    step: Decimal
    """What its last digit is worth."""
    own: int
    """Power of ten of its scale: 9 for billion, 0 where none is written."""
    sign: str
    currency: str
    """As it is written before the number."""
    behind: str
    """A unit or currency behind it."""


def _read_amount(sole: Sole, language: str) -> Amount | None:
    """The amount of a text as its forms need it; None for what is no decimal number: a fraction, a dozen."""
    token, parts = sole.token, _WRITTEN.fullmatch(sole.written)
    if not isinstance(token.value, Decimal) or not token.value or token.sign == 0 or not token.step:
        return None
    value, behind, own = token.value, parts["behind"] if parts else sole.written, 0
    if parts:
        groups, point = (". \xa0\u202f", ",") if table(language).comma_decimal else (", \xa0\u202f", ".")
        plain = Decimal(parts["number"].translate({ord(mark): None for mark in groups}).replace(point, "."))
        own = (value / plain).normalize().adjusted()
        if value != plain.scaleb(own):
            return None
    names = [name.strip() for power, *both in _scales(language) for name in both if power == own or not parts]
    scale = next((name for name in names if name in behind), "")
    own = own or next((power for power, *both in _scales(language) if scale and f" {scale}" in both), 0)
    unit = behind.partition(scale)[2] if scale else re.sub(r"^[^\W\d_]+\.?", "", behind) if own else behind
    currency = parts["currency"].strip() if parts else ""
    joint = " " if not scale and parts and unit[:1].isalnum() and parts["mark"].endswith(" ") else ""
    return Amount(value, token.step, own, "-" if token.sign < 0 else "", currency, joint + unit if parts else "")


def write_amount(of: Amount, unit: str, language: str, *, padded: bool) -> Iterator[str]:
    """Return the forms of an amount, the commonest first, its own among them.

    Unless `padded`, none has zeros in place of unknown digits: `134,400 million` for 134.4 billion.
    """
    if unit == "%":
        number = _write_number(of.value, of.step, language)
        yield from (f"{of.sign}{number}{name}" for name in _percents(language))
        return
    currency = of.currency + (" " if of.currency[-1:].isalpha() else "")
    for number, name, short in _scaled(of, language, padded=padded):
        yield f"{of.sign}{currency}{number}{name}{of.behind}"
        if currency and len(short.strip()) == 1:
            yield f"{of.sign}{currency}{number}{short.strip()}"
        elif short.endswith("."):
            yield f"{of.sign}{currency}{number}{short}{of.behind}"
    whole = of.value == of.value.to_integral_value() and _LEAST_GROUPED <= of.value < _LARGEST
    if whole and (padded or not of.own):
        yield f"{of.sign}{currency}{_write_number(of.value, Decimal(1), language)}{of.behind}"
        if not of.own and (currency or of.behind or of.value >= _LEAST_BARE):
            yield f"{of.sign}{currency}{int(of.value)}{of.behind}"


def _scaled(of: Amount, language: str, *, padded: bool) -> Iterator[tuple[str, str, str]]:
    """The number before each scale that fits it, its own first, with the scale's name and short name."""
    for power, name, short in sorted(_scales(language), key=lambda scale: scale[0] != of.own):
        mantissa, digit = of.value.scaleb(-power), of.step.scaleb(-power)
        if not of.own:
            digit = max(digit, Decimal(1).scaleb(mantissa.normalize().as_tuple().exponent))  # type: ignore[arg-type]
        fits = 1 <= mantissa < _LARGEST_MANTISSA and digit.adjusted() >= -_MOST_DECIMALS
        if power == of.own or (fits and power != _THOUSAND and (padded or digit <= 1)):
            number = _write_number(mantissa, digit, language)
            yield number, name, short
            if mantissa >= _LEAST_GROUPED and digit >= 1:
                yield f"{int(mantissa)}", name, ""


def _write_number(value: Decimal, digit: Decimal, language: str) -> str:
    """The number with its thousands apart, and with the decimals that its last digit asks for."""
    decimals = max(0, -digit.adjusted())
    pattern = "#,##0" + (f".{'0' * decimals}" if decimals else "")
    return re.sub(r"\s", " ", format_decimal(value, pattern, _locale(language), group_separator=True))


@cache
def _percents(language: str) -> tuple[str, ...]:
    """How percent is written behind a number: the sign, the words."""
    locales = ("en", "en_GB") if language == "en" else (_locale(language),)
    named = [format_unit(5, "concentr-percent", "long", locale=locale).replace("\xa0", " ")[1:] for locale in locales]
    usable = [name for name in named if "concentr" not in name]  # CLDR has none for some
    english = table("en").units.meanings
    own = [f" {word}" for word, unit in table(language).units.meanings.items() if unit == "%" and word not in english]
    return ("%", *(usable or own))


def write_date(of: Date, language: str) -> Iterator[str]:
    """Return the forms of a day or month, its own among them; none that reads in two ways or begins or ends others."""
    if of.swapped or of.month is None or of.granularity not in (Granularity.DAY, Granularity.MONTH):
        return
    if of.day is None:
        if of.year:
            first = date(of.year, of.month, 1)
            yield from (_format(skeleton, first, _locale(language)) for skeleton in ("yMMMM", "yMMM"))
        return
    if of.day > calendar.monthrange(of.year or 2024, of.month)[1]:
        return
    day = date(of.year or 2024, of.month, of.day)
    for form in _write_day(day, language, with_year=of.year is not None):
        ends_others = of.day < _TWO_DIGITS and re.match(rf"{of.day}(?!\d)", form)
        begins_others = of.year is None and of.day <= _FOLLOWED and form.endswith(str(of.day))
        if not ends_others and not begins_others:
            yield form


def _write_day(day: date, language: str, *, with_year: bool) -> Iterator[str]:
    """In letters, then in digits that read in one way."""
    locales = (Locale.parse("en_US"), Locale.parse("en_GB")) if language == "en" else (_locale(language),)
    for locale in locales:
        for style, skeleton in (("long", "MMMMd"), ("medium", "MMMd")):
            yield _format(locale.date_formats[style].pattern if with_year else skeleton, day, locale)
    if not with_year:
        return
    yield day.isoformat()
    if language != "en" or day.day > _MONTHS:
        for locale in locales:
            pattern = re.sub("y+", "yyyy", locale.date_formats["short"].pattern)
            for month, number in (("MM", "dd"), ("M", "d")):
                yield _format(re.sub("d+", number, re.sub("M+", month, pattern)), day, locale)


def _format(pattern: str, day: date, locale: Locale) -> str:
    """The day by a pattern, or by a skeleton, which is of letters alone."""
    by_skeleton = pattern.isalpha() and pattern.isascii()
    text = format_skeleton(pattern, day, locale=locale) if by_skeleton else format_date(day, pattern, locale)
    return re.sub(r"\s", " ", text)
