"""What holds for every quantity and date, and for every text however hostile."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qaviz.diagnosis.evidence import Evidence, Stance, dates, quantities
from tests.growth import ROOM, growth

Compare = Callable[[str, str, str], Evidence]

HOW_MUCH = "How much was it?"
millions = st.decimals(min_value=10, max_value=99999, places=1)
days = st.dates(min_value=date(1000, 1, 1), max_value=date(2199, 12, 31))
FORMS = ("%-d %B %Y", "%B %-d, %Y", "%b %-d %Y", "%Y-%m-%d", "ngày %-d tháng %-m năm %Y", "on the %-dth of %B, %Y")
IN_UNITS: tuple[tuple[str, str, Decimal], ...] = (
    ("km", "m", Decimal(1000)),
    ("kg", "g", Decimal(1000)),
    ("hours", "minutes", Decimal(60)),
    ("percentage points", "basis points", Decimal(100)),
    ("m", "feet", 1 / Decimal("0.3048")),
)
PIECES = [
    *"0123456789.,'/-–() $€%x×^eE+~≈:[]*#\n",
    *("one ", "two ", "hundred ", "million ", " and ", "half ", "a ", "May ", "March ", "2023 ", "1997", "th", "st"),
    *(" to ", "from ", "between ", "feet ", "tháng ", "năm ", "tỷ ", "İ", "ß", "٣", "²", "½", " BC", " century"),
    *(
        "first ",
        "third ",
        "point ",
        "therefore ",
        "= ",
        "in USD millions",
        "when ",
        "how many ",
        "round to two decimal",
    ),
]
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))


@given(millions)
def test_another_scale_agrees(value: Decimal):
    """A quantity re-expressed in another scale still agrees, both ways round."""
    one, other = f"${value:,} million", f"${value / 1000} billion"
    assert quantities.compare(one, f"It was {other}.", HOW_MUCH).stance is Stance.AGREES
    assert quantities.compare(other, f"It was {one}.", HOW_MUCH).stance is Stance.AGREES


@given(millions, st.sampled_from(IN_UNITS))
def test_another_unit_agrees(value: Decimal, units: tuple[str, str, Decimal]):
    """A quantity re-expressed in another unit still agrees."""
    unit, other, factor = units
    response = f"It was {value * factor:.4f} {other}."
    assert quantities.compare(f"{value} {unit}", response, HOW_MUCH).stance is Stance.AGREES


@given(millions, st.integers(min_value=2, max_value=5))
def test_rounding_agrees(value: Decimal, digits: int):
    """A quantity rounded to fewer digits agrees, as long as it says the value to within one in twenty."""
    rounded = Decimal(f"{value:.{digits - 1}e}")
    assume(abs(rounded - value) <= value / 20)
    assert quantities.compare(f"{value} million", f"{rounded:e} million", HOW_MUCH).stance is Stance.AGREES


@given(millions, st.sampled_from([1, -1]), st.integers(min_value=1, max_value=9))
def test_beyond_the_last_digit_contradicts(value: Decimal, sign: int, steps: int):
    """A quantity changed by more than half of its last digit contradicts."""
    changed = value + sign * steps * Decimal("0.1")
    assert quantities.compare(f"{value} million", f"{changed} million", HOW_MUCH).stance is Stance.CONTRADICTS


@given(st.decimals(min_value=1, max_value=99, places=1))
def test_ratio_and_percent_agree_where_asked(value: Decimal):
    """A ratio agrees with its percentage where the question asks for one, and not elsewhere."""
    ratio = f"It was {value / 100}."
    assert quantities.compare(f"{value}%", ratio, "What is the margin?").stance is Stance.AGREES
    assert quantities.compare(f"{value}%", ratio, HOW_MUCH).stance is not Stance.AGREES


@given(days, st.sampled_from(FORMS), st.sampled_from(FORMS))
def test_another_form_of_a_date_agrees(day: date, form: str, other: str):
    """A date agrees with itself in every form."""
    found = dates.compare(day.strftime(form), f"It was {day.strftime(other)}.", "When was it?")
    assert (found.stance, found.strength) == (Stance.AGREES, 1)


@given(days, days, st.sampled_from(FORMS), st.sampled_from(FORMS))
def test_another_day_contradicts(day: date, another: date, form: str, other: str):
    """A date contradicts every other one, in every form."""
    assume(day != another)
    found = dates.compare(day.strftime(form), f"It was {another.strftime(other)}.", "When was it?")
    assert found.stance is Stance.CONTRADICTS


@given(texts)
def test_finds_stand_in_order_inside_the_text(text: str):
    """Whatever the text, what is found lies inside it, in order, without overlap."""
    for found in (quantities.find(text), dates.find(text)):
        edges = [edge for one in found for edge in (one.start, one.end)]
        assert edges == sorted(edges)
        assert all(one.start < one.end <= len(text) for one in found)


@pytest.mark.parametrize("compare", [quantities.compare, dates.compare])
@given(golden=texts, response=texts, question=texts)
def test_evidence_is_well_formed(compare: Compare, golden: str, response: str, question: str):
    """Whatever the texts, evidence comes back with a strength from 0 to 1 and spans that quote their texts."""
    found = compare(golden, response, question)
    assert 0 <= found.strength <= 1
    for span, text in ((found.golden, golden), (found.response, response)):
        assert span is None or text[span.start : span.end] == span.text


HOSTILE = {
    "digits": "1",
    "commas": "1,",
    "thousands": "1,111,",
    "spaced": "1 111 ",
    "brackets": "(",
    "currencies": "$",
    "dashes": "-",
    "ids": "1-",
    "citations": "[1, ",
    "fractions": "1/",
    "markers": "1.\n",
    "equations": "= 1 ",
    "conclusions": "therefore 1. ",
    "powers": "1e9 ",
    "words": "hundred ",
    "ones": "one ",
    "decimals in words": "one point one ",
    "ranges": "from 1 to 2 ",
    "compounds": "5 feet 11 inches ",
    "months": "may ",
    "Vietnamese months": "tháng 1 ",
    "years": "2019-",
    "centuries": "twelfth century ",
    "blanks": " ",
    "longer when lowered": "İ 1 ",
    "hedges": "about 5,000 ",
    "questions": "how, is when ",
}


@pytest.mark.parametrize("compare", [quantities.compare, dates.compare])
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_takes_linear_time(piece: str, compare: Compare):
    """A text of any pattern is read in linear time, as golden text, as response and as question."""

    def work(size: int) -> None:
        text = piece * (size // len(piece))
        compare("5 million on 3 May 1997", text, "How many when?")
        compare(text, "5 million on 3 May 1997", "How many when?")
        compare("5 million on 3 May 1997", "6 million on 3 May 1998", text)

    assert growth(work, 60_000) < ROOM
