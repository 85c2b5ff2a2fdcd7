"""Questions of two, and lists with one wrong item."""

import pytest

from qaviz.diagnosis.evidence import Stance, phrases
from qaviz.diagnosis.evidence.pairs import tell_of_both

BOTH = "Were both Ed Wood and Bo Li American?"
SAME = "Are Scott Derrickson and Ed Wood of the same nationality?"
CITIES = "Rome, Milan, Turin and Naples"


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


@pytest.mark.parametrize(
    ("golden", "question", "response", "stance"),
    [
        (CITIES, "Which cities host it?", "Rome, Milan, Turin and Venice", Stance.ABSENT),
        (CITIES, "Which cities host it?", "Rome, Milan and Turin", Stance.AGREES),
        (CITIES, "Which cities host it?", "Naples, Turin, Milan and Rome", Stance.AGREES),
        ("Texas, Ohio, Utah", "Name the states.", "Texas, Ohio, Maine", Stance.ABSENT),
        ("Texas, Ohio, Utah", "Name the states.", "Texas, Ohio and Utah", Stance.AGREES),
    ],
)
def test_a_list_with_one_wrong_item(golden: str, question: str, response: str, stance: Stance):
    """A name that stands in place of a golden entry makes a list wrong; one entry too few of four does not."""
    assert phrases.compare(golden, response, question).stance is stance
