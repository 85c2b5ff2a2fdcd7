"""A text as its clauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.evidence.clauses import clauses, level_text, span


def split(level):
    return [level[start:end] for start, end in clauses(level)]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("one. two! three? four", ["one", "two", "three", "four"]),
        ("it is 134.4 billion. yes.", ["it is 134.4 billion", "yes."]),
        ("one\ntwo\n\n three", ["one", "two", "three"]),
        ("one; two", ["one", "two"]),
        ("sorry, but no", ["sorry", "but no"]),
        ("it is old, however it works", ["it is old", "however it works"]),
        ('he said "no." then left', ['he said "no', "then left"]),
        ("mr. smith met dr. jones. they left", ["mr. smith met dr. jones", "they left"]),
        ("made by acme inc. in rome", ["made by acme inc. in rome"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_clauses_end_at_sentences_lines_and_contrasts(level, expected):
    """Sentences, lines, semicolons and contrasts divide; decimal points and abbreviations do not."""
    assert split(level) == expected


def test_levelled_text_is_plain():
    """Case, curly quotes, long dashes and odd blanks are levelled."""
    assert level_text("“It’s” — NOT\u00a0here") == '"it\'s" - not here'


@given(text=st.text())
def test_levelled_text_keeps_its_offsets(text):
    """A levelled text is as long as the text, whatever its letters."""
    assert len(level_text(text)) == len(text)


@given(text=st.text(alphabet="ab .!?\n;,"))
def test_clauses_leave_no_word_out(text):
    """Every letter stands in one clause, in order."""
    letters = [letter for clause in split(text) for letter in clause if letter.isalpha()]
    assert letters == [letter for letter in text if letter.isalpha()]


def test_a_span_has_no_blanks_around_it():
    """A span quotes the words alone."""
    found = span("  a b ", 0, 6)
    assert (found.start, found.end, found.text) == (2, 5, "a b")
