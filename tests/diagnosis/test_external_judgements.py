"""What a person, a judge and a score of meaning add to a response's own words."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qaviz.diagnosis import diagnose, extract_evidence, judge, open_rows
from qaviz.diagnosis.judging import CONTESTED
from qaviz.model import columns as c
from qaviz.model.records import Thresholds
from qaviz.scoring import score

WEAK = ("What lowered the net sales?", "Foreign exchange rates lowered them.", "foreign exchange rates")
WHY = ("Why did sales grow?", "More customers bought groceries and cloud services.", None)
RACE = ("Who won the race?", "The race was won by a rider of great fame, in 2023.", "a rider")
NOTHING = ("Why did sales grow?", None, None)
OPEN = "The strong dollar did."
RIGHT, OTHER = "Foreign exchange rates lowered them.", "It was a strike at the ports."
DECLINES = "The documents do not say."
SCHEMA = {
    c.QUESTION: pl.String,
    c.ANSWER: pl.String,
    c.FACT: pl.String,
    c.RESPONSE: pl.String,
    c.ANSWERABLE: pl.Boolean,
}


def scored(triplet: tuple[str | None, ...], response: str, **opinions: object) -> pl.DataFrame:
    row = pl.DataFrame([(*triplet, response, None)], schema=SCHEMA, orient="row")
    return score(row).with_columns(pl.lit(said).alias(name) for name, said in opinions.items())


ALL_OPEN = Thresholds(open_below=1.0, unsure_below=0.0)
NONE_OPEN = Thresholds(open_below=0.0, unsure_below=0.0)


def diagnosed(
    triplet: tuple[str | None, ...], response: str, thresholds: Thresholds = NONE_OPEN, **opinions: object
) -> dict:
    return diagnose(scored(triplet, response, **opinions), thresholds).row(0, named=True)


@pytest.mark.parametrize("triplet", [WEAK, WHY, NOTHING])
@pytest.mark.parametrize("column", [c.REVIEW, c.JUDGE])
@pytest.mark.parametrize(
    ("said", "diagnosis"), [("correct", "rephrased-correct"), ("incorrect", "off target"), ("declined", "declined")]
)
def test_a_person_or_a_judge_decides_where_words_leave_it_open(triplet, column, said, diagnosis):
    """With a fact, without one and without a golden answer: what they say is the verdict, and the reason names them."""
    row = diagnosed(triplet, OPEN, ALL_OPEN, **{column: said})

    assert (row[c.DIAGNOSIS], row[c.VERDICT]) == (diagnosis, said)
    assert row[c.REASON].startswith(f"{'A person' if column == c.REVIEW else 'The judge'} says that it is {said}")


@pytest.mark.parametrize(("response", "verdict"), [(RIGHT, "correct"), (OTHER, "incorrect"), (DECLINES, "declined")])
@pytest.mark.parametrize("column", [c.REVIEW, c.JUDGE])
@pytest.mark.parametrize("said", ["correct", "incorrect", "declined"])
def test_nobody_overrules_words_that_decide(response, verdict, column, said):
    """The diagnosis stays; its reason goes on to say who thinks otherwise, and confidence halves."""
    alone, row = diagnosed(WEAK, response), diagnosed(WEAK, response, **{column: said})
    who = "A person" if column == c.REVIEW else "The judge"
    told = f" {who} agrees." if said == verdict else f" {who} disagrees: {said}."

    assert (row[c.DIAGNOSIS], row[c.VERDICT]) == (alone[c.DIAGNOSIS], verdict)
    assert row[c.REASON] == alone[c.REASON] + told
    assert row[c.CONFIDENCE] == alone[c.CONFIDENCE] * (1 if said == verdict else CONTESTED)


def test_a_person_counts_more_than_a_judge():
    """Where both speak the person is heard, and the judge's reason is not taken for the person's."""
    both = {c.REVIEW: "correct", c.JUDGE: "incorrect", c.JUDGE_REASON: "It names no rates."}

    assert diagnosed(WEAK, OPEN, ALL_OPEN, **both)[c.VERDICT] == "correct"
    assert "rates." not in diagnosed(WEAK, RIGHT, **both)[c.REASON].removeprefix("States “Foreign exchange rates”.")


def test_a_judge_is_quoted():
    """The judge's own reason stands in the diagnosis's, shortened."""
    said = {c.JUDGE: "correct", c.JUDGE_REASON: "A strong dollar is a matter of rates. " * 9}
    reason = diagnosed(WEAK, OPEN, ALL_OPEN, **said)[c.REASON]

    assert "(“A strong dollar is a matter of rates." in reason
    assert len(reason) < 300


@pytest.mark.parametrize("said", ["", "yes", "5", None])
def test_what_is_no_label_is_not_heard(said):
    """A judge that says anything but correct, incorrect or declined changes nothing at all."""
    heard = diagnosed(WEAK, OPEN, ALL_OPEN, **{c.JUDGE: said, c.JUDGE_REASON: "because"})

    assert {name: heard[name] for name in (c.DIAGNOSIS, c.VERDICT, c.REASON, c.CONFIDENCE)} == {
        name: said
        for name, said in diagnosed(WEAK, OPEN, ALL_OPEN).items()
        if name in (c.DIAGNOSIS, c.VERDICT, c.REASON, c.CONFIDENCE)
    }


@pytest.mark.parametrize(
    ("triplet", "response", "bertscore", "diagnosis", "told"),
    [
        (WEAK, OPEN, 0.95, "correct", "BERTScore 0.95"),
        (WEAK, OPEN, 0.55, "off target", "not close in meaning either (BERTScore 0.55)."),
        (WHY, OPEN, 0.95, "correct", "BERTScore 0.95"),
        (WEAK, DECLINES, 0.99, "declined", "Gives no answer"),
        (NOTHING, OPEN, 0.99, "unscored", "no fact and no answer"),
    ],
)
def test_closeness_in_meaning_decides_where_words_leave_it_open(triplet, response, bertscore, diagnosis, told):
    """A score of meaning makes an off-target response right; it knows no value from another, so it does no more."""
    row = diagnosed(triplet, response, **{c.BERTSCORE: bertscore})

    assert row[c.DIAGNOSIS] == diagnosis
    assert told in row[c.REASON]


def test_the_threshold_of_meaning_moves_rows():
    """A stricter threshold takes back what a looser one gave."""
    gathered = extract_evidence(scored(WEAK, OPEN, **{c.BERTSCORE: 0.8}))
    strict, loose = (judge(gathered, Thresholds(same_meaning=value)) for value in (0.9, 0.7))

    assert strict[c.DIAGNOSIS].to_list() == ["off target"]
    assert loose[c.DIAGNOSIS].to_list() == ["correct"]


def test_columns_that_are_not_there_change_nothing():
    """Columns of opinions without any are as good as no columns, and none is added to a table."""
    table = scored(WEAK, OPEN)
    nulls = {c.REVIEW: pl.String, c.JUDGE: pl.String, c.JUDGE_REASON: pl.String, c.BERTSCORE: pl.Float64}
    empty = table.with_columns(pl.lit(None, dtype).alias(name) for name, dtype in nulls.items())

    assert nulls.keys().isdisjoint(diagnose(table).columns)
    assert_frame_equal(diagnose(empty).drop(*nulls), diagnose(table))


def test_exactly_the_open_rows_are_decided_by_a_judge():
    """A judge that says the opposite of every verdict turns the rows that `open_rows` names, and no other."""
    answers = [OPEN, RIGHT, OTHER, DECLINES, "", "Rates, perhaps.", "It was the exchange, foreign to all rates."]
    rows = [(*triplet, answer, None) for triplet in (WEAK, WHY, RACE, NOTHING) for answer in answers]
    table = score(pl.DataFrame(rows, schema=SCHEMA, orient="row"))
    at = Thresholds(open_below=0.9, unsure_below=0.0)
    alone = diagnose(table, at)
    opposite = pl.when(pl.col(c.VERDICT) == "correct").then(pl.lit("incorrect")).otherwise(pl.lit("correct"))
    heard = diagnose(alone.with_columns(opposite.alias(c.JUDGE)), at)
    is_open = open_rows(alone, at)

    assert 0 < is_open.sum() < table.height
    assert (heard[c.VERDICT] != alone[c.VERDICT]).to_list() == is_open.to_list()
    assert open_rows(heard, at).to_list() == is_open.to_list()


def test_an_improbable_verdict_is_unsure_until_somebody_decides():
    """Below the threshold the verdict is unsure, with the probability in the reason; a judge's word ends that."""
    doubtful = Thresholds(unsure_below=1.0, open_below=1.0)
    alone = diagnosed(WEAK, OPEN, doubtful)
    decided = diagnosed(WEAK, OPEN, doubtful, **{c.JUDGE: "correct"})

    assert (alone[c.DIAGNOSIS], alone[c.VERDICT]) == ("off target", "unsure")
    assert f"about {alone[c.CONFIDENCE]:.0%}".removesuffix("%") in alone[c.REASON]
    assert (decided[c.VERDICT], decided[c.CONFIDENCE]) == ("correct", None)


@pytest.mark.parametrize("said", ["correct", "incorrect"])
def test_every_unsure_verdict_is_a_persons_to_decide(said):
    """A verdict that is unsure is open even where the threshold of open rows lies below: a person's word settles it."""
    thresholds = Thresholds(open_below=0.0, unsure_below=1.0)

    assert diagnosed(WEAK, OPEN, thresholds)[c.VERDICT] == "unsure"
    assert diagnosed(WEAK, OPEN, thresholds, **{c.REVIEW: said})[c.VERDICT] == said
