"""The tables of each language, from `tables/*.toml`: words with what they mean, ready to be looked up."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple

from qaviz.reading.level import without_marks

ENGLISH = "en"
SIGNS = "$€£¥₹₫₩₽￥"
"""Signs of currencies that stand before or after a number."""


class Unit(NamedTuple):
    """What one of a unit is worth in its dimension's own unit."""

    dimension: str
    worth: Decimal


@cache
def _load(name: str) -> Mapping[str, Any]:
    return tomllib.loads(files("qaviz.reading").joinpath("tables", f"{name}.toml").read_text(encoding="utf-8"))


@cache
def units() -> Mapping[str, Unit]:
    """Each unit of `units.toml`, and each currency of `cldr.toml`, of which one is worth one of itself."""
    table = _load("units")
    measures = {
        unit: Unit(dimension, Decimal(worth))
        for dimension, worths in table.items()
        if dimension not in ("several", "symbols")
        for unit, worth in worths.items()
    }
    return measures | {code: Unit("money", Decimal(1)) for code in _load("cldr")["codes"].split()}


@cache
def several() -> Mapping[str, tuple[str, ...]]:
    """Signs and words that stand for one of several units: `$`, kr, pound."""
    return {sign: tuple(all_units.split()) for sign, all_units in _load("units")["several"].items()}


class Phrases:
    """Words and phrases with what they mean, found where they begin or where they end."""

    def __init__(self, meanings: Mapping[str, str], *, spaced: bool) -> None:
        self.meanings = meanings
        self._spaced = spaced
        by_length = sorted(meanings, key=len, reverse=True)
        self._by_first: dict[str, list[str]] = {}
        self._by_last: dict[str, list[str]] = {}
        for phrase in by_length:
            self._by_first.setdefault(_first(phrase, spaced), []).append(phrase)
            self._by_last.setdefault(_last(phrase, spaced), []).append(phrase)

    def at(self, level: str, start: int) -> tuple[int, str] | None:
        """The longest phrase that begins at `start`: where it ends, and what it means."""
        word = _WORD.match(level, start) if self._spaced else None
        key = word.group() if word else level[start : start + 1]
        for phrase in self._by_first.get(key, ()):
            end = start + len(phrase)
            if level.startswith(phrase, start) and not (
                self._spaced and phrase[-1].isalnum() and level[end : end + 1].isalnum()
            ):
                return end, self.meanings[phrase]
        return None

    def before(self, head: str) -> tuple[int, str] | None:
        """The longest phrase with which `head` ends: where it begins, and what it means."""
        if not head:
            return None
        for phrase in self._by_last.get(_last(head, self._spaced), ()):
            start = len(head) - len(phrase)
            if head.endswith(phrase) and not (
                self._spaced and start and phrase[0].isalnum() and head[start - 1].isalnum()
            ):
                return start, self.meanings[phrase]
        return None


_WORD = re.compile(r"[^\W\d_]+|\S")


def _first(phrase: str, spaced: bool) -> str:
    word = _WORD.match(phrase) if spaced else None
    return word.group() if word else phrase[:1]


def _last(text: str, spaced: bool) -> str:
    if not spaced or not text[-1].isalnum():
        return text[-1:]
    start = len(text)
    while start and text[start - 1].isalpha():
        start -= 1
    return text[start:] or text[-1]


