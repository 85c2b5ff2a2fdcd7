"""What scores, evidence and verdicts of natural responses take: CPU microseconds a row, of all processes together.

    python -m benchmarks.diagnosis_speed [SETS...] [--times 3]

A set is a folder with golden.jsonl and responses.jsonl, as `benchmarks.labelled_sets` reads them; without one, the
responses are those of `benchmarks.generate`. Each time is of a process that has read no text before; the median counts.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import polars as pl

from benchmarks.generate import table
from qaviz.loading import Source, load
from qaviz.model.columns import ANSWERABLE

_GENERATED = 20_000
"""Responses where no set is given."""


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those it has waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def read_rows(folder: str) -> pl.DataFrame:
    """Return the rows of a set's folder; generated ones without a folder."""
    if not folder:
        return table(_GENERATED, seed=1).with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))
    path = Path(folder)
    return load(Source.of(path / "golden.jsonl"), [Source.of(path / "responses.jsonl")]).rows


def measure_here(folder: str) -> tuple[int, float, float, float]:
    """Return the rows, the CPU seconds for scores and for evidence with verdicts, and the seconds on the clock."""
    from qaviz.diagnosis import diagnose
    from qaviz.scoring import score

    rows = read_rows(folder)
    score(rows.head(1))  # what is imported and compiled once counts for no row
    diagnose(score(rows.head(1)))
    begun, clock = cpu_seconds(), time.perf_counter()
    scored = score(rows)
    middle = cpu_seconds()
    diagnose(scored)
    return rows.height, middle - begun, cpu_seconds() - middle, time.perf_counter() - clock


def measure(folder: str, times: int) -> str:
    """Return a line of the table: the median of as many processes."""
    command = [sys.executable, "-m", "benchmarks.diagnosis_speed", "--here", folder]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(times)]
    height = int(runs[0][0])
    scores, verdicts, clock = (statistics.median(float(run[place]) for run in runs) for place in (1, 2, 3))
    micro = [seconds / height * 1e6 for seconds in (scores, verdicts, scores + verdicts)]
    name = Path(folder).name or "generated"
    return f"{name:18} {height:7,} {clock:8.2f} {micro[0]:8.0f} {micro[1]:20.0f} {micro[2]:8.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=[""])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--here", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.here is not None:
        print(*measure_here(chosen.here))
        return
    print(f"{'set':18} {'rows':>7} {'seconds':>8} {'µs score':>8} {'µs evidence, verdict':>20} {'µs all':>8}")
    for folder in chosen.sets:
        print(measure(folder, chosen.times), flush=True)


if __name__ == "__main__":
    main()
