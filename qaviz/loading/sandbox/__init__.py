"""What `qaviz.loading` does with files, done in a process of its own: for files that nobody trusts.

Each function gives and raises what its namesake does that reads here, and QavizError as `client.ask` does.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import polars as pl

from qaviz.loading.align import Chunk
from qaviz.loading.column_guess import Guess
from qaviz.loading.column_mapping import GOLDEN, Role
from qaviz.loading.readers.reading import Preview
from qaviz.loading.readings import Reading
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
) -> Generator[Chunk, None, None]:
    """As `loading.stream`, or with `keep_scores` as `fmeval_output.stream_with_scores`; `progress` as `ask` has it."""
    triplets = pl.DataFrame()
    for answer in ask("stream", [golden, *responses], {"keep_scores": keep_scores}, progress):
        triplets = answer.tables.get("golden", triplets)
        yield Chunk(answer.tables["rows"], answer.tables["listed"], triplets, answer.said["scored"])


def find_near_questions(golden: Source, responses: Sequence[Source]) -> pl.DataFrame:
    """As `loading.near_questions.find_near_questions`."""
    (answer,) = ask("near_questions", [golden, *responses])
    return answer.tables["pairs"]


def load_golden(source: Source, progress: Progress) -> tuple[pl.DataFrame, pl.DataFrame]:
    """As `loading.load_golden`."""
    (answer,) = ask("golden", [source], progress=progress)
    return answer.tables["golden"], answer.tables["listed"]


def read_labels(source: Source, progress: Progress) -> pl.DataFrame:
    """As `loading.labels.read_labels`."""
    (answer,) = ask("labels", [source], progress=progress)
    return answer.tables["rows"]


def read_grades(source: Source, progress: Progress) -> pl.DataFrame:
    """As `loading.labels.read_grades`."""
    (answer,) = ask("grades", [source], progress=progress)
    return answer.tables["rows"]


def read_passages(source: Source, progress: Progress) -> pl.DataFrame:
    """As `loading.labels.read_passages`."""
    (answer,) = ask("passages", [source], progress=progress)
    return answer.tables["rows"]


def read_verdicts(source: Source, progress: Progress) -> pl.DataFrame:
    """As `loading.labels.read_verdicts`."""
    (answer,) = ask("verdicts", [source], progress=progress)
    return answer.tables["rows"]


def read_decisions(source: Source, progress: Progress) -> pl.DataFrame:
    """As `loading.labels.read_decisions`."""
    (answer,) = ask("decisions", [source], progress=progress)
    return answer.tables["rows"]
