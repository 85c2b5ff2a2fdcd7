"""Labelled sets by family, and what verdicts are worth on each: figures of truth leave a family out of the fit.

A labelled set is a folder with golden.jsonl, responses.jsonl and labels.jsonl.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from qaviz.diagnosis.calibration import calibration_error
from qaviz.diagnosis.extract_evidence import read_evidence
from qaviz.diagnosis.model import P_CORRECT, P_DECLINED, Numbers
from qaviz.diagnosis.rules import CORRECT, DECLINED, INCORRECT, IS_CORRECT, IS_DECLINED
from qaviz.loading import Source, load
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.scoring import score

NAME, FAMILY, RIGHT = "name", "family", "right"
KEY = [QUESTION_ID, PIPELINE]
SURE = 0.9
RESAMPLES = 2_000
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
"""Families of sets whose names do not begin with them."""


def family_of(name: str) -> str:
    """Return the family of a set: what stands before the first hyphen of its name, unless FAMILY_OF has it."""
    return FAMILY_OF.get(name, name.split("-")[0])


class LabelledSet(NamedTuple):
    """What stands in a folder."""

    golden: pl.DataFrame
    rows: pl.DataFrame
    """One row a response, with its golden answer."""
    labels: pl.DataFrame
    """QUESTION_ID, PIPELINE, LABEL: one row a label."""


def read_set(folder: Path) -> LabelledSet:
    """Return the set of a folder. Raises QavizError with every problem of its golden dataset and responses."""
    loaded = load(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")])
    labels = pl.read_ndjson(folder / "labels.jsonl").select(*KEY, LABEL)
    return LabelledSet(loaded.golden, loaded.rows, labels)


def read_labelled(folders: Sequence[Path]) -> pl.DataFrame:
    """Return the labelled responses of folders with all evidence, LABEL, NAME and FAMILY."""
    parts = []
    for folder in folders:
        if not (folder / "labels.jsonl").exists():  # pairs: see `benchmarks.pairs`
            continue
        _, rows, labels = read_set(folder)
        labelled = score(rows).join(labels.unique(maintain_order=True), on=KEY, maintain_order="left")
        known = labelled.drop_nulls(LABEL)
        name = pl.lit(folder.name)
        parts.append(read_evidence(known).with_columns(name.alias(NAME), pl.lit(family_of(folder.name)).alias(FAMILY)))
    return pl.concat(parts, how="diagonal_relaxed")


def with_verdicts(rows: pl.DataFrame, unsure_below: float = 0.0) -> pl.DataFrame:
    """Return rows with P_CORRECT and P_DECLINED with VERDICT, CONFIDENCE and RIGHT.

    In a set where nobody labelled `declined`, a declined verdict counts as incorrect.
    """
    refuses = rows if "refusal" in rows.columns else rows.with_columns(pl.lit(None, pl.String).alias("refusal"))
    judged = refuses.with_columns(
        pl.when(IS_CORRECT)
        .then(pl.lit(Verdict.CORRECT.value))
        .when(IS_DECLINED)
        .then(pl.lit(Verdict.DECLINED.value))
        .otherwise(pl.lit(Verdict.INCORRECT.value))
        .alias(VERDICT),
        pl.when(IS_CORRECT).then(CORRECT).when(IS_DECLINED).then(DECLINED).otherwise(INCORRECT).alias(CONFIDENCE),
    ).with_columns(
        pl.when(pl.col(CONFIDENCE) < unsure_below)
        .then(pl.lit(Verdict.UNSURE.value))
        .otherwise(pl.col(VERDICT))
        .alias(VERDICT)
    )
    return judged.with_columns(_agrees().alias(RIGHT))


def _agrees() -> pl.Expr:
    """Whether the verdict is the label, as far as the set has such labels."""
    has = (pl.col(LABEL) == Verdict.DECLINED.value).any().over(NAME)
    declined = pl.col(VERDICT) == Verdict.DECLINED.value
    verdict = pl.when(declined & ~has).then(pl.lit(Verdict.INCORRECT.value)).otherwise(pl.col(VERDICT))
    return verdict == pl.col(LABEL)


def figures_by_family(judged: pl.DataFrame) -> pl.DataFrame:
    """Return a row a family: accuracy (mean of its sets), calibration error, sure rows, their share of all and right.

    `judged` has NAME, FAMILY, LABEL and what `with_verdicts` needs, or VERDICT and CONFIDENCE.
    """
    rows = with_verdicts(judged) if {P_CORRECT, P_DECLINED} <= set(judged.columns) else judged
    if RIGHT not in rows.columns:
        rows = rows.with_columns(_agrees().alias(RIGHT))
    figures = []
    for (family,), mine in rows.group_by(FAMILY, maintain_order=True):
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


def resample(sums: Numbers, sizes: Numbers, seed: int) -> tuple[float, float]:
    """Return the 95 % interval of a mean over responses, of which each question has a sum, questions drawn again."""
    drawn = np.random.default_rng(seed).integers(len(sums), size=(RESAMPLES, len(sums)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), [0.025, 0.975])
    return float(low), float(high)
