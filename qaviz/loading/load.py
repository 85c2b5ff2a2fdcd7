"""A golden dataset and the responses of its pipelines, aligned and ready to be scored: at once, or in chunks where
memory has no room for all of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.aligned_chunks import Alignment, Chunk
from qaviz.loading.golden import read_golden, with_ids
from qaviz.loading.load_log import FromFile, entry
from qaviz.loading.problems import quote_text
from qaviz.loading.responses import read_response_parts
from qaviz.loading.source import Source
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

ROWS_A_CHUNK = 50_000
"""Responses that are scored and diagnosed together: enough to keep all cores busy, some hundred MB of memory."""

BYTES_A_CHUNK = 256 * 1024**2
"""Bytes from which responses make a chunk, however few they are."""


@dataclass(frozen=True)
class Loaded:
    """What the files hold, ready to be scored."""

    golden: pl.DataFrame
    """One row a triplet: GOLDEN_COLUMNS, null where missing; question_id never null, and unique."""
    rows: pl.DataFrame
    """One row a response, in the files' order: GOLDEN_COLUMNS, pipeline, response, latency_ms, cost, contexts, judge,
    judge_reason, their_scores."""
    listed: pl.DataFrame
    """One row for each thing worth knowing: kind (a constant of `load_log`), where, question_id, pipeline, detail."""
    sources: tuple[str, ...]
    """Names of the files."""


@dataclass
class Beside:
    """What reading collects beside the rows of responses."""

    problems: list[Problem] = field(default_factory=list)
    """Problems of the files. From the first one on, the files are only read to find the others."""
    notes: list[pl.DataFrame] = field(default_factory=list)
    """Entries for the list of `load_log`."""
    golden: FromFile | None = None
    """The golden dataset's file, once it was read; without its rows."""
    files: list[FromFile] = field(default_factory=list)
    """What was left out of each file; its rows have gone on."""


def load(golden: Source, responses: Sequence[Source], *, progress: Progress | None = None) -> Loaded:
    """All chunks of `stream` together. Raises QavizError as it does."""
    chunks = list(stream(golden, responses, progress=progress))
    names = tuple(dict.fromkeys(source.name for source in (golden, *responses)))
    rows = pl.concat(chunk.rows for chunk in chunks).rechunk()
    listed = pl.concat(chunk.listed for chunk in chunks).unique(maintain_order=True).rechunk()
    return Loaded(chunks[-1].golden, rows, listed, names)


def stream(
    golden: Source,
    responses: Sequence[Source],
    *,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield in chunks what `load` returns for the same files: the same rows in the same order, the same list.

    The last chunk has no rows: it lists what is known only at the end. Raises QavizError as `load` does, though after
    chunks were yielded: discard what was made of these. JSON Lines and Parquet are read part by part, the other
    formats whole.
    """
    files = response_files(golden, responses)
    steps = split_progress([golden, *files], progress or silent)
    beside = Beside()
    alignment = open_golden(golden, files, beside, steps[0])
    parts = read_all(files, beside, steps[1:])
    for frame in group_into_chunks(parts):
        if alignment is not None and not beside.problems:
            yield alignment.add(frame)
    if alignment is None or beside.problems:
        raise QavizError(*beside.problems)
    listed = [
        *list_unused([golden, *files], beside.files),
        *beside.notes,
        alignment.list_nulls(),
        alignment.list_unanswered(),
    ]
    yield replace(alignment.add(frame.clear()), listed=pl.concat(listed).unique(maintain_order=True))


def response_files(golden: Source, responses: Sequence[Source]) -> list[Source]:
    """The files of responses; where there are none, the golden dataset's, which has to hold them too."""
    # A workbook may have the responses on another sheet than the golden dataset's.
    return list(responses) or [replace(golden, sheet="", mapping={})]


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


def group_into_chunks(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
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


def list_unused(files: Sequence[Source], read: Sequence[FromFile]) -> list[pl.DataFrame]:
    """Columns and sheets that no reading of their file used: one file can hold the golden dataset and responses."""
    readings = Counter((load_log.IGNORED_COLUMN, part.place) for part in read)
    readings += Counter((load_log.IGNORED_SHEET, source.name) for source in files)
    unused = Counter(each for part in read for each in dict.fromkeys(part.left_out))
    return [
        entry(kind, where, f"{quote_text(name)} is left out")
        for (kind, where, name), times in unused.items()
        if times == readings[kind, where]
    ]


def split_progress(files: Sequence[Source], progress: Progress) -> list[Progress]:
    """For each file its part of the whole progress, by its share of the bytes."""
    sizes = [source.size for source in files]
    whole = max(1, sum(sizes))
    return [_step(progress, sum(sizes[:place]) / whole, size / whole) for place, size in enumerate(sizes)]


def _step(progress: Progress, start: float, share: float) -> Progress:
    return lambda fraction, words: progress(start + fraction * share, words)


def silent(_fraction: float, _words: str) -> None:
    """Report no progress."""
