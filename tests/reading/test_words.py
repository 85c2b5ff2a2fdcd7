"""Words by form and stem, phrases, abbreviations."""

import pytest

from qaviz.reading.words import abbreviates, match_phrase, spelled_alike, terms


@pytest.mark.parametrize(
    ("phrase", "text", "share", "extended"),
    [
        ("Guinea", "It is registered in Guinea.", 1.0, ""),
        ("Guinea", "It is registered in Equatorial Guinea.", 1.0, "equatorial"),
        ("iPhone 13", "He bought an iPhone 13 Pro Max.", 1.0, "pro"),
        ("the United States", "It was made in the USA.", 1.0, ""),
        ("18 Elm Street", "The clinic is at 18 Elm St.", 1.0, ""),
        ("chest pain", "She had abdominal pain.", 0.5, ""),
        ("his daughter", "His granddaughter inherited it.", 0.0, ""),
        ("acquired companies", "It acquires a company a year.", 1.0, ""),
    ],
)
def test_phrases(phrase: str, text: str, share: float, extended: str) -> None:
    """A phrase is said in other forms; part of it is a part, and a word beside it makes another name of it."""
    match = match_phrase(phrase, text)
    assert (match.share if match else 0.0, match.extended if match else "") == (pytest.approx(share), extended)


@pytest.mark.parametrize(
    ("language", "phrase", "text", "extended"),
    [
        ("vi", "giám đốc", "Phó giám đốc ký công văn.", "phó"),
        ("fr", "ministre", "Le Premier ministre a signé le décret.", "premier"),
        ("ja", "社長", "署名したのは副社長です。", "副"),
        ("zh", "女儿", "孙女儿继承了房子。", "孙"),
    ],
)
def test_what_another_word_makes_of_a_phrase(language: str, phrase: str, text: str, extended: str) -> None:
    """A deputy is no director."""
    match = match_phrase(phrase, text, "", language)
    assert match is not None
    assert match.extended == extended


def test_tone_marks_tell_vietnamese_names_apart() -> None:
    """Hùng is not Hưng."""
    match = match_phrase("Nguyễn Văn Hùng", "Ông Nguyễn Văn Hưng viết báo cáo.", "", "vi")
    assert match is not None
    assert match.missing == ("hùng",)


def test_spelling_and_abbreviations() -> None:
    """Spellings of one name are alike, names that differ are not; abbreviations are capitals of the words in order."""
    assert spelled_alike("dmitri", "dimitri")
    assert not any(spelled_alike(*pair) for pair in (("iran", "iraq"), ("manet", "monet"), ("1984", "1985")))
    assert abbreviates("IMF", "International Monetary Fund")
    assert abbreviates("the ECB", "European Central Bank")
    assert not abbreviates("IMF", "Federal Reserve")


def test_terms_are_stems_without_grammar() -> None:
    """Foxes that were jumping are fox and jump."""
    assert terms("The foxes were jumping over the dogs") == {"fox", "jump", "dog"}
