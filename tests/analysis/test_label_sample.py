"""Which labels are a random sample: those of the run's random order, and those that came together."""

import numpy as np
import polars as pl
import pytest

from qaviz.analysis.judges import correct_shares
from qaviz.analysis.labels import find_correcting, mark_sampled, random_order
from qaviz.analysis.right_answers import settle
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, RESPONSE, VERDICT

ROWS = pl.DataFrame(
    {
        QUESTION_ID: [str(n) for n in range(20)] * 2,
        PIPELINE: ["A"] * 20 + ["B"] * 20,
        VERDICT: ["correct", "incorrect"] * 20,
        RESPONSE: ["text"] * 40,
    }
)


def given(places, by="Kim", together=False, drawn=None, rows=ROWS):
    """Labels of the responses at these places of ROWS, as the store returns them."""
    whens = ["2026-01-01"] * len(places) if together else [f"2026-01-{day:02}" for day in range(1, len(places) + 1)]
    return rows.select(QUESTION_ID, PIPELINE)[places].with_columns(
        pl.lit("correct").alias(LABEL),
        pl.lit(by).alias("labelled_by"),
        pl.Series("labelled_at", whens, pl.String),
        pl.lit(drawn, pl.Boolean).alias("drawn"),
    )


def test_labels_in_the_random_order_are_a_sample():
    """Who labels the first responses of the run's random order draws a sample, whoever labels on does not break it."""
    order = random_order(ROWS.height).to_list()

    assert mark_sampled(given(order[:6]), ROWS)["sampled"].all()


def test_labels_picked_by_hand_are_none():
    """A label beyond a gap in its pipeline's random order was picked, and corrects no share."""
    order = random_order(ROWS.height).to_list()
    of_a = [place for place in order if place < 20]
    marked = mark_sampled(given([of_a[0], of_a[2], of_a[3]]), ROWS)

    assert marked["sampled"].to_list() == [True, False, False]


def test_labels_that_came_together_are_the_sample_they_were_drawn_as():
    """A file of labels counts as it is, and leaves the person's own labels what they are."""
    order = random_order(ROWS.height).to_list()
    both = pl.concat([given(order[5:9], by="labels.jsonl", together=True), given(order[30:31])])

    assert mark_sampled(both, ROWS)["sampled"].to_list() == [True] * 4 + [False]


def test_all_labelled_is_a_sample():
    """Every response labelled, in whatever order, leaves nothing to choose."""
    assert mark_sampled(given(list(range(40))), ROWS)["sampled"].all()


def test_labels_given_for_the_decision_are_no_sample():
    """A label that was offered because it would change the decision counts only where the random order went past it."""
    of_a = [place for place in random_order(ROWS.height).to_list() if place < 20]
    both = pl.concat([given(of_a[:2], drawn=True), given(of_a[2:4], by="Bo", drawn=False)])
    assert mark_sampled(both, ROWS)["sampled"].to_list() == [True, True, False, False]

    later = pl.concat([both, given(of_a[4:5], drawn=True)])
    assert mark_sampled(later, ROWS)["sampled"].all()


def test_only_the_deciding_part_labelled_is_no_sample():
    """Whoever labels nothing but what would change the decision corrects no share."""
    order = random_order(ROWS.height).to_list()

    assert not mark_sampled(given(order[:6], drawn=False), ROWS)["sampled"].any()


@pytest.mark.parametrize("drawn", [None, False])
def test_a_file_of_picked_labels_corrects_nothing(drawn):
    """A file of the responses judged incorrect is no sample, whatever it says; one that says so is none either."""
    rows = ROWS.filter(pl.col(PIPELINE) == "A")
    wrong = given([*range(1, 20, 2)], together=True, drawn=drawn, rows=rows)
    assert not mark_sampled(wrong, rows)["sampled"].any()

    mixed = given([*range(10)], together=True, drawn=drawn, rows=rows)
    assert mark_sampled(mixed, rows)["sampled"].to_list() == [drawn is not False] * 10


def test_a_second_opinion_leaves_its_response_in_the_sample():
    """Who corrects labels of a sample by hand takes none of its responses out of it: the newest label counts."""
    sample = given([*range(10)], together=True)
    second = given([3], by="Bo", drawn=False).with_columns(pl.lit("incorrect").alias(LABEL))

    correcting = find_correcting(pl.concat([sample, second]), ROWS)
    assert correcting.height == 10
    assert correcting.filter(pl.col(QUESTION_ID) == "3")[LABEL].to_list() == ["incorrect"]


@pytest.mark.parametrize(("picked", "fewest", "most"), [(False, 198, 200), (True, 0, 0)])
def test_corrected_shares_hold_the_truth(picked, fewest, most):
    """Of 200 runs with 60 labels drawn at random, 95 % of the corrected intervals hold the truth; with 60 labels of
    responses whose verdict is wrong more often, no share is corrected."""
    draws, covered, shares = np.random.default_rng(7), 0, 0
    for _ in range(200):
        right, agrees = draws.random(300) < 0.7, draws.random(300) < 0.8
        words = np.array(["incorrect", "correct"])
        verdicts = words[np.where(agrees, right, ~right).astype(int)]
        ids = list(map(str, range(300)))
        rows = pl.DataFrame({QUESTION_ID: ids, PIPELINE: ["A"] * 300, VERDICT: verdicts, RESPONSE: ["text"] * 300})
        chances = np.where(verdicts == "incorrect", 9.0, 1.0) if picked else np.ones(300)
        places = draws.choice(300, 60, replace=False, p=chances / chances.sum())
        labels = given([*places], together=True, rows=rows).with_columns(
            pl.Series(LABEL, words[right[places].astype(int)])
        )
        (share,) = correct_shares(settle(rows, rows[QUESTION_ID], labels))
        if share.corrected:
            shares, covered = shares + 1, covered + (share.corrected.low <= right.mean() <= share.corrected.high)
    assert fewest <= shares <= most
    assert covered >= 0.95 * shares
