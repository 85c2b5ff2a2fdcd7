"""Labelled sets by family, and what verdicts are worth on each: figures of truth leave a family out of the fit.

A labelled set is a folder with golden.jsonl, responses.jsonl and labels.jsonl.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from qaviz.diagnosis.calibration import calibration_error
from qaviz.diagnosis.extract_evidence import read_evidence
from qaviz.diagnosis.rules import CORRECT, DECLINED, INCORRECT, IS_CORRECT, IS_DECLINED
from qaviz.loading import Source, load
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.scoring import score

NAME, FAMILY, RIGHT = "name", "family", "right"
KEY = [QUESTION_ID, PIPELINE]
SURE = 0.9
FEWEST_SURE = 50
"""Sure rows of a family from which their share right is a figure."""
FAMILY_OF = {
    "financebench": "finance",
    "truthfulqa-multi": "truthfulqa",
    "judged-nq": "nq-judged",
    "efficientqa": "efficientqa",
    "saf-en": "saf",
    "zh-ads": "sas-zh",
}
"""Families of sets whose names do not begin with them and a hyphen."""


def read_set(folder: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the responses of a folder with their golden answers, and QUESTION_ID, PIPELINE, LABEL: one row a label.

    Raises QavizError with every problem of its golden dataset and responses.
    """
    loaded = load(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")])
    return loaded.rows, pl.read_ndjson(folder / "labels.jsonl").select(*KEY, LABEL)


def read_labelled(folders: Sequence[Path]) -> pl.DataFrame:
    """Return the labelled responses of folders with all evidence, LABEL, NAME and FAMILY."""
    parts = []
    for folder in folders:
        if not (folder / "labels.jsonl").exists():  # pairs: see `benchmarks.pairs`
            continue
        rows, labels = read_set(folder)
        labelled = score(rows).join(labels.unique(maintain_order=True), on=KEY, maintain_order="left")
        known = labelled.drop_nulls(LABEL)
        family = FAMILY_OF.get(folder.name, folder.name.split("-")[0])
        parts.append(read_evidence(known).with_columns(pl.lit(folder.name).alias(NAME), pl.lit(family).alias(FAMILY)))
    return pl.concat(parts, how="diagonal_relaxed")


def with_verdicts(rows: pl.DataFrame, unsure_below: float = 0.0) -> pl.DataFrame:
    """Return rows with P_CORRECT and P_DECLINED with VERDICT, CONFIDENCE and RIGHT.

    In a set where nobody labelled `declined`, a declined verdict counts as incorrect.
    """
    refuses = rows if "refusal" in rows.columns else rows.with_columns(pl.lit(None, pl.String).alias("refusal"))
    verdict = pl.when(IS_CORRECT).then(pl.lit("correct")).when(IS_DECLINED).then(pl.lit("declined"))
    confidence = pl.when(IS_CORRECT).then(CORRECT).when(IS_DECLINED).then(DECLINED).otherwise(INCORRECT)
    judged = refuses.with_columns(verdict.otherwise(pl.lit("incorrect")).alias(VERDICT), confidence.alias(CONFIDENCE))
    unsure = pl.when(pl.col(CONFIDENCE) < unsure_below).then(pl.lit(Verdict.UNSURE.value))
    labelled = (pl.col(LABEL) == Verdict.DECLINED.value).any().over(NAME)
    declined = pl.col(VERDICT) == Verdict.DECLINED.value
    counted = pl.when(declined & ~labelled).then(pl.lit(Verdict.INCORRECT.value)).otherwise(VERDICT)
    return judged.with_columns(unsure.otherwise(VERDICT).alias(VERDICT)).with_columns(
        (counted == pl.col(LABEL)).alias(RIGHT)
    )


def figures_by_family(judged: pl.DataFrame) -> pl.DataFrame:
    """Return a row a family: accuracy (mean of its sets), calibration error, sure rows, their share of all and right.

    `judged` has NAME, FAMILY, LABEL and what `with_verdicts` needs.
    """
    figures = []
    for (family,), mine in with_verdicts(judged).group_by(FAMILY, maintain_order=True):
        known = mine.drop_nulls(CONFIDENCE)
        sure = known.filter(pl.col(CONFIDENCE) >= SURE)
        wrong = mine.filter(~pl.col(RIGHT))
        figures.append(
            {
                FAMILY: family,
                "rows": mine.height,
                "accuracy": mine.group_by(NAME).agg(pl.mean(RIGHT))[RIGHT].mean(),
                "error": calibration_error(known[CONFIDENCE].to_numpy(), known[RIGHT].to_numpy()),
                "sure": sure.height,
                "coverage": sure.height / mine.height,
                "sure right": sure[RIGHT].mean() if sure.height else None,
                "wrong and sure": (wrong[CONFIDENCE] >= SURE).mean() if wrong.height else None,
            }
        )
    return pl.DataFrame(figures, infer_schema_length=None)


def mean_figures(figures: pl.DataFrame) -> dict[str, float]:
    """Return means over families, the least share right of families with FEWEST_SURE sure rows, coverage of all."""
    enough = figures.filter(pl.col("sure") >= FEWEST_SURE)
    found = {
        "accuracy": figures["accuracy"].mean(),
        "calibration error": figures["error"].mean(),
        "sure and right at least": enough["sure right"].min(),
        "coverage of all rows": figures["sure"].sum() / figures["rows"].sum(),
    }
    return {name: round(float(np.nan if value is None else value), 4) for name, value in found.items()}


def say_figures(figures: pl.DataFrame) -> None:
    """Print a line a family and the means."""
    print(f"{'family':14} rows    accuracy  error  sure: rows, share, right   of wrong verdicts sure")
    for row in figures.iter_rows(named=True):
        right = "–" if row["sure right"] is None else f"{row['sure right']:.3f}"
        wrong = "–" if row["wrong and sure"] is None else f"{row['wrong and sure']:.2f}"
        print(
            f"{row[FAMILY]:14} {row['rows']:6,}  {row['accuracy']:.3f}   {row['error']:.3f}  {row['sure']:6,} "
            f"{row['coverage']:.2f} {right}  {wrong}"
        )
    print(mean_figures(figures))
