"""How long the figures of the History page take over many runs: reading each once, then a metric over all of them.

    python -m benchmarks.history FOLDER --runs 200 --responses 10000

The workspace is that of `benchmarks.workspace`, made once in FOLDER.
"""

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.workspace import workspace_of
from qaviz.analysis.history import READ, history, outcomes_of, pipelines_of
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import FACTUAL_KNOWLEDGE, RECALL
from qaviz.store.golden_versions import line_of, versions

KIB = 1024

Made = TypeVar("Made")


def timed(what: str, make: Callable[[], Made]) -> Made:
    """What the call returns; prints how many seconds it took, and how many of a processor."""
    start, used = time.perf_counter(), time.process_time()
    made = make()
    print(f"| {what} | {time.perf_counter() - start:.2f} | {time.process_time() - used:.2f} |")
    return made


def main() -> None:
    """Print a table: what is done, seconds, seconds of a processor; and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--responses", type=int, default=10_000)
    options = parser.parse_args()
    workspace = workspace_of(options.runs, options.responses, options.folder)
    runs = timed(f"list {options.runs:,} runs", workspace.runs)[::-1]
    numbers = {each.golden_id: each.number for each in versions(workspace, line_of(workspace, runs[0].golden_id))}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    asked_questions = workspace.golden(runs[0].golden_id)["question_id"]
    outcomes = timed(
        "read them, once", lambda: [outcomes_of(workspace.rows(run, READ), asked_questions) for run in runs]
    )
    pipelines = pipelines_of(outcomes)
    for metric in (FACTUAL_KNOWLEDGE, RECALL, Diagnosis.HALLUCINATION.value):
        timed(
            f"{metric} of {len(pipelines)} pipelines over all runs, with drift",
            lambda metric=metric: history(runs, outcomes, numbers, metric, pipelines, baseline=runs[0].run_id),
        )
    kept = sum(each.estimated_size() for each in outcomes) / KIB**2
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"kept of the runs: {kept:.0f} MiB; memory grew by {peak / KIB:.0f} MiB at most")


if __name__ == "__main__":
    main()
