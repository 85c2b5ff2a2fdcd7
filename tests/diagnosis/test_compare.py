"""What an answer region says of golden texts: a table of cases by kind of evidence, and properties of any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.stance import Stance
from qaviz.diagnosis.weigh import Case, Weighed, weigh

A, C, N = "agrees", "contradicts", "absent"

CASES = [
    # amounts: value, unit, currency, sign, bound, period, scale, rounding
    ("What was the fine?", "£3,000", "The fine was 3,000 pounds.", A),
    ("What was the fine?", "£3,000", "The fine was ¥3,000.", C),
    ("How long is the trail?", "16 km", "The trail is 16 miles long.", C),
    ("How heavy is the parcel?", "5 kg", "It weighs 5,000 g.", A),
    ("What was net income?", "$2.4 billion", "Net income was $2,400 million.", A),
    ("What was net income?", "$2.4 billion", "Net income was $240 million.", C),
    ("What was the change?", "-312", "It was 312.", C),
    ("What is the rent?", "$900 per month", "The rent is $900 a month.", A),
    ("What is the rent?", "$900 per month", "The rent is $900 a year.", C),
    ("How many people came?", "more than 5,000", "Fewer than 5,000 people came.", C),
    ("What was revenue (in USD millions)?", "1577.00", "Revenue was $1,577 million.", A),
    ("What was revenue?", "$386.1 billion", "About $386 billion.", A),
    ("How many eggs are in the box?", "12", "There are a dozen eggs in the box.", A),
    ("How many eggs are in the box?", "12", "There are 7 eggs in the box.", C),
    ("How many eggs are in the box?", "12", "The box is red.", N),
    # dates and times
    ("When was she born?", "12 March 2019", "She was born on 2019-03-12.", A),
    ("When was she born?", "12 March 2019", "She was born on 2019-12-03.", C),
    ("When does the shop open?", "8 am", "The shop opens at 8 pm.", C),
    ("Which quarter was best?", "the fourth quarter of 2020", "It was Q3 2020.", C),
    # codes
    ("Which release fixed it?", "v2.4.1", "Release 2.4.11 fixed it.", C),
    ("Which release fixed it?", "v2.4.1", "Release v2.4.1 fixed it.", A),
    # yes and no
    ("Is breakfast included?", "no", "Breakfast isn't included.", A),
    ("Is breakfast included?", "no", "Yes, it is.", C),
    ("Can I bring a dog?", "yes", "Answer: No.", C),
    ("Ist der Ausweis gültig?", "ja", "Nein, er ist abgelaufen.", C),
    # names and phrases
    ("Who wrote it?", "Ana Lima", "It was written by Lima, Ana.", A),
    ("Who won?", "Serena Williams", "Venus Williams", N),
    ("What did she order?", "pear", "She ordered a spear of asparagus.", N),
    ("Is it paid or unpaid?", "paid", "It is unpaid.", N),
    ("Who lends to states?", "International Monetary Fund", "The IMF does.", A),
    ("Who are the founders?", "Amy Wu and Leo Barr", "The founder is Leo Barr.", N),
    ("Ai viết báo cáo?", "Nguyễn Văn Hùng", "Ông Nguyễn Văn Hưng viết báo cáo.", N),
    ("谁写了这本书？", "王芳", "这本书是王芳写的。", A),
]


def read(question: str, golden: str, response: str) -> Weighed:
    return weigh(Case(question, golden, golden, response))


@pytest.mark.parametrize(("question", "golden", "response", "stance"), CASES)
def test_regions_are_compared(question, golden, response, stance):
    """Values that differ in a qualifier contradict, other forms agree, and what is not there is absent."""
    leading = read(question, golden, response).leading
    assert leading is not None
    assert leading.stance == stance


def test_what_is_quoted_stands_there():
    """The words that evidence quotes are those of the response, behind wrappers too."""
    response = "**Answer:** The  rent is $900 a month [1]."
    weighed = read("What is the rent?", "$900 per month", response)
    start, end = weighed.region.as_written(weighed.leading.start, weighed.leading.end)
    assert response[start:end].startswith("$900")


PIECES = [*'(]{"，王ßİ\n', "Ana ", "Lima", "12", " km", "$", "no", "not ", "yes", ". ", "não ", "**", "1. "]
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


@given(texts, texts, texts)
def test_any_text_is_weighed(question, golden, response):
    """Whatever the texts, there is a stance, and its quote lies in the response."""
    weighed = read(question, golden, response)
    if weighed.leading and weighed.leading.start < weighed.leading.end:
        start, end = weighed.region.as_written(weighed.leading.start, weighed.leading.end)
        assert 0 <= start < end <= len(response)
        assert weighed.leading.stance in Stance
