"""The public Python API, for notebooks and scripts: tables in, an evaluated run out."""

import math
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import polars as pl

from qaviz import runs
from qaviz.analysis.outcomes import counting
from qaviz.analysis.run_changes import compare_runs
from qaviz.api.run import EvaluatedRun, RunComparison, open_workspace, take_side
from qaviz.api.tables import Table, Tables, open_table, open_tables
from qaviz.contexts.documents import find_in_documents, read_folder
from qaviz.diagnosis import open_rows
from qaviz.golden.lint import lint as lint_golden
from qaviz.loading import Chunk, Source, load, load_golden, preview, silent
from qaviz.loading.doubts import Tally, doubt_entries, find_doubts, find_near_questions, read_doubts
from qaviz.loading.load import Loaded
from qaviz.loading.roles import assign_pairs
from qaviz.model.classes import Measure
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, THEIR_SCORES
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.plugins import naming_extension
from qaviz.model.records import Thresholds
from qaviz.pipelines import AskSettings, Pipeline, ask_pipelines
from qaviz.store.labels import kept_labels
from qaviz.store.workspace import Workspace

__all__ = ["EvaluatedRun", "ask", "compare", "evaluate", "lint", "open_run", "open_workspace"]

Metrics: TypeAlias = Mapping[str, Callable[[pl.DataFrame], Sequence[float | None] | pl.Series]]
"""Functions by the name of the score that they give: the rows of the run (question, answer, fact, response, contexts,
scores, diagnosis, ...) in, a number from 0 to 1 for each row out, more for better, None where there is none."""


def evaluate(
    golden: Table,
    responses: "Tables | None" = None,
    *,
    thresholds: Thresholds | None = None,
    map: Mapping[str, str] | None = None,
    join: Literal["near"] | Sequence[tuple[str, str]] = (),
    documents: Sequence[str] = (),
    metrics: Metrics | None = None,
    skip_bad: bool = False,
) -> EvaluatedRun:
    """Score and diagnose responses by a golden dataset; without `responses` its own file or table holds them too.

    Where tables give different golden answers to one question, those of `golden` count.

    `golden` has question and answer, and if known question_id, fact, category, answerable, source, tags. `responses`
    has question_id or question, then pipeline and response, or one column a pipeline; or it is a table for each
    pipeline, by its name. Columns with other names are recognised as in files; `map` says what they are (their column
    -> our word, "" to leave one out). `join="near"` also joins nearly the same questions, pairs of (question,
    question_id) those that they name. `documents` are folders and files that pipelines retrieve from: what none of them
    holds is their fault. `metrics` are functions whose scores stand beside ours, for compare, criteria and gate.
    `skip_bad` leaves out bad rows. Raises QavizError with every problem of all tables.
    """
    counting_source, files = _open_sources(golden, responses, map or {}, skip_bad=skip_bad)
    if isinstance(join, str):
        join = tuple(find_near_questions(counting_source, files).select(QUESTION, QUESTION_ID).iter_rows())
    counting_source = counting_source and replace(counting_source, joined=tuple(join))
    files = [replace(source, joined=tuple(join)) for source in files]
    loaded = load(counting_source, files)
    if documents:
        held = find_in_documents(loaded.golden, read_folder(documents, silent))
        loaded = replace(loaded, rows=loaded.rows.join(held, on=QUESTION_ID, how="left", maintain_order="left"))
    draft = runs.draft(loaded, thresholds or Thresholds())
    draft = replace(draft, rows=_add_scores(draft.rows, metrics or {}))
    return _to_evaluated_run(draft, loaded, counting_source, files)


def _add_scores(rows: pl.DataFrame, metrics: Metrics) -> pl.DataFrame:
    """The rows with what these functions give beside the scores that came with the responses. Raises QavizError for a
    name that is taken, and with the rows of numbers that will not do."""
    taken = {*rows.columns, *Measure}
    problems = [
        Problem(where=f"metric {name}", found="a name of ours", expected="another name", fix="Rename it.")
        for name in metrics
        if name in taken
    ]
    if problems:
        raise QavizError(*problems)
    none = pl.lit([], rows.schema[THEIR_SCORES])
    for name, compute in metrics.items():
        values = pl.Series(name, _compute_metric(name, compute, rows), pl.Float64)
        why = pl.when(values.is_null()).then(pl.lit("the function gave none"))
        entry = pl.struct(pl.lit(name).alias("name"), values.alias("value"), why.alias("error"))
        rows = rows.with_columns(pl.concat_list(pl.col(THEIR_SCORES).fill_null(none), entry).alias(THEIR_SCORES))
    return rows


def _compute_metric(name: str, compute: Callable[[pl.DataFrame], Any], rows: pl.DataFrame) -> list[float | None]:
    where, fix = f"metric {name}", "Return a number for each row, None where there is none."
    with naming_extension(where):
        given = list(compute(rows))
        numbers = [None if value is None or math.isnan(value) else float(value) for value in given]
    if len(numbers) != rows.height:
        raise stop(where, f"{len(numbers):,} scores", f"{rows.height:,}, one a row", fix)
    bad = [place for place, value in enumerate(numbers) if value is not None and not 0 <= value <= 1]
    if bad:
        first = f"{where}, question {rows[QUESTION_ID][bad[0]]}, pipeline {rows[PIPELINE][bad[0]]}"
        words = f"{numbers[bad[0]]:g}" + (f", and {len(bad) - 1:,} more like it" if len(bad) > 1 else "")
        raise stop(first, words, "a score from 0 (worst) to 1 (best)", "Divide it by the most that it can be.")
    return numbers


