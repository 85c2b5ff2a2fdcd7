"""A golden dataset and the responses of its pipelines, aligned and ready to be scored."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.aligned_chunks import Alignment
from qaviz.loading.golden import read_golden, with_ids
from qaviz.loading.load_log import FromFile, entry
from qaviz.loading.problems import quote_text
from qaviz.loading.responses import read_responses
from qaviz.loading.source import Source
from qaviz.model.columns import GOLDEN_COLUMNS
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

Read = TypeVar("Read")
"""What reading one file gives."""


@dataclass(frozen=True)
class Loaded:
    """What the files hold, ready to be scored."""

    golden: pl.DataFrame
    """One row a triplet: GOLDEN_COLUMNS, null where missing; question_id never null, and unique."""
    rows: pl.DataFrame
    """One row a response, in the files' order: GOLDEN_COLUMNS, pipeline, response, latency_ms, cost, contexts, judge,
    judge_reason, their_scores."""
    listed: pl.DataFrame
    """One row for each thing worth knowing: kind, where, question_id, pipeline, detail (kinds: `loading.listing`)."""
    sources: tuple[str, ...]
    """Names of the files."""


def load(
    golden: Source,
    responses: Sequence[Source],
    *,
    progress: Progress | None = None,
) -> Loaded:
    """Read and align the files; without `responses` the golden dataset's file has to hold them too.

    Raises QavizError with the problems of all files, and if no response answers a golden question.
    """
    files = response_files(golden, responses)
    shared = golden.data in [source.data for source in files]
    steps = steps_of([golden, *files], progress or silent)
    tasks = [partial(read_golden, golden, steps[0], shared=shared)]
    tasks += [partial(read_responses, source, step) for source, step in zip(files, steps[1:], strict=True)]
    read = all_or_all_problems(tasks)
    return _put_together([golden, *files], read)


def response_files(golden: Source, responses: Sequence[Source]) -> list[Source]:
    """The files of responses; where there are none, the golden dataset's, which has to hold them too."""
    # A workbook may have the responses on another sheet than the golden dataset's.
    return list(responses) or [replace(golden, sheet="", mapping={})]


def all_or_all_problems(tasks: Sequence[Callable[[], Read]]) -> list[Read]:
    """What the tasks return. Raises one QavizError with the problems of all that failed."""
    results: list[Read] = []
    problems: list[Problem] = []
    for task in tasks:
        try:
            results.append(task())
        except QavizError as error:
            problems += error.problems
    if problems:
        raise QavizError(*problems)
    return results


def refuse_answers_to_themselves(golden: FromFile, responses: FromFile) -> None:
    """Raise QavizError where one column of a file was read as the golden answer and as the response."""
    both = [name for name in golden.answers if name in responses.answers]
    if golden.place == responses.place and both:
        raise stop(
            golden.place,
            f"one column of answers, {', '.join(map(quote_text, both))}",
            "golden answers and responses",
            "If they are responses, bring a golden dataset: name it first, and this file after it. "
            "If they are the golden answers, add a file of responses.",
        )


def _put_together(files: Sequence[Source], read: Sequence[FromFile]) -> Loaded:
    for part in read[1:]:
        refuse_answers_to_themselves(read[0], part)
    triplets, notes = with_ids(files[0].name, read[0].frame)
    alignment = Alignment(triplets, files, by_id=not notes)
    chunk = alignment.add(pl.concat(part.frame for part in read[1:]))
    notes = [*notes, *left_out(files, read), *(note for part in read for note in part.notes)]
    notes += [chunk.listed, alignment.nulls(), alignment.unanswered()]
    names = tuple(dict.fromkeys(source.name for source in files))
    golden = triplets.select(GOLDEN_COLUMNS).rechunk()
    return Loaded(golden, chunk.rows, pl.concat(notes).unique(maintain_order=True).rechunk(), names)


def left_out(files: Sequence[Source], read: Sequence[FromFile]) -> list[pl.DataFrame]:
    """Columns and sheets that no reading of their file used: one file can hold the golden dataset and responses."""
    readings = Counter((load_log.IGNORED_COLUMN, part.place) for part in read)
    readings += Counter((load_log.IGNORED_SHEET, source.name) for source in files)
    unused = Counter(each for part in read for each in dict.fromkeys(part.left_out))
    return [
        entry(kind, where, f"{quote_text(name)} is left out")
        for (kind, where, name), times in unused.items()
        if times == readings[kind, where]
    ]


def steps_of(files: Sequence[Source], progress: Progress) -> list[Progress]:
    """For each file its part of the whole progress, by its share of the bytes."""
    sizes = [source.size for source in files]
    whole = max(1, sum(sizes))
    return [_step(progress, sum(sizes[:place]) / whole, size / whole) for place, size in enumerate(sizes)]


def _step(progress: Progress, start: float, share: float) -> Progress:
    return lambda fraction, words: progress(start + fraction * share, words)


def silent(_fraction: float, _words: str) -> None:
    """Nobody watches."""
