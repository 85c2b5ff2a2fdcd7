"""`qaviz export`: a saved run as files for other tools."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from qaviz.analysis.numbers import count, plural
from qaviz.cli.terminal import shown
from qaviz.exports.fmeval_output import write_fmeval_output
from qaviz.model.records import Run
from qaviz.store import Workspace

FMEVAL = "fmeval"
FORMATS = (FMEVAL,)


def export(run: Run, workspace: Workspace, folder: Path) -> Iterator[str]:
    """Write the run into `folder` in FMEval's format; the lines that the command prints, one a file.

    Raises QavizError if the run's files are damaged or the disk refuses.
    """
    for written in write_fmeval_output(workspace.rows(run), folder):
        left_out = f", {count(written.left_out)} with nothing to score against left out" if written.left_out else ""
        yield shown(f"qaviz: {plural(written.rows, 'response')} in {written.file}{left_out}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN, --format and --out."""
    parser.add_argument("saved", metavar="RUN", help="name or id of a run in the workspace")
    parser.add_argument("--format", choices=FORMATS, required=True, help="fmeval: JSON Lines as FMEval's save=True")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="folder to write into")
