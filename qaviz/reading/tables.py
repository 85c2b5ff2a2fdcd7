"""Tables of each language, from `tables/*.toml`: words and what they mean, ready to be looked up; a text's language."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from qaviz.reading.level import LETTERS, REMEMBERED, level_text, without_marks

ENGLISH = "en"
SIGNS = "$€£¥₹₫₩₽￥"
"""Signs of currencies that stand before or after a number."""
_WORD = re.compile(r"[^\W\d_]+|\S")
_LAST = re.compile(r"[^\W\d_]+|.")


class Unit(NamedTuple):
    """What one of a unit is worth in its dimension's own unit."""

    dimension: str
    worth: Decimal


@cache
def load(name: str) -> Mapping[str, Any]:
    """A file of `tables/`."""
    return tomllib.loads(files("qaviz.reading").joinpath("tables", f"{name}.toml").read_text(encoding="utf-8"))


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of `patterns.toml`."""
    return re.compile(load("patterns")[name].replace("\n", ""))


@cache
def units() -> Mapping[str, Unit]:
    """Each unit of `units.toml`, and each currency of `cldr.toml`, of which one is worth one of itself."""
    table = load("units")
    measures = {
        unit: Unit(dimension, Decimal(worth))
        for dimension, worths in table.items()
        if dimension not in ("several", "symbols")
        for unit, worth in worths.items()
    }
    return measures | {code: Unit("money", Decimal(1)) for code in load("cldr")["codes"].split()}


@cache
def several() -> Mapping[str, tuple[str, ...]]:
    """Signs and words that stand for one of several units: `$`, kr, pound."""
    return {sign: tuple(all_units.split()) for sign, all_units in load("units")["several"].items()}


def any_of(phrases: Iterable[str]) -> str:
    """The pattern of any of these phrases, the longest first."""
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


def find_any(phrases: Iterable[str], *, spaced: bool = True) -> re.Pattern[str]:
    """The pattern of any of these phrases between the edges of words where these are spaced."""
    return re.compile(rf"(?<![^\W_])(?:{any_of(phrases)})(?![^\W_])" if spaced else any_of(phrases))


class Phrases:
    """Words and phrases with what they mean, found where they begin or where they end."""

    def __init__(self, meanings: Mapping[str, str], *, spaced: bool) -> None:
        self.meanings = meanings
        self._spaced = spaced
        by_length = sorted(meanings, key=len, reverse=True)
        self._by_first: dict[str, list[str]] = {}
        self._by_last: dict[str, list[str]] = {}
        for phrase in by_length:
            self._by_first.setdefault(first_word(phrase, spaced), []).append(phrase)
            self._by_last.setdefault(_last_word(phrase, spaced), []).append(phrase)

    def at(self, level: str, start: int) -> tuple[int, str] | None:
        """The longest phrase that begins at `start`: where it ends, and what it means."""
        if not self.meanings:
            return None
        for phrase in self._by_first.get(first_word(level, self._spaced, start), ()):
            end = start + len(phrase)
            if level.startswith(phrase, start) and not (
                self._spaced and phrase[-1].isalnum() and level[end : end + 1].isalnum()
            ):
                return end, self.meanings[phrase]
        return None

    def before(self, head: str) -> tuple[int, str] | None:
        """The longest phrase with which `head` ends: where it begins, and what it means."""
        if not head or not self.meanings:
            return None
        for phrase in self._by_last.get(_last_word(head, self._spaced), ()):
            start = len(head) - len(phrase)
            if head.endswith(phrase) and not (
                self._spaced and start and phrase[0].isalnum() and head[start - 1].isalnum()
            ):
                return start, self.meanings[phrase]
        return None

    def find(self, level: str, begin: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Where each stands, and what it means: all at once, and quickly of a stretch that lacks their first words."""
        words = _WORD.findall(level, begin, end) if self._spaced else level[begin:end]
        if not self._by_first.keys().isdisjoint(words):
            for match in self._pattern.finditer(level, begin, end):
                yield match.start(), match.end(), self.meanings[match.group()]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return find_any(self.meanings, spaced=self._spaced)


def first_word(level: str, spaced: bool, start: int = 0) -> str:
    """The word, or the character where words are not spaced, with which the phrase at a place is found."""
    word = _WORD.match(level, start) if spaced else None
    return word.group() if word else level[start : start + 1]


