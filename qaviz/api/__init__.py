"""The public Python API, for notebooks and scripts: tables in, an evaluated run out."""

import atexit
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import fields, replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

import polars as pl

from qaviz.analysis import outcomes, run_changes
from qaviz.api.run import EvaluatedRun, RunComparison, open_workspace, take_side
from qaviz.api.tables import Table, Tables, open_table, open_tables
from qaviz.bulk.chunks import score_chunk
from qaviz.contexts.retrieval import find_in_documents
from qaviz.diagnosis import open_rows
from qaviz.documents import read_folder
from qaviz.golden.lint import lint as lint_golden
from qaviz.loading import Chunk, Source, load, load_golden, preview, roles, silent
from qaviz.loading.doubts import Tally, doubt_entries, find_doubts, find_near_questions, list_bad_rows, read_doubts
from qaviz.model.classes import Measure
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, THEIR_SCORES
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.plugins import naming_extension
from qaviz.model.records import SERVED, SERVER_HEADER, Thresholds
from qaviz.pipelines import AskSettings, Pipeline, ask_pipelines
from qaviz.store.labels import kept_labels
from qaviz.store.workspace import Workspace

__all__ = ["EvaluatedRun", "ask", "compare", "evaluate", "lint", "open", "open_run", "open_workspace"]

Metrics: TypeAlias = Mapping[str, Callable[[pl.DataFrame], Sequence[float | None] | pl.Series]]
"""Functions by the name of the score that they give: the rows of the run (question, answer, fact, response, contexts,
scores, diagnosis, ...) in, a number from 0 to 1 for each row out, more for better, None where there is none."""


class _Options(TypedDict, total=False):
    """How `evaluate` reads and scores."""

    thresholds: Thresholds | Mapping[str, float] | None
    map: Mapping[str, str] | None
    join: Literal["near"] | Sequence[tuple[str, str]]
    documents: Sequence[str]
    metrics: Metrics | None
    skip_bad: bool


@overload
def evaluate(
    golden: Table, responses: "Tables | None" = None, *, strict: Literal[True] = True, **options: Unpack[_Options]
) -> EvaluatedRun:
    """Return the run."""


@overload
def evaluate(
    golden: Table, responses: "Tables | None" = None, *, strict: Literal[False], **options: Unpack[_Options]
) -> tuple[EvaluatedRun | None, list[Problem]]:
    """Return the run, None where there is none, and the problems."""


def evaluate(
    golden: Table,
    responses: "Tables | None" = None,
    *,
    thresholds: Thresholds | Mapping[str, float] | None = None,
    map: Mapping[str, str] | None = None,
    join: Literal["near"] | Sequence[tuple[str, str]] = (),
    documents: Sequence[str] = (),
    metrics: Metrics | None = None,
    skip_bad: bool = False,
    strict: bool = True,
) -> EvaluatedRun | tuple[EvaluatedRun | None, list[Problem]]:
    """Score and diagnose responses by a golden dataset; without `responses` its own file or table holds them too.

    Where tables give different golden answers to one question, those of `golden` count.

    `golden` has question and answer, and if known question_id, fact, category, answerable, source, tags. `responses`
    has question_id or question, then pipeline and response, or one column a pipeline; or it is a table for each
    pipeline, by its name. Columns with other names are recognised as in files; `map` says what they are (their column
    -> our word, "" to leave one out). `join="near"` also joins nearly the same questions, pairs of (question,
    question_id) those that they name. `documents` are folders and files that pipelines retrieve from: what none of them
    holds is their fault. `metrics` are functions whose scores stand beside ours, for compare, criteria and gate.
    `skip_bad` leaves out bad rows. Raises QavizError with every problem of all tables; with `strict=False` run (or
    None) and problems come back.
    """
    try:
        bounds = _read_thresholds(thresholds)
        counting_source, files = _open_sources(golden, responses, map or {}, skip_bad=skip_bad or not strict)
        if isinstance(join, str):
            join = tuple(find_near_questions(counting_source, files).select(QUESTION, QUESTION_ID).iter_rows())
        counting_source = counting_source and replace(counting_source, joined=tuple(join))
        files = [replace(source, joined=tuple(join)) for source in files]
        loaded = load(counting_source, files)
        if documents:
            held = find_in_documents(loaded.golden, read_folder(documents, silent))
            loaded = replace(loaded, rows=loaded.rows.join(held, on=QUESTION_ID, how="left", maintain_order="left"))
        run = score_loaded(loaded, bounds)
        tally = Tally()
        tally.add(loaded)
        doubts = find_doubts(tally, counting_source, files, preview)
        listed = pl.concat([run.listed, *doubt_entries([*filter(None, [counting_source]), *files], doubts)])
        rows = _add_scores(run.rows, metrics or {})
        run = replace(run, rows=rows, listed=listed, loading=read_doubts(listed))
    except QavizError as error:
        if strict:
            raise
        return None, [*error.problems]
    return run if strict else (run, list_bad_rows(run.listed))


