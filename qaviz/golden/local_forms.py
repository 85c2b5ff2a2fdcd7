"""The forms of a number or date in languages other than English and Vietnamese, as each of them writes it; in Japanese
and Chinese also by ten thousands.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from qaviz.diagnosis.evidence import dates
from qaviz.diagnosis.languages.reading import ENGLISH, language_of, read_as_english
from qaviz.diagnosis.languages.vocabulary import WITHOUT_BLANKS

VIETNAMESE = "vi"

_POWERS = {"兆": 12, "億": 8, "亿": 8, "万": 4, "萬": 4}
_JAPANESE, _SIMPLIFIED, _TRADITIONAL = (
    {12: "兆", 8: "億", 4: "万"},
    {12: "兆", 8: "亿", 4: "万"},
    {12: "兆", 8: "億", 4: "萬"},
)
"""Power of ten -> its letter."""
_OTHER_SCRIPT = str.maketrans("亿万億萬", "億萬亿万")
_PART = r"\d+(?:,\d{3})*(?:\.\d+)?[兆億亿万萬]"
_NUMBER = re.compile(rf"(?P<parts>(?:{_PART})+|\d+(?:,\d{{3}})*)(?P<behind>[^\W\d_]{{0,4}})")
_PERCENT = re.compile(r"(?P<number>\d+(?:\.\d+)?) ?(?:%|％|パーセント)|百分之(?P<said>\d+(?:\.\d+)?)")
_LEAST = 10_000
"""Numbers below are written in one way: years and identifiers look like them."""


class _Style(NamedTuple):
    """How a language writes numbers and dates."""

    grouping: str
    """Between thousands."""
    scales: tuple[tuple[str, int], ...]
    """Scale words, the usual ones first, with their power of ten."""
    percent: tuple[str, ...]
    months: str
    date: str
    """A date in words, with {day}, {month}, {year}."""
    in_digits: tuple[str, ...]
    euros: Mapping[int, str] = MappingProxyType({})
    """Power of ten -> how so many euros are written in short."""


_STYLES = {
    "de": _Style(
        ".",
        (("Milliarden", 9), ("Mrd.", 9), ("Millionen", 6), ("Mio.", 6)),
        (" %", "%", " Prozent"),
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "{day}. {month} {year}",
        ("{day:02}.{number:02}.{year}", "{day}.{number}.{year}", "{year}-{number:02}-{day:02}"),
        {9: "Mrd. €", 6: "Mio. €"},
    ),
    "es": _Style(
        ".",
        (("mil millones", 9), ("millones", 6)),
        (" %", "%", " por ciento"),
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "{day} de {month} de {year}",
        ("{day:02}/{number:02}/{year}", "{day}/{number}/{year}", "{year}-{number:02}-{day:02}"),
        {6: "M€"},
    ),
    "fr": _Style(
        " ",
        (("milliards", 9), ("millions", 6)),
        (" %", "%", " pour cent"),
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "{day} {month} {year}",
        ("{day:02}/{number:02}/{year}", "{day}/{number}/{year}", "{year}-{number:02}-{day:02}"),
        {9: "Md€", 6: "M€"},
    ),
    "ja": _Style(
        "",
        (),
        ("%", "パーセント"),
        "",
        "{year}年{number}月{day}日",
        ("{year}/{number}/{day}", "{year}-{number:02}-{day:02}"),
    ),
    "zh": _Style(
        "", (), ("%",), "", "{year}年{number}月{day}日", ("{year}/{number}/{day}", "{year}-{number:02}-{day:02}")
    ),
}
_MOST_DECIMALS = 3
_LARGEST_MANTISSA = 1_000_000
_LEAST_GROUPED = 10_000
"""Numbers below have no form of their own without separators: years and identifiers look like them."""


def language_of_triplet(question: str, answer: str, fact: str) -> str:
    """Return the language of a triplet: of its question, else of its answer, else of its fact, else English."""
    return next(filter(None, map(language_of, (question, answer, fact))), ENGLISH)


def list_dates(fact: str, code: str) -> Iterator[str]:
    """Return the forms of a fact that is one whole date, its own among them; none for any other fact."""
    style = _STYLES.get(code)
    date_list = dates.find(read_as_english(fact.strip(), code).text.strip()) if style else []
    if style is None or len(date_list) != 1 or date_list[0].until is not None or not _is_date_alone(fact, code):
        return
    date = date_list[0]
    if date.day is None or date.month is None or date.year is None:
        return
    month = style.months.split()[date.month - 1] if style.months else ""
    for form in (style.date, *style.in_digits):
        yield form.format(day=date.day, number=date.month, month=month, year=date.year)


def _is_date_alone(fact: str, code: str) -> bool:
    """Whether the fact is a date and nothing else: what is left has no letters."""
    read = read_as_english(fact.strip(), code).text.strip()
    date = dates.find(read)[0]
    return not any(map(str.isalnum, read[: date.start] + read[date.end :]))


def list_numbers(fact: str, code: str) -> Iterator[str]:
    """Return the forms of a fact that begins with one number, its own among them; none for any other fact."""
    style = _STYLES.get(code)
    if code in WITHOUT_BLANKS:
        yield from list_ideographic(fact.strip(), code)
        return
    match = _number_pattern(style).fullmatch(fact.strip()) if style else None
    if style is None or match is None:
        return
    value, step = _value(match["number"])
    if value is None:
        return
    if match["percent"]:
        yield from (f"{_write(value, step, style)}{sign}" for sign in style.percent)
        return
    scale = dict(style.scales).get(match["scale"] or "", 0)
    behind = match["behind"]
    yield from (f"{form}{behind}" for form in _write_scaled(value, step, scale, style))
    if scale in style.euros and behind.lower().endswith(("euro", "euros")):
        yield f"{_write(value, step, style)} {style.euros[scale]}"


def _number_pattern(style: _Style) -> re.Pattern[str]:
    scales = "|".join(re.escape(word) for word, _ in style.scales)
    percent = "|".join(re.escape(sign.strip()) for sign in style.percent)
    return re.compile(
        rf"(?P<number>\d+(?:[. \u00a0\u202f]\d{{3}})*(?:,\d+)?)"
        rf"(?:\s?(?P<percent>{percent})|(?:\s(?P<scale>{scales}))?(?P<behind>(?: (?:de |d['’])?[^\W\d_]+){{0,2}}))"
    )


def _value(number: str) -> tuple[Decimal | None, int]:
    """The number as it is written, and the power of ten of its last digit; None where it reads in two ways."""
    whole, _, decimals = re.sub(r"[. \u00a0\u202f]", "", number).partition(",")
    if re.fullmatch(r"\d{1,3},\d{3}", number):
        return None, 0
    return Decimal(f"{whole}.{decimals or 0}"), -len(decimals)


def _write_scaled(value: Decimal, step: int, scale: int, style: _Style) -> Iterator[str]:
    """The number under each scale word that fits it, and written out where no digit is unknown."""
    whole, last = value.scaleb(scale), step + scale
    own_first = sorted(style.scales, key=lambda word: word[1] != scale)
    for word, power in own_first if scale else ():
        mantissa, digit = whole.scaleb(-power), last - power
        if power != scale:
            digit = max(digit, int(mantissa.normalize().as_tuple().exponent))
        if 1 <= mantissa < _LARGEST_MANTISSA and digit >= -_MOST_DECIMALS:
            yield f"{_write(mantissa, digit, style)} {word}"
    if not scale and value >= _LEAST_GROUPED and not step:
        yield from dict.fromkeys((_write(whole, 0, style), f"{int(whole)}"))


def _write(value: Decimal, step: int, style: _Style) -> str:
    """The number with a decimal comma and the language's mark between thousands."""
    text = f"{value:,.{max(0, -step)}f}"
    return text.translate({ord(","): style.grouping, ord("."): ","})


