"""Responses scored and diagnosed chunk by chunk: memory does not grow with their number."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Event
from types import TracebackType

import polars as pl

from qaviz.bulk.judging import JudgeRows, Scorer, failed_entries, judge_apart, judge_here, start_judging
from qaviz.loading import Chunk, Source, sandbox, silent
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.records import Progress, Thresholds
from qaviz.processes import TICK_S
from qaviz.scoring import score

WORTH_A_PROCESS = 5_000
"""Rows of a chunk for which one process more is worth starting."""
AHEAD = 2
"""Chunks that are in memory together: one is waited for, and the next keeps free cores busy meanwhile."""

SMALL = 1_000_000
"""Bytes of files that are judged in less than the second that another process takes to start."""
_READ = 0.1
"""Where in a chunk's part of the bar reading ends."""
_PLACE, _PART = "place in the chunk", "part of the chunk"


def stream_files(
    golden: Source,
    responses: Sequence[Source],
    *,
    thresholds: Thresholds | None = None,
    scorer: Scorer = score,
    keep_scores: bool = False,
    documents: pl.DataFrame | None = None,
    progress: Progress | None = None,
    trusted: bool = False,
) -> Iterator[Chunk]:
    """Yield in chunks what `qaviz.runs.draft_files` returns: rows that are scored and diagnosed, and what is listed.

    The files are read in a process of their own, and their rows scored and diagnosed in others, as many as there are
    cores, under the same limit of time: while a chunk is judged the next one is read, and the caller keeps the last.
    With `keep_scores` FMEval's own output, recognised by its content, keeps its scores; hits, context recall and
    diagnoses are qaviz's. With `documents`, the CHUNKS of what pipelines retrieve from, rows say whether these hold the
    fact. `trusted` files of at most SMALL bytes in all are judged here, and read here if they are texts: another
    process takes longer to start. `progress` is told several times a second; it may raise, and the work ends. Raises
    QavizError as `qaviz.loading.sandbox.stream` and `judge_apart` do: chunks that were yielded before are
    then not to be kept.
    """
    bar = _Bar(progress or silent)
    here = trusted and sum(source.size for source in {golden, *responses}) <= SMALL
    if not here:
        start_judging()
    chunks = sandbox.stream(golden, responses, keep_scores=keep_scores, progress=bar.read, trusted=here)
    begun: deque[_Judged] = deque()
    with (
        closing(chunks),
        _Judges(judge_here if here else judge_apart, thresholds or Thresholds(), scorer, bar) as judges,
    ):
        held: pl.DataFrame | None = None
        for chunk in chunks:
            if documents is not None:
                from qaviz.contexts.documents import find_in_documents  # with what reads documents, which takes longer

                held = find_in_documents(chunk.golden, documents) if held is None else held
                chunk = replace(chunk, rows=chunk.rows.join(held, on=QUESTION_ID, how="left", maintain_order="left"))
            begun.append(judges.begin(chunk))
            if len(begun) == AHEAD:
                yield judges.finish(begun.popleft())
        while begun:
            yield judges.finish(begun.popleft())


@dataclass
class _Share:
    """A chunk's share of the progress bar, and how far each part of the chunk is, from 0 to 1."""

    width: float = 0.0
    done: list[float] = field(default_factory=list)
    heights: list[int] = field(default_factory=list)

    @property
    def filled(self) -> float:
        judged = sum(done * height for done, height in zip(self.done, self.heights, strict=True))
        return self.width * (_READ + (1 - _READ) * judged / max(1, sum(self.heights)))


@dataclass(frozen=True)
class _Judged:
    """A chunk whose parts are being scored and diagnosed."""

    chunk: Chunk
    share: _Share
    parts: Sequence[Future[tuple[pl.DataFrame, pl.DataFrame]]]


class _CancelledError(Exception):
    """The caller has stopped: judging ends."""


