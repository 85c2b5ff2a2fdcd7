"""XLSX: cells as a person sees them, every sheet, and workbooks that mean harm."""

import contextlib
import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from random import Random

import pytest
import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from qaviz.loading import Source
from qaviz.loading.formats import read_batches, xlsx
from qaviz.model.errors import QavizError
from tests.loading.files import entries, facts, load_golden, problems, refusals, upload

Fill = Callable[[xlsxwriter.Workbook, Worksheet], object]


def workbook(name: str = "g.xlsx", **sheets: Fill) -> Source:
    """A workbook whose sheets are filled by functions."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        for sheet_name, fill in sheets.items():
            fill(book, book.add_worksheet(sheet_name))
    return upload(name, file.getvalue())


def rows(*rows: tuple[object, ...]) -> Fill:
    """A sheet with these rows from the top."""

    def fill(_book: xlsxwriter.Workbook, sheet: Worksheet) -> None:
        for number, cells in enumerate(rows):
            sheet.write_row(number, 0, cells)

    return fill


def styled(value: object, number_format: str) -> Fill:
    """A sheet with one question whose answer is this value, shown in this format."""

    def fill(book: xlsxwriter.Workbook, sheet: Worksheet) -> None:
        sheet.write_row(0, 0, ("question", "answer"))
        sheet.write(1, 0, "How many?")
        sheet.write(1, 1, value, book.add_format({"num_format": number_format}))

    return fill


SHOWN = {
    "whole number": (158, "General", "158"),
    "decimal": (134.4, "0.00", "134.4"),
    "sum with a rounding error": (0.1 + 0.2, "General", "0.3"),
    "many digits": (10317750796, "#,##0", "10317750796"),
    "very large": (1e22, "General", "1e+22"),
    "negative": (-3.2, "General", "-3.2"),
    "percentage": (0.125, "0.0%", "12.5%"),
    "date": (date(2023, 6, 30), "yyyy-mm-dd", "2023-06-30"),
    "date in another order": (date(2023, 6, 30), 'd" of "mmmm\\, yyyy', "2023-06-30"),
    "built-in date format": (date(2023, 6, 30), "m/d/yy", "2023-06-30"),
    "date with time": (datetime(2023, 6, 30, 18, 5), "yyyy-mm-dd hh:mm", "2023-06-30 18:05:00"),
    "time": (0.5, "hh:mm", "12:00:00"),
    "elapsed hours": (1.5, "[h]:mm", "36:00:00"),
    "time before": (-0.25, "[h]:mm", "-6:00:00"),
    "day before the leap day that never was": (1, "yyyy-mm-dd", "1900-01-01"),
    "currency with letters": (5, '[$USD] 0 "days"', "5"),
    "yes": (True, "General", "TRUE"),
    "text that looks like a number": ("158.0", "General", "158.0"),
}
"""What a sheet shows: value, number format, text."""


@pytest.mark.parametrize(("value", "number_format", "text"), SHOWN.values(), ids=SHOWN)
def test_a_number_is_read_as_a_person_sees_it(value: object, number_format: str, text: str):
    """Numbers, percentages and dates where text belongs become the shortest text that says the same."""
    loaded = load_golden(workbook(data=styled(value, number_format)))

    assert loaded.golden["answer"].to_list() == [text]


def test_formulas_give_what_they_show():
    """A formula's cell is its last result; one that failed is a problem, because what it should say is unknown."""

    def fill(_book: xlsxwriter.Workbook, sheet: Worksheet) -> None:
        sheet.write_row(0, 0, ("question", "answer", "fact", "unread"))
        sheet.write_row(1, 0, ("How many?",))
        sheet.write_formula(1, 1, "=A1&B1", None, "joined")
        sheet.write_formula(1, 2, "=1/0", None, "#DIV/0!")
        sheet.write_formula(1, 3, "=1/0", None, "#DIV/0!")

    [problem] = refusals(workbook(data=fill))
    assert problem.where == 'g.xlsx sheet "data" row 2'
    assert facts(problem) == {'"#DIV/0!"', '"fact"'}


def test_a_number_that_is_no_date_is_a_problem():
    """A number in a date's format that no calendar has is shown as an error, and nobody knows what it should say."""
    [problem] = refusals(workbook(data=styled(1e12, "yyyy-mm-dd")))
    assert problem.where == 'g.xlsx sheet "data" row 2'
    assert facts(problem) == {'"#VALUE!"', '"answer"'}


