"""What an answer region says of golden texts: a table of cases by kind of evidence, and properties of any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.stance import Stance
from qaviz.diagnosis.weigh import Case, Weighed, weigh
from tests.cases import read_cases


def read(question: str, golden: str, response: str) -> Weighed:
    return weigh(Case(question, golden, golden, response))


@pytest.mark.parametrize(("kind", "question", "golden", "response", "stance"), read_cases(__file__, "cases/stances"))
def test_regions_are_compared(kind, question, golden, response, stance):
    """Values that differ in a qualifier contradict, other forms agree, and what is not there is absent."""
    leading = read(question, golden, response).leading
    assert leading is not None
    assert leading.stance == stance, kind


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
