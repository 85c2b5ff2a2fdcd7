"""`qaviz report` and `export`: a saved run as files for people and for other tools."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from qaviz.analysis.numbers import count, plural
from qaviz.cli.options import FILE, OfRun, choice, command, option
from qaviz.cli.paths import open_run
from qaviz.cli.terminal import escape, progress_line
from qaviz.exports.decision_pack import check_out, exporters, gather_from, write_file
from qaviz.exports.fmeval_output import write_fmeval_output
from qaviz.model.records import Run
from qaviz.store import Workspace

FMEVAL = "fmeval"
_GATHERED = 0.3
"""Where on the bar gathering ends."""


@dataclass(frozen=True, kw_only=True)
class _ReportOptions(OfRun):
    out: Path = option(
        "FILE",
        "file to write: " + ", ".join(f"{suffix} ({exporter.name})" for suffix, exporter in exporters().items()),
        type=FILE,
        required=True,
    )


@command(_ReportOptions)
def report(options: _ReportOptions) -> None:
    """Write a run's decision pack.

    Slides, a workbook, one interactive page that opens from disk, a page for a wiki, or JSON, by the suffix of --out.
    It states what is decided, what the run shows and how sure that is, and what is not known.
    """
    home, run = open_run(options.workspace, options.run)
    write_pack(run, home, options.out)
    print(escape(f'qaviz: the decision pack of "{run.name}" is in {options.out}'))


def write_pack(run: Run, workspace: Workspace, out: Path) -> None:
    """Write the run's decision pack to `out`. Raises QavizError if the run's files are damaged or the disk refuses."""
    check_out(out)
    with progress_line() as progress:
        progress(0, "gathering the decision pack")
        content = gather_from(workspace, run, datetime.now(UTC))
        progress(_GATHERED, "writing it")
        write_file(content, out)


@dataclass(frozen=True, kw_only=True)
class _ExportOptions(OfRun):
    format: str = choice((FMEVAL,), "fmeval: JSON Lines as FMEval's save=True", required=True)
    out: Path = option("FOLDER", "folder to write into", type=FILE, required=True)


@command(_ExportOptions)
def export(options: _ExportOptions) -> None:
    """Write a run in the format of FMEval's own output.

    There is one file for each evaluation and pipeline.
    """
    home, run = open_run(options.workspace, options.run)
    for line in write_fmeval(run, home, options.out):
        print(line)


def write_fmeval(run: Run, workspace: Workspace, folder: Path) -> Iterator[str]:
    """Write the run into `folder` in FMEval's format; the lines that the command prints, one a file.

    Raises QavizError if the run's files are damaged or the disk refuses.
    """
    for written in write_fmeval_output(workspace.rows(run), folder):
        left_out = f", {count(written.left_out)} with nothing to score left out" if written.left_out else ""
        yield escape(f"qaviz: {plural(written.rows, 'response')} in {written.file}{left_out}")
