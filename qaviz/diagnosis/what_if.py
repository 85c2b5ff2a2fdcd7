"""Judging again only what can change: with moved thresholds, or on another version of the golden dataset."""

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from operator import or_

import polars as pl

from qaviz.diagnosis.extract_evidence import extract_evidence
from qaviz.diagnosis.judging import JUDGED, classes, columns_judged, columns_of_classes, judge, judgements
from qaviz.diagnosis.rules import RULES
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.records import Progress, Thresholds
from qaviz.scoring import score

_BY_CLOSENESS = sorted(
    {
        rule.diagnosis.value
        for rule in RULES
        if rule.name in ("close_without_fact", "close_without_golden_fact", "off_target")
    }
)
"""Diagnoses whose confidence says how far the closeness is from its threshold."""

_PLACE = "place in the table"

_DECIDE = (c.QUESTION, c.ANSWER, c.FACT, c.ANSWERABLE)
"""What scores and diagnoses of a response depend on, beside the response."""

_BESIDE = [column for column in c.GOLDEN_COLUMNS if column not in (c.QUESTION_ID, *_DECIDE)]

_TRIPLET_PLACE = "place"


def judge_again(judged: pl.DataFrame, before: Thresholds, after: Thresholds) -> pl.DataFrame:
    """What `judge` returns for `after`, given a table that it returned for `before`; the rows keep their order.

    Most rows are far from a threshold that moves a little: at a million responses this is what makes a trial quick.
    """
    place, rows = _select_reached(
        judged, columns_judged(judged.columns), _moved_expression(judged.columns, before, after)
    )
    if place.is_empty():
        return judged
    anew = judgements(rows, after)
    # Runs of earlier versions lack what came later.
    judged = judged.with_columns(pl.lit(None, anew[name].dtype).alias(name) for name in JUDGED if name not in judged)
    # Written over a copy of the columns: to gather all rows of them takes four times as long.
    written = (judged[column].clone().rechunk().scatter(place, anew[column]) for column in JUDGED)
    lengths = judged[c.DIAGNOSIS].chunk_lengths()
    return judged.with_columns(_in_chunks(column, lengths) for column in written)


def _in_chunks(column: pl.Series, lengths: list[int]) -> pl.Series:
    """The column in chunks of these lengths: beside columns in other chunks, polars would copy all of them."""
    starts = accumulate(lengths, initial=0)
    return pl.concat([column.slice(start, length) for start, length in zip(starts, lengths, strict=False)])


def moved_classes(judged: pl.DataFrame, before: Thresholds, after: Thresholds) -> tuple[pl.Series, pl.DataFrame]:
    """Where the rows stand whose diagnosis may differ between the two; their DIAGNOSIS, VERDICT and FAULT by `after`.

    A fraction of the work of `judge_again`: no words are made, and the texts of the responses are not read.
    """
    moved = _crossed_expression(judged.columns, before, after) & (pl.col(c.DIAGNOSIS) != Diagnosis.UNSCORED.value)
    place, rows = _select_reached(judged, columns_of_classes(judged.columns), moved)
    return place, classes(rows, after)


def _select_reached(judged: pl.DataFrame, columns: Sequence[str], reached: pl.Expr) -> tuple[pl.Series, pl.DataFrame]:
    """Where the rows stand that are reached, and these columns of them, in one chunk."""
    read = {*columns, *reached.meta.root_names()}
    # Filtered, not gathered: that would first copy columns of many chunks whole. In one chunk, because polars 2.1 fails
    # over some rules in several.
    rows = judged.lazy().select(read).with_row_index(_PLACE).filter(reached.fill_null(False)).collect().rechunk()
    return rows[_PLACE], rows.drop(_PLACE)


