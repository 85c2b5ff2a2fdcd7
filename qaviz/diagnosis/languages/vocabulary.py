"""What qaviz knows of a language: its words in English, refusals, months, scales, currencies, nations."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TypedDict, cast

from babel import Locale, UnknownLocaleError

_FOLDER = Path(__file__).with_name("words")
READ = tuple(sorted(path.stem for path in _FOLDER.glob("??.toml")))
"""Codes of the languages besides English that qaviz reads."""
WITHOUT_BLANKS = ("ja", "zh")
"""Languages that put no blanks between words."""
_CURRENCIES = ("USD", "EUR", "GBP", "JPY", "CNY", "INR", "VND", "KRW", "CHF", "CAD", "AUD", "HKD", "SGD")
_SCALES = {"1000": "thousand", "1000000": "million", "1000000000": "billion", "1000000000000": "trillion"}
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
REFUSED = "i do not know"
"""What every refusal is read as."""
CUES = {
    "formerly": "formerly",
    "until": "until",
    "planned": "originally planned",
    "believed": "many believe",
    "now": "now",
    "actually": "actually",
    "replaced": "was replaced by",
    "denied": "is not it",
    "but": "but",
}
"""What a clause does with its value -> the English words that every cue of that kind is read as."""
_AHEAD = (")", "]")
"""How a pattern ends that says itself what may follow."""
_LEAD = r"^(\W*(?:[ar]:\s*\W*|(?:answer|trả lời|antwort|respuesta|resposta|réponse)\s?:\s*\W*)?)"
"""What may stand before the first word of a response: `A: `."""
_MARKS_TELL = frozenset(
    ("tỷ", "tỉ", "đô", "mà", "bà", "anh", "chị", "cô", "dân", "ai", "gì", "do", "hay", "đó", "thì", "tuy")
)
"""Words of Vietnamese that without their tone marks are parts of other words: `công ty`, `Nam`."""
_SHORT_MONTH = 4
"""Letters of a month's name that may be short for it, or another word."""
_BELOW_TWENTY = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_TENS = """
twenty thirty forty fifty sixty seventy eighty ninety
"""
SMALL_NUMBERS = {
    **{word: worth for worth, word in enumerate(_BELOW_TWENTY.split())},
    **{word: 10 * tens for tens, word in enumerate(_TENS.split(), start=2)},
}
"""English words for numbers below a hundred -> worth."""
_REFUSALS = cast("dict[str, list[str]]", tomllib.loads((_FOLDER / "refusals.toml").read_text(encoding="utf-8")))
_UP_TO_FIVE_WORDS = r" (?:\S+ ){0,5}?"
_WORTH = {**SMALL_NUMBERS, "hundred": 100, "thousand": 1000}


@dataclass(frozen=True, eq=False)
class Language:
    """The vocabulary of one language. Phrases are in small letters, a blank between words."""

    code: str
    comma_decimal: bool
    """Whether 1,5 is one and a half."""
    refusals: re.Pattern[str] | None
    patterns: tuple[tuple[re.Pattern[str], str], ...]
    """What is read in another order or only in its place, and its English: tried in this order."""
    phrases: Mapping[str, str]
    """Words of the language -> English."""
    plain: Mapping[str, str]
    """The same for a Vietnamese text that is written without tone marks."""
    names: Mapping[str, str]
    """Nations and territories as written, with a capital -> English."""
    longest: Mapping[str, int]
    """First word of a phrase or name -> how many words the longest has that begins with it."""
    marked: re.Pattern[str] | None
    """The phrases that hold a point or, in a language without blanks, all."""
    units: re.Pattern[str] | None
    """Units that are read only behind a number."""
    particles: re.Pattern[str] | None
    """Small words that only join others, in a language without blanks."""
    months: Mapping[str, int]
    """Names of months -> 1 to 12."""
    month: str
    """A pattern for the name of a month."""
    full_month: re.Pattern[str] | None
    """The full names, which stand for a month without a day or a year too."""
    days: Mapping[str, int]
    """Days of a month in words -> 1 to 31."""
    asks: re.Pattern[str] | None
    """A word that asks for more than yes or no; None where qaviz does not know them."""
    numbers: Mapping[str, int]
    """Number words below a million -> their worth; -10 for one that makes tens of the digit before it."""
    number_joins: tuple[str, ...]
    """Words that only join number words: `y` in `treinta y dos`."""
    number_point: str
    """The word for the decimal mark."""
    number_half: str
    """A pattern for `and a half`, behind what is counted."""
    number_compounds: bool
    """Whether numbers are written as one word, ones before tens."""


