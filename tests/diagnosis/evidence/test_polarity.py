"""Yes and no, stated or implied, against the side of the golden answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.evidence import Stance, polarity
from tests.growth import ROOM, growth

CAPITAL = "Does Acme have positive working capital based on FY2022 data? If it is not a useful metric, please say why."
STABLE = "Does Acme maintain a stable trend of dividend distribution?"
DEBT = "Has Acme increased its debt on the balance sheet between 2021 and 2022?"
FIRST = "Was Ada Lovelace the first programmer?"
NOTES = "Which debt securities of Acme are registered on a national exchange?"
MARGIN = "What drove the gross margin change of Acme Bank in 2022? If it is not a useful metric, state that."
VIETNAMESE = "Công ty có trả cổ tức năm 2020 không?"


@pytest.mark.parametrize(
    ("question", "response"),
    [
        (CAPITAL, "Yes, Acme has positive working capital."),
        (CAPITAL, "yes"),
        (CAPITAL, "**Yes**, it does."),
        (CAPITAL, "Yes it does."),
        (CAPITAL, "Based on the filing, yes, it was positive."),
        (CAPITAL, "The answer is yes."),
        (CAPITAL, "Assets are 7, liabilities 5. So, yes, it has positive working capital."),
        (CAPITAL, "Acme does have positive working capital."),
        (CAPITAL, "Based on the 2022 data, the company had positive working capital of $2 billion."),
        (CAPITAL, "Assets were 7. Therefore, the working capital of Acme was positive in 2022."),
        (
            CAPITAL,
            "To determine if Acme has positive working capital we subtract. Acme has positive working capital.",
        ),
        (STABLE, "Acme maintains a stable trend of dividend distribution."),
        (STABLE, "Not only does Acme maintain a stable dividend trend, it raises it each year."),
        (DEBT, "Acme's debt on the balance sheet rose from 5 to 7."),
        (DEBT, "Acme increased its debt."),
        (FIRST, "True"),
        (FIRST, "That is correct: Ada Lovelace was the first."),
        (VIETNAMESE, "Có, công ty trả cổ tức năm 2020."),
        (VIETNAMESE, "Đúng."),
    ],
)
def test_a_response_that_says_yes_agrees_with_yes(question, response):
    """A side in one word or in a statement agrees with a golden yes, and contradicts a golden no."""
    assert polarity.compare("Yes, it does.", response, question).stance is Stance.AGREES
    assert polarity.compare("No.", response, question).stance is Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("question", "response"),
    [
        (CAPITAL, "No, it was negative."),
        (CAPITAL, "no"),
        (CAPITAL, "No."),
        (CAPITAL, "Acme does not have positive working capital."),
        (CAPITAL, "Acme doesn't have positive working capital."),
        (CAPITAL, "Acme has negative working capital of $1 billion based on the FY2022 data."),
        (CAPITAL, "Assets 5, liabilities 7. Therefore, Acme has negative working capital."),
        (CAPITAL, "This means that Acme lacks positive working capital in 2022."),
        (CAPITAL, "Acme is unlikely to have positive working capital."),
        (CAPITAL, "The numbers are above. Therefore, the answer is no."),
        (STABLE, "Acme does not maintain a stable trend of dividend distribution."),
        (STABLE, "The dividend distribution trend of Acme is volatile."),
        (STABLE, "There was no stable trend of dividend distribution."),
        (DEBT, "Acme's debt on the balance sheet decreased by 2.5."),
        (DEBT, "Acme did not increase its debt."),
        (DEBT, "Acme's debt fell."),
        (DEBT, "It appears that Acme never increased its debt."),
        (FIRST, "False"),
        (FIRST, "The statement is false."),
        (VIETNAMESE, "Không, công ty lỗ."),
        (VIETNAMESE, "Công ty không trả cổ tức năm 2020."),
    ],
)
def test_a_response_that_says_no_agrees_with_no(question, response):
    """A side denied in one word, by a negation or by an opposite word agrees with a golden no."""
    assert polarity.compare("No, it does not.", response, question).stance is Stance.AGREES
    assert polarity.compare("Yes", response, question).stance is Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("question", "response"),
    [
        (CAPITAL, "Here are the key points on the pension plan."),
        (CAPITAL, "To determine whether Acme has positive working capital, look at the balance sheet."),
        (CAPITAL, "[END OF FILING]"),
        (CAPITAL, ""),
        (FIRST, "Paris"),
        ("", "It does."),
    ],
)
def test_a_response_without_a_side_is_absent(question, response):
    """What neither states a side nor speaks about the question takes none."""
    assert polarity.compare("Yes, it does.", response, question).stance is Stance.ABSENT


SIDELESS = """
Paris
No Doubt
No. 10 Downing Street
No Country for Old Men
Yesterday
No-Doze
Norway
True Grit
False black widow
Nothing Compares 2 U
None But the Brave
Không có nhân viên
134.4
"""


@pytest.mark.parametrize(
    "golden",
    SIDELESS.strip().splitlines(),
)
def test_a_golden_text_without_a_side_is_silent(golden):
    """Names and values that start like a side take none."""
    assert polarity.compare(golden, "No, it does not.", FIRST).stance is Stance.SILENT


@pytest.mark.parametrize(
    ("golden", "question", "response", "stance"),
    [
        ("There are none", NOTES, "Acme does not have any debt securities registered on an exchange.", Stance.AGREES),
        ("There are none", NOTES, "There are no debt securities of Acme listed.", Stance.AGREES),
        ("None", NOTES, "No debt securities of Acme are registered.", Stance.AGREES),
        ("There are no such securities.", NOTES, "The registered debt securities: none.", Stance.AGREES),
        ("There are none", NOTES, "The debt securities registered are the notes due 2026.", Stance.CONTRADICTS),
        ("There are none", NOTES, "None.", Stance.AGREES),
        ("There are none", NOTES, "There are none. All is private.", Stance.AGREES),
        ("There are none", NOTES, "The weather was fine.", Stance.ABSENT),
        ("Gross margin is not used here", MARGIN, "Gross margin is not a useful metric for a bank.", Stance.AGREES),
        (
            "The bank does not report it",
            MARGIN,
            "Gross margin rose because of lower costs at the bank.",
            Stance.CONTRADICTS,
        ),
    ],
)
def test_a_golden_text_that_denies_the_question(golden, question, response, stance):
    """A golden `there are none` is agreed by a negated statement about the question, contradicted by any other."""
    assert polarity.compare(golden, response, question).stance is stance


def test_the_evidence_quotes_both_sides():
    """The evidence shows the golden word and the clause of the response that takes the side."""
    clause = "Therefore, Acme has no positive working capital"
    response = f"Sales rose. {clause}. It may change."
    found = polarity.compare("Yes, it has.", response, CAPITAL)
    assert found.golden.text == "Yes"
    assert found.response.text == clause
    assert response[found.response.start : found.response.end] == found.response.text
    assert found.note == "says no, where the golden answer says yes"


def test_a_side_in_a_word_is_stronger_than_a_statement():
    """What is stated outranks what is implied."""
    stated = polarity.compare("No", "No.", CAPITAL)
    implied = polarity.compare("No", "Acme does not have positive working capital.", CAPITAL)
    assert stated.strength > implied.strength


@given(golden=st.sampled_from(["Yes", "No, not at all", "There are none", "x"]), response=st.text(), question=st.text())
def test_any_text_is_read(golden, response, question):
    """No text raises, and what is quoted stands in the response."""
    found = polarity.compare(golden, response, question)
    if found.response:
        assert response[found.response.start : found.response.end] == found.response.text


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["yes", "no, ", "the answer is ", ". ", "\n", " ", "because ", "acme not ", "không "])
def test_hostile_characters_take_linear_time(piece):
    """The time does not grow with the square of the text, on either side."""

    def work(size: int) -> None:
        hostile = piece * (size // len(piece))
        polarity.compare("No", hostile, CAPITAL)
        polarity.compare(hostile, "No", hostile)

    assert growth(work, 60_000) < ROOM
