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
_PLACE, _TOLD, _RANK = "place", "told", "rank"

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
    told most pairs of pipelines apart; what is left is drawn at random, from each category in turn. The same seed
    chooses the same questions.
    """
    first, second = np.triu_indices(outcomes.shape[1], 1)
    # Of each question: how many pairs of pipelines have one that was right and one that was not.
    telling = (np.abs(outcomes[:, first] - outcomes[:, second]) > 0.5).sum(axis=1)
    shuffled = golden.with_row_index(_PLACE).with_columns(pl.Series(_TOLD, telling))
    shuffled = shuffled[np.random.default_rng(seed).permutation(golden.height)]
    shuffled = shuffled.sort(_TOLD, descending=True, maintain_order=True)
    unanswerable = ~pl.col(c.ANSWERABLE).fill_null(value=True)
    reserved = max(1, round(size * UNANSWERABLE_SHARE))
    kinds = [unanswerable & (unanswerable.cum_sum() <= reserved), has_tag(CRITICAL), pl.col(_TOLD) > 0]
    words = (
        pl.lit("unanswerable"),
        pl.lit("critical"),
        pl.format(f"told {{}} of {len(first):,} pairs of pipelines apart", _TOLD),
    )
    why = [pl.when(holds).then(says) for holds, says in zip(kinds, words, strict=True)]
    rank = [pl.when(holds).then(place) for place, holds in enumerate(kinds)]
    ranked = shuffled.with_columns(
        pl.coalesce(*why, pl.lit("drawn at random")).alias(WHY), pl.coalesce(*rank, len(kinds)).alias(_RANK)
    )
    # One of each category, then the second of each, and so on.
    turn = pl.when(pl.col(_RANK) == len(kinds)).then(pl.int_range(pl.len()).over(_RANK, c.CATEGORY)).otherwise(0)
    return ranked.sort(_RANK, turn, maintain_order=True).head(size).sort(_PLACE).select(*golden.columns, WHY)
