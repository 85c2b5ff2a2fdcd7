"""`qaviz bundle`: a saved run as a static site, for readers without qaviz."""

import argparse
from pathlib import Path

from qaviz.analysis.numbers import plural
from qaviz.cli.terminal import progress_line, shown
from qaviz.exports.bundle import write_bundle
from qaviz.model.records import Run
from qaviz.store import Workspace

MEGABYTE = 1_000_000


def bundle(run: Run, workspace: Workspace, out: Path) -> str:
    """Write the run as a site to `out`; the line that the command prints. Raises as `write_bundle` does."""
    with progress_line() as progress:
        written = write_bundle(run, workspace, out, progress)
    size = f"{written.size / MEGABYTE:.1f} MB"
    return shown(f'qaviz: {plural(run.responses, "response")} of the run "{run.name}" in {written.page}, {size}')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN and --out."""
    parser.add_argument("bundled", metavar="RUN", help="name or id of a run in the workspace")
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER|FILE.html",
        help="a folder, for large runs and for static hosts; or one file, to send",
    )
