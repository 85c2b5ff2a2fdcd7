"""`qaviz agreement` of two graders: people, judges, another tool. Figures with intervals, as JSON."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from qaviz.cli.terminal import progress_line
from qaviz.diagnosis.agreement import Estimate
from qaviz.exports.score_files import as_written
from qaviz.judging.agreement import GraderAgreement, compare_graders
from qaviz.loading import Source, sandbox
from qaviz.model.columns import GRADE, VERDICT
from qaviz.model.errors import Problem, QavizError

CRITERION, NAME = "criterion", "name"
FIGURES = ("exact", "within_one", "kappa", "weighted_kappa", "ac1", "ac2")
_LABELS = {"correct", "incorrect", "declined"}


def read_graders(asked: argparse.Namespace) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """The two files as grades; None where they are verdicts and labels, which have a report of their own.

    Raises QavizError for what is wrong in them.
    """
    first = read_grader(asked.scored, asked.first)
    if VERDICT in first["column"] and asked.format == "text":
        return None
    return first, read_grader(asked.labels, asked.second)


def compare(first: pl.DataFrame, second: pl.DataFrame) -> dict[str, GraderAgreement]:
    """The two graders' agreement by criterion, under "" where they have none in common."""
    criteria = set(first[CRITERION].drop_nulls()) & set(second[CRITERION].drop_nulls())
    if not criteria:
        return {"": compare_graders(*_like_labels(first, second))}
    return {
        each: compare_graders(first.filter(pl.col(CRITERION) == each), second.filter(pl.col(CRITERION) == each))
        for each in sorted(criteria)
    }


def _like_labels(first: pl.DataFrame, second: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Where one grader could not say `declined`, it counts as `incorrect` for the other."""
    said = [set(each[GRADE].drop_nulls()) for each in (first, second)]
    if not all(each <= {*_LABELS, "unsure"} for each in said) or all("declined" in each for each in said):
        return first, second
    wrong = pl.col(GRADE).replace({"declined": "incorrect"})
    return first.with_columns(wrong), second.with_columns(wrong)


def read_grader(path: Path, name: str | None) -> pl.DataFrame:
    """One grader's file, as `sandbox.read_grades`. Raises QavizError where it has several and none is named."""
    with progress_line() as progress:
        grades = as_written(sandbox.read_grades(Source.of(path), progress), path)
    names = grades[NAME].drop_nulls().unique().sort().to_list()
    if name is None and len(names) > 1:
        raise QavizError(_problem(path, f"{len(names)} graders: {', '.join(names)}", names))
    if name is not None and name not in names:
        raise QavizError(_problem(path, f"no grader {name}", names))
    return grades if name is None else grades.filter(pl.col(NAME) == name)


def _problem(path: Path, found: str, names: list[str]) -> Problem:
    return Problem(
        where=path.name,
        found=found,
        expected=f"one of {', '.join(names)}" if names else "a column name",
        fix="Name the grader with --first or --second.",
    )


def report(found: dict[str, GraderAgreement]) -> Iterator[str]:
    """The lines that the command prints: one JSON object."""
    whole = _as_json(found[""]) if "" in found else {"criteria": {name: _as_json(found[name]) for name in found}}
    yield json.dumps(whole, ensure_ascii=True, indent=2)


def _as_json(found: GraderAgreement) -> dict[str, Any]:
    figures: dict[str, Any] = {name: _figure(getattr(found, name)) for name in FIGURES}
    return {
        "compared": found.compared,
        "questions": found.questions,
        "only_first": found.only_first,
        "only_second": found.only_second,
        "grades": list(found.categories),
        **figures,
        "constant_guess": found.constant_guess,
        "confusion": found.confusion.to_dicts(),
    }


def _figure(found: Estimate | None) -> dict[str, float | None] | None:
    return None if found is None else {"value": found.value, "low": found.low, "high": found.high}