class _Judges:
    """As many processes that score and diagnose as there are cores, each with a part of a chunk."""

    def __init__(self, judge: JudgeRows, thresholds: Thresholds, scorer: Scorer, bar: "_Bar") -> None:
        self._judge_rows = judge
        self._thresholds, self._scorer, self._bar = thresholds, scorer, bar
        # Another scorer than qaviz's takes gigabytes and a process of its own.
        self._count = pl.thread_pool_size() if scorer is score else 1
        self._pool = ThreadPoolExecutor(self._count, "judging")
        self._cancelled = Event()

    def __enter__(self) -> "_Judges":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cancelled.set()
        self._pool.shutdown(cancel_futures=True)

    def begin(self, chunk: Chunk) -> _Judged:
        """Have the chunk judged, part by part, as soon as there is a process free."""
        rows = _partition(chunk.rows, min(self._count, chunk.rows.height // WORTH_A_PROCESS))
        share = self._bar.begin([part.height for part in rows])
        parts = [self._pool.submit(self._judge, [part], chunk.scored, share, place) for place, part in enumerate(rows)]
        return _Judged(replace(chunk, rows=chunk.rows.clear()), share, parts)

    def _judge(
        self, rows: list[pl.DataFrame], scored: bool, share: _Share, place: int
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Judge the one table in `rows`, which is taken out: its memory is free while another process has it."""

        def tell(fraction: float, _words: str) -> None:
            if self._cancelled.is_set():
                raise _CancelledError
            share.done[place] = fraction

        return self._judge_rows(rows.pop(), self._thresholds, self._scorer, tell, has_scores=scored)

    def finish(self, begun: _Judged) -> Chunk:
        """Wait for the chunk; return it with its rows judged. Raises what judging one of its parts raised."""
        while (state := wait(begun.parts, TICK_S, FIRST_EXCEPTION)).not_done:
            for part in state.done:
                part.result()
            self._bar.tell()
        begun.share.done[:] = [1.0] * len(begun.parts)
        tables, listed = zip(*(part.result() for part in begun.parts), strict=True)
        rows = pl.concat(tables).sort(_PLACE).drop(_PLACE)
        entries = [begun.chunk.listed, _sort_entries(pl.concat(listed), rows), failed_entries(rows)]
        return replace(begun.chunk, rows=rows, listed=pl.concat(entries))


def _partition(rows: pl.DataFrame, count: int) -> list[pl.DataFrame]:
    """The rows with _PLACE in parts of about one size. Responses to one question lie together: it is read once."""
    placed = rows.with_row_index(_PLACE)
    if count < 2:
        return [placed]
    part = (pl.col(QUESTION).hash() % count).alias(_PART)
    return placed.with_columns(part).partition_by(_PART, include_key=False, maintain_order=True)


def _sort_entries(listed: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Entries of single responses in the order of the rows."""
    if listed.is_empty():
        return listed
    key = [QUESTION_ID, PIPELINE]
    placed = listed.join(rows.select(key).with_row_index(_PLACE), on=key, how="left", maintain_order="left")
    return placed.sort(_PLACE, maintain_order=True).drop(_PLACE)


class _Bar:
    """One bar for chunks that are read, scored and diagnosed together: a chunk's share is as wide as the part of
    the files that was read for it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._begun = self._read = self._told = 0.0
        self._rows = 0
        self._words = "reading"
        self._shares: list[_Share] = []

    def read(self, fraction: float, words: str) -> None:
        self._read = max(fraction, self._read)
        if not self._shares:
            self._words = words
        self.tell()

    def begin(self, heights: Sequence[int]) -> _Share:
        share = _Share(self._read - self._begun, [0.0] * len(heights), list(heights))
        self._begun = self._read
        self._shares.append(share)
        self._rows += sum(heights)
        self._words = f"scoring and diagnosing, up to response {self._rows:,}"
        self.tell()
        return share

    def tell(self) -> None:
        filled = sum(share.filled for share in self._shares) + _READ * (self._read - self._begun)
        self._told = max(self._told, min(filled, 1.0))
        self._progress(self._told, self._words)
