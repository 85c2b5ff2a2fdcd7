"""qaviz.report: cells as people read them, and names that stay apart."""

import polars as pl
import pytest

from qaviz.report import LONGEST_NAME, Column, Kind, Table, shorten_names, write_cells


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (Column(name="n", heading="", kind=Kind.COUNT), "1,234"),
        (Column(name="n", heading="", kind=Kind.PART, of="m"), "1,234 of 2,000"),
        (Column(name="s", heading="", kind=Kind.SHARE, low="l", high="h"), "62% (58.0–66.0%)"),
        (Column(name="s", heading="", kind=Kind.SHARE), "62%"),
        (Column(name="s", heading="", kind=Kind.SCORE), "0.62"),
        (Column(name="l", heading="", kind=Kind.DIFFERENCE, low="d", high="h"), "+58.0 (−1.0 to +66.0)"),
        (Column(name="p", heading="", kind=Kind.P), "<0.001"),
        (Column(name="mark", heading="", kind=Kind.MARK), "✗"),
        (Column(name="text", heading=""), "a"),
        (Column(name="none", heading="", kind=Kind.SCORE), "–"),
    ],
)
def test_a_cell_is_written_by_its_kind(column, text):
    """Each kind of column has one way to be read; null is a dash."""
    row = {"n": 1234, "m": 2000, "s": 0.62, "l": 0.58, "h": 0.66, "d": -0.01, "p": 0.0001, "none": None}
    frame = pl.DataFrame([row | {"mark": "hallucination", "text": "a"}])

    assert list(write_cells(Table(title="", frame=frame, columns=(column,)))) == [(text,)]


def test_short_names_stay_apart():
    """Names that are the same once cut get a number, and none is longer than there is room."""
    family = [f"retrieval-with-a-long-name-{number}-{'x' * 60}{number}" for number in range(12)]

    short = shorten_names(["Pipeline1", *family])

    assert short["Pipeline1"] == "Pipeline1"
    assert len(set(short.values())) == 13
    assert max(map(len, short.values())) <= LONGEST_NAME


def test_long_names_lose_what_they_share_first():
    """The part that tells names of one family apart stands whole."""
    family = [f"retrieval with temperature=0.{number} and hybrid search, rewritten questions" for number in range(10)]

    assert [short.strip("…") for short in shorten_names(family).values()] == list("0123456789")
