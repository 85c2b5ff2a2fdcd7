"""Equivalent forms of a fact: which there are, and that each says what the fact says and nothing else."""

from datetime import date

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from qaviz.golden.forms import equivalent_forms, read_sole
from qaviz.reading import Relation, compare, detect_language
from tests.cases import read_cases


@pytest.mark.parametrize(("fact", "answer", "forms"), read_cases(__file__, "forms_in_english"))
def test_forms_in_english(fact: str, answer: str, forms: list[str]):
    """A value comes in other scales, separators and orders; a name, count, frequency, range, fraction, what reads
    in two ways or contradicts itself has no other form."""
    assert equivalent_forms(fact, answer, "") == forms


def test_all_forms_of_a_date():
    """ISO, US, European, abbreviated and in digits, of which the fact has some."""
    forms = equivalent_forms("Feb 22 2023<OR>2023-02-22", "", "")
    expected = {"February 22, 2023", "22 February 2023", "Feb 22, 2023"}
    assert expected | {"22 Feb 2023", "02/22/2023", "22/02/2023"} <= {*forms}
    assert "2023-02-22" not in forms


@pytest.mark.parametrize(("fact", "question", "forms"), read_cases(__file__, "forms_in_languages"))
def test_forms_in_the_language_of_the_triplet(fact: str, question: str, forms: list[str]):
    """Each language brings its own months, scales, separators and words, and no English ones."""
    proposed = equivalent_forms(fact, fact, question)

    assert {*forms} <= {*proposed}
    assert bool(proposed) == bool(forms)
    assert not any(word in form for form in proposed for word in ("billion", "million ", "percent", "February"))


amounts = st.builds(
    lambda digits, decimals, sign, scale: f"{sign}{digits / 10**decimals:,.{decimals}f}{scale}",
    st.integers(21, 999_999),
    st.integers(0, 3),
    st.sampled_from(["", "$", "€"]),
    st.sampled_from([" million", " billion", " trillion", "", "%"]),
).filter(lambda text: not ("%" in text and text[0] in "$€"))


@given(amounts)
@example("0.050 million")
def test_each_form_of_a_number_is_the_number(fact: str):
    """Every form is the fact exactly, and holds no variant already there."""
    golden = read_sole(fact, "en")
    assume(golden is not None)
    for form in equivalent_forms(fact, fact, ""):
        given_ = read_sole(form, "en")
        assert given_ is not None, form
        assert compare(golden.token, given_.token) == (Relation.SAME, "exact"), form
        assert fact.lower() not in form.lower()


days = st.dates(date(1400, 1, 1), date(2099, 12, 31))
written = st.sampled_from(
    ["{0:%B} {0.day}, {0.year}", "{0:%Y-%m-%d}", "{0.day} {0:%B} {0.year}", "{0:%b} {0.day} {0.year}"]
)


@given(days, days, written, st.sampled_from(["", "Ngày nào hợp đồng được ký?"]))
def test_each_form_of_a_date_is_the_date(day: date, other: date, form_of: str, question: str):
    """Every form is the day of the fact, and stands in no form of another day."""
    assume(day != other)
    fact, another = form_of.format(day), form_of.format(other)
    forms, foreign = (equivalent_forms(text, "", question) for text in (fact, another))
    assert forms
    for form in forms:
        sole = read_sole(form, detect_language(question))
        assert sole is not None, form
        assert sole.token.value[1:4] == (day.year, day.month, day.day), form
        assert not any(form in text for text in foreign)
