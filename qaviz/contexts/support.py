"""How far responses stand in their contexts, and whether any context answers the question, without a language model.

Evidence in, fitted logistic models, probabilities out. What each piece of evidence weighs stands in support.json beside
its card; `python -m benchmarks.fit_support SETS` fits it.
"""

import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import pairwise
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from qaviz.contexts.passages import (
    NAME,
    NUMBER,
    WORD,
    Passages,
    Sentence,
    find_number,
    find_terms,
    find_word,
    is_near,
    join_passages,
    list_citations,
    list_cited_documents,
    read_sentences,
)
from qaviz.contexts.retrieval import name_document
from qaviz.contexts.swaps import DENIED, DENIES, Places, Stretches, Swap, read_swaps
from qaviz.model import columns as c

SUPPORTED, CONTRADICTED, NOT_FOUND, UNSURE = "supported", "contradicted", "not_found", "unsure"
CONTEXT_SUPPORT, SENTENCES, CITATIONS_WRONG = "context_support", "sentences", "citations_wrong"
SENTENCE = pl.Struct(
    {
        "start": pl.Int64,
        "end": pl.Int64,
        "stance": pl.String,
        "p": pl.Float64,
        "passage": pl.Int64,
        "quote_start": pl.Int64,
        "quote_end": pl.Int64,
        "why": pl.String,
    }
)
_SLACK = 60
"""Characters by which a passage may say at greater length what a sentence says."""
MOST_ODDS = 3.0
"""Log odds that one sentence may bring: it does not outweigh many others."""
FLAGGED = 0.65
"""Probability of another value from which a sentence is called contradicted."""
SURE, LOST = 0.7, 0.35
"""Probability from which a sentence is called supported, and that its words are there, below which it is not found."""
WEIGHTS = Path(__file__).with_name("support.json")
_TITLE = 80
"""Characters before a colon that are taken for a passage's title."""
ANSWERABLE = ("order", "title", "lead")


class Weights(NamedTuple):
    """One logistic regression: what each piece of evidence adds to the log odds."""

    weights: tuple[float, ...]
    intercept: float

    def weigh(self, evidence: tuple[float, ...]) -> float:
        """The log odds for one row of evidence."""
        odds: float = self.intercept + sum(map(mul, self.weights, evidence))
        return max(-30.0, min(30.0, odds))

    def predict(self, evidence: tuple[float, ...]) -> float:
        """The probability for one row of evidence."""
        return 1 / (1 + math.exp(-self.weigh(evidence)))


@cache
def load_weights() -> dict[str, Weights]:
    """What support.json holds, by name of the model."""
    models = json.loads(WEIGHTS.read_text(encoding="utf-8"))["models"]
    return {name: Weights(tuple(model["weights"].values()), model["intercept"]) for name, model in models.items()}


class Reading(NamedTuple):
    """What the passages say of one sentence."""

    sentence: Sentence
    found: tuple[float, ...]
    """Evidence that the sentence is in the passages: see `FOUND`."""
    swaps: tuple[Swap, ...]
    place: int
    """Where the best matching stretch of the passages starts, -1 if nothing matches."""
    end: int


FOUND = ("words", "new words", "together", "order", "numbers", "names", "length")


def score_support(rows: pl.DataFrame) -> pl.DataFrame:
    """How far every response stands in its contexts: one row a response, in the same order.

    Args:
        rows: columns question, response and contexts (a list of texts); context_documents, their names, if known.

    Returns:
        `context_support` (0 to 1, see `combine_readings`; null without contexts or without a sentence to check),
        `sentences` (place in the response,
        stance, probability that it is supported, the passage and its words) and `citations_wrong` (numbers that point
        to no context, documents with a page that are none of the contexts' documents where these are known).
    """
    cells = zip(
        rows[c.QUESTION].fill_null("").to_list(),
        rows[c.RESPONSE].fill_null("").to_list(),
        rows[c.CONTEXTS].to_list(),
        rows[c.CONTEXT_DOCUMENTS].to_list() if c.CONTEXT_DOCUMENTS in rows.columns else [None] * rows.height,
        strict=True,
    )
    scored = [_score_response(*row) for row in cells]
    return pl.DataFrame(
        {
            CONTEXT_SUPPORT: [support for support, _, _ in scored],
            SENTENCES: [sentences for _, sentences, _ in scored],
            CITATIONS_WRONG: [wrong for _, _, wrong in scored],
        },
        schema={CONTEXT_SUPPORT: pl.Float64, SENTENCES: pl.List(SENTENCE), CITATIONS_WRONG: pl.Int32},
    )


def _score_response(
    question: str, response: str, contexts: list[str | None] | None, documents: list[str | None] | None
) -> tuple[float | None, list[dict[str, Any]], int | None]:
    texts = tuple(text or "" for text in contexts or ())
    if not any(texts):
        return None, [], None
    wrong = sum(not 1 <= number <= len(texts) for number in list_citations(response))
    if known := {name_document(name) for name in documents or () if name}:
        wrong += sum(not _is_among(name_document(cited), known) for cited in list_cited_documents(response))
    passages = join_passages(texts)
    readings = read_support(response, passages, question)
    if not readings:
        return None, [], wrong
    sentences = [_judge_sentence(reading, response, passages) for reading in readings]
    return combine_readings(readings, load_weights()), sentences, wrong


