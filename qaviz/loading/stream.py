"""What `load` does, chunk by chunk: for more responses than memory has room for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from qaviz.loading.aligned_chunks import Alignment, Chunk
from qaviz.loading.golden import read_golden, with_ids
from qaviz.loading.listing import FromFile
from qaviz.loading.load import left_out, silent, steps_of
from qaviz.loading.responses import read_response_parts
from qaviz.loading.source import Source
from qaviz.model import Problem, Progress, QavizError

ROWS_A_CHUNK = 100_000
"""Responses that are scored and diagnosed together: enough to keep all cores busy, some hundred MB of memory."""


@dataclass
class Beside:
    """What reading gathers beside the responses."""

    problems: list[Problem] = field(default_factory=list)
    """What is wrong with the files. From the first problem on, they are only read to find the others."""
    notes: list[pl.DataFrame] = field(default_factory=list)
    """What is to be listed."""
    files: list[FromFile] = field(default_factory=list)
    """What was left out of each file; its rows have gone on."""


def stream(
    golden: Source,
    responses: Sequence[Source],
    *,
    golden_mapping: Mapping[str, str] | None = None,
    response_mappings: Sequence[Mapping[str, str] | None] | None = None,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield in chunks what `load` returns for the same files: the same rows in the same order, the same list.

    The last chunk has no rows: it lists what is known only at the end. Raises QavizError as `load` does, though after
    chunks were yielded: what became of those is not to be kept. JSON Lines and Parquet are read part by part, the other
    formats whole.
    """
    files = list(responses) or [golden]
    steps = steps_of([golden, *files], progress or silent)
    beside = Beside()
    alignment = open_golden(golden, golden_mapping or {}, files, beside, steps[0])
    parts = read_all(files, response_mappings or [None] * len(files), beside, steps[1:])
    for frame in in_chunks(parts):
        if alignment is not None and not beside.problems:
            yield alignment.add(frame)
    if alignment is None or beside.problems:
        raise QavizError(*beside.problems)
    listed = [*left_out([golden, *files], beside.files), *beside.notes, alignment.nulls(), alignment.unanswered()]
    yield Chunk(alignment.add(frame.clear()).rows, pl.concat(listed).unique(maintain_order=True))


def open_golden(
    source: Source, mapping: Mapping[str, str], responses: Sequence[Source], beside: Beside, progress: Progress
) -> Alignment | None:
    """The golden dataset, ready for the responses; None if its file has problems."""
    shared = source.data in [each.data for each in responses]
    try:
        read = read_golden(source, mapping, progress, shared=shared)
    except QavizError as error:
        beside.problems += error.problems
        return None
    triplets, notes = with_ids(source.name, read.frame)
    beside.notes += [*notes, *read.notes]
    beside.files.append(replace(read, frame=triplets.clear()))
    return Alignment(triplets, [source, *responses], by_id=not notes)


def read_all(
    files: Sequence[Source], mappings: Sequence[Mapping[str, str] | None], beside: Beside, steps: Sequence[Progress]
) -> Iterator[pl.DataFrame]:
    """The responses of the files, part by part, until a problem is found."""
    for source, mapping, step in zip(files, mappings, steps, strict=True):
        try:
            yield from _read(source, mapping or {}, beside, step)
        except QavizError as error:
            beside.problems += error.problems


def _read(source: Source, mapping: Mapping[str, str], beside: Beside, progress: Progress) -> Iterator[pl.DataFrame]:
    unused: dict[tuple[str, str, str], None] = {}
    for part in read_response_parts(source, mapping, progress):
        beside.notes += part.notes
        unused |= dict.fromkeys(part.left_out)
        if not beside.problems:
            yield part.frame
    beside.files.append(FromFile(part.place, part.frame.clear(), [], tuple(unused)))


def in_chunks(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows, at least ROWS_A_CHUNK together and fewer than twice as many; the last ones as they come."""
    waiting: list[pl.DataFrame] = []
    for frame in frames:
        for begin in range(0, max(frame.height, 1), ROWS_A_CHUNK):
            waiting.append(frame.slice(begin, ROWS_A_CHUNK))
            if sum(map(len, waiting)) >= ROWS_A_CHUNK:
                yield pl.concat(waiting)
                waiting = []
    if waiting:
        yield pl.concat(waiting)
