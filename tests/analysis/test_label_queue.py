"""Which responses are offered for labels: those that would change the decision, and a random part."""

import polars as pl
import pytest

from qaviz.analysis.decision import decide
from qaviz.analysis.labels import (
    MOST_DECIDING,
    PLACE,
    find_contenders,
    label_queue,
    mark_sampled,
    random_order,
    rank_deciding,
)
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from tests.analysis.test_decision import golden_of, rows_of

VERDICTS = {"1": "correct", "0": "incorrect", "?": "unsure"}


def table_of(**marks: str) -> pl.DataFrame:
    """A row a response from a picture: `1`, `0` or `?`, each with its confidence in tenths, as in `19 05 ?3`."""
    rows = [(name, VERDICTS[mark[0]], int(mark[1]) / 10) for name, line in marks.items() for mark in line.split()]
    return pl.DataFrame(rows, schema=[PIPELINE, VERDICT, CONFIDENCE], orient="row")


@pytest.mark.parametrize(
    ("marks", "contenders", "first"),
    [
        pytest.param({"A": "19 18 15", "B": "19 19 09"}, ["B"], [("A", 2)], id="low confidence before high"),
        pytest.param(
            {"A": "19 19 ?3", "B": "19 16 09"}, ["B"], [("A", 2), ("B", 1)], id="unsure before a sure verdict"
        ),
        pytest.param(
            {"A": "19 15 19", "B": "19 15 09", "C": "15 09 09"},
            ["B", "C"],
            [("A", 1), ("B", 1), ("C", 0)],
            id="the leader's before a contender's, a near contender's before a far one's",
        ),
        pytest.param({"A": "19 18", "B": "19 18", "C": "?1 ?1"}, ["B"], [("A", 1), ("B", 1)], id="others never"),
        pytest.param({"A": "19 ?1 08"}, [], [("A", 1), ("A", 2)], id="one pipeline"),
    ],
)
def test_what_would_change_the_decision_comes_first(marks, contenders, first):
    """Responses of the leader and its contenders stand by how far their label is expected to move the difference."""
    rows = table_of(**marks)
    of_pipeline = rows.with_columns(pl.int_range(pl.len()).over(PIPELINE).alias("nth"))

    ranked = rank_deciding(rows, "A", contenders)

    places = ranked[PLACE].to_list()
    assert of_pipeline[places].select(PIPELINE, "nth").rows()[: len(first)] == first
    assert set(rows[places][PIPELINE]) == {"A", *contenders}
    assert ranked["gain"].is_sorted(descending=True)


def test_the_queue_alternates_and_only_its_random_part_corrects_shares():
    """Every second response is the next of the run's random order; labels of the others never count as a sample."""
    rows = rows_of(dict.fromkeys("ABCDE", "1?0" * 40))
    decision = decide(rows, golden_of(120))
    queue = label_queue(rows, decision.subject, find_contenders(decision.ranking))

    assert queue[PLACE].sort().to_list() == list(range(rows.height))
    assert queue.head(2 * MOST_DECIDING)["drawn"].sum() >= MOST_DECIDING - 1
    concerned = [decision.subject, *find_contenders(decision.ranking)]
    assert set(rows[queue[PLACE].head(60)][PIPELINE]) <= set(concerned)

    asked = queue.head(40)
    labels = (
        rows[asked[PLACE]]
        .select(QUESTION_ID, PIPELINE, pl.lit("correct").alias(LABEL))
        .with_columns(
            pl.lit("Kim").alias("labelled_by"),
            pl.int_range(pl.len()).cast(pl.String).alias("labelled_at"),
            asked["drawn"],
        )
    )
    sampled = mark_sampled(labels, rows)["sampled"]
    earliest = [place for place in random_order(rows.height) if rows[PIPELINE][place] in concerned]
    drawn = set(asked.filter("drawn")[PLACE])
    assert drawn <= set(earliest[: asked.filter(sampled).height])
    assert sampled.sum() < asked.height
    assert sampled.filter(asked["drawn"]).all()


def test_contenders_are_those_that_the_decision_is_not_settled_against():
    """Where it is settled against all others, the best of them is the contender; one pipeline has none."""
    good, poor = "1" * 38 + "00", "1" * 10 + "0" * 30
    between = decide(rows_of({"A": good, "B": "1" * 36 + "0000", "C": poor}), golden_of(40))
    settled = decide(rows_of({"A": good, "C": poor}), golden_of(40))
    alone = decide(rows_of({"A": good}), golden_of(40))

    assert [find_contenders(each.ranking) for each in (between, settled, alone)] == [["B"], ["C"], []]
