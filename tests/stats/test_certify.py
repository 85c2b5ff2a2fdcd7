"""Certificates: against a slow second implementation, by how often they hold, and labels that are no random sample."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from qaviz.stats.certify import Promise, certify, draw_fairly, least_judged, list_thresholds

ONE_IN_TEN = Promise(wrong=0.1, sure=0.9)


def exact_tail(judged: int, wrong: int, share: Fraction) -> Fraction:
    """The probability of so few errors, in whole numbers."""
    return sum((comb(judged, n) * share**n * (1 - share) ** (judged - n) for n in range(wrong + 1)), Fraction(0))


def run_of(size: int, error: float, seed: int, pipelines: int = 1) -> tuple[np.ndarray, ...]:
    """Confidences, wrong verdicts, questions and pipelines of a run; errors are rarer where confidence is high."""
    draw = np.random.default_rng(seed)
    confidence = draw.uniform(0.5, 1, size)
    wrong = (draw.random(size) < 4 * error * (1 - confidence)).astype(float)
    return confidence, wrong, np.arange(size) // pipelines, np.arange(size) % pipelines


def label(wrong: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Labels of these responses alone."""
    labels = np.full(len(wrong), np.nan)
    labels[places] = wrong[places]
    return labels


@pytest.mark.parametrize(("errors", "judged"), [(0, 22), (1, 38), (2, 52), (3, 65)])
def test_how_many_labels_it_takes_is_the_exact_binomial(errors, judged):
    """At 10 % and 90 %, 22 labels pass without an error, 38 with one; one label fewer does not."""
    assert least_judged(errors, ONE_IN_TEN) == judged
    assert (
        exact_tail(judged, errors, Fraction(1, 10)) <= Fraction(1, 10) < exact_tail(judged - 1, errors, Fraction(1, 10))
    )


@pytest.mark.parametrize("seed", range(0, 12, 2))
def test_the_threshold_is_that_of_a_slow_second_implementation(seed):
    """Going down the thresholds by exact fractions, one label at a time, ends at the same confidence."""
    confidence, wrong, questions, pipelines = run_of(600, 0.02 + 0.01 * seed, seed)
    places = np.random.default_rng(seed).choice(600, 60 + 25 * seed, replace=False)
    ladder = list_thresholds(confidence, len(places), ONE_IN_TEN)
    certified = []
    for start in ladder.starts:
        for step in ladder.steps[start:]:
            judged = [place for place in places if confidence[place] >= step]
            errors = int(sum(wrong[place] for place in judged))
            if float(exact_tail(len(judged), errors, Fraction(1, 10))) > ladder.level + 1e-12:
                break
            certified.append(step)
    found = certify(confidence, label(wrong, places), questions, pipelines, ONE_IN_TEN)

    assert found.confidence_at_least == min(certified, default=None)
    assert (found.labels_needed is None) or found.confidence_at_least is None


@pytest.mark.parametrize(
    ("responses", "steps", "starts"),
    [
        pytest.param(65, 5, [52], id="52 labels pass with two errors, and are four fifths of 65"),
        pytest.param(64, 9, [39], id="they are more than four fifths of 64: 38 pass with one"),
        pytest.param(104, 11, [52], id="a step that lets through just enough is tested"),
        pytest.param(156, 14, [55, 110], id="two thirds are twice as many: a second start"),
        pytest.param(155, 14, [55], id="they are not"),
    ],
)
def test_where_tests_begin(responses, steps, starts):
    """The first step lets through the labels that it takes to pass, a second start two thirds of the responses."""
    confidence = np.arange(responses) / responses
    ladder = list_thresholds(confidence, responses, ONE_IN_TEN)

    assert len(ladder.steps) == steps
    assert [(confidence >= ladder.steps[start]).sum() for start in ladder.starts] == starts


def test_the_first_step_alone_is_certified():
    """Where the second step fails, what passed before it is automatic."""
    confidence, wrong, questions, pipelines = np.arange(65)[::-1] / 65, np.zeros(65), np.arange(65), np.zeros(65, int)
    wrong[52:56] = 1

    assert certify(confidence, wrong, questions, pipelines, ONE_IN_TEN).automatic == 52


@pytest.mark.parametrize("error", [0.1, 0.2])
def test_a_certificate_holds_as_often_as_it_says(error):
    """Of 150 samples of 100 labels at least 90 % certify no set of verdicts with more than 10 % errors."""
    confidence, wrong, questions, pipelines = run_of(2_000, error, 3)
    draw = np.random.default_rng(4)
    held = 0
    for _ in range(150):
        places = draw.choice(2_000, 100, replace=False)
        threshold = certify(confidence, label(wrong, places), questions, pipelines, ONE_IN_TEN).confidence_at_least
        held += threshold is None or wrong[confidence >= threshold].mean() <= 0.1

    assert held >= 135


def test_too_few_labels_certify_nothing_and_say_how_many_would():
    """Ten labels are never enough; as many as are named do, in most samples."""
    confidence, wrong, questions, pipelines = run_of(2_000, 0.03, 7)
    draw = np.random.default_rng(8)
    few = certify(confidence, label(wrong, draw.choice(2_000, 10, replace=False)), questions, pipelines, ONE_IN_TEN)
    assert few.confidence_at_least is None
    assert few.labels_needed is not None
    enough = [label(wrong, draw.choice(2_000, few.labels_needed, replace=False)) for _ in range(100)]

    passed = [certify(confidence, labelled, questions, pipelines, ONE_IN_TEN).certified for labelled in enough]
    assert sum(passed) >= 70


def test_verdicts_that_are_mostly_wrong_have_no_number_of_labels():
    """Where half of even the surest verdicts are wrong, nothing is certified and no number is named."""
    confidence, _, questions, pipelines = run_of(2_000, 0.1, 9)
    wrong = (np.arange(2_000) % 2).astype(float)
    places = np.random.default_rng(10).choice(2_000, 200, replace=False)
    found = certify(confidence, label(wrong, places), questions, pipelines, ONE_IN_TEN)

    assert (found.confidence_at_least, found.labels_needed) == (None, None)


def test_responses_without_a_confidence_are_never_automatic():
    """A run in which no verdict has a confidence certifies nothing, whatever its labels say."""
    wrong, questions = np.zeros(300), np.arange(300)
    found = certify(np.full(300, np.nan), wrong, questions, questions * 0, ONE_IN_TEN)

    assert (found.confidence_at_least, found.labels_needed, found.labels) == (None, None, 300)


@pytest.mark.parametrize(
    ("places", "kept"),
    [
        pytest.param(np.arange(0, 400), 20, id="all responses to 20 questions count once a question"),
        pytest.param(np.arange(0, 1_000), 1_000, id="all responses of the run"),
        pytest.param(np.arange(0, 1_000, 20), 0, id="responses of one of 20 pipelines say nothing of the others"),
        pytest.param(np.random.default_rng(1).choice(1_000, 200, replace=False), 200, id="responses at random"),
    ],
)
def test_labels_count_as_what_a_random_sample_would_say(places, kept):
    """Labels that bunch in questions or in a pipeline are thinned; a random sample counts whole."""
    questions, pipelines = np.arange(1_000) // 20, np.arange(1_000) % 20

    assert len(draw_fairly(np.sort(places), questions, pipelines)) == kept
