"""What the Question page says of one response: its words marked, the evidence's places, each score as arithmetic."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import polars as pl

from qaviz.analysis import numbers
from qaviz.diagnosis import RULES, deciding
from qaviz.model import columns as c
from qaviz.model.metrics import METRICS
from qaviz.model.records import Thresholds
from qaviz.scoring.explanation import Explanation, Mark, MarkedWord, explain_row

LONGEST_EXPLAINED, LONGEST_SHOWN = 100_000, 20_000
"""Characters of a text up to which its words are compared one by one, about 2 µs each; and that go to the browser."""
PLAIN = "plain"
"""Mark of what FMEval drops from the comparison: articles, lone punctuation, blanks."""
FACT_PLACE = "fact"
"""Evidence of a stretch in which a variant of the fact stands."""
_FURTHER = {
    c.RECALL_BESIDE_FACT: "closeness over the golden answer's words without those of the fact",
    c.BERTSCORE: "each word's embedding, compared with the nearest word of the other text",
}


class DiagnosedRow(c.ScoredRow):
    """A diagnosed row of a run. It has a column for each score too (see `_read_score`)."""

    pipeline: str
    diagnosis: str
    verdict: str
    confidence: float | None
    reason: str
    spans: list[dict[str, Any]] | None
    """Stretches of the response that the diagnosis quotes: kind; start and end in characters."""


Place = tuple[int, int, str]
"""Start and end of a stretch of a text, and what is there."""


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """A piece of a text, all of which is marked the same way."""

    text: str
    mark: str
    """One of `Mark`, or PLAIN."""
    evidence: str
    """FACT_PLACE, or the kind of evidence that the diagnosis quotes here; empty elsewhere."""


@dataclass(frozen=True, kw_only=True)
class Sum:
    """One score as arithmetic."""

    label: str
    value: str
    working: str
    help: str
    """What the metric asks, and what this value of it says."""


@dataclass(frozen=True, kw_only=True)
class ResponseCard:
    """One pipeline's response to one question, taken apart."""

    pipeline: str
    diagnosis: str
    verdict: str
    confidence: float | None
    reason: str
    suggestion: str
    response: tuple[Stretch, ...]
    left_out: int
    """Characters of the response beyond LONGEST_SHOWN."""
    golden: tuple[Stretch, ...]
    """The variant of the golden answer that is closest, as far as the response covers it."""
    sums: tuple[Sum, ...]
    warnings: tuple[str, ...]


def response_cards(rows: pl.DataFrame, pipelines: Sequence[str], thresholds: Thresholds) -> list[ResponseCard]:
    """A card for each diagnosed row of one question, in the order of the pipelines. Not for bulk."""
    rows = rows.sort(pl.col(c.PIPELINE).cast(pl.Enum(pipelines)))
    rules = deciding(rows, thresholds)
    return [
        response_card(row, RULES[rule].advice)
        for row, rule in zip(c.typed_rows(rows, DiagnosedRow), rules, strict=True)
    ]


def response_card(row: DiagnosedRow, suggestion: str) -> ResponseCard:
    """The card of one diagnosed row; `suggestion` says what to change, empty where nothing is."""
    texts = (row[c.ANSWER], row[c.FACT], row[c.QUESTION], row[c.RESPONSE])
    short = all(len(text or "") <= LONGEST_EXPLAINED for text in texts)
    explained = explain_row(row) if short else None
    closest = explained.comparisons[explained.best[c.RECALL]] if explained and explained.comparisons else None
    response, variants = row[c.RESPONSE] or "", explained.variants if explained else ()
    places = [(hit.start, hit.end, FACT_PLACE) for variant in variants if (hit := variant.best)]
    places += [(span["start"], span["end"], span["kind"]) for span in row["spans"] or ()]
    return ResponseCard(
        pipeline=row[c.PIPELINE],
        diagnosis=row[c.DIAGNOSIS],
        verdict=row[c.VERDICT],
        confidence=row[c.CONFIDENCE],
        reason=row[c.REASON],
        suggestion=suggestion,
        response=stretches(response, closest.response_words if closest else (), places),
        left_out=max(0, len(response) - LONGEST_SHOWN),
        golden=stretches(closest.variant, closest.variant_words) if closest else (),
        sums=sums(row, explained),
        warnings=tuple(row[c.WARNINGS] or ()),
    )


def stretches(text: str, words: Sequence[MarkedWord], evidence: Sequence[Place] = ()) -> tuple[Stretch, ...]:
    """The text up to LONGEST_SHOWN in order, cut wherever a mark or a piece of evidence begins or ends.

    Where pieces of evidence overlap, the first counts.
    """
    end_of_text = min(len(text), LONGEST_SHOWN)
    marks = [(word.start, word.end, word.mark.value) for word in words]
    cuts = {0, end_of_text}.union(at for start, end, _ in (*marks, *evidence) for at in (start, end))
    stretches_so_far, coming = list[Stretch](), deque(marks)
    for start, end in pairwise(sorted(at for at in cuts if at <= end_of_text)):
        while coming and coming[0][1] <= start:
            coming.popleft()
        stretches_so_far.append(
            Stretch(
                text=text[start:end],
                mark=coming[0][2] if coming and coming[0][0] <= start else PLAIN,
                evidence=next((kind for first, last, kind in evidence if first <= start and end <= last), ""),
            )
        )
    return tuple(stretches_so_far)


