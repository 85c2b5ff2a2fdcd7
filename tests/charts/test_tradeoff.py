"""Quality beside time and cost, and the questions that a pipeline lacks."""

import polars as pl
import pytest

from qaviz.analysis.criteria import WHY, lacking
from qaviz.analysis.tables import NO_RESPONSE
from qaviz.charts import QUALITY, efforts, tradeoff, tradeoff_chart
from qaviz.model.columns import COST, FACTUAL_KNOWLEDGE, LATENCY_MS, RECALL, UNSCORED_ANSWER, UNSCORED_FACT, VERDICT
from tests.analysis.builders import matrix_rows, response_row, response_rows, settled_rows
from tests.builders import golden_table


def measured(pipelines):
    """Rows of pipelines: their facts as a picture, and the time and cost of each of their responses."""
    pictures = {name: picture for name, (picture, _, _) in pipelines.items()}
    taken = pl.DataFrame(
        [(name, latency, cost) for name, (_, latency, cost) in pipelines.items()],
        schema={"pipeline": pl.String, LATENCY_MS: pl.Float64, COST: pl.Float64},
        orient="row",
    )
    return matrix_rows(pictures).join(taken, on="pipeline", maintain_order="left")


FOUR = {
    "slow and good": ("1110", 900, 0.02),
    "quick and poor": ("1000", 100, 0.01),
    "slow and poor": ("1000", 900, 0.02),
    "as good, dearer": ("1110", 900, 0.03),
}


def test_the_front_is_whom_nobody_beats():
    """A pipeline is on the front unless another is at least as good, quick and cheap and better in one of them."""
    table = tradeoff(settled_rows(measured(FOUR)), list(FOUR), FACTUAL_KNOWLEDGE)

    assert table["front"].to_list() == [True, True, False, False]
    assert table[QUALITY].to_list() == [0.75, 0.25, 0.25, 0.75]
    assert table.select(LATENCY_MS, f"{LATENCY_MS}_n", COST).row(1) == (100, 4, 0.01)


def test_equal_pipelines_are_both_on_the_front():
    """Nobody is beaten by somebody who is the same."""
    same = {"A": ("10", 5, 1), "B": ("01", 5, 1)}

    assert tradeoff(settled_rows(measured(same)), list(same), FACTUAL_KNOWLEDGE)["front"].to_list() == [True, True]


def test_what_is_not_known_is_not_judged():
    """A pipeline without a time, or without a score, is neither on the front nor behind it, and nothing counts as 0."""
    pipelines = {"A": ("10", 5, 1), "untimed": ("11", None, 1), "unscored": ("--", 1, 1)}
    table = tradeoff(settled_rows(measured(pipelines)), [*pipelines, "silent"], FACTUAL_KNOWLEDGE)

    assert table["front"].to_list() == [True, None, None, None]
    assert table[LATENCY_MS].to_list() == [5, None, 1, None]


def test_without_efforts_there_is_no_front():
    """Responses that carry neither time nor cost have no such table columns and no front."""
    rows = matrix_rows({"A": "10"})

    assert efforts(rows) == []
    assert tradeoff(settled_rows(rows), ["A"], FACTUAL_KNOWLEDGE).columns == [
        "pipeline",
        QUALITY,
        f"{QUALITY}_n",
        "front",
    ]
    assert tradeoff(settled_rows(rows), ["A"], FACTUAL_KNOWLEDGE)["front"].to_list() == [None]


def test_the_chart_draws_the_front_of_its_own_axis():
    """The dotted line joins who is best for the effort on the axis; each pipeline is a mark under its own name."""
    figure = tradeoff_chart(
        tradeoff(settled_rows(measured(FOUR)), list(FOUR), FACTUAL_KNOWLEDGE), LATENCY_MS, "Facts stated"
    )

    front, *marks = figure.data
    assert list(zip(front.x, front.y, strict=True)) == [(100, 0.25), (900, 0.75), (900, 0.75)]
    assert [mark.name for mark in marks] == list(FOUR)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        pytest.param(
            FACTUAL_KNOWLEDGE,
            [("1", "B", NO_RESPONSE), ("2", "A", "No words."), ("2", "B", NO_RESPONSE)],
            id="the triplet without a fact is not expected",
        ),
        pytest.param(
            RECALL, [("1", "B", NO_RESPONSE), ("3", "A", "No answer."), ("3", "B", NO_RESPONSE)], id="closeness"
        ),
        pytest.param(
            VERDICT, [("1", "B", NO_RESPONSE), ("2", "B", NO_RESPONSE), ("3", "B", NO_RESPONSE)], id="by diagnosis"
        ),
    ],
)
def test_what_a_pipeline_lacks_is_named(metric, expected):
    """Each expected question without a score is named with its pipeline and why, whichever way it is missing."""
    golden = golden_table([{"fact": "x", "answer": "x"}, {"fact": "y"}, {"answer": "z"}])
    rows = response_rows(
        [
            response_row("1", "A"),
            response_row("2", "A", None, **{UNSCORED_FACT: "No words.", RECALL: None}),
            response_row("3", "A", None, **{RECALL: None}),
        ]
    ).with_columns(pl.lit("No answer.").alias(UNSCORED_ANSWER), pl.lit("why").alias("reason"))

    assert lacking(rows, golden, ["A", "B"], metric).select("question_id", "pipeline", WHY).rows() == expected
