"""A small set of questions to ask with each commit: critical, unanswerable, and those that told pipelines apart."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.analysis.comparison import question_scores
from qaviz.analysis.consistency import whole
from qaviz.analysis.criteria import CRITICAL, has_tag
from qaviz.model.columns import ANSWERABLE, CATEGORY, PIPELINE, QUESTION_ID, VERDICT

MOST_COMPARED = 20
"""Pipelines of runs, the newest first, whose answers say which questions tell pipelines apart."""
UNANSWERABLE_SHARE = 0.1
"""Of the set, at least, where the golden dataset has so many unanswerable questions."""
WHY = "why"

Outcomes = NDArray[np.float64]
"""A row a question, a column a pipeline: 1 right, 0 not, between them for repeats, NaN where nothing is known."""


def collect_outcomes(golden: pl.DataFrame, rows_of_runs: Sequence[pl.DataFrame]) -> Outcomes:
    """What each pipeline of these runs came to on each question, newest run first, at most MOST_COMPARED columns.

    `rows_of_runs` hold QUESTION_ID, PIPELINE, VERDICT, and REPEAT_OF where there are repeats.
    """
    columns = list[Outcomes]()
    for rows in map(whole, rows_of_runs):
        rows = rows.with_columns(pl.col(QUESTION_ID, PIPELINE).cast(pl.String))
        scores = question_scores(rows, rows[PIPELINE].unique(maintain_order=True).to_list(), (VERDICT,))
        known = pl.DataFrame({QUESTION_ID: scores.question_ids, "row": range(len(scores.question_ids))})
        places = golden.select(QUESTION_ID).join(known, on=QUESTION_ID, how="left", maintain_order="left")["row"]
        found = places.is_not_null().to_numpy()
        own = np.full((golden.height, len(scores.pipelines)), np.nan)
        own[found] = scores.values[VERDICT][places.drop_nulls().to_numpy()]
        columns += list(own.T)
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
    for place in _in_turn(golden, [int(each) for each in order if int(each) not in why])[: size - len(why)]:
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
    left = [int(each) for each in candidates if int(each) not in set(chosen)]
    told = differs[list(chosen)].sum(axis=0) if len(chosen) else np.zeros(differs.shape[1])
    found, own = list[int](), differs[left].astype(float)
    taken = np.zeros(len(left), bool)
    for _ in range(min(max(size, 0), len(left))):
        gains = np.where(taken, -1.0, own @ (1 / (1 + told)))
        best = int(gains.argmax())
        taken[best] = True
        told = told + own[best]
        found.append(left[best])
    return found


def _in_turn(golden: pl.DataFrame, places: Sequence[int]) -> list[int]:
    """The places in an order that takes one of each category, then the second of each, and so on."""
    table = pl.DataFrame(
        {"place": places, CATEGORY: golden[CATEGORY][list(places)]}, schema_overrides={"place": pl.Int64}
    )
    return table.sort(pl.int_range(pl.len()).over(CATEGORY), maintain_order=True)["place"].to_list()
