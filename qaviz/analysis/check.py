"""A change of a pipeline, explained: what the gate says, which questions it fixed and broke, what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from qaviz.analysis.gate import Gate, GateRun, gate, pair_pipelines
from qaviz.analysis.run_changes import RunSide, compare_runs
from qaviz.model.columns import COST, LATENCY_MS, PIPELINE
from qaviz.model.records import Criterion


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What came of checking a run against a baseline."""

    gate: Gate
    changes: pl.DataFrame
    """`run_changes.compare_runs`, the baseline as the run before."""
    expenses: pl.DataFrame
    """`compare_expenses`."""
    link: str = ""
    """Where the run can be read question by question: an address, or the name of a file; empty where nowhere."""


def check_runs(
    now: RunSide, baseline: RunSide, pairs: Sequence[tuple[str, str]], criteria: Sequence[Criterion], seed: int
) -> Checked:
    """Gate and explain. `pairs` are pipelines of the run, each with one of the baseline. Raises as `gate`."""
    own, theirs = (GateRun(run=side.run, golden=side.golden, rows=side.rows) for side in (now, baseline))
    found = gate(own, theirs, pairs, criteria, seed=seed)
    chosen = pair_pipelines(now.run, baseline.run, pairs)
    return Checked(
        gate=found,
        changes=compare_runs(baseline, now, [(before, after) for after, before in chosen]),
        expenses=compare_expenses(now.rows, baseline.rows, chosen),
    )


def compare_expenses(now: pl.DataFrame, baseline: pl.DataFrame, pairs: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """A row a pair: pipeline, pipeline_before, the median latency in ms and the mean cost of a response, each now and
    before; null where no response says it."""
    found = list[dict[str, Any]]()
    for after, before in pairs:
        own, theirs = (_expenses(*side) for side in ((now, after), (baseline, before)))
        names = {PIPELINE: after, f"{PIPELINE}_before": before}
        found.append(names | own | {f"{name}_before": value for name, value in theirs.items()})
    figures = (LATENCY_MS, COST, f"{LATENCY_MS}_before", f"{COST}_before")
    return pl.DataFrame(found, schema_overrides=dict.fromkeys(figures, pl.Float64), infer_schema_length=None)


def _expenses(rows: pl.DataFrame, pipeline: str) -> dict[str, Any]:
    own = rows.filter(pl.col(PIPELINE) == pipeline)
    return {LATENCY_MS: own[LATENCY_MS].median(), COST: own[COST].mean()}
