"""A percentage with the direction that the question asks for, and what is no percentage."""

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.model.columns import VERDICT
from qaviz.scoring import score


@pytest.mark.parametrize(
    ("question", "response", "verdict"),
    [
        ("How much did revenue grow?", "Revenue fell 12%.", "incorrect"),
        ("How much did revenue grow?", "Revenue rose by 12%.", "correct"),
        ("How much did revenue grow?", "12%", "correct"),
        ("How much did revenue fall?", "Revenue rose 12%.", "incorrect"),
        ("How much did revenue fall?", "Revenue fell 12%.", "correct"),
        ("By how much did costs fall or rise?", "They fell 12%.", "correct"),
        ("What share of revenue is advertising?", "12 million dollars", "incorrect"),
        ("What share of revenue is advertising?", "12% of it, 37 million dollars", "correct"),
    ],
)
def test_a_percentage_goes_the_way_that_is_asked_for(question: str, response: str, verdict: str):
    """Up for down is incorrect, where the question names one direction; an amount of that number is no percentage."""
    row = {"question_id": "1", "pipeline": "P", "question": question, "answer": "12%", "fact": "12%"}
    rows = pl.DataFrame([row | {"response": response, "answerable": None}], schema_overrides={"answerable": pl.Boolean})
    assert diagnose(score(rows))[VERDICT].to_list() == [verdict]
