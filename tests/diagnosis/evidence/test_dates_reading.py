"""What the reader of dates finds in a text; it invents nothing."""

import pytest

from qaviz.diagnosis.evidence.dates import READ, Date, find


def only(text: str) -> Date:
    """The one date of a text."""
    found = find(text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "year", "month", "day"),
    [
        ("February 22, 2023", 2023, 2, 22),
        ("February 22nd 2023", 2023, 2, 22),
        ("Feb 22 2023", 2023, 2, 22),
        ("Feb. 22, 2023", 2023, 2, 22),
        ("february the 22nd, 2023", 2023, 2, 22),
        ("22 February 2023", 2023, 2, 22),
        ("22nd of February, 2023", 2023, 2, 22),
        ("22-Feb-2023", 2023, 2, 22),
        ("16 Sept. 1997", 1997, 9, 16),
        ("2023-02-22", 2023, 2, 22),
        ("2023/02/22", 2023, 2, 22),
        ("2023-02-22T10:00", 2023, 2, 22),
        ("22/02/2023", 2023, 2, 22),
        ("02/22/2023", 2023, 2, 22),
        ("22.02.2023", 2023, 2, 22),
        ("22/2/23", 2023, 2, 22),
        ("22/2/97", 1997, 2, 22),
        ("ngày 22 tháng 2 năm 2023", 2023, 2, 22),
        ("22 tháng 2, 2023", 2023, 2, 22),
        ("tháng 2 năm 2023", 2023, 2, None),
        ("tháng 2/2023", 2023, 2, None),
        ("năm 2023", 2023, None, None),
        ("February 2023", 2023, 2, None),
        ("Feb 2023", 2023, 2, None),
        ("2023-02", 2023, 2, None),
        ("July 20", None, 7, 20),
        ("20th July", None, 7, 20),
        ("22 tháng 2", None, 2, 22),
        ("December", None, 12, None),
        ("Dec.", None, 12, None),
        ("in May", None, 5, None),
        ("May 5", None, 5, 5),
        ("1997", 1997, None, None),
        ("(1997)", 1997, None, None),
        ("in 1997,", 1997, None, None),
        ("Q2 2023", 2023, None, None),
        ("FY2022", 2022, None, None),
        ("fiscal 2022", 2022, None, None),
        ("44 BC", -44, None, None),
        ("44 B.C.", -44, None, None),
        ("500 BCE", -500, None, None),
        ("79 AD", 79, None, None),
        ("AD 79", 79, None, None),
        ("one thousand, nine hundred and five", 1905, None, None),
    ],
)
def test_parts_as_written(text: str, year: int | None, month: int | None, day: int | None):
    """Year, month and day are read in the usual forms, and what is not written stays None."""
    date = only(text)
    assert (date.year, date.month, date.day) == (year, month, day)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the 1930s", 1930, 1939),
        ("1930's", 1930, 1939),
        ("1930’s", 1930, 1939),
        ("the 1900s", 1900, 1999),
        ("1939-1945", 1939, 1945),
        ("1939–45", 1939, 1945),
        ("1483 - 1520", 1483, 1520),
        ("from 1939 to 1945", 1939, 1945),
        ("the 19th century", 1800, 1900),
        ("the nineteenth century", 1800, 1900),
        ("thế kỷ 19", 1800, 1900),
        ("thế kỷ thứ 19", 1800, 1900),
        ("5th century BC", -500, -400),
        ("the fifth century BC", -500, -400),
    ],
)
def test_spans_of_years(text: str, first: int, last: int):
    """Decades, centuries and ranges are spans of years."""
    assert (only(text).year, only(text).until) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "410 Terry Avenue North",
        "98109-5210",
        "134,383 million",
        "2018 million",
        "2,018",
        "$2018",
        "2018%",
        "20.1998",
        "you may 5 times",
        "we march 3 miles",
        "It may be",
        "The market sank in a decade.",
        "192.168.0.1",
        "27 years",
        "MMM2026",
        "3/4",
        "",
    ],
)
def test_no_date_is_invented(text: str):
    """Numbers, amounts, addresses, verbs and impossible days are no dates."""
    assert find(text) == ()


@pytest.mark.parametrize("text", ["13/13/2023", "32 July", "2023-13-01", "tháng 13 năm 2023"])
def test_impossible_day_is_none(text: str):
    """A day or month that no calendar has is not read as one."""
    assert all(date.day is None for date in find(text))


def test_percent_after_to_is_no_year():
    """In "from 20% in 2021 to 23%" only 2021 is a year."""
    assert [date.year for date in find("from 20% in 2021 to 23% in 2022")] == [2021, 2022]


@pytest.mark.parametrize(("text", "swapped"), [("03/05/2023", True), ("13/05/2023", False), ("05/13/2023", False)])
def test_day_and_month_may_be_swapped(text: str, swapped: bool):
    """A numeric date whose day could be the month says so."""
    assert only(text).swapped is swapped


def test_offsets_point_into_the_text():
    """Each date's offsets give its words in the text."""
    text = "İt began on 3 May 1997 and ended in the 2010s, ngày 5 tháng 6 năm 2015."
    assert [date.words(text).text for date in find(text)] == ["3 May 1997", "2010s", "5 tháng 6 năm 2015"]


def test_long_text_is_read_at_both_ends():
    """Of a text longer than the limit the beginning and the end are read, with offsets into the whole."""
    text = "in 1997 " + "word " * READ + "in 2023"
    assert [date.words(text).text for date in find(text)] == ["1997", "2023"]
