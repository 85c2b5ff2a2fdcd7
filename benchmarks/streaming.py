"""What `score` or `import` takes for many responses: seconds, and the peak of memory of all its processes together.

    python -m benchmarks.streaming [--command score] [--responses 1000000] [--characters 400] [--folder DIR]

Writes a golden dataset and the responses of four pipelines as JSON Lines, no two responses alike, scores and diagnoses
them in a fresh process, to a Parquet file or as a run of a new workspace, and prints a row of a Markdown table. Files
are made once a folder.
"""

import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

from benchmarks.figures import make_parser
from benchmarks.generate import CHARACTERS, write_files

LOOKED_EVERY_SECONDS = 0.25


def run(command: str, folder: Path) -> tuple[float, float]:
    """Return the seconds that the command takes, and the peak of memory of its processes in GiB."""
    files = [str(folder / name) for name in ("golden.jsonl", "responses.jsonl")]
    begun, peak = time.perf_counter(), 0
    with tempfile.TemporaryDirectory(dir=folder) as new:
        goal = {"score": ["--out", f"{new}/scores.parquet"], "import": ["--name", "large", "--workspace", new]}
        process = subprocess.Popen([sys.executable, "-m", "qaviz", command, *files, *goal[command]])
        while process.poll() is None:
            peak = max(peak, resident(psutil.Process(process.pid)))
            time.sleep(LOOKED_EVERY_SECONDS)
    if process.returncode:
        raise RuntimeError(f"{process.args} ended with {process.returncode}")
    return time.perf_counter() - begun, peak / 2**30


def resident(process: psutil.Process) -> int:
    """Return the bytes in memory of a process and those that it started; of one that has ended, none."""
    total = 0
    for part in [process, *process.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            total += part.memory_info().rss
    return total


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--command", choices=("score", "import"), default="score")
    parser.add_argument("--responses", type=int, default=1_000_000)
    parser.add_argument("--characters", type=int, default=CHARACTERS)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "responses.jsonl").exists():
            write_files(folder, options.responses, options.characters)
        size = (folder / "responses.jsonl").stat().st_size / 2**30
        seconds, peak = run(options.command, folder)
    print(f"| {options.responses:,} responses, {size:.2f} GiB | {seconds:.0f} | {peak:.2f} |")


if __name__ == "__main__":
    main()
