"""Where people's labels would put the thresholds, and what each value of one is worth."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.diagnosis.agreement import SEED, Counts, Estimate, check_labels, counts_as, estimate, resample_questions
from qaviz.diagnosis.judging import verdicts
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.model.records import Thresholds

ACCURACY = "accuracy"
STEPS = tuple(round(step / 20, 2) for step in range(21))
"""The values that a proposal tries for a threshold: 0, 0.05, ..., 1."""
OF_DOUBT = ("unsure_below", "open_below")
"""Thresholds that no proposal moves: they say how much doubt a person wants to be told, not what is right."""
FOLDS = 5


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """Thresholds that agree best with people's labels, and what that is worth on questions it has not seen."""

    thresholds: Thresholds
    """Chosen on all labels."""
    gain: Estimate
    """Gain in accuracy over the present thresholds, on questions kept out of the choice."""
    responses: int
    questions: int
    folds: int


def propose(gathered: pl.DataFrame, labels: pl.DataFrame, present: Thresholds) -> Proposal | None:
    """Return the thresholds that labels propose, None with fewer labelled questions than folds.

    Cross-validated over questions: the labelled questions are dealt into `FOLDS` parts; for each part thresholds are
    chosen on the others and compared on it with the present ones. The interval resamples whole questions. Thresholds
    are moved one at a time, each to its best step, and stay where nothing is better. Raises QavizError as `agreement`.
    """
    labelled = _join_labels(gathered, labels)
    questions = labelled[QUESTION_ID].unique(maintain_order=True).to_list()
    if len(questions) < FOLDS:
        return None
    dealt = np.random.default_rng(SEED).permutation(len(questions)) % FOLDS
    fold = dict(zip(questions, dealt.tolist(), strict=True))
    agrees = cache(lambda thresholds: _agrees(labelled, thresholds))
    parts = np.array([fold[question] for question in labelled[QUESTION_ID]])
    gains = np.concatenate([_gain(labelled, agrees, parts == part, present) for part in range(FOLDS)])
    return Proposal(
        thresholds=_best(agrees, parts >= 0, present),
        gain=estimate(_share(gains.sum(axis=0)), _share(resample_questions(gains))),
        responses=labelled.height,
        questions=len(questions),
        folds=FOLDS,
    )


def accuracies(
    gathered: pl.DataFrame, labels: pl.DataFrame, thresholds: Thresholds, name: str, values: Sequence[float] = STEPS
) -> pl.DataFrame:
    """Return how verdicts agree with labels when one threshold moves: one row a value, columns `name` and ACCURACY."""
    labelled = _join_labels(gathered, labels)
    moved = [_agrees(labelled, replace(thresholds, **{name: value})) for value in values]
    return pl.DataFrame({name: list(values), ACCURACY: [float(agrees.mean()) for agrees in moved]})


def _join_labels(gathered: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    check_labels(labels)
    known = labels.select(QUESTION_ID, PIPELINE, LABEL).unique()
    return gathered.drop(LABEL, strict=False).join(known, on=[QUESTION_ID, PIPELINE], maintain_order="left")


Rows = NDArray[np.bool_]
"""Of each labelled response whether it is meant, or whether its verdict is the label."""
Agrees = Callable[[Thresholds], Rows]


def _gain(labelled: pl.DataFrame, agrees: Agrees, part: Rows, present: Thresholds) -> Counts:
    """Return, for each question of one part, responses won with thresholds chosen on the others, and responses."""
    chosen = _best(agrees, ~part, present)
    won = agrees(chosen)[part].astype(np.int64) - agrees(present)[part]
    kept = labelled.filter(part).select(QUESTION_ID, pl.Series("won", won))
    by_question = kept.group_by(QUESTION_ID, maintain_order=True).agg(pl.sum("won"), pl.len())
    return by_question.drop(QUESTION_ID).to_numpy().astype(np.float64)


def _share(won: Counts) -> Counts:
    return np.asarray(won[..., 0] / won[..., 1], np.float64)


def _agrees(labelled: pl.DataFrame, thresholds: Thresholds) -> Rows:
    """Return whether the verdict, without doubt taken into account, is the label: `judge` without the reasons."""
    leaning = verdicts(labelled, replace(thresholds, unsure_below=0.0))
    return (leaning.replace(counts_as(labelled)) == labelled[LABEL]).to_numpy()


def _best(agrees: Agrees, rows: Rows, present: Thresholds) -> Thresholds:
    """Return the thresholds that agree most on these rows, reached from the present ones."""
    best, agreed = present, int(agrees(present)[rows].sum())
    for name, value in _list_moves(present):
        tried = replace(best, **{name: value})
        if (count := int(agrees(tried)[rows].sum())) > agreed:
            best, agreed = tried, count
    return best


def _list_moves(present: Thresholds) -> Iterator[tuple[str, float]]:
    """Yield every threshold but those OF_DOUBT with every step, the nearest first, so that ties move it least."""
    for field in fields(present):
        if field.name in OF_DOUBT:
            continue
        away = np.abs(np.subtract(STEPS, getattr(present, field.name)))
        for step in np.argsort(away, kind="stable"):
            yield field.name, STEPS[step]
