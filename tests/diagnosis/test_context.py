"""What stands around the fact: negations beside it, and words that have to do with the question."""

import pytest

from qaviz.diagnosis.context import negation, off_topic, part_of

FACT = "134.4 billion"

DENIED = [
    ("It is not 134.4 billion.", "not 134.4 billion"),
    ("It wasn't $134.4 billion, whatever they say.", "n't $134.4 billion"),
    ("It wasn’t 134.4 billion.", "n’t 134.4 billion"),
    ("170 billion rather than 134.4 billion", "rather than 134.4 billion"),
    ("170 billion instead of the 134.4 billion they hoped for", "instead of the 134.4 billion"),
    ("134.4 billion is wrong.", "134.4 billion is wrong"),
    ("“134.4 billion” was not reported.", "134.4 billion” was not"),
    ("Doanh thu không phải là 134.4 billion.", "không phải là 134.4 billion"),
]
STATED = [
    "It is 134.4 billion.",
    "I am not sure of much, but it is 134.4 billion.",
    "Not only did sales grow, they reached 134.4 billion.",
    "It is 134.4 billion, not 170 billion.",
    "It is not 170 but 134.4 billion.",
    "134.4 billion is what they reported, which is not a surprise.",
]


def at(response: str) -> tuple[int, int]:
    start = response.index(FACT)
    return start, start + len(FACT)


@pytest.mark.parametrize(("response", "quoted"), DENIED)
def test_negation_beside_the_fact_is_quoted(response, quoted):
    """A fact that is denied right beside it comes with the words that deny it, at their offsets."""
    found = negation(response, *at(response))

    assert found is not None
    assert (found.text, response[found.start : found.end]) == (quoted, quoted)


@pytest.mark.parametrize("response", STATED)
def test_negation_of_something_else_does_not_count(response):
    """A negation elsewhere in the sentence does not deny the fact."""
    assert negation(response, *at(response)) is None


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

    assert part_of(answer, "Where is the office?", response) == expected