def _last_word(text: str, spaced: bool) -> str:
    if not spaced or not text[-1].isalnum():
        return text[-1:]
    word = text[text.rfind(" ") + 1 :]
    return word if word.isalpha() else _LAST.findall(word)[-1]


def _flag(key: str, default: int = 0) -> "cached_property[int]":
    """A number or yes and no of the file."""
    return cached_property(lambda table: int(table.data.get(key, default)))


def _in_order(key: str, within: str = "") -> "cached_property[tuple[str, ...]]":
    """A list of phrases of the file, or `within` a table of it, in its order."""
    return cached_property(lambda table: table.phrases_of(key, within))


def _words(*keys: str) -> "cached_property[frozenset[str]]":
    """The words of one or several lists of the file."""
    return cached_property(lambda table: frozenset(word for key in keys for word in table.phrases_of(key)))


def _meanings(key: str) -> "cached_property[dict[str, str]]":
    """Phrase -> meaning, of a table of the file."""
    return cached_property(lambda table: table.meanings_of(key))


def _worths(key: str) -> "cached_property[dict[str, int]]":
    """Phrase -> number."""
    return cached_property(lambda table: {word: int(worth) for word, worth in table.meanings_of(key).items()})


def _phrases(key: str) -> "cached_property[Phrases]":
    """Phrases of a table, or of a list, of the file."""
    return cached_property(lambda table: Phrases(table.meanings_of(key), spaced=table.spaced))


