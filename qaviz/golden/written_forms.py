"""The other forms of a fact's number or date: as exact as the fact, and readable in one way."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import combinations
from math import prod
from typing import NamedTuple

from qaviz.diagnosis.evidence import dates, quantities
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.dates import Date
from qaviz.diagnosis.evidence.quantities import Quantity
from qaviz.diagnosis.evidence.quantities.agreement import Target, fit
from qaviz.diagnosis.evidence.quantities.units import CURRENCY_CODES, CURRENCY_SIGNS, PERCENT, SCALES
from qaviz.diagnosis.languages.reading import ENGLISH
from qaviz.golden import local_forms
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER

_SCALES = {12: "trillion", 9: "billion", 6: "million", 3: "thousand"}
_VIETNAMESE_SCALES = {12: "nghìn tỷ", 9: "tỷ", 6: "triệu", 3: "nghìn"}
_LETTERS = {12: "T", 9: "B", 6: "M", 3: "K"}
_SIGN_OF = {code: sign for sign, code in CURRENCY_SIGNS.items()}

_LARGEST_MANTISSA = 10**6
"""Numbers before a scale word are smaller: no 134,383,000 thousand."""
_MOST_DECIMALS = 3
"""Decimals before a scale word, at most: no 10.317750796 billion."""
_LARGEST = 10**15
"""Up to here a number is written out."""
_LEAST_BARE = 10**6
"""A whole number without separators and unit: below it, years, postal codes and extensions look the same."""
_LEAST_GROUPED = 1000
_THOUSAND = 3
_IN_TWO_WAYS = re.compile(r"\d{1,3}[.,]\d{3}")
"""What reads in two ways without a word beside it: `1,234%` has three decimals, or thousands."""
_ENOUGH_DIGITS = 3
"""Digits and marks from which a sign before them may go: `2 million` stands in `12 million`, `$2 million` does not."""

_SCALE_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_WORDS = _SCALE_NAMES.split()
INSIDE_OTHERS = frozenset(("zero", "one", "two", "four", "six", "seven", "eight", "nine", "ten", "twenty"))
"""Number words that are a part of other words: `one` of `none`, `ten` of `often`, `six` of `sixteen`."""
_COUNTED = r"(?i)\b(?:{}|{})[ -](?!and |of |to |in |or |per |percent|million|thousand|billion)([^\W\d_]{{3,}})"
_DIGITS = re.compile(r"\d(?:[\d.,]*\d)?")
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")

_MONTH_NAMES = "January February March April May June July August September October November December"
_MONTHS = _MONTH_NAMES.split()
_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
_TWO_DIGITS = 10
"""A day from here on begins no other number's end: `2 May` stands in `22 May`, `22 May` in no other date."""
_FOLLOWED = 3
"""Days up to here begin others: `May 2` stands in `May 22`."""
_MONTHS_OF_A_YEAR = 12


_VIETNAMESE = re.compile(
    r"[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]|\b(?:bao nhiêu|công ty|ngày|tháng|năm)\b", re.IGNORECASE
)
"""Letters and words that no other language has."""
_LETTER = re.compile(r"[^\W\d_]")
_SCALED_QUESTION = re.compile(r"thousand|million|billion|trillion|nghìn|triệu|tỷ", re.IGNORECASE)


def equivalent_forms(fact: str, answer: str, question: str) -> list[str]:
    """Return the forms of the fact's number or date that none of its variants matches yet, the commonest first.

    Each says exactly what a variant says, in other units, separators, order or words; none is coarser than the golden
    answer; all are in the language of the triplet. Nothing for a fact joined by `<AND>`, for variants of which one
    contradicts another, and for a fact that is neither a number nor a date.
    """
    if AND_DELIMITER in fact:
        return []
    variants = [variant.strip() for variant in fact.split(OR_DELIMITER) if variant.strip()]
    code = local_forms.language_of_triplet(question, answer, fact)
    vietnamese = bool(_VIETNAMESE.search(question) or _VIETNAMESE.search(answer) or _VIETNAMESE.search(fact))
    if not vietnamese and code != ENGLISH:
        return _drop_known(_list_local_forms(variants, code), variants)
    candidates = [*_list_date_forms(variants, vietnamese=vietnamese)]
    if not candidates:
        candidates = [*_list_number_forms(variants, answer, question, vietnamese=vietnamese)]
    return _drop_known(candidates, variants)


