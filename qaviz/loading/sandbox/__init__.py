"""What `qaviz.loading` does with files, done in a process of its own: for files that nobody trusts.

Each function gives and raises what its namesake does that reads here, and QavizError as `client.ask` does.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from qaviz.loading.adapters.fmeval_output import stream_with_scores
from qaviz.loading.align import Chunk
from qaviz.loading.column_guess import Guess, Reading
from qaviz.loading.column_mapping import GOLDEN, Role
from qaviz.loading.load import stream as stream_here
from qaviz.loading.readers.reading import Preview
from qaviz.loading.sandbox.client import ask, keep_upload
from qaviz.loading.source import Source
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress

__all__ = [
    "Recognised",
    "find_near_questions",
    "keep_upload",
    "load_golden",
    "preview",
    "read_grades",
    "read_labels",
    "read_passages",
    "read_verdicts",
    "recognise_file",
    "stream",
]


_TEXTS = {".jsonl", ".json", ".csv"}
"""Suffixes of formats that hold no more than their bytes: of those a process may not die."""
_TUPLES = ("columns", "pipelines", "sheets", "separating", "choices")


@dataclass(frozen=True)
class Recognised:
    """What a file's content says of who wrote it."""

    fmeval: bool
    """Whether it is FMEval's own output."""
    tool: bool
    """Whether a tool that is known wrote it."""


def recognise_file(source: Source) -> Recognised:
    """Who wrote the file. One that cannot be read was written by nobody known: loading it says why."""
    try:
        (answer,) = ask("recognised", [source])
    except QavizError:
        return Recognised(fmeval=False, tool=False)
    return Recognised(**answer.said)


def preview(source: Source, role: Role) -> Preview:
    """As `loading.preview`."""
    (answer,) = ask("preview", [source], {"role": "golden" if role is GOLDEN else "responses"})
    message = dict(answer.said) | {name: tuple(answer.said[name]) for name in _TUPLES}
    message["lacking"] = tuple(Problem(**fields) for fields in answer.said["lacking"])
    message["guesses"] = tuple(Guess(**fields) for fields in answer.said["guesses"])
    message["readings"] = tuple(Reading(**fields) for fields in answer.said["readings"])
    return Preview(**message, first=answer.tables["first"])


def stream(
    golden: Source,
    responses: Sequence[Source],
    *,
    keep_scores: bool = False,
    progress: Progress | None = None,
    trusted: bool = False,
) -> Generator[Chunk, None, None]:
    """As `loading.stream`, or with `keep_scores` as `fmeval_output.stream_with_scores`; `progress` as `ask` has it.

    Files that are `trusted` and in one of _TEXTS are read here.
    """
    if trusted and all(source.suffix in _TEXTS for source in (golden, *responses)):
        read = stream_with_scores if keep_scores else stream_here
        yield from read(golden, responses, progress=progress)
        return
    triplets = pl.DataFrame()
    for answer in ask("stream", [golden, *responses], {"keep_scores": keep_scores}, progress):
        triplets = answer.tables.get("golden", triplets)
        yield Chunk(answer.tables["rows"], answer.tables["listed"], triplets, answer.said["scored"])


def find_near_questions(golden: Source, responses: Sequence[Source]) -> pl.DataFrame:
    """As `loading.doubts.find_near_questions`."""
    (answer,) = ask("near_questions", [golden, *responses])
    return answer.tables["pairs"]


def load_golden(source: Source, progress: Progress) -> tuple[pl.DataFrame, pl.DataFrame]:
    """As `loading.load_golden`."""
    (answer,) = ask("golden", [source], progress=progress)
    return answer.tables["golden"], answer.tables["listed"]


def _read_rows(operation: str, source: Source, progress: Progress) -> pl.DataFrame:
    (answer,) = ask(operation, [source], progress=progress)
    return answer.tables["rows"]


# As their namesakes of `loading.labels`.
read_labels = partial(_read_rows, "labels")
read_grades = partial(_read_rows, "grades")
read_passages = partial(_read_rows, "passages")
read_verdicts = partial(_read_rows, "verdicts")
read_decisions = partial(_read_rows, "decisions")
