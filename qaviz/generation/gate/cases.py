"""One triplet beside its passage: what the gate's rules look at, and where the passage has its figures, dates and
names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from qaviz.generation.gate.passages import Figures, Passage, Sentence, Stated, find_figures, terms
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.reading.level import level_text
from qaviz.reading.tables import months_of_all, table

SINGLE_FACT, UNANSWERABLE, TWO_STEPS = "single fact", "unanswerable", "two steps"
"""Question types that rules know; `kinds` has all. The fact of an unanswerable one is no piece of the passage."""
_YES_AND_NO = "yes no ja nein có không đúng sai 是 否 不是 نعم لا oui non sí"
YES_AND_NO = frozenset(_YES_AND_NO.split())

_NAME = re.compile(r"(?<![\w$€£¥.,])[^\W\d_][^\W_]*(?:[&.’'-][^\W_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。]\s|\|\s?|\n|[\"“(]\s?)\W*$")
_POSSESSIVE = re.compile(r"(?:['’]s|['’])$")
_UNITS = "yes no usd eur gbp i million billion trillion thousand percent q1 q2 q3 q4 fy ceo cfo yoy"
_NOT_NAMES = frozenset((*months_of_all(), *table("en").weekdays.meanings, *_UNITS.split()))

FIGURE, DATE, NAME, FACT = "figure", "date", "name", "fact"
_BESIDE = "from to and of the in on by about usd us per year a at von bis từ đến về st nd rd th"
_BESIDE_FIGURES = frozenset(_BESIDE.split())
"""Words that say nothing of a figure that they stand beside."""
_LATIN = "[0-9A-Za-z]"
"""A letter or digit that would make a match a piece of a longer word; Chinese has no spaces between words."""
LONGEST_MARKED = 60_000
"""Characters of a passage beyond which nothing is marked."""


@dataclass(frozen=True)
class Case:
    """A triplet, its passage, and the words that its document has elsewhere."""

    question: str
    answer: str
    fact: str
    kind: str
    passage: Passage
    around: frozenset[str]
    """Words of the document's other chunks and of its name."""
    parts: tuple[Passage, ...] = ()
    """Of a passage that joins two: each of them."""
    turns: tuple[str, ...] = ()
    """Of a follow-up: the question and the answer before it, and the follow-up as it was put."""

    @cached_property
    def variants(self) -> "tuple[Variant, ...]":
        return tuple(read_variant(part.strip()) for part in self.fact.split(OR_DELIMITER) if part.strip())

    @cached_property
    def is_joined(self) -> bool:
        """Whether its passage joins two: each figure is bound in its own one (`kinds`)."""
        return bool(self.parts) and self.passage not in self.parts

    @cached_property
    def is_yes_no(self) -> bool:
        return bool(self.variants) and all(variant.level.strip(". ") in YES_AND_NO for variant in self.variants)

    @cached_property
    def answer_level(self) -> str:
        return level_text(self.answer)

    @cached_property
    def question_level(self) -> str:
        return level_text(self.question)

    @cached_property
    def answer_stated(self) -> Stated:
        return Stated.of(find_figures(self.answer))

    @cached_property
    def question_terms(self) -> frozenset[str]:
        return frozenset(terms(self.question))

    @cached_property
    def home(self) -> tuple[Sentence, ...]:
        """The sentences and rows of the passage in which a variant stands."""
        return tuple(
            sentence
            for sentence in self.passage.sentences
            if any(variant.stands(sentence.level, sentence.stated, self.passage.level) for variant in self.variants)
        )


@dataclass(frozen=True)
class Variant:
    """A variant of a fact, read once for all the texts in which it is looked for."""

    text: str
    level: str
    figures: Figures
    beside: tuple[str, ...]
    """The words that are no part of its figures; empty where it has no figures."""

    def stands(self, text: str, stated: Stated, around: str = "") -> bool:
        """Whether a levelled text has the variant word by word, or the same quantities and dates as `stated` there.

        Words beside a figure, as in `65 stores`, have to stand in the text too, or in what is `around` it.
        """
        if stands_exactly(self.level, text):
            return True
        if not self.figures.amounts and not self.figures.dates:
            return False
        if not all(stated.amount(amount) for amount in self.figures.amounts):
            return False
        if not all(stated.date(date) for date in self.figures.dates):
            return False
        return all(stands_exactly(word, text) or stands_exactly(word, around) for word in self.beside)


@lru_cache(maxsize=8_192)
def read_variant(text: str) -> Variant:
    """Return the variant with its figures."""
    figures, rest = find_figures(text), text
    spans = [(amount.start, amount.end) for amount in figures.amounts] + [
        (date.start, date.end) for date in figures.dates
    ]
    for start, end in sorted(spans, reverse=True):
        rest = rest[:start] + " " + rest[end:]
    beside = [word for word in re.findall(r"[^\W\d_]+", level_text(rest)) if word not in _BESIDE_FIGURES]
    return Variant(text, level_text(text), figures, tuple(beside) if spans else ())


def stands_exactly(wanted: str, level: str) -> bool:
    """Whether these letters stand in the text as whole words and numbers: `12%` does not stand in `112%` or `1.12%`."""
    at = level.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        before, behind = level[at - 1 : at], level[end : end + 1]
        cut_before = _joins(before, wanted[:1]) or (wanted[:1].isdigit() and _goes_on(level[at - 2 : at][::-1]))
        cut_behind = _joins(wanted[-1:], behind) or (
            wanted[-1:].isdigit() and (behind == "%" or _goes_on(level[end : end + 2]))
        )
        if not cut_before and not cut_behind:
            return True
        at = level.find(wanted, at + 1)
    return False


