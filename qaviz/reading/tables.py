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
from qaviz.reading.phrases import Events, Phrases, first_word

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


@dataclass(frozen=True, eq=False)
class Table:
    """What a language calls things. Each phrase is in small letters."""

    code: str
    data: Mapping[str, Any] = field(repr=False)
    plain: bool = False
    """Written without accents and tone marks."""

    @cached_property
    def spaced(self) -> bool:
        """Whether blanks stand between words."""
        return bool(self.data.get("spaced", True))

    @cached_property
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
    def compounds(self) -> bool:
        """Whether number words are written together: vierundzwanzig."""
        return bool(self.data.get("compounds", False))

    @cached_property
    def compound_ends(self) -> tuple[str, ...]:
        return tuple(word for word in (*self.numbers, *self.scales) if len(word) > 2) if self.compounds else ()

    @cached_property
    def _compound_parts(self) -> re.Pattern[str]:
        parts = (*self.numbers, *(word for word in self.scales if len(word) > 3), *self.joins("and"))
        return re.compile("|".join(sorted(map(re.escape, parts), key=len, reverse=True)))

    def read_compound(self, word: str) -> int | None:
        """What a number written as one word of several is worth; None where it is none."""
        place, total, group = 0, 0, 0
        while place < len(word):
            part = self._compound_parts.match(word, place)
            if not part:
                return None
            name, place = part.group(), part.end()
            if (worth := self.scales.get(name, 0)) >= 1000:
                total, group = total + (group or 1) * worth, 0
            elif worth:
                group = (group or 1) * worth
            else:
                group += self.numbers.get(name, 0)
        return total + group

    @cached_property
    def lone_scale(self) -> int:
        """Up to where a scale is a number without another: cento is 100, hundred is none."""
        return int(self.data.get("lone_scale", 1000))

    @cached_property
    def after_words(self) -> frozenset[str]:
        """The words behind a number that may belong to it."""
        phrases = (*self.scales, *self.units.meanings, *self.per.meanings, *self.bounds_after.meanings)
        halves = self.joins("half")
        return frozenset(first_word(phrase, self.spaced) for phrase in (*phrases, *halves, "of", "de", "d", "di"))

    @cached_property
    def number_words(self) -> frozenset[str]:
        """Words with which a number in words begins."""
        worth_alone = {word for word, worth in self.scales.items() if len(word) > 2 or not self.spaced}
        return frozenset((*self.numbers, *self.ordinals, *self.parts, *worth_alone))

    @cached_property
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
    def counters(self) -> tuple[str, ...]:
        """What stands behind a number of things, before `or more`, in languages that count so."""
        return self._list("counters", "words")

    @cached_property
    def other_units(self) -> Phrases:
        """What begins as a unit and is none: `ký tự` (characters)."""
        return self._phrases("other_units")

    @cached_property
    def date_bounds_after(self) -> Phrases:
        return self._phrases("date_bounds_after")

    @cached_property
    def per_before(self) -> Phrases:
        """Periods that stand before an amount."""
        return self._phrases("per_before")

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
    def exceptions(self) -> Phrases:
        """Words for except."""
        return Phrases(dict(self._words({"": self.data.get("exceptions", "")})), spaced=self.spaced)

    @cached_property
    def links(self) -> Mapping[str, str]:
        return self._invert("links")

    # Dates.

    @cached_property
    def months(self) -> Mapping[str, int]:
        names = _load("cldr")["months"].get(self.code, {})
        own = {word: int(month) for word, month in (*self._words(names), *self._words(self.data.get("months", {})))}
        if self.code == ENGLISH or not self.spaced:
            return own
        return {name: month for name, month in english().months.items() if name not in self.numbers} | own

    @cached_property
    def weekdays(self) -> Phrases:
        """Names of days of the week, Monday is 1."""
        names = _load("cldr")["weekdays"].get(self.code, {})
        both = (*self._words(names), *self._words(self.data.get("weekdays", {})))
        plural = str(self.data.get("weekday_plural", ""))
        named = {word: day for name, day in both for word in ((name, name + plural) if plural else (name,))}
        return Phrases(named, spaced=self.spaced)

    def date_words(self, key: str) -> tuple[str, ...]:
        """The words of `[dates]` and `[clock]`: quarter, century, before_christ, noon, am, ..."""
        return self._date_words.get(key, ())

    @cached_property
    def _date_words(self) -> Mapping[str, tuple[str, ...]]:
        return {key: self._list(name, key) for name in ("dates", "clock") for key in self.data.get(name, {})}

    @cached_property
    def behind_years(self) -> frozenset[str]:
        """Words behind a year, or before another, that make more of it."""
        eras = [word for key in ("before_christ", "after_christ", "oclock") for word in self.date_words(key)]
        ranges = ("to", "until", "till", "through", "bis", "à", "a", "al", "tot", "til", "đến")
        return frozenset(first_word(word, self.spaced) for word in (*eras, *ranges, *self.months, *self.links))

    @cached_property
    def clock_words(self) -> tuple[str, ...]:
        """Words behind the hour."""
        return tuple(word for key in ("am", "pm", "oclock") for word in self.date_words(key))

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

    @cached_property
    def months_are_capital(self) -> bool:
        return self.code in ("en", "de")

    @cached_property
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
    def answer_goes_on(self) -> tuple[str, ...]:
        """Words behind yes and no that answer without a mark: `yes it is`."""
        return tuple(f" {word} " for word in self.data.get("answer_goes_on", "").split())

    @cached_property
    def not_denials(self) -> Phrases:
        """Negations that deny nothing of the clause: no doubt, no extra charge."""
        return Phrases(dict(self._words({"": self.data.get("not_denials", "")})), spaced=self.spaced)

    @cached_property
    def common(self) -> frozenset[str]:
        """The commonest words, which begin sentences with a capital and are no names."""
        return frozenset(self.data.get("common", "").split())

    # Words.

    @cached_property
    def grammar(self) -> frozenset[str]:
        """Words of grammar, which carry no meaning of their own."""
        return self.common | frozenset(self.data.get("grammar", "").split())

    @cached_property
    def titles(self) -> frozenset[str]:
        return frozenset(self.data.get("titles", "").split())

    @cached_property
    def classes(self) -> frozenset[str]:
        """Titles, and words that name a class of things: they say little of which one is meant."""
        return self.titles | frozenset(self.data.get("classes", "").split())

    @cached_property
    def prefix_words(self) -> frozenset[str]:
        """Words that make another thing of what follows: deputy director, step daughter."""
        return frozenset(self.data.get("prefix_words", "").split())

    @cached_property
    def same(self) -> Mapping[str, str]:
        """Word -> the one it compares as: st and street, men and man."""
        return self._invert("same")

    @cached_property
    def irregular(self) -> Mapping[str, str]:
        """Form of an irregular verb -> the verb."""
        return self._invert("irregular")

    @cached_property
    def opposites(self) -> Mapping[str, frozenset[str]]:
        """Word -> the words that say its opposite or name the other side."""
        pairs = [tuple(pair.replace("_", " ").split(":")) for pair in self.data.get("opposites", "").split()]
        both = [*pairs, *((other, one) for one, other in pairs)]
        return {word: frozenset(other for one, other in both if one == word) for word, _ in both}

    # Sides.

    def _pattern(self, key: str) -> re.Pattern[str] | None:
        written = self.data.get(key, "")
        return re.compile(written) if written else None

    @cached_property
    def contrasts(self) -> re.Pattern[str] | None:
        """Words for but."""
        names = self.data.get("contrasts", "").replace("_", " ").split()
        either = "|".join(map(re.escape, names))
        return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])" if self.spaced else either) if names else None

    @cached_property
    def denies_behind(self) -> bool:
        """Whether the negation stands behind what it denies."""
        return bool(self.data.get("denies_behind", False))

    @cached_property
    def affixes(self) -> tuple[str, ...]:
        """Beginnings that make the opposite of a word: un-, in-."""
        return tuple(self.data.get("affixes", "").split())

    @cached_property
    def affix_pairs(self) -> tuple[tuple[str, str], ...]:
        """Beginnings that are opposite: hypo- and hyper-."""
        pairs = (pair.split(":") for pair in self.data.get("affix_pairs", "").split())
        return tuple((low, high) for low, high in pairs)

    @cached_property
    def polar(self) -> re.Pattern[str] | None:
        """How a question begins, or ends, that is answered by yes or no."""
        return self._pattern("polar")

    @cached_property
    def events(self) -> Events:
        """Verbs and phrases of who did what to whom: buy.by, buy.to (sell), ..."""
        meanings = {
            phrase: f"{event}.{side}"
            for event, sides in self.data.get("events", {}).items()
            for phrase, side in self._words(sides)
        }
        return Events(meanings, spaced=self.spaced)

    @cached_property
    def by_agents(self) -> tuple[str, ...]:
        return tuple(self.data.get("by_agents", "").split())

    @cached_property
    def auxiliaries(self) -> frozenset[str]:
        return frozenset(self.data.get("auxiliaries", "").split())

    @cached_property
    def passives(self) -> tuple[str, ...]:
        """Words behind which the agent stands, before the verb: bị, von."""
        return tuple(self.data.get("passives", "").replace("_", " ").split())

    @property
    def passives_go_first(self) -> bool:
        return bool(self.passives)

    @cached_property
    def question_words(self) -> frozenset[str]:
        return frozenset(self.data.get("question_words", "").split())

    @cached_property
    def common_written(self) -> frozenset[str]:
        """The commonest words, and others that tell the language: without accents, of questions and refusals."""
        return self.common | frozenset(self.data.get("telling", "").split())

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """Each word that may begin a token, with the letters of what it may begin.

        d: a date, c: a time of the day, f: a frequency, n: a number, p: yes, no or a negation.
        """
        roles: dict[str, str] = {}
        dated = [*self.date_words("quarter"), *self.date_words("half"), *self.dated_ordinals]
        dated += [word for key in ("century", "before_christ", "decades") for word in self.date_words(f"{key}_first")]
        dated += self.date_words("century") if self.spaced else ()
        dated += [] if self.spaced else self.numbers
        clock = [
            word for key in ("noon", "midnight", "am_first", "pm_first", "half_to") for word in self.date_words(key)
        ]
        for letter, phrases in (
            ("d", (*self.months, *self.weekdays.meanings, *self.decades, *dated)),
            ("c", clock),
            ("f", (*self.often, *self.repeats, *self.repeats_of, *self.every)),
            ("n", tuple(self.number_words)),
            ("p", tuple(self.polarity.meanings)),
        ):
            for phrase in phrases:
                word = first_word(phrase, self.spaced) if self.spaced else phrase
                if letter not in roles.get(word, ""):
                    roles[word] = roles.get(word, "") + letter
        return roles

    @cached_property
    def dated_ordinals(self) -> tuple[str, ...]:
        return tuple(word for word, place in self.ordinals.items() if place <= 31)

    @cached_property
    def no_names(self) -> frozenset[str]:
        """Words in capitals that are no names: FY, USD."""
        return frozenset((*self.date_words("year_words"), *self.currencies))

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
    """The commonest words of all languages -> the languages that have them; of some only refusals are read."""
    others = {code: frozenset(words.split()) for code, words in _load("others")["by_words"].items()}
    words: dict[str, tuple[str, ...]] = {}
    for code, commonest in ({code: table(code).common_written for code in languages()} | others).items():
        for word in commonest:
            words[word] = (*words.get(word, ()), code)
    return words