class Table:
    """What a language calls things. Each phrase is in small letters; `plain`: without accents and tone marks."""

    def __init__(self, code: str, data: Mapping[str, Any], *, plain: bool = False) -> None:
        self.code, self.data, self._plain = code, data, plain
        self.spaced = bool(data.get("spaced", True))
        """Whether blanks stand between words."""
        self.comma_decimal = data["decimal"] == ","

    def pairs(self, table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Each phrase of a table with what it means."""
        for meaning, words in table.items():
            for word in words.split():
                phrase = word.replace("_", " ")
                yield phrase, meaning
                if self._plain:
                    yield without_marks(phrase), meaning

    def meanings_of(self, key: str) -> dict[str, str]:
        """Phrase -> meaning, of a table of the file; of a list, the phrases mean nothing."""
        named = self.data.get(key, {})
        return dict(self.pairs(named if isinstance(named, Mapping) else {"": named}))

    def phrases_of(self, key: str, within: str = "") -> tuple[str, ...]:
        """The phrases of a list of the file, or of one `within` a table of it."""
        table = self.data.get(within, {}) if within else self.data
        return tuple(phrase for phrase, _ in self.pairs({key: table.get(key, "")}))

    # Numbers.

    numbers, ordinals, parts = _worths("numbers"), _worths("ordinals"), _worths("parts")
    compounds = _flag("compounds")
    """Whether number words are written together: vierundzwanzig."""
    vigesimal = _flag("vigesimal")
    """Whether four twenties are eighty, and sixty-ten seventy."""
    lone_scale = _flag("lone_scale", 1000)
    """Up to where a scale is a number without another: cento is 100, hundred is none."""
    halves = _meanings("halves")
    """Numbers with a half in one word: zweieinhalb."""
    idle = _words("idle")
    """Number words that are something else where they stand alone."""

    @cached_property
    def scales(self) -> Mapping[str, int]:
        """Words behind a number that multiply it; some are letters."""
        own = {word: int(worth) for word, worth in self.meanings_of("scales").items()}
        return own if self.code == ENGLISH or not self.spaced else {**table(ENGLISH).scales, **own}

    @cached_property
    def compound_ends(self) -> tuple[str, ...]:
        return tuple(word for word in (*self.numbers, *self.scales) if len(word) > 2) if self.compounds else ()

    @cached_property
    def _compound_parts(self) -> re.Pattern[str]:
        return re.compile(any_of((*self.numbers, *(word for word in self.scales if len(word) > 3), *self.joins["and"])))

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
    def joins(self) -> Mapping[str, tuple[str, ...]]:
        """Words that join number words: `and`, `point`, `one` (a million)."""
        return {key: self.phrases_of(key, "joins") for key in ("and", "point", "one", "half")}

    # What stands around a number.

    bounds, bounds_after, per_before = _phrases("bounds"), _phrases("bounds_after"), _phrases("per_before")
    date_bounds, date_bounds_after = _phrases("date_bounds"), _phrases("date_bounds_after")
    repeats, changes, links = _worths("repeats"), _meanings("change"), _meanings("links")
    exceptions = _phrases("exceptions")
    percent_before = _in_order("percent_before")
    other_units = _phrases("other_units")
    """What begins as a unit and is none: `ký tự` (characters)."""

    counters = _in_order("words", "counters")
    """What stands behind a number of things, before `or more`, in languages that count so."""

    @cached_property
    def units(self) -> Phrases:
        symbols = dict(self.pairs(load("units")["symbols"]))
        shared = {} if self.code == ENGLISH else table(ENGLISH).units.meanings
        return Phrases({**shared, **symbols, **self.currencies, **self.meanings_of("units")}, spaced=self.spaced)

    @cached_property
    def currencies(self) -> Mapping[str, str]:
        """Names and codes of currencies, from CLDR."""
        cldr = load("cldr")
        codes = {code.lower(): code for code in cldr["codes"].split()}
        return {**codes, **dict(self.pairs(cldr["currencies"].get(self.code, {})))}

    @cached_property
    def per(self) -> Phrases:
        """`per year`, `a month`, `/day`: the period."""
        openings = (*self.phrases_of("words", "per"), *self.every)
        phrases = {
            f"{opening}{' ' if self.spaced and opening != '/' else ''}{word}": period
            for word, period in self.pairs(self.data.get("per", {}))
            if period not in ("words", "every")
            for opening in openings
        }
        others = self.meanings_of("often") | self.meanings_of("per_phrases")
        return Phrases(phrases | others, spaced=self.spaced)

    @cached_property
    def often(self) -> Mapping[str, str]:
        """Words that say how often by themselves: daily, monthly."""
        return {word: period for word, period in self.meanings_of("often").items() if word.isalpha()}

    every = _in_order("every", "per")

    @cached_property
    def labels(self) -> Phrases:
        """Words before a number that make a code of it: version 3.10, page 7."""
        versions = dict.fromkeys(self.phrases_of("version", "labels"), "version")
        return Phrases({word: word for word in self.phrases_of("other", "labels")} | versions, spaced=self.spaced)

    # Dates.

    at_time = _in_order("at_time")
    """Words before a time of the day."""
    of, articles, ordinal_marks = _in_order("of"), _in_order("articles"), _in_order("ordinal_marks")
    """Words between the parts of a date, and between `before` and a date; what makes an ordinal of digits."""

    @cached_property
    def months(self) -> Mapping[str, int]:
        names = load("cldr")["months"].get(self.code, {})
        own = {word: int(month) for word, month in (*self.pairs(names), *self.pairs(self.data.get("months", {})))}
        if self.code == ENGLISH or not self.spaced:
            return own
        return {name: month for name, month in table(ENGLISH).months.items() if name not in self.numbers} | own

    @cached_property
    def weekdays(self) -> Phrases:
        """Names of days of the week, Monday is 1."""
        names = load("cldr")["weekdays"].get(self.code, {})
        both = (*self.pairs(names), *self.pairs(self.data.get("weekdays", {})))
        plural = str(self.data.get("weekday_plural", ""))
        named = {word: day for name, day in both for word in ((name, name + plural) if plural else (name,))}
        return Phrases(named, spaced=self.spaced)

    def date_words(self, key: str) -> tuple[str, ...]:
        """The words of `[dates]` and `[clock]`: quarter, century, before_christ, noon, am, ..."""
        return self._date_words.get(key, ())

    def _all_date_words(self, *keys: str) -> tuple[str, ...]:
        return tuple(word for key in keys for word in self.date_words(key))

    @cached_property
    def _date_words(self) -> Mapping[str, tuple[str, ...]]:
        return {key: self.phrases_of(key, name) for name in ("dates", "clock") for key in self.data.get(name, {})}

    @cached_property
    def clock_words(self) -> tuple[str, ...]:
        """Words behind the hour."""
        return self._all_date_words("am", "pm", "oclock")

    @cached_property
    def decades(self) -> Mapping[str, int]:
        """The twenties -> 20."""
        return {name: int(year) for name, _, year in (pair.partition("=") for pair in self.date_words("decades"))}

    # Yes and no.

    polarity, not_denials = _phrases("polarity"), _phrases("not_denials")
    """Words that deny or affirm; negations that deny nothing of the clause: no doubt, no extra charge."""
    no_denies = _flag("no_denies")
    """Whether the word for no also stands before a noun or verb that it denies."""
    denies_behind = _flag("denies_behind")
    """Whether the negation stands behind what it denies."""

    @cached_property
    def answer_goes_on(self) -> tuple[str, ...]:
        """Words behind yes and no that answer without a mark: `yes it is`."""
        return tuple(f" {word} " for word in self.data.get("answer_goes_on", "").split())

    # Words.

    titles, classes = _words("titles"), _words("titles", "classes")
    """Titles; with words that name a class of things, which say little of which one is meant either."""
    grammar = _words("common", "grammar")
    """Words of grammar, which carry no meaning of their own."""
    telling = _words("common", "telling")
    """The commonest words, and others that tell the language: without accents, of questions and refusals."""
    same, irregular = _meanings("same"), _meanings("irregular")
    """Word -> the one it compares as; form of an irregular verb -> the verb."""

    @cached_property
    def opposites(self) -> Mapping[str, frozenset[str]]:
        """Word -> the words that say its opposite or name the other side."""
        pairs = [tuple(pair.replace("_", " ").split(":")) for pair in self.data.get("opposites", "").split()]
        both = [*pairs, *((second, first) for first, second in pairs)]
        return {word: frozenset(second for first, second in both if first == word) for word, _ in both}

    # Sides.

    affixes, by_agents, passives = _in_order("affixes"), _in_order("by_agents"), _in_order("passives")
    """Beginnings that make the opposite of a word; words before the agent, behind the verb and before it."""

    question_words = _words("question_words")
    asks_object = _words("asks_object")
    """Words beside a question word that make it the object: whom did she defeat."""

    @cached_property
    def contrasts(self) -> re.Pattern[str] | None:
        """Words for but."""
        names = self.data.get("contrasts", "").replace("_", " ").split()
        return find_any(names, spaced=self.spaced) if names else None

    @cached_property
    def affix_pairs(self) -> tuple[tuple[str, str], ...]:
        """Beginnings that are opposite: hypo- and hyper-."""
        pairs = (pair.split(":") for pair in self.data.get("affix_pairs", "").split())
        return tuple((low, high) for low, high in pairs)

    @cached_property
    def polar(self) -> re.Pattern[str] | None:
        """How a question begins, or ends, that is answered by yes or no."""
        return re.compile(self.data["polar"]) if "polar" in self.data else None

    @cached_property
    def events(self) -> Phrases:
        """Verbs and phrases of who did what to whom: buy.by, buy.to (sell), ..."""
        events = self.data.get("events", {}).items()
        meanings = {phrase: f"{event}.{side}" for event, sides in events for phrase, side in self.pairs(sides)}
        return Phrases(meanings, spaced=self.spaced)

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """Each word that may begin a token, with the letters of what it may begin.

        d: a date, c: a time of the day, f: a frequency, n: a number, p: yes, no or a negation. A text without any of
        them, and without digits, holds names at most.
        """
        roles: dict[str, str] = {}
        worth_alone = {word for word in self.scales if len(word) > 2 or not self.spaced}
        dated = [
            *self._all_date_words("quarter", "half", "century_first", "before_christ_first", "decades_first"),
            *(word for word, place in self.ordinals.items() if place <= 31),
            *(self.date_words("century") if self.spaced else (*self.numbers, "十")),
        ]
        for letter, phrases in (
            ("d", (*self.months, *self.weekdays.meanings, *self.decades, *dated)),
            ("c", self._all_date_words("noon", "midnight", "am_first", "pm_first", "half_to")),
            ("f", (*self.often, *self.repeats, *self.every)),
            ("n", (*self.numbers, *self.ordinals, *self.parts, *self.halves, *worth_alone)),
            ("p", tuple(self.polarity.meanings)),
        ):
            for phrase in phrases:
                word = first_word(phrase, self.spaced) if self.spaced else phrase
                if letter not in roles.get(word, ""):
                    roles[word] = roles.get(word, "") + letter
        return roles


@cache
def table(code: str, plain: bool = False) -> Table:
    """The table of a language; English where there is none. `plain`: for texts without accents and tone marks."""
    return Table(code, load(code), plain=plain) if code in languages() else table(ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that have a table, in order: where two fit a text as well, the same one is first."""
    names: Iterable[str] = (path.name for path in files("qaviz.reading").joinpath("tables").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if len(name.removesuffix(".toml")) == 2))


