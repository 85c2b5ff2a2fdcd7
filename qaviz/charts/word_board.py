"""A golden triplet and every response to it as plain data: what the Question page and reports draw word by word."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import TypeAlias

from qaviz.analysis import numbers
from qaviz.analysis.response_card import FACT_PLACE, LONGEST_SHOWN, ResponseCard
from qaviz.charts import DIAGNOSIS_COLOURS
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.scoring.explanation import Mark

OPEN_UP_TO = 4
"""Cards that stand open, with their arithmetic; of more one does, and the others are a line each to open."""

EVIDENCE = "evidence"

_MARK_NAMES = {
    Mark.FOUND.value: "found in both",
    Mark.MISSING.value: "missing in the response",
    Mark.EXTRA.value: "extra in the response",
    Mark.QUESTION.value: "extra, from the question",
    FACT_PLACE: "the fact",
    EVIDENCE: "quoted by the diagnosis",
}
_LABELS = {
    "response": "Response",
    "empty": "The response is empty.",
    "golden": "Golden answer: words that the response has",
    "sums": "How the scores are computed",
    "sets": "Words are compared as sets: in lower case, without punctuation and a, an, the; a word counts once, "
    "however often it is used.",
    "warning": "Caution",
}

Drawn: TypeAlias = dict[str, object]
"""What words.js reads: JSON."""


def board(
    triplet: c.Triplet, cards: Sequence[ResponseCard], *, compact: bool = False, at: str = "", beside: str = ""
) -> Drawn:
    """What words.js draws: a triplet (a row of the golden dataset) and a card for each response to it. The card of the
    pipeline `at` stands first and comes into view. Of many cards it alone is open, or the first; the others are a line
    each. So are they on a `compact` board, but the card of the pipeline `beside`, which stands open at its side.
    Elsewhere the arithmetic of few cards stands open."""
    ordered = sorted(cards, key=lambda card: (card.pipeline != at, card.pipeline != beside))
    many = compact or len(cards) > OPEN_UP_TO
    pair = [at, beside] == [card.pipeline for card in ordered[:2]]
    return {
        **SIGNS,
        "triplet": triplet_card(triplet),
        "cards": [_draw_card(card, not many) for card in ordered],
        "whole": 1 + pair if many else len(cards),
        "at": at,
        "compact": compact,
    }


def class_of(mark: str) -> str:
    """The style of a mark; that of the question's words has a name of its own beside the question's."""
    return "question-word" if mark == Mark.QUESTION else mark


SIGNS: Mapping[str, object] = {
    "legend": [{"className": class_of(name), "meaning": meaning} for name, meaning in _MARK_NAMES.items()],
    "names": {class_of(name): meaning for name, meaning in _MARK_NAMES.items()},
    "labels": _LABELS,
}
"""What the marks mean, and the words around them: the same for every question."""


def triplet_card(triplet: c.Triplet) -> Drawn:
    """A golden triplet: its question, the variants of its answer and its fact, and notes with their labels."""
    fact, answer = triplet[c.FACT] or "", triplet[c.ANSWER] or ""
    wants_all = c.AND_DELIMITER in fact
    variants = _split_variants(fact, c.AND_DELIMITER if wants_all else c.OR_DELIMITER)
    required = "all of these are required" if wants_all else "any of these is enough"
    answerable = {True: "yes", False: "no: declining is right", None: ""}[triplet[c.ANSWERABLE]]
    notes = {
        "Id": triplet[c.QUESTION_ID],
        "Category": triplet[c.CATEGORY],
        "Source": triplet[c.SOURCE],
        "Answerable": answerable,
    }
    return {
        "question": triplet[c.QUESTION] or triplet[c.QUESTION_ID],
        "answers": _split_variants(answer, c.OR_DELIMITER),
        "variants": variants,
        "none": "None in the golden dataset.",
        "labels": {
            "answer": "Golden answer",
            "fact": "Fact" if len(variants) < 2 else f"Fact: {required}",
        },
        "notes": [(label, note) for label, note in notes.items() if note],
    }


def _split_variants(text: str, delimiter: str) -> list[str]:
    return [part[:LONGEST_SHOWN] for part in text.split(delimiter)] if text.strip() else []


def _draw_card(card: ResponseCard, stands_open: bool) -> Drawn:
    drawn = asdict(card)
    for marked in chain(drawn["response"], drawn["golden"]):
        marked["mark"] = class_of(marked["mark"])
    return drawn | {
        "colour": DIAGNOSIS_COLOURS[Diagnosis(card.diagnosis)],
        "left_out": f"… and {numbers.plural(card.left_out, 'more character')}" if card.left_out else "",
        "open": stands_open,
    }
