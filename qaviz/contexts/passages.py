"""Passages beside what is sought in them: whether one states a golden fact, whether it is the golden evidence, and
where the sentences of a response stand in it.

A passage states a fact if the fact stands in it, in these words or, for amounts and dates, in other units and formats,
and the passage is about the question: it shares enough of the question's words.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from qaviz.model.columns import OR_DELIMITER
from qaviz.reading import Kind, Relation, Token, best, detect_language, tokens
from qaviz.reading.level import holds_words, level_text
from qaviz.reading.tables import grammar_of_all, months_of_all, negations_of_all, table
from qaviz.scoring.definition import fact_variants, needs_all

ABOUT = 1 / 3
"""Share of the question's words from which a passage is about the question."""
SHORT = 6
"""Words up to which a fact is a value or a name: all of them have to be there."""
MOST_WORDS = 0.8
"""Share of the words of a longer fact that a passage states."""
NEAR = 0.6
"""Share of the word triples of the shorter of two texts that stand in the longer one, from which they overlap."""
LEAST_CONTAINED = 25
"""Characters of a text that may be contained in another: a shorter one is in many."""
_REACH = 80
"""Characters before and after an amount that are read with it."""
_AROUND = 300
"""Characters before and after a value that say what it is about."""
_TOGETHER = 40
"""Characters between the words of a name, at most."""
_WINDOWS = 4
"""Places of one passage at which an amount is read."""

