"""Responses scored and diagnosed chunk by chunk: memory does not grow with their number."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from qaviz.diagnosis import diagnose
from qaviz.loading import Chunk, Source, silent, stream
from qaviz.model import Progress, Thresholds
from qaviz.scoring import score

Scorer = Callable[[pl.DataFrame, Progress | None], pl.DataFrame]
"""`score`, or what returns the same of the same rows."""

# Where in a chunk's part of the bar reading ends, and where scoring ends; diagnosing takes longest.
_READ = 0.1
_SCORED = 0.3


def stream_files(
    golden: Source,
    responses: Sequence[Source],
    *,
    golden_mapping: Mapping[str, str] | None = None,
    response_mappings: Sequence[Mapping[str, str] | None] | None = None,
    thresholds: Thresholds | None = None,
    scorer: Scorer = score,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield in chunks what `qaviz.runs.draft_files` returns: rows that are scored and diagnosed, and what is listed.

    Raises QavizError as `qaviz.loading.stream` does: chunks that were yielded before are not to be kept.
    """
    bar = _Bar(progress or silent)
    chunks = stream(
        golden,
        responses,
        golden_mapping=golden_mapping,
        response_mappings=response_mappings,
        progress=bar.read,
    )
    for chunk in chunks:
        bar.begin(chunk.rows.height)
        yield replace(chunk, rows=judged(chunk.rows, thresholds, scorer, bar.scored))
        bar.end()


def judged(
    rows: pl.DataFrame, thresholds: Thresholds | None = None, scorer: Scorer = score, progress: Progress | None = None
) -> pl.DataFrame:
    """The loaded rows, scored and diagnosed."""
    return diagnose(scorer(rows, progress), thresholds or Thresholds())


class _Bar:
    """One bar for chunks that are read, scored and diagnosed in turn: a chunk's part of it is what was read for it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._begun = self._read = 0.0
        self._rows = 0
        self._words = ""

    def read(self, fraction: float, words: str) -> None:
        self._read = fraction
        self._tell(_READ, self._words or words)

    def begin(self, rows: int) -> None:
        self._rows += rows
        self._words = f"scoring and diagnosing, up to response {self._rows:,}"
        self._tell(_READ, self._words)

    def scored(self, fraction: float, _words: str) -> None:
        self._tell(_READ + fraction * (_SCORED - _READ), self._words)

    def end(self) -> None:
        self._begun = self._read

    def _tell(self, share: float, words: str) -> None:
        self._progress(self._begun + share * (self._read - self._begun), words)
