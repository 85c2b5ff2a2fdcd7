"""Why one response got its scores: words found, missing and extra, hits of the fact, and the arithmetic between."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from unicodedata import category

from qaviz.model import columns as c
from qaviz.scoring import definition
from qaviz.scoring.definition import needs_all, words_of

_WORD = re.compile(r"\S+")  # what `str.split` parts: both know the same white space
_PUNCTUATION_RUN = re.compile(f"[{re.escape(definition.PUNCTUATION)}]+")
_REACH = 60


# Where the fact stands.


@dataclass(frozen=True, slots=True)
class Hit:
    """One place in a response where a variant of the fact stands."""

    variant: str
    """As it is written in the fact."""
    exact: bool
    """False where only the normalised texts agree."""
    start: int
    """Offset of the first character in the response; an empty variant hits at 0."""
    end: int
    """Offset after the last character."""
    inside_token: bool
    """Whether the variant is nowhere in the response but as a part of a larger word or number."""


@dataclass(frozen=True, slots=True)
class VariantHits:
    """Where one variant of the fact stands in the response; None where it does not."""

    variant: str
    exact: Hit | None
    quasi_exact: Hit | None

    @property
    def best(self) -> Hit | None:
        """The one that stands alone, the exact one if both or neither do."""
        return min((hit for hit in (self.exact, self.quasi_exact) if hit), key=_weakness, default=None)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in the form that is searched, and the offset in the original of each of its characters."""

    text: str
    at: Sequence[int]


def fold_case(text: str) -> Folded:
    """Return the text in lower case. `İ` becomes two characters, so offsets can shift."""
    lower = text.lower()
    if len(lower) == len(text):
        return Folded(lower, range(len(text)))
    return Folded(lower, [offset for offset, character in enumerate(text) for _ in character.lower()])


def fold_normalised(low: Folded) -> Folded:
    """Return a text from `fold_case` as `definition.normalise` leaves it after `strip`."""
    begin, end = len(low.text) - len(low.text.lstrip()), len(low.text.rstrip())
    bare = list[int]()  # the offsets of what is no punctuation
    for run in _PUNCTUATION_RUN.finditer(low.text, begin, end):
        bare += low.at[begin : run.start()]
        begin = run.end()
    bare += low.at[begin:end]
    words, at, place = list[str](), list[int](), 0
    for word in definition.without_punctuation(low.text.strip()).split(" "):
        if word and word not in definition.ARTICLES:
            blank_too = place - 1 if words else place
            at += bare[blank_too : place + len(word)]
            words.append(word)
        place += len(word) + 1
    return Folded(" ".join(words), at)


def find_fact(fact: str, response: str) -> Hit | None:
    """Return the hit that speaks best for the fact, None where FMEval has none. A variant with text comes before an
    empty one, a hit that stands alone before one inside a larger token, an exact one before a quasi-exact one. Where
    every variant counts, it is the weakest hit."""
    every, low = needs_all(fact), fold_case(response)
    for variant in () if every else filter(None, definition.fact_variants(fact)):
        hit = _find(variant, variant.lower(), response, low, exact=True)
        if hit and not hit.inside_token:  # as nearly all are, and none is better
            return hit
    variants = find_variants(fact, response)
    hits = [hit for variant in variants if (hit := variant.best)]
    if not every:
        return min(hits, key=_weakness, default=None)
    stated = all(variant.exact for variant in variants) or all(variant.quasi_exact for variant in variants)
    return max(hits, key=_weakness) if stated else None


def find_variants(fact: str, response: str) -> list[VariantHits]:
    """Return where each variant of the fact stands in the response, in the fact's order."""
    low = fold_case(response)
    normal = fold_normalised(low)
    return [
        VariantHits(
            variant,
            _find(variant, variant.lower(), response, low, exact=True),
            _find(variant, definition.normalise(variant.strip()), response, normal, exact=False),
        )
        for variant in definition.fact_variants(fact)
    ]


def _weakness(hit: Hit) -> tuple[bool, bool, bool]:
    return hit.start == hit.end, hit.inside_token, not hit.exact


def _find(variant: str, wanted: str, response: str, folded: Folded, *, exact: bool) -> Hit | None:
    """Return the first place that stands alone, else the first place."""
    best: Hit | None = None
    for start, end in islice(_places(wanted, folded), 10_000):  # a hostile response may have a million
        inside = start < end and (continues(response, start) or continues(response, end))
        if not inside or not best:
            best = Hit(variant, exact, start, end, inside)
        if not inside:
            break
    return best


def _places(wanted: str, folded: Folded) -> Iterator[tuple[int, int]]:
    """Yield the offsets in the original of the places, which do not overlap, where the wanted text stands."""
    if not wanted:
        yield 0, 0
        return
    place = folded.text.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        yield folded.at[place], folded.at[end - 1] + 1
        place = folded.text.find(wanted, end)


