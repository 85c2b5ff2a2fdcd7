"""Scores that FMEval gave, beside what qaviz knows of the responses."""

import polars as pl
from polars.testing import assert_frame_equal

from qaviz.model.columns import ANSWER, FACT, HIT_COLUMNS, RECALL_BESIDE_FACT, RESPONSE, SCORES, WARNINGS
from qaviz.scoring import keep_given, score

ROWS = pl.DataFrame(
    {
        ANSWER: ["It is in Seattle.", "Andy is.", "It is 12%."],
        FACT: ["Seattle", "Andy", "12%"],
        RESPONSE: ["In Seattle.", "Jeff", "It rose 112%."],
    }
)


def test_own_scores_given_back_change_nothing():
    """Where the rows bring what `score` computes, the result is what `score` returns, and nothing differs."""
    ours = score(ROWS)
    kept, otherwise = keep_given(ours)
    assert_frame_equal(kept, ours)
    assert otherwise.to_list() == ["", "", ""]


def test_given_scores_stay_and_what_differs_is_named():
    """Scores that qaviz would not give stay, and each row names them; hits, context recall and warnings are qaviz's."""
    ours = score(ROWS)
    given = ours.with_columns(
        pl.Series("f1_score", [0.25, *ours["f1_score"][1:]]),
        pl.Series("factual_knowledge", [0.0, *ours["factual_knowledge"][1:]]),
    ).drop(RECALL_BESIDE_FACT, *HIT_COLUMNS, WARNINGS)
    kept, otherwise = keep_given(given)
    assert kept.select("factual_knowledge", "f1_score").row(0) == (0.0, 0.25)
    assert otherwise.to_list() == ["factual_knowledge, f1_score", "", ""]
    own = [RECALL_BESIDE_FACT, *HIT_COLUMNS, WARNINGS]
    assert_frame_equal(kept.select(own), ours.select(own))


def test_a_missing_score_is_not_filled_in():
    """A null stays null with its reason, and is no difference."""
    reason = pl.lit("Model timed out").alias("unscored_answer")
    given = score(ROWS).with_columns(pl.lit(None, pl.Float64).alias("f1_score"), reason)
    kept, otherwise = keep_given(given)
    assert kept["f1_score"].null_count() == 3
    assert kept["unscored_answer"].to_list() == ["Model timed out"] * 3
    assert otherwise.to_list() == ["", "", ""]


def test_a_score_against_nothing_is_not_taken():
    """FMEval's 1.0 for a fact that says nothing is missing, with qaviz's reason."""
    rows = ROWS.with_columns(pl.lit("<OR>").alias(FACT))
    given = score(rows).with_columns(*(pl.lit(1.0).alias(name) for name in SCORES), pl.lit(None).alias("unscored_fact"))
    kept, _ = keep_given(given)
    assert kept["factual_knowledge"].null_count() == 3
    assert kept["unscored_fact"].to_list() == ["the triplet has no fact"] * 3
    assert kept["f1_score"].to_list() == [1.0] * 3