def _list_local_forms(variants: list[str], code: str) -> Iterator[str]:
    """The forms of a single variant in its own language. Several variants get none: they may contradict each other."""
    if len(variants) == 1:
        yield from local_forms.list_dates(variants[0], code)
        yield from local_forms.list_numbers(variants[0], code)


def _drop_known(candidates: Iterable[str], variants: list[str]) -> list[str]:
    """The candidates that no variant, and no earlier one, matches already."""
    known = [variant.lower() for variant in variants]
    forms: list[str] = []
    for candidate in candidates:
        level = candidate.lower()
        if not any(variant in level for variant in known):
            known.append(level)
            forms.append(candidate)
    return forms


def _list_date_forms(variants: list[str], *, vietnamese: bool) -> Iterator[str]:
    """The forms of the date that the variants are, if they are one date."""
    dated = [(variant, date_list) for variant in variants if len(date_list := dates.find(variant)) == 1]
    days = [of for variant, (date,) in dated if (of := day(variant, date))]
    if len({(of.year, of.month, of.day) for of in days}) != 1:
        return
    yield from write_date(days[0], vietnamese=vietnamese)


def _list_number_forms(variants: list[str], answer: str, question: str, *, vietnamese: bool) -> Iterator[str]:
    """The forms of the number that the variants are, if they are one number."""
    for variant in variants:
        yield from list_counted_forms(variant, answer)
    # Without the amounts of the question: they say nothing of the fact's forms and take longest to read.
    target = Target(level_text(question), frozenset(), date=False)
    amounts = [(variant, q) for variant in variants if (q := _read_amount(variant, target))]
    if not amounts or any(_contradict(one, other, target) for (_, one), (_, other) in combinations(amounts, 2)):
        return
    scale = target.scale if _SCALED_QUESTION.search(question) else None
    sources = _drop_coarser(amounts, answer, target)
    finest = min(quantity.half for _, quantity in sources)
    for text, quantity in sources:
        if of := read_figure(text, quantity, scale):
            yield from write_number(of, padded=quantity.half == finest, vietnamese=vietnamese)


def _read_amount(variant: str, target: Target) -> Quantity | None:
    """The quantity that a variant is; None for a name with a number in it, and for a year."""
    amounts = quantities.find(variant)
    if len(amounts) != 1 or (dates.find(variant) and not target.amount):
        return None
    quantity = amounts[0]
    before, behind = variant[: quantity.start], variant[quantity.end :]
    measured = quantity.scaled or quantity.unit
    return quantity if measured or (not _LETTER.search(before) and behind == behind.lower()) else None


def _contradict(one: Quantity, other: Quantity, target: Target) -> bool:
    how = fit(one, other, target)
    return how is not None and not how.agrees


def _drop_coarser(amounts: list[tuple[str, Quantity]], answer: str, target: Target) -> list[tuple[str, Quantity]]:
    """The amounts that are no coarser than the golden answer's, and the answer's own where it is no plain number.

    An answer that has one of them word by word supports them all.
    """
    if any(text in answer for text, _ in amounts):
        return amounts
    stated = [
        q for q in quantities.find(answer) if (how := fit(amounts[0][1], q, target)) and how.agrees and not q.weak
    ]
    if not stated:
        return amounts
    finest = min(stated, key=lambda quantity: quantity.half)
    own = [(finest.words(answer).text, finest._replace(start=0, end=finest.end - finest.start))]
    kept = [(text, quantity) for text, quantity in amounts if quantity.half <= finest.half]
    return kept + (own if finest.scaled or finest.unit else [])


class Figure(NamedTuple):
    """A quantity of a variant, and the words around it that its forms keep."""

    value: Decimal
    """Without its sign, its scale counted in."""
    step: int
    """Power of ten of its last digit: 8 for 134.4 billion."""
    scale: int
    """Power of ten of its scale: 9 for billion, 0 where none is written and the question sets none."""
    code: str
    """Of the currency or dimension; empty where none is written."""
    before: str
    """What stands before it, a minus sign included."""
    behind: str
    """What stands behind it."""


