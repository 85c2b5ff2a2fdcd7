"""Which words of two responses differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.analysis.run_changes import MOST_WORDS, compare_words


@pytest.mark.parametrize(
    ("before", "after", "stretches"),
    [
        ("", "", []),
        ("It is 5.", "It is 6.", [("It is", "It is"), ("5.", "6.")]),
        ("", "No idea.", [("", "No idea.")]),
        ("In 1998, Ada", "Ada", [("In 1998,", ""), ("Ada", "Ada")]),
    ],
)
def test_stretches_that_went_and_came(before: str, after: str, stretches: list[tuple[str, str]]):
    """Words that both have are one stretch; what went and what came stand where they stood."""
    assert [(each.before, each.after) for each in compare_words(before, after)] == stretches


@given(st.text(alphabet="ab ", max_size=60), st.text(alphabet="ab ", max_size=60))
def test_the_stretches_are_both_texts(before: str, after: str):
    """Put together, the stretches have every word of both texts in their order."""
    found = list(compare_words(before, after))
    assert " ".join(each.before for each in found if each.before).split() == before.split()
    assert " ".join(each.after for each in found if each.after).split() == after.split()


def test_long_responses_are_compared_as_far_as_their_first_words():
    """A response of a hundred thousand words takes no longer than one of some."""
    found = list(compare_words("a " * 100_000, "x" * 1_000_000))
    assert sum(len(each.before.split()) for each in found) == MOST_WORDS
    assert sum(len(each.after) for each in found) == 2_000
