"""Responses scored and diagnosed chunk by chunk: memory does not grow with their number.

Rows are judged in this process, or, if they are untrusted, in one of their own with a time limit; of a run on another
version of its golden dataset, only rows of other triplets.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, replace
from functools import partial, reduce
from operator import or_

import polars as pl

from qaviz.contexts.passages import OVERLAP_SCHEMA, measure_overlap
from qaviz.contexts.retrieval import add_retrieval, find_in_documents
from qaviz.diagnosis import extract_evidence, judge
from qaviz.diagnosis.calibration import IN_PLACE_OF_SHIPPED
from qaviz.diagnosis.columns import NOTE, STANCE
from qaviz.diagnosis.stance import Stance
from qaviz.loading import Chunk, Source, apart, load_log, silent
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONTEXTS, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.errors import Problem
from qaviz.model.records import Progress, Thresholds
from qaviz.processes import MACHINE_MEMORY, Answer, Job, Limits, Running, clean_environment, job_folder, start
from qaviz.scoring import keep_given, score
from qaviz.scoring.bridge import score_in_process

Scorer = Callable[[pl.DataFrame, Progress | None], pl.DataFrame]
"""`score`, or another function that gives the same rows the same scores."""
SCORERS: Mapping[str, Scorer] = {"qaviz": score, "fmeval": score_in_process}
"""By the name of an engine: qaviz's own, and the installed FMEval in a process of its own."""
OWN_ENGINE = "qaviz"

LIMITS = Limits(memory=MACHINE_MEMORY, silence_s=120, cpu_s=240, network=False)
"""Of a process that judges. It takes the memory that a chunk needs: how large chunks are is limited."""
_SCORED, _READ = 0.2, 0.1
"""Where scoring ends in the bar of a chunk; the part of the whole bar that is for reading."""


def score_and_diagnose(
    rows: pl.DataFrame, thresholds: Thresholds | None = None, scorer: Scorer = score, progress: Progress | None = None
) -> pl.DataFrame:
    """The loaded rows, scored and diagnosed."""
    scored = scorer(rows, _scale_progress(progress, 0, _SCORED))
    read = add_retrieval(extract_evidence(scored, _scale_progress(progress, _SCORED, 1)))
    overlap = pl.DataFrame(schema=OVERLAP_SCHEMA).clear(read.height)
    if CONTEXTS in read.columns and read[CONTEXTS].count():
        overlap = measure_overlap(read)
    judged = judge(read.drop(OVERLAP_SCHEMA.names(), strict=False).hstack(overlap), thresholds or Thresholds())
    # A refusal claims nothing that contexts could bear out.
    claims = pl.col(VERDICT) != Verdict.DECLINED.value
    return judged.with_columns(pl.when(claims).then(pl.col(name)) for name in (c.CONTEXT_SUPPORT, c.SENTENCE_STATES))


def _scale_progress(progress: Progress | None, start: float, end: float) -> Progress | None:
    if progress is None:
        return None
    return lambda fraction, words: progress(start + fraction * (end - start), words)


