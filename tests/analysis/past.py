"""Runs one after the other, as history reads them: from pictures of what each pipeline states."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl

from qaviz.analysis.history import outcomes_of
from qaviz.analysis.run_changes import RunSide
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.records import Run, Thresholds
from tests.analysis.builders import asked_of, matrix_rows, response_row, response_rows
from tests.builders import golden_table

NO_ONE: Mapping[str, str] = {}
START = datetime(2026, 1, 31, tzinfo=UTC)
VERSIONS = {"first": 1, "second": 2}


def run_of(number: int, **other: Any) -> Run:
    """The run of this number: a month after the one before, on the first golden version."""
    usual = Run(
        run_id=f"run-{number}",
        name=f"Release {number}",
        created_at=START + timedelta(days=30 * (number - 1)),
        golden_id="first",
        pipelines=("A",),
        questions=1,
        responses=1,
        thresholds=Thresholds(),
        engine="qaviz 1",
        sources=(),
        listed_counts={},
    )
    return Run(**{**vars(usual), **other})


MARKS = {"1": Diagnosis.CORRECT, "0": Diagnosis.HALLUCINATION, "?": Diagnosis.UNSCORED, "d": Diagnosis.DECLINED}


def side(
    responses: str,
    questions: str = "",
    pipeline: str = "A",
    labels: Mapping[str, str] = NO_ONE,
    **columns: Sequence[Any],
) -> RunSide:
    """A run from a picture: for each question in turn a mark of MARKS and letters that are the response, `_` an empty
    one; `--` is none. `questions` has a letter a question, usually each another; `labels` are Ann's by question id;
    `columns` are of the golden dataset."""
    texts = responses.split()
    names = questions or "".join(chr(0x4E00 + place) for place in range(len(texts)))
    triplets = [{c.QUESTION_ID: str(n), c.QUESTION: name, c.FACT: "f"} for n, name in enumerate(names, start=1)]
    rows = response_rows(
        response_row(
            str(triplet[c.QUESTION_ID]), pipeline, None, **{c.DIAGNOSIS: MARKS[mark], c.RESPONSE: text.strip("_")}
        )
        for triplet, (mark, *letters) in zip(triplets, texts, strict=True)
        if mark != "-"
        for text in ["".join(letters)]
    )
    said = pl.DataFrame(
        [(question, pipeline, label) for question, label in labels.items()],
        schema={c.QUESTION_ID: pl.String, c.PIPELINE: pl.String, c.LABEL: pl.String},
        orient="row",
    )
    golden = golden_table(triplets).with_columns(pl.Series(name, values) for name, values in columns.items())
    run = run_of(1, run_id=responses[:40], name=responses[:40], pipelines=(pipeline,))
    return RunSide(run=run, golden=golden, rows=rows, labels=said)


def pictured(stated: Mapping[str, str]) -> pl.DataFrame:
    """What history keeps of a run: rows of `matrix_rows`, `A · 2` as a repeat of A."""
    parts = pl.col(c.PIPELINE).str.split(" · ")
    rows = matrix_rows(dict(stated)).with_columns(
        pl.when(parts.list.len() > 1).then(parts.list.first()).alias(c.REPEAT_OF)
    )
    return _keep(rows)


def scored(values: Sequence[float], pipeline: str = "A") -> pl.DataFrame:
    """What history keeps of a run in which a pipeline's closeness on each question is this; no fact is scored."""
    rows = [response_row(str(place), pipeline, None, **{c.RECALL: value}) for place, value in enumerate(values)]
    return _keep(response_rows(rows).with_columns(pl.lit(None, pl.String).alias(c.REPEAT_OF)))


def _keep(rows: pl.DataFrame) -> pl.DataFrame:
    """What history keeps of these rows, of a golden dataset of the questions that have a response."""
    complete = rows.with_columns(pl.lit(None, pl.Boolean).alias(c.ANSWERABLE), pl.lit("text").alias(c.RESPONSE))
    return outcomes_of(complete, asked_of(rows))
