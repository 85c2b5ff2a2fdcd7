"""Chunks as the gate reads them, once each for all triplets made from them: their words, figures and dates, and whether
another text states these: exactly, in other units, or as their result.

A figure is stated where qaviz reads the same amount there, rounded at most to the digits that are written:
12.5 billion states 12,455 million; 12.455 billion does not state 12.5 billion, for its digits come from nowhere.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import permutations
from typing import NamedTuple

from qaviz.documents.chunks import ChunkRow, list_sentences
from qaviz.reading import Date, Kind, Token, detect_language, level_text, tokens
from qaviz.reading.tables import grammar_of_all, units

COARSE = Decimal("0.05")
"""Share of a value to which a figure may be rounded."""
_MOST_FIGURES = 400
_ROUNDING_OF_FLOATS = 1.001
_OPERANDS = 8
"""Figures of a sentence that a result may come from."""
_PERCENT = "%"


class Figure(NamedTuple):
    """An amount of a text."""

    start: int
    end: int
    value: Decimal
    half: Decimal
    """Half of its last digit as written."""
    unit: str
    """Its dimension, or its currency; empty where none is written."""
    factor: Decimal
    """What its unit is worth in the dimension's own."""


class Day(NamedTuple):
    """A date of a text: a part that is not written is None."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None
    until: int | None
    swapped: bool
    bare: bool
    """Only a number of four digits."""

    @property
    def parts(self) -> tuple[int | None, ...]:
        """Everything but where it stands."""
        return self.year, self.until, self.month, self.day


@dataclass(frozen=True)
class Figures:
    """The figures and dates of a text."""

    amounts: tuple[Figure, ...]
    """Without those that have another reading than an amount (`one` of them)."""
    dates: tuple[Day, ...]


@lru_cache(maxsize=16_384)
def find_figures(text: str) -> Figures:
    """Return the figures and dates of a text."""
    values = tokens(text, detect_language(text))
    amounts = [token for token in values if token.kind is Kind.AMOUNT and not token.weak]
    days = [_read_day(token, token.value) for token in values if isinstance(token.value, Date)]
    figures = [figure for token in amounts for figure in _read_figures(token)]
    return Figures(tuple(figures[:_MOST_FIGURES]), tuple(days[:_MOST_FIGURES]))


def _read_figures(token: Token) -> Iterator[Figure]:
    """The figure of a token; two of a range."""
    measure = units().get(token.unit)
    unit, factor = token.unit, Decimal(1)
    if measure and measure.dimension != "money":
        unit, factor = measure.dimension, measure.worth
    if unit in ("share", "points"):
        unit = _PERCENT
    for value in (token.value, token.high):
        if isinstance(value, Decimal):
            yield Figure(token.start, token.end, value, token.step / 2, _DOLLARS.get(unit, unit), factor)


_DOLLARS = {"$": "USD", "¥": "JPY"}
"""The currencies that a sign of several most often stands for."""


def _read_day(token: Token, date: Date) -> Day:
    month = date.month if date.quarter is None else None
    return Day(token.start, token.end, date.year, month, date.day, date.until, date.swapped, token.weak)


def states_amount(quantity: Figure, source: Figure) -> bool:
    """Whether `source` says what `quantity` does, at the precision in which it is written."""
    if quantity.unit and source.unit and quantity.unit != source.unit:
        return False
    if _PERCENT in (quantity.unit, source.unit) and quantity.unit != source.unit:
        return False
    same_unit = quantity.unit == source.unit
    value, half = _measure_amount(quantity, by_unit=same_unit)
    other, other_half = _measure_amount(source, by_unit=same_unit)
    if value == other:
        return True
    return half >= other_half and abs(value - other) <= half <= max(COARSE * other, Decimal(0))


def _measure_amount(amount: Figure, *, by_unit: bool) -> tuple[Decimal, Decimal]:
    """The value and half of its last digit, in the dimension's own unit where both have one."""
    return (amount.value * amount.factor, amount.half * amount.factor) if by_unit else (amount.value, amount.half)


def states_date(date: Day, source: Day) -> bool:
    """Whether every part of `date` stands in `source`: 2023 in 3 May 2023, and not the other way round."""
    if date.until or source.until:
        first, start = date.year, source.year
        if first is None or start is None:
            return False
        return start <= first and (date.until or first) <= (source.until or start)
    readings = [source, source._replace(month=source.day, day=source.month)] if source.swapped else [source]
    return any(_parts_stand(date, reading) for reading in readings) or (
        date.swapped
        and any(_parts_stand(date._replace(month=date.day, day=date.month), reading) for reading in readings)
    )


