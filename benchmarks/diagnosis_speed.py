"""What diagnosing responses takes: seconds on the clock, and of all processes' cores together.

    python -m benchmarks.diagnosis_speed [--responses 100000] [--times 3]

Responses are those of `benchmarks.generate`, scored before the clock starts; `--times` new tables, the median is given.
"""

import argparse
import resource
import statistics
import time

import polars as pl

from benchmarks.generate import table
from qaviz.diagnosis import diagnose
from qaviz.model.columns import ANSWERABLE
from qaviz.scoring import score


def seconds(scored: pl.DataFrame) -> tuple[float, float]:
    """Return the seconds that `diagnose` takes, on the clock and of all cores together."""
    begun, used = time.perf_counter(), cpu_seconds()
    diagnose(scored)
    return time.perf_counter() - begun, cpu_seconds() - used


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those it has waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--responses", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=3)
    asked = parser.parse_args()
    taken = []
    for seed in range(1, asked.times + 1):
        responses = table(asked.responses, seed=seed).with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))
        taken.append(seconds(score(responses)))
    clock, cores = map(statistics.median, zip(*taken, strict=True))
    micro = cores / asked.responses * 1e6
    print(f"{asked.responses:,} responses: {clock:.1f} s, {cores:.1f} s of CPU, {micro:.0f} µs a response")


if __name__ == "__main__":
    main()
