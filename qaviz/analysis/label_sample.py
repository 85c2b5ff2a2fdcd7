"""Which labels are a random sample of a run's responses: only those may correct its shares.

A run has one random order of its responses. Labels that a person gave one by one count as far as they are, pipeline by
pipeline, the first responses of that order, up to the last one that was offered at random: whoever labels what looks
interesting, or what would change the decision, draws no sample. Labels that came together, as from a file, count as the
sample that they were drawn as.
"""

import numpy as np
import polars as pl

from qaviz.analysis.right_answers import SAMPLED
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.store.labels import DRAWN, LABELLED_AT, LABELLED_BY

SEED = 20230630

_PAIR = [QUESTION_ID, PIPELINE]


def random_order(responses: int) -> pl.Series:
    """The places of a run's responses in its random order: the same each time."""
    return pl.Series(np.random.default_rng(SEED).permutation(responses)).cast(pl.UInt32)


def mark_sampled(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Labels as `store.kept_labels` returns them, with SAMPLED; `rows` are all of the run, in its order."""
    if labels.is_empty():
        return labels.with_columns(pl.lit(value=False).alias(SAMPLED))
    together = pl.len().over(LABELLED_BY, LABELLED_AT) > 1
    first = _first_of_order(labels, rows)
    found = labels.with_columns(together.alias("together")).join(first, on=_PAIR, how="left", maintain_order="left")
    return found.with_columns((pl.col("together") | pl.col("first").fill_null(False)).alias(SAMPLED)).select(
        *labels.columns, SAMPLED
    )


def _first_of_order(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The labelled responses before which, in the random order, every response of their pipeline is labelled.

    After the last one that was offered at random none counts, unless all of the pipeline are labelled: that a label
    given for another reason stands next in the order says nothing of the others.
    """
    in_order = rows.select(pl.col(_PAIR).cast(pl.String))[random_order(rows.height)]
    labelled = labels.group_by(_PAIR).agg(pl.col(DRAWN).fill_null(True).any())
    known = in_order.join(labelled, on=_PAIR, how="left", maintain_order="left")
    unbroken = pl.col(DRAWN).is_not_null().cast(pl.Int8).cum_min().over(PIPELINE) == 1
    offered_later = (unbroken & pl.col(DRAWN)).cast(pl.Int8).reverse().cum_max().reverse().over(PIPELINE) == 1
    complete = pl.col(DRAWN).is_not_null().all().over(PIPELINE)
    counted = known.filter(unbroken & (offered_later | complete))
    return counted.select(*_PAIR, pl.lit(value=True).alias("first"))
