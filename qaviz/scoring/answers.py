"""QA Accuracy and context recall by column."""

import polars as pl

from qaviz.model import (
    ANSWER,
    CONTEXT_RECALL,
    EXACT_MATCH,
    F1,
    FACT,
    OR_DELIMITER,
    PRECISION,
    QUASI_EXACT_MATCH,
    RECALL,
)
from qaviz.scoring import forms
from qaviz.scoring.facts import TRIPLET, UNIT, split_facts

_SCORED = (RECALL, PRECISION, F1, EXACT_MATCH, QUASI_EXACT_MATCH, CONTEXT_RECALL)


def answer_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of each answer, ready to compare with responses.

    Takes triplet, answer, fact (null where unscored). Returns triplet, golden_stripped, golden_normal, golden_words
    (distinct) and golden_others: the words that are not the fact's, null without a fact. Null answers are left out.
    """
    answered = golden.drop_nulls(ANSWER).select(TRIPLET, pl.col(ANSWER).str.split(OR_DELIMITER)).explode(ANSWER)
    normal = forms.normal(forms.lower(answered[ANSWER]))
    return (
        answered.select(
            TRIPLET,
            golden_stripped=forms.strip(answered[ANSWER]),
            golden_normal=normal,
            golden_words=forms.words(normal).list.unique(maintain_order=True).list.set_difference([""]),
        )
        .join(_fact_words(golden), on=TRIPLET, how="left", maintain_order="left")
        .with_columns(golden_others=pl.col("golden_words").list.set_difference("fact_words"))
        .drop("fact_words")
    )


def _fact_words(golden: pl.DataFrame) -> pl.DataFrame:
    """Return triplet and fact_words, all words of all variants of the fact."""
    variants = split_facts(golden)
    words = variants.select(TRIPLET, fact_words=forms.words(forms.normal(forms.lower(variants[FACT]))))
    return words.explode("fact_words").group_by(TRIPLET, maintain_order=True).agg("fact_words")


def answer_scores(responses: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Return unit and the scores against the answer, for each the best over the answer's variants.

    Takes responses (unit, triplet, stripped, normal, words) and what `answer_variants` returned. `context_recall` is
    null where no variant has words other than the fact's.
    """
    pairs = responses.join(variants, on=TRIPLET, maintain_order="left").with_columns(
        shared=pl.col("golden_words").list.set_intersection("words")
    )
    shared, others = pl.col("shared").list.len(), pl.col("golden_others").list.len()
    compared = pairs.select(
        UNIT,
        _ratio(shared, pl.col("golden_words").list.len()).alias(RECALL),
        _ratio(shared, pl.col("words").list.n_unique() - 1).alias(PRECISION),  # one of them is the empty text
        (pl.col("stripped") == pl.col("golden_stripped")).cast(pl.Float64).alias(EXACT_MATCH),
        (pl.col("normal") == pl.col("golden_normal")).cast(pl.Float64).alias(QUASI_EXACT_MATCH),
        pl.when(others > 0)
        .then(pl.col("golden_others").list.set_intersection("shared").list.len() / others)
        .alias(CONTEXT_RECALL),
    ).with_columns(_f_measure(pl.col(PRECISION), pl.col(RECALL)).alias(F1))
    return compared.group_by(UNIT, maintain_order=True).agg(pl.col(_SCORED).max())


def _ratio(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    """As `definition.ratio`."""
    return pl.when(whole > 0).then(part / whole).otherwise(0.0)


def _f_measure(precision: pl.Expr, recall: pl.Expr) -> pl.Expr:
    """As `definition.f_measure`."""
    return pl.when(precision > 0).then(1.0 / (0.5 / precision + 0.5 / recall)).otherwise(0.0)
