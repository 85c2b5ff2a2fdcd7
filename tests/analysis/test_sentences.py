"""What people read: sentences of a run's tables, numbers, and the words of the glossary."""

from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.analysis import numbers, sentences
from qaviz.analysis.glossary import MEANINGS
from qaviz.analysis.numbers import interval, upper_bound
from qaviz.analysis.sentences import find_unread
from qaviz.diagnosis.columns import UNREAD
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.metrics import METRICS
from qaviz.model.records import Verified
from tests.analysis.builders import figures_in, response_row, response_rows


def diagnosed(*diagnoses, pipeline="P1", **other):
    return [
        response_row(f"{pipeline}{place}", pipeline, **{c.DIAGNOSIS: diagnosis}, **other)
        for place, diagnosis in enumerate(diagnoses)
    ]


def test_listed():
    """What loading listed is said by kind, kinds without rows are not; that FMEval scored its sample alone comes
    first."""
    (words,) = sentences.listed_sentences({"unaligned": 1200, "duplicate": 0, "unanswered": 1})
    first, listed = sentences.listed_sentences({"sample": 2})

    assert words.endswith("unaligned (1,200), unanswered (1).")
    assert (figures_in(first), "sample (2)" in listed) == (["100", "300"], True)
    assert sentences.listed_sentences({}) == []


@pytest.mark.parametrize(
    ("compared", "differences", "facts"),
    [
        (30, 0, "30 responses, no difference"),
        (7, 0, "a sample of 7 of 30 responses, no difference"),
        (30, 1, "30 responses, 1 score differs"),
        (30, 2, "30 responses, 2 scores differ"),
    ],
)
def test_verified(compared, differences, facts):
    """A verification says with which FMEval, when, over how many responses, and what came of it."""
    at = datetime(2026, 11, 20, 9, tzinfo=UTC)
    verified = Verified(verified_at=at, version="1.2.3", compared=compared, differences=differences)
    said = sentences.verified_sentence(verified, 30)
    assert said == f"Scores verified with FMEval 1.2.3 on 20 Nov 2026: {facts}."


WRONG, REWORDED = Diagnosis.HALLUCINATION, Diagnosis.REPHRASED
OTHERS = [kind for kind in (WRONG, Diagnosis.OFF_TARGET, Diagnosis.DECLINED, Diagnosis.VERBOSE) for _ in range(4)]


@pytest.mark.parametrize(
    ("rows", "edited", "steps"),
    [
        pytest.param(diagnosed(WRONG) + diagnosed(*[WRONG] * 3, pipeline="P2"), (), {WRONG: 1}, id="its own faults"),
        pytest.param(
            diagnosed(*OTHERS, REWORDED),
            (),
            {WRONG: 4, Diagnosis.OFF_TARGET: 4, REWORDED: 1},
            id="one of the golden dataset",
        ),
        pytest.param(diagnosed(REWORDED, REWORDED, WRONG), (), {REWORDED: 2, WRONG: 1}, id="nothing done yet"),
        pytest.param(diagnosed(REWORDED, REWORDED, WRONG), ("P10", "P12"), {REWORDED: 1, WRONG: 1}, id="one edited"),
        pytest.param(diagnosed(REWORDED, REWORDED, WRONG), ("P10", "P11"), {WRONG: 1}, id="both edited"),
    ],
)
def test_steps(rows, edited, steps):
    """Three at most, about the pipeline of the decision, whatever others get wrong; one is about the golden dataset,
    however few faults it has, without triplets that were edited since."""
    listed = sentences.next_steps(response_rows(rows), "P1", edited=edited)

    assert {step.diagnosis: step.responses for step in listed} == steps
    assert [step.pipeline for step in listed] == [None if step.diagnosis is REWORDED else "P1" for step in listed]
    assert all(step.title.endswith(f": {numbers.plural(step.responses, 'response')}") for step in listed)


