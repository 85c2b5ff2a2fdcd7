"""The installed FMEval in a process of its own, with progress and cancel; and verification of scores against it."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import qaviz
from qaviz.model.columns import ANSWER, FACT, RESPONSE, SCORES
from qaviz.model.records import Progress
from qaviz.scoring.forms import check_texts
from qaviz.scoring.reference import fmeval_version
from qaviz.scoring.worker import PROGRESS, ROWS, SCORED

Cancelled = Callable[[], bool]
"""Asked several times a second; True ends the work."""

SEED = 1234
"""What draws a sample, unless another number is given."""

_TEXTS = (ANSWER, FACT, RESPONSE)
_ASKED_EVERY_SECONDS = 0.1
_SECONDS_TO_END = 2.0
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_EVALUATE_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
}


class CancelledError(Exception):
    """The work was cancelled; nothing was changed."""


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
        rows.write_parquet(folder / ROWS)
        run_worker("qaviz.scoring.worker", folder, progress=progress, cancelled=cancelled)
        return pl.read_parquet(folder / SCORED)


def run_worker(
    module: str,
    folder: Path,
    *arguments: str,
    home: Path | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> None:
    """Run `python -P -m module folder arguments` to its end, offline, in the folder `home`; tell what it says.

    It says how far it is in `folder`/progress.txt. Raises CancelledError when `cancelled` said so, RuntimeError with
    what the process wrote if it failed; it is gone in any case.
    """
    errors = folder / "errors.txt"
    with errors.open("wb") as stream:
        command = _command(module, str(folder), *arguments)
        process = subprocess.Popen(command, env=_environment(folder), cwd=home, stdout=stream, stderr=stream)
    try:
        _await(process, folder / PROGRESS, progress, cancelled)
    finally:
        _end(process)
    if process.returncode:
        said = errors.read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"{module} ended with {process.returncode}:\n{said}")


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


def _command(*words: str) -> list[str]:
    """`-P` keeps the current folder, whatever it holds, off the import path."""
    return [sys.executable, "-P", "-m", *words]


def _environment(folder: Path) -> dict[str, str]:
    """PYTHONPATH, because the package has to be found where it runs from a checkout too; what libraries leave in
    TMPDIR goes with the folder."""
    return os.environ | _OFFLINE | {"PYTHONPATH": str(Path(qaviz.__file__).parents[1]), "TMPDIR": str(folder)}


def _await(
    process: subprocess.Popen[bytes], said: Path, progress: Progress | None, cancelled: Cancelled | None
) -> None:
    """Wait for the process, passing on what it says. Raises CancelledError."""
    last = ""
    while process.poll() is None:
        if cancelled and cancelled():
            raise CancelledError
        now = said.read_text(encoding="utf-8") if said.exists() else ""
        if progress and now != last:
            fraction, words = now.split(" ", 1)
            progress(float(fraction), words)
            last = now
        time.sleep(_ASKED_EVERY_SECONDS)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Make sure that the process is gone, also when an exception or Ctrl+C ended the wait."""
    process.terminate()
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
