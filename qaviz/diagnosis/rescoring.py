"""A run's rows on another version of their golden dataset: only responses to changed triplets are scored anew."""

import polars as pl

from qaviz.diagnosis.extract_evidence import extract_evidence
from qaviz.diagnosis.judging import judge
from qaviz.model.columns import ANSWER, ANSWERABLE, BERTSCORE, FACT, GOLDEN_COLUMNS, QUESTION, QUESTION_ID
from qaviz.model.records import Progress, Thresholds
from qaviz.scoring import score

_DECIDE = (QUESTION, ANSWER, FACT, ANSWERABLE)
"""What scores and diagnoses of a response depend on, beside the response."""

_BESIDE = [column for column in GOLDEN_COLUMNS if column not in (QUESTION_ID, *_DECIDE)]

_PLACE = "place"


def rescore(
    rows: pl.DataFrame, golden: pl.DataFrame, thresholds: Thresholds, progress: Progress | None = None
) -> pl.DataFrame:
    """Return diagnosed rows as they would be with `golden` for their golden dataset, in their order.

    Triplets are known by QUESTION_ID. Responses to a question that `golden` does not have are left out. A BERTScore
    that was given with a response stays where its triplet does, and is null where the triplet is another.
    """
    numbered = rows.with_row_index(_PLACE)
    changed = _find_changed_triplets(rows, golden)
    anew = numbered.filter(pl.col(QUESTION_ID).is_in(changed.implode()))
    known = golden[QUESTION_ID].filter(~golden[QUESTION_ID].is_in(changed.implode()))
    stays = numbered.filter(pl.col(QUESTION_ID).is_in(known.implode()))
    if anew.is_empty():
        scored = anew
    else:
        judged = judge(extract_evidence(score(_on(anew, golden)), progress), thresholds)
        scored = judged.with_columns(_no_bertscore(judged)).select(numbered.columns)
    together = pl.concat([_beside(stays, golden), scored]).sort(_PLACE)
    return together.drop(_PLACE)


def _find_changed_triplets(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.Series:
    """The ids of the triplets of `golden` that are not those the rows were scored on."""
    asked = rows.unique(QUESTION_ID, keep="any").select(QUESTION_ID, *_DECIDE)
    pairs = golden.select(QUESTION_ID, *_DECIDE).join(asked, on=QUESTION_ID, suffix=" before")
    return pairs.filter(pl.any_horizontal(pl.col(each).ne_missing(pl.col(f"{each} before")) for each in _DECIDE))[
        QUESTION_ID
    ]


def _on(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows with the triplets of this golden dataset."""
    triplets = golden.select(GOLDEN_COLUMNS)
    own = rows.drop([column for column in GOLDEN_COLUMNS if column != QUESTION_ID], strict=False)
    return own.join(triplets, on=QUESTION_ID, how="left", maintain_order="left")


def _beside(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows with what this golden dataset says beside their triplets' texts."""
    said = golden.select(QUESTION_ID, *_BESIDE)
    own = rows.drop(_BESIDE, strict=False)
    return own.join(said, on=QUESTION_ID, how="left", maintain_order="left").select(rows.columns)


def _no_bertscore(rows: pl.DataFrame) -> list[pl.Expr]:
    return [pl.lit(None, pl.Float64).alias(BERTSCORE)] if BERTSCORE in rows.columns else []