@dataclass(frozen=True, eq=False)
class Table:
    """What a language calls things. Each phrase is in small letters."""

    code: str
    data: Mapping[str, Any] = field(repr=False)
    plain: bool = False
    """Written without accents and tone marks."""

    @property
    def spaced(self) -> bool:
        """Whether blanks stand between words."""
        return bool(self.data.get("spaced", True))

    @property
    def comma_decimal(self) -> bool:
        return bool(self.data["decimal"] == ",")

    def _invert(self, name: str) -> dict[str, str]:
        """Phrase -> meaning of one table of the file."""
        return dict(self._words(self.data.get(name, {})))

    def _words(self, table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for meaning, words in table.items():
            for word in words.split():
                phrase = word.replace("_", " ")
                yield phrase, meaning
                if self.plain:
                    yield without_marks(phrase), meaning

    def _list(self, name: str, key: str) -> tuple[str, ...]:
        words = self.data.get(name, {}).get(key, "")
        return tuple(phrase for phrase, _ in self._words({key: words}))

    def _phrases(self, name: str) -> Phrases:
        return Phrases(self._invert(name), spaced=self.spaced)

    # Numbers.

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {word: int(worth) for word, worth in self._invert("numbers").items()}

    @cached_property
    def ordinals(self) -> Mapping[str, int]:
        return {word: int(worth) for word, worth in self._invert("ordinals").items()}

    @cached_property
    def scales(self) -> Mapping[str, int]:
        """Words behind a number that multiply it; some are letters."""
        own = {word: int(worth) for word, worth in self._invert("scales").items()}
        return own if self.code == ENGLISH or not self.spaced else {**english().scales, **own}

    @cached_property
    def parts(self) -> Mapping[str, int]:
        return {word: int(worth) for word, worth in self._invert("parts").items()}

    @cached_property
    def number_words(self) -> frozenset[str]:
        """Words with which a number in words begins."""
        worth_alone = {word for word, worth in self.scales.items() if len(word) > 2 or not self.spaced}
        return frozenset((*self.numbers, *self.ordinals, *self.parts, *worth_alone))

    @property
    def vigesimal(self) -> bool:
        """Whether four twenties are eighty, and sixty-ten seventy."""
        return bool(self.data.get("vigesimal", False))

    def joins(self, key: str) -> tuple[str, ...]:
        """Words that join number words: `and`, `point`, `one` (a million)."""
        return self._joins[key]

    @cached_property
    def _joins(self) -> Mapping[str, tuple[str, ...]]:
        return {key: self._list("joins", key) for key in ("and", "point", "one", "half")}

    # What stands around a number.

    @cached_property
    def units(self) -> Phrases:
        symbols = dict(self._words(_load("units")["symbols"]))
        own = self._invert("units")
        shared = {} if self.code == ENGLISH else english().units.meanings
        return Phrases({**shared, **symbols, **self.currencies, **own}, spaced=self.spaced)

    @cached_property
    def currencies(self) -> Mapping[str, str]:
        """Names and codes of currencies, from CLDR."""
        cldr = _load("cldr")
        codes = {code.lower(): code for code in cldr["codes"].split()}
        return {**codes, **dict(self._words(cldr["currencies"].get(self.code, {})))}

    @cached_property
    def bounds(self) -> Phrases:
        return self._phrases("bounds")

    @cached_property
    def bounds_after(self) -> Phrases:
        return self._phrases("bounds_after")

    @cached_property
    def date_bounds(self) -> Phrases:
        return self._phrases("date_bounds")

    @cached_property
    def per(self) -> Phrases:
        """`per year`, `a month`, `/day`: the period."""
        pers, everies = self._list("per", "words"), self._list("per", "every")
        joint = "" if not self.spaced else " "
        phrases: dict[str, str] = {}
        for period, words in self.data.get("per", {}).items():
            if period in ("words", "every"):
                continue
            for word, _ in self._words({period: words}):
                phrases |= {
                    f"{opening}{'' if opening == '/' else joint}{word}": period for opening in (*pers, *everies)
                }
        return Phrases({**phrases, **self._invert("often"), **self._invert("per_phrases")}, spaced=self.spaced)

    @cached_property
    def often(self) -> Mapping[str, str]:
        """Words that say how often by themselves: daily, monthly."""
        return {word: period for word, period in self._invert("often").items() if word.isalpha()}

    @cached_property
    def every(self) -> tuple[str, ...]:
        return self._list("per", "every")

    @cached_property
    def repeats(self) -> Mapping[str, int]:
        return {word: int(worth) for word, worth in self._invert("repeats").items()}

    @cached_property
    def repeats_of(self) -> Mapping[str, str]:
        return self._invert("repeats_of")

    @cached_property
    def labels(self) -> Phrases:
        """Words before a number that make a code of it: version 3.10, page 7."""
        own = dict.fromkeys(self._list("labels", "version"), "version")
        return Phrases({**{word: word for word in self._list("labels", "other")}, **own}, spaced=self.spaced)

    @cached_property
    def changes(self) -> Mapping[str, str]:
        return self._invert("change")

    @cached_property
    def links(self) -> Mapping[str, str]:
        return self._invert("links")

    # Dates.

    @cached_property
    def months(self) -> Mapping[str, int]:
        names = _load("cldr")["months"].get(self.code, {})
        own = {word: int(month) for word, month in (*self._words(names), *self._words(self.data.get("months", {})))}
        return own if self.code == ENGLISH or not self.spaced else {**english().months, **own}

    @cached_property
    def weekdays(self) -> Mapping[str, int]:
        names = _load("cldr")["weekdays"].get(self.code, {})
        both = (*self._words(names), *self._words(self.data.get("weekdays", {})))
        plural = str(self.data.get("weekday_plural", ""))
        return {word: int(day) for name, day in both for word in ((name, name + plural) if plural else (name,))}

    def date_words(self, key: str) -> tuple[str, ...]:
        """The words of `[dates]` and `[clock]`: quarter, century, before_christ, noon, am, ..."""
        return self._date_words.get(key, ())

    @cached_property
    def _date_words(self) -> Mapping[str, tuple[str, ...]]:
        return {key: self._list(name, key) for name in ("dates", "clock") for key in self.data.get(name, {})}

    @cached_property
    def of(self) -> tuple[str, ...]:
        """Words between the parts of a date."""
        return tuple(phrase for phrase, _ in self._words({"of": self.data.get("of", "")}))

    @cached_property
    def ordinal_marks(self) -> tuple[str, ...]:
        return tuple(self.data.get("ordinal_marks", "").split())

    @cached_property
    def articles(self) -> tuple[str, ...]:
        """Words between `before` and a date."""
        return tuple(word for word, _ in self._words({"": self.data.get("articles", "")}))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """Months' names that are verbs too, in small letters."""
        return frozenset(self.date_words("verbs"))

    @property
    def months_are_capital(self) -> bool:
        return self.code in ("en", "de")

    @property
    def no_denies(self) -> bool:
        """Whether the word for no also stands before a noun or verb that it denies."""
        return bool(self.data.get("no_denies", False))

    @cached_property
    def idle(self) -> frozenset[str]:
        """Number words that are something else where they stand alone."""
        return frozenset(phrase for phrase, _ in self._words({"": self.data.get("idle", "")}))

    @cached_property
    def decades(self) -> Mapping[str, int]:
        """The twenties -> 20."""
        return {name: int(year) for name, _, year in (pair.partition("=") for pair in self.date_words("decades"))}

    # Yes and no.

    @cached_property
    def polarity(self) -> Phrases:
        """Words that deny or affirm: negation, yes or no."""
        return self._phrases("polarity")

    @cached_property
    def common(self) -> frozenset[str]:
        """The commonest words, which begin sentences with a capital and are no names."""
        return frozenset(self.data.get("common", "").split())

    @cached_property
    def common_written(self) -> frozenset[str]:
        """The commonest words, with and without accents where people leave them out."""
        return self.common | frozenset(self.data.get("common_plain", "").split())

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """Each word that may begin a token, with the letters of what it may begin.

        d: a date, c: a time of the day, f: a frequency, n: a number, p: yes, no or a negation.
        """
        roles: dict[str, str] = {}
        quarters = (*self.date_words("quarter"), *self.date_words("half"))
        for letter, phrases in (
            ("d", (*self.months, *self.weekdays, *self.decades, *quarters, *self.dated_ordinals)),
            ("c", (*self.date_words("noon"), *self.date_words("midnight"))),
            ("f", (*self.often, *self.repeats, *self.repeats_of, *self.every)),
            ("n", tuple(self.number_words)),
            ("p", tuple(self.polarity.meanings)),
        ):
            for phrase in phrases:
                word = _first(phrase, self.spaced) if self.spaced else phrase
                if letter not in roles.get(word, ""):
                    roles[word] = roles.get(word, "") + letter
        return roles

    @cached_property
    def dated_ordinals(self) -> tuple[str, ...]:
        return tuple(word for word, place in self.ordinals.items() if place <= 31)

    @cached_property
    def triggers(self) -> frozenset[str]:
        """The words that may begin a token; a text without any of them, and without digits, holds names at most."""
        return frozenset(self.roles)


@cache
def table(code: str, plain: bool = False) -> Table:
    """The table of a language; English where there is none. `plain`: for texts without accents and tone marks."""
    return Table(code, _load(code), plain) if code in languages() else table(ENGLISH)


def english() -> Table:
    """The table that others borrow months, scales and units from."""
    return table(ENGLISH)


@cache
def languages() -> frozenset[str]:
    """The languages that have a table."""
    names: Iterable[str] = (path.name for path in files("qaviz.reading").joinpath("tables").iterdir())
    return frozenset(name.removesuffix(".toml") for name in names if len(name.removesuffix(".toml")) == 2)


@cache
def common_words() -> Mapping[str, tuple[str, ...]]:
    """The commonest words of all languages -> the languages that have them."""
    words: dict[str, tuple[str, ...]] = {}
    for code in sorted(languages()):
        for word in table(code).common_written:
            words[word] = (*words.get(word, ()), code)
    return words
