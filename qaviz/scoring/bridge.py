"""The installed FMEval in a process of its own, with progress and cancel; and verification of scores against it."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.model.columns import ANSWER, FACT, RESPONSE, SCORES
from qaviz.model.errors import Problem
from qaviz.model.records import Progress
from qaviz.processes import MACHINE_MEMORY, Cancelled, Limits, library_environment, run
from qaviz.scoring.forms import check_texts
from qaviz.scoring.reference import fmeval_version, score_with_fmeval

SEED = 1234
"""What draws a sample, unless another number is given."""

LIMITS = Limits(memory=MACHINE_MEMORY, silence_s=3600)
"""One step is loading FMEval, starting Ray, or some thousands of rows."""

_ROWS, _SCORED = "rows.parquet", "scored.parquet"
_TEXTS = (ANSWER, FACT, RESPONSE)
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_EVALUATE_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
}

_ABOUT = Problem(
    where="scoring with FMEval",
    found="a process that",
    expected="scores of all rows",
    fix="Score fewer rows at a time, or with qaviz's own scorer.",
)


@dataclass(frozen=True, slots=True)
class Verification:
    """Scores of a table beside those of the installed FMEval."""

    compared: int
    """How many rows were scored again."""
    differences: pl.DataFrame
    """One row a score that differs: `row` (its number in the table, from 0), `score`, `here`, `fmeval`."""
    lacking: int
    """How many scores FMEval gives that the table does not have: there was nothing to compare."""
    version: str
    """The installed FMEval's."""


def score_in_process(
    rows: pl.DataFrame, progress: Progress | None = None, cancelled: Cancelled | None = None
) -> pl.DataFrame:
    """Return what `reference.score_with_fmeval` returns, computed in another process.

    Raises QavizError where FMEval is not installed or a column is not text, CancelledError when `cancelled` said so.
    """
    fmeval_version()
    check_texts(rows)
    with tempfile.TemporaryDirectory(prefix="qaviz-") as name:
        folder = Path(name)
        rows.write_parquet(folder / _ROWS)
        run(
            _score_folder,
            folder,
            about=_ABOUT,
            environment=offline_environment(),
            limits=LIMITS,
            progress=progress,
            cancelled=cancelled,
        )
        return pl.read_parquet(folder / _SCORED)


def _score_folder(folder: Path, progress: Progress) -> None:
    """In the other process."""
    progress(0.0, "loading FMEval")
    score_with_fmeval(pl.read_parquet(folder / _ROWS), progress).write_parquet(folder / _SCORED)


def offline_environment() -> dict[str, str]:
    """This process's environment without secrets, in which libraries of language models ask nobody on any network."""
    return library_environment(_OFFLINE)


def verify(
    scored: pl.DataFrame,
    sample: int | None = None,
    seed: int = SEED,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Verification:
    """Return how the scores of a table compare with the installed FMEval's, bit for bit, over all rows or a sample.

    Needs what `score` returns; the same table, sample size and seed give the same sample. Raises as `score_in_process`.
    """
    numbered = draw_sample(scored.select(*_TEXTS, *SCORES), sample, seed)
    again = score_in_process(numbered.select(_TEXTS), progress, cancelled)
    differing = _differences(numbered, again)
    lacking = pl.col("here").is_null()
    return Verification(
        compared=numbered.height,
        differences=differing.remove(lacking),
        lacking=differing.filter(lacking).height,
        version=fmeval_version(),
    )


def draw_sample(table: pl.DataFrame, sample: int | None, seed: int) -> pl.DataFrame:
    """So many rows of the table, or all of them, in their order, with their number from 0 as `row`.

    The same table, sample size and seed give the same rows.
    """
    numbered = table.with_row_index("row")
    if sample is None or sample >= numbered.height:
        return numbered
    return numbered.sample(sample, seed=seed).sort("row")


def _differences(numbered: pl.DataFrame, again: pl.DataFrame) -> pl.DataFrame:
    return pl.concat(
        numbered.select("row", score=pl.lit(name), here=pl.col(name), fmeval=again[name]).filter(
            pl.col("here").ne_missing(pl.col("fmeval"))
        )
        for name in SCORES
    )
