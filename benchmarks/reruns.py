"""What a rerun of a page costs the server, without a browser: CPU time, which other work on the machine hardly changes.

    python -m benchmarks.reruns --responses 100000 1000000

Prints a table: medians in ms for each filter and threshold. What the server takes of memory, `benchmarks.screens` says.
"""

import argparse
import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

from benchmarks.screens import ROOT, SCORED_AT_MOST, WORDS, workspace_of
from qaviz.model.records import WORKSPACE_VARIABLE
from tests.screen import open_page

REPEATS = 5

Rerun = dict[str, str | None]
"""What the URL says in a rerun; None takes a name away."""

LIMITS: list[Rerun] = [{"low_conciseness": limit} for limit in ("0.4", "0.5", "0.6", "0.7", "0.8", "0.9")]
SEARCHES: list[Rerun] = [{"text": word} for word in WORDS]
BARS: list[Rerun] = [{"closeness": f"0.{place}-0.{place + 1}"} for place in range(1, 7)]
REPEATED: list[Rerun] = [{}]

RERUNS: tuple[tuple[str, str, list[Rerun]], ...] = (
    ("Board, nothing changed", "board", REPEATED),
    ("Diagnostics, nothing changed", "responses", REPEATED),
    ("Diagnostics, filter by diagnosis", "responses", [{"diagnosis": "hallucination"}, {"diagnosis": None}]),
    ("Diagnostics, search the texts", "responses", SEARCHES),
    ("Diagnostics, another threshold", "responses", LIMITS),
    ("Diagnostics, another range", "responses", BARS),
    ("Board, another class", "board", [{"cell": "hallucination"}, {"cell": "declined"}, {"cell": None}]),
    ("Board, another range", "board", BARS),
    ("Board, another threshold", "board", LIMITS),
    ("Question, nothing changed", "responses?tab=Question", REPEATED),
)
"""Each with its page and what the URL says in turn."""

_runs: list[float] = []
"""CPU seconds of each run of a page's script."""


def note_runs() -> None:
    """From now on note what each run of a script takes: AppTest's own work around it is not the server's."""
    run_script = ScriptRunner._run_script

    def timed(runner: ScriptRunner, *given: object) -> None:
        start = time.process_time()
        try:
            run_script(runner, *given)
        finally:
            _runs.append(time.process_time() - start)

    ScriptRunner._run_script = timed


def rerun(page: AppTest, said: Rerun) -> float:
    """The CPU milliseconds of a rerun in which the URL says this."""
    for name, value in said.items():
        if value is None:
            page.query_params.pop(name, None)
        else:
            page.query_params[name] = value
    _runs.clear()
    page.run()
    assert not page.exception, page.exception
    return sum(_runs) * 1000


def measured() -> Iterator[tuple[str, float]]:
    """Each line of RERUNS with its median, after a first rerun that is not counted."""
    for what, path, turns in RERUNS:
        page = open_page(path)
        rerun(page, turns[0])
        yield what, median(rerun(page, turns[turn % len(turns)]) for turn in range(1, max(REPEATS, len(turns))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--responses", type=int, nargs="+", default=[SCORED_AT_MOST, 1_000_000])
    parser.add_argument("--folder", type=Path, default=ROOT / "artefacts" / "benchmark")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    logging.disable(logging.WARNING)
    note_runs()
    print("| rerun | responses | ms of CPU |\n|---|---|---|")
    for count in options.responses:
        os.environ[WORKSPACE_VARIABLE] = str(workspace_of(count, options.folder).folder)
        for what, took in measured():
            print(f"| {what} | {count:,} | {took:.0f} |", flush=True)


if __name__ == "__main__":
    main()
