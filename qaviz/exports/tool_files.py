"""A run in the files of other tools, one a pipeline as the tools' own readers read them.

Every text stands inside JSON or a quoted CSV cell; nothing of it is markup, a path or a formula there.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import orjson
import polars as pl

from qaviz.diagnosis import open_rows
from qaviz.exports.table_files import as_csv, number_alike, select_scores
from qaviz.loading import fmeval_output as f
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.errors import disk_refusals
from qaviz.model.records import Run
from qaviz.store.files import replacing

_NUMBERS = (*c.SCORES, c.CONFIDENCE)
_WORDS = (c.VERDICT, c.DIAGNOSIS)

_FORMS: Mapping[str, Any] = orjson.loads(Path(__file__).with_name("tools.json").read_bytes())
FMEVAL = "fmeval"


@dataclass(frozen=True, kw_only=True)
class ToolFormat:
    """How the rows of one pipeline are written for a tool."""

    name: str
    """What the file's name begins with."""
    help: str
    """What reads the files."""
    suffix: str
    write: Callable[[pl.DataFrame, Run], bytes]
    """The file's content: from the rows of one pipeline, as `Workspace.rows` has them, and their run."""
    select: Callable[[pl.DataFrame], pl.DataFrame] = pl.DataFrame.clone
    """The rows that are written; without any there is no file."""


