"""Sets of responses that people judged: how right the verdicts are, and how honest their confidence.

One line a set: accuracy (an unsure verdict counts as wrong), macro F1, expected calibration error of confidence, and
accuracy against coverage: of the rows with confidence of at least .9, and once people decide the least confident 10
and 20 %. With `peers.jsonl` also each judge alone, and the rules with that judge on the open rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.diagnosis import extract_evidence, judge, open_rows
from qaviz.diagnosis.agreement import Agreement, agreement, counts_as
from qaviz.diagnosis.judging import calibration_error
from qaviz.loading import Source, load
from qaviz.model.columns import CONFIDENCE, JUDGE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import Thresholds
from qaviz.scoring import score

SURE = 0.9
"""Confidence from which a row counts as sure."""
GIVEN = (0.1, 0.2)
"""Shares of the rows, the least confident first, that people decide."""

NAME = "name"
RIGHT = "right"
"""Whether the verdict is the label."""
_KEY = [QUESTION_ID, PIPELINE]


@dataclass(frozen=True)
class LabelledSet:
    """The responses of one folder with what people and judges say of them."""

    name: str
    gathered: pl.DataFrame
    """What `qaviz.diagnosis.extract_evidence` returns: judging it needs no second look at the texts."""
    labels: pl.DataFrame
    """question_id, pipeline, label."""
    peers: pl.DataFrame
    """question_id, pipeline, name, label; empty where nobody else judged the responses."""

    @property
    def judged(self) -> pl.DataFrame:
        """The rows as qaviz judges them by default."""
        return judge(self.gathered, Thresholds())


def read_set(folder: Path) -> LabelledSet:
    """Return the set of a folder with golden.jsonl, responses.jsonl, labels.jsonl and perhaps peers.jsonl.

    Raises QavizError with every problem of the golden dataset and the responses.
    """
    rows = load(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")]).rows
    labels, peers = pl.read_ndjson(folder / "labels.jsonl"), folder / "peers.jsonl"
    others = pl.read_ndjson(peers) if peers.exists() else labels.with_columns(pl.lit("").alias(NAME)).clear()
    return LabelledSet(folder.name, extract_evidence(score(rows)), labels, others)


def compared(judged: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Return the judged rows that have a label, with RIGHT."""
    rows = judged.join(labels, on=_KEY, maintain_order="left")
    return rows.with_columns((pl.col(VERDICT).replace(counts_as(labels)) == pl.col(LABEL)).alias(RIGHT))


def accuracy_given(rows: pl.DataFrame, share: float) -> float:
    """Return the accuracy of `compared` rows once people decide this share of them, the least confident first."""
    kept = rows.sort(pl.col(CONFIDENCE).fill_null(0)).slice(round(share * rows.height))
    return 1 - (~kept[RIGHT]).sum() / rows.height


def with_judge(of: LabelledSet, name: str) -> tuple[pl.DataFrame, float]:
    """Return the set's rows as judged with this peer's word on the open rows, and the share of rows it is asked."""
    said = of.peers.filter(pl.col(NAME) == name).select(*_KEY, pl.col(LABEL).alias(JUDGE))
    asked = open_rows(of.gathered, Thresholds())
    rows = of.gathered.drop(JUDGE, strict=False).join(said, on=_KEY, how="left", maintain_order="left")
    rows = rows.with_columns(pl.when(asked).then(JUDGE).alias(JUDGE))
    return judge(rows, Thresholds()), float(asked.mean() or 0)


def say_sets(sets: Sequence[LabelledSet]) -> None:
    """Print a line for each set and one for all together, then the judges."""
    print(f"{'set':18} rows   accuracy  F1    unsure  ECE    at ≥ {SURE}: rows, accuracy   people decide 10 %, 20 %")
    every = [compared(of.judged, of.labels) for of in sets]
    for of, rows in zip(sets, every, strict=True):
        print(_line(of.name, rows, agreement(of.judged, of.labels)))
    if len(sets) > 1:
        print(_line("all", pl.concat(every, how="diagonal_relaxed"), None))
    print(*(line for of in sets for line in _judges(of)), sep="\n")


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


def _judges(of: LabelledSet) -> Iterator[str]:
    for name in of.peers[NAME].unique(maintain_order=True):
        said = of.peers.filter(pl.col(NAME) == name).select(*_KEY, pl.col(LABEL).alias(VERDICT))
        alone = of.gathered.select(_KEY).join(said, on=_KEY, how="left", maintain_order="left")
        both, asked = with_judge(of, name)
        own, together = (compared(rows, of.labels)[RIGHT].fill_null(False).mean() for rows in (alone, both))
        yield f"{of.name}: {name} alone {own:.3f}; rules, and {name} on the open {asked:.1%} of rows, {together:.3f}"