def test_steps_leave_out_what_people_or_a_judge_overrule():
    """A hallucination that a person or a judge calls right needs no step; one that a person calls wrong still does."""
    rows = response_rows(diagnosed(*[Diagnosis.HALLUCINATION] * 4))
    rows = rows.with_columns(pl.Series(c.VERDICT, ["correct", *["incorrect"] * 3]))
    labels = rows[1:3].select(c.QUESTION_ID, c.PIPELINE, pl.Series(c.LABEL, ["correct", "incorrect"]))

    (judged,) = sentences.next_steps(rows, "P1")
    (labelled,) = sentences.next_steps(rows, "P1", labels=labels)

    assert (judged.responses, labelled.responses) == (3, 2)


def test_languages_are_counted_the_commonest_first():
    """The sentence has the number of responses and of each language; none where every language is read, nor for a run
    that was saved before languages were told."""
    rows = pl.DataFrame({UNREAD: [None, "Polish", "Dutch", None, "Polish"]})

    places, sentence = find_unread(rows)
    assert places.to_list() == [1, 2, 4]
    assert sentence.endswith(": 3 responses: Polish (2), Dutch (1).")
    for silent in (rows.with_columns(pl.lit(None, pl.String).alias(UNREAD)), rows.drop(UNREAD)):
        assert find_unread(silent)[1] is None


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param(numbers.count(1008), "1,008", id="thousands"),
        pytest.param(numbers.plural(1, "match", "matches"), "1 match", id="one"),
        pytest.param(numbers.plural(1008, "question"), "1,008 questions", id="many"),
        pytest.param(numbers.plural(2, "match", "matches"), "2 matches", id="many, irregular"),
        pytest.param(numbers.score(0.9167), "0.92", id="two decimals"),
        pytest.param(numbers.score(None), "–", id="a missing score is no zero"),
        pytest.param(numbers.figure(1234.4), "1,234", id="a time in whole units, never a power of ten"),
        pytest.param(numbers.figure(0.000421), "0.000421", id="a small cost"),
        pytest.param(numbers.figure(4.5, 4), "4.5", id="no needless zeros"),
        pytest.param(numbers.figure(0), "0", id="nothing"),
        pytest.param(numbers.figure(None), "–", id="a missing cost"),
        pytest.param(numbers.percent(0.8), "80%", id="whole percent"),
        pytest.param(numbers.percent(0.001), "<1%", id="little is not none"),
        pytest.param(numbers.percent(0.999), ">99%", id="nearly all is not all"),
        pytest.param(numbers.percent(0.0), "0%", id="none"),
        pytest.param(numbers.percent(1.0), "100%", id="all"),
        pytest.param(numbers.percent(None), "–", id="a missing share"),
        pytest.param(numbers.out_of(8, 10), "8 of 10", id="hits"),
        pytest.param(numbers.out_of(0, 0), "–", id="among none"),
        pytest.param(numbers.interval(0.4902, 0.9433), "49–95%", id="interval"),
        pytest.param(numbers.interval(0.07, 0.29), "7–29%", id="interval of whole percents"),
        pytest.param(numbers.interval(0.4902, 0.5033), "49.0–50.4%", id="narrow interval"),
        pytest.param(numbers.interval(None, None), "–", id="no interval"),
        pytest.param(numbers.p_figure(0.125), "0.125", id="p-value"),
        pytest.param(numbers.p_figure(0.0002), "<0.001", id="tiny p-value"),
        pytest.param(numbers.join(["a"]), "a", id="one name"),
        pytest.param(numbers.join(["a", "b", "c"]), "a, b and c", id="names"),
        pytest.param(numbers.join([]), "", id="no names"),
    ],
)
def test_written(written, expected):
    """Each number reads as the table says, whoever shows it."""
    assert written == expected


@given(st.floats(0, 1))
def test_a_bound_is_never_told_better_than_it_is(share: float):
    """What is read of an upper bound is at least the bound, of a lower one at most, and within a tenth of a percent."""
    narrow = interval(share, share)
    above, below = (float(text.removesuffix("%")) / 100 for text in (upper_bound(share), narrow.split("–")[0]))

    assert below - 1e-8 <= share <= above + 1e-8
    assert above - share < 0.0011
    assert share - below < 0.0011


def test_every_diagnosis_score_and_threshold_is_explained():
    """What pages call a class or a score is a word of the glossary."""
    assert {each.value for each in Diagnosis} | {metric.label for metric in METRICS.values()} <= set(MEANINGS)
    assert all(meaning.endswith(".") for meaning in MEANINGS.values())