_WORD = re.compile(r"[^\W_]+")
_FIGURE = re.compile(r"\d[\d.,]*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDINGS = 2
"""Letters at the end of a long word that its other forms may lack: `shipped`, `shipping`."""
_LONG_WORD, _SHORT_WORD = 6, 3


@lru_cache(maxsize=16_384)
def list_terms(text: str) -> tuple[str, ...]:
    """The content words of a text, without endings and once each; pairs of characters in scripts without spaces."""
    terms: dict[str, None] = {}
    for word in _WORD.findall(level_text(text)):
        if _UNSPACED.search(word):
            terms |= dict.fromkeys(word[place : place + 2] for place in range(len(word) - 1))
        elif word.isdigit() or (len(word) >= _SHORT_WORD and word not in NOTHING):
            terms[word[:-_ENDINGS] if len(word) > _LONG_WORD else word] = None
    return tuple(terms)


_MARKS = re.compile(r"^\W+|\W+$")


def level_value(value: str) -> str:
    """A value levelled, without the marks at its ends, such as $ and %, at which no word begins or ends."""
    return _MARKS.sub("", level_text(value))


def share_held(terms: tuple[str, ...], level: str) -> float:
    """The share of the terms that stand in a levelled text; 1 where there are none."""
    return len([term for term in terms if term in level]) / len(terms) if terms else 1.0


@dataclass(frozen=True)
class Variant:
    """One wording of a golden fact."""

    text: str
    level: str
    terms: tuple[str, ...]
    figures: frozenset[str]
    """How its numbers begin: their first two digits."""


@dataclass(frozen=True)
class Sought:
    """A golden fact, ready to be looked for in many passages."""

    question: str
    variants: tuple[Variant, ...]
    every: bool
    """Whether all variants have to be there, as for `<AND>`."""
    topic: tuple[str, ...]
    """The question's words that the fact does not have."""


@lru_cache(maxsize=4096)
def seek(question: str, golden: str) -> Sought | None:
    """What to look for; None where a passage cannot state the golden text: there is none, or it is yes or no."""
    texts = [text.strip().strip(".") for text in fact_variants(golden)]
    variants = [
        Variant(text, level_value(text), list_terms(text), frozenset(_list_figures(text)))
        for text in texts
        if text and text.lower() not in _SIDES and any(map(str.isalnum, text))
    ]
    if not variants:
        return None
    own = {term for variant in variants for term in variant.terms}
    topic = tuple(term for term in list_terms(question) if term not in own)
    return Sought(question, tuple(variants), needs_all(golden), topic)


def state_fact(sought: Sought, passage: str, title: str = "") -> float | None:
    """How much a passage is about the question, 0 to 1, if it states the fact, in these words or in other units and
    formats; None where it does not, or is not about the question. `title` is of its document."""
    level, title = level_text(passage), level_text(title) if title else ""
    topic = share_held(sought.topic, f"{title} {level}" if title else level)
    if topic < ABOUT:
        return None
    stated = (_states_variant(variant, sought, passage, title) for variant in sought.variants)
    return topic if (all(stated) if sought.every else any(stated)) else None


def _states_variant(variant: Variant, sought: Sought, passage: str, title: str) -> bool:
    level = level_text(passage)
    if len(variant.text.split()) > SHORT:
        if holds_words(level, variant.level):
            return True
        figures = tuple(_FIGURE.findall(variant.level))
        return share_held(figures, level) == 1 and share_held(variant.terms, level) >= MOST_WORDS
    return any(_is_about(sought, level, place, title) for place in _find_value(variant, passage, sought.question))


def _is_about(sought: Sought, level: str, place: int, title: str) -> bool:
    """Whether what stands around a value is about the question."""
    return share_held(sought.topic, f"{title} {level[max(0, place - _AROUND) : place + _AROUND]}") >= ABOUT


def _find_value(variant: Variant, passage: str, question: str) -> Iterator[int]:
    """Where a short fact stands in a passage: as it is written, as the same amount or date, or as the same words."""
    level = level_text(passage)
    start = level.find(variant.level)
    while start >= 0:
        if holds_words(level[max(0, start - 1) : start + len(variant.level) + 1], variant.level):
            yield start
        start = level.find(variant.level, start + 1)
    if variant.figures:
        for place in _list_places(variant, passage):
            if _states_amount(variant.text, passage[max(0, place - _REACH) : place + _REACH], question):
                yield place
    elif variant.terms:
        yield from _find_together(variant.terms, level)


def _find_together(terms: tuple[str, ...], level: str) -> Iterator[int]:
    """Where all the words of a name begin close together."""
    first, *others = sorted(terms, key=len, reverse=True)
    start = level.find(first)
    while start >= 0:
        near = level[max(0, start - _TOGETHER) : start + len(first) + _TOGETHER]
        begins = _UNSPACED.match(first) or not level[max(0, start - 1) : start].isalpha()
        if begins and all(_begins_word(term, near) for term in others):
            yield start
        start = level.find(first, start + 1)


def _begins_word(term: str, level: str) -> bool:
    start = level.find(term)
    while start > 0 and level[start - 1].isalpha() and not _UNSPACED.match(term):
        start = level.find(term, start + 1)
    return start >= 0


_SIDES = frozenset(("yes", "no", "true", "false"))
"""Facts that only take a side: their letters stand in many words and say nothing there."""
_VALUES = frozenset((Kind.AMOUNT, Kind.DATE, Kind.TIME, Kind.ORDINAL, Kind.CODE))


def _states_amount(golden: str, window: str, question: str) -> bool:
    """Whether all values of a golden text are said, in any units and formats."""
    language = detect_language(question)
    values = _list_values(golden, language)
    beside = _list_values(window, detect_language(window, language))
    nearest = [best(value, beside) for value in values]
    return bool(values) and all(pair is not None and pair[1].relation is Relation.SAME for pair in nearest)


def _list_values(text: str, language: str) -> list[Token]:
    return [token for token in tokens(text, language) if token.kind in _VALUES]


def _list_figures(text: str) -> Iterator[str]:
    """How the numbers of a text begin: two digits, and rounded to one where that is all the text has."""
    for figure in _FIGURE.findall(text):
        yield _begin(figure)


def _begin(figure: str) -> str:
    """The first two digits of a number without leading zeros: 4,187 and 0.0421 begin with 4."""
    digits = figure.replace(",", "").replace(".", "").lstrip("0")
    return (digits + "0")[:2] if digits else "0"


def _list_places(variant: Variant, passage: str) -> list[int]:
    """Where the passage's numbers stand that may be the variant's: rounding moves the second digit by one."""
    near = {str(int(figure) + step) for figure in variant.figures for step in (-1, 0, 1)} | variant.figures
    return [match.start() for match in _FIGURE.finditer(passage) if _begin(match[0]) in near][:_WINDOWS]


@lru_cache(maxsize=4096)
def _list_triples(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(level_text(text))
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def is_evidence(evidence: str, passage: str) -> bool:
    """Whether a passage is the golden evidence: the same text, one inside the other, or nearly so."""
    one, other = (" ".join(level_text(text).split()) for text in (evidence, passage))
    if one == other:
        return bool(one)
    short, long = sorted((one, other), key=len)
    if len(short) >= LEAST_CONTAINED and short in long:
        return True
    first, second = _list_triples(evidence), _list_triples(passage)
    fewer = min(len(first), len(second))
    return fewer >= SHORT and len(first & second) >= NEAR * fewer


def split_variants(text: str | None) -> tuple[str, ...]:
    """The ids or texts of a golden cell."""
    return tuple(part.strip() for part in (text or "").split(OR_DELIMITER) if part.strip())


NUMBER, MONTH, NAME, WORD = "number", "month", "name", "word"

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[。！？]|[.!?]+(?=[\s\"'”’)\]]|$)|\n+")
_UNSPACED_SCRIPT = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
NOTHING = grammar_of_all() | frozenset(
    (
        *("more", "most", "other", "such", "both", "very", "just", "only", "however", "while", "because", "through"),
        *(
            "same",
            "too",
            "each",
            "any",
            "all",
            "some",
            "one",
            "about",
            "than",
            "there",
            "which",
            "been",
            "having",
            "being",
        ),
        *("upon", "within", "per", "via", "according", "here", "again", "yet"),
    )
)
"""Words that say nothing of what a text is about."""
_NEGATION = "negation"
_NEGATIONS = negations_of_all() | {"hardly", "unable"}
_NEGATION_SIGNS = re.compile("[不没沒未無无非]|ない|なかった|ません")
MONTHS = months_of_all()
_SHORT_NAMES = frozenset(
    ("mr", "mrs", "ms", "dr", "st", "no", "vs", "etc", "inc", "ltd", "co", "jr", "sr", "prof", "gen")
)
_SHORT_NAMES |= {"col", "fig", "eq", "al", "approx", "u.s", "e.g", "i.e"}
_DENIES_NOTHING = re.compile(r"not (?:only|just|merely)\b|no(?: longer)? (?:doubt|matter)\b|non?[.,!]", re.IGNORECASE)
_WRITTEN = {str(worth): word for word, worth in table("en").numbers.items() if 1 < worth <= 20}
_DIGITS = {word: digits for digits, word in _WRITTEN.items()}
_CITATION = re.compile(r"\[\^?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\](?!\()|【(\d{1,3})[^】]{0,20}】")
_PLACE = re.compile(r"\((?:([^()\n]{1,60}), )?(?:pp?|pages?|S|Seiten?)\.? ?\d+(?:[–-]\d+)?\)")
_WORDS = re.compile(r"[^\W_]+")
_STEM, _SHORT = 6, 4
_GAP = " " * 200
"""Stands between two passages, so that nothing reaches from one into the next."""
MOST_PLACES = 40
"""Places of one word that are looked at."""


class Part(NamedTuple):
    """One thing a sentence says that a passage can hold."""

    kind: str
    term: str
    """As it is sought: lower case, the first letters of a long word, a number in digits."""
    start: int
    end: int


class Sentence(NamedTuple):
    """One sentence of a response: characters `start` to `end`."""

    start: int
    end: int
    parts: tuple[Part, ...]
    """Its numbers, names and words of content; pairs of characters in scripts without spaces."""
    negations: tuple[int, ...]
    """Where it negates, in characters."""


def read_sentences(text: str) -> list[Sentence]:
    """The sentences of a text that say something checkable: no questions, no numbers of a list, no citations."""
    text = hide_citations(text)
    sentences: list[Sentence] = []
    parts: list[Part] = []
    negations: list[int] = []
    start = -1
    for match in _TOKEN.finditer(text):
        token, place = match.group(), match.start()
        first = token[0]
        if first in ".!?。！？\n":
            if first == "." and _is_abbreviation(text, place):
                continue
            is_claim = "?" not in token and not _numbers_line(parts, start, place, len(text) - match.end())
            if is_claim:
                _close(sentences, parts, negations, start, match.end() if first != "\n" else place)
            parts, negations, start = [], [], -1
            continue
        if start < 0:
            start = place
        if first.isdigit():
            parts.append(Part(NUMBER, token, place, match.end()))
        elif _UNSPACED_SCRIPT.match(token):
            parts += _read_unspaced(token, place)
            negations += [place + sign.start() for sign in _NEGATION_SIGNS.finditer(token)]
        else:
            _read_word(text, token, place, parts, negations)
    _close(sentences, parts, negations, start, len(text.rstrip()))
    return sentences


def _read_word(text: str, token: str, place: int, parts: list[Part], negations: list[int]) -> None:
    kind, term, length = _classify(token)
    if kind == _NEGATION:
        if not _DENIES_NOTHING.match(text, place):
            negations.append(place)
    elif kind:
        parts.append(Part(kind, term, place, place + length))


@lru_cache(maxsize=100_000)
def _classify(token: str) -> tuple[str, str, int]:
    """What a word is, as what it is sought, and how many of its letters count; no kind for a word of grammar."""
    word = token.lower()
    if word in _NEGATIONS or word.endswith(("n't", "n’t")):
        return _NEGATION, "", 0
    if word in NOTHING or (len(word) == 1 and not token.isupper()):
        return "", "", 0
    if word in _DIGITS:
        return NUMBER, _DIGITS[word], len(token)
    bare = word[:-2] if word.endswith(("'s", "’s")) else word
    kind = NAME if token[0].isupper() else WORD
    if word in MONTHS and (kind == NAME or word not in ("march", "mars", "mai")):
        kind = MONTH
    return kind, stem(bare), len(bare)


def stem(word: str) -> str:
    """The letters that the forms of a word share: its first six, fewer in a shorter word."""
    return word if len(word) <= _SHORT else word[: max(_SHORT, min(_STEM, len(word) - 2))]


def _read_unspaced(token: str, place: int) -> Iterator[Part]:
    for offset in range(max(1, len(token) - 1)):
        yield Part(WORD, token[offset : offset + 2], place + offset, place + min(len(token), offset + 2))


def _is_abbreviation(text: str, place: int) -> bool:
    """Whether the full stop belongs to `Dr.`, an initial or the number of a list."""
    before = text[max(0, place - 8) : place].split()
    word = before[-1].lower() if before else ""
    return word in _SHORT_NAMES or (len(word) == 1 and word.isalpha())


def _numbers_line(parts: list[Part], start: int, place: int, rest: int) -> bool:
    """Whether what ends here is only the number of a line: `5.`, with more behind it."""
    return len(parts) == 1 and parts[0].kind == NUMBER and start == parts[0].start and place - start <= 2 and rest > 1


def _close(sentences: list[Sentence], parts: list[Part], negations: list[int], start: int, end: int) -> None:
    if parts and start >= 0:
        sentences.append(Sentence(start, end, tuple(parts), tuple(negations)))


def hide_citations(text: str) -> str:
    """The text with blanks for its citations: every other character keeps its place."""
    if "[" not in text and "(" not in text and "【" not in text:
        return text
    return _PLACE.sub(_blank, _CITATION.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def list_citations(text: str) -> list[int]:
    """The numbers of the passages that a response cites: `[2]`, `[1, 3]`, `[2-4]`, `[^1]`, `【4】`; 1-based."""
    numbers: list[int] = []
    for match in _CITATION.finditer(text):
        for piece in re.split(r"\s*[,;]\s*", match[1] or match[2]):
            first, _, last = re.sub("\\s*[–-]\\s*", "-", piece).partition("-")
            span = range(int(first), int(last or first) + 1)
            numbers += span if 0 < len(span) <= 50 else [int(first)]
    return numbers


def list_cited_documents(text: str) -> list[str]:
    """The documents that a response cites with a page: `Report 2023` of `(Report 2023, p. 3)`."""
    return [match[1] for match in _PLACE.finditer(text) if match[1]]


def find_terms(text: str) -> tuple[str, ...]:
    """The words of a text as they are sought in passages, once each, without words of grammar."""
    terms: dict[str, None] = {}
    for word in _WORDS.findall(text.lower()):
        if _UNSPACED_SCRIPT.match(word):
            terms |= dict.fromkeys(word[place : place + 2] for place in range(max(1, len(word) - 1)))
        elif word not in NOTHING:
            terms[word[:_STEM]] = None
    return tuple(terms)


class Passages(NamedTuple):
    """The contexts of one response as one text, with a gap between two of them."""

    text: str
    lower: str
    """The same in lower case: every character keeps its place."""
    starts: tuple[int, ...]


def join_passages(contexts: tuple[str, ...]) -> Passages:
    """Contexts as they are searched."""
    starts, length = [], 0
    for context in contexts:
        starts.append(length)
        length += len(context) + len(_GAP)
    text = _GAP.join(contexts)
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return Passages(text, lower, tuple(starts))


def find_word(lower: str, word: str) -> list[int]:
    """Where words with this stem start: a short stem may be followed by two more letters, a long one by any."""
    places: list[int] = []
    length = len(word)
    most = 2 if length <= _SHORT else len(lower)
    unspaced = _UNSPACED_SCRIPT.match(word)
    place = lower.find(word)
    while place >= 0 and len(places) < MOST_PLACES:
        after = place + length
        if unspaced or not (
            (place and lower[place - 1].isalnum())
            or (most == 2 and len(rest := lower[after : after + 3]) == 3 and rest.isalpha())
        ):
            places.append(place)
        place = lower.find(word, after)
    return places


def find_number(lower: str, number: str) -> list[int]:
    """Where a number stands: with or without its thousands marks, in words up to twenty."""
    places: list[int] = []
    forms = {number, number.replace(",", "")}
    if number.isdecimal() and len(number) > 3:
        forms.add(f"{int(number[:15]):,}")
    for form in forms:
        place = lower.find(form)
        while place >= 0 and len(places) < MOST_PLACES:
            after = place + len(form)
            if not (_goes_on(lower[max(0, place - 2) : place][::-1]) or _goes_on(lower[after : after + 2])):
                places.append(place)
            place = lower.find(form, after)
    if number in _WRITTEN:
        places += find_word(lower, _WRITTEN[number])
    return sorted(places)


def _goes_on(beside: str) -> bool:
    """Whether a number goes on in the two characters beside it."""
    return beside[:1].isdigit() or (beside[:1] in (".", ",") and beside[1:].isdigit())


def is_near(places: list[int], low: int, high: int) -> bool:
    """Whether one of the sorted places is from `low` to `high`."""
    index = bisect_left(places, low)
    return index < len(places) and places[index] <= high
