"""Responses scored and diagnosed chunk by chunk: memory does not grow with their number."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace

import polars as pl

from qaviz.bulk.judging import Scorer, judge_apart, start_judging
from qaviz.loading import Chunk, Source, sandbox, silent
from qaviz.model.records import Progress, Thresholds
from qaviz.scoring import score

_READ = 0.1
"""Where in a chunk's part of the bar reading ends."""


def stream_files(
    golden: Source,
    responses: Sequence[Source],
    *,
    thresholds: Thresholds | None = None,
    scorer: Scorer = score,
    keep_scores: bool = False,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield in chunks what `qaviz.runs.draft_files` returns: rows that are scored and diagnosed, and what is listed.

    The files are read in a process of their own, and their rows scored and diagnosed in another one, under the same
    limit of time. With `keep_scores` FMEval's own output, recognised by its content,
    keeps its scores; hits, context recall and diagnoses are qaviz's. `progress` is told several times a second; it may
    raise, and the work ends. Raises QavizError as `qaviz.loading.sandbox.stream` and
    `judge_apart` do: chunks that were yielded before are not to be kept.
    """
    bar = _Bar(progress or silent)
    start_judging()
    chunks = sandbox.stream(
        golden,
        responses,
        keep_scores=keep_scores,
        progress=bar.read,
    )
    with closing(chunks):
        for chunk in chunks:
            bar.begin(chunk.rows.height)
            rows, listed = judge_apart(
                chunk.rows, thresholds or Thresholds(), scorer, bar.judged, has_scores=chunk.scored
            )
            yield replace(chunk, rows=rows, listed=pl.concat([chunk.listed, listed]))
            bar.end()


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

    def judged(self, fraction: float, _words: str) -> None:
        self._tell(_READ + fraction * (1 - _READ), self._words)

    def end(self) -> None:
        self._begun = self._read

    def _tell(self, share: float, words: str) -> None:
        self._progress(self._begun + share * (self._read - self._begun), words)
