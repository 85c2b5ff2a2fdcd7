"""Word scores of a response without the restated question and citations."""

import polars as pl
import pytest

from qaviz.model.columns import ANSWER, F1, FACT, PRECISION, QUASI_EXACT_MATCH, QUESTION, RECALL, RESPONSE
from qaviz.scoring import score
from qaviz.scoring.normalised import NORMALISED, answer_alone, normalised_scores
from tests.cases import read_cases
from tests.scoring.hostile import hostile_rows

FORM = "What form do complex Gaussian integers have?"
CASES = read_cases(__file__, "restated")


@pytest.mark.parametrize(("question", "answer", "response", "alone"), CASES, ids=[case[2] or "empty" for case in CASES])
def test_the_answer_stands_alone(question: str, answer: str, response: str, alone: str):
    """Citations go, and what restates the question at the begin or end; a response that is nothing else stays."""
    assert answer_alone(question, answer, response) == alone


def test_a_right_answer_that_restates_the_question_scores_one():
    """FMEval gives the sentence a low precision; without its restatement all scores of the answer are 1."""
    row = pl.DataFrame({QUESTION: [FORM], ANSWER: ["a + bi"], FACT: [None], RESPONSE: [CASES[0][2]]})
    row = row.with_columns(pl.col(FACT).cast(pl.String))
    fmeval, ours = score(row).row(0, named=True), normalised_scores(row).row(0, named=True)

    assert fmeval[F1] < 0.4
    assert [ours[NORMALISED[name]] for name in (PRECISION, RECALL, F1, QUASI_EXACT_MATCH)] == [1, 1, 1, 1]


def test_normalised_scores_never_fall():
    """On a thousand hostile texts recall, precision and F1 are at least FMEval's."""
    rows = hostile_rows(1_000, seed=5).with_columns(pl.col(ANSWER).alias(QUESTION))
    both = score(rows).hstack(normalised_scores(rows))

    assert (both[NORMALISED[F1]] > both[F1]).sum() > 5
    for name in (RECALL, PRECISION, F1):
        assert both.filter(pl.col(NORMALISED[name]) < pl.col(name)).select(ANSWER, RESPONSE).to_dicts() == []


def test_where_fmeval_has_no_score_there_is_none():
    """Without a golden answer the normalised scores are missing too."""
    row = pl.DataFrame({QUESTION: ["Who?"], ANSWER: [None], FACT: ["x"], RESPONSE: ["y"]})
    scores = normalised_scores(row.with_columns(pl.col(ANSWER).cast(pl.String)))

    assert scores.row(0) == (None,) * len(NORMALISED)