def _is_among(cited: str, documents: set[str]) -> bool:
    """Whether a citation names one of the documents, in full or in part: `Annual report` of `annual_report_2023`."""
    words = {word for word in re.split(r"[\W_]+", cited) if word}
    return any(words <= set(re.split(r"[\W_]+", document)) for document in documents)


def combine_readings(readings: list[Reading], models: Mapping[str, Weights]) -> float:
    """The support of a response: the mean log odds of its sentences, weighed by what they say, as a probability.

    A sentence has the log odds that its words are there, at most `MOST_ODDS`, less those that one of its values, names
    or negations is another, where these are above 0.
    """
    sizes, odds = [], []
    for reading in readings:
        swapped = min(predict_swap(reading, models)[0], 0.999)
        against = max(0.0, math.log(swapped / (1 - swapped))) if swapped else 0.0
        sizes.append(len(reading.sentence.parts))
        odds.append(min(MOST_ODDS, models["found"].weigh(reading.found)) - against)
    return 1 / (1 + math.exp(-sum(map(mul, sizes, odds)) / sum(sizes)))


def predict_swap(reading: Reading, models: Mapping[str, Weights]) -> tuple[float, Swap | None]:
    """The most probable change of a value, a name or a negation in a sentence, and how probable it is."""
    return max(
        ((models[swap.kind].predict(swap.evidence), swap) for swap in reading.swaps),
        key=lambda pair: pair[0],
        default=(0.0, None),
    )


def _judge_sentence(reading: Reading, response: str, passages: Passages) -> dict[str, Any]:
    held = load_weights()["found"].predict(reading.found)
    swapped, swap = predict_swap(reading, load_weights())
    probability = held * (1 - swapped)
    stance, why = UNSURE, ""
    if held < LOST:
        stance, why = NOT_FOUND, f"{reading.found[0]:.0%} of its words stand in the contexts"
    elif swapped >= FLAGGED and swap is not None and (held >= SURE or swap.kind not in (DENIES, DENIED)):
        stance, why = CONTRADICTED, _explain_swap(swap, response, passages)
    elif probability >= SURE:
        stance = SUPPORTED
    quote: tuple[int | None, int | None, int | None] = (None, None, None)
    if reading.place >= 0 and stance != NOT_FOUND:
        number = bisect_right(passages.starts, reading.place) - 1
        start = passages.starts[number]
        quote = (number, reading.place - start, _end_word(passages.text, reading.end) - start)
    return {
        "start": reading.sentence.start,
        "end": reading.sentence.end,
        "stance": stance,
        "p": probability,
        "passage": quote[0],
        "quote_start": quote[1],
        "quote_end": quote[2],
        "why": why,
    }


def _end_word(text: str, end: int) -> int:
    while end < len(text) and text[end].isalnum() and text[end] < "\u0e00":
        end += 1
    return end


def _explain_swap(swap: Swap, response: str, passages: Passages) -> str:
    if swap.kind == DENIES:
        return "the response denies what the passage says"
    if swap.kind == DENIED:
        return "the passage denies what the response says"
    value = response[swap.start : swap.end]
    if swap.rival:
        return f"“{value}”, where the passage has “{passages.text[slice(*swap.rival)]}”"
    return f"“{value}” stands beside other words in the passages, or nowhere"


def score_answerable(rows: pl.DataFrame) -> pl.Series:
    """The probability that some context answers the question; null without question or contexts.

    Args:
        rows: columns question and contexts, in the order of the retriever. Words that many questions of the table have
            count little.
    """
    questions = [find_terms(question or "") for question in rows[c.QUESTION].to_list()]
    counts = Counter(term for terms in questions for term in terms)
    model = load_weights()["answerable"]
    probabilities = []
    for terms, contexts in zip(questions, rows[c.CONTEXTS].to_list(), strict=True):
        evidence = read_answerable(terms, [text or "" for text in contexts or ()], counts, len(questions))
        probabilities.append(model.predict(evidence) if evidence else None)
    return pl.Series("answerable", probabilities, dtype=pl.Float64)


def read_answerable(
    terms: tuple[str, ...], contexts: list[str], counts: Counter[str], questions: int
) -> tuple[float, ...] | None:
    """Evidence that a context answers a question: see `ANSWERABLE`; None without terms or contexts."""
    if not terms or not any(contexts):
        return None
    weights = {term: math.log((questions + 1) / (counts[term] + 0.5)) + 0.1 for term in terms}
    coverage = [_cover_best(weights, context) for context in contexts]
    spread = np.std(coverage)
    order = float(np.corrcoef(coverage, -np.arange(len(coverage)))[0, 1]) if len(coverage) > 1 and spread > 0 else 0.0
    title, colon, _ = contexts[0][:_TITLE].partition(":")
    titles = find_terms(title) if colon else ()
    unseen = math.log((questions + 1) / 0.5) + 0.1
    total = sum(weights.get(term, unseen) for term in titles)
    titled = sum(weights.get(term, 0.0) for term in titles) / total if total else 0.0
    return order, titled, coverage[0] - sum(coverage) / len(coverage)


