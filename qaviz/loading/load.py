"""A golden dataset and the responses of its pipelines, aligned and ready to be scored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from qaviz.loading import listing
from qaviz.loading.align import ROW, align, answer_once, unanswered
from qaviz.loading.golden import read_golden
from qaviz.loading.listing import entry, join_entries
from qaviz.loading.responses import read_responses
from qaviz.loading.source import Source
from qaviz.loading.table import FromFile, Progress, quoted
from qaviz.model import CONTEXTS, COST, GOLDEN_COLUMNS, LATENCY_MS, PIPELINE, RESPONSE, Problem, QavizError

PIPELINE_LIMIT = 1000
"""Most pipelines of one run. More of them means that the wrong column was read as the pipeline."""


@dataclass(frozen=True)
class Loaded:
    """What the files hold, ready for scoring."""

    golden: pl.DataFrame
    """GOLDEN_COLUMNS; null where missing; `question_id` never null and unique."""
    rows: pl.DataFrame
    """One row a response, in the files' order: GOLDEN_COLUMNS, pipeline, response, latency_ms, cost, contexts."""
    listed: pl.DataFrame
    """One row for each thing worth knowing: kind, where, question_id, pipeline, detail (see `loading.listing`)."""
    sources: tuple[str, ...]
    """Names of the files."""


def load(
    golden: Source,
    responses: Sequence[Source],
    *,
    golden_mapping: Mapping[str, str] | None = None,
    response_mappings: Sequence[Mapping[str, str] | None] | None = None,
    progress: Progress | None = None,
) -> Loaded:
    """Read and align all files.

    A mapping says which of a file's columns is which word of ours ("" leaves a column out); the other columns are
    guessed by their names. Without `responses` the golden file has to hold them too.

    Raises QavizError with the problems of all files.
    """
    files = list(responses) or [golden]
    mappings = list(response_mappings or [None] * len(files))
    steps = _steps([golden, *files], progress or _silent)
    problems: list[Problem] = []
    read = [_attempt(problems, read_golden, golden, golden_mapping, steps[0])]
    for source, mapping, step in zip(files, mappings, steps[1:], strict=True):
        read.append(_attempt(problems, read_responses, source, mapping, step))
    if problems:
        raise QavizError(*problems)
    return _put_together([golden, *files], [part for part in read if part is not None])


def _attempt(
    problems: list[Problem],
    read: Callable[[Source, Mapping[str, str] | None, Progress], FromFile],
    source: Source,
    mapping: Mapping[str, str] | None,
    progress: Progress,
) -> FromFile | None:
    """What `read` returns, or None and its problems: those of all files are reported at once."""
    try:
        return read(source, mapping, progress)
    except QavizError as error:
        problems += error.problems
        return None


def _put_together(files: Sequence[Source], read: Sequence[FromFile]) -> Loaded:
    golden = read[0].frame
    named = not read[0].ids_made
    aligned, notes = align(pl.concat(part.frame for part in read[1:]), golden, by_id=named)
    _stop_if_nothing_aligned(aligned, files)
    _stop_at_many_pipelines(aligned, files)
    kept, more = answer_once(aligned)
    triplets = golden.select(GOLDEN_COLUMNS)
    answers = kept.select(PIPELINE, RESPONSE, LATENCY_MS, COST, CONTEXTS)
    rows = pl.concat([triplets[kept.get_column(ROW)], answers], how="horizontal")
    noted = [note for part in read for note in part.notes]
    listed = join_entries([*noted, *_ignored_columns(files, read), *notes, *more, unanswered(aligned, golden)])
    return Loaded(triplets, rows, listed, tuple(dict.fromkeys(source.name for source in files)))


def _ignored_columns(files: Sequence[Source], read: Sequence[FromFile]) -> list[pl.DataFrame]:
    """Columns that no reading of their file asked for: one file can hold both golden dataset and responses."""
    unread: dict[str, set[str]] = {}
    for source, part in zip(files, read, strict=True):
        unread[source.name] = unread.get(source.name, set(part.unread)) & set(part.unread)
    return [
        entry(listing.IGNORED_COLUMN, name, f"the column {quoted(column)} has no place here")
        for name, columns in unread.items()
        for column in sorted(columns)
    ]


def _stop_if_nothing_aligned(aligned: pl.DataFrame, files: Sequence[Source]) -> None:
    if aligned.height:
        return
    raise QavizError(
        Problem(
            where=", ".join(source.name for source in files[1:]),
            found="no response to any question of the golden dataset",
            expected=f"question_id or question as in {files[0].name}",
            fix="Check that the files belong together and that the right columns are mapped.",
        )
    )


def _stop_at_many_pipelines(aligned: pl.DataFrame, files: Sequence[Source]) -> None:
    count = aligned.get_column(PIPELINE).n_unique()
    if count <= PIPELINE_LIMIT:
        return
    raise QavizError(
        Problem(
            where=", ".join(source.name for source in files[1:]),
            found=f"{count:,} different pipelines",
            expected=f"at most {PIPELINE_LIMIT:,}",
            fix="Map the column that names the pipeline.",
        )
    )


def _steps(files: Sequence[Source], progress: Progress) -> list[Progress]:
    """For each file its part of the progress, by its share of the bytes."""
    sizes = [source.size if source.exists else 0 for source in files]
    whole = max(1, sum(sizes))
    return [_step(progress, sum(sizes[:place]) / whole, size / whole) for place, size in enumerate(sizes)]


def _step(progress: Progress, start: float, share: float) -> Progress:
    return lambda fraction, words: progress(start + fraction * share, words)


def _silent(_fraction: float, _words: str) -> None:
    """Nobody watches."""
