"""Sets of responses that people judged: how right the verdicts are, and how honest their confidence.

One line a set: accuracy (an unsure verdict counts as wrong), macro F1, expected calibration error of confidence, and
accuracy against coverage: of the rows with confidence of at least .9, and once people decide the least confident 10
and 20 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.diagnosis import extract_evidence, judge
from qaviz.diagnosis.agreement import Agreement, agreement, counts_as
from qaviz.diagnosis.calibration import calibration_error
from qaviz.loading import Source, load
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import Thresholds
from qaviz.scoring import score

SURE = 0.9
"""Confidence from which a row counts as sure."""
GIVEN = (0.1, 0.2)
"""Shares of the rows, the least confident first, that people decide."""

RIGHT = "right"
"""Whether the verdict is the label."""
_KEY = [QUESTION_ID, PIPELINE]


@dataclass(frozen=True)
class LabelledSet:
    """The responses of one folder with what people say of them."""

    name: str
    gathered: pl.DataFrame
    """What `qaviz.diagnosis.extract_evidence` returns: judging it needs no second look at the texts."""
    labels: pl.DataFrame
    """question_id, pipeline, label."""

    @property
    def judged(self) -> pl.DataFrame:
        """The rows as qaviz judges them by default."""
        return judge(self.gathered, Thresholds())


def read_set(folder: Path) -> LabelledSet:
    """Return the set of a folder with golden.jsonl, responses.jsonl and labels.jsonl.

    Raises QavizError with every problem of the golden dataset and the responses.
    """
    rows = load(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")]).rows
    return LabelledSet(folder.name, extract_evidence(score(rows)), pl.read_ndjson(folder / "labels.jsonl"))


def compared(judged: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Return the judged rows that have a label, with RIGHT."""
    rows = judged.join(labels, on=_KEY, maintain_order="left")
    return rows.with_columns((pl.col(VERDICT).replace(counts_as(labels)) == pl.col(LABEL)).alias(RIGHT))


def accuracy_given(rows: pl.DataFrame, share: float) -> float:
    """Return the accuracy of `compared` rows once people decide this share of them, the least confident first."""
    kept = rows.sort(pl.col(CONFIDENCE).fill_null(0)).slice(round(share * rows.height))
    return 1 - (~kept[RIGHT]).sum() / rows.height


def say_sets(sets: Sequence[LabelledSet]) -> None:
    """Print a line for each set and one for all together, then the judges."""
    print(f"{'set':18} rows   accuracy  F1    unsure  ECE    at ≥ {SURE}: rows, accuracy   people decide 10 %, 20 %")
    every = [compared(of.judged, of.labels) for of in sets]
    for of, rows in zip(sets, every, strict=True):
        print(_line(of.name, rows, agreement(of.judged, of.labels)))
    if len(sets) > 1:
        print(_line("all", pl.concat(every, how="diagonal_relaxed"), None))


def _line(name: str, rows: pl.DataFrame, found: Agreement | None) -> str:
    sure = rows.filter(pl.col(CONFIDENCE) >= SURE)
    f1 = f"{found.macro_f1.value:.3f}" if found and found.macro_f1.value is not None else "–    "
    given = "  ".join(f"{accuracy_given(rows, share):.3f}" for share in GIVEN)
    known = rows.drop_nulls(CONFIDENCE)
    error = calibration_error(known[CONFIDENCE].to_numpy(), known[RIGHT].to_numpy())
    at_sure = f"{sure.height:6,}  {sure[RIGHT].mean() or 0:.3f}"
    unsure = (rows[VERDICT] == "unsure").mean()
    accuracy = rows[RIGHT].mean()
    return f"{name:18} {rows.height:6,} {accuracy:.3f}  {f1}   {unsure:5.1%}  {error:.3f}  {at_sure}          {given}"
