"""qaviz.report: cells as people read them, and names that stay apart."""

import polars as pl
import pytest

from qaviz.report import Column, Kind, Table, write_cells


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (Column(name="n", heading="", kind=Kind.COUNT), "1,234"),
        (Column(name="n", heading="", kind=Kind.PART, of="m"), "1,234 of 2,000"),
        (Column(name="s", heading="", kind=Kind.SHARE, ends=("l", "h")), "62% (58–66%)"),
        (Column(name="s", heading="", kind=Kind.SHARE), "62%"),
        (Column(name="s", heading="", kind=Kind.SCORE), "0.62"),
        (Column(name="l", heading="", kind=Kind.DIFFERENCE, ends=("d", "h")), "+58.0 (−1.0 to +66.0)"),
        (Column(name="p", heading="", kind=Kind.P), "<0.001"),
        (Column(name="mark", heading="", kind=Kind.CELL), "✗"),
        (Column(name="text", heading=""), "a"),
        (Column(name="none", heading="", kind=Kind.SCORE), "–"),
    ],
)
def test_a_cell_is_written_by_its_kind(column, text):
    """Each kind of column has one way to be read; null is a dash."""
    row = {"n": 1234, "m": 2000, "s": 0.62, "l": 0.58, "h": 0.66, "d": -0.01, "p": 0.0001, "none": None}
    frame = pl.DataFrame([row | {"mark": "hallucination", "text": "a"}])

    assert list(write_cells(Table(title="", frame=frame, columns=(column,)))) == [(text,)]
