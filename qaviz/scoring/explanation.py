"""Why one response got its scores: words found, missing and extra, hits of the fact, and the arithmetic between."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from qaviz.model import columns as c
from qaviz.scoring.definition import AnswerScores, compare, needs_all, words_of
from qaviz.scoring.facts import VariantHits, find_variants, fold_case, fold_normalised

_WORD = re.compile(r"\S+")  # what `str.split` parts: both know the same white space


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
    scores: AnswerScores
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
        scores=compare(variant, response),
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