def _pick(rows: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """The columns by the tool's names; null where the rows lack one."""
    return rows.select(
        (pl.col(ours) if ours in rows.columns else pl.lit(None, pl.String)).alias(theirs)
        for theirs, ours in names.items()
    )


def _write_ragas(rows: pl.DataFrame, run: Run) -> bytes:  # noqa: ARG001 - every format is given the run
    names = {"user_input": c.QUESTION, "response": c.RESPONSE, "reference": c.ANSWER, "retrieved_contexts": c.CONTEXTS}
    samples = _pick(rows, names)
    # Ragas takes a list or no field at all: a null is refused.
    return b"".join(
        orjson.dumps({name: cell for name, cell in sample.items() if cell is not None}) + b"\n"
        for sample in samples.iter_rows(named=True)
    )


def _write_mlflow(rows: pl.DataFrame, run: Run) -> bytes:  # noqa: ARG001 - every format is given the run
    """The table of `mlflow.load_table`: pandas' split orientation, `NAME/score` a score as MLflow names them."""
    names = {"inputs": c.QUESTION, "outputs": c.RESPONSE, "targets": c.ANSWER, "fact": c.FACT, "category": c.CATEGORY}
    table = _pick(rows, names).hstack(rows.select(pl.col(*_NUMBERS, *_WORDS).name.suffix("/score")))
    return orjson.dumps({"columns": table.columns, "data": table.rows()})


def _fill(form: Any, values: Mapping[str, object]) -> Any:  # noqa: ANN401 - any JSON
    """A form of tools.json, with the value in the place of each `$name`."""
    if isinstance(form, dict):
        return {name: _fill(part, values) for name, part in form.items()}
    if isinstance(form, list):
        return [_fill(part, values) for part in form]
    return values[form[1:]] if isinstance(form, str) and form.startswith("$") else form


def _write_inspect(rows: pl.DataFrame, run: Run) -> bytes:
    """A log of Inspect: a sample a response, its verdict as C, I or N, the numbers as scorers of their own."""
    letters = {Verdict.CORRECT.value: "C", Verdict.INCORRECT.value: "I", Verdict.DECLINED.value: "N"}
    samples = []
    for row in rows.iter_rows(named=True):
        response, repeat = row[c.RESPONSE] or "", row.get(c.REPEAT)
        scores: dict[str, object] = {name: {"value": row[name]} for name in _NUMBERS if row[name] is not None}
        if letter := letters.get(str(row[c.VERDICT])):
            scores[c.VERDICT] = {"value": letter, "answer": response, "explanation": row[c.REASON]}
        own = {"epoch": repeat if isinstance(repeat, int) else 1, c.RESPONSE: response, c.ANSWER: row[c.ANSWER] or ""}
        samples.append(_fill(_FORMS["inspect sample"], row | own | {"scores": scores}))
    pipeline = rows[c.PIPELINE][0]
    ids = {"run_id": run.run_id, "eval_id": str(_name_uuid(run, pipeline)), "golden_id": run.golden_id}
    counts = {"questions": rows[c.QUESTION_ID].n_unique(), "responses": len(samples), "samples": samples}
    named = {"created": run.created_at.isoformat(), "task": run.name, c.PIPELINE: pipeline}
    return orjson.dumps(_fill(_FORMS["inspect log"], ids | counts | named))


def _write_langfuse(rows: pl.DataFrame, run: Run) -> bytes:
    """The body of Langfuse's ingestion: a trace a response and its scores. Ids follow from the run, so that sending it
    twice changes nothing."""
    batch = []
    for row in rows.iter_rows(named=True):
        place = (str(row[c.PIPELINE]), str(row[c.QUESTION_ID]), str(row.get(c.REPEAT) or 1))
        values = row | {"at": run.created_at.isoformat(), "run": run.name, "trace": str(_name_uuid(run, *place))}
        batch.append(_fill(_FORMS["langfuse trace"], values | {"event": str(_name_uuid(run, *place, "trace"))}))
        for name in (*_NUMBERS, *_WORDS):
            if row[name] is not None:
                score, kind = str(_name_uuid(run, *place, name)), "CATEGORICAL" if name in _WORDS else "NUMERIC"
                own = {"event": f"{score}-event", "score": score, "name": name, "value": row[name], "kind": kind}
                event = _fill(_FORMS["langfuse score"], values | own)
                event["body"] |= {"comment": row[c.REASON]} if name == c.VERDICT else {}
                batch.append(event)
    return orjson.dumps({"batch": batch})


def _name_uuid(run: Run, *place: str) -> UUID:
    return uuid5(NAMESPACE_URL, "\x1f".join((run.run_id, *place)))


def _write_csv(rows: pl.DataFrame, run: Run) -> bytes:
    scores = select_scores(rows.with_columns(open_rows(rows, run.thresholds)))
    return as_csv(scores.with_columns(pl.col(c.WARNINGS).list.join("; ")))


def _write_lines(rows: pl.DataFrame, evaluation: f.Evaluation) -> Iterator[str]:
    """Fields and scores in FMEval's order; a score that is missing has the row's error, or is left out."""
    scores = [name for name in evaluation.columns if name in rows.columns]
    fields = {
        f.MODEL_INPUT: c.QUESTION,
        f.MODEL_OUTPUT: c.RESPONSE,
        f.TARGET_OUTPUT: evaluation.target,
        f.CATEGORY_FIELD: c.CATEGORY,
        f.ERROR_FIELD: evaluation.why_not,
    }
    for row in rows.select(*fields.values(), *scores).iter_rows(named=True):
        record: dict[str, object] = {name: row[ours] for name, ours in fields.items() if row[ours] is not None}
        error = row[evaluation.why_not]
        record[f.SCORES_FIELD] = [
            {f.NAME: name, f.ERROR: error} if row[name] is None else {f.NAME: name, f.VALUE: row[name]}
            for name in scores
            if row[name] is not None or error is not None
        ]
        yield json.dumps(record, ensure_ascii=False)


def _fmeval_file(evaluation: f.Evaluation) -> ToolFormat:
    """The file of one evaluation: what has something to score against, where any of it has a score."""

    def select(rows: pl.DataFrame) -> pl.DataFrame:
        scored = rows.select(pl.any_horizontal(pl.col(evaluation.scores).is_not_null()).any()).item()
        return rows.filter(pl.col(evaluation.target).str.contains(r"\S")) if scored else rows.clear()

    return ToolFormat(
        name=evaluation.name,
        help="FMEval's own output",
        suffix=".jsonl",
        write=lambda rows, _: "\n".join(_write_lines(rows, evaluation)).encode(),
        select=select,
    )


_ONE_FILE = (
    ToolFormat(name="mlflow", help="mlflow.load_table and the evaluation view", suffix=".json", write=_write_mlflow),
    ToolFormat(name="langfuse", help="POST /api/public/ingestion", suffix=".json", write=_write_langfuse),
    ToolFormat(name="inspect", help="inspect view, read_eval_log", suffix=".json", write=_write_inspect),
    ToolFormat(name="ragas", help="EvaluationDataset.from_jsonl", suffix=".jsonl", write=_write_ragas),
    ToolFormat(name="csv", help="spreadsheets", suffix=".csv", write=_write_csv),
)
TOOL_FORMATS: Mapping[str, Sequence[ToolFormat]] = {
    FMEVAL: tuple(map(_fmeval_file, f.EVALUATIONS)),
    **{tool.name: (tool,) for tool in _ONE_FILE},
}
"""The files of each pipeline, by the name that the terminal knows; FMEval has one an evaluation."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """One file that was written."""

    file: Path
    rows: int
    left_out: int
    """Responses of the pipeline to questions that have no fact, or no answer: there is nothing to score against."""


def write_run(rows: pl.DataFrame, run: Run, format_name: str, folder: Path) -> list[Written]:
    """Write the run's rows into `folder` as a tool of TOOL_FORMATS reads them, each file as `NAME_PIPELINE.suffix`: all
    files or none. Raises QavizError if the disk refuses."""
    written = []
    with disk_refusals(folder), ExitStack() as together:
        folder.mkdir(parents=True, exist_ok=True)
        pipelines = rows.partition_by(c.PIPELINE, maintain_order=True)
        # Fifty characters of four bytes each are below what file systems take.
        signs = (re.sub(r"[^\w. -]", "_", part[c.PIPELINE][0])[:50].strip(" ._-") for part in pipelines)
        stems = number_alike((stem or "pipeline" for stem in signs), "{}_{}")
        for stem, part in zip(stems, pipelines, strict=True):
            for form in TOOL_FORMATS[format_name]:
                taken = form.select(part)
                if taken.height:
                    file = folder / f"{form.name}_{stem}{form.suffix}"
                    together.enter_context(replacing(file)).write_bytes(form.write(taken, run))
                    written.append(Written(file=file, rows=taken.height, left_out=part.height - taken.height))
    return written