def list_ideographic(fact: str, code: str) -> Iterator[str]:
    """Return the forms of a fact that begins with one number, its own among them; none for any other fact.

    `code` is `ja` or `zh`. Chinese forms come in the other letters too, last: 34.5亿元 as 34.5億元.
    """
    if percent := _PERCENT.fullmatch(fact):
        number = percent["number"] or percent["said"]
        yield from (f"{number}%", f"{number}パーセント" if code == "ja" else f"百分之{number}")
        return
    match = _NUMBER.fullmatch(fact)
    if not match:
        return
    forms = [f"{form}{match['behind']}" for form in dict.fromkeys(_numbers(match["parts"], _letters(fact, code)))]
    yield from forms
    if code == "zh":
        yield from (form.translate(_OTHER_SCRIPT) for form in forms if any(letter in _POWERS for letter in form))


def _letters(fact: str, code: str) -> dict[int, str]:
    if code == "ja":
        return _JAPANESE
    return _TRADITIONAL if any(letter in fact for letter in "億萬") else _SIMPLIFIED


def _numbers(written: str, letters: dict[int, str]) -> Iterator[str]:
    """The number by each scale that fits it, by two scales, and written out where no digit is unknown."""
    parts = re.findall(r"([\d,.]+)([兆億亿万萬]?)", written)
    value = sum((_plain_value(number).scaleb(_POWERS.get(letter, 0)) for number, letter in parts), Decimal(0))
    own = _POWERS.get(parts[0][1], 0) if len(parts) == 1 else 0
    if value < _LEAST:
        return
    if own:
        yield from _write_thousands(_plain_value(parts[0][0]), letters[own])
    yield from _by_scale(value, own, letters)
    high, low = divmod(value, Decimal(10) ** 8)
    if high and low and low % 10**4 == 0 and high < 10**4:
        yield f"{int(high)}{letters[8]}{int(low) // 10**4}{letters[4]}"
    if not parts[0][1]:
        yield from _write_thousands(value, "")


def _by_scale(value: Decimal, own: int, letters: dict[int, str]) -> Iterator[str]:
    for power, letter in letters.items():
        mantissa = value.scaleb(-power).normalize()
        decimals = -int(mantissa.as_tuple().exponent)
        if power != own and 1 <= mantissa < 10**5 and decimals <= _MOST_DECIMALS:
            yield f"{mantissa:f}{letter}"


def _write_thousands(value: Decimal, letter: str) -> Iterator[str]:
    """With its thousands apart, and together."""
    yield from (f"{value:,f}{letter}", f"{value:f}{letter}")


def _plain_value(number: str) -> Decimal:
    return Decimal(number.replace(",", ""))
