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
    variants = answered.select(
        TRIPLET,
        golden_stripped=forms.strip(answered[ANSWER]),
        golden_normal=normal,
        golden_words=forms.words(normal).list.unique(maintain_order=True).list.set_difference([""]),
    ).with_row_index("variant")
    return variants.join(_others(variants, golden), on="variant", how="left", maintain_order="left").drop("variant")


def _others(variants: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """Return variant and golden_others, for the variants of triplets with a fact.

    By joins: an answer and a fact of 10,000 variants each would make 100,000,000 pairs of words.
    """
    facts = split_facts(golden)
    words = facts.select(TRIPLET, golden_words=forms.words(forms.normal(forms.lower(facts[FACT])))).explode(
        "golden_words"
    )
    with_fact = variants.join(facts, on=TRIPLET, how="semi", maintain_order="left").select(
        "variant", TRIPLET, "golden_words"
    )
    others = with_fact.explode("golden_words").join(
        words, on=[TRIPLET, "golden_words"], how="anti", maintain_order="left"
    )
    grouped = others.group_by("variant", maintain_order=True).agg(golden_others="golden_words")
    return (
        with_fact.select("variant")
        .join(grouped, on="variant", how="left", maintain_order="left")
        .with_columns(pl.col("golden_others").fill_null([]))
    )


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
