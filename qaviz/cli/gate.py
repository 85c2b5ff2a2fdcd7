"""`qaviz gate`: whether a run may pass, for CI."""

import argparse
from pathlib import Path

from qaviz.analysis.comparison import SEED
from qaviz.analysis.gate import Gate, GateRun, Result, gate
from qaviz.analysis.policy import criteria_in_force, read_policy
from qaviz.cli.terminal import shown
from qaviz.cli.whole_numbers import SEEDS
from qaviz.exports.gate_formats import FORMATS
from qaviz.store import Workspace

EXIT_CODES = {Result.PASS: 0, Result.FAIL: 1, Result.UNKNOWN: 3}
"""2 is taken: the command could not run."""


def check(home: Workspace, asked: argparse.Namespace) -> Gate:
    """What the gate finds. Raises QavizError for a run, a pipeline or a policy that is not there or will not do."""
    criteria = read_policy(asked.policy) if asked.policy else criteria_in_force(home)
    now, baseline = (_open_gate_run(home, name) for name in (asked.run_name, asked.baseline))
    return gate(now, baseline, asked.pair, criteria, seed=asked.seed)


def report(found: Gate, form: str) -> str:
    """What the command prints in this format of FORMATS; in text a name cannot steer the terminal."""
    written = FORMATS[form](found)
    return "\n".join(map(shown, written.split("\n"))) if form == "text" else written


def _open_gate_run(home: Workspace, name: str) -> GateRun:
    run = home.find(name)
    return GateRun(run=run, golden=home.golden(run.golden_id), rows=home.rows(run))


def pipeline_pair(text: str) -> tuple[str, str]:
    """Two names of pipelines from `ONE=OTHER`."""
    now, equals, baseline = text.partition("=")
    if not (now and equals and baseline):
        raise argparse.ArgumentTypeError(f'found "{text}", expected NOW=BASELINE')
    return now, baseline


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN, --baseline, --policy, --pair, --format and --seed."""
    parser.add_argument("run_name", metavar="RUN", help="name or id of the run that wants to pass")
    parser.add_argument("--baseline", required=True, metavar="RUN", help="name or id of the run to compare it with")
    parser.add_argument(
        "--policy", type=Path, metavar="FILE", help="acceptance criteria: .toml or .json (default: the workspace's)"
    )
    parser.add_argument(
        "--pair",
        type=pipeline_pair,
        action="append",
        default=[],
        metavar="NOW=BASELINE",
        help="pipelines to compare; may be given again (default: those of the same name)",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="md for a pull request's comment")
    parser.add_argument("--seed", type=SEEDS, default=SEED, metavar="N", help=f"of the resamples (default {SEED})")
