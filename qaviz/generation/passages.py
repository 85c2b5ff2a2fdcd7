"""Passages as checks read them, once each: the places where values stand, the names and words around them, and the
index that finds passages by the words of a question.
"""

import math
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.documents.chunks import list_sentences
from qaviz.reading import Date, Kind, Relation, Token, compare, detect_language, level_text, tokens
from qaviz.reading.tables import grammar_of_all, months_of_all, table

VALUES = frozenset((Kind.AMOUNT, Kind.FREQUENCY, Kind.ORDINAL, Kind.DATE, Kind.TIME))
"""Tokens that are compared by value; all else is compared by its letters."""

_K1, _B = 1.2, 0.75
"""Okapi BM25 with the parameters of Robertson and Zaragoza, The Probabilistic Relevance Framework (2009)."""

_TERM = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[^\W_]+(?:[.,][^\W_]+)*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
PHRASES: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text("utf-8"))


def words_of(name: str) -> frozenset[str]:
    """The words under this name in phrases.toml."""
    return frozenset(" ".join(PHRASES[name]).split())


def pattern_of(name: str) -> re.Pattern[str]:
    """The patterns under this name in phrases.toml, as one."""
    return re.compile("|".join(PHRASES[name]), re.IGNORECASE)


_STOP = grammar_of_all() | words_of("asking")
_ENDINGS = (("ied", "y"), ("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST = 4

_NAME = re.compile(r"(?<![\w$€£¥.,])[^\W\d_][^\W_]*(?:[&.’'-][^\W_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。]\s|\|\s?|\n|[\"“(]\s?)\W*$")
_POSSESSIVE = re.compile(r"(?:['’]s|['’])$")
_NOT_NAMES = frozenset((*months_of_all(), *table("en").weekdays.meanings)) | words_of("no_names")


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    if len(word) <= _SHORTEST or not word.isascii():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST - 1:
            return word[: -len(ending)] + instead
    return word[:-1] if word.endswith("e") else word


def list_terms(text: str) -> list[str]:
    """The words of a text in order, with numbers; of Chinese, Japanese and Korean each two neighbouring characters."""
    phrases: list[str] = []
    for term in _TERM.findall(text.lower()):
        if _WIDE.match(term):
            phrases += [term[at : at + 2] for at in range(len(term) - 1)] or [term]
        elif term not in _STOP:
            phrases.append(_stem(term))
    return phrases


@lru_cache(maxsize=32_768)
def terms(text: str) -> frozenset[str]:
    """The same as a set."""
    return frozenset(list_terms(text))


@lru_cache(maxsize=8_192)
def names(text: str, *, first_too: bool = False) -> tuple[str, ...]:
    """The capitalised words inside the sentences of a text, without months, weekdays and currencies. With `first_too`
    also those that begin a sentence and are a name by what follows: `Acme Corp`, `Acme's`."""
    named = []
    for match in _NAME.finditer(text):
        word = match.group()
        if not word[0].isupper() or _POSSESSIVE.sub("", word).lower() in _NOT_NAMES:
            continue
        if _SENTENCE_START.search(text, max(0, match.start() - 4), match.start()):
            following = text[match.end() : match.end() + 2]
            goes_on = _POSSESSIVE.search(word) or (following[:1] == " " and following[1:].isupper())
            if not (first_too and goes_on):
                continue
        named.append(_POSSESSIVE.sub("", word))
    return tuple(named)


@lru_cache(maxsize=8_192)
def split_words(text: str) -> frozenset[str]:
    """The words of a text in small letters, whole."""
    return frozenset(re.findall(r"[^\W_]+", level_text(text)))


def stands_exactly(wanted: str, level: str) -> bool:
    """Whether these letters stand in the text as whole words and numbers: `12%` does not stand in `112%` or `1.12%`."""
    at = level.find(wanted) if wanted else -1
    while at >= 0:
        if not _goes_on(level, at) and not _goes_on(level, at + len(wanted)):
            return True
        at = level.find(wanted, at + 1)
    return False


def _goes_on(text: str, place: int) -> bool:
    """Whether a word or a number goes on over a place in a text; Chinese words have no spaces between them."""
    before, behind = text[max(place - 1, 0) : place], text[place : place + 1]
    if before in (".", ","):
        return behind.isdigit() and text[max(place - 2, 0) : place - 1].isdigit()
    if before.isdigit() and behind in ("%", ".", ","):
        return behind == "%" or text[place + 1 : place + 2].isdigit()
    wide = any("\u2e80" <= letter <= "\u9fff" for letter in (before, behind))
    return before.isdigit() and behind.isdigit() if wide else before.isalnum() and behind.isalnum()


@lru_cache(maxsize=16_384)
def read_values(text: str) -> tuple[Token, ...]:
    """The amounts, frequencies, ordinals, dates and times of a text; of a range both ends."""
    read = tokens(text, detect_language(text))
    kept = [token for token in read if token.kind in VALUES and (token.kind is Kind.DATE or not token.weak)]
    ends = ((token.value,) if token.high is None else (token.value, token.high) for token in kept)
    return tuple(token._replace(value=end, high=None) for token, both in zip(kept, ends, strict=True) for end in both)


def states(value: Token, source: Token, around: Sequence[Token] = ()) -> bool:
    """Whether `source` says what `value` says, and no less: 134.4 billion is stated by 134,383 million, not by 134. A
    unit or a year that the source leaves out counts where the values `around` it have it."""
    relation, reason = compare(value, source)
    if relation is not Relation.SAME:
        return False
    if reason == "rounded":
        return value.step >= source.step
    if reason == "silent":
        return not value.unit or bool(source.unit) or any(token.unit == value.unit for token in around)
    if reason == "part":
        years = {token.value.year for token in around if isinstance(token.value, Date)}
        return isinstance(value.value, Date) and value.value.year in years
    return True


def is_stated(value: Token, sources: Sequence[Token]) -> bool:
    """Whether one of these values says it."""
    return any(states(value, source, sources) for source in sources)


def derive(result: Token, operands: Iterable[Token]) -> str | None:
    """How a value comes from two of the first eight others, of one unit, in words: their growth, difference, share or
    sum; None if not. `514 to 575 is a growth of 12%`: 11.87, which is 12 in the digits that are written."""
    amounts = [(number, value.unit) for value in operands if (number := read_number(value)) is not None]
    for (first, unit), (second, other_unit) in permutations(amounts[:8], 2):
        if unit != other_unit or result.kind is not Kind.AMOUNT:
            continue
        if result.unit == "%" and unit != "%" and first:
            if _rounds_to(result, abs(second - first) * 100 / abs(first)):
                return f"the change from {first} to {second}"
            if second <= first and _rounds_to(result, second * 100 / first):
                return f"the share of {second} in {first}"
        elif result.unit in ("", unit, *(("pp", "points") if unit == "%" else ())):
            if second > first and _rounds_to(result, second - first):
                return f"the difference of {first} and {second}"
            if _rounds_to(result, first + second):
                return f"the sum of {first} and {second}"
    return None


def read_number(value: Token) -> Fraction | None:
    """The number of an amount, without its sign; None of another value."""
    return Fraction(value.value) if isinstance(value.value, Decimal | Fraction) and value.kind is Kind.AMOUNT else None


def _rounds_to(result: Token, number: Fraction) -> bool:
    """Whether a computed number is the result, in the digits that are written."""
    own = read_number(result)
    return own is not None and abs(own - number) <= Fraction(result.step) / 2


_SEGMENT = re.compile(r"[,;,；] (?:and |und |và |while |whereas )?|(?<=[，；、])|\s+(?:while|whereas|während)\s+")
_SCALE = re.compile(r"\b(thousand|million|billion|trillion|lakh|crore|Tsd|Mio|Mrd|triệu|tỷ)s?\b\.?", re.IGNORECASE)
_SCALED = re.compile(r"(?:\bin|[($€£¥,])\s*(?:\w+ )?$", re.IGNORECASE)
_SIGN = re.compile(r"(?:US)?[$€£¥₫%]|\bpercent\b|\bper cent\b")
_UNIT = re.compile(r"(?:\bin |[(,] ?|\bof )([^\W\d_]{1,20})")
_YEAR = re.compile(r"(?<![\d.,$€£¥])(?:19|20)\d\d(?![\d.,]*\d|%)")
_CONDITION = re.compile(r"\s*(?:when|if|unless|once|before|after|for|wenn|falls|sobald|nếu|khi)\b", re.IGNORECASE)


@lru_cache(maxsize=16_384)
def qualify_cell(text: str, *named: str) -> str:
    """A cell with the scale and the unit that its header or the caption gives it: `74,430` is `$74,430 million`."""
    values = read_values(text)
    if len(values) != 1 or values[0].kind is not Kind.AMOUNT or values[0].unit:
        return text
    scale = unit = ""
    for words in named:
        match = next((match for match in _SCALE.finditer(words) if _SCALED.search(words[: match.start()])), None)
        scale = scale or (match[1].lower() if match else "")
        sign = _SIGN.search(words)
        spelled = [word for word in _UNIT.findall(words) if _is_unit(word)]
        unit = unit or (sign[0] if sign else spelled[0] if spelled else "")
    if unit in ("$", "€", "£", "¥", "US$"):
        return f"{unit}{text} {scale}".strip()
    return " ".join(filter(None, (text, scale, unit)))


@lru_cache(maxsize=4_096)
def _is_unit(word: str) -> bool:
    return any(token.unit for token in tokens(f"5 {word}", "en") if token.kind is Kind.AMOUNT)


@dataclass(frozen=True)
class Place:
    """A clause, or a cell of a table: where a value stands, and what it is the value of."""

    text: str
    whole: str
    """The sentence or row that it belongs to."""
    label: str | None = None
    """Of a cell: its row's label; None of a clause."""
    header: str = ""
    caption: str = ""

    @property
    def is_cell(self) -> bool:
        """Whether it is a cell of a table."""
        return self.label is not None

    @cached_property
    def level(self) -> str:
        return level_text(self.text)

    @cached_property
    def values(self) -> tuple[Token, ...]:
        """With the unit that header and caption give them."""
        return read_values(qualify_cell(self.text, self.header, self.caption) if self.is_cell else self.text)

    @cached_property
    def key(self) -> frozenset[str]:
        """The terms that say what its value is of."""
        return terms(f"{self.label} {self.header}") if self.is_cell else terms(self.text)

    @cached_property
    def periods(self) -> frozenset[int]:
        """The years that it is of: those of its header, else of its label; of a clause those of its sentence."""
        texts = (self.header, self.label or "", self.caption) if self.is_cell else (self.whole,)
        return next((years for text in texts if (years := read_years(text))), frozenset())


@lru_cache(maxsize=16_384)
def read_years(text: str) -> frozenset[int]:
    """The years of the dates of a text, and its numbers that can be years."""
    dates = (token.value for token in read_values(text) if isinstance(token.value, Date))
    years = (date.year for date in dates if date.year is not None)
    return frozenset((*years, *map(int, _YEAR.findall(text))))


def _read_places(text: str) -> Iterator[Place]:
    for start, end, is_row in list_sentences(text):
        whole = text[start:end]
        if not is_row:
            parts = [part for part in _SEGMENT.split(whole) if part and part.strip()]
            if len(parts) > 1 and _CONDITION.match(parts[0]):
                # A condition that stands first belongs to what it is the condition of.
                parts = [f"{parts[0]}, {parts[1]}", *parts[2:]]
            yield from (Place(part, whole) for part in (parts if len(parts) > 1 else [whole]))
            continue
        cells = [cell.rpartition(": ")[::2] for cell in whole.split(" | ")]
        caption = " ".join(content for header, content in cells if not header and content.startswith("("))
        label = cells[0][1]
        yield Place(label, whole, "", cells[0][0])
        for header, content in cells[1:]:
            if header or not content.startswith("("):
                yield Place(content, whole, label, header, caption)


@dataclass(frozen=True)
class Passage:
    """A chunk, the headings above it and the name of its document."""

    chunk: str
    document: str
    heading: str
    text: str

    @property
    def named(self) -> str:
        """Its text below the words of its document's name and the headings."""
        return f"{name_words(self.document)} {self.heading} {self.text}"

    @cached_property
    def level(self) -> str:
        return level_text(f"{self.heading}\n{self.text}")

    @cached_property
    def places(self) -> tuple[Place, ...]:
        return tuple(_read_places(self.text))

    @cached_property
    def values(self) -> tuple[Token, ...]:
        """Those of all places, of the headings and of the document's name."""
        around = read_values(f"{self.heading}\n{name_words(self.document)}")
        return (*around, *(value for place in self.places for value in place.values))

    @cached_property
    def rarity(self) -> dict[str, float]:
        """How much a term tells the places apart: 1 over the number of those that have it."""
        counted = Counter(term for place in self.places for term in place.key)
        return {term: 1 / number for term, number in counted.items()}


def name_words(document: str) -> str:
    """The words of a file's name: `travel-policy_2023.pdf` is `travel policy 2023`."""
    stem = re.sub(r"\.[A-Za-z]{2,5}$", "", document)
    return " ".join(re.findall(r"[^\W\d_]+|\d+", stem.replace("_", " ")))


class Corpus:
    """All chunks, each once, with the words and the title of each document, and found by the words of a question."""

    def __init__(self, chunks: pl.DataFrame) -> None:
        unique = chunks.unique("chunk", keep="first", maintain_order=True)
        self._passages = [Passage(*row) for row in unique.select("chunk", "document", "heading", "text").iter_rows()]
        self._places = {passage.chunk: place for place, passage in enumerate(self._passages)}
        words, self.titles = defaultdict[str, set[str]](set), dict[str, str]()
        for passage in self._passages:
            words[passage.document] |= split_words(passage.named)
            first = passage.text.partition("\n")[0]
            title = f"{passage.heading.partition(' > ')[0]} {first if len(first) <= 120 else ''}"
            self.titles.setdefault(passage.document, f"{name_words(passage.document)} {title}")
        self.words = {document: frozenset(words_of_document) for document, words_of_document in words.items()}

    def find(self, chunk: str) -> Passage | None:
        """The passage of this hash; None where it is not there."""
        return self._passages[self._places[chunk]] if chunk in self._places else None

    @cached_property
    def _weights(self) -> Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """By term: the places of the passages that have it, and what it weighs there."""
        counted = [Counter(list_terms(passage.named)) for passage in self._passages]
        lengths = np.array([sum(body.values()) for body in counted], dtype=np.float64)
        mean = float(lengths.mean()) if lengths.any() else 1.0
        norm = _K1 * (1 - _B + _B * lengths / mean)
        postings = defaultdict[str, list[tuple[int, int]]](list)
        for place, body in enumerate(counted):
            for term, number in body.items():
                postings[term].append((place, number))
        weights = {}
        for term, pairs in postings.items():
            where, often = np.array(pairs).T
            rarity = math.log(1 + (len(counted) - len(pairs) + 0.5) / (len(pairs) + 0.5))
            weights[term] = where, rarity * often * (_K1 + 1) / (often + norm[where])
        return weights

    def rank(self, question: str, most: int) -> list[tuple[Passage, float]]:
        """The best passages for a question and their scores by BM25, the best first; without those that share no
        term with it."""
        scores = np.zeros(len(self._passages))
        for term in self._weights.keys() & terms(question):
            where, weights = self._weights[term]
            scores[where] += weights
        best = np.argsort(-scores, kind="stable")[:most]
        return [(self._passages[place], float(scores[place])) for place in best if scores[place] > 0]
