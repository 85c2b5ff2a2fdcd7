"""Checks that ask few questions: a small set that is asked with each commit, and one that ends as soon as it is known
whether the gate passes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.analysis.comparison import POSSIBLE
from qaviz.analysis.criteria import CRITICAL, has_tag
from qaviz.analysis.gate import Check, Gate, Result, Subject
from qaviz.analysis.numbers import count, out_of, percent
from qaviz.analysis.right_answers import score_questions
from qaviz.model.columns import ANSWERABLE, CATEGORY, PIPELINE, QUESTION, QUESTION_ID, RESPONSE, VERDICT
from qaviz.stats import ALPHA, MARGIN, NoLossEvidence, loss_evidence

FIRST, BATCH = 30, 30
"""Questions that are chosen and asked first, and those that are asked between two looks."""

MOST_COMPARED = 20
"""Pipelines of runs, the newest first, whose answers say which questions tell pipelines apart."""
UNANSWERABLE_SHARE = 0.1
"""Of the set, at least, where the golden dataset has so many unanswerable questions."""
WHY = "why"

Outcomes = NDArray[np.float64]
"""A row a question, a column a pipeline: 1 right, 0 not, between them for repeats, NaN where nothing is known."""


class Stop(StrEnum):
    """Why no more questions have to be asked."""

    BROKEN = "broken"
    NO_LOSS = "no loss"


@dataclass(frozen=True)
class Losses:
    """What became of some questions: 1 broke, -1 fixed, 0 the same."""

    sure: list[float]
    """What open responses leave certain."""
    worst: list[float]
    """If open responses were right before and are wrong now, unless the response is the same."""


class PipelineEvidence:
    """What is known of one of so many pipelines, over a golden dataset of so many questions."""

    def __init__(self, questions: int, pipelines: int) -> None:
        self.questions, self.asked, self.broken, self.fixed = questions, 0, 0, 0
        self._needed = pipelines / ALPHA
        self._no_loss = NoLossEvidence(questions)
        self.stop: Stop | None = None

    def add(self, losses: Losses, *, chosen: bool) -> Stop | None:
        """Add a batch of questions. Returns why it may stop, or None."""
        (self._no_loss.add_unbet if chosen else self._no_loss.add)(losses.worst)
        self.asked += len(losses.sure)
        self.broken += sum(loss > 0 for loss in losses.sure)
        self.fixed += sum(loss < 0 for loss in losses.sure)
        if self.stop is None and loss_evidence(self.broken, self.fixed) >= self._needed:
            self.stop = Stop.BROKEN
        elif self.stop is None and self._no_loss.capital >= self._needed:
            self.stop = Stop.NO_LOSS
        return self.stop


def order_questions(golden: pl.DataFrame, rows_of_runs: Sequence[pl.DataFrame], seed: int) -> list[pl.DataFrame]:
    """The triplets in batches: FIRST on which pipelines of these runs differed, then BATCH by BATCH at random."""
    first = choose_smoke_set(golden, collect_outcomes(golden, rows_of_runs), FIRST, seed).select(golden.columns)
    rest = golden.join(first, on=QUESTION_ID, how="anti", maintain_order="left")
    rest = rest[np.random.default_rng(seed).permutation(rest.height)]
    return [first, *rest.iter_slices(BATCH)]


def find_losses(questions: pl.Series, now: pl.DataFrame, before: pl.DataFrame, pair: tuple[str, str]) -> Losses:
    """What became of each question (its text) from `before` to `now`, for a pipeline of `now` and one of `before`.

    Rows as `right_answers.settle` returns them. Means over repeats; what is missing or empty is not right.
    """
    sides = ((now, pair[0]), (before, pair[1]))
    by_text = [pl.col(QUESTION).alias(QUESTION_ID), pl.col(PIPELINE).cast(pl.String)]
    (counted, possible), (counted_before, possible_before) = (
        # A question that a pipeline failed to answer has no row of its own.
        (np.nan_to_num(scores.of(VERDICT, name)), np.nan_to_num(scores.of(POSSIBLE, name)))
        for scores, name in (
            (score_questions(rows.with_columns(by_text), questions, [name], ()), name) for rows, name in sides
        )
    )
    broke, fixed = np.maximum(counted_before - possible, 0), np.maximum(counted - possible_before, 0)
    texts = [_texts_by_question(rows, name, questions) for rows, name in sides]
    same = np.array([one is not None and one == other for one, other in zip(*texts, strict=True)])
    worst = np.where(same & (possible > counted), 0.0, possible_before - counted)
    return Losses(sure=(broke - fixed).tolist(), worst=worst.tolist())


def _texts_by_question(settled: pl.DataFrame, pipeline: str, questions: pl.Series) -> list[list[str] | None]:
    own = settled.filter(pl.col(PIPELINE).cast(pl.String) == pipeline).group_by(QUESTION).agg(pl.col(RESPONSE).sort())
    in_order = pl.DataFrame({QUESTION: questions}).join(own, on=QUESTION, how="left", maintain_order="left")
    return in_order[RESPONSE].to_list()


def decide_early(gate: Gate, evidence: Mapping[str, PipelineEvidence]) -> Gate:
    """The gate of a check that asked a part of the questions: evidence by pipeline in place of tests of all questions.

    Criteria are left out: they are shares of the whole golden dataset, and the questions asked are no sample of it.
    """
    kept = [check for check in gate.checks if check.subject not in (Subject.DROP, Subject.CRITERION)]
    drops = [_check_drop(name, losses) for name, losses in evidence.items()]
    return replace(gate, checks=(*drops, *kept), notes=(*_write_notes(gate, evidence), *gate.notes))


def _check_drop(pipeline: str, evidence: PipelineEvidence) -> Check:
    progress = out_of(evidence.asked, evidence.questions)
    of = f"{count(evidence.broken)} broken and {count(evidence.fixed)} fixed, {progress}"
    results = {
        Stop.BROKEN: (Result.FAIL, "more broke than chance explains"),
        Stop.NO_LOSS: (Result.PASS, f"a loss of {percent(MARGIN)} or more of right answers is excluded"),
        None: (Result.UNKNOWN, f"neither a loss beyond chance nor one below {percent(MARGIN)} is shown"),
    }
    result, words = results[evidence.stop]
    sentence = f"{pipeline}: {of} questions asked; {words} (each wrong in at most {percent(ALPHA)} of checks)."
    return Check(subject=Subject.DROP, name=f"{pipeline}, right answers", result=result, sentence=sentence)


def _write_notes(gate: Gate, evidence: Mapping[str, PipelineEvidence]) -> Iterator[str]:
    most_asked = max(pipeline.asked for pipeline in evidence.values())
    questions = max(pipeline.questions for pipeline in evidence.values())
    if most_asked < questions:
        yield (
            f"A fast check asked {out_of(most_asked, questions)} questions, the most telling ones first: "
            "shares are not those of the whole golden dataset."
        )
    if not gate.criteria.is_empty():
        yield "Acceptance criteria are not checked by a fast check."


def collect_outcomes(golden: pl.DataFrame, rows_of_runs: Sequence[pl.DataFrame]) -> Outcomes:
    """What each pipeline of these runs came to on each question, newest run first, at most MOST_COMPARED columns.

    Rows as `right_answers.settle` returns them; nothing is known of questions that no pipeline of a run answered.
    """
    columns = list[Outcomes]()
    for rows in rows_of_runs:
        rows = rows.with_columns(pl.col(QUESTION_ID, PIPELINE).cast(pl.String))
        names = rows[PIPELINE].unique(maintain_order=True).to_list()
        right = score_questions(rows, golden[QUESTION_ID], names, ()).values[VERDICT]
        there = golden[QUESTION_ID].is_in(rows[QUESTION_ID].implode()).to_numpy()
        columns += list(np.where(there[:, None], right, np.nan).T)
    chosen = columns[:MOST_COMPARED]
    return np.column_stack(chosen) if chosen else np.empty((golden.height, 0))


def choose_smoke_set(golden: pl.DataFrame, outcomes: Outcomes, size: int, seed: int) -> pl.DataFrame:
    """The chosen triplets in the golden dataset's order, with WHY each was chosen, in words.

    First unanswerable questions (at least one, and UNANSWERABLE_SHARE of the set), then critical ones, then those that
    told most pairs of pipelines apart, each time the question that adds most to what the chosen ones tell; what is left
    is drawn at random, from each category in turn. The same seed chooses the same questions.
    """
    order = np.random.default_rng(seed).permutation(golden.height)
    differs = _tell_apart(outcomes)
    unanswerable = (~golden[ANSWERABLE].fill_null(value=True)).to_numpy()
    critical = golden.select(has_tag(CRITICAL)).to_series().to_numpy()
    why = dict[int, str]()
    reserved = min(int(unanswerable.sum()), max(1, round(size * UNANSWERABLE_SHARE)))
    for place in _most_telling(differs, order[unanswerable[order]], [], reserved):
        why[place] = "unanswerable"
    for place in _most_telling(differs, order[critical[order]], list(why), size - len(why)):
        why[place] = "critical"
    telling = differs.any(axis=1)
    for place in _most_telling(differs, order[telling[order]], list(why), size - len(why)):
        why[place] = f"told {int(differs[place].sum()):,} of {differs.shape[1]:,} pairs of pipelines apart"
    # One of each category, then the second of each, and so on.
    left = pl.Series([place for place in order.tolist() if place not in why], dtype=pl.UInt32)
    turns = golden.select(CATEGORY).with_row_index("place")[left]
    turns = turns.sort(pl.int_range(pl.len()).over(CATEGORY), maintain_order=True)
    for place in turns["place"].to_list()[: size - len(why)]:
        why[place] = "drawn at random"
    chosen = sorted(why)
    return golden[chosen].with_columns(pl.Series(WHY, [why[place] for place in chosen], pl.String))


def _tell_apart(outcomes: Outcomes) -> NDArray[np.bool_]:
    """A row a question, a column a pair of pipelines: whether one was right and the other was not."""
    first, second = np.triu_indices(outcomes.shape[1], 1)
    return np.abs(outcomes[:, first] - outcomes[:, second]) > 0.5


def _most_telling(
    differs: NDArray[np.bool_], candidates: NDArray[np.int64], chosen: Sequence[int], size: int
) -> list[int]:
    """Up to `size` candidates, each the one that tells pairs apart which the ones before tell least; ties in order."""
    left = [int(candidate) for candidate in candidates if int(candidate) not in set(chosen)]
    separated = differs[list(chosen)].sum(axis=0) if len(chosen) else np.zeros(differs.shape[1])
    picked, own = list[int](), differs[left].astype(float)
    taken = np.zeros(len(left), bool)
    for _ in range(min(max(size, 0), len(left))):
        gains = np.where(taken, -1.0, own @ (1 / (1 + separated)))
        best = int(gains.argmax())
        taken[best] = True
        separated = separated + own[best]
        picked.append(left[best])
    return picked
