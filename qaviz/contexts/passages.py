"""Passages beside what is sought in them: whether one states a golden fact, and whether it is the golden evidence.

Overlap, the share of a response's words that stand in its passages, proves nothing: a passage that says another number
in the same words overlaps as well. What passages bear out, a judge says claim by claim (`qaviz.judging.claims`).

A passage states a fact if the fact stands in it, in these words or, for amounts and dates, in other units and formats,
and the passage is about the question: it shares enough of the question's words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath

import polars as pl

from qaviz.model import columns as c
from qaviz.model.columns import OR_DELIMITER
from qaviz.reading import Kind, Relation, best, detect_language, tokens
from qaviz.reading.level import holds_words, level_text, sentences
from qaviz.reading.tables import grammar_of_all
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
_REACH, _AROUND = 80, 300
"""Characters before and after an amount that are read with it, and that say what a value is about."""

_WORD = re.compile(r"[^\W_]+")
_FIGURE = re.compile(r"\d[\d.,]*")
_MARKS = re.compile(r"^\W+|\W+$")
_YEAR = re.compile(r"(?<![\w.,])(?:1[5-9]|20)\d\d(?![\w%]|[.,]\d)")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EMPTY = (
    "more most other such both very just only however while because through same too each any all some "
    "one about than there which been having being upon within per via according here again yet"
)
NOTHING = grammar_of_all() | frozenset(_EMPTY.split())
"""Words that say nothing of what a text is about."""
_SIDES = frozenset(("yes", "no", "true", "false"))
"""Facts that only take a side: their letters stand in many words and say nothing there."""
_VALUES = frozenset((Kind.AMOUNT, Kind.DATE, Kind.TIME, Kind.ORDINAL, Kind.CODE))
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
        Variant(text, level_value(text), list_terms(text), frozenset(map(_begin, _FIGURE.findall(text))))
        for text in texts
        if text and text.lower() not in _SIDES and any(map(str.isalnum, text))
    ]
    if not variants:
        return None
    own = {term for variant in variants for term in variant.terms}
    topic = tuple(term for term in list_terms(question) if term not in own)
    return Sought(question, tuple(variants), needs_all(golden), topic)


def state_fact(sought: Sought, passage: str, title: str = "") -> float | None:
    """How much a passage is about the question, 0 to 1, if it states the fact; None where it does not, or is not about
    the question. `title` is of its document."""
    level, title = level_text(passage), level_text(title) if title else ""
    topic = share_held(sought.topic, f"{title} {level}" if title else level)
    if topic < ABOUT:
        return None
    stated = (_states_variant(variant, sought, passage, title) for variant in sought.variants)
    return topic if (all(stated) if sought.every else any(stated)) else None


def find_other_year(sought: Sought, passages: Iterable[tuple[str, str]]) -> str | None:
    """The year that is more about the question than the golden one, which then only stands beside something else.
    `passages` are texts, each with the title of its document; what counts is the sentence around a year."""
    golden = {year for variant in sought.variants for year in _YEAR.findall(variant.level)}
    if len(golden) != 1 or any(len(variant.text.split()) > SHORT for variant in sought.variants):
        return None
    in_question = set(_YEAR.findall(sought.question))
    own, other, rival = 0.0, 0.0, None
    for text, title in passages:
        level = level_text(text)
        for start, end in sentences(level):
            if years := set(_YEAR.findall(level[start:end])) - in_question:
                share = share_held(sought.topic, f"{level_text(title)} {level[start:end]}")
                if years & golden:
                    own = max(own, share)
                elif share > other:
                    other, rival = share, min(years)
    return rival if other > own else None


def _states_variant(variant: Variant, sought: Sought, passage: str, title: str) -> bool:
    level = level_text(passage)
    if len(variant.text.split()) > SHORT:
        figures = tuple(_FIGURE.findall(variant.level))
        return share_held(figures, level) == 1 and share_held(variant.terms, level) >= MOST_WORDS
    places = _find_value(variant, passage, sought.question)
    around = (level[max(0, place - _AROUND) : place + _AROUND] for place in places)
    return any(share_held(sought.topic, f"{title} {text}") >= ABOUT for text in around)


def _find_value(variant: Variant, passage: str, question: str) -> Iterator[int]:
    """Where a short fact stands in a passage: as it is written, or as the same amount or date."""
    level = level_text(passage)
    start = level.find(variant.level)
    while start >= 0:
        if holds_words(level[max(0, start - 1) : start + len(variant.level) + 1], variant.level):
            yield start
        start = level.find(variant.level, start + 1)
    # The passage's numbers that may be the variant's: rounding moves the second digit by one.
    near = {str(int(figure) + step) for figure in variant.figures for step in (-1, 0, 1)} | variant.figures
    places = (match.start() for match in _FIGURE.finditer(passage) if near and _begin(match[0]) in near)
    for place in islice(places, 4):  # places of one passage at which an amount is read
        if _states_amount(variant.text, passage[max(0, place - _REACH) : place + _REACH], question):
            yield place


def _states_amount(golden: str, window: str, question: str) -> bool:
    """Whether all values of a golden text are said, in any units and formats."""
    language = detect_language(question)
    read = tokens(golden, language), tokens(window, detect_language(window, language))
    values, beside = ([token for token in side if token.kind in _VALUES] for side in read)
    nearest = [best(value, beside) for value in values]
    return bool(values) and all(pair is not None and pair[1].relation is Relation.SAME for pair in nearest)


def _begin(figure: str) -> str:
    """The first two digits of a number without leading zeros: 4,187 and 0.0421 begin with 4."""
    digits = figure.replace(",", "").replace(".", "").lstrip("0")
    return (digits + "0")[:2] if digits else "0"


@lru_cache(maxsize=4096)
def _list_triples(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(level_text(text))
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def is_evidence(evidence: str, passage: str) -> bool:
    """Whether a passage is the golden evidence: the same text, one inside the other, or nearly so."""
    left, right = (" ".join(level_text(text).split()) for text in (evidence, passage))
    if left == right:
        return bool(left)
    short, long = sorted((left, right), key=len)
    if len(short) >= LEAST_CONTAINED and short in long:
        return True
    first, second = _list_triples(evidence), _list_triples(passage)
    fewer = min(len(first), len(second))
    return fewer >= SHORT and len(first & second) >= NEAR * fewer


def split_variants(text: str | None) -> tuple[str, ...]:
    """The ids or texts of a golden cell."""
    return tuple(part.strip() for part in (text or "").split(OR_DELIMITER) if part.strip())


@lru_cache(maxsize=4096)
def name_document(text: str) -> str:
    """A document's name without folder, page and suffix: `docs/Report.pdf, page 3` is `report`."""
    name = PurePosixPath(text.partition(",")[0].partition("#")[0].strip().replace("\\", "/")).name.lower()
    stem, _, suffix = name.rpartition(".")
    return stem if stem and suffix.isalnum() and not suffix.isdigit() else name


