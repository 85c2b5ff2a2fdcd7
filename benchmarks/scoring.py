"""What scoring costs, side by side in one run: medians of rounds in which the engines take turns.

    python -m benchmarks.scoring [--rounds 5] [--million]

Prints a Markdown table. Responses have 400 characters on average, 87 % of them with a character outside ASCII. Each
engine scores in a process of its own that has imported and warmed up; the last lines time a fresh process from its
start to the Parquet file, with the peak of its memory. `fmeval` is left out where it is not installed.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import polars as pl

from benchmarks.figures import keep, make_parser
from benchmarks.generate import table
from qaviz.model.columns import ANSWER, FACT, RESPONSE

FASTEST, SLOWEST = 20_000, 2_000
"""Responses that qaviz, and FMEval, score in a round."""


@dataclass(frozen=True)
class Engine:
    """One way to score, measured in a process with so many threads."""

    label: str
    key: str
    threads: int
    responses: int


ENGINES = (
    Engine("FMEval in process", "fmeval", 1, SLOWEST),
    Engine("qaviz, one core", "words", 1, FASTEST),
)


def score_rows(key: str, rows: pl.DataFrame) -> object:
    """Score by the engine of this key; only its own library is imported."""
    if key == "fmeval":
        from qaviz.scoring.bridge import score_texts

        return list(score_texts(rows.select(FACT, ANSWER, RESPONSE)))
    from qaviz.scoring import word_scores

    return word_scores(rows)


def serve(key: str, count: int) -> None:
    """Score once for each line of standard input, and answer with the seconds it took."""
    rows = table(count)
    score_rows(key, rows.head(100))
    for _ in sys.stdin:
        begun = time.perf_counter()
        score_rows(key, rows)
        print(json.dumps(time.perf_counter() - begun), flush=True)


def microseconds(engines: tuple[Engine, ...], rounds: int) -> Iterator[float]:
    """Yield the median time of one response for each engine, in their order."""
    servers = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.scoring", "--serve", engine.key, str(engine.responses)],
            env=os.environ | {"POLARS_MAX_THREADS": str(engine.threads)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for engine in engines
    ]
    times = [[_seconds(server) for server in servers] for _ in range(rounds)]
    for server in servers:
        server.communicate()
    for engine, seconds in zip(engines, zip(*times, strict=True), strict=True):
        yield median(seconds) / engine.responses * 1e6


def _seconds(server: subprocess.Popen[str]) -> float:
    assert server.stdin
    assert server.stdout
    server.stdin.write("\n")
    server.stdin.flush()
    while line := server.stdout.readline():
        if line[:1].isdigit():  # sagemaker greets on standard output
            return float(line)
    raise RuntimeError(f"{server.args} has ended")


def convert(folder: Path) -> None:
    """JSON Lines to Parquet: what the process does that `fresh_process` measures."""
    from qaviz.loading import Source, load
    from qaviz.scoring import score

    loaded = load(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")])
    score(loaded.rows).write_parquet(folder / "scored.parquet")


def fresh_process(folder: Path) -> tuple[float, float]:
    """Return seconds from start to end, and the peak of memory in GiB, of a process that scores the folder's files."""
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.scoring", "--convert", str(folder)])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{process.args} ended with {status}")
    return time.perf_counter() - begun, usage.ru_maxrss / 2**20


def report(rounds: int, sizes: tuple[int, ...]) -> dict[str, float]:
    """Print the tables; return times as fast as FMEval, and seconds and GiB of the largest size."""
    engines = ENGINES if importlib.util.find_spec("fmeval") else ENGINES[1:]
    times = list(microseconds(engines, rounds))
    print("| seven scores | µs a response | times as fast |\n|---|---|---|")
    for engine, each in zip(engines, times, strict=True):
        print(f"| {engine.label} | {each:.1f} | {times[0] / each:.1f} |")
    print("\n| JSON Lines to Parquet, fresh process | seconds | peak GiB |\n|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            # In a process of its own: Linux counts to a process's peak of memory that of the one which started it.
            command = [sys.executable, "-m", "benchmarks.generate", name, "--responses", str(size)]
            subprocess.run(command, check=True)
            measured = [fresh_process(Path(name)) for _ in range(rounds if size <= 100_000 else 1)]
        taken, peaks = zip(*measured, strict=True)
        seconds, peak = median(taken), max(peaks)
        print(f"| {size:,} responses | {seconds:.2f} | {peak:.2f} |")
    one_core = times[[engine.label for engine in engines].index("qaviz, one core")]
    return {"times": times[0] / one_core, "responses": sizes[-1], "seconds": seconds, "gib": peak}


def main() -> None:
    parser = make_parser(__doc__, keeps=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--million", action="store_true", help="also score 1,000,000 responses from a file")
    parser.add_argument("--serve", nargs=2, metavar=("ENGINE", "RESPONSES"), help=argparse.SUPPRESS)
    parser.add_argument("--convert", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve[0], int(options.serve[1]))
    elif options.convert:
        convert(options.convert)
    else:
        figures = report(options.rounds, (100_000, 1_000_000) if options.million else (100_000,))
        if options.keep:
            keep("scoring", figures)


if __name__ == "__main__":
    main()
