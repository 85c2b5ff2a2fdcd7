"""QA Accuracy and context recall by column."""

import polars as pl

from qaviz.model.columns import (
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
from qaviz.scoring.facts import split_facts
from qaviz.scoring.scoring_items import TRIPLET, UNIT

_SCORED = (RECALL, PRECISION, F1, EXACT_MATCH, QUASI_EXACT_MATCH, CONTEXT_RECALL)


def answer_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of each answer, ready to compare with responses.

    Takes triplet, answer, fact (null where unscored). Returns triplet, golden_stripped, golden_normal, golden_words
    (distinct, the empty text among them) and golden_others: the words that are not the fact's, null without a fact.
    Null answers are left out.
    """
    answered = golden.drop_nulls(ANSWER).select(TRIPLET, pl.col(ANSWER).str.split(OR_DELIMITER)).explode(ANSWER)
    normal = forms.normal(forms.lower(answered[ANSWER]))
    variants = answered.select(
        TRIPLET,
        golden_stripped=forms.strip(answered[ANSWER]),
        golden_normal=normal,
        golden_words=forms.words(normal).list.unique(),
    ).with_row_index("variant")
    return variants.join(_others(variants, split_facts(golden)), on="variant", how="left", maintain_order="left")


def _others(variants: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    """Return variant and golden_others of the variants whose triplets have a fact.

    By joins: an answer and a fact of 10,000 variants each would make 100,000,000 pairs of words.
    """
    words = facts.select(TRIPLET, word=forms.words(forms.normal(forms.lower(facts[FACT])))).explode("word")
    with_fact = variants.join(facts, on=TRIPLET, how="semi").select("variant", TRIPLET, word="golden_words")
    others = with_fact.explode("word").join(words, on=[TRIPLET, "word"], how="anti")
    grouped = others.group_by("variant").agg(golden_others="word")
    none = pl.lit([], dtype=pl.List(pl.String))
    return (
        with_fact.select("variant")
        .join(grouped, on="variant", how="left")
        .with_columns(pl.col("golden_others").fill_null(none))
    )


def answer_scores(responses: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Return unit and the scores against the answer, for each the best over the answer's variants.

    Takes responses (unit, triplet, stripped, normal, words) and what `answer_variants` returned. `context_recall` is
    null where no variant has words other than the fact's.
    """
    pairs = responses.lazy().join(variants.lazy(), on=TRIPLET, maintain_order="left")
    shared = pairs.with_columns(shared=pl.col("golden_words").list.set_intersection("words"))
    # Each list of words but golden_others holds the empty text once, or counts it once.
    counted = shared.with_columns(
        in_both=pl.col("shared").list.len() - 1,
        in_golden=pl.col("golden_words").list.len() - 1,
        in_response=pl.col("words").list.n_unique() - 1,
        others_in_both=pl.col("golden_others").list.set_intersection("shared").list.len(),
        others=pl.col("golden_others").list.len(),
    )
    compared = counted.select(
        UNIT,
        _ratio("in_both", "in_golden").alias(RECALL),
        _ratio("in_both", "in_response").alias(PRECISION),
        (pl.col("stripped") == pl.col("golden_stripped")).cast(pl.Float64).alias(EXACT_MATCH),
        (pl.col("normal") == pl.col("golden_normal")).cast(pl.Float64).alias(QUASI_EXACT_MATCH),
        pl.when(pl.col("others") > 0).then(pl.col("others_in_both") / pl.col("others")).alias(CONTEXT_RECALL),
    ).with_columns(_f_measure(pl.col(PRECISION), pl.col(RECALL)).alias(F1))
    return compared.group_by(UNIT, maintain_order=True).agg(pl.col(_SCORED).max()).collect()


def _ratio(part: str, whole: str) -> pl.Expr:
    """As `definition.ratio`."""
    return pl.when(pl.col(whole) > 0).then(pl.col(part) / pl.col(whole)).otherwise(0.0)


def _f_measure(precision: pl.Expr, recall: pl.Expr) -> pl.Expr:
    """As `definition.f_measure`."""
    return pl.when(precision > 0).then(1.0 / (0.5 / precision + 0.5 / recall)).otherwise(0.0)
