"""Whether a response says the same of both that a question asks of."""

import pytest

from qaviz.diagnosis.evidence.claims.choices import tell_of_both

BOTH = "Were both Ed Wood and Bo Li American?"
SAME = "Are Scott Derrickson and Ed Wood of the same nationality?"


@pytest.mark.parametrize(
    ("question", "response", "told"),
    [
        (BOTH, "Ed Wood was American, and Bo Li was American.", True),
        (BOTH, "Ed Wood was American, while Bo Li was Korean.", False),
        ("Were both Ali and Bo Chinese?", "Ali was Chinese. Bo was Korean.", False),
        ("Did Ann and Ben both resign?", "Ann resigned. Ben stayed.", False),
        (SAME, "Scott Derrickson is American and Ed Wood was American.", True),
        (SAME, "Scott Derrickson is American, while Ed Wood was British.", False),
        (SAME, "Scott Derrickson is American.", None),
        (SAME, "", None),
        ("Was Ed Wood American?", "Ed Wood was American.", None),
    ],
)
def test_what_is_said_of_both(question: str, response: str, told: bool | None):
    """A response that says of each of two what it is tells whether the same holds of both; else nothing is told."""
    assert tell_of_both(response, question) is told
