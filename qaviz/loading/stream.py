"""What `load` does, chunk by chunk: for more responses than memory has room for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from qaviz.loading.adapters.fmeval_file import is_fmeval_output
from qaviz.loading.adapters.fmeval_output import load_fmeval_output
from qaviz.loading.aligned_chunks import Alignment, Chunk
from qaviz.loading.golden import read_golden, with_ids
from qaviz.loading.load import left_out, refuse_answers_to_themselves, response_files, silent, steps_of
from qaviz.loading.load_log import FromFile
from qaviz.loading.responses import read_response_parts
from qaviz.loading.source import Source
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress

ROWS_A_CHUNK = 50_000
"""Responses that are scored and diagnosed together: enough to keep all cores busy, some hundred MB of memory."""


BYTES_A_CHUNK = 256 * 1024**2
"""Bytes from which responses make a chunk, however few they are."""


@dataclass
class Beside:
    """What reading gathers beside the responses."""

    problems: list[Problem] = field(default_factory=list)
    """What is wrong with the files. From the first problem on, they are only read to find the others."""
    notes: list[pl.DataFrame] = field(default_factory=list)
    """What is to be listed."""
    golden: FromFile | None = None
    """The golden dataset's file, once it was read; without its rows."""
    files: list[FromFile] = field(default_factory=list)
    """What was left out of each file; its rows have gone on."""


def stream(
    golden: Source,
    responses: Sequence[Source],
    *,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield in chunks what `load` returns for the same files: the same rows in the same order, the same list.

    The last chunk has no rows: it lists what is known only at the end. Raises QavizError as `load` does, though after
    chunks were yielded: what became of those is not to be kept. JSON Lines and Parquet are read part by part, the other
    formats whole.
    """
    files = response_files(golden, responses)
    steps = steps_of([golden, *files], progress or silent)
    beside = Beside()
    alignment = open_golden(golden, files, beside, steps[0])
    parts = read_all(files, beside, steps[1:])
    for frame in in_chunks(parts):
        if alignment is not None and not beside.problems:
            yield alignment.add(frame)
    if alignment is None or beside.problems:
        raise QavizError(*beside.problems)
    listed = [*left_out([golden, *files], beside.files), *beside.notes, alignment.nulls(), alignment.unanswered()]
    yield replace(alignment.add(frame.clear()), listed=pl.concat(listed).unique(maintain_order=True))


def stream_with_scores(
    golden: Source,
    responses: Sequence[Source],
    *,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """As `stream`, but FMEval's own output, recognised by its content, is one chunk that keeps its scores.

    `golden` may be one of those files too: then the golden dataset is what they were scored against. Raises QavizError
    also for such files beside responses without scores, and for a mapping of them.
    """
    outputs = [source for source in (golden, *responses) if is_fmeval_output(source)]
    if not outputs:
        yield from stream(golden, responses, progress=progress)
        return
    others = [source.name for source in responses if source not in outputs]
    given = None if golden in outputs else golden
    if others or any(source.mapping for source in outputs):
        raise QavizError(_beside_fmeval_output(outputs, others))
    loaded = load_fmeval_output(outputs, given, progress=progress)
    yield Chunk(loaded.rows, loaded.listed, loaded.golden, scored=True)


def _beside_fmeval_output(outputs: Sequence[Source], others: Sequence[str]) -> Problem:
    return Problem(
        where=", ".join(source.name for source in outputs),
        found=f"FMEval's own output beside responses without scores, {', '.join(others)}" if others else "a mapping",
        expected="files of FMEval's own output alone, whose fields are known",
        fix="Import the other responses as a run of their own." if others else "Leave the mapping out.",
    )


def open_golden(source: Source, responses: Sequence[Source], beside: Beside, progress: Progress) -> Alignment | None:
    """The golden dataset, ready for the responses; None if its file has problems."""
    shared = source.data in [each.data for each in responses]
    try:
        read = read_golden(source, progress, shared=shared)
    except QavizError as error:
        beside.problems += error.problems
        return None
    triplets, notes = with_ids(source.name, read.frame)
    beside.notes += [*notes, *read.notes]
    beside.golden = replace(read, frame=triplets.clear())
    beside.files.append(beside.golden)
    return Alignment(triplets, [source, *responses], by_id=not notes)


def read_all(files: Sequence[Source], beside: Beside, steps: Sequence[Progress]) -> Iterator[pl.DataFrame]:
    """The responses of the files, part by part, until a problem is found."""
    for source, step in zip(files, steps, strict=True):
        try:
            yield from _read(source, beside, step)
        except QavizError as error:
            beside.problems += error.problems


def _read(source: Source, beside: Beside, progress: Progress) -> Iterator[pl.DataFrame]:
    unused: dict[tuple[str, str, str], None] = {}
    for part in read_response_parts(source, progress):
        if beside.golden:
            refuse_answers_to_themselves(beside.golden, part)
        beside.notes += part.notes
        unused |= dict.fromkeys(part.left_out)
        if not beside.problems:
            yield part.frame
    beside.files.append(FromFile(part.place, part.frame.clear(), [], tuple(unused)))


def in_chunks(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows, at least ROWS_A_CHUNK together and fewer than twice as many; the last ones as they come.

    Fewer together if they have BYTES_A_CHUNK.
    """
    waiting: list[pl.DataFrame] = []
    for frame in frames:
        for begin in range(0, max(frame.height, 1), ROWS_A_CHUNK):
            waiting.append(frame.slice(begin, ROWS_A_CHUNK))
            size = sum(each.estimated_size() for each in waiting)
            if sum(map(len, waiting)) >= ROWS_A_CHUNK or size >= BYTES_A_CHUNK:
                yield pl.concat(waiting)
                waiting = []
    if waiting:
        yield pl.concat(waiting)
