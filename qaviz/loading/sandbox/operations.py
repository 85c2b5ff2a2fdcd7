"""What may be asked of the process that reads files: each operation answers with what its namesake of loading gives."""

from collections.abc import Callable, Iterator
from dataclasses import asdict

import polars as pl

from qaviz.loading.adapters import is_from_tool
from qaviz.loading.adapters.fmeval_output import is_fmeval_output, stream_with_scores
from qaviz.loading.column_mapping import GOLDEN, RESPONSES
from qaviz.loading.doubts import find_near_questions
from qaviz.loading.labels import read_decisions, read_grades, read_labels, read_passages, read_verdicts
from qaviz.loading.load import load_golden, stream
from qaviz.loading.readers.reading import preview
from qaviz.loading.sandbox.client import Answer, Operation, Operations, Options
from qaviz.loading.source import Source
from qaviz.model.records import Progress

ROLES = {"golden": GOLDEN, "responses": RESPONSES}
"""What a file may be read as, by the names that requests use."""


def _preview(sources: list[Source], options: Options, _progress: Progress) -> Iterator[Answer]:
    seen = preview(sources[0], ROLES[options["role"]])
    message = {name: value for name, value in vars(seen).items() if name != "first"}
    message |= {name: list(map(asdict, message[name])) for name in ("lacking", "guesses", "readings")}
    yield Answer(message, {"first": seen.first})


def _answer_recognised(sources: list[Source], _options: Options, _progress: Progress) -> Iterator[Answer]:
    yield Answer({"fmeval": is_fmeval_output(sources[0]), "tool": is_from_tool(sources[0])})


def _stream(sources: list[Source], options: Options, progress: Progress) -> Iterator[Answer]:
    read = stream_with_scores if options["keep_scores"] else stream
    for number, chunk in enumerate(read(sources[0], sources[1:], progress=progress)):
        # It is the same golden dataset for all chunks.
        golden = {} if number else {"golden": chunk.golden}
        yield Answer({"scored": chunk.scored}, golden | {"rows": chunk.rows, "listed": chunk.listed})


def _near_questions(sources: list[Source], _options: Options, _progress: Progress) -> Iterator[Answer]:
    yield Answer({}, {"pairs": find_near_questions(sources[0], sources[1:])})


def _golden(sources: list[Source], _options: Options, progress: Progress) -> Iterator[Answer]:
    golden, listed = load_golden(sources[0], progress)
    yield Answer({}, {"golden": golden, "listed": listed})


def _operation_of(read: Callable[[Source, Progress], pl.DataFrame]) -> Operation:
    """What answers with the one table that a function of `qaviz.loading.labels` reads."""

    def operation(sources: list[Source], _options: Options, progress: Progress) -> Iterator[Answer]:
        yield Answer({}, {"rows": read(sources[0], progress)})

    return operation


OPERATIONS: Operations = {
    "preview": _preview,
    "recognised": _answer_recognised,
    "stream": _stream,
    "near_questions": _near_questions,
    "golden": _golden,
    "decisions": _operation_of(read_decisions),
    "grades": _operation_of(read_grades),
    "labels": _operation_of(read_labels),
    "passages": _operation_of(read_passages),
    "verdicts": _operation_of(read_verdicts),
}
