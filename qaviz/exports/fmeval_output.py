"""A run in the format of FMEval's own output: what reads FMEval's files reads these."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.loading.adapters.fmeval_file import (
    CATEGORY_FIELD,
    ERROR,
    ERROR_FIELD,
    EVALUATIONS,
    MODEL_INPUT,
    MODEL_OUTPUT,
    NAME,
    SCORES_FIELD,
    TARGET_OUTPUT,
    VALUE,
    Evaluation,
)
from qaviz.model.columns import CATEGORY, PIPELINE, QUESTION, RESPONSE
from qaviz.store import disk_refusals, replacing

LONGEST_STEM = 50
"""Characters of a pipeline's name in a file's name: with four bytes each, below what file systems take."""

_NOT_IN_A_FILE_NAME = re.compile(r"[^\w. -]")


@dataclass(frozen=True, kw_only=True)
class Written:
    """One file that was written."""

    file: Path
    rows: int
    left_out: int
    """Responses of the pipeline to questions that have no fact, or no answer: there is nothing to score against."""


def write_fmeval_output(rows: pl.DataFrame, folder: Path) -> list[Written]:
    """Write a run's rows into `folder`, one file an evaluation and pipeline: all of them or none.

    Files are named as FMEval names them: `qa_accuracy_PIPELINE.jsonl`. An evaluation that gave a pipeline no score has
    no file. Raises QavizError if the disk refuses.
    """
    written = []
    with disk_refusals(folder), ExitStack() as together:
        folder.mkdir(parents=True, exist_ok=True)
        pipelines = rows.partition_by(PIPELINE, maintain_order=True)
        for stem, part in zip(_name_files([part[PIPELINE][0] for part in pipelines]), pipelines, strict=True):
            for evaluation in EVALUATIONS:
                if part.select(pl.col(evaluation.scores).count()).sum_horizontal().item():
                    file = folder / f"{evaluation.name}_{stem}.jsonl"
                    lines = _write_lines(part, evaluation)
                    unfinished = together.enter_context(replacing(file))
                    unfinished.write_text("\n".join(lines), encoding="utf-8")
                    written.append(Written(file=file, rows=len(lines), left_out=part.height - len(lines)))
    return written


def _name_files(pipelines: list[str]) -> Iterator[str]:
    """For each pipeline the end of its files' names: letters, digits and a few signs, no two the same in any case."""
    taken: set[str] = set()
    for pipeline in pipelines:
        plain = _NOT_IN_A_FILE_NAME.sub("_", pipeline)[:LONGEST_STEM].strip(" ._-") or "pipeline"
        numbered = (f"{plain}_{number}" for number in range(2, len(pipelines) + 2))
        stem = next(name for name in (plain, *numbered) if name.casefold() not in taken)
        taken.add(stem.casefold())
        yield stem


def _write_lines(rows: pl.DataFrame, evaluation: Evaluation) -> pl.Series:
    """One JSON object a row that has something to score against, its fields in FMEval's order."""
    scored = rows.filter(pl.col(evaluation.target).str.contains(r"\S"))
    fields = {
        MODEL_INPUT: pl.col(QUESTION),
        MODEL_OUTPUT: pl.col(RESPONSE),
        TARGET_OUTPUT: pl.col(evaluation.target),
        CATEGORY_FIELD: pl.col(CATEGORY),
        ERROR_FIELD: pl.col(evaluation.why_not),
    }
    names = [name for name in evaluation.columns if name in rows.columns]
    entries = [_write_score(name, evaluation) for name in names]
    scores = pl.concat_list(entries).list.drop_nulls().list.join(", ")
    line = pl.concat_str(
        pl.lit("{"),
        *(_write_field(name, value).fill_null("") for name, value in fields.items()),
        pl.lit(f'"{SCORES_FIELD}": ['),
        scores,
        pl.lit("]}"),
    )
    return scored.select(line).to_series()


def _write_field(name: str, value: pl.Expr) -> pl.Expr:
    """`"name": value, `, null where the value is."""
    return pl.when(value.is_not_null()).then(pl.lit(f'"{name}": ') + _write_json(value) + pl.lit(", "))


def _write_score(name: str, evaluation: Evaluation) -> pl.Expr:
    """The entry of one score: its value, or the row's error; null where there is neither."""
    opening = pl.lit(f'{{"{NAME}": "{name}", "')
    value = opening + pl.lit(f'{VALUE}": ') + _write_json(pl.col(name)) + pl.lit("}")
    error = opening + pl.lit(f'{ERROR}": ') + _write_json(pl.col(evaluation.why_not)) + pl.lit("}")
    return pl.when(pl.col(name).is_not_null()).then(value).otherwise(error)


def _write_json(value: pl.Expr) -> pl.Expr:
    """The value as JSON text."""
    return pl.struct(value.alias(VALUE)).struct.json_encode().str.strip_prefix(f'{{"{VALUE}":').str.strip_suffix("}")
