"""`python -P -m qaviz.scoring.worker FOLDER`: score FOLDER/rows.parquet with the installed FMEval (see `bridge`)."""

import os
import shutil
import sys
from pathlib import Path

import polars as pl

from qaviz.model.records import Progress
from qaviz.scoring.reference import score_with_fmeval

ROWS = "rows.parquet"
SCORED = "scored.parquet"
PROGRESS = "progress.txt"


def teller(folder: Path) -> Progress:
    """Progress that keeps `progress.txt` (fraction, blank, words) in the folder up to date.

    It ends this process, and removes the folder, once whoever asked is gone: nobody would read what is computed.
    """
    parent = os.getppid()

    def tell(fraction: float, words: str) -> None:
        if os.getppid() != parent:
            shutil.rmtree(folder)
            raise SystemExit
        fresh = folder / f"{PROGRESS}.new"
        fresh.write_text(f"{fraction} {words}", encoding="utf-8")
        fresh.replace(folder / PROGRESS)

    return tell


def main(folder: Path) -> None:
    """Read the rows, say how far it is, write the scored rows."""
    tell = teller(folder)
    tell(0.0, "loading FMEval")
    score_with_fmeval(pl.read_parquet(folder / ROWS), tell).write_parquet(folder / SCORED)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
