"""`qaviz lint`: what is wrong with a golden dataset, in a terminal or for another program."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson
import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.cli.opened import is_there, open_existing
from qaviz.cli.terminal import progress_line, say_listed, shown
from qaviz.diagnosis.rescoring import rescore
from qaviz.golden.lint import lint
from qaviz.golden.lint.findings import ERROR, EVIDENCE, MESSAGE, RULE, SEVERITIES, SEVERITY, SUGGESTION
from qaviz.loading import Source, sandbox
from qaviz.loading.load_log import DUPLICATE, KIND
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run

TEXT, JSON = "text", "json"
_GOLDEN_ID = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True)
class Linted:
    """A golden dataset and what lint finds in it."""

    triplets: int
    findings: pl.DataFrame
    """`qaviz.golden.FINDINGS`."""

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return self.findings.filter(pl.col(SEVERITY) == ERROR).height


def lint_golden(golden: str, run_name: str | None, folder: Path) -> Linted:
    """Lint the golden dataset of a file, of a run, or with this id in the workspace; beside a run if one is named.

    The run's responses are scored again on the golden dataset where it differs from the run's own. Raises QavizError if
    there is no such file, run or version, or the run answers none of its questions.
    """
    with progress_line() as progress:
        source = Source.of(golden)
        if source.sheet or Path(golden).is_file():
            triplets, listed = sandbox.load_golden(source, progress)
            say_listed(listed.filter(pl.col(KIND) == DUPLICATE))
        else:
            triplets = find_golden(folder, golden)
        rows = None
        if run_name is not None:
            home = open_existing(folder)
            run = home.find(run_name)
            rows = rescore(home.rows(run), triplets, run.thresholds, progress)
            _refuse_unrelated(rows, run, golden)
        return Linted(triplets.height, lint(triplets, rows, progress))


def find_golden(folder: Path, name: str) -> pl.DataFrame:
    """The golden dataset of the workspace, if there is one, with this id, else that of the run with this name or id."""
    home = open_existing(folder) if is_there(folder) else None
    if home and any(name in (run.name, run.run_id) for run in home.runs(archived=True)):
        return home.golden(home.find(name).golden_id)
    if home and _GOLDEN_ID.fullmatch(name):
        return home.golden(name)
    raise QavizError(
        Problem(
            where=name,
            found="no such file, and no such run or golden dataset version in the workspace",
            expected="a golden dataset: .jsonl, .csv, .parquet, .xlsx, or the name or id of a run",
            fix="Check the path, or name the workspace with --workspace.",
        )
    )


def _refuse_unrelated(rows: pl.DataFrame, run: Run, golden: str) -> None:
    if rows.is_empty():
        raise QavizError(
            Problem(
                where=golden,
                found=f'none of the questions of the run "{run.name}"',
                expected="the golden dataset that the run was scored on, or a version of it",
                fix="Name the run of this golden dataset, or lint without --run.",
            )
        )


def report(linted: Linted, form: str) -> Iterator[str]:
    """The lines that the command prints: for a program one line, a JSON list of findings."""
    if form == JSON:
        yield orjson.dumps(linted.findings.to_dicts()).decode()
        return
    for finding in linted.findings.iter_rows(named=True):
        told = f"{finding[MESSAGE]} {finding[EVIDENCE].removesuffix('.')}. {finding[SUGGESTION] or ''}".rstrip()
        yield shown(f"{finding[SEVERITY]}  {finding[QUESTION_ID]}  {finding[RULE]}: {told}")
    yield _summary(linted)


def _summary(linted: Linted) -> str:
    numbers = dict(linted.findings.group_by(SEVERITY).len().iter_rows())
    found = ", ".join(plural(numbers[severity], severity) for severity in SEVERITIES if severity in numbers)
    return f"{plural(linted.triplets, 'triplet')}: {found or 'nothing found'}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GOLDEN, --run and --format."""
    parser.add_argument(
        "golden",
        metavar="GOLDEN",
        help="a file, .jsonl, .csv, .parquet, .xlsx; or a run or golden dataset by name or id",
    )
    parser.add_argument(
        "--run", dest="run_name", metavar="RUN", help="a run over it: asks the rules that need responses"
    )
    parser.add_argument("--format", choices=(TEXT, JSON), default=TEXT, help="json: a list of findings (default: text)")
