"""A check that asks as few questions as it takes: the most telling ones first, then others at random.

Whether a pipeline broke is known by `stats.loss_evidence`, in any order of questions; that it lost nothing that matters
by `stats.NoLossEvidence`, from the questions at random alone. Each errs in at most 5 % of checks (see
benchmarks/fast_check.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np
import polars as pl

from qaviz.analysis.comparison import outcome
from qaviz.analysis.consistency import whole
from qaviz.analysis.gate import Check, Gate, Result, Subject
from qaviz.analysis.numbers import count, out_of, percent
from qaviz.analysis.smoke_set import choose_smoke_set, collect_outcomes
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, VERDICT
from qaviz.stats import ALPHA, MARGIN, NoLossEvidence, loss_evidence

FIRST, BATCH = 30, 30
"""Questions that are chosen and asked first, and those that are asked between two looks."""


class Stop(StrEnum):
    """Why no more questions have to be asked."""

    BROKEN = "broken"
    NO_LOSS = "no loss"


class PipelineEvidence:
    """What is known of one of so many pipelines, over a golden dataset of so many questions."""

    def __init__(self, questions: int, pipelines: int) -> None:
        self.questions, self.asked, self.broken, self.fixed = questions, 0, 0, 0
        self._needed = pipelines / ALPHA
        self._no_loss = NoLossEvidence(questions)
        self.stop: Stop | None = None

    def add(self, losses: Sequence[float], *, chosen: bool) -> Stop | None:
        """Hear of a batch: 1 for a question that broke, -1 for one that was fixed. Returns why it may stop here."""
        (self._no_loss.add_unbet if chosen else self._no_loss.add)(losses)
        self.asked += len(losses)
        self.broken += sum(loss > 0 for loss in losses)
        self.fixed += sum(loss < 0 for loss in losses)
        if self.stop is None and loss_evidence(self.broken, self.fixed) >= self._needed:
            self.stop = Stop.BROKEN
        elif self.stop is None and self._no_loss.capital >= self._needed:
            self.stop = Stop.NO_LOSS
        return self.stop


def order_questions(golden: pl.DataFrame, rows_of_runs: Sequence[pl.DataFrame], seed: int) -> list[pl.DataFrame]:
    """The triplets in batches: FIRST that told pipelines apart in these runs, then BATCH by BATCH at random."""
    first = choose_smoke_set(golden, collect_outcomes(golden, rows_of_runs), FIRST, seed).select(golden.columns)
    rest = golden.join(first, on=QUESTION_ID, how="anti", maintain_order="left")
    rest = rest[np.random.default_rng(seed).permutation(rest.height)]
    return [first, *rest.iter_slices(BATCH)]


def find_losses(questions: pl.Series, now: pl.DataFrame, before: pl.DataFrame, pair: tuple[str, str]) -> list[float]:
    """For each question (its text) 1 where the pipeline of `now` broke, -1 where it was fixed, 0 where it is the same.

    `pair` is that pipeline and the one of `before`. Means over repeats; 0 where one of them has no verdict.
    """
    sides = [_right_by_question(*side) for side in ((now, pair[0]), (before, pair[1]))]
    asked = pl.DataFrame({QUESTION: questions})
    both = asked.join(sides[0], on=QUESTION, how="left", maintain_order="left")
    both = both.join(sides[1], on=QUESTION, how="left", maintain_order="left", suffix="_before")
    return (both["right_before"] - both["right"]).fill_null(0.0).to_list()


def _right_by_question(rows: pl.DataFrame, pipeline: str) -> pl.DataFrame:
    own = whole(rows).filter(pl.col(PIPELINE).cast(pl.String) == pipeline)
    return own.group_by(QUESTION).agg(outcome(VERDICT).mean().alias("right"))


def decide_early(found: Gate, evidence: Mapping[str, PipelineEvidence]) -> Gate:
    """The gate of a check that asked a part of the questions: evidence by pipeline in place of tests of all questions.

    Criteria are shares of the whole golden dataset, of which the questions asked are no sample: they are left out.
    """
    kept = [each for each in found.checks if each.subject not in (Subject.DROP, Subject.CRITERION)]
    drops = [_drop_check(name, each) for name, each in evidence.items()]
    return replace(found, checks=(*drops, *kept), notes=(*_notes(found, evidence), *found.notes))


def _drop_check(pipeline: str, evidence: PipelineEvidence) -> Check:
    asked = out_of(evidence.asked, evidence.questions)
    of = f"{count(evidence.broken)} broken and {count(evidence.fixed)} fixed, {asked}"
    results = {
        Stop.BROKEN: (Result.FAIL, "more broke than chance explains"),
        Stop.NO_LOSS: (Result.PASS, f"a loss of {percent(MARGIN)} or more of right answers is excluded"),
        None: (Result.UNKNOWN, f"neither a loss beyond chance nor one below {percent(MARGIN)} is shown"),
    }
    result, words = results[evidence.stop]
    sentence = f"{pipeline}: {of} questions asked; {words} (each wrong in at most {percent(ALPHA)} of checks)."
    return Check(subject=Subject.DROP, name=f"{pipeline}, right answers", result=result, sentence=sentence)


def _notes(found: Gate, evidence: Mapping[str, PipelineEvidence]) -> Iterator[str]:
    asked = max(each.asked for each in evidence.values())
    questions = max(each.questions for each in evidence.values())
    if asked < questions:
        yield (
            f"A fast check asked {out_of(asked, questions)} questions, the most telling ones first: shares are not "
            "those of the whole golden dataset."
        )
    if not found.criteria.is_empty():
        yield "Acceptance criteria are not checked by a fast check."
