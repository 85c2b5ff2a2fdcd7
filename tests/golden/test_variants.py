"""Equivalent forms of a fact: which there are, and that each says what the fact says and nothing else."""

from datetime import date

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from qaviz.golden.forms import equivalent_forms, read_sole
from qaviz.reading import Relation, compare, detect_language


@pytest.mark.parametrize(
    ("fact", "answer", "forms"),
    [
        ("134.4 billion", "", ["134,400 million", "134400 million", "134,400,000,000"]),
        ("$5m", "", ["$5 million", "5 million dollars", "$5,000,000"]),
        ("158 million", "", ["158,000,000"]),
        ("158,000,000", "", ["158 million", "158000000"]),
        ("10317750796", "", ["10,317,750,796"]),
        ("10,317,750,796", "", ["10317750796"]),
        ("2,500 km", "", ["2500 km"]),
        ("-3.2 billion", "", ["-3,200 million", "-3200 million", "-3,200,000,000"]),
        ("7.9%", "", ["7.9 percent", "7.9 per cent"]),
        ("two million", "", ["2 million", "2,000,000"]),
        ("(5) million", "", ["-5 million", "-5,000,000"]),
        ("2 May 1997", "", ["May 2, 1997", "1997-05-02"]),
        ("May 1, 1999", "", ["1999-05-01"]),
        ("September 2020", "", ["Sep 2020"]),
        *((fact, "", []) for fact in ("7", "3.14159", "daily", "Paris", "Apollo 13", "410 Terry Avenue North", "1987")),
        *((fact, "", []) for fact in ("12 million<AND>14 million", "12 to 14 million", "½ million", "about a dozen")),
        *((fact, "", []) for fact in ("134,383 million<OR>134183 million", "May 2", "03/05/2023", "1990s")),
        *((fact, "", []) for fact in ("12 May 1997 and 14 May 1998", "Art Reform Trust")),
    ],
)
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


@pytest.mark.parametrize(
    ("fact", "question", "forms"),
    [
        ("134,4 tỷ đồng", "Doanh thu là bao nhiêu?", ["134.400 triệu đồng"]),
        ("12,5%", "Tỷ lệ là bao nhiêu?", ["12,5 phần trăm"]),
        ("2023-02-22", "Ngày nào hợp đồng được ký?", ["22 tháng 2 năm 2023", "22/02/2023", "22/2/2023"]),
        ("134,4 Milliarden Euro", "Wie hoch war der Umsatz?", ["134,4 Mrd. Euro", "134.400 Millionen Euro"]),
        ("11,5 %", "Um wie viel Prozent stieg der Umsatz?", ["11,5%", "11,5 Prozent"]),
        ("22. Februar 2023", "Wann wurde die Firma gegründet?", ["22.02.2023", "22.2.2023", "2023-02-22"]),
        ("22 de febrero de 2023", "¿Cuándo se firmó?", ["22/02/2023", "22/2/2023", "2023-02-22"]),
        ("1 234 567 habitants", "Combien d'habitants compte la ville ?", ["1234567 habitants"]),
        ("22 février 2023", "Quand la société a-t-elle été créée ?", ["22/02/2023", "22/2/2023", "2023-02-22"]),
        ("2023年2月22日", "いつですか?", ["2023/2/22", "2023-02-22"]),
        ("750,000円", "補助金の額はいくらですか?", ["75万円", "750000円"]),
        ("34.5亿元", "营业收入是多少?", ["345000万元", "3,450,000,000元"]),
        ("1,234", "Wie viele sind es nicht?", []),
    ],
)
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
