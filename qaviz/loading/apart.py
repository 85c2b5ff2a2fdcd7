"""What `qaviz.loading` does with files, done in a process of its own: for files that nobody trusts.

Each function gives and raises what its namesake does that reads here, and QavizError as `processes.Running` does. The
process has the memory and the time of LIMITS, an environment without keys or passwords, and no network where it can be
given up.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, fields, replace
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import Any

import polars as pl

from qaviz.loading import doubts, labels
from qaviz.loading.align import Chunk
from qaviz.loading.fmeval_output import FMEVAL
from qaviz.loading.load import Preview
from qaviz.loading.load import load_golden as load_golden_here
from qaviz.loading.load import preview as preview_here
from qaviz.loading.load import stream as stream_here
from qaviz.loading.source import Source
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.processes import Answer, Job, Limits, Message, Work, clean_environment, job_folder, room_refusals, start

LIMITS = Limits(memory=4 * 1024**3, silence_s=120, cpu_s=120 * (cpu_count() or 1), network=False)
"""Of a process that reads files. The memory is twice what a Parquet file of a few MB may decode to.
One step is the next part of a file."""

SMALL = 1_000_000
"""Bytes of files that are read in less than the second that another process takes to start."""
_TEXTS = {".jsonl", ".json", ".csv"}
"""Suffixes of formats that hold no more than their bytes: of those a process may not die."""


def ask(
    work: Work, sources: Sequence[Source], options: Message | None = None, *, progress: Progress | None = None
) -> Iterator[Answer]:
    """Yield what the work gives, which takes the files by `take_sources`, at most two answers ahead.

    Closing the iterator ends the work at once, and so does `progress` that raises.
    """
    where = ", ".join(dict.fromkeys(source.name for source in sources))
    fix = "Check where the file comes from; if you trust it, split it, or save it as JSON Lines."
    about = Problem(where=where, found="a file whose reader", expected="a file that can be read", fix=fix)
    with job_folder() as folder:
        given = {**(options or {}), "sources": _place_sources(sources, folder)}
        with start(work, folder, given, about=about, environment=clean_environment({}), limits=LIMITS) as running:
            yield from running.answers(progress)


def take_sources(job: Job) -> list[Source]:
    """In the process: the files that `ask` was given."""
    return [
        Source(**{**given, "data": Path(given["data"]), "joined": tuple(map(tuple, given["joined"]))})
        for given in job.options["sources"]
    ]


def _place_sources(sources: Sequence[Source], folder: Path) -> list[dict[str, Any]]:
    """The sources as JSON can say them. Uploads are written to the folder; the same one in two places is one file."""
    paths: dict[Path | bytes, Path] = {}
    placed = []
    for number, source in enumerate(sources):
        if isinstance(source.data, Path):
            paths[source.data] = source.data.absolute()
        elif source.data not in paths:
            source.refuse_over_limit()
            paths[source.data] = folder / f"{number}.upload"
            with room_refusals(folder):
                paths[source.data].write_bytes(source.data)
        given = {field.name: getattr(source, field.name) for field in fields(source) if field.name != "copy"}
        uploaded = source.uploaded or isinstance(source.data, bytes)
        placed.append(given | {"data": str(paths[source.data]), "uploaded": uploaded, "mapping": dict(source.mapping)})
    return placed


def is_fmeval_output(source: Source) -> bool:
    """Whether FMEval wrote the file. One that cannot be read was written by nobody known: loading it says why."""
    try:
        return any(seen.tool == FMEVAL for seen in preview(None, [source], aside=True))
    except QavizError:
        return False


def preview(
    golden: Source | None, responses: Sequence[Source], *, aside: bool = False, trusted: bool = False
) -> list[Preview]:
    """As `loading.preview`; `trusted` as `stream` has it."""
    if trusted and _are_small_texts(golden, responses):
        return preview_here(golden, responses, aside=aside)
    from pydantic import TypeAdapter  # it takes as long to import as all the rest

    answers = _ask_of(_preview, golden, responses, {"aside": aside})
    return TypeAdapter(list[Preview]).validate_python([{**answer.values, **answer.tables} for answer in answers])


def _preview(job: Job) -> Iterator[Answer]:
    for seen in preview_here(*_split_sources(job), aside=job.options["aside"]):
        values = asdict(replace(seen, first=pl.DataFrame()))  # which would be copied
        yield Answer({name: value for name, value in values.items() if name != "first"}, {"first": seen.first})


def stream(
    golden: Source | None,
    responses: Sequence[Source],
    *,
    keep_scores: bool = False,
    progress: Progress | None = None,
    trusted: bool = False,
) -> Generator[Chunk, None, None]:
    """As `loading.stream`; `progress` as `ask` has it. Small texts that are `trusted` are read here."""
    if trusted and _are_small_texts(golden, responses):
        yield from stream_here(golden, responses, progress=progress, keep_scores=keep_scores)
        return
    triplets = pl.DataFrame()
    # Closed here, so that the process ends with whoever stops reading.
    with closing(_ask_of(_stream, golden, responses, {"keep_scores": keep_scores}, progress)) as answers:
        for answer in answers:
            triplets = answer.tables.get("golden", triplets)
            yield Chunk(answer.tables["rows"], answer.tables["listed"], triplets, answer.values["scored"])


def _are_small_texts(golden: Source | None, responses: Sequence[Source]) -> bool:
    given = {source for source in (golden, *responses) if source}
    return sum(source.size for source in given) <= SMALL and all(source.suffix in _TEXTS for source in given)


def _stream(job: Job) -> Iterator[Answer]:
    chunks = stream_here(*_split_sources(job), progress=job.progress, keep_scores=job.options["keep_scores"])
    for number, chunk in enumerate(chunks):
        # It is the same golden dataset for all chunks.
        golden = {} if number else {"golden": chunk.golden}
        yield Answer({"scored": chunk.scored}, golden | {"rows": chunk.rows, "listed": chunk.listed})


def _ask_of(
    work: Work,
    golden: Source | None,
    responses: Sequence[Source],
    options: Message,
    progress: Progress | None = None,
) -> Generator[Answer, None, None]:
    given = [source for source in (golden, *responses) if source]
    yield from ask(work, given, {**options, "has_golden": golden is not None}, progress=progress)


def _split_sources(job: Job) -> tuple[Source | None, list[Source]]:
    sources = take_sources(job)
    return (sources[0], sources[1:]) if job.options["has_golden"] else (None, sources)


def find_near_questions(golden: Source | None, responses: Sequence[Source]) -> pl.DataFrame:
    """As `loading.doubts.find_near_questions`."""
    (answer,) = _ask_of(_find_near_questions, golden, responses, {})
    return answer.tables["near"]


def _find_near_questions(job: Job) -> Iterator[Answer]:
    yield Answer(tables={"near": doubts.find_near_questions(*_split_sources(job))})


def load_golden(source: Source, progress: Progress) -> tuple[pl.DataFrame, pl.DataFrame]:
    """As `loading.load_golden`."""
    (answer,) = ask(_load_golden, [source], progress=progress)
    return answer.tables["golden"], answer.tables["listed"]


def _load_golden(job: Job) -> Iterator[Answer]:
    (source,) = take_sources(job)
    golden, listed = load_golden_here(source, job.progress)
    yield Answer(tables={"golden": golden, "listed": listed})


def _ask_rows(reader: str, source: Source, progress: Progress) -> pl.DataFrame:
    (answer,) = ask(_read_rows, [source], {"reader": reader}, progress=progress)
    return answer.tables["rows"]


def _read_rows(job: Job) -> Iterator[Answer]:
    (source,) = take_sources(job)
    yield Answer(tables={"rows": getattr(labels, job.options["reader"])(source, job.progress)})


# As their namesakes of `loading.labels`.
read_labels = partial(_ask_rows, "read_labels")
read_grades = partial(_ask_rows, "read_grades")
read_passages = partial(_ask_rows, "read_passages")
read_verdicts = partial(_ask_rows, "read_verdicts")
read_decisions = partial(_ask_rows, "read_decisions")
