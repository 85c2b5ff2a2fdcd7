"""Words by form, stem and spelling, abbreviations."""

import pytest

from qaviz.reading import detect_language
from qaviz.reading.words import abbreviates, spelled_alike, stem, terms, words
from tests.cases import read_cases


@pytest.mark.parametrize(("language", "form", "text", "places"), read_cases(__file__, "stems"))
def test_words_are_found_by_stem(language: str, form: str, text: str, places: list[int]) -> None:
    """A word is found in another form, as a number in Roman digits and by another name; tone marks tell names apart."""
    assert list(words(text, language).find(stem(form, language))) == places


def test_words_are_found_by_spelling() -> None:
    """Another spelling of a name is found, whatever letters it ends in."""
    written = words("Chaikovskij wrote, Tchaikovsky and Tschaikowski did; Chekhov not.")
    assert [*written.like("tchaikovsky")] == [0, 2, 4]


def test_spelling_and_abbreviations() -> None:
    """Spellings of one name are alike, names that differ are not; abbreviations are capitals of the words in order."""
    assert spelled_alike("dmitri", "dimitri")
    assert not any(
        spelled_alike(*pair) for pair in (("iran", "iraq"), ("manet", "monet"), ("zheng", "cheng"), ("1984", "1985"))
    )
    assert abbreviates("IMF", "International Monetary Fund")
    assert abbreviates("the ECB", "European Central Bank")
    assert not abbreviates("IMF", "Federal Reserve")


def test_terms_are_stems_without_grammar() -> None:
    """Foxes that were jumping are fox and jump."""
    assert terms("The foxes were jumping over the dogs") == {"fox", "jump", "dog"}


def test_one_word_beside_a_number_tells_no_language():
    """`am` of a time is no German; with another word it is."""
    assert detect_language("8 am", "en") == "en"
    assert detect_language("am Tag 8 und 9", "en") == "de"
