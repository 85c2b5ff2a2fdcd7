"""The answer region: what wraps an answer and what says nothing of the question are no part of it."""

import pytest

from benchmarks.pairs import NEUTRAL
from qaviz.diagnosis.answer_region import find_region, unwrap
from qaviz.diagnosis.golden_texts import read_triplet
from tests.cases import read_cases

WHO = read_triplet("Who wrote the novel?", "Ana Lima", "Ana Lima")

WRAPPED = read_cases(__file__, "wrapped")


@pytest.mark.parametrize(("response", "expected"), WRAPPED)
def test_wrappers_are_left_out(response, expected):
    """Lead-ins, brackets, quotes, marks, citations and JSON of one value go; brackets inside stay."""
    assert unwrap(response) == expected


@pytest.mark.parametrize("language", NEUTRAL)
def test_neutral_sentences_are_left_out(language):
    """What stands around the answer in nine languages leaves the sentence that answers."""
    answer = "The novel was written by Ana Lima."
    response = f"{NEUTRAL[language]}\n{answer} {NEUTRAL[language]}"
    region = find_region(response, WHO, "en")
    assert answer in region
    assert len(region) < len(answer) + 40


def test_a_text_of_signs_alone_stays():
    """A response without a letter is no error."""
    assert unwrap("***") == "***"
    assert find_region("...", WHO, "en") == "..."
