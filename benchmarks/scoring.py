"""What scoring costs, side by side in one run: medians of rounds in which the engines take turns.

    python -m benchmarks.scoring [--rounds 5] [--million]

Prints a Markdown table. Responses have 400 characters on average, 87 % of them with a character outside ASCII. Each
engine scores in a process of its own that has imported and warmed up; the last lines time a fresh process from its
start to the Parquet file, with the peak of its memory. `fmeval` is left out where it is not installed.
"""

import importlib.util
import os
import resource
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from unittest.mock import patch

import polars as pl

from benchmarks.figures import keep, make_parser
from benchmarks.generate import table, write_files
from qaviz.model.columns import ANSWER, FACT, RESPONSE


def score_by_fmeval(rows: pl.DataFrame) -> object:
    """FMEval's scores in this process."""
    from qaviz.scoring.bridge import score_texts

    return list(score_texts(rows.select(FACT, ANSWER, RESPONSE)))


def score_by_words(rows: pl.DataFrame) -> object:
    """The same scores by qaviz."""
    from qaviz.scoring import word_scores

    return word_scores(rows)


ONE_CORE = "qaviz, one core"
ENGINES = {"FMEval in process": (score_by_fmeval, 2_000), ONE_CORE: (score_by_words, 20_000)}
"""By label, with how many responses it scores in a round."""


def start_process() -> ProcessPoolExecutor:
    """A fresh process, which imports what it needs itself."""
    return ProcessPoolExecutor(1, get_context("spawn"))


@cache
def _warm_up(score: Callable[[pl.DataFrame], object], responses: int) -> pl.DataFrame:
    rows = table(responses)
    score(rows.head(100))
    return rows


def take_round(score: Callable[[pl.DataFrame], object], responses: int) -> float:
    """Microseconds of one response, in an engine's own process."""
    rows = _warm_up(score, responses)
    begun = time.perf_counter()
    score(rows)
    return (time.perf_counter() - begun) / responses * 1e6


def microseconds(labels: list[str], rounds: int) -> list[float]:
    """The median time of one response for each engine, in their order: each on one core, in turns."""
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, POLARS_MAX_THREADS="1"))
        processes = {label: stack.enter_context(start_process()) for label in labels}
        times = [
            [process.submit(take_round, *ENGINES[label]).result() for label, process in processes.items()]
            for _ in range(rounds)
        ]
    return [median(own) for own in zip(*times, strict=True)]


def convert(folder: Path) -> float:
    """JSON Lines to Parquet; returns the peak of this process's memory in GiB."""
    from qaviz.loading import Source, load
    from qaviz.scoring import score

    loaded = load(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")])
    score(loaded.rows).write_parquet(folder / "scored.parquet")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def fresh_process(folder: Path) -> tuple[float, float]:
    """Return seconds from start to end, and the peak of memory in GiB, of a process that scores the folder's files."""
    begun = time.perf_counter()
    with start_process() as process:
        peak = process.submit(convert, folder).result()
    return time.perf_counter() - begun, peak


def report(rounds: int, sizes: tuple[int, ...]) -> dict[str, float]:
    """Print the tables; return times as fast as FMEval, and seconds and GiB of the largest size."""
    labels = [*ENGINES] if importlib.util.find_spec("fmeval") else [ONE_CORE]
    times = microseconds(labels, rounds)
    print("| seven scores | µs a response | times as fast |\n|---|---|---|")
    for label, own in zip(labels, times, strict=True):
        print(f"| {label} | {own:.1f} | {times[0] / own:.1f} |")
    print("\n| JSON Lines to Parquet, fresh process | seconds | peak GiB |\n|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            # In a process of its own: Linux counts to a process's peak of memory that of the one which started it.
            with start_process() as process:
                process.submit(write_files, Path(name), size).result()
            measured = [fresh_process(Path(name)) for _ in range(rounds if size <= 100_000 else 1)]
        taken, peaks = zip(*measured, strict=True)
        seconds, peak = median(taken), max(peaks)
        print(f"| {size:,} responses | {seconds:.2f} | {peak:.2f} |")
    return {"times": times[0] / times[labels.index(ONE_CORE)], "responses": sizes[-1], "seconds": seconds, "gib": peak}


def main() -> None:
    parser = make_parser(__doc__, keeps=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--million", action="store_true", help="also score 1,000,000 responses from a file")
    options = parser.parse_args()
    figures = report(options.rounds, (100_000, 1_000_000) if options.million else (100_000,))
    if options.keep:
        keep("scoring", figures)


if __name__ == "__main__":
    main()