def sums(row: DiagnosedRow, explained: Explanation | None) -> tuple[Sum, ...]:
    """Each score of the row and how it comes about; a missing score with the reason why.

    Without an explanation, because the text is too long, each working says that.
    """
    if explained is None:
        too_long = f"a text has more than {numbers.count(LONGEST_EXPLAINED)} characters"
        return tuple(_make_sum(row, name, f"not shown in parts: {too_long}") for name in c.SCORES)
    workings = {
        **{name: row[c.UNSCORED_FACT] or _word_fact(row, explained, name) for name in c.FACT_SCORES},
        **{name: row[c.UNSCORED_ANSWER] or _word_answer(row, explained, name) for name in c.ANSWER_SCORES},
        **{name: words for name, words in _FURTHER.items() if _read_score(row, name) is not None},
    }
    return tuple(_make_sum(row, name, working) for name, working in workings.items())


def _read_score(row: DiagnosedRow, name: str) -> float | None:
    """The score of this name; None where there is none, or the run has no such column."""
    return cast("Mapping[str, float | None]", row).get(name)


def _make_sum(row: DiagnosedRow, name: str, working: str) -> Sum:
    metric, value = METRICS[name], _read_score(row, name)
    is_yes_or_no = name in (*c.FACT_SCORES, c.EXACT_MATCH, c.QUASI_EXACT_MATCH)
    written = f"{value:.0f}" if is_yes_or_no and value is not None else numbers.score(value)
    reading = "" if value is None else f" {written}: {metric.reading(value)}."
    return Sum(label=metric.label, value=written, working=working, help=metric.help + reading)


def _word_kept_score(kept: float | None, computed: float, working: str) -> str:
    if kept is None or abs(kept - computed) < 1e-9:  # one score, computed in another order
        return working
    return f"from the run's files; qaviz computes from these texts: {numbers.score(computed)}: {working}"


def _word_fact(row: DiagnosedRow, explained: Explanation, name: str) -> str:
    """How the score of this name, one of FACT_SCORES, comes about."""
    exact, variants = name == c.FACTUAL_KNOWLEDGE, explained.variants
    hitting = [hit.variant for hit in variants if (hit.exact if exact else hit.quasi_exact) is not None]
    stated, words = bool(hitting), f"none of {numbers.plural(len(variants), 'variant')} is in the response"
    if explained.needs_all:
        stated = len(hitting) == len(variants)
        words = f"{len(hitting)} of {numbers.plural(len(variants), 'part')} of the fact stated; all are required"
    elif hitting:
        words = f"“{hitting[0]}” is in the response" + ("" if exact else ", ignoring punctuation and articles")
    return _word_kept_score(_read_score(row, name), float(stated), words)


def _word_answer(row: DiagnosedRow, explained: Explanation, name: str) -> str:
    """How the score of this name, one of ANSWER_SCORES, comes from the words of both texts."""
    at, several = explained.best[name], len(explained.comparisons)
    best = explained.comparisons[at]
    scores, shared = best.scores, len(best.words(Mark.FOUND))
    missing, extra = len(best.words(Mark.MISSING)), len(best.words(Mark.EXTRA, Mark.QUESTION))
    of_f1 = "0, because no word is found"
    if scores.precision and scores.recall:
        of_f1 = f"1 ÷ (½ ÷ {scores.precision:.3f} + ½ ÷ {scores.recall:.3f}) = {scores.f1:.3f}"
    same = "the same words in the same order, ignoring case, punctuation and articles"
    words = {
        c.RECALL: _word_share(shared, missing, "missing", scores.recall),
        c.PRECISION: _word_share(shared, extra, "extra", scores.precision),
        c.F1: of_f1,
        c.EXACT_MATCH: f"{'' if scores.exact_match else 'not '}the same text, letter for letter",
        c.QUASI_EXACT_MATCH: f"{'' if scores.quasi_exact_match else 'not '}{same}",
    }
    of_several = f" (with variant {at + 1} of {several} of the golden answer)" if several > 1 else ""
    computed = scores[c.ANSWER_SCORES.index(name)]
    return _word_kept_score(_read_score(row, name), computed, words[name] + of_several)


def _word_share(hits: int, others: int, name: str, value: float) -> str:
    whole = hits + others
    return f"{hits} found ÷ ({hits} found + {others} {name}) = {hits} ÷ {whole} = {value:.3f}" if whole else "no words"
