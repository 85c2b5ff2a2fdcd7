"""Which labels are a random sample: those of the run's random order, and those that came together."""

import polars as pl

from qaviz.analysis.labels import mark_sampled, random_order
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID

ROWS = pl.DataFrame({QUESTION_ID: [str(n) for n in range(20)] * 2, PIPELINE: ["A"] * 20 + ["B"] * 20})


def given(places, by="Kim", together=False, drawn=None):
    """Labels of the responses at these places of ROWS, as the store returns them."""
    whens = ["2026-01-01"] * len(places) if together else [f"2026-01-{day:02}" for day in range(1, len(places) + 1)]
    return ROWS[places].with_columns(
        pl.lit("correct").alias(LABEL),
        pl.lit(by).alias("labelled_by"),
        pl.Series("labelled_at", whens, pl.String),
        pl.lit(drawn).alias("drawn"),
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