def read_figure(text: str, quantity: Quantity, scale_of_question: Decimal | None) -> Figure | None:
    """Return the quantity of a text as its forms need it; None for a range, a fraction, and what reads in two ways.

    `scale_of_question` is what a plain number is counted in: 1,000,000 for "in USD millions".
    """
    unsure = quantity.weak or quantity.high is not None or quantity.negative is None
    if unsure or not quantity.half or not quantity.value or quantity.factor != 1:
        return None
    value, step = quantity.value, (quantity.half * 2).adjusted()
    scale = _written_scale(text[quantity.start : quantity.end]) if quantity.scaled else 0
    if scale_of_question and not quantity.scaled and quantity.unit != PERCENT:
        scale = scale_of_question.adjusted()
        value, step = value * scale_of_question, step + scale
    signs = "".join(CURRENCY_SIGNS) + ("(" if quantity.negative else "")  # (5) million is -5 million
    before = text[: quantity.start].rstrip(signs) + ("-" if quantity.negative else "")
    end = quantity.end
    if quantity.unit and quantity.unit != PERCENT and quantity.unit not in CURRENCY_CODES:
        if quantity.scaled or not (digits := _DIGITS.match(text, quantity.start)):
            return None
        end = digits.end()
    return Figure(value, step, scale, quantity.unit, before, text[end:])


def _written_scale(words: str) -> int:
    """The power of ten that the scale words of a quantity make together."""
    return Decimal(prod(SCALES.get(word, 1) for word in _LETTERS_ONLY.findall(words.lower()))).adjusted()


def write_number(of: Figure, *, padded: bool, vietnamese: bool) -> Iterator[str]:
    """Return the forms of a figure, the commonest first, its own among them.

    Unless `padded`, none has zeros in place of unknown digits: `134,400 million` for 134.4 billion.
    """
    cores = _vietnamese_numbers(of, padded) if vietnamese else _english_numbers(of, padded)
    return (f"{of.before}{core}{of.behind}" for core in cores)


def _english_numbers(of: Figure, padded: bool) -> Iterator[str]:
    if of.code == PERCENT:
        number = _number(of.value, of.step)
        yield from (f"{number}%", f"{number} percent", f"{number} per cent")
        return
    sign = _SIGN_OF.get(of.code, "")
    for scale in _scales(of, padded, _SCALES):
        mantissa, step = of.value.scaleb(-scale), _last_digit(of) - scale
        number = _number(mantissa, step)
        few = sign and len(number) < _ENOUGH_DIGITS
        yield f"{sign if few else ''}{number} {_SCALES[scale]}"
        if mantissa >= _LEAST_GROUPED and step <= 0:
            yield f"{number.replace(',', '')} {_SCALES[scale]}"
        if sign and step <= 0:
            yield f"{sign}{number}{_LETTERS[scale]}"
    if padded or not of.scale:
        yield from _written_out(of, sign, grouping=",")


def _vietnamese_numbers(of: Figure, padded: bool) -> Iterator[str]:
    """The same as Vietnamese writes it: a comma for decimals, points between thousands."""
    if of.code == PERCENT:
        number = _swap_separators(_number(of.value, of.step))
        if not _IN_TWO_WAYS.fullmatch(number):
            yield from (f"{number}%", f"{number} phần trăm")
        return
    for scale in _scales(of, padded, _VIETNAMESE_SCALES):
        value, step = of.value.scaleb(-scale), _last_digit(of) - scale
        if scale > of.scale > 0:
            # 8,420 nghìn tỷ would read in two ways.
            step = max(step, min(0, int(value.normalize().as_tuple().exponent)))
        yield f"{_swap_separators(_number(value, step))} {_VIETNAMESE_SCALES[scale]}"
    if (padded or not of.scale) and of.value >= _LEAST_BARE:
        yield from _written_out(of, "", grouping=".")
    if of.scale in (9, 12):
        number = _number(of.value.scaleb(-of.scale), _last_digit(of) - of.scale)
        yield f"{_swap_separators(number)} {_VIETNAMESE_SCALES[of.scale].replace('tỷ', 'tỉ')}"


def _scales(of: Figure, padded: bool, named: Mapping[int, str]) -> Iterator[int]:
    """The scales in which the figure is readable, its own first."""
    if of.scale in named:
        yield of.scale
    for scale in named:
        mantissa, step = of.value.scaleb(-scale), _last_digit(of) - scale
        fits = 1 <= mantissa < _LARGEST_MANTISSA and step >= -_MOST_DECIMALS and (padded or step <= 0)
        if fits and scale not in (of.scale, _THOUSAND):
            yield scale


def _last_digit(of: Figure) -> int:
    """Power of ten of the last digit that is no zero of a number written out: 6 for 158,000,000."""
    return of.step if of.scale else max(of.step, int(of.value.normalize().as_tuple().exponent))


