"""Columns of texts in the forms that FMEval compares."""

import polars as pl
import pytest

from qaviz.scoring import forms
from qaviz.scoring.definition import normalise, words_of
from tests.scoring.hostile import hostile_rows


@pytest.fixture(scope="module")
def characters() -> list[str]:
    """All of Unicode."""
    return [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]


def test_lower_case_of_every_character(characters):
    """Every character of Unicode, alone and before a final sigma, is lowered as this Python lowers it."""
    for texts in (characters, [f"A{character}Σ" for character in characters[:0x3000]]):
        assert forms.lower(pl.Series(texts)).to_list() == [text.lower() for text in texts]


def test_one_character_grows(characters):
    """Lower case keeps the length of every character but İ, which the search for offsets counts on."""
    assert [one for one in characters if len(one.lower()) != 1] == ["İ"]


def test_white_space_is_pythons(characters):
    """Every character that Python strips is stripped, and no other."""
    texts = [f"{character}x{character}" for character in characters]
    assert forms.strip(pl.Series(texts)).to_list() == [text.strip() for text in texts]


def test_normal_forms_and_words_of_hostile_texts(characters):
    """Normal form and words equal the definition's on texts made of what goes wrong, and around every character."""
    texts = hostile_rows(2_000, seed=1).to_series(2).to_list() + [f"the{one}a b{one}" for one in characters[:0x4000]]
    normal = forms.normal(forms.lower(pl.Series(texts)))
    assert normal.to_list() == [f" {normalise(text.strip())} ".replace("  ", " ") for text in texts]
    assert [set(words) for words in forms.words(normal)] == [words_of(text) | {""} for text in texts]
