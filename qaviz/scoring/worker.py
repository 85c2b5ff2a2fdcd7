"""`python -P -m qaviz.scoring.worker FOLDER`: score FOLDER/rows.parquet with the installed FMEval (see `bridge`)."""

import sys
from pathlib import Path

import polars as pl

from qaviz.processes import teller
from qaviz.scoring.reference import score_with_fmeval

ROWS = "rows.parquet"
SCORED = "scored.parquet"


def main(folder: Path) -> None:
    """Read the rows, say how far it is, write the scored rows."""
    tell = teller(folder)
    tell(0.0, "loading FMEval")
    score_with_fmeval(pl.read_parquet(folder / ROWS), tell).write_parquet(folder / SCORED)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