def _moved_expression(columns: Sequence[str], before: Thresholds, after: Thresholds) -> pl.Expr:
    """Whether diagnosis, confidence or reason of a row may differ between the two."""
    moved = [_crossed_expression(columns, before, after)]
    if before.high_closeness != after.high_closeness:
        moved.append(pl.col(c.DIAGNOSIS).is_in(_BY_CLOSENESS))
    if before.same_meaning != after.same_meaning and c.BERTSCORE in columns:
        moved.append(pl.col(c.BERTSCORE).is_not_null())
    return reduce(or_, moved)


def _crossed_expression(columns: Sequence[str], before: Thresholds, after: Thresholds) -> pl.Expr:
    """Whether a threshold passes over what it is compared with in a row."""
    bounds = (
        (c.RECALL, before.high_closeness, after.high_closeness),
        (c.PRECISION, before.low_conciseness, after.low_conciseness),
        (c.RECALL_BESIDE_FACT, before.accidental_context, after.accidental_context),
        (c.BERTSCORE, before.same_meaning, after.same_meaning),
        (c.CONFIDENCE, before.unsure_below, after.unsure_below),
    )
    # Where others were heard, CONFIDENCE is not the probability that these two are compared with.
    doubt = (before.unsure_below, before.open_below) != (after.unsure_below, after.open_below)
    heard = [pl.col(each).is_not_null() for each in (c.REVIEW, c.JUDGE) if doubt and each in columns]
    crossed = [pl.col(each).is_between(min(a, b), max(a, b)) for each, a, b in bounds if a != b and each in columns]
    return reduce(or_, crossed + heard, pl.lit(False))


def rescore(
    rows: pl.DataFrame, golden: pl.DataFrame, thresholds: Thresholds, progress: Progress | None = None
) -> pl.DataFrame:
    """Return diagnosed rows as they would be with `golden` for their golden dataset, in their order.

    Triplets are known by QUESTION_ID. Responses to a question that `golden` does not have are left out. A BERTScore
    that was given with a response stays where its triplet does, and is null where the triplet is another.
    """
    numbered = rows.with_row_index(_TRIPLET_PLACE)
    changed = _find_changed_triplets(rows, golden)
    anew = numbered.filter(pl.col(c.QUESTION_ID).is_in(changed.implode()))
    known = golden[c.QUESTION_ID].filter(~golden[c.QUESTION_ID].is_in(changed.implode()))
    stays = numbered.filter(pl.col(c.QUESTION_ID).is_in(known.implode()))
    if anew.is_empty():
        scored = anew
    else:
        judged = judge(extract_evidence(score(_on(anew, golden)), progress), thresholds)
        if c.BERTSCORE in judged.columns:
            judged = judged.with_columns(pl.lit(None, pl.Float64).alias(c.BERTSCORE))
        scored = judged.select(numbered.columns)
    together = pl.concat([_beside(stays, golden), scored]).sort(_TRIPLET_PLACE)
    return together.drop(_TRIPLET_PLACE)


def _find_changed_triplets(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.Series:
    """The ids of the triplets of `golden` that are not those the rows were scored on."""
    asked = rows.unique(c.QUESTION_ID, keep="any").select(c.QUESTION_ID, *_DECIDE)
    pairs = golden.select(c.QUESTION_ID, *_DECIDE).join(asked, on=c.QUESTION_ID, suffix=" before")
    return pairs.filter(pl.any_horizontal(pl.col(each).ne_missing(pl.col(f"{each} before")) for each in _DECIDE))[
        c.QUESTION_ID
    ]


def _on(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows with the triplets of this golden dataset."""
    triplets = golden.select(c.GOLDEN_COLUMNS)
    own = rows.drop([column for column in c.GOLDEN_COLUMNS if column != c.QUESTION_ID], strict=False)
    return own.join(triplets, on=c.QUESTION_ID, how="left", maintain_order="left")


def _beside(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows with what this golden dataset says beside their triplets' texts."""
    said = golden.select(c.QUESTION_ID, *_BESIDE)
    own = rows.drop(_BESIDE, strict=False)
    return own.join(said, on=c.QUESTION_ID, how="left", maintain_order="left").select(rows.columns)
