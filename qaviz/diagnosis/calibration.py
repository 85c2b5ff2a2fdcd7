"""The model's probability moved by a workspace's own labels, and how well probabilities agree with people.

Platt's scaling (1999) of the log odds, with a level for each stance of the leading evidence.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.diagnosis.columns import STANCE
from qaviz.diagnosis.model import HIGHEST, LOWEST, P_CORRECT
from qaviz.model.errors import Problem, QavizError

Numbers = NDArray[np.float64]

BINS = 10
IN_PLACE_OF_SHIPPED = "QAVIZ_CALIBRATION"
"""The environment variable that names the file of a calibration; processes that qaviz starts inherit it."""


@dataclass(frozen=True)
class Calibration:
    """How the model's log odds that a response is right are moved; as it is made, they stay."""

    level: float = 0.0
    slope: float = 1.0
    stances: Mapping[str, float] = field(default_factory=dict)
    """What is added by what the leading evidence says; empty for no evidence."""

    def probability(self) -> pl.Expr:
        """P_CORRECT, moved, over a table of evidence."""
        probable = pl.col(P_CORRECT).clip(LOWEST, HIGHEST)
        of_stance = pl.col(STANCE).fill_null("").replace_strict(self.stances, default=0.0, return_dtype=pl.Float64)
        odds = (probable / (1 - probable)).log() * self.slope + self.level + of_stance
        return (1 / (1 + (-odds).exp())).clip(LOWEST, HIGHEST).alias(P_CORRECT)

    def to_json(self) -> str:
        """Return the calibration as the text of a JSON file."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


SHIPPED = Calibration()
"""The model as it is."""
Kept = Mapping[str, Any]
"""A calibration as JSON: `asdict` of it."""


def as_calibration(kept: Kept) -> Calibration:
    """Return the calibration that was kept; SHIPPED for one of an earlier version, whose model it moved.

    Raises TypeError or AttributeError if it is none.
    """
    return SHIPPED if {"rules", "diagnoses"} <= set(kept) else Calibration(**kept)


@cache
def read_calibration(file: Path) -> Calibration:
    """Return the calibration that a file holds. Raises QavizError if it holds none."""
    try:
        return as_calibration(json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        expected, fix = "what `qaviz calibrate` writes", f"Write it again, or unset {IN_PLACE_OF_SHIPPED}."
        words = f"no calibration ({type(error).__name__})"
        raise QavizError(Problem(where=str(file), found=words, expected=expected, fix=fix)) from error


def recalibrated(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with P_CORRECT moved by the calibration in use, if the environment names one."""
    file = os.environ.get(IN_PLACE_OF_SHIPPED)
    calibration = read_calibration(Path(file)) if file else SHIPPED
    return rows if calibration == SHIPPED else rows.with_columns(calibration.probability())


def reliability(probable: Numbers, right: Numbers) -> pl.DataFrame:
    """Return how confidence compares with what people say, by tenths: `from`, `rows`, `confidence`, `right`."""
    tenth = np.minimum((probable * BINS).astype(int), BINS - 1)
    table = pl.DataFrame({"from": tenth / BINS, "confidence": probable, "right": right.astype(float)})
    return table.group_by("from").agg(pl.len().alias("rows"), pl.mean("confidence"), pl.mean("right")).sort("from")


def calibration_error(probable: Numbers, right: Numbers) -> float:
    """Return the expected calibration error: the mean gap between confidence and share right by tenths, by rows."""
    table = reliability(probable, right)
    gaps = (pl.col("confidence") - pl.col("right")).abs() * pl.col("rows")
    return float(table.select(gaps.sum() / pl.col("rows").sum()).item() or 0)
