"""Scores that FMEval itself gave, beside what only qaviz knows of a response."""

import polars as pl

from qaviz.model.columns import ANSWER_SCORES, FACT_SCORES, SCORES, UNSCORED_ANSWER, UNSCORED_FACT
from qaviz.model.records import Progress
from qaviz.scoring.table import score

SAME_WITHIN = 1e-9
"""Distance up to which two scores are the same. Scores of different counts of words are further apart."""

_GROUPS = ((UNSCORED_FACT, FACT_SCORES), (UNSCORED_ANSWER, ANSWER_SCORES))


def keep_given(rows: pl.DataFrame, progress: Progress | None = None) -> tuple[pl.DataFrame, pl.Series]:
    """Return what `score` returns with the rows' own SCORES, and for each row which of them qaviz computes otherwise.

    The rows bring `unscored_fact` and `unscored_answer` too; hits, `context_recall` and warnings are qaviz's. What
    `score` has a reason not to score stays missing: FMEval gives 1.0 for a fact that says nothing. The names of the
    differing scores are one text a row, empty where there is none.
    """
    ours = score(rows, progress)
    kept = [pl.when(ours[why].is_null()).then(rows[name]).alias(name) for why, names in _GROUPS for name in names]
    scored = ours.with_columns(*kept, *(pl.coalesce(ours[why], rows[why]).alias(why) for why, _ in _GROUPS))
    apart = [pl.when((scored[name] - ours[name]).abs() > SAME_WITHIN).then(pl.lit(name)) for name in SCORES]
    return scored, scored.select(pl.concat_list(apart).list.drop_nulls().list.join(", ")).to_series()
