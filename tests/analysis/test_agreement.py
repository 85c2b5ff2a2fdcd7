"""qaviz.analysis.labels: what labels say of the verdicts, in words and tables."""

import polars as pl
import pytest

from qaviz.analysis.labels import (
    agreement_lead,
    agreement_points,
    confusion_matrix,
    count_contested,
    counting,
    next_without,
    proposal_sentence,
)
from qaviz.diagnosis.agreement import Agreement, Estimate, Proposal, agreement
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import Thresholds
from tests.analysis.builders import figures_in

RIGHT, WRONG, DECLINED = "correct", "incorrect", "declined"
NAMES = {"high_closeness": "Close from", "low_conciseness": "Wordy below", "accidental_context": "Accidental up to"}


def labels(*said: tuple[str, str, str, str]) -> pl.DataFrame:
    """Question, pipeline, label and person of each."""
    return pl.DataFrame(list(said), schema=[QUESTION_ID, PIPELINE, LABEL, "labelled_by"], orient="row")


def compared(*labels_and_verdicts: tuple[str, str], unlabelled: int = 0) -> tuple[Agreement, pl.DataFrame]:
    """The agreement of these pairs, a question each, and the labels it comes from."""
    verdicts = [verdict for _, verdict in labels_and_verdicts] + [RIGHT] * unlabelled
    ids = [f"q{place}" for place in range(len(verdicts))]
    scored = pl.DataFrame({QUESTION_ID: ids, PIPELINE: "p", VERDICT: verdicts})
    said = labels(*((f"q{place}", "p", label, "Ana") for place, (label, _) in enumerate(labels_and_verdicts)))
    return agreement(scored, said), said


def test_where_people_differ_the_newest_label_counts():
    """Of several people's labels of a response the last one is compared, and the response is counted as contested."""
    said = labels(("1", "p", RIGHT, "Ana"), ("2", "p", RIGHT, "Ana"), ("1", "p", WRONG, "Bo"), ("2", "p", RIGHT, "Bo"))

    assert dict(counting(said).select(QUESTION_ID, LABEL).iter_rows()) == {"1": WRONG, "2": RIGHT}
    assert count_contested(said) == 1


@pytest.mark.parametrize(
    ("labelled", "after", "place"),
    [
        pytest.param("", -1, 0, id="the first"),
        pytest.param("", 0, 1, id="the next"),
        pytest.param("bc", 0, 3, id="labelled ones are passed over"),
        pytest.param("cd", 1, 0, id="from the first one on again"),
        pytest.param("bcd", 0, None, id="nothing but the present one"),
        pytest.param("abcd", -1, None, id="all labelled"),
    ],
)
def test_the_next_response_without_a_label(labelled, after, place):
    """The next place without a label is found, in the order of the list."""
    rows = pl.DataFrame({QUESTION_ID: list("abcd"), PIPELINE: "p"})
    said = labels(*((each, "p", RIGHT, "Ana") for each in labelled)) if labelled else rows.clear()

    assert next_without(rows, said, after) == place


def test_the_leading_sentence_has_share_interval_and_kappa():
    """75 of 100 verdicts are the label: the sentence says 75% with its interval, and that kappa is above chance."""
    found, _ = compared(*[(RIGHT, RIGHT)] * 50, *[(RIGHT, WRONG)] * 25, *[(WRONG, WRONG)] * 25)

    low, high = (round(share * 100) for share in (found.accuracy.low, found.accuracy.high))
    assert low < 75 < high
    kappa = ["0.50", f"{found.kappa.low:.2f}", f"{found.kappa.high:.2f}"]
    assert figures_in(agreement_lead(found)) == ["75%", str(low), str(high), "100", *kappa]
    assert "; better than chance" in agreement_lead(found)


def test_what_chance_could_do_is_said():
    """Where the interval of kappa reaches 0, the verdicts are not surely better than chance."""
    found, _ = compared(*[(RIGHT, RIGHT), (RIGHT, WRONG), (WRONG, RIGHT), (WRONG, WRONG)] * 3)

    assert "not clearly better than chance" in agreement_lead(found)
    assert figures_in(agreement_lead(found))[4] == "0.00"


def test_one_class_says_nothing_against_chance():
    """If all are one class there is no kappa, and none is said."""
    found, _ = compared(*[(RIGHT, RIGHT)] * 4)

    assert figures_in(agreement_lead(found)) == ["100%", "51", "100", "4"]
    assert "undefined" in agreement_lead(found)


def test_the_points_say_what_is_covered():
    """Coverage is said of all responses; that nobody labelled declined, and what people differ on, is said too."""
    found, said = compared((RIGHT, RIGHT), (WRONG, DECLINED), unlabelled=3)
    points = agreement_points(found, pl.concat([said, labels(("q0", "p", WRONG, "Bo"))]))

    assert figures_in(points[0]) == ["2", "5", "2", "95%"]
    differ, declined = points[2:]
    assert figures_in(differ) == ["1"]
    assert "declined counts as incorrect" in declined


def test_the_matrix_has_a_row_a_label():
    """Each label has its counts by verdict and their sum; what never occurs is 0."""
    found, _ = compared((RIGHT, RIGHT), (RIGHT, WRONG), (DECLINED, DECLINED))

    assert confusion_matrix(found).to_dicts() == [
        {LABEL: RIGHT, RIGHT: 1, WRONG: 1, DECLINED: 0, "unsure": 0, "responses": 2},
        {LABEL: WRONG, RIGHT: 0, WRONG: 0, DECLINED: 0, "unsure": 0, "responses": 0},
        {LABEL: DECLINED, RIGHT: 0, WRONG: 0, DECLINED: 1, "unsure": 0, "responses": 1},
    ]


def proposed(gain: Estimate, **moved: float) -> Proposal:
    return Proposal(thresholds=Thresholds(**moved), gain=gain, responses=1008, questions=63, folds=5)


@pytest.mark.parametrize(
    ("proposal", "said"),
    [
        pytest.param(None, "Too few questions are labelled", id="too few"),
        pytest.param(proposed(Estimate(0, 0, 0)), "These labels support the current thresholds", id="no move"),
        pytest.param(
            proposed(Estimate(0.022, 0.006, 0.04), high_closeness=0.6, low_conciseness=0.2),
            "These labels propose Close from 0.60 and Wordy below 0.20: +2.2 percentage points of agreement "
            "(+0.6 to +4.0), tested on held-out questions "
            "(1,008 responses to 63 questions, in 5 parts).",
            id="a gain",
        ),
        pytest.param(
            proposed(Estimate(0.01, -0.01, 0.03), high_closeness=0.6),
            "+1.0 percentage points of agreement (-1.0 to +3.0), not a clear gain, tested",
            id="a gain that may be chance",
        ),
    ],
)
def test_a_proposal_says_what_it_is_worth(proposal, said):
    """The sentence has the moves, the gain with its interval, and on what it was measured."""
    assert said in proposal_sentence(proposal, Thresholds(), NAMES)
