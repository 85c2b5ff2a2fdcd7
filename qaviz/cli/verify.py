"""`qaviz verify`: whether the installed FMEval gives a run the same scores, in a terminal."""

import argparse
from collections.abc import Iterator

from qaviz import runs
from qaviz.analysis.numbers import MISSING, count, plural
from qaviz.analysis.sentences import lacking_sentence
from qaviz.cli.person import add_by_argument
from qaviz.cli.terminal import progress_line, shown
from qaviz.cli.whole_numbers import SEEDS, whole_number
from qaviz.model.records import Run
from qaviz.scoring.bridge import SEED, Verification
from qaviz.store import Workspace

LISTED = 20
"""Differences that are named one by one."""


def verify(run: Run, home: Workspace, sample: int | None, seed: int, by: str) -> Verification:
    """Do what `runs.verify` does, with progress on stderr."""
    with progress_line() as progress:
        return runs.verify(run, home, sample=sample, seed=seed, progress=progress, by=by)


def report(run: Run, found: Verification) -> Iterator[str]:
    """The lines that the command prints: what was compared with which FMEval; the differences, of many the first."""
    differences = found.differences
    differing = plural(differences.height, "difference") if differences.height else "no difference"
    compared = f"{count(found.compared)} of {plural(run.responses, 'response')}"
    yield shown(f'{compared} of the run "{run.name}" scored again with FMEval {found.version}: {differing}')
    for question, pipeline, score, here, fmeval in differences.head(LISTED).iter_rows():
        yield shown(f"  {question}, {pipeline}: {score} is {_number(here)} here, {_number(fmeval)} by FMEval")
    if differences.height > LISTED:
        yield f"  … and {count(differences.height - LISTED)} more"
    if found.lacking:
        yield lacking_sentence(found.lacking)


def _number(score: float | None) -> str:
    """With all its digits: two scores may differ in the last of them."""
    return MISSING if score is None else repr(score)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN, --sample, --seed, --by."""
    parser.add_argument("run_name", metavar="RUN", help="the run's name or id")
    parser.add_argument("--sample", type=whole_number(1), metavar="N", help="compare so many responses (default: all)")
    parser.add_argument("--seed", type=SEEDS, default=SEED, metavar="S", help=f"what draws the sample (default {SEED})")
    add_by_argument(parser)