def _read_thresholds(given: Thresholds | Mapping[str, float] | None) -> Thresholds:
    """The thresholds; others as they usually are. Raises QavizError with every problem of a mapping."""
    if isinstance(given, Thresholds) or given is None:
        return given or Thresholds()
    names = [field.name for field in fields(Thresholds)]
    problems = list[Problem]()
    for name, value in given.items():
        if name not in names:
            problems.append(Problem("thresholds", f'"{name}"', f"one of {', '.join(names)}", "Correct the name."))
        elif not _is_score(value):
            problems.append(Problem(f"thresholds, {name}", repr(value), "a number from 0 to 1", "Write 0.7."))
    if problems:
        raise QavizError(*problems)
    return Thresholds(**given)


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _add_scores(rows: pl.DataFrame, metrics: Metrics) -> pl.DataFrame:
    """The rows with what these functions give beside the scores that came with the responses. Raises QavizError for a
    name that is taken, and with the rows of numbers that will not do."""
    if taken := [name for name in metrics if name in {*rows.columns, *Measure}]:
        raise QavizError(*(Problem(f"metric {name}", "a name of ours", "another name", "Rename it.") for name in taken))
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
    bad = [(place, value) for place, value in enumerate(numbers) if value is not None and not _is_score(value)]
    if bad:
        places = [f"{where}, question {rows[QUESTION_ID][at]}, pipeline {rows[PIPELINE][at]}" for at, _ in bad]
        expected, fix = "a score from 0 (worst) to 1 (best)", "Divide it by the most that it can be."
        raise QavizError(
            *(Problem(place, f"{value:g}", expected, fix) for place, (_, value) in zip(places, bad, strict=True))
        )
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
        mappings = roles.assign_pairs(pairs, columns, "map")
        files = [replace(source, mapping=mapping) for source, mapping in zip(files, mappings, strict=True)]
    # Several files in place of the golden dataset hold both.
    return (None, files) if len(first) > 1 else (files[0], files[1:])


def score_loaded(loaded: Chunk, thresholds: Thresholds) -> EvaluatedRun:
    """What was loaded, scored and diagnosed."""
    rows, listed = score_chunk(loaded.rows, thresholds)
    run = _diagnosed(loaded.golden, rows, pl.concat([loaded.listed, listed]), thresholds)
    return replace(run, sources=loaded.sources)


def _diagnosed(golden: pl.DataFrame, rows: pl.DataFrame, listed: pl.DataFrame, thresholds: Thresholds) -> EvaluatedRun:
    """The run of these diagnosed rows, which is nowhere kept yet."""
    return EvaluatedRun(
        loading=read_doubts(listed),
        golden=golden,
        # In one chunk: charts gather rows by place, where polars 2.1 panics on texts in several.
        rows=rows.with_columns(open_rows(rows, thresholds)).rechunk(),
        listed=listed,
        pipelines=tuple(rows[PIPELINE].unique(maintain_order=True)),
        thresholds=thresholds,
    )


def open_run(workspace: Workspace, name: str) -> EvaluatedRun:
    """Return a saved run, by its name or id, with all its rows. Raises QavizError if there is none."""
    run = workspace.find(name)
    golden, listed = workspace.golden(run.golden_id), workspace.read_listed(run)
    opened = _diagnosed(golden, workspace.rows(run), listed, run.thresholds)
    return replace(opened, run=run, workspace=workspace, labels=kept_labels(workspace, run))


def lint(golden: Table, run: EvaluatedRun | None = None) -> pl.DataFrame:
    """Return what is wrong with a golden dataset, one row a finding; beside a run also what its responses show.

    Columns: rule, severity, question_id, message, evidence, suggestion and more (`qaviz.golden.lint.FINDINGS`). Raises
    QavizError with every problem of the table.
    """
    triplets, _notes = load_golden(open_table("golden", golden), silent)
    labels = outcomes.counting(run.labels) if run and not run.labels.is_empty() else None
    return lint_golden(triplets, run.rows if run else None, labels=labels)


def compare(before: EvaluatedRun, after: EvaluatedRun, pairs: Mapping[str, str] | None = None) -> RunComparison:
    """Return what changed from one run to another: frames fixed, broken, changed and transitions, and a gate.

    Pipelines of the same name are compared, or those of `pairs`: a pipeline of the run before -> one after. Raises
    QavizError where the runs share no question, or no pipeline.
    """
    sides = take_side(before, "before"), take_side(after, "after")
    named = tuple((pairs or {}).items())
    return RunComparison(changes=run_changes.compare_runs(*sides, named), before=sides[0], after=sides[1], pairs=named)


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


def open(run: EvaluatedRun, port: int = 8501) -> str:
    """Show a saved run in the app: start the app, or take the one that serves its workspace; print and return the
    address. An app that this starts ends with this program. Raises QavizError where the run is not saved, the
    port is taken, or the app does not start.
    """
    if run.run is None or run.workspace is None:
        raise stop("the run", "a run that is not saved", "a run of a workspace", 'Save it first: run.save("name").')
    folder = run.workspace.folder
    served = find_served(folder) or _start_app(folder, port)
    address = f"http://127.0.0.1:{served}/?run={run.run.run_id}"
    print(address)
    return address


def find_served(folder: Path) -> int | None:
    """The port of the app of this machine that serves the workspace; None where there is none."""
    with suppress(OSError, ValueError, HTTPException):
        port, name, home = (folder / SERVED).read_text("utf-8", "surrogateescape").split(maxsplit=2)
        with closing(HTTPConnection("127.0.0.1", int(port), timeout=5)) as connection:
            connection.request("GET", "/healthz")
            # What was killed leaves its file, and another app may answer on its port.
            if home == str(folder.resolve()) and connection.getresponse().getheader(SERVER_HEADER) == name:
                return int(port)
    return None


def _start_app(folder: Path, port: int) -> int:
    command = [sys.executable, "-m", "qaviz", "app", "--workspace", str(folder), "--port", str(port)]
    with tempfile.TemporaryFile() as output:
        # A session of its own: what interrupts a cell of a notebook does not stop the app.
        process = subprocess.Popen(
            command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True
        )
        atexit.register(process.terminate)
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            if served := find_served(folder):
                return served
            time.sleep(0.2)
        process.terminate()
        output.seek(0)
        words = output.read()[-500:].decode("utf-8", "replace").strip().splitlines()
    raise stop("the app", words[-1] if words else "no answer", f"an app on port {port}", "Start it: qaviz app.")
