"""The sentence that restates the question gives the answer, whatever a later one names."""

import pytest

from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.evidence.claims.answers import find_restated_answer

QUESTION = "What is the largest revenue source for Vestria?"


def claimed(response: str, golden: str = "fishing sector", question: str = QUESTION) -> str | None:
    start = response.index(golden)
    found = find_restated_answer(question, golden, response, Span(start, start + len(golden), golden))
    return found.text if found else None


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("The largest revenue source for Vestria is tourism. The fishing sector follows.", "tourism"),
        (
            "By the report, the largest revenue source for Vestria is:\n\nTourism\n\nThe fishing sector is small.",
            "Tourism",
        ),
        ("The fishing sector is old. Therefore, the largest revenue source for Vestria is tourism.", "tourism"),
        ("The largest revenue source for Vestria is the fishing sector. Tourism follows.", None),
        ("The largest revenue source for Vestria is not stated. The fishing sector is large.", None),
        ("Vestria is an island. The fishing sector is its largest revenue source.", None),
        ("The largest revenue source is tourism for most islands, but for Vestria it is the fishing sector.", None),
    ],
)
def test_the_answer_of_a_restated_question_is_told(response, answer):
    """It is told where the sentence holds another answer than the golden one."""
    assert claimed(response) == answer


def test_a_letter_and_a_part_of_a_name_are_answers():
    """What an acronym's letter stands for is another word than the one its long form also has."""
    question = 'What does the third letter in "NORA" stand for?'
    response = 'NORA is the National Office of Rail Accounts. The third letter in "NORA" stands for "Rail".'
    assert claimed(response, "Accounts", question) == '"Rail"'


def test_numbers_and_statements_are_left_to_other_evidence():
    """A golden value with digits, and one of many words, is not looked for in a restated question."""
    assert claimed("The largest revenue source for Vestria is tourism, not 12% fish.", "12% fish") is None
