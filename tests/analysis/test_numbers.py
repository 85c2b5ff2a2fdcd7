"""qaviz.analysis.numbers: one way to write each kind of number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.analysis import numbers
from qaviz.analysis.numbers import lower_bound, upper_bound


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param(numbers.count(1008), "1,008", id="thousands"),
        pytest.param(numbers.plural(1, "match", "matches"), "1 match", id="one"),
        pytest.param(numbers.plural(1008, "question"), "1,008 questions", id="many"),
        pytest.param(numbers.plural(2, "match", "matches"), "2 matches", id="many, irregular"),
        pytest.param(numbers.score(0.9167), "0.92", id="two decimals"),
        pytest.param(numbers.score(None), "–", id="a missing score is no zero"),
        pytest.param(numbers.figure(1234.4), "1,234", id="a time in whole units, never a power of ten"),
        pytest.param(numbers.figure(0.000421), "0.000421", id="a small cost"),
        pytest.param(numbers.figure(4.5, 4), "4.5", id="no needless zeros"),
        pytest.param(numbers.figure(0), "0", id="nothing"),
        pytest.param(numbers.figure(None), "–", id="a missing cost"),
        pytest.param(numbers.percent(0.8), "80%", id="whole percent"),
        pytest.param(numbers.percent(0.001), "<1%", id="little is not none"),
        pytest.param(numbers.percent(0.999), ">99%", id="nearly all is not all"),
        pytest.param(numbers.percent(0.0), "0%", id="none"),
        pytest.param(numbers.percent(1.0), "100%", id="all"),
        pytest.param(numbers.percent(None), "–", id="a missing share"),
        pytest.param(numbers.out_of(8, 10), "8 of 10", id="hits"),
        pytest.param(numbers.out_of(0, 0), "–", id="among none"),
        pytest.param(numbers.interval(0.4902, 0.9433), "49.0–94.4%", id="interval"),
        pytest.param(numbers.interval(None, None), "–", id="no interval"),
        pytest.param(numbers.p_value(0.125), "p = 0.125", id="p-value"),
        pytest.param(numbers.p_value(0.0002), "p < 0.001", id="tiny p-value"),
        pytest.param(numbers.join(["a"]), "a", id="one name"),
        pytest.param(numbers.join(["a", "b", "c"]), "a, b and c", id="names"),
        pytest.param(numbers.join([]), "", id="no names"),
    ],
)
def test_written(written, expected):
    """Each number reads as the table says, whoever shows it."""
    assert written == expected


@given(st.floats(0, 1))
def test_a_bound_is_never_told_better_than_it_is(share: float):
    """What is read of an upper bound is at least the bound, of a lower one at most, and within a tenth of a percent."""
    above, below = (float(text.removesuffix("%")) / 100 for text in (upper_bound(share), lower_bound(share)))

    assert below - 1e-8 <= share <= above + 1e-8
    assert above - share < 0.0011
    assert share - below < 0.0011


@pytest.mark.parametrize(
    ("share", "above", "below"),
    [
        (0.0147, "1.5%", "1.4%"),
        (0.072, "7.2%", "7.2%"),
        (0.0433, "4.4%", "4.3%"),
        (0.07, "7.0%", "7.0%"),
        (0, "0.0%", "0.0%"),
    ],
)
def test_bounds_have_one_decimal(share: float, above: str, below: str):
    """A bound that is a tenth of a percent reads as it is; others are rounded to the safe side."""
    assert (upper_bound(share), lower_bound(share)) == (above, below)
