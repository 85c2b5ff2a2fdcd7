"""How many responses are in languages that qaviz does not read."""

import polars as pl

from qaviz.analysis.sentences import unread_places, unread_sentence
from qaviz.diagnosis.columns import UNREAD


def test_languages_are_counted_the_commonest_first():
    """The sentence begins with the number of responses and names each language with its own."""
    rows = pl.DataFrame({UNREAD: [None, "Polish", "Dutch", None, "Polish"]})

    assert unread_places(rows).to_list() == [1, 2, 4]
    assert unread_sentence(rows).startswith("3 responses are in languages")
    assert "Polish (2), Dutch (1)" in unread_sentence(rows)
    assert unread_sentence(rows[:2]).startswith("1 response is in a language")


def test_nothing_is_said_where_all_are_read():
    """No sentence where every language is read, nor for a run that was saved before languages were told."""
    assert unread_sentence(pl.DataFrame({UNREAD: [None, None]}, schema={UNREAD: pl.String})) is None
    assert unread_sentence(pl.DataFrame({"question": ["q"]})) is None
