"""Whether all that a response says is a part of the golden answer."""

import pytest

from qaviz.diagnosis.combine_evidence import find_part_words


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

    assert find_part_words(answer, "410 Terry Avenue", "Where is the office?", response) == expected


def test_a_part_of_the_fact_is_no_part_of_the_answer():
    """Who says one name of two that the fact asks for has not said what stands beside the fact."""
    assert not find_part_words(
        "The Beatles and the Spice Girls", "The Beatles and the Spice Girls", "Who sang?", "The Beatles"
    )