def _written_out(of: Figure, sign: str, grouping: str) -> Iterator[str]:
    """The whole number with its thousands apart and, where it can be nothing else, together."""
    if of.value != of.value.to_integral_value() or not _LEAST_GROUPED <= of.value < _LARGEST:
        return
    prefix = sign if of.value < _LEAST_BARE else ""
    yield prefix + f"{int(of.value):,}".replace(",", grouping)
    if not of.scale and (prefix or of.behind.strip() or of.value >= _LEAST_BARE):
        yield f"{prefix}{int(of.value)}"


def _number(value: Decimal, step: int) -> str:
    """The number with its thousands apart, and with the decimals that its last digit asks for."""
    return f"{value:,.{max(0, -step)}f}"


def _swap_separators(number: str) -> str:
    return number.translate(str.maketrans(",.", ".,"))


def list_counted_forms(text: str, answer: str) -> Iterator[str]:
    """Return a variant that is a number from 0 to 20 in words and in digits, with what the answer says it counts.

    A bare digit is no form, for it stands in every larger number; nor is a word that is a part of other words.
    """
    plain = text.strip().lower()
    if plain in _WORDS:
        number = _WORDS.index(plain)
    elif plain.isdecimal() and plain.isascii() and int(plain[:3]) < len(_WORDS) and len(plain) < 3:
        number = int(plain)
    else:
        return
    word = _WORDS[number]
    if noun := re.search(_COUNTED.format(number, word), answer):
        yield from (f"{number} {noun[1]}", f"{word} {noun[1]}")
    elif word not in INSIDE_OTHERS:
        yield word


class Day(NamedTuple):
    """A date of a variant, and the words around it that its forms keep."""

    year: int | None
    month: int
    day: int | None
    before: str
    behind: str


def day(text: str, date: Date) -> Day | None:
    """Return the date of a text as its forms need it; None for a year alone, a span, and what reads in two ways."""
    if date.month is None or date.until is not None or (date.swapped and date.month != date.day):
        return None
    return Day(date.year, date.month, date.day, text[: date.start], text[date.end :])


def write_date(of: Day, *, vietnamese: bool) -> Iterator[str]:
    """Return the forms of a date, the commonest first, its own among them."""
    if of.day is not None:
        write_dates = _vietnamese_dates if vietnamese else _english_dates
        cores = write_dates(of.year, of.month, of.day)
    else:
        cores = (f"{name} {of.year}" for name in _names(of.month) if of.year)
    return (f"{of.before}{core}{of.behind}" for core in cores)


def _names(month: int) -> list[str]:
    full = _MONTHS[month - 1]
    short = full[:3]
    return [full] if short == full else [full, short, "Sept" if short == "Sep" else f"{short}."]


def _english_dates(year: int | None, month: int, day: int) -> Iterator[str]:
    """US, European and ordinal, abbreviated, then in digits."""
    ordinal = f"{day}{_ENDINGS.get(day, 'th')}"
    after, comma = (f" {year}", f", {year}") if year else ("", "")
    full = _MONTHS[month - 1]
    yield from (f"{full} {ordinal}{after}", f"{full} {ordinal}{comma}")
    if day >= _TWO_DIGITS:
        yield from (f"{ordinal} {full}{after}", f"{ordinal} of {full}{after}")
    for name in _names(month):
        if year or day > _FOLLOWED:
            yield from (f"{name} {day}{comma}", f"{name} {day}{after}")
        if day >= _TWO_DIGITS:
            yield f"{day} {name}{after}"
    if year:
        yield from _in_digits(year, month, day)


def _in_digits(year: int, month: int, day: int) -> Iterator[str]:
    """ISO; with points, and with slashes where day and month cannot be taken for each other."""
    yield f"{year}-{month:02}-{day:02}"
    if day >= _TWO_DIGITS:
        yield f"{day}.{month:02}.{year}"
    if day > _MONTHS_OF_A_YEAR:
        yield from (f"{month:02}/{day}/{year}", f"{day}/{month:02}/{year}")


def _vietnamese_dates(year: int | None, month: int, day: int) -> Iterator[str]:
    """22 tháng 2 năm 2023, 22/2/2023: the day always comes first."""
    lead = "" if day >= _TWO_DIGITS else "ngày "
    yield f"{lead}{day} tháng {month}" + (f" năm {year}" if year else "")
    if year:
        yield from (f"{lead}{day}/{month}/{year}", f"{day:02}/{month:02}/{year}", f"{year}-{month:02}-{day:02}")