def _cover_best(weights: dict[str, float], context: str) -> float:
    """The weight of the question's words in the best sentence of a passage, with its title, as a share of all."""
    lower = context.lower()
    colon = lower.find(":", 0, _TITLE)
    bounds = [place for sign in ".!?。！？" for place in _find_all(lower, sign)]
    bounds.sort()
    held: dict[int, float] = {}
    titled = 0.0
    for term, weight in weights.items():
        places = find_word(lower, term)
        if places and places[0] < colon:
            titled += weight
            continue
        for sentence in {bisect_right(bounds, place) for place in places}:
            held[sentence] = held.get(sentence, 0.0) + weight
    return (titled + max(held.values(), default=0.0)) / sum(weights.values())


def _find_all(text: str, sign: str) -> list[int]:
    places, place = [], text.find(sign)
    while place >= 0:
        places.append(place)
        place = text.find(sign, place + 1)
    return places


@lru_cache(maxsize=4096)
def _list_terms(question: str) -> frozenset[str]:
    return frozenset(part.term for sentence in read_sentences(question) for part in sentence.parts)


def read_support(response: str, passages: Passages, question: str = "") -> list[Reading]:
    """The evidence of every sentence of a response that says something checkable."""
    places: Places = {}
    in_question = _list_terms(question)
    sentences = [_level_opening(sentence, response, passages) for sentence in read_sentences(response)]
    for sentence in sentences:
        for part in sentence.parts:
            if part.term not in places:
                find = find_number if part.kind == NUMBER else find_word
                places[part.term] = find(passages.lower, part.term)
    return [_read_sentence(sentence, response, passages, places, in_question) for sentence in sentences]


def _level_opening(sentence: Sentence, response: str, passages: Passages) -> Sentence:
    """The sentence with a word for each name that may only be a word that opens a sentence, a line or a quotation."""
    parts = tuple(
        part._replace(kind=WORD) if part.kind == NAME and _may_open(part.start, part.end, response, passages) else part
        for part in sentence.parts
    )
    return sentence._replace(parts=parts)


def _may_open(start: int, end: int, response: str, passages: Passages) -> bool:
    before = response[max(0, start - 2) : start].strip(" \n")[-1:]
    if before.isalnum() or before == ",":
        return False
    word = response[start:end]
    capitals = passages.text.count(word)
    return not capitals or passages.lower.count(word.lower()) > capitals


def _read_sentence(
    sentence: Sentence, response: str, passages: Passages, places: Places, in_question: frozenset[str]
) -> Reading:
    parts = sentence.parts
    held = [bool(places[part.term]) for part in parts]
    rare = {part.term: 1 / (1 + math.log(len(places[part.term]))) for part in parts if places[part.term]}
    size = sentence.end - sentence.start
    stretches = _find_stretches(rare, places, int(1.3 * size) + _SLACK)
    best, place, end = stretches[0] if stretches else (0.0, -1, -1)
    new = [there for part, there in zip(parts, held, strict=True) if part.term not in in_question]
    numbers = [there for part, there in zip(parts, held, strict=True) if part.kind == NUMBER]
    names = [
        there for part, there in zip(parts, held, strict=True) if part.kind == NAME and part.start > sentence.start
    ]
    terms = len({part.term for part in parts})
    words = sum(held) / len(parts)
    together = best / (sum(rare.values()) + (terms - len(rare)))
    ordered = [
        any(is_near(places[second.term], first_place + 1, first_place + 40) for first_place in places[first.term])
        for first, second in pairwise(parts)
    ]
    features = (
        words,
        sum(new) / len(new) if new else words,
        together,
        sum(ordered) / len(ordered) if ordered else words,
        sum(numbers) / len(numbers) if numbers else 1.0,
        sum(names) / len(names) if names else 1.0,
        math.log(1 + len(parts)),
    )
    swaps = read_swaps(sentence, response, passages, places, stretches, in_question, features)
    return Reading(sentence, features, swaps, place, end)


def _find_stretches(rare: dict[str, float], places: Places, width: int) -> Stretches:
    """The three best stretches of the passages for the words of a sentence: their summed weight, start and end."""
    events = sorted((place, term) for term in rare for place in places[term])
    counts: dict[str, int] = {}
    total, first = 0.0, 0
    heights: Stretches = []
    for place, term in events:
        if not counts.get(term):
            total += rare[term]
        counts[term] = counts.get(term, 0) + 1
        while place - events[first][0] > width:
            left = events[first][1]
            counts[left] -= 1
            if not counts[left]:
                total -= rare[left]
            first += 1
        heights.append((total, events[first][0], place + len(term)))
    heights.sort(key=lambda height: (-height[0], height[2] - height[1]))
    stretches: Stretches = []
    for height in heights:
        if all(height[1] > other[2] or height[2] < other[1] for other in stretches):
            stretches.append(height)
            if len(stretches) == 3:
                break
    return stretches