def _parts_stand(date: Day, source: Day) -> bool:
    pairs = ((date.year, source.year), (date.month, source.month), (date.day, source.day))
    return all(part is None or part == other for part, other in pairs)


@dataclass(frozen=True)
class Stated:
    """The figures of a passage, so that it is quick to ask whether one is among them."""

    figures: Figures
    by_unit: dict[str, list[tuple[float, float, Figure]]]
    """By unit (empty where there is none): the value as written, in the dimension's own unit, and the quantity."""

    @classmethod
    def of(cls, figures: Figures) -> "Stated":
        """Return the figures in the form in which they are looked for."""
        of_unit: dict[str, list[tuple[float, float, Figure]]] = {}
        for amount in figures.amounts:
            value = float(amount.value)
            of_unit.setdefault(amount.unit, []).append((value, value * float(amount.factor), amount))
        return cls(figures, of_unit)

    def amount(self, quantity: Figure) -> Figure | None:
        """The figure that says the same; None where there is none."""
        units = [unit for unit in (quantity.unit, "") if unit in self.by_unit] if quantity.unit else [*self.by_unit]
        if not units:  # most sentences: no number is converted for them
            return None
        value, half = float(quantity.value), float(quantity.half) * _ROUNDING_OF_FLOATS
        factor = float(quantity.factor)
        for unit in units:
            same = unit == quantity.unit
            near, reach = (value * factor, half * factor) if same else (value, half)
            for plain, measured, source in self.by_unit[unit]:
                close = abs((measured if same else plain) - near) <= reach + _ROUNDING_OF_FLOATS * 1e-9
                if close and states_amount(quantity, source):
                    return source
        return None

    def date(self, date: Day) -> bool:
        """Whether a date here has all parts of this one."""
        if any(states_date(date, source) for source in self.figures.dates):
            return True
        # A number of four digits without separators reads as a year.
        return date.bare and any(value == date.year for value, _, _ in self.by_unit.get("", ()))


def derive(quantity: Figure, operands: Sequence[Figure]) -> str | None:
    """How a figure comes from two others of one unit, in words: their growth, difference, share or sum; None if not.

    `514 to 575 is a growth of 12%`: 11.87, which is 12 in the digits that are written.
    """
    amounts = [operand for operand in operands if operand is not quantity][:_OPERANDS]
    for first, last in permutations(amounts, 2):
        if first.unit != last.unit or first.unit == _PERCENT != quantity.unit:
            continue
        one, two = first.value * first.factor, last.value * last.factor
        if quantity.unit == _PERCENT and one and first.unit != _PERCENT:
            if _is(quantity, abs(two - one) * 100 / abs(one)):
                return f"the change from {one:f} to {two:f}"
            if two <= one and _is(quantity, two * 100 / one):
                return f"the share of {two:f} in {one:f}"
        elif quantity.unit == first.unit:
            if two > one and _is(quantity, two - one):
                return f"the difference of {one:f} and {two:f}"
            if _is(quantity, one + two):
                return f"the sum of {one:f} and {two:f}"
    return None


def _is(quantity: Figure, value: Decimal) -> bool:
    return abs(quantity.value * quantity.factor - value) <= quantity.half * quantity.factor


_SEGMENT = re.compile(r"[,;，；] (?:and |und |và |while |whereas )?|(?<=[，；、])|\s+(?:while|whereas|während)\s+")
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,60}\b(?:instruction|prompt|rule|above|previous"
    r"|prior|earlier|everything)"
    r"|\b(?:output|return|print|emit|write|add)\b[^.\n]{0,40}\b(?:this|the following)\b[^.\n]{0,30}"
    r"\b(?:triplet|json|object|question|record)"
    r"|\byou are (?:now )?(?:an?|the) (?:ai|assistant|language model|chatbot)\b|\b(?:system"
    r"|developer) (?:prompt|message)\b"
    r"|\bas an ai\b|[\"“]question[\"”]\s*:"
    r"|\bignoriere\b[^.\n]{0,60}\b(?:anweisung|obig|vorherig)|\bbỏ qua\b[^.\n]{0,40}\b(?:hướng dẫn"
    r"|chỉ dẫn|lệnh)"
    r"|忽略[^。\n]{0,20}(?:指示|指令|说明)|تجاهل[^.\n]{0,30}(?:التعليمات|الأوامر)",
    re.IGNORECASE,
)