class _File(TypedDict, total=False):
    """What the file of a language holds; words stand in one text, parted by blanks, `_` for a blank within one."""

    patterns: list[tuple[str, str]]
    cues: dict[str, list[str]]
    words: dict[str, str]
    units: dict[str, str]
    plain: dict[str, str]
    particles: dict[str, str]
    days: str
    asks: str
    numbers: dict[str, str]
    number_joins: str
    number_point: str
    number_half: str
    number_compounds: bool


@lru_cache(maxsize=32)
def language(code: str) -> Language:
    """The vocabulary of a language. Of one that qaviz does not read: numbers, dates, currencies and nations."""
    path = _FOLDER / f"{code}.toml"
    data = cast(_File, tomllib.loads(path.read_text(encoding="utf-8")) if code in READ else {})
    spaced = code not in WITHOUT_BLANKS
    phrases = {**_scales_of(code), **_currencies_of(code)} | _invert_table(data.get("words", {}))
    names = _nations_of(code)
    plain = {without_marks(phrase): english for phrase, english in phrases.items() if phrase not in _MARKS_TELL}
    phrases.pop("billion", None)  # as English writes it beside $, and a thousand times as much in German and French
    marked = [phrase for phrase in phrases if not spaced or "." in phrase]
    units = _invert_table(data.get("units", {}))
    months = _months_of(code)
    full = [name for name in months if len(name) > _SHORT_MONTH]
    return Language(
        code,
        comma_decimal=_comma_decimal(code),
        refusals=_either(_REFUSALS.get(code, [])),
        patterns=(*_cues(data.get("cues", {}), spaced=spaced), *_patterns(data.get("patterns", ()))),
        phrases=phrases | units,
        plain=plain | _invert_table(data.get("plain", {})) if code == "vi" else {},
        names=names,
        longest=_longest((*phrases, *plain, *(name.lower() for name in names))) if spaced else {},
        marked=_any_of([*marked, *(() if spaced else names)], spaced=spaced),
        units=_any_of(units, spaced=False),
        particles=_any_of(_invert_table(data.get("particles", {})), spaced=False),
        months=months,
        month="|".join(map(re.escape, sorted(months, key=len, reverse=True))),
        full_month=_any_of(full, spaced=True),
        days={word: place for place, word in enumerate(data.get("days", "").split(), start=1)},
        asks=_any_of([word.replace("_", " ") for word in data.get("asks", "").split()], spaced=spaced),
        numbers=_number_words(phrases, data.get("numbers", {})) if "numbers" in data else {},
        number_joins=tuple(data.get("number_joins", "").split()),
        number_point=data.get("number_point", ""),
        number_half=data.get("number_half", ""),
        number_compounds=data.get("number_compounds", False),
    )


def _patterns(written: Iterable[tuple[str, str]]) -> Iterator[tuple[re.Pattern[str], str]]:
    for pattern, english in written:
        yield re.compile(pattern.replace("^(\\W*)", _LEAD), re.IGNORECASE), english


def _cues(written: Mapping[str, list[str]], *, spaced: bool) -> Iterator[tuple[re.Pattern[str], str]]:
    """What says of a clause's value that it held before, was planned or believed, or holds now."""
    for kind, patterns in written.items():
        ends = [one if not spaced or one.endswith(_AHEAD) else rf"{one}(?!\w)" for one in patterns]
        either = "|".join(f"(?:{one})" for one in ends)
        yield re.compile(rf"(?<!\w)(?:{either})" if spaced else either, re.IGNORECASE), f" {CUES[kind]} "


def without_marks(text: str) -> str:
    """The text without accents and tone marks, `đ` as `d`."""
    plain = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def _invert_table(table: Mapping[str, str]) -> dict[str, str]:
    return {word.replace("_", " "): english for english, words in table.items() for word in words.split()}


