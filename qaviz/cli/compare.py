"""`qaviz compare`: two runs, question by question."""

import argparse
from collections.abc import Iterator

import orjson
import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.analysis.run_changes import CHANGE, CHANGE_WORDS, Change, RunSide, compare_runs, count_changes
from qaviz.cli.gate import pipeline_pair
from qaviz.cli.terminal import shown
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID
from qaviz.store import Workspace, kept_labels

NAMED = 20
"""Questions of each kind that the text names; more are counted."""


def compare(home: Workspace, asked: argparse.Namespace) -> str:
    """What the command prints. Raises QavizError for a run or a pipeline that is not there."""
    before, after = (_side(home, name) for name in (asked.run_a, asked.run_b))
    changes = compare_runs(before, after, asked.pair)
    return _as_json(before, after, changes) if asked.format == "json" else "\n".join(_lines(before, after, changes))


def _side(home: Workspace, name: str) -> RunSide:
    run = home.find(name)
    return RunSide(run=run, golden=home.golden(run.golden_id), rows=home.rows(run), labels=kept_labels(home, run))


def _as_json(before: RunSide, after: RunSide, changes: pl.DataFrame) -> str:
    lists = {each.value: changes.filter(pl.col(CHANGE) == each.value).drop(CHANGE).to_dicts() for each in Change}
    counts = {each.value: number for each, number in count_changes(changes).items()}
    said = {"run_a": _name_side(before), "run_b": _name_side(after), "counts": counts, **lists}
    return orjson.dumps(said, option=orjson.OPT_INDENT_2).decode()


def _name_side(side: RunSide) -> dict[str, str]:
    return {"run_id": side.run.run_id, "name": side.run.name, "golden_id": side.run.golden_id}


def _lines(before: RunSide, after: RunSide, changes: pl.DataFrame) -> Iterator[str]:
    yield shown(f'"{before.run.name}" against "{after.run.name}": {plural(changes.height, "response")} compared')
    for change, number in count_changes(changes).items():
        yield f"{change.value}: {number:,} ({CHANGE_WORDS[change].lower()})"
        if change not in (Change.FIXED, Change.BROKEN):
            continue
        own = changes.filter(pl.col(CHANGE) == change.value)
        for row in own.head(NAMED).iter_rows(named=True):
            yield shown(f"  {row[QUESTION_ID]}, {row[PIPELINE]}: {row[QUESTION] or ''}".replace("\n", " "))
        if own.height > NAMED:
            yield f"  and {own.height - NAMED:,} more: --format json has all"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN_A, RUN_B, --pair and --format."""
    parser.add_argument("run_a", metavar="RUN_A", help="name or id of the run before")
    parser.add_argument("run_b", metavar="RUN_B", help="name or id of the run after; the same one with --pair")
    parser.add_argument(
        "--pair",
        type=pipeline_pair,
        action="append",
        default=[],
        metavar="A=B",
        help="pipelines to compare, of RUN_A and of RUN_B; may be given again (default: those of the same name)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json lists every question")
