"""Equivalent forms of a fact: which there are, and that each says what the fact says and nothing else."""

from datetime import date

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from qaviz.golden.written_forms import equivalent_forms

from qaviz.diagnosis.evidence import Stance, dates, quantities


@pytest.mark.parametrize(
    ("fact", "answer", "forms"),
    [
        ("134.4 billion", "", ["134,400 million", "134,400,000,000"]),
        ("$134.4 billion", "", ["134.4 billion", "$134.4B", "134,400 million", "134,400,000,000"]),
        ("$5m", "", ["$5 million", "5,000,000"]),
        ("158 million", "", ["158,000,000"]),
        ("158,000,000", "", ["158 million", "158000000"]),
        ("10317750796", "", ["10,317,750,796"]),
        ("10,317,750,796", "", ["10317750796"]),
        ("2,500 employees", "", ["2500 employees"]),
        ("-3.2 billion", "", ["-3,200 million", "-3,200,000,000"]),
        ("7.9%", "", ["7.9 percent", "7.9 per cent"]),
        ("two million", "", ["2 million", "2,000,000"]),
        ("12", "", ["twelve"]),
        ("seven", "She won seven titles.", ["7 titles"]),
        ("7", "", []),
        ("3.14159", "", []),
        ("Paris", "", []),
        ("Apollo 13", "", []),
        ("410 Terry Avenue North", "", []),
        ("12 million<AND>14 million", "", []),
        ("1987", "", []),
    ],
)
def test_forms_of_numbers(fact: str, answer: str, forms: list[str]):
    """A number comes in other scales, with and without separators, in words and in digits; a name does not."""
    assert equivalent_forms(fact, answer, "") == forms


def test_the_precision_of_the_golden_answer():
    """A figure in the golden answer brings its own forms; a fact coarser than the golden answer brings none."""
    both = equivalent_forms("134,383 million", "Net sales were $134.4 billion.", "")
    assert both == ["134383 million", "134.383 billion", "134,383,000,000", "134.4 billion", "$134.4B"]
    assert "12.5 billion" not in equivalent_forms("$12.5 billion", "It was 12,455 million.", "")


@pytest.mark.parametrize("fact", ["12 to 14 million", "12-14 million", "½ million", "1/2", "about a dozen"])
def test_what_is_no_single_number_brings_no_forms(fact: str):
    """A range, a fraction or a rough number has no other form that is as exact."""
    assert equivalent_forms(fact, "", "") == []


def test_a_loss_in_brackets_is_written_with_its_sign():
    """(5) million of a balance sheet is -5 million, without half of its brackets."""
    assert equivalent_forms("(5) million", "", "") == ["-5 million", "-5,000,000"]


def test_variants_that_contradict_each_other_bring_no_forms():
    """Nobody knows which of them is right."""
    assert equivalent_forms("134,383 million<OR>134183 million", "", "") == []


def test_a_plain_number_is_counted_in_what_the_question_says():
    """A fact of 1616 to a question in millions is 1,616 million."""
    forms = equivalent_forms("$1616.00", "$1616.00", "What were net receivables (in USD millions)?")
    assert forms[:4] == ["1,616 million", "1616 million", "$1,616M", "1.616 billion"]


@pytest.mark.parametrize(
    ("fact", "forms"),
    [
        ("2 May 1997", ["May 2nd 1997", "May 2nd, 1997", "May 2, 1997", "May 2 1997", "1997-05-02"]),
        ("September 2020", ["Sep 2020", "Sept 2020"]),
        ("May 2", []),
        ("03/05/2023", []),
        ("1990s", []),
        ("12 May 1997 and 14 May 1998", []),
    ],
)
def test_forms_of_dates(fact: str, forms: list[str]):
    """A date comes in other orders; forms that stand inside other dates or that read in two ways are left out."""
    assert equivalent_forms(fact, "", "") == [form for form in forms if form]


def test_all_forms_of_a_date():
    """ISO, US, European, ordinal, abbreviated and in digits, of which the fact has some."""
    forms = equivalent_forms("Feb 22 2023<OR>2023-02-22", "", "")
    expected = {"February 22, 2023", "22 February 2023", "February 22nd, 2023", "22nd February 2023", "Feb 22, 2023"}
    assert expected | {"22 Feb 2023", "22.02.2023", "02/22/2023", "22/02/2023"} <= {*forms}
    assert "2023-02-22" not in forms


@pytest.mark.parametrize(
    ("fact", "question", "forms"),
    [
        ("8.420 tỷ đồng", "Doanh thu là bao nhiêu?", ["8.420 tỷ", "8,42 nghìn tỷ", "8.420.000.000.000", "8.420 tỉ"]),
        ("134,4 tỷ đồng", "Doanh thu là bao nhiêu?", ["134,4 tỷ", "134.400 triệu", "134.400.000.000", "134,4 tỉ"]),
        ("134.4 billion", "Doanh thu là bao nhiêu?", ["134,4 tỷ", "134.400 triệu", "134.400.000.000", "134,4 tỉ"]),
        ("1 triệu", "Có bao nhiêu người?", ["1.000.000"]),
        ("12,5%", "Tỷ lệ là bao nhiêu?", ["12,5 phần trăm"]),
        (
            "2023-02-22",
            "Ngày nào hợp đồng được ký?",
            ["22 tháng 2 năm 2023", "22/2/2023", "22/02/2023"],
        ),
    ],
)
def test_forms_in_vietnamese(fact: str, question: str, forms: list[str]):
    """A Vietnamese question brings Vietnamese words, commas for decimals and points between thousands."""
    assert equivalent_forms(fact, "", question) == forms