@cache
def also_called() -> Mapping[str, str]:
    """Names in small letters -> the word they compare as: what has several names without a common word."""
    groups = _load("names")
    return {name.replace("_", " "): short for short, names in groups.items() for name in names.split()}


@cache
def refusal_clauses() -> Mapping[str, str]:
    """What the clauses of a response do (refuses, not_told, ...) -> the verbose pattern that tells it."""
    refusals = _load("refusals")
    filled = {}
    for role, pattern in refusals["clauses"].items():
        for name, fragment in refusals["fragments"].items():
            pattern = pattern.replace(f"<{name}>", fragment)
        filled[role] = pattern.replace("_", "[ ]")
    return filled


@cache
def refusal_list(language: str) -> tuple[str, ...]:
    """The patterns with which a response declines in a language, besides English."""
    return tuple(pattern.replace("_", r" (?:\S+ ){0,5}?") for pattern in _load("refusals")["lists"].get(language, ()))


@cache
def grammar_of_all() -> frozenset[str]:
    """The words of grammar of all languages: for texts whose language does not matter."""
    return frozenset(word for code in languages() for word in table(code).grammar)


@cache
def months_of_all() -> frozenset[str]:
    """The full names of months in all languages."""
    return frozenset(word for code in languages() for word in table(code).months if len(word) > _LONGEST_SHORT_MONTH)


_LONGEST_SHORT_MONTH = 4


@cache
def negations_of_all() -> frozenset[str]:
    """The words that deny, in all languages that part words by blanks."""
    tables = [table(code) for code in languages() if table(code).spaced]
    return frozenset(
        word
        for own in tables
        for word, meaning in own.polarity.meanings.items()
        if " " not in word and (meaning == "negation" or (meaning == "no" and own.no_denies))
    )