@cache
def common_words() -> Mapping[str, tuple[str, ...]]:
    """The commonest words of all languages -> the languages that have them; of some only refusals are read."""
    others = {code: frozenset(words.split()) for code, words in load("others")["by_words"].items()}
    words: dict[str, tuple[str, ...]] = {}
    for code, commonest in ({code: table(code).telling for code in languages()} | others).items():
        for word in commonest:
            words[word] = (*words.get(word, ()), code)
    return words


@cache
def also_called() -> Mapping[str, str]:
    """Names in small letters -> the word they compare as: what has several names without a common word."""
    groups = load("names")
    return {name.replace("_", " "): short for short, names in groups.items() for name in names.split()}


@cache
def grammar_of_all() -> frozenset[str]:
    """The words of grammar of all languages: for texts whose language does not matter."""
    return frozenset(word for code in languages() for word in table(code).grammar)


@cache
def months_of_all() -> frozenset[str]:
    """The full names of months in all languages."""
    return frozenset(word for code in languages() for word in table(code).months if len(word) > 4)


# Which language a text is in: told from its letters and its commonest words.

_OTHERS = load("others")
_SCRIPTS = {code: re.compile(letters) for code, letters in _OTHERS["scripts"].items()}
_UKRAINIAN = re.compile("[іїєґ]")
_KANA, _IDEOGRAPHS = re.compile("[\u3040-\u30ff]"), re.compile("[\u3400-\u9fff]")
_HINTS = {code: (re.compile(letters), weight) for code, (letters, weight) in _OTHERS["letters"].items()}