amounts = st.builds(
    lambda digits, decimals, sign, scale: f"{sign}{digits / 10**decimals:,.{decimals}f}{scale}",
    st.integers(1, 999_999),
    st.integers(0, 3),
    st.sampled_from(["", "$", "€"]),
    st.sampled_from([" million", " billion", " trillion", "", "%"]),
).filter(lambda text: not ("%" in text and text[0] in "$€"))


@given(amounts, st.sampled_from(["", "Tỷ lệ là bao nhiêu?"]))
@example("0.050 million", "")
def test_each_form_of_a_number_is_the_number(fact: str, question: str):
    """Every form agrees with the fact, contradicts one twice as high, and holds no variant already there."""
    (golden,) = quantities.find(fact)
    digits = fact.strip("$€% abilmnort")
    # As exact as the fact: 0.1 million may be 0.050 million, 0.100 million may not.
    higher = fact.replace(digits, f"{_number(fact) * 2:.{len(digits.partition('.')[2])}f}")
    for form in equivalent_forms(fact, "", question):
        assert quantities.compare(fact, form, question).stance is Stance.AGREES
        assert quantities.compare(higher, form, question).stance is Stance.CONTRADICTS
        assert fact.lower() not in form.lower()
        (said,) = quantities.find(form)
        assert said.value == golden.value
    assert equivalent_forms(fact, "", question) == equivalent_forms(fact, "", question)


def _number(fact: str) -> float:
    return float("".join(letter for letter in fact if letter.isdigit() or letter == "."))


days = st.dates(date(1400, 1, 1), date(2099, 12, 31))
written = st.sampled_from(
    ["{0:%B} {0.day}, {0.year}", "{0:%Y-%m-%d}", "{0.day} {0:%B} {0.year}", "{0:%b} {0.day} {0.year}"]
)


@given(days, days, written, st.sampled_from(["", "Ngày nào hợp đồng được ký?"]))
def test_each_form_of_a_date_is_the_date(day: date, other: date, form_of: str, question: str):
    """Every form agrees with the fact, contradicts another date, and stands in no form of another date."""
    assume(day != other)
    fact, another = form_of.format(day), form_of.format(other)
    forms = equivalent_forms(fact, "", question)
    assert forms
    for form in forms:
        assert dates.compare(fact, form).stance is Stance.AGREES
        assert dates.compare(another, form).stance is Stance.CONTRADICTS
        assert not any(form in foreign for foreign in equivalent_forms(another, "", question))


@pytest.mark.parametrize(
    ("fact", "question", "forms"),
    [
        ("134,4 Milliarden Euro", "Wie hoch war der Umsatz?", ["134,4 Mrd. Euro", "134.400 Millionen Euro"]),
        ("11,5 %", "Um wie viel Prozent stieg der Umsatz?", ["11,5%", "11,5 Prozent"]),
        ("22. Februar 2023", "Wann wurde die Firma gegründet?", ["22.02.2023", "22.2.2023", "2023-02-22"]),
        ("4.130 millones de euros", "¿Cuánto ganó la empresa?", ["4,13 mil millones de euros"]),
        ("22 de febrero de 2023", "¿Cuándo se firmó?", ["22/02/2023", "22/2/2023", "2023-02-22"]),
        ("1 234 567 habitants", "Combien d'habitants compte la ville ?", ["1234567 habitants"]),
        ("22 février 2023", "Quand la société a-t-elle été créée ?", ["22/02/2023", "22/2/2023", "2023-02-22"]),
        ("2023年2月22日", "いつですか?", ["2023/2/22", "2023-02-22"]),
        ("2.5億円", "売上高はいくらですか?", ["25000万円", "2億5000万円"]),
        ("750,000円", "補助金の額はいくらですか?", ["75万円", "750000円"]),
        ("34.5亿元", "营业收入是多少?", ["34亿5000万元", "34.5億元", "34億5000萬元"]),
        ("12.5%", "利润率是多少?", ["百分之12.5"]),
        ("412 millions d'euros", "Quel est le chiffre d'affaires ?", ["412 M€"]),
    ],
)
def test_forms_in_the_language_of_the_triplet(fact: str, question: str, forms: list[str]):
    """A German, Spanish, French, Japanese or Chinese triplet brings the forms of its language, and no English ones."""
    found = equivalent_forms(fact, fact, question)

    assert found[: len(forms)] == forms
    assert not any(word in each for each in found for word in ("billion", "million ", "percent", "February"))


def test_no_forms_in_a_language_without_any():
    """A Dutch question does not bring English forms; nor does German 1,234, which reads in two ways."""
    assert equivalent_forms("12%", "De omzet steeg met 12%.", "Met hoeveel procent steeg de omzet?") == []
    assert equivalent_forms("1,234", "Es sind 1,234.", "Wie viele sind es nicht?") == []