_TERM = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[^\W_]+(?:[.,][^\W_]+)*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_ASKING = (
    "much many what which who whom whose when where why how did does please "
    "der die das den dem des und ist war wie was wer welche welcher von im in am ein eine einen mit für wurde hat viel "
    "viele zu zum zur là của bao nhiêu gì nào và các những được có cho đã ở tại ai في من على إلى ما هو هي كم متى أين عن"
)
_STOP = grammar_of_all() | frozenset(_ASKING.split())
_ENDINGS = (("ied", "y"), ("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST = 4


@dataclass(frozen=True)
class Sentence:
    """A sentence or table row of a chunk."""

    text: str
    level: str
    is_row: bool

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(terms(self.text))

    @cached_property
    def stated(self) -> Stated:
        return Stated.of(find_figures(self.text))

    @cached_property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """The names and contents of a row's cells; none of a sentence."""
        parts = (cell.partition(": ") for cell in self.text.split(" | ")) if self.is_row else ()
        return tuple((name, text) for name, mark, text in parts if mark)

    @cached_property
    def parts(self) -> tuple["Sentence", ...]:
        """Its clauses; a row is one."""
        texts = [] if self.is_row else [part for part in _SEGMENT.split(self.text) if part and part.strip()]
        return tuple(Sentence(text, level_text(text), False) for text in texts) if len(texts) > 1 else (self,)

    @cached_property
    def instructs(self) -> bool:
        """Whether it speaks to a model rather than to a reader."""
        return bool(_INSTRUCTION.search(self.text))


@dataclass(frozen=True)
class Passage:
    """A chunk and the headings above it."""

    chunk: str
    heading: str
    text: str

    @cached_property
    def level(self) -> str:
        return level_text(f"{self.heading}\n{self.text}")

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        sentences = ((self.text[start:end], is_row) for start, end, is_row in list_sentences(self.text))
        return tuple(Sentence(text, level_text(text), is_row) for text, is_row in sentences)

    @cached_property
    def stated(self) -> Stated:
        """The figures of all sentences and of the heading."""
        parts = [find_figures(self.heading), *(sentence.stated.figures for sentence in self.sentences)]
        amounts = tuple(amount for part in parts for amount in part.amounts)
        return Stated.of(Figures(amounts, tuple(date for part in parts for date in part.dates)))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in small letters, whole."""
        return frozenset(re.findall(r"[^\W_]+", self.level))

    @cached_property
    def own_words(self) -> frozenset[str]:
        """Its words and those of its heading."""
        return self.words | frozenset(re.findall(r"[^\W_]+", self.heading.lower()))

    @cached_property
    def instructs(self) -> bool:
        """Whether any of its sentences speaks to a model."""
        return any(sentence.instructs for sentence in self.sentences)

    @cached_property
    def rarity(self) -> dict[str, float]:
        """How much a term tells the sentences of this chunk apart: 1 over the number of sentences that have it."""
        counted = Counter(term for sentence in self.sentences for term in sentence.terms)
        return {term: 1 / number for term, number in counted.items()}


JOINT, BETWEEN = "+", " + "
"""Between the hashes and the documents of two chunks that one passage joins."""
_SEAM = "\n\n=====\n\n"


def join_chunks(first: ChunkRow, second: ChunkRow) -> ChunkRow:
    """One passage of two, each below its document's name and headings."""
    rows = (first, second)
    texts = [" > ".join(filter(None, (row["document"], row["heading"]))) + "\n\n" + row["text"] for row in rows]
    text = _SEAM.join(texts)
    return ChunkRow(
        chunk=JOINT.join(row["chunk"] for row in rows),
        document=BETWEEN.join(row["document"] for row in rows),
        document_hash=JOINT.join(row["document_hash"] for row in rows),
        number=0,
        heading="",
        page=None,
        last_page=None,
        start=0,
        end=len(text),
        text=text,
    )


def split_joined(chunk: str, text: str) -> tuple[Passage, ...]:
    """The passages that a joined one has; none of any other."""
    if JOINT not in chunk:
        return ()
    parts = zip(chunk.split(JOINT), text.split(_SEAM), strict=False)
    cut = ((of_its_own, *part.partition("\n\n")) for of_its_own, part in parts)
    return tuple(Passage(of_its_own, heading, own) for of_its_own, heading, _, own in cut)


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    if len(word) <= _SHORTEST or not word.isascii():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST - 1:
            return word[: -len(ending)] + instead
    return word[:-1] if word.endswith("e") else word


def terms(text: str) -> list[str]:
    """The words of a text in order, with numbers; of Chinese, Japanese and Korean each two neighbouring characters."""
    phrases: list[str] = []
    for term in _TERM.findall(text.lower()):
        if _WIDE.match(term):
            phrases += [term[at : at + 2] for at in range(len(term) - 1)] or [term]
        elif term not in _STOP:
            phrases.append(_stem(term))
    return phrases
