"""Rows scored and diagnosed: in this process, or, if they are untrusted, in one of their own with a time limit; and, of
a run on another version of its golden dataset, only rows of other triplets."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Protocol
from uuid import uuid4

import polars as pl

from qaviz.contexts.retrieval import add_retrieval
from qaviz.contexts.support import CITATIONS_WRONG, CONTEXT_SUPPORT, SENTENCE, SENTENCES, score_support
from qaviz.diagnosis import extract_evidence, judge
from qaviz.diagnosis.calibration import IN_PLACE_OF_SHIPPED
from qaviz.diagnosis.columns import NOTE, STANCE
from qaviz.diagnosis.evidence import Stance
from qaviz.loading import Source, load_log
from qaviz.loading.sandbox.client import Answer, ForkServer, Operations, Options, ask, taken_table, write_table
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONTEXTS, DELIMITERS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE, VERDICT, variant_count
from qaviz.model.errors import Problem
from qaviz.model.records import Progress, Thresholds
from qaviz.processes.limits import MACHINE_MEMORY, Limits
from qaviz.scoring import keep_given, score
from qaviz.scoring.bridge import score_in_process

Scorer = Callable[[pl.DataFrame, Progress | None], pl.DataFrame]
"""`score`, or another function that gives the same rows the same scores."""
SCORERS: Mapping[str, Scorer] = {"qaviz": score, "fmeval": score_in_process}
"""By the name of an engine: qaviz's own, and the installed FMEval in a process of its own."""
OWN_ENGINE = "qaviz"


class JudgeRows(Protocol):
    """`judge_here` or `judge_apart`: the rows scored and diagnosed, and what is listed."""

    def __call__(
        self, rows: pl.DataFrame, thresholds: Thresholds, scorer: Scorer, progress: Progress, *, has_scores: bool
    ) -> tuple[pl.DataFrame, pl.DataFrame]: ...


_SUPPORT_SCHEMA = pl.Schema({CONTEXT_SUPPORT: pl.Float64(), SENTENCES: pl.List(SENTENCE), CITATIONS_WRONG: pl.Int32()})
"""What `score_support` says of a response."""
_SCORED = 0.2
"""Where scoring ends in the bar of a chunk; diagnosing takes longest."""

_SCORE, _KEEP, _DIAGNOSE = "score and diagnose", "keep the scores and diagnose", "diagnose"
LIMITS = Limits(memory=MACHINE_MEMORY, silence_s=120, cpu_s=240)
"""Of a process that judges. It takes the memory that a chunk needs: how large chunks are is limited."""

# One thread a process: as many processes work at once as there are cores.
_judges = ForkServer(__name__, POLARS_MAX_THREADS="1")


def score_and_diagnose(
    rows: pl.DataFrame, thresholds: Thresholds | None = None, scorer: Scorer = score, progress: Progress | None = None
) -> pl.DataFrame:
    """The loaded rows, scored and diagnosed."""
    scored = scorer(rows, _scale_progress(progress, 0, _SCORED))
    return _diagnose(scored, thresholds or Thresholds(), _scale_progress(progress, _SCORED, 1))


def _diagnose(scored: pl.DataFrame, thresholds: Thresholds, progress: Progress | None) -> pl.DataFrame:
    """Scored rows with what their contexts hold, and their diagnosis."""
    read = add_retrieval(extract_evidence(scored, progress))
    judged = judge(read.drop(_SUPPORT_SCHEMA.names(), strict=False).hstack(_score_support(read)), thresholds)
    # A refusal claims nothing that contexts could bear out.
    claims = pl.col(VERDICT) != Verdict.DECLINED.value
    return judged.with_columns(pl.when(claims).then(pl.col(name)) for name in (CONTEXT_SUPPORT, SENTENCES))


def _score_support(rows: pl.DataFrame) -> pl.DataFrame:
    """How far the responses stand in their contexts: the columns of _SUPPORT_SCHEMA, null where there are none."""
    if CONTEXTS not in rows.columns or not rows[CONTEXTS].count():
        return pl.DataFrame(schema=_SUPPORT_SCHEMA).clear(rows.height)
    return score_support(rows)


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
    """Return what `judge_apart` does, worked out in this process: a small file is done before another one has started.

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


def judge_apart(
    rows: pl.DataFrame, thresholds: Thresholds, scorer: Scorer, progress: Progress, *, has_scores: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what `score_and_diagnose` does, and the entries of OTHER_SCORE; the work is done in a process of its own.

    With `has_scores` the rows keep the scores that they came with, and each that qaviz computes otherwise is listed.
    `progress` may raise, and the work ends. Raises StoppedError that names the costliest row if the process goes over
    LIMITS, or dies.
    """
    do = _KEEP if has_scores else _SCORE
    if not has_scores and scorer is not score:
        # It has a process of its own already.
        rows, do = scorer(rows, _scale_progress(progress, 0, _SCORED)), _DIAGNOSE
    file = Path(_judges.folder()) / f"{uuid4().hex}.arrow"
    # That process started earlier, and does not see what the environment names since.
    calibration = os.environ.get(IN_PLACE_OF_SHIPPED, "")
    options = {"do": do, "thresholds": asdict(thresholds), "rows": str(file), "calibration": calibration}
    about = _describe_costliest(rows)
    try:
        write_table(rows, file)
        del rows  # The other process has them now.
        (answer,) = ask("judge", [], options, progress, _judges, about, LIMITS)
    finally:
        file.unlink(missing_ok=True)
    return answer.tables["rows"], answer.tables["listed"]


def start_judging() -> None:
    """Start the process that `judge_apart` asks, which takes a second: files are read meanwhile."""
    _judges.folder()


def _judge(_sources: list[Source], options: Options, progress: Progress) -> Iterator[Answer]:
    """Do what `judge_apart` asks for, in the process that it asks."""
    os.environ[IN_PLACE_OF_SHIPPED] = options["calibration"]
    rows, thresholds, do = taken_table(Path(options["rows"])), Thresholds(**options["thresholds"]), options["do"]
    scorer = _keep_rows if do == _DIAGNOSE else score
    rows, listed = judge_here(rows, thresholds, scorer, progress, has_scores=do == _KEEP)
    yield Answer({}, {"rows": rows, "listed": listed})


def _keep_rows(rows: pl.DataFrame, _progress: Progress | None) -> pl.DataFrame:
    """The rows, which the asker has scored."""
    return rows


OPERATIONS: Operations = {"judge": _judge}


def _describe_costliest(rows: pl.DataFrame) -> Problem:
    """What to say if judging the rows ends early: the row with the most work, which is characters times variants."""
    about = Problem(
        where="scoring and diagnosing",
        found="a process that",
        expected="shorter responses and fewer variants",
        fix="Shorten that row or remove it. If all rows are long, split the file.",
    )
    if rows.is_empty():
        return about
    length = pl.sum_horizontal(pl.col(column).str.len_chars().fill_null(0) for column in (RESPONSE, QUESTION))
    variants = pl.max_horizontal(map(variant_count, DELIMITERS))
    characters = pl.col(RESPONSE).str.len_chars().fill_null(0)
    at = ((length + 1) * variants).arg_max()
    row = rows.select(pl.col(QUESTION_ID, PIPELINE).get(at), characters.get(at), variants.get(at).alias("variants"))
    question, pipeline, length_of_response, count = row.row(0)
    return replace(
        about,
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
