"""qaviz.exports.table_files: a table as CSV in which a spreadsheet finds nothing to run."""

import csv
import io

import polars as pl
import pytest

from qaviz.exports.table_files import as_csv

FORMULAS = ["=1+1", "+1", "-2 %", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "=cmd|' /C calc'!A0"]
PLAIN = ["134.4", "a=1", " =1", "'quoted'", "", "NA", "Việt Nam", 'a "b", c\nd']


@pytest.mark.parametrize("text", FORMULAS)
def test_what_starts_a_formula_is_quoted(text):
    """A cell, and a column's name, that a spreadsheet would run begin with an apostrophe; the rest stays."""
    assert read(as_csv(pl.DataFrame({text: [text]}))) == [[f"'{text}"], [f"'{text}"]]


@pytest.mark.parametrize("text", PLAIN)
def test_other_texts_stay(text):
    """What is no formula is written as it is."""
    assert read(as_csv(pl.DataFrame({"column": [text, "x"]})))[1:] == [[text], ["x"]]


def test_numbers_stay_numbers_and_nothing_stays_nothing():
    """A negative number is no formula; a missing value is an empty cell."""
    assert read(as_csv(pl.DataFrame({"a": [-1.5, None], "b": [None, 2]}))) == [["a", "b"], ["-1.5", ""], ["", "2"]]


def test_a_spreadsheet_knows_the_letters():
    """The file begins with the mark of UTF-8, without which a spreadsheet guesses."""
    assert as_csv(pl.DataFrame({"a": ["ệ"]})) == b"\xef\xbb\xbfa\n\xe1\xbb\x87\n"


def read(written: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(written.decode("utf-8-sig"), newline="")))
