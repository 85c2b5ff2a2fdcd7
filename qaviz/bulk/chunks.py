"""Responses scored and diagnosed chunk by chunk: memory does not grow with their number.

Rows are judged in this process, or, if they are untrusted, in one of their own with a time limit; of a run on another
version of its golden dataset, only rows of other triplets.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from threading import Event
from types import TracebackType
from typing import Self

import polars as pl

from qaviz.contexts.passages import OVERLAP_SCHEMA, measure_overlap
from qaviz.contexts.retrieval import add_retrieval
from qaviz.diagnosis import extract_evidence, judge
from qaviz.diagnosis.calibration import IN_PLACE_OF_SHIPPED
from qaviz.diagnosis.columns import NOTE, STANCE
from qaviz.diagnosis.stance import Stance
from qaviz.loading import Chunk, Source, apart, load_log, silent
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONTEXTS, DELIMITERS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE, VERDICT, variant_count
from qaviz.model.errors import Problem
from qaviz.model.records import Progress, Thresholds
from qaviz.processes import MACHINE_MEMORY, TICK_S, Answer, Limits, clean_environment, job_folder, start
from qaviz.processes.worker import Job
from qaviz.scoring import keep_given, score
from qaviz.scoring.bridge import score_in_process

Scorer = Callable[[pl.DataFrame, Progress | None], pl.DataFrame]
"""`score`, or another function that gives the same rows the same scores."""
SCORERS: Mapping[str, Scorer] = {"qaviz": score, "fmeval": score_in_process}
"""By the name of an engine: qaviz's own, and the installed FMEval in a process of its own."""
OWN_ENGINE = "qaviz"


_SCORED = 0.2
"""Where scoring ends in the bar of a chunk; diagnosing takes longest."""

_SCORE, _KEEP, _DIAGNOSE = "score and diagnose", "keep the scores and diagnose", "diagnose"
LIMITS = Limits(memory=MACHINE_MEMORY, silence_s=120, cpu_s=240, network=False)
"""Of a process that judges. It takes the memory that a chunk needs: how large chunks are is limited."""


def score_and_diagnose(
    rows: pl.DataFrame, thresholds: Thresholds | None = None, scorer: Scorer = score, progress: Progress | None = None
) -> pl.DataFrame:
    """The loaded rows, scored and diagnosed."""
    scored = scorer(rows, _scale_progress(progress, 0, _SCORED))
    return _diagnose(scored, thresholds or Thresholds(), _scale_progress(progress, _SCORED, 1))


def _diagnose(scored: pl.DataFrame, thresholds: Thresholds, progress: Progress | None) -> pl.DataFrame:
    """Scored rows with what their contexts hold, and their diagnosis."""
    read = add_retrieval(extract_evidence(scored, progress))
    judged = judge(read.drop(OVERLAP_SCHEMA.names(), strict=False).hstack(_measure_overlap(read)), thresholds)
    # A refusal claims nothing that contexts could bear out.
    claims = pl.col(VERDICT) != Verdict.DECLINED.value
    return judged.with_columns(pl.when(claims).then(pl.col(name)) for name in (c.CONTEXT_SUPPORT, c.SENTENCE_STATES))


def _measure_overlap(rows: pl.DataFrame) -> pl.DataFrame:
    """OVERLAP_SCHEMA of the responses, null where there are no contexts."""
    if CONTEXTS not in rows.columns or not rows[CONTEXTS].count():
        return pl.DataFrame(schema=OVERLAP_SCHEMA).clear(rows.height)
    return measure_overlap(rows)


def failed_entries(rows: pl.DataFrame) -> pl.DataFrame:
    """Return an entry (LISTED_SCHEMA) for each diagnosed row that a bug of qaviz kept from being diagnosed."""
    failed = rows.filter(pl.col(STANCE) == Stance.FAILED.value)
    return _entries(failed, load_log.NOT_DIAGNOSED, "a bug in qaviz: " + pl.col(NOTE))


def _otherwise_entries(scored: pl.DataFrame, otherwise: pl.Series) -> pl.DataFrame:
    reason = pl.col(load_log.DETAIL) + " of FMEval is not what qaviz computes: another delimiter, or another release"
    odd = scored.select(QUESTION_ID, PIPELINE, otherwise.alias(load_log.DETAIL)).filter(pl.col(load_log.DETAIL) != "")
    return _entries(odd, load_log.OTHER_SCORE, reason)


def _entries(rows: pl.DataFrame, kind: str, detail: pl.Expr) -> pl.DataFrame:
    where = pl.lit(None, pl.String).alias(load_log.WHERE)
    return rows.select(pl.lit(kind).alias(load_log.KIND), where, QUESTION_ID, PIPELINE, detail.alias(load_log.DETAIL))