def _goes_on(beside: str) -> bool:
    """Whether a number goes on beside one of its digits: with a mark and another digit."""
    return len(beside) == 2 and beside[0] in ".," and beside[1].isdigit()


def _joins(one: str, other: str) -> bool:
    """Whether two neighbouring characters belong to one word: Chinese ones have no spaces between words."""
    if not (one and other) or "\u2e80" <= one <= "\u9fff" or "\u2e80" <= other <= "\u9fff":
        return one.isdigit() and other.isdigit()
    return one.isalnum() and other.isalnum()


@lru_cache(maxsize=8_192)
def names(text: str, *, first_too: bool = False) -> tuple[str, ...]:
    """The capitalised words inside the sentences of a text, without months, weekdays and currencies.

    With `first_too` also those that begin a sentence and are a name by what follows: `Acme Corp`, `Acme's`.
    """
    return tuple(_find_names(text, first_too=first_too))


def _find_names(text: str, *, first_too: bool) -> Iterator[str]:
    for match in _NAME.finditer(text):
        word = match.group()
        if not word[0].isupper() or _POSSESSIVE.sub("", word).lower() in _NOT_NAMES:
            continue
        if _SENTENCE_START.search(text, max(0, match.start() - 4), match.start()):
            following = text[match.end() : match.end() + 2]
            named = _POSSESSIVE.search(word) or (following[:1] == " " and following[1:].isupper())
            if not (first_too and named):
                continue
        yield _POSSESSIVE.sub("", word)


def is_known(name: str, words: frozenset[str]) -> bool:
    """Whether a name, or all its parts, are among the words; `European` is known by `Europe`, `AWS` by itself."""
    parts = _parts(name)
    return all(part in words or any(_akin(part, word) for word in words if word[:3] == part[:3]) for part in parts)


@lru_cache(maxsize=8_192)
def _parts(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", level_text(name)))


def _akin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and long.startswith(short[:-1]) and len(long) - len(short) <= 3


def mark_evidence(passage: str, answer: str | None, fact: str | None) -> list[tuple[str, str | None]]:
    """Return the passage in parts, each with what of the answer or fact it states (FIGURE, DATE, NAME, FACT), or None.

    A figure is marked where the passage has the same quantity, in whatever form; the fact's own letters go first.
    """
    if len(passage) > LONGEST_MARKED:
        return [(passage, None)]
    kinds: list[str | None] = [None] * len(passage)
    for kind, start, end in [*_mark_names(passage, answer, fact), *_mark_figures(passage, answer, fact)]:
        kinds[start:end] = [kind] * (end - start)
    for variant in _split_fact(fact):
        for match in re.finditer(_match_whole(variant), passage, re.IGNORECASE):
            kinds[match.start() : match.end()] = [FACT] * (match.end() - match.start())
    return _cut_parts(passage, kinds)


def missing_evidence(passage: str, answer: str | None, fact: str | None) -> list[str]:
    """Return the figures and dates of the answer and of the fact's first variant that the passage does not state."""
    there = Stated.of(find_figures(passage))
    first = next(iter(_split_fact(fact)), "")
    missing = []
    for text in (answer or "", first):
        figures = find_figures(text)
        missing += [text[amount.start : amount.end].strip() for amount in figures.amounts if not there.amount(amount)]
        missing += [text[date.start : date.end].strip() for date in figures.dates if not there.date(date)]
    return list(dict.fromkeys(filter(None, missing)))


def _split_fact(fact: str | None) -> list[str]:
    parts = (fact or "").replace(AND_DELIMITER, OR_DELIMITER).split(OR_DELIMITER)
    return [read_variant(part.strip()).text for part in parts if part.strip()]


def _match_whole(variant: str) -> str:
    """A pattern of the variant as whole words and numbers: not `12` in `12,455`."""
    before = r"(?<!\d[.,])" if variant[0].isdigit() else ""
    behind = r"(?![.,]\d)" if variant[-1].isdigit() else ""
    return rf"(?<!{_LATIN}){before}{re.escape(variant)}(?!{_LATIN}){behind}"


def _mark_figures(passage: str, answer: str | None, fact: str | None) -> list[tuple[str, int, int]]:
    wanted = [find_figures(text) for text in (answer or "", *_split_fact(fact))]
    marked = []
    here = find_figures(passage)
    for amount in here.amounts:
        stated = Stated.of(Figures((amount,), ()))
        if any(stated.amount(amount) for one in wanted for amount in one.amounts):
            marked.append((FIGURE, amount.start, amount.end))
    for date in here.dates:
        stated = Stated.of(Figures((), (date,)))
        if any(stated.date(date) for one in wanted for date in one.dates):
            marked.append((DATE, date.start, date.end))
    # Chinese is read with blanks around figures, which shift the offsets.
    return [figure for figure in marked if any(char.isdigit() for char in passage[figure[1] : figure[2]])]


def _mark_names(passage: str, answer: str | None, fact: str | None) -> list[tuple[str, int, int]]:
    wanted = {name for text in (answer or "", *_split_fact(fact)) for name in names(text, first_too=True)}
    return [
        (NAME, match.start(), match.end())
        for name in wanted
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", passage)
    ]


def _cut_parts(passage: str, kinds: list[str | None]) -> list[tuple[str, str | None]]:
    parts: list[tuple[str, str | None]] = []
    start = 0
    for place in range(1, len(passage) + 1):
        if place == len(passage) or kinds[place] != kinds[start]:
            parts.append((passage[start:place], kinds[start]))
            start = place
    return parts