@pytest.mark.parametrize("text", ["a\rb", "a\x07b", "_xD800_", "snake_case_x", "_x000_", "\n"])
def test_characters_that_xml_cannot_hold_are_read(text: str):
    """A line end or control character that a workbook writes as a code is read as itself; half a character is not."""
    loaded = load_golden(workbook(data=rows(("question", "answer"), ("How many?", f"158{text}"))))

    assert loaded.golden["answer"].to_list() == [f"158{text}"]


SCORES = rows(("question_id", "A"), ("q1", "x"))
TRIPLETS = rows(("question_id", "question", "fact"), ("q1", "How many?", "158"))


def test_every_sheet_is_a_table():
    """Each sheet with cells gives its rows under its own name, in order; one that is asked for comes alone."""
    book = workbook(notes=rows(("Made in June",), ("x",)), empty=rows(), golden=TRIPLETS, responses=SCORES)
    batches = list(read_batches(book))

    assert [(batch.sheet, batch.columns) for batch in batches] == [
        ("notes", ("Made in June",)),
        ("golden", ("question_id", "question", "fact")),
        ("responses", ("question_id", "A")),
    ]
    (asked,) = read_batches(replace(book, sheet="responses"))
    assert asked.frame.rows() == [(2, "q1", "x")]
    with pytest.raises(QavizError, match='no sheet "none"; expected one of "notes", "empty", "golden", "responses"'):
        list(read_batches(replace(book, sheet="none")))


def test_a_bad_header_is_said_where_it_stands():
    """A column that stands twice is said with the sheet and the row in which the names are."""
    [problem] = refusals(workbook(data=rows((), ("question", "answer", "answer"))))
    assert (problem.where, facts(problem)) == ('g.xlsx sheet "data" row 2', {'"answer"'})
    assert "once" in problem.expected


def test_cells_outside_the_table_are_listed():
    """What stands beside the header's columns is left out and listed, and rows with nothing in them do not count."""

    def fill(book: xlsxwriter.Workbook, sheet: Worksheet) -> None:
        sheet.write_row(1, 0, ("question", "answer"))
        sheet.write_row(2, 0, ("How many?", "158", None, None, "a remark"))
        sheet.write_blank(7, 0, None, book.add_format({"bold": True}))

    loaded = load_golden(workbook(data=fill))

    assert loaded.golden.height == 1
    assert entries(loaded, "ignored column") == [('g.xlsx sheet "data"', None, None, '"column 5" is left out')]
    assert [where for where, *_ in entries(loaded, "no fact")] == ['g.xlsx sheet "data" row 3']


def rezipped(source: Source, change: Callable[[str, bytes], bytes]) -> Source:
    """The workbook with its parts changed."""
    assert isinstance(source.data, bytes)
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(source.data)) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for part in old.infolist():
            new.writestr(part.filename, change(part.filename, old.read(part)))
    return upload(source.name, file.getvalue())


def in_sheet(old: bytes, new: bytes) -> Callable[[str, bytes], bytes]:
    """A change within the sheets."""
    return lambda name, part: part.replace(old, new) if "worksheets/" in name else part


WHOLE = workbook(data=TRIPLETS)


@pytest.mark.parametrize("dimension", [b"", b'<dimension ref="A1"/>', b'<dimension ref="A1:C9999999"/>'])
def test_a_sheet_may_declare_any_size(dimension: bytes):
    """Whatever size a sheet declares, all its rows are read and none besides."""
    named = rezipped(WHOLE, in_sheet(b'<dimension ref="A1:C2"/>', dimension))

    assert load_golden(named).golden.rows() == load_golden(WHOLE).golden.rows()


def test_a_far_cell_takes_no_memory():
    """A cell in the last corner of a sheet is one cell, not seventeen thousand million."""
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    [problem] = refusals(rezipped(WHOLE, in_sheet(b"</sheetData>", far)))

    assert (problem.where, problem.found) == ('g.xlsx sheet "data" row 1048576', "a note below the table")