def score_chunk(
    rows: pl.DataFrame,
    thresholds: Thresholds,
    scorer: Scorer = score,
    progress: Progress | None = None,
    *,
    has_scores: bool = False,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return loaded rows scored and diagnosed, and what is to be listed of them. `progress` may raise: the work ends.

    With `has_scores` they keep the scores that they came with; each that qaviz computes otherwise is listed, and so is
    each row that a bug of qaviz kept from being diagnosed.
    """
    listed: list[pl.DataFrame] = []
    if has_scores:
        rows, otherwise = keep_given(rows, _scale_progress(progress, 0, _SCORED))
        odd = rows.with_columns(otherwise.alias(load_log.DETAIL)).filter(pl.col(load_log.DETAIL) != "")
        why = pl.col(load_log.DETAIL) + " of FMEval is not what qaviz computes: another delimiter, or another release"
        listed.append(_list_rows(odd, load_log.OTHER_SCORE, why))
        scorer = _keep_rows
    judged = score_and_diagnose(rows, thresholds, scorer, progress)
    failed = judged.filter(pl.col(STANCE) == Stance.FAILED.value)
    listed.append(_list_rows(failed, load_log.NOT_DIAGNOSED, "a bug in qaviz: " + pl.col(NOTE)))
    return judged, pl.concat(listed)


def _keep_rows(rows: pl.DataFrame, _progress: Progress | None) -> pl.DataFrame:
    return rows


def _list_rows(rows: pl.DataFrame, kind: str, detail: pl.Expr) -> pl.DataFrame:
    where = pl.lit(None, pl.String).alias(load_log.WHERE)
    return rows.select(pl.lit(kind).alias(load_log.KIND), where, QUESTION_ID, PIPELINE, detail.alias(load_log.DETAIL))


@contextmanager
def _start_judge() -> Iterator[Running]:
    """A process that scores and diagnoses the chunks that `_judge_apart` gives it. It is gone when the context ends."""
    variables = {name: os.environ[name] for name in (IN_PLACE_OF_SHIPPED,) if name in os.environ}
    # polars' threads are enough: those of numpy's algebra would only wait for each other.
    environment = clean_environment({"OPENBLAS_NUM_THREADS": "1", **variables})
    about = Problem(
        where="scoring and diagnosing",
        found="responses whose judge",
        expected="shorter responses and fewer variants",
        fix="Shorten the longest responses and the facts of most variants, or split the file.",
    )
    with (
        job_folder() as folder,
        start(_judge_given, folder, about=about, environment=environment, limits=LIMITS) as running,
    ):
        yield running


def _judge_apart(
    judge: Running, rows: pl.DataFrame, thresholds: Thresholds, scorer: Scorer, progress: Progress, *, has_scores: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What `score_chunk` returns, done by the judge. Raises StoppedError if it goes over LIMITS, or dies."""
    if is_scored := scorer is not score and not has_scores:
        # Another scorer has a process of its own.
        rows = scorer(rows, _scale_progress(progress, 0, _SCORED))
    judge.give({"rows": rows}, {"thresholds": asdict(thresholds), "is_scored": is_scored, "has_scores": has_scores})
    judge.progress = progress
    answer = judge.hear()
    assert answer is not None  # it goes on as long as it is given more
    return answer.tables["rows"], answer.tables["listed"]


def _judge_given(job: Job) -> Iterator[Answer]:
    for given in job.take_given():
        thresholds, has_scores = Thresholds(**given.values["thresholds"]), given.values["has_scores"]
        scorer = _keep_rows if given.values["is_scored"] else score
        rows, listed = score_chunk(given.tables["rows"], thresholds, scorer, job.progress, has_scores=has_scores)
        yield Answer(tables={"rows": rows, "listed": listed})


_DECIDE = (c.QUESTION, c.ANSWER, c.FACT, c.ANSWERABLE, c.SOURCE, c.PASSAGE_ID, c.EVIDENCE)
"""What scores, diagnoses and faults of a response depend on, beside the response and its contexts."""


def rescore(
    rows: pl.DataFrame, golden: pl.DataFrame, thresholds: Thresholds, progress: Progress | None = None
) -> pl.DataFrame:
    """Return diagnosed rows as they would be with `golden` for their golden dataset, in their order.

    Triplets are known by QUESTION_ID. Responses to a question that `golden` does not have are left out. A BERTScore
    that was given with a response stays where its triplet does, and is null where the triplet is another.
    """
    before = rows.join(golden, on=QUESTION_ID, how="semi", maintain_order="left")
    responses = before.drop(set(c.GOLDEN_COLUMNS) - {QUESTION_ID}, strict=False)
    moved = responses.join(golden.select(c.GOLDEN_COLUMNS), on=QUESTION_ID, how="left", maintain_order="left")
    is_changed = reduce(or_, (before[name].ne_missing(moved[name]) for name in _DECIDE))
    after = moved.select(rows.columns)
    if not is_changed.any():
        return after
    # Whether the documents hold what another triplet asks for is not known.
    anew = moved.filter(is_changed).drop(c.IN_DOCUMENTS, strict=False)
    judged = score_and_diagnose(anew, thresholds, progress=progress)
    if c.BERTSCORE in judged.columns:
        judged = judged.with_columns(pl.lit(None, pl.Float64).alias(c.BERTSCORE))
    place = pl.concat([is_changed.not_().arg_true(), is_changed.arg_true()])
    return pl.concat([after.filter(~is_changed), judged.select(rows.columns)])[place.arg_sort()]


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
    """Yield in chunks what `score_chunk` returns of files: rows that are scored and diagnosed, and what is
    listed.

    The files are read in a process of their own, and their rows scored and diagnosed in another: while a chunk is
    judged the next one is read. With `keep_scores` FMEval's own output, recognised by its content, keeps its scores;
    hits, context recall and diagnoses are qaviz's. With `documents`, the CHUNKS of what pipelines retrieve from, rows
    say whether these hold the fact. `trusted` files of at most `apart.SMALL` bytes in all are judged here, and read
    here if they are texts: another process takes longer to start. `progress` is told several times a second; it may
    raise, and the work ends. Raises QavizError as `qaviz.loading.apart.stream` does, and StoppedError where judging
    goes over LIMITS: chunks that were yielded before are then not to be kept.
    """
    bar, limits = _Bar(progress or silent), thresholds or Thresholds()
    here = trusted and sum(source.size for source in {golden, *responses} if source) <= apart.SMALL
    chunks = apart.stream(golden, responses, keep_scores=keep_scores, progress=bar.read, trusted=here)
    with closing(chunks), nullcontext() if here else _start_judge() as judge:
        do = partial(_judge_apart, judge) if judge else score_chunk
        held: pl.DataFrame | None = None
        for chunk in chunks:
            rows = chunk.rows
            if documents is not None:
                held = find_in_documents(chunk.golden, documents) if held is None else held
                rows = rows.join(held, on=QUESTION_ID, how="left", maintain_order="left")
            rows, listed = do(rows, limits, scorer, bar.judge(rows.height), has_scores=chunk.scored)
            yield replace(chunk, rows=rows, listed=pl.concat([chunk.listed, listed]))


class _Bar:
    """One bar for rows that are read and judged: a chunk fills the part of the files that it was read from."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._rows, self._is_read, self._is_judged = progress, 0, 0.0, 0.0

    def read(self, fraction: float, words: str) -> None:
        self._is_read = max(self._is_read, fraction)
        self._progress(min(1.0, _READ * self._is_read + (1 - _READ) * self._is_judged), words)

    def judge(self, rows: int) -> Progress:
        """Progress of the chunk that was just read."""
        begin, self._rows = self._is_judged, self._rows + rows

        def tell(fraction: float, _words: str) -> None:
            self._is_judged = max(self._is_judged, begin + fraction * (self._is_read - begin))
            self.read(0, f"scoring and diagnosing, up to response {self._rows:,}")

        return tell
