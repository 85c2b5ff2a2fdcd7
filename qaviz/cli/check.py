"""`qaviz check`: pipelines are asked, scored, gated against a baseline, and the change is explained."""

import argparse
import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from qaviz import runs
from qaviz.analysis.check import check_runs
from qaviz.analysis.comparison import SEED
from qaviz.analysis.policy import criteria_in_force, read_policy
from qaviz.analysis.run_changes import RunSide
from qaviz.cli.ask import INTERRUPTED, add_asking_arguments, ask_golden, lines_of, read_golden_file
from qaviz.cli.gate import EXIT_CODES, pipeline_pair
from qaviz.cli.person import add_by_argument, person
from qaviz.cli.terminal import progress_line, say
from qaviz.exports.check_formats import CHECK_FORMATS
from qaviz.loading import Source
from qaviz.model.records import Run
from qaviz.pipelines import Pipeline, parse_pipelines
from qaviz.store import Workspace, kept_labels, open_workspace


def run(asked: argparse.Namespace) -> int:
    """Ask pipelines the golden questions, score the responses as a run, gate it against a baseline, and explain.

    The comment says what is fixed and broken, with differences in words, and what latency and cost became. Exit codes
    as `qaviz gate`: 0 it passes; 1 it does not; 2 could not run; 3 not enough questions to tell.
    """
    pipelines = parse_pipelines(asked.pipeline)
    golden = read_golden_file(asked.golden)
    home = open_workspace(asked.workspace)
    criteria = read_policy(asked.policy) if asked.policy else criteria_in_force(home)
    baseline = _find_baseline(home, asked)
    name = _name_run(home, asked, pipelines)
    out = asked.out or _journalled(home, asked.golden, pipelines)
    try:
        answered = ask_golden(golden, pipelines, out, asked)
    except KeyboardInterrupt:
        say("stopped; the same command asks the rest")
        return INTERRUPTED
    for line in lines_of(answered, out):
        say(line.removeprefix("qaviz: ").strip())
    now = _import(home, asked, out, name)
    found = check_runs(_side(home, now), _side(home, baseline), asked.pair, criteria, SEED)
    print(CHECK_FORMATS[asked.format](found))
    return EXIT_CODES[found.gate.result]


def _find_baseline(home: Workspace, asked: argparse.Namespace) -> Run:
    """The run of this name or id; else the file's, which becomes a run once."""
    names = {each for run in home.runs(archived=True) for each in (run.name, run.run_id)}
    file = Path(asked.baseline)
    if asked.baseline in names or not file.is_file():
        return home.find(asked.baseline)
    digest = hashlib.sha256(asked.golden.read_bytes() + b"\0" + file.read_bytes()).hexdigest()[:8]
    name = f"baseline {file.name} {digest}"
    return home.find(name) if name in names else _import(home, asked, file, name)


def _name_run(home: Workspace, asked: argparse.Namespace, pipelines: Sequence[Pipeline]) -> str:
    """The name of the new run, refused before anything is asked."""
    of = ", ".join(each.name for each in pipelines)[:80]
    name: str = asked.name or f"check {of} {datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
    home.refuse_name(name)
    return name


def _journalled(home: Workspace, golden: Path, pipelines: Sequence[Pipeline]) -> Path:
    """Where the responses go, and where the same command finds what was answered before a kill."""
    known = "".join(each.fingerprint for each in pipelines).encode() + golden.read_bytes()
    return home.folder / "journals" / f"check-{hashlib.sha256(known).hexdigest()[:16]}.jsonl"


def _import(home: Workspace, asked: argparse.Namespace, file: Path, name: str) -> Run:
    with progress_line() as progress:
        golden, responses = Source.each_of([asked.golden, file])
        return runs.import_files(
            runs.ImportRequest(name=name, golden=golden, responses=(responses,), by=person(asked)), home, progress
        )


def _side(home: Workspace, run: Run) -> RunSide:
    return RunSide(run=run, golden=home.golden(run.golden_id), rows=home.rows(run), labels=kept_labels(home, run))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GOLDEN, --baseline, --format, --name, --policy, --pair, --out, and what `add_asking_arguments` adds."""
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="golden dataset, in any format of `qaviz import`")
    parser.add_argument(
        "--baseline", required=True, metavar="RUN|FILE", help="a run's name or id, or a file of responses"
    )
    parser.add_argument("--format", choices=CHECK_FORMATS, default="md", help="md for a pull request's comment")
    parser.add_argument("--name", help="of the new run (default: by pipelines and time)")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="acceptance criteria (default: the workspace's)")
    parser.add_argument(
        "--pair", type=pipeline_pair, action="append", default=[], metavar="NOW=BASELINE", help="pipelines to compare"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the responses in this .jsonl file too")
    add_asking_arguments(parser)
    add_by_argument(parser)