def detect_language(text: str, default: str = ENGLISH) -> str:
    """Return the code of the language of a text; `default` where its words tell none, as of a name or a number.

    A short fact is best read in the language of its question: `detect_language(fact, detect_language(question))`.
    """
    likeliest = _list_likeliest(text)
    return default if not likeliest or default in likeliest else likeliest[0]


@lru_cache(maxsize=REMEMBERED)
def _list_likeliest(text: str) -> tuple[str, ...]:
    """The languages of which a text has most words and letters, then those with one less; none where too few tell."""
    level = level_text(text[:2_000])  # characters that tell the language
    if not level.isascii() and (languages := _by_script(level)):
        return languages
    written = LETTERS.findall(level)
    counts: dict[str, float] = {}
    for word in written:
        for language in common_words().get(word, ()):
            counts[language] = counts.get(language, 0.0) + 1
    if not level.isascii():
        for language, (letters, weight) in _HINTS.items():
            if times := len(letters.findall(level)):
                counts[language] = counts.get(language, 0.0) + weight * min(times, 4)
    most = max(counts.values(), default=0.0)
    # One common word tells the language of a text of two, not of a longer one. `am` of 8 am is no German: beside a
    # number one word may be a time or a unit.
    is_number = len(written) == 1 and any(map(str.isdigit, level))
    if most <= 1 and (is_number or most < 0.34 * len(level.split())):
        return ()
    # In the order of their first words: of two that fit as well, the one whose word stands first.
    likeliest = [language for language, count in counts.items() if count == most]
    near = (language for language, count in counts.items() if most > count >= max(most - 1, 1))
    return (*likeliest, *near)


def _by_script(level: str) -> tuple[str, ...]:
    """The languages that its letters tell; none where several have them."""
    if _KANA.search(level):
        return ("ja",)
    if len(_IDEOGRAPHS.findall(level)) * 4 > len(level.replace(" ", "")):
        return ("zh", "ja")
    for language, letters in _SCRIPTS.items():
        if len(letters.findall(level)) * 3 > len(level):
            return ("uk" if language == "ru" and _UKRAINIAN.search(level) else language,)
    return ()
