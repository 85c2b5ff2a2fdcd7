"""Figures that a text derives from amounts it names, computed again."""

import pytest

from qaviz.golden.lint.derived_figures import check_derived_figures

WRONG = [
    ("Total revenue grew 15% year-over-year from $514B to $575B in 2023.", "growth", "15%", "11.9%"),
    ("Revenue rose to $575B from $514B, an increase of 15%.", "growth", "15%", "11.9%"),
    ("Revenue rose from $514B to $575B, a 15% increase.", "growth", "15%", "11.9%"),
    ("Revenue fell 15% from $575B to $514B.", "growth", "15%", "10.6%"),
    ("Net sales decreased by 7.5%, from 200 million to 190 million.", "growth", "7.5%", "5%"),
    ("Units grew 50% from 2,000 to 2,500.", "growth", "50%", "25%"),
    ("Sales rose by $71 billion, from $514 billion to $575 billion.", "difference", "$71 billion", "61 billion USD"),
    ("$575B - $514B = $71B", "difference", "$71B", "61 billion USD"),
    ("575 - 514 = 71", "difference", "71", "61"),
    ("$514B + $575B = $1,189B", "sum", "$1,189B", "1.089 trillion USD"),
    ("$353B and $131B, for a total of $494B.", "sum", "$494B", "484 billion USD"),
    ("It sold 40 million and 25 million, together 75 million.", "sum", "75 million", "65 million"),
    ("36.9 / 574.8 = 0.64", "ratio", "0.64", "0.064"),
    ("The margin is 36.9 / 574.8 = 16.4%.", "ratio", "16.4%", "6.42%"),
]
RIGHT = [
    "Total revenue grew 12% year-over-year from $514B to $575B in 2023.",
    "Total revenue grew 11.9% from $514B to $575B.",
    "Total revenue grew 11% from $514B to $575B.",
    "North America increased 12% YoY from $316B to $353B, International grew 11% YoY from $118B to $131B, and AWS "
    "increased 13% YoY from $80B to $91B.",
    "Operating income improved 201% YoY from $12.2B (a margin of 2.4%) to $36.9B (a margin of 6.4%).",
    "Revenue grew at a CAGR of 4% from $514B to $575B.",
    "Revenue grew 9% excluding exchange rates, from $514B to $575B.",
    "The margin rose 4 points from 2.4% to 6.4%.",
    "From 2010 to 2020 it grew 15%.",
    "The tax rate was 21%; revenue rose from $514B to $575B.",
    "It moved from 5 to 7 and 30% of the staff left.",
    "$514B + $575B = $1,089B",
    "575 - 514 = 61",
    "(575 - 514) / 514 = 11.9%",
    "2 + 3 * 4 = 14",
    "$353B and $131B, for a total of $484B.",
    "36.9 / 574.8 = 6.4%",
    "Change in inventory = $2,438 - $2,320 = $118 million",
    "Revenue of $10 million and costs of $4 million; total assets were $90 million.",
    "About 12% up from $514B to $575B.",
]


@pytest.mark.parametrize(("text", "kind", "stated", "computed"), WRONG, ids=[case[0][:40] for case in WRONG])
def test_a_wrong_figure_is_found_and_computed(text: str, kind: str, stated: str, computed: str):
    """The figure that the amounts beside it do not give is quoted, with what they give."""
    (found,) = check_derived_figures(text)

    assert (found.kind, found.stated.text, found.computed) == (kind, stated, computed)
    assert text[found.stated.start : found.stated.end] == stated
    assert all(text[each.start : each.end] == each.text for each in found.operands)


@pytest.mark.parametrize("text", RIGHT, ids=[text[:40] for text in RIGHT])
def test_what_rounding_or_another_measure_explains_is_not_wrong(text: str):
    """Rounded, cut off, of another kind, or no derived figure at all: nothing is found."""
    assert check_derived_figures(text) == ()
