"""What a decision pack of many responses takes: seconds, memory and size of each format.

    python -m benchmarks.decision_pack [--responses 100000] [--pipelines 4] [--workspace DIR]

Makes responses, scores and diagnoses them, saves them as a run, writes its pack in a fresh process for each format, and
prints a row of a Markdown table each: from opening the workspace to the file on disk.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.generate import golden, responses
from qaviz.exports.decision_pack import exporters, gather_from, write_file
from qaviz.loading import Source, load
from qaviz.runs import draft, save
from qaviz.store.workspace import open_workspace

RUN = "decision pack benchmark"


def make_run(folder: Path, count: int, pipelines: int) -> None:
    """Save a run of that many responses in the workspace."""
    of = golden(-(-count // pipelines))
    files = [folder / "golden.jsonl", folder / "responses.jsonl"]
    of.write_ndjson(files[0])
    responses(of, count, pipelines).write_ndjson(files[1])
    save(draft(load(Source.of(files[0]), [Source.of(files[1])])), open_workspace(folder), RUN)


def measure(folder: Path, suffix: str) -> str:
    """Write the pack in this format; a row of the table."""
    out = folder / f"pack{suffix}"
    begun = time.perf_counter()
    workspace = open_workspace(folder)
    write_file(gather_from(workspace, workspace.find(RUN), datetime.now(UTC)), out)
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return f"| {suffix} | {seconds:.1f} | {peak:.2f} | {out.stat().st_size / 2**20:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--responses", type=int, default=100_000)
    parser.add_argument("--pipelines", type=int, default=4)
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--format", choices=exporters(), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.format:
        print(measure(options.workspace, options.format))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = options.workspace or Path(name)
        if not (folder / "responses.jsonl").exists():
            make_run(folder, options.responses, options.pipelines)
        print(f"| {options.responses:,} responses | seconds | peak GiB | MiB |\n|---|---|---|---|", flush=True)
        for suffix in exporters():
            command = [sys.executable, "-m", "benchmarks.decision_pack", "--format", suffix, "--workspace", str(folder)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
