"""Responses scored and diagnosed chunk by chunk: memory does not grow with their number."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import polars as pl

from qaviz.diagnosis import diagnose
from qaviz.diagnosis.columns import NOTE, STANCE
from qaviz.diagnosis.evidence import Stance
from qaviz.loading import Chunk, Source, load_log, sandbox, silent
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.records import Progress, Thresholds
from qaviz.scoring import keep_given, score

Scorer = Callable[[pl.DataFrame, Progress | None], pl.DataFrame]
"""`score`, or what returns the same of the same rows."""

# Where in a chunk's part of the bar reading ends, and where scoring ends in what is left; diagnosing takes longest.
_READ = 0.1
_SCORED = 0.2


def stream_files(
    golden: Source,
    responses: Sequence[Source],
    *,
    golden_mapping: Mapping[str, str] | None = None,
    response_mappings: Sequence[Mapping[str, str] | None] | None = None,
    thresholds: Thresholds | None = None,
    scorer: Scorer = score,
    keep_scores: bool = False,
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield in chunks what `qaviz.runs.draft_files` returns: rows that are scored and diagnosed, and what is listed.

    The files are read in a process of their own. With `keep_scores` FMEval's own output, recognised by its content,
    keeps its scores; hits, context recall and diagnoses are qaviz's. `progress` is told several times a second, except
    while a chunk is scored; it may raise, and the work ends. Raises QavizError as `qaviz.loading.sandbox.stream` does:
    chunks that were yielded before are not to be kept.
    """
    bar = _Bar(progress or silent)
    chunks = sandbox.stream(
        golden,
        responses,
        golden_mapping=golden_mapping,
        response_mappings=response_mappings,
        keep_scores=keep_scores,
        progress=bar.read,
    )
    with closing(chunks):
        for chunk in chunks:
            bar.begin(chunk.rows.height)
            if chunk.scored:
                yield _given(chunk, thresholds, bar.judged)
            else:
                rows = judged(chunk.rows, thresholds, scorer, bar.judged)
                yield replace(chunk, rows=rows, listed=pl.concat([chunk.listed, failed_entries(rows)]))
            bar.end()


def judged(
    rows: pl.DataFrame, thresholds: Thresholds | None = None, scorer: Scorer = score, progress: Progress | None = None
) -> pl.DataFrame:
    """The loaded rows, scored and diagnosed."""
    scored = scorer(rows, _part(progress, 0, _SCORED))
    return diagnose(scored, thresholds or Thresholds(), _part(progress, _SCORED, 1))


def failed_entries(rows: pl.DataFrame) -> pl.DataFrame:
    """Return an entry (LISTED_SCHEMA) for each diagnosed row that a bug of qaviz kept from being diagnosed."""
    failed = rows.filter(pl.col(STANCE) == Stance.FAILED.value)
    return _entries(failed, load_log.NOT_DIAGNOSED, "a bug in qaviz: " + pl.col(NOTE))


def _given(chunk: Chunk, thresholds: Thresholds | None, progress: Progress) -> Chunk:
    """The chunk with the scores that it came with, diagnosed, and an entry for each that qaviz computes otherwise."""
    scored, otherwise = keep_given(chunk.rows, _part(progress, 0, _SCORED))
    rows = diagnose(scored, thresholds or Thresholds(), _part(progress, _SCORED, 1))
    listed = pl.concat([chunk.listed, _otherwise_entries(scored, otherwise), failed_entries(rows)])
    return replace(chunk, rows=rows, listed=listed)


def _otherwise_entries(scored: pl.DataFrame, otherwise: pl.Series) -> pl.DataFrame:
    said = pl.col(load_log.DETAIL) + " of FMEval is not what qaviz computes: another delimiter, or another release"
    odd = scored.select(QUESTION_ID, PIPELINE, otherwise.alias(load_log.DETAIL)).filter(pl.col(load_log.DETAIL) != "")
    return _entries(odd, load_log.OTHER_SCORE, said)


def _entries(rows: pl.DataFrame, kind: str, detail: pl.Expr) -> pl.DataFrame:
    where = pl.lit(None, pl.String).alias(load_log.WHERE)
    return rows.select(pl.lit(kind).alias(load_log.KIND), where, QUESTION_ID, PIPELINE, detail.alias(load_log.DETAIL))


def _part(progress: Progress | None, start: float, end: float) -> Progress | None:
    """Progress that fills only the part of the bar from `start` to `end`."""
    if progress is None:
        return None
    return lambda fraction, words: progress(start + fraction * (end - start), words)


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
