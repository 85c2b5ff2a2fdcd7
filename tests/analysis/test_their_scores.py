"""Other tools' scores, beside qaviz's verdicts."""

import polars as pl

from qaviz.analysis.tables import compare_scores, describe_scores, their_scores
from tests.analysis.builders import figures_in

SCORES = pl.List(pl.Struct({"name": pl.String, "value": pl.Float64, "error": pl.String}))
ROWS = pl.DataFrame(
    {
        "question_id": ["1", "2", "3", "4"],
        "pipeline": ["A", "A", "A", "B"],
        "diagnosis": ["correct", "off target", "unscored", "correct"],
        "verdict": ["correct", "incorrect", "unsure", "correct"],
        "their_scores": [
            [{"name": "faith", "value": 1.0, "error": None}, {"name": "tone", "value": 4.0, "error": None}],
            [{"name": "faith", "value": 0.25, "error": None}],
            [{"name": "faith", "value": None, "error": "NaN"}],
            None,
        ],
    },
    schema_overrides={"their_scores": SCORES},
)


def test_each_score_has_its_row():
    """A score is a row with its response's verdict; one that is missing has its reason; no score, no row."""
    assert their_scores(ROWS).select("question_id", "score", "value", "why_not", "verdict").rows() == [
        ("1", "faith", 1.0, None, "correct"),
        ("1", "tone", 4.0, None, "correct"),
        ("2", "faith", 0.25, None, "incorrect"),
        ("3", "faith", None, "NaN", "unsure"),
    ]


def test_rows_of_an_earlier_release_have_none():
    """Rows without the column have no such scores, in the same columns."""
    empty = their_scores(ROWS.drop("their_scores"))
    assert empty.is_empty()
    assert empty.schema == their_scores(ROWS).schema


def test_a_mean_says_how_many_it_counts():
    """Means leave missing scores out and say so; by verdict they count only responses with that verdict."""
    faith, tone = describe_scores(compare_scores(their_scores(ROWS)))
    assert faith.startswith('faith, pipeline "A"')
    assert figures_in(faith) == ["0.625", "2", "1", "1", "1", "0.25", "1"]
    assert figures_in(tone) == ["4", "1", "4", "1"]