BOUNDLESS = {
    "cells": (
        "".join(f'<row r="{row}"><c r="XFD{row}"><v>1</v></c></row>' for row in range(3, 2000)),
        'g.xlsx sheet "data": found 20,004,870 cells and more; expected at most 20,000,000. Save it as CSV or Parquet.',
    ),
    "rows": (
        '<row r="99999999999"><c><v>1</v></c></row>',
        'g.xlsx sheet "data" near row 1048577: found a broken workbook, or one of another format '
        "(more than 1,048,576 rows); expected an XLSX workbook. Save it again as XLSX, without a password.",
    ),
    "unpacking": (
        " " * 2_000_000,
        "g.xlsx: found a part that grows more than 100 times when it is unpacked; expected at most 100 times. "
        "Save it as CSV or Parquet.",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("content", "said"), BOUNDLESS.values(), ids=BOUNDLESS)
def test_a_small_workbook_cannot_stand_for_a_large_one(content: str, said: str):
    """A file of some kB whose cells, rows or bytes would fill the machine is refused within seconds."""
    large = rezipped(WHOLE, in_sheet(b"</sheetData>", content.encode() + b"</sheetData>"))

    assert len(large.data) < 50_000
    assert problems(large) == [said]


def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch):
    """A small file that would unpack to more than the budget is refused by what it declares, before it is read."""
    monkeypatch.setattr(xlsx, "DECODED_LIMIT", 50 * 1024**2)
    zeros = rezipped(WHOLE, lambda name, part: part + b" " * 60_000_000 if "worksheets/" in name else part)

    assert len(zeros.data) < 300_000
    [problem] = refusals(zeros)
    assert (problem.where, facts(problem), facts(problem.expected)) == ("g.xlsx", {"57"}, {"50"})


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"


def test_a_workbook_in_another_dialect_is_not_called_empty_only():
    """A workbook saved as Strict Open XML is not read; a person is told what to do about it."""
    strict = rezipped(WHOLE, in_sheet(MAIN.encode(), STRICT.encode()))

    [problem] = refusals(strict)
    assert (problem.where, problem.found) == ("g.xlsx", "only empty sheets")
    assert "Strict Open XML" in problem.fix


def test_a_text_that_many_cells_show_is_counted_for_each():
    """A text is kept once; a sheet that shows a long one in thousands of cells is refused before it is laid out."""
    strings = f'<sst xmlns="{MAIN}"><si><t>{"x" * 1_000_000}</t></si></sst>'.encode()
    cells = "".join(f'<row r="{row}"><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' for row in range(3, 1000))
    names = "<row>" + "".join(f'<c t="str"><v>{name}</v></c>' for name in ("question", "answer")) + "</row>"
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{names}{cells}</sheetData></worksheet>'.encode()
    parts = {"xl/sharedStrings.xml": strings, "xl/worksheets/sheet1.xml": sheet}

    [problem] = refusals(rezipped(WHOLE, lambda name, part: parts.get(name, part)))
    assert problem.where == 'g.xlsx sheet "data"'
    assert (facts(problem), facts(problem.expected)) == ({"1,074,000,014"}, {"1,073,741,824"})


def test_entities_that_multiply_are_refused():
    """Text that repeats itself through XML entities is stopped by the parser, not by the machine's memory."""
    lol = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{lol}]><sst><si><t>&l9;</t></si></sst>'.encode()
    [problem] = refusals(rezipped(WHOLE, lambda name, part: bomb if name.endswith("sharedStrings.xml") else part))

    assert problem.where == "g.xlsx"
    assert "EntitiesForbidden" in problem.found


BROKEN = {
    "a string that is not there": (in_sheet(b"<v>3</v>", b"<v>99</v>"), "list index out of range"),
    "a number that is none": (
        in_sheet(b't="s"><v>3</v>', b"><v>NaN</v>"),
        "invalid literal for int() with base 10: 'NaN'",
    ),
    "a number without end": (in_sheet(b't="s"><v>3</v>', b"><v>1e999</v>"), "the number inf"),
    "a style that is none": (
        in_sheet(b't="s"><v>3</v>', b's="x"><v>3</v>'),
        "invalid literal for int() with base 10: 'x'",
    ),
}


@pytest.mark.parametrize(("change", "why"), BROKEN.values(), ids=BROKEN)
def test_a_broken_cell_is_named(change: Callable[[str, bytes], bytes], why: str):
    """A cell that refers to what is not there, or is no number, is a problem: nothing is guessed in its place."""
    [problem] = refusals(rezipped(WHOLE, change))

    assert problem.where in ('g.xlsx sheet "data" near row 1', 'g.xlsx sheet "data" near row 2')
    assert f"({why})" in problem.found


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_workbook_is_a_problem_not_a_crash(seed: int):
    """Wherever bytes of a workbook are damaged, it loads or a person is told; nothing else is raised."""
    assert isinstance(WHOLE.data, bytes)
    random = Random(seed)
    data = bytearray(WHOLE.data)
    for _ in range(random.choice((1, 5))):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    with contextlib.suppress(QavizError):
        load_golden(upload("g.xlsx", bytes(data[: random.choice((len(data), random.randrange(len(data))))])))
