"""`qaviz compare`, `gate`, `report` and `export`: saved runs beside each other, and as files for people and tools."""

from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from qaviz.analysis import run_changes
from qaviz.analysis.gate import Gate, Result, Rules
from qaviz.analysis.gate import gate as check_gate
from qaviz.analysis.policy import criteria_in_force, read_policy
from qaviz.cli import options as o
from qaviz.cli import terminal
from qaviz.exports import decision_pack, gate_formats, table_files, tool_files
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.records import Run
from qaviz.report.decision import report_saved
from qaviz.stats import MARGIN
from qaviz.store.workspace import Workspace

_PAIRS = "pipelines to compare (default: those of the same name)"

EXIT_CODES = {Result.PASS: 0, Result.FAIL: 1, Result.UNKNOWN: 3}
"""2 is taken: the command could not run."""
_READERS = {name: forms[0].help for name, forms in tool_files.TOOL_FORMATS.items()}


class WithBaseline(o.Options):
    """A command that compares with a baseline, by the workspace's criteria or others."""

    pair: tuple[tuple[str, str], ...] = o.repeated("NOW=BASELINE", _PAIRS, type=o.pair("NOW=BASELINE"))
    policy: Path | None = o.file("acceptance criteria: .toml or .json (default: the workspace's)")
    margin: float = o.option("SHARE", "the loss of right answers that matters", type=o.PART, default=MARGIN)
    broken: int | None = o.option(
        "N", "questions that may break (default: 1 in 20, critical ones never)", type=o.number(0)
    )
    format: str = o.choice(gate_formats.FORMATS, "md is for the comment on a pull request", default="text")

    @property
    def rules(self) -> Rules:
        """What the gate lets pass."""
        return Rules(margin=self.margin, broken=self.broken)


class _GateOptions(WithBaseline, o.OfRun):
    baseline: str = o.option("RUN", "name or id of the run to compare it with", required=True)


@o.command(_GateOptions)
def gate(options: _GateOptions) -> int:
    """Say whether a run may pass, for CI.

    Exit code: 0 no question broke, or a loss of right answers of --margin or more is excluded; 1 a loss is shown, a
    question tagged critical broke, more than --broken questions did, a criterion is not met or a response is missing;
    2 could not run; 3 nobody can tell: the questions that broke are named, and how many would tell.
    """
    home = options.home
    criteria = read_policy(options.policy) if options.policy else criteria_in_force(home)
    now, baseline = (run_changes.read_side(home, home.find(name)) for name in (options.run, options.baseline))
    result = check_gate(now, baseline, options.pair, criteria, options.rules)
    print(write_gate(result, options.format))
    return EXIT_CODES[result.result]


class _CompareOptions(o.Printed):
    run_a: str = o.argument("name or id of the run before", type=o.RUN_NAME)
    run_b: str = o.argument("name or id of the run after; the same one with --pair", type=o.RUN_NAME)
    pair: tuple[tuple[str, str], ...] = o.repeated("A=B", _PAIRS, type=o.pair("A=B"))


@o.command(_CompareOptions)
def compare(options: _CompareOptions) -> o.Printout:
    """Compare two runs question by question.

    Each response is fixed, broken, changed in wording or verdict, or the same. The first line says where the golden
    dataset changed: such questions are not comparable, and neither fixed nor broken. Pipelines of the same name are
    compared, or those that --pair names; with the same RUN twice, two pipelines of one run.
    """
    home = options.home
    before, after, readers = run_changes.judge_alike(
        *(run_changes.read_side(home, home.find(name)) for name in (options.run_a, options.run_b))
    )
    changes = run_changes.compare_runs(before, after, options.pair)
    golden, kind = run_changes.find_golden_changes(before.golden, after.golden), run_changes.CHANGE
    pairs = changes.select(PIPELINE, f"{PIPELINE}{run_changes.BEFORE}").drop_nulls().unique(maintain_order=True).rows()
    pairing = run_changes.word_pairs(after.merge_repeats().run, before.merge_repeats().run, pairs)
    counts = {change.value: number for change, number in run_changes.count_changes(changes).items()}
    tables = {change.value: changes.filter(pl.col(kind) == change.value).drop(kind) for change in run_changes.Change}
    sides = {"run_a": _name_side(before), "run_b": _name_side(after)}
    figures = {**sides, "readers": readers, "golden": golden, "pairing": pairing, "counts": counts, **tables}
    most_wanted = (run_changes.Change.FIXED.value, run_changes.Change.BROKEN.value)
    shown = {name: tables[name].select(QUESTION_ID, PIPELINE, QUESTION) for name in most_wanted}
    words = filter(None, [readers, run_changes.word_golden_changes(golden)])
    return o.Printout(figures, (*words, *pairing, *terminal.lay_out({"counts": counts, **shown})))


def _name_side(side: run_changes.RunSide) -> dict[str, str]:
    return {"run_id": side.run.run_id, "name": side.run.name, "golden_id": side.run.golden_id}


def write_gate(result: Gate, form: str) -> str:
    """What the command prints in this format of FORMATS; in text a name cannot steer the terminal."""
    written = gate_formats.FORMATS[form](result)
    return "\n".join(map(terminal.escape, written.split("\n"))) if form == "text" else written


class _ReportOptions(o.OfRun):
    out: Path = o.option(
        "FILE",
        "file to write: "
        + ", ".join(f"{suffix} ({exporter.name})" for suffix, exporter in decision_pack.exporters().items()),
        type=o.FILE,
        required=True,
    )


@o.command(_ReportOptions)
def report(options: _ReportOptions) -> o.Printout:
    """Write a run's decision pack.

    Slides, a workbook, one page that opens from disk, a page for a wiki, or JSON, by the suffix of --out.
    It states what is decided, what the run shows and how sure that is, and what is not known.
    """
    home, run = options.open_run()
    write_pack(run, home, options.out)
    return o.Printout({"run_id": run.run_id, "file": options.out})


def write_pack(run: Run, workspace: Workspace, out: Path) -> None:
    """Write the run's decision pack to `out`. Raises QavizError if the run's files are damaged or the disk refuses."""
    table_files.check_out(out, suffixes=decision_pack.exporters())
    with terminal.progress_line() as progress:
        progress(0, "gathering the decision pack")
        pack = report_saved(workspace, run, datetime.now(UTC))
        progress(0.3, "writing it")
        decision_pack.write_file(pack, out)


class _ExportOptions(o.OfRun):
    format: str = o.choice(
        (*_READERS,), "; ".join(f"{name}: {reader}" for name, reader in _READERS.items()), required=True
    )
    out: Path = o.option("FOLDER", "folder to write into", type=o.FILE, required=True)


@o.command(_ExportOptions)
def export(options: _ExportOptions) -> o.Printout:
    """Write a run as FMEval, MLflow, Langfuse, Inspect or Ragas reads it, or as CSV.

    There is one file for each pipeline, for FMEval one for each evaluation and pipeline.
    """
    home, run = options.open_run()
    return o.Printout({"files": list(tool_files.write_run(home.rows(run), run, options.format, options.out))})
