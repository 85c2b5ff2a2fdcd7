"""A run on another version of its golden dataset: only rows of other triplets are scored and diagnosed again."""

import polars as pl

from qaviz.bulk.judging import score_and_diagnose
from qaviz.model import columns as c
from qaviz.model.records import Progress, Thresholds

_DECIDE = (c.QUESTION, c.ANSWER, c.FACT, c.ANSWERABLE, c.SOURCE, c.PASSAGE_ID, c.EVIDENCE)
"""What scores, diagnoses and faults of a response depend on, beside the response and its contexts."""

_BESIDE = [column for column in c.GOLDEN_COLUMNS if column not in (c.QUESTION_ID, *_DECIDE)]

_TRIPLET_PLACE = "place"


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
        # Whether the documents hold what another triplet asks for is not known.
        judged = score_and_diagnose(_on(anew, golden).drop(c.IN_DOCUMENTS, strict=False), thresholds, progress=progress)
        if c.BERTSCORE in judged.columns:
            judged = judged.with_columns(pl.lit(None, pl.Float64).alias(c.BERTSCORE))
        scored = judged.select(numbered.columns)
    together = pl.concat([_beside(stays, golden), scored]).sort(_TRIPLET_PLACE)
    return together.drop(_TRIPLET_PLACE)


def _find_changed_triplets(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.Series:
    """The ids of the triplets of `golden` that are not those the rows were scored on."""
    triplets = rows.unique(c.QUESTION_ID, keep="any").select(c.QUESTION_ID, *_DECIDE)
    pairs = golden.select(c.QUESTION_ID, *_DECIDE).join(triplets, on=c.QUESTION_ID, suffix=" before")
    return pairs.filter(pl.any_horizontal(pl.col(column).ne_missing(pl.col(f"{column} before")) for column in _DECIDE))[
        c.QUESTION_ID
    ]


def _on(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows with the triplets of this golden dataset."""
    triplets = golden.select(c.GOLDEN_COLUMNS)
    own = rows.drop([column for column in c.GOLDEN_COLUMNS if column != c.QUESTION_ID], strict=False)
    return own.join(triplets, on=c.QUESTION_ID, how="left", maintain_order="left")


def _beside(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows with what this golden dataset says beside their triplets' texts."""
    beside = golden.select(c.QUESTION_ID, *_BESIDE)
    own = rows.drop(_BESIDE, strict=False)
    return own.join(beside, on=c.QUESTION_ID, how="left", maintain_order="left").select(rows.columns)
