"""What a response says beside the fact."""

import pytest

from qaviz.diagnosis.evidence.context import off_topic, part_of


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Document id 10317750796", True),
        ("10317750796", False),
        ("Outstanding shares: 10317750796", False),
        ("There were 10317750796 of them", False),
        ("It counts 10317750796 stocks of Amazon", False),
    ],
)
def test_off_topic_needs_words_that_are_about_something_else(response, expected):
    """The fact with nothing, with grammar or with words of question or answer is on topic; only other words are not."""
    found = off_topic("How many shares were outstanding?", "Amazon had 10317750796 shares.", "10317750796", response)

    assert found is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The office is in Seattle, Washington.", {"seattle", "washington"}),
        ("The office is in Seattle, Oregon.", set()),
        ("The office is where it is.", set()),
    ],
)
def test_a_part_of_the_answer_says_nothing_else(response, expected):
    """A part of the answer has new words, all of them golden; one other word and it is none."""
    answer = "The office is at 410 Terry Avenue, Seattle, Washington."

    assert part_of(answer, "410 Terry Avenue", "Where is the office?", response) == expected


def test_a_part_of_the_fact_is_no_part_of_the_answer():
    """Who says one name of two that the fact asks for has not said what stands beside the fact."""
    assert not part_of("The Beatles and the Spice Girls", "The Beatles and the Spice Girls", "Who sang?", "The Beatles")