def _scale_progress(progress: Progress | None, start: float, end: float) -> Progress | None:
    """Progress that fills only the part of the bar from `start` to `end`."""
    if progress is None:
        return None
    return lambda fraction, words: progress(start + fraction * (end - start), words)


def judge_here(
    rows: pl.DataFrame, thresholds: Thresholds, scorer: Scorer, progress: Progress, *, has_scores: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what `JudgeProcess.judge` does, worked out here: a small file is done before another process has started.

    `progress` may raise, and the work ends. No limit holds: for files of the user's own.
    """
    listed = pl.DataFrame(schema=load_log.LISTED_SCHEMA)
    scoring = _scale_progress(progress, 0, _SCORED)
    if has_scores:
        rows, otherwise = keep_given(rows, scoring)
        listed = _otherwise_entries(rows, otherwise)
    else:
        rows = scorer(rows, scoring)
    return _diagnose(rows, thresholds, _scale_progress(progress, _SCORED, 1)), listed


class JudgeProcess(ExitStack):
    """A process that scores and diagnoses tables, one after the other. It is gone when the context ends."""

    def __enter__(self) -> Self:
        super().__enter__()
        # One thread a process: as many processes work at once as there are cores.
        variables = {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        if IN_PLACE_OF_SHIPPED in os.environ:
            variables[IN_PLACE_OF_SHIPPED] = os.environ[IN_PLACE_OF_SHIPPED]
        environment = clean_environment(variables)
        folder = self.enter_context(job_folder())
        self._running = self.enter_context(
            start(_judge_given, folder, about=_ABOUT, environment=environment, limits=LIMITS)
        )
        return self

    def judge(
        self, rows: pl.DataFrame, thresholds: Thresholds, scorer: Scorer, progress: Progress, *, has_scores: bool
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return what `score_and_diagnose` does, and the entries of OTHER_SCORE.

        With `has_scores` the rows keep the scores that they came with, and each that qaviz computes otherwise is
        listed. `progress` may raise, and the work ends. Raises StoppedError that names the costliest row if the process
        goes over LIMITS, or dies.
        """
        do = _KEEP if has_scores else _SCORE
        if not has_scores and scorer is not score:
            # It has a process of its own already.
            rows, do = scorer(rows, _scale_progress(progress, 0, _SCORED)), _DIAGNOSE
        self._running.about, self._running.progress = _describe_costliest(rows), progress
        self._running.give({"rows": rows}, {"do": do, "thresholds": asdict(thresholds)})
        del rows  # The other process has them now.
        answer = self._running.hear()
        assert answer is not None  # it goes on as long as it is given more
        return answer.tables["rows"], answer.tables["listed"]


def _judge_given(job: Job) -> Iterator[Answer]:
    """In the process: judge what `JudgeProcess.judge` gives."""
    for given in job.take_given():
        do, thresholds = given.values["do"], Thresholds(**given.values["thresholds"])
        scorer = _keep_rows if do == _DIAGNOSE else score
        rows, listed = judge_here(given.tables["rows"], thresholds, scorer, job.progress, has_scores=do == _KEEP)
        yield Answer(tables={"rows": rows, "listed": listed})


def _keep_rows(rows: pl.DataFrame, _progress: Progress | None) -> pl.DataFrame:
    """The rows, which the asker has scored."""
    return rows


_ABOUT = Problem(
    where="scoring and diagnosing",
    found="a process that",
    expected="shorter responses and fewer variants",
    fix="Shorten that row or remove it. If all rows are long, split the file.",
)


def _describe_costliest(rows: pl.DataFrame) -> Problem:
    """What to say if judging the rows ends early: the row with the most work, which is characters times variants."""
    if rows.is_empty():
        return _ABOUT
    length = pl.sum_horizontal(pl.col(column).str.len_chars().fill_null(0) for column in (RESPONSE, QUESTION))
    variants = pl.max_horizontal(map(variant_count, DELIMITERS))
    characters = pl.col(RESPONSE).str.len_chars().fill_null(0)
    at = ((length + 1) * variants).arg_max()
    row = rows.select(pl.col(QUESTION_ID, PIPELINE).get(at), characters.get(at), variants.get(at).alias("variants"))
    question, pipeline, length_of_response, count = row.row(0)
    return replace(
        _ABOUT,
        where=f"scoring and diagnosing, costliest row: question {question}, pipeline {pipeline}",
        found=f"a response of {length_of_response:,} characters, {count:,} variants, among rows whose judge",
    )


_DECIDE = (c.QUESTION, c.ANSWER, c.FACT, c.ANSWERABLE, c.SOURCE, c.PASSAGE_ID, c.EVIDENCE)
"""What scores, diagnoses and faults of a response depend on, beside the response and its contexts."""

_BESIDE = [column for column in c.GOLDEN_COLUMNS if column not in (c.QUESTION_ID, *_DECIDE)]

_TRIPLET_PLACE = "place"


def rescore(
    rows: pl.DataFrame, golden: pl.DataFrame, thresholds: Thresholds, progress: Progress | None = None
) -> pl.DataFrame:
    """Return diagnosed rows as they would be with `golden` for their golden dataset, in their order.

    Triplets are known by QUESTION_ID. Responses to a question that `golden` does not have are left out. A BERTScore
    that was given with a response stays where its triplet does, and is null where the triplet is another.
    """
    numbered = rows.with_row_index(_TRIPLET_PLACE)
    changed = _find_changed_triplets(rows, golden)
    anew = numbered.filter(pl.col(c.QUESTION_ID).is_in(changed.implode()))
    known = golden[c.QUESTION_ID].filter(~golden[c.QUESTION_ID].is_in(changed.implode()))
    stays = numbered.filter(pl.col(c.QUESTION_ID).is_in(known.implode()))
    if anew.is_empty():
        scored = anew
    else:
        # Whether the documents hold what another triplet asks for is not known.
        judged = score_and_diagnose(_on(anew, golden).drop(c.IN_DOCUMENTS, strict=False), thresholds, progress=progress)
        if c.BERTSCORE in judged.columns:
            judged = judged.with_columns(pl.lit(None, pl.Float64).alias(c.BERTSCORE))
        scored = judged.select(numbered.columns)
    together = pl.concat([_beside(stays, golden), scored]).sort(_TRIPLET_PLACE)
    return together.drop(_TRIPLET_PLACE)


def _find_changed_triplets(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.Series:
    """The ids of the triplets of `golden` that are not those the rows were scored on."""
    triplets = rows.unique(c.QUESTION_ID, keep="any").select(c.QUESTION_ID, *_DECIDE)
    pairs = golden.select(c.QUESTION_ID, *_DECIDE).join(triplets, on=c.QUESTION_ID, suffix=" before")
    return pairs.filter(pl.any_horizontal(pl.col(column).ne_missing(pl.col(f"{column} before")) for column in _DECIDE))[
        c.QUESTION_ID
    ]


def _on(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows with the triplets of this golden dataset."""
    triplets = golden.select(c.GOLDEN_COLUMNS)
    own = rows.drop([column for column in c.GOLDEN_COLUMNS if column != c.QUESTION_ID], strict=False)
    return own.join(triplets, on=c.QUESTION_ID, how="left", maintain_order="left")


def _beside(rows: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """The rows with what this golden dataset says beside their triplets' texts."""
    beside = golden.select(c.QUESTION_ID, *_BESIDE)
    own = rows.drop(_BESIDE, strict=False)
    return own.join(beside, on=c.QUESTION_ID, how="left", maintain_order="left").select(rows.columns)


WORTH_A_PROCESS = 5_000
"""Rows of a chunk for which one process more is worth starting."""
AHEAD = 2
"""Chunks that are in memory together: one is waited for, and the next keeps free cores busy meanwhile."""

_READ = 0.1
"""The part of the bar that is for reading."""
_PLACE, _PART = "place in the chunk", "part of the chunk"


def stream_files(
    golden: Source | None,
    responses: Sequence[Source],
    *,
    thresholds: Thresholds | None = None,
    scorer: Scorer = score,
    keep_scores: bool = False,
    documents: pl.DataFrame | None = None,
    progress: Progress | None = None,
    trusted: bool = False,
) -> Iterator[Chunk]:
    """Yield in chunks what `qaviz.runs.draft` returns of files: rows that are scored and diagnosed, and what is
    listed.

    The files are read in a process of their own, and their rows scored and diagnosed in others, as many as there are
    cores, under the same limit of time: while a chunk is judged the next one is read, and the caller keeps the last.
    With `keep_scores` FMEval's own output, recognised by its content, keeps its scores; hits, context recall and
    diagnoses are qaviz's. With `documents`, the CHUNKS of what pipelines retrieve from, rows say whether these hold the
    fact. `trusted` files of at most `apart.SMALL` bytes in all are judged here, and read here if they are texts:
    another process takes longer to start. `progress` is told several times a second; it may raise, and the work ends.
    Raises QavizError as `qaviz.loading.apart.stream` and `JudgeProcess.judge` do: chunks that were yielded before are
    then not to be kept.
    """
    bar = _Bar(progress or silent)
    here = trusted and sum(source.size for source in {golden, *responses} if source) <= apart.SMALL
    chunks = apart.stream(golden, responses, keep_scores=keep_scores, progress=bar.read, trusted=here)
    begun: deque[_Judged] = deque()
    with (
        closing(chunks),
        _Judges(thresholds or Thresholds(), scorer, bar, here=here) as judges,
    ):
        held: pl.DataFrame | None = None
        for chunk in chunks:
            if documents is not None:
                from qaviz.contexts.documents import find_in_documents

                held = find_in_documents(chunk.golden, documents) if held is None else held
                chunk = replace(chunk, rows=chunk.rows.join(held, on=QUESTION_ID, how="left", maintain_order="left"))
            begun.append(judges.begin(chunk))
            if len(begun) == AHEAD:
                yield judges.finish(begun.popleft())
        while begun:
            yield judges.finish(begun.popleft())


@dataclass(frozen=True)
class _Judged:
    """A chunk whose parts are being scored and diagnosed."""

    chunk: Chunk
    parts: Sequence[Future[tuple[pl.DataFrame, pl.DataFrame]]]


class _CancelledError(Exception):
    """The caller has stopped: judging ends."""


class _Judges:
    """As many processes that score and diagnose as there are cores, each with a part of a chunk."""

    def __init__(self, thresholds: Thresholds, scorer: Scorer, bar: "_Bar", *, here: bool) -> None:
        self._thresholds, self._scorer, self._bar, self._here = thresholds, scorer, bar, here
        # Another scorer than qaviz's takes gigabytes and a process of its own.
        self._count = pl.thread_pool_size() if scorer is score else 1
        self._pool = ThreadPoolExecutor(self._count, "judging")
        self._cancelled = Event()
        self._idle: list[JudgeProcess] = []
        self._processes = ExitStack()

    def __enter__(self) -> "_Judges":
        if not self._here:  # it starts while the files are read
            self._idle.append(self._processes.enter_context(JudgeProcess()))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cancelled.set()
        self._pool.shutdown(cancel_futures=True)
        self._processes.close()

    def begin(self, chunk: Chunk) -> _Judged:
        """Have the chunk judged, part by part, as soon as there is a process free."""
        rows = _partition(chunk.rows, min(self._count, chunk.rows.height // WORTH_A_PROCESS))
        self._bar.begin(chunk.rows.height)
        parts = [self._pool.submit(self._judge, [part], chunk.scored) for part in rows]
        return _Judged(replace(chunk, rows=chunk.rows.clear()), parts)

    def _judge(self, rows: list[pl.DataFrame], scored: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Judge the one table in `rows`, which is taken out: its memory is free while another process has it."""
        height, mark = rows[0].height, object()

        def tell(fraction: float, _words: str) -> None:
            if self._cancelled.is_set():
                raise _CancelledError
            self._bar.judged[mark] = fraction * height

        if self._here:
            return judge_here(rows.pop(), self._thresholds, self._scorer, tell, has_scores=scored)
        try:
            process = self._idle.pop()
        except IndexError:  # all are at work
            process = self._processes.enter_context(JudgeProcess())
        judged = process.judge(rows.pop(), self._thresholds, self._scorer, tell, has_scores=scored)
        self._idle.append(process)
        self._bar.judged[mark] = height
        return judged

    def finish(self, begun: _Judged) -> Chunk:
        """Wait for the chunk; return it with its rows judged. Raises what judging one of its parts raised."""
        while (state := wait(begun.parts, TICK_S, FIRST_EXCEPTION)).not_done:
            for part in state.done:
                part.result()
            self._bar.tell()
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
    """One bar for rows that are read, scored and diagnosed together: how many there are is known from the part of the
    files that they were read from."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._read = self._told = 0.0
        self._rows = 0
        self._words = "reading"
        self.judged: dict[object, float] = {}
        """Rows that are done, by the part that they are in."""

    def read(self, fraction: float, words: str) -> None:
        self._read = max(fraction, self._read)
        if not self._rows:
            self._words = words
        self.tell()

    def begin(self, rows: int) -> None:
        self._rows += rows
        self._words = f"scoring and diagnosing, up to response {self._rows:,}"
        self.tell()

    def tell(self) -> None:
        judged = sum(list(self.judged.values())) / max(1, self._rows)
        filled = self._read * (_READ + (1 - _READ) * judged)
        self._told = max(self._told, min(filled, 1.0))
        self._progress(self._told, self._words)