def _open_sources(
    golden: Table, responses: "Tables | None", pairs: Mapping[str, str], *, skip_bad: bool
) -> tuple[Source | None, list[Source]]:
    """The golden dataset's source, then the others, with what the mapping says of each."""
    first = open_tables("golden", golden)
    others = [] if responses is None else open_tables("responses", responses)
    files = [replace(source, skip_bad=skip_bad) for source in (*first, *others)]
    if pairs:
        columns = [[name for table in preview(None, [source]) for name in table.columns] for source in files]
        mappings = assign_pairs(pairs, columns, "map")
        files = [replace(source, mapping=mapping) for source, mapping in zip(files, mappings, strict=True)]
    # Several files in place of the golden dataset hold both.
    return (None, files) if len(first) > 1 else (files[0], files[1:])


def _to_evaluated_run(
    draft: runs.DraftRun, loaded: Loaded, golden: Source | None, responses: Sequence[Source]
) -> EvaluatedRun:
    tally = Tally()
    tally.add(Chunk(loaded.rows, loaded.listed, loaded.golden))
    doubts = find_doubts(tally, golden, responses, preview)
    noted = [draft.loaded.listed, *doubt_entries([*filter(None, [golden]), *responses], doubts)]
    draft = replace(draft, loaded=replace(draft.loaded, listed=pl.concat(noted)))
    return EvaluatedRun(
        loading=read_doubts(draft.loaded.listed),
        golden=loaded.golden,
        # In one chunk: charts gather rows by place, where polars 2.1 panics on texts in several.
        rows=draft.rows.with_columns(open_rows(draft.rows, draft.thresholds)).rechunk(),
        listed=draft.loaded.listed,
        pipelines=tuple(draft.rows[PIPELINE].unique(maintain_order=True)),
        thresholds=draft.thresholds,
        draft=draft,
    )


def open_run(workspace: Workspace, name: str) -> EvaluatedRun:
    """Return a saved run, by its name or id, with all its rows. Raises QavizError if there is none."""
    run = workspace.find(name)
    listed, rows = workspace.read_listed(run), workspace.rows(run)
    return EvaluatedRun(
        loading=read_doubts(listed),
        golden=workspace.golden(run.golden_id),
        rows=rows.with_columns(open_rows(rows, run.thresholds)),
        listed=listed,
        pipelines=run.pipelines,
        thresholds=run.thresholds,
        run=run,
        workspace=workspace,
        labels=kept_labels(workspace, run),
    )


def lint(golden: Table, run: EvaluatedRun | None = None) -> pl.DataFrame:
    """Return what is wrong with a golden dataset, one row a finding; beside a run also what its responses show.

    Columns: rule, severity, question_id, message, evidence, suggestion and more (`qaviz.golden.lint.FINDINGS`). Raises
    QavizError with every problem of the table.
    """
    triplets, _notes = load_golden(open_table("golden", golden), silent)
    labels = counting(run.labels) if run and not run.labels.is_empty() else None
    return lint_golden(triplets, run.rows if run else None, labels=labels)


def compare(before: EvaluatedRun, after: EvaluatedRun, pairs: Mapping[str, str] | None = None) -> RunComparison:
    """Return what changed from one run to another: frames fixed, broken, changed and transitions, and a gate.

    Pipelines of the same name are compared, or those of `pairs`: a pipeline of the run before -> one after. Raises
    QavizError where the runs share no question, or no pipeline.
    """
    sides = take_side(before, "before"), take_side(after, "after")
    named = tuple((pairs or {}).items())
    return RunComparison(changes=compare_runs(*sides, named), before=sides[0], after=sides[1], pairs=named)


def ask(
    pipeline: Callable[[str], Any],
    golden: Table,
    *,
    name: str = "pipeline",
    out: Path | str | None = None,
    in_flight: int = 8,
    timeout_s: float = 120.0,
    attempts: int = 1,
    repeat: int = 1,
    progress: bool = True,
) -> pl.DataFrame:
    """Ask a function the golden questions and return its responses, for `evaluate`.

    `pipeline` takes a question and returns a text, or a mapping with response, contexts and cost; it may be async. So
    many are asked at a time, each in a thread or in one event loop. One row a question and repeat: question_id,
    question, pipeline, response, latency_ms, cost, contexts, error. Where it raises, the response is null and `error`
    says why. With the file `out` (.jsonl), the same call after a kill asks the rest. Raises QavizError where there is
    no response at all.
    """
    triplets, _notes = load_golden(open_table("golden", golden), silent)
    settings = AskSettings(in_flight=in_flight, timeout_s=timeout_s, attempts=attempts, repeat=repeat)
    source = Pipeline(name=name, kind="function", target=getattr(pipeline, "__qualname__", "a function"), call=pipeline)
    with tempfile.TemporaryDirectory(prefix="qaviz-") as folder:
        file = Path(out) if out else Path(folder, "responses.jsonl")
        answers = ask_pipelines(triplets, [source], file, settings, progress=_show_progress if progress else silent)
        if progress:
            print(file=sys.stderr)
        if answers.rows == answers.errors:
            reason = next(iter(answers.reasons), "no question")
            expected = "a function that answers"
            raise stop(f'pipeline "{name}"', f"no response to any question: {reason}", expected, "Mend it.")
        return pl.read_ndjson(file, infer_schema_length=None)


def _show_progress(fraction: float, words: str) -> None:
    print(f"\r{words}, {fraction:.0%}", end="", file=sys.stderr, flush=True)