def _number_words(phrases: Mapping[str, str], own: Mapping[str, str]) -> dict[str, int]:
    """Number words -> worth: those that have an English word, and those that a language spells besides."""
    known = {word: _WORTH[english] for word, english in phrases.items() if english in _WORTH and word.isalpha()}
    return known | {word: int(worth) for worth, words in own.items() for word in words.split()}


def _either(patterns: list[str]) -> re.Pattern[str] | None:
    """A pattern of any of these; `_` in one is a blank, or as many as five words between blanks."""
    patterns = [pattern.replace("_", _UP_TO_FIVE_WORDS) for pattern in patterns]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE) if patterns else None


def _any_of(words: Iterable[str], *, spaced: bool) -> re.Pattern[str] | None:
    written = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    if not written:
        return None
    return re.compile(rf"(?<!\w)(?:{written})(?!\w)" if spaced else f"(?:{written})", re.IGNORECASE)


def _longest(phrases: tuple[str, ...]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for phrase in phrases:
        first, *others = re.split("[ -]", phrase)
        longest[first] = max(longest.get(first, 0), len(others) + 1)
    return longest


# The tables below come from Unicode's CLDR, as babel ships it.


@lru_cache(maxsize=32)
def _locale(code: str) -> Locale | None:
    """The language's data; None where CLDR has none."""
    try:
        return Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return None


def english_name(code: str) -> str:
    """The name of a language in English."""
    locale = _locale(code)
    return (locale.english_name if locale else None) or code


def _comma_decimal(code: str) -> bool:
    locale = _locale(code)
    return locale is not None and locale.number_symbols["latn"].get("decimal") == ","


def _months_of(code: str) -> dict[str, int]:
    locale = _locale(code)
    if not locale or code in ("vi", *WITHOUT_BLANKS):
        return {}
    names: dict[str, int] = {}
    for context in ("format", "stand-alone"):
        for width in ("abbreviated", "wide"):
            for number, name in locale.months[context][width].items():
                plain = re.sub(r"^(?:de |d['’])", "", name.lower().rstrip("."))
                if not any(map(str.isdigit, plain)):
                    names[plain] = number
    return names | {without_marks(name): number for name, number in names.items()}


def _scales_of(code: str) -> dict[str, str]:
    locale = _locale(code)
    scales: dict[str, str] = {}
    if not locale or code in WITHOUT_BLANKS:
        return scales
    for width in ("short", "long"):
        for forms in locale.compact_decimal_formats.get(width, {}).values():
            for size, pattern in forms.items():
                written = re.fullmatch(r"0[\s\u00a0]([^\W\d_]{2,})'?\.?'?", pattern.pattern)
                if written and size in _SCALES:
                    scales[written[1].lower()] = _SCALES[size]
    return scales


def _currencies_of(code: str) -> dict[str, str]:
    locale = _locale(code)
    if not locale:
        return {}
    names = {}
    for currency in _CURRENCIES:
        plural = locale._data["currency_names_plural"].get(currency, {}).values()
        for name in (locale.currencies.get(currency, ""), *plural):
            if any(map(str.isalpha, name)):
                names[name.lower()] = currency
                if currency in ("USD", "EUR") and code not in READ:
                    names[name.lower().split()[0]] = currency
    return names


@lru_cache(maxsize=1)
def simplified_letters() -> dict[str, str]:
    """Traditional Chinese letters -> simplified ones, as OpenCC has them."""
    table = files("opencc").joinpath("dictionary/TSCharacters.txt").read_text(encoding="utf-8")
    pairs = (line.split("\t") for line in table.splitlines() if "\t" in line)
    return {traditional: simplified.split()[0] for traditional, simplified in pairs}


def _nations_of(code: str) -> dict[str, str]:
    locale, english = _locale(code), _locale("en")
    if not locale or not english:
        return {}
    return dict(_nations(locale.territories, english.territories, code))


def _nations(own: Mapping[str, str], english: Mapping[str, str], code: str) -> Iterator[tuple[str, str]]:
    shortest = 2 if code in WITHOUT_BLANKS or code == "vi" else 3
    for territory, name in own.items():
        if territory.isalpha() and len(territory) == 2 and len(name) >= shortest and territory in english:
            yield name.replace("\u00a0", " "), english[territory].replace("’", "'")
