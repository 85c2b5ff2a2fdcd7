"""`qaviz report`: a saved run as a decision pack."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from qaviz.cli.terminal import progress_line
from qaviz.exports.decision_pack import FORMATS, check_out, gather_from, write_file
from qaviz.model.records import Run
from qaviz.store import Workspace

_GATHERED = 0.3
"""Where on the bar gathering ends."""


def report(run: Run, workspace: Workspace, out: Path) -> None:
    """Write the run's decision pack to `out`. Raises QavizError if the run's files are damaged or the disk refuses."""
    check_out(out)
    with progress_line() as progress:
        progress(0, "gathering the decision pack")
        content = gather_from(workspace, run, datetime.now(UTC))
        progress(_GATHERED, "writing it")
        write_file(content, out)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN and --out."""
    parser.add_argument("saved", metavar="RUN", help="name or id of a run in the workspace")
    formats = ", ".join(f"{suffix} ({name})" for suffix, name in FORMATS.items())
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=f"file to write: {formats}")