FOUND, PARTLY, NOT_FOUND = "found", "partly", "not found"
MOST, LITTLE = 0.8, 0.4
"""Share of a sentence's words in one passage from which it is found, and below which it is not."""
OVERLAP_SCHEMA = pl.Schema(
    {c.CONTEXT_SUPPORT: pl.Float64(), c.SENTENCE_STATES: pl.String(), c.CITATIONS_WRONG: pl.Int32()}
)

_CITATION = re.compile(r"\[\^?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\](?!\()|【(\d{1,3})[^】]{0,20}】")
_PLACE = re.compile(r"\((?:[^()\n]{1,60}, )?(?:pp?|pages?|S|Seiten?)\.? ?\d+(?:[–-]\d+)?\)")


def measure_overlap(rows: pl.DataFrame) -> pl.DataFrame:
    """Return OVERLAP_SCHEMA of rows with response and contexts, in their order.
    `context_support`: the share, 0 to 1, of the response's words of content, each once, that stand in its passages;
    null without passages or words. `sentence_states`: FOUND, PARTLY or NOT_FOUND of each sentence, joined by "; ".
    `citations_wrong`: numbers that point to no passage."""
    cells = rows.select(pl.col(c.RESPONSE).fill_null(""), c.CONTEXTS).iter_rows()
    return pl.DataFrame([_measure(*row) for row in cells], schema=OVERLAP_SCHEMA, orient="row")


def _measure(response: str, contexts: list[str | None] | None) -> tuple[float | None, str | None, int | None]:
    levels = [level_text(text or "") for text in contexts or ()]
    if not any(levels):
        return None, None, None
    wrong = sum(not 1 <= number <= len(levels) for number in list_citations(response))
    terms = list_terms(hide_citations(response))
    if not terms:
        return None, None, wrong
    states = [state for _, _, state, _ in find_sentences(response, levels)]
    return share_held(terms, "\n".join(levels)), "; ".join(states), wrong


def find_sentences(response: str, contexts: Sequence[str]) -> list[tuple[int, int, str, int]]:
    """Return start, end, state and place of the nearest passage, from 0, of each sentence with a word of content."""
    plain, levels = hide_citations(response), [level_text(text) for text in contexts]
    read = []
    for start, end in sentences(plain):
        if terms := list_terms(plain[start:end]):
            shares = [share_held(terms, level) for level in levels]
            best = max(range(len(shares)), key=shares.__getitem__)
            state = FOUND if shares[best] >= MOST else NOT_FOUND if shares[best] < LITTLE else PARTLY
            read.append((start, end, state, best))
    return read


def hide_citations(text: str) -> str:
    """The text with blanks for its citations: every other character keeps its place."""
    for citation in (_CITATION, _PLACE):
        text = citation.sub(lambda match: " " * len(match[0]), text)
    return text


def list_citations(text: str) -> list[int]:
    """The numbers of the passages that a response cites: `[2]`, `[1, 3]`, `[2-4]`, `[^1]`, `【4】`; 1-based."""
    numbers: list[int] = []
    for match in _CITATION.finditer(text):
        for piece in re.split("[,;]", match[1] or match[2]):
            ends = [int(end) for end in re.split("[–-]", piece)]
            span = range(ends[0], ends[-1] + 1)
            numbers += span if 0 < len(span) <= 50 else ends[:1]
    return numbers
