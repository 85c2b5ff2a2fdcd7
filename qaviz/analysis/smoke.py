"""Which questions to ask with each commit: a small set that tells pipelines apart."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.analysis.criteria import CRITICAL, has_tag
from qaviz.analysis.outcomes import score_questions
from qaviz.model import columns as c

MOST_COMPARED = 20
"""Pipelines of runs, the newest first, whose answers say which questions tell pipelines apart."""
UNANSWERABLE_SHARE = 0.1
"""Of the set, at least, where the golden dataset has so many unanswerable questions."""
WHY = "why"

Outcomes = NDArray[np.float64]
"""A row a question, a column a pipeline: 1 right, 0 not, between them for repeats, NaN where nothing is known."""


def collect_outcomes(golden: pl.DataFrame, rows_of_runs: Sequence[pl.DataFrame]) -> Outcomes:
    """What each pipeline of these runs came to on each question, newest run first, at most MOST_COMPARED columns.

    Rows as `outcomes.tabulate` returns them; nothing is known of questions that no pipeline of a run answered.
    """
    columns = list[Outcomes]()
    for rows in rows_of_runs:
        rows = rows.with_columns(pl.col(c.QUESTION_ID, c.PIPELINE).cast(pl.String))
        names = rows[c.PIPELINE].unique(maintain_order=True).to_list()
        right = score_questions(rows, names, (), golden[c.QUESTION_ID]).values[c.VERDICT]
        there = golden[c.QUESTION_ID].is_in(rows[c.QUESTION_ID].implode()).to_numpy()
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
    first, second = np.triu_indices(outcomes.shape[1], 1)
    # A row a question, a column a pair of pipelines: whether one was right and the other was not.
    differs = np.abs(outcomes[:, first] - outcomes[:, second]) > 0.5
    unanswerable = (~golden[c.ANSWERABLE].fill_null(value=True)).to_numpy()
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
    turns = golden.select(c.CATEGORY).with_row_index("place")[left]
    turns = turns.sort(pl.int_range(pl.len()).over(c.CATEGORY), maintain_order=True)
    for place in turns["place"].to_list()[: size - len(why)]:
        why[place] = "drawn at random"
    chosen = sorted(why)
    return golden[chosen].with_columns(pl.Series(WHY, [why[place] for place in chosen], pl.String))


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