def continues(text: str, offset: int) -> bool:
    """Return whether a word or a number of the text goes on across the offset. Digits continue digits, also over one
    point or comma (`134|.4`); letters continue letters in scripts that have case, since others put no blanks between
    words. A number and a word are two tokens: `FY|2023`."""
    if not 0 < offset < len(text):
        return False
    before, after = text[offset - 1], text[offset]
    if before.isdecimal():
        return after.isdecimal() or (after in ".," and text[offset + 1 : offset + 2].isdecimal())
    if after.isdecimal():
        return before in ".," and text[max(offset - 2, 0) : offset - 1].isdecimal()
    return {category(before), category(after)} <= {"Lu", "Ll", "Lt"}


def token_around(text: str, start: int, end: int) -> str:
    """Return the stretch of the text together with what it is a part of: `112%` for the `12%` in it. Of a hostile token
    of a million characters, no more than _REACH on either side."""
    first, last = max(start - _REACH, 0), min(end + _REACH, len(text))
    while start > first and continues(text, start):
        start -= 1
    while end < last and continues(text, end):
        end += 1
    return text[start:end]


# What the words make.


class Mark(StrEnum):
    """What a word of the golden answer or of the response is to the comparison."""

    FOUND = "found"
    """In both."""
    MISSING = "missing"
    """In the golden answer only."""
    EXTRA = "extra"
    """In the response only."""
    QUESTION = "question"
    """In the response only, and in the question too. FMEval counts it as extra."""


@dataclass(frozen=True, slots=True)
class MarkedWord:
    """One word as it stands in the original text. What FMEval drops (articles, lone punctuation) has none."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset after its last character."""
    mark: Mark
    word: str
    """How it is compared: lower case, without punctuation."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The response against one variant of the golden answer."""

    variant: str
    variant_words: tuple[MarkedWord, ...]
    """Offsets into `variant`."""
    response_words: tuple[MarkedWord, ...]
    """Offsets into the response."""
    scores: definition.AnswerScores
    """recall = TP / (TP + FN), precision = TP / (TP + FP), F1 their harmonic mean; 0.0 where a sum is 0."""

    def words(self, *marks: Mark) -> tuple[str, ...]:
        """The distinct words so marked: found are true positives, missing false negatives, others false positives."""
        both = (*self.variant_words, *self.response_words)
        return tuple(dict.fromkeys(word.word for word in both if word.mark in marks))


@dataclass(frozen=True, slots=True)
class Explanation:
    """One response, taken apart."""

    comparisons: tuple[Comparison, ...]
    """One for each variant of the golden answer, in its order; empty without an answer."""
    best: Mapping[str, int]
    """For each of `model.ANSWER_SCORES` the index of the first comparison that gave it."""
    variants: tuple[VariantHits, ...]
    """One for each variant of the fact, in its order; empty without a fact."""
    needs_all: bool
    """Whether FMEval wants every variant of the fact (`<AND>`) rather than one."""


def explain_row(row: c.ScoredRow) -> Explanation:
    """Return how the scores of a row of `score` come about. What `score` leaves unscored is left out here too."""
    answer, response = row[c.ANSWER], row[c.RESPONSE] or ""
    fact = None if row[c.UNSCORED_FACT] else row[c.FACT]
    variants = answer.split(c.OR_DELIMITER) if answer and not row[c.UNSCORED_ANSWER] else []
    question_words = words_of(row[c.QUESTION] or "")
    comparisons = [_compare_variant(variant, response, question_words) for variant in variants]
    columns = zip(*(comparison.scores for comparison in comparisons), strict=True)
    return Explanation(
        comparisons=tuple(comparisons),
        best={name: values.index(max(values)) for name, values in zip(c.ANSWER_SCORES, columns, strict=False)},
        variants=tuple(find_variants(fact, response)) if fact else (),
        needs_all=bool(fact and needs_all(fact)),
    )


def _compare_variant(variant: str, response: str, question_words: Collection[str]) -> Comparison:
    golden, stated = _placed_words(variant), _placed_words(response)
    marks = {
        word: Mark.FOUND if word in golden else Mark.QUESTION if word in question_words else Mark.EXTRA
        for word in stated
    }
    return Comparison(
        variant=variant,
        variant_words=_merge_marks(golden, {word: Mark.FOUND if word in stated else Mark.MISSING for word in golden}),
        response_words=_merge_marks(stated, marks),
        scores=definition.compare(variant, response),
    )


def _placed_words(text: str) -> dict[str, list[tuple[int, int]]]:
    """Return each distinct normalised word with the stretches of the original text that it comes from."""
    folded = fold_normalised(fold_case(text))
    places = defaultdict[str, list[tuple[int, int]]](list)
    for match in _WORD.finditer(folded.text):
        places[match.group()].append((folded.at[match.start()], folded.at[match.end() - 1] + 1))
    return places


def _merge_marks(places: Mapping[str, list[tuple[int, int]]], marks: Mapping[str, Mark]) -> tuple[MarkedWord, ...]:
    return tuple(
        MarkedWord(start, end, marks[word], word)
        for start, end, word in sorted((*stretch, word) for word, stretches in places.items() for stretch in stretches)
    )
