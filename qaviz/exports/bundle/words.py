"""The words of single responses, taken apart: too much to read at once, so in parts of a few questions each."""

from collections.abc import Iterator, Mapping
from itertools import chain

import polars as pl

from qaviz.analysis.closeness import with_normalised
from qaviz.analysis.response_card import DiagnosedRow, ResponseCard, Stretch, response_card
from qaviz.charts.word_board import class_of, triplet_card
from qaviz.diagnosis import RULES, deciding
from qaviz.model.classes import Fault
from qaviz.model.columns import ANSWER, OR_DELIMITER, PIPELINE, QUESTION_ID, Triplet, typed_rows
from qaviz.model.records import Progress, Run

RESPONSES_A_PART = 200
"""Responses, about, whose words are read together when one of them is opened: some 400 kB."""


class _Shared:
    """Values of a part that many cards share, each written once."""

    def __init__(self) -> None:
        self.place_of: dict[object, int] = {}

    def place(self, value: object) -> int:
        return self.place_of.setdefault(value, len(self.place_of))


class _Row(DiagnosedRow):
    row: int
    """Its place among the rows of the run."""
    rule: int
    """The place in RULES of the rule that decided."""


def questions_in_part(run: Run) -> int:
    """How many questions, with all their responses, make a part."""
    return max(1, RESPONSES_A_PART // max(1, len(run.pipelines)))


def word_parts(run: Run, golden: pl.DataFrame, rows: pl.DataFrame, progress: Progress) -> Iterator[dict[str, object]]:
    """Parts of `questions_in_part` questions in the golden dataset's order: each question's triplet, and for each
    response the marks of its words, its scores as arithmetic, and its sets of words.

    What words.js draws, packed: `questions` holds a triplet and cards; the cards name their row of the run, and texts,
    marks and places in `shared`.
    """
    rows = with_normalised(rows).with_row_index("row").with_columns(deciding(rows, run.thresholds).alias("rule"))
    order = pl.col(PIPELINE).cast(pl.Enum(run.pipelines))
    responses = rows.sort(order, maintain_order=True).partition_by(QUESTION_ID, as_dict=True)
    size = questions_in_part(run)
    for start in range(0, golden.height, size):
        progress(start / golden.height, "taking responses apart")
        shared = _Shared()
        part = golden.slice(start, size)
        questions = [_pack_question(triplet, responses, shared) for triplet in typed_rows(part, Triplet)]
        yield {"questions": questions, "shared": list(shared.place_of)}


def _pack_question(
    triplet: Triplet, responses: Mapping[tuple[object, ...], pl.DataFrame], shared: _Shared
) -> dict[str, object]:
    own = responses.get((triplet[QUESTION_ID],))
    cards = [] if own is None else [_pack_card(row, shared) for row in typed_rows(own, _Row)]
    return {"triplet": triplet_card(triplet), "cards": cards}


def _pack_card(row: _Row, shared: _Shared) -> dict[str, object]:
    rule = RULES[row["rule"]]
    card = response_card(row, "" if rule.fault == Fault.NOBODY else rule.suggestion)
    return {
        "row": row["row"],
        "response": _pack_marks(card.response, shared),
        "variant": _find_variant(row, card),
        "golden": _pack_marks(card.golden, shared),
        "sums": [
            [shared.place(text) for text in (each.label, each.value, each.working, each.help)] for each in card.sums
        ],
        "words": [[shared.place(class_of(each.mark)), each.title, " ".join(each.words)] for each in card.words],
        "compared": _pack_orders(card),
        "repeats": card.repeats,
        "left_out": card.left_out,
    }


def _pack_marks(stretches: tuple[Stretch, ...], shared: _Shared) -> list[int]:
    """Length in characters and style of each stretch, one after the other; the text itself is the run's."""
    return [
        number
        for stretch in stretches
        for number in (len(stretch.text), shared.place((class_of(stretch.mark), stretch.evidence)))
    ]


def _pack_orders(card: ResponseCard) -> list[list[int]]:
    """The words of response and variant as they are compared, each by its place in the sets of words."""
    words = chain.from_iterable(each.words for each in card.words)
    places = {word: place for place, word in enumerate(words)}
    return [[places[stretch.text] for stretch in text] for text in card.compared]


def _find_variant(row: _Row, card: ResponseCard) -> int:
    """Which variant of the golden answer the card compares with."""
    text = "".join(stretch.text for stretch in card.golden)
    variants = (row[ANSWER] or "").split(OR_DELIMITER)
    return next((place for place, variant in enumerate(variants) if variant.startswith(text)), 0)
