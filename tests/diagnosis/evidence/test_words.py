"""Words that compare: folded, by stem, by spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.evidence.words import form, sounds_like, stems, words

KIN = (
    "zulu zulus|city cities|walk walked|walk walking|distil distilling|magnetised magnetized"
    "|mathematics mathematical|chordata chordates|germany german|iran iranian|austria austrian"
    "|australia australian|vegetarian vegetarians|nation national|fox foxes|church churches"
    "|swim swimming|russia russian|america american"
)
STRANGERS = (
    "iran iraq|austria australia|austrian australian|mali malta|niger nigeria|slovakia slovenia|1930 1931"
    "|bus boss|gas guess"
)
SPELLINGS = (
    "mathew matthew|dimitri dmitri|tchaikovski tchaikovsky|rheims reims|catherine katherine|steven stephen"
    "|erik eric|carl karl|colour color|theatre theater|sphinx sfinks|kirsch kirsh|smyth smith|philip filip"
    "|wittgenstein witgenstien"
)
SIMILAR = (
    "iran iraq|austria australia|manet monet|maria mario|julia julio|louis louise|niger nigeria|dairy diary"
    "|ship shop|iceland ireland|1984 1985|7 7|slovakia slovenia|gambia zambia|angel angle|georgia george"
)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Paris", "paris"),
        ("PARIS", "paris"),
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("Straße", "strasse"),
        ("Łódź", "lodz"),
        ("Đà", "da"),
        ("Cassini's", "cassini"),
        ("Cassini’s", "cassini"),
        ("O’Brien", "obrien"),
        ("U.N.", "un"),
        ("U.S.A.", "america"),
        ("United  States", "america"),
        ("us", "us"),
        ("Usa", "america"),
        ("united states of america", "america"),
        ("NYC", "newyork"),
        ("Holland", "netherlands"),
        ("thirty-sixth", "36"),
        ("Forty Two", "42"),
        ("sixtieth", "60"),
        ("mice", "mouse"),
        ("β", "beta"),
        ("seven", "7"),
        ("seventh", "7"),
        ("7th", "7"),
        ("VII", "7"),
        ("vii", "vii"),
        ("I", "i"),
        ("1,250", "1250"),
        ("1930s", "1930"),
        ("777X", "777x"),
        ("Boulevard", "blvd"),
    ],
)
def test_a_form_has_no_case_accent_or_sign(word, expected):
    """Each word has one form for all ways to write it; numbers are digits, Roman ones only in capitals."""
    assert form(word) == expected


@pytest.mark.parametrize(
    "pair",
    KIN.split("|"),
)
def test_kin_share_a_stem(pair):
    """Plural, verb endings, adjectives and inhabitants belong to their word."""
    one, other = pair.split()
    assert set(stems(one)) & set(stems(other))


@pytest.mark.parametrize(
    "pair",
    STRANGERS.split("|"),
)
def test_strangers_share_no_stem(pair):
    """Words of similar letters stay apart."""
    one, other = pair.split()
    assert not set(stems(one)) & set(stems(other))


@pytest.mark.parametrize(
    "pair",
    SPELLINGS.split("|"),
)
def test_spellings_sound_alike(pair):
    """Silent letters, double letters and letters of one sound make no other word."""
    one, other = pair.split()
    assert sounds_like(one, other)
    assert sounds_like(other, one)


@pytest.mark.parametrize(
    "pair",
    SIMILAR.split("|"),
)
def test_similar_words_do_not_sound_alike(pair):
    """Another vowel, consonant, order or last letter makes another word, and numbers have no spelling."""
    one, other = pair.split()
    assert not sounds_like(one, other)


def test_citations_and_tags_hold_no_words():
    """`[1]`, `[^2^]` and HTML tags are left out, and what stands around them keeps its place."""
    text = "Paris[1] is <b>old</b>[^2^]."
    read = words(text)
    assert read.forms == ("paris", "is", "old")
    assert [text[start:end] for start, end in read.spans] == ["Paris", "is", "old"]


def test_a_number_and_a_name_of_two_words_are_one_word_each():
    """`thirty-six` and `New York City` are read as one, however their capitals and blanks are set."""
    assert words("Thirty-six people of new york city, and thirty more").forms[:4] == ("36", "people", "of", "newyork")
    assert words("thirty more").forms == ("30", "more")


@given(text=st.text())
def test_every_word_has_its_place(text):
    """Forms and spans go together for any text."""
    read = words(text)
    assert len(read.forms) == len(read.spans)
    assert [form(text[start:end]) for start, end in read.spans] == list(read.forms)
