"""Warnings beside the scores."""

import polars as pl
import pytest

from qaviz.model.columns import ANSWER, FACT, RESPONSE, WARNINGS
from qaviz.scoring import score


def warned(fact: str, response: str) -> list[str]:
    rows = pl.DataFrame({ANSWER: ["some answer"], FACT: [fact], RESPONSE: [response]})
    return score(rows)[WARNINGS].to_list()[0]


@pytest.mark.parametrize(
    ("response", "fact", "warning"),
    [
        (
            "totally wrong",
            "France<OR>",
            "empty variant: variant 2 of 2 is empty once normalised, so every response has it",
        ),
        ("wrong", "the<OR>x", "empty variant: variant 1 of 2 is empty once normalised, so every response has it"),
        (
            "It was (10,317,750,796).",
            "10317750796<OR> 10,317,750,796",
            "blank in a variant: “ 10,317,750,796” keeps the blank beside its delimiter, so the response needs it too",
        ),
        ("Revenue rose 112%", "12%", "inside a larger token: “12%” is there only as a part of “112%”"),
        (
            "2158 million",
            "158 million",
            "inside a larger token: “158 million” is there only as a part of “2158 million”",
        ),
        ("1,344 billion", "134.4 billion", "sign or decimal point lost: “1,344 billion” is not “134.4 billion”"),
        ("3.2 billion", "-3.2 billion", "sign or decimal point lost: “3.2 billion” is not “-3.2 billion”"),
        (
            "Amazon's office",
            "Amazon’s office",
            "curly apostrophe: “Amazon’s office” is there but for a curly quotation mark, which FMEval keeps",
        ),
        (
            "Amazon’s office",
            "Amazons office",
            "curly apostrophe: “Amazons office” is there but for a curly quotation mark, which FMEval keeps",
        ),
    ],
)
def test_each_trap_warns(response, fact, warning):
    """Each trap of FMEval's matching is named in a sentence that quotes what it is about."""
    assert warned(fact, response) == [warning]


@pytest.mark.parametrize(
    ("response", "fact"),
    [
        ("It was 10317750796.", "10,317,750,796"),
        ("It was 134.4 billion.", "134.4 billion<OR>134,400 million"),
        ("a loss of -3.2 billion", "-3.2 billion"),
        ("a loss of $-3.2 billion", "-$3.2 billion"),
        ("rose 12% to 112", "12%"),
        ("Paris", " Rome"),
        ("in  Rome , Italy", " Rome<OR>Lima"),
        ("Amazon’s office", "Amazon’s office"),
        ("Amazon’s bank", "Amazon's office"),
        ("12 April", "12th April"),
        ("Amazon’s office", "Amazon’s office<AND>Seattle"),
        ("Amazon's office, (x)", "Amazon’s office<OR> x<OR>(x)"),
    ],
)
def test_harmless_rows_have_no_warning(response, fact):
    """Thousands separators, equal quotes, plain misses, and traps in variants that are not needed do not warn."""
    assert warned(fact, response) == []


def test_several_warnings_of_one_response():
    """A response that walks into several traps has a sentence for each."""
    assert [warning.split(":")[0] for warning in warned(" x<OR>the", "(x)")] == ["empty variant", "blank in a variant"]
    assert [warning.split(":")[0] for warning in warned("-12.5%", "1125%")] == [
        "inside a larger token",
        "sign or decimal point lost",
    ]
