"""Tables are read as tables: each value stands beside its row's label and below its column's headers."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import xlsxwriter
from docx import Document as new_docx
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from qaviz.documents.blocks import PLACED_LIMIT, Cell, Kind, bind_cells, list_cells
from qaviz.loading import Source
from tests.documents import files

CENSUS = Path(__file__).parent / "real" / "12s0324.pdf"

PAGES = json.loads(Path(__file__).with_name("tables.json").read_text("utf-8"))
"""Pages as others print them, each line a text or texts with their distance from the left; and rows that are read."""


def rows_of(folder: Path, *pages: Sequence[str | files.Placed], turned: bool = False) -> list[str]:
    path = files.write(folder, "a.pdf", files.pdf(*pages, turned=turned))
    blocks = files.read(Source.of(path)).blocks
    return blocks.filter(blocks["kind"] == "row")["text"].to_list()


@pytest.mark.parametrize("name", PAGES)
def test_values_of_a_pdf_stand_below_their_headers(tmp_path: Path, name: str):
    """As yearbooks, market reports and papers print tables, each value stands beside its label, below its headers, and
    below those of the page before, if its columns do; columns of text, lists and contents have no cells."""
    case = PAGES[name]
    rows = rows_of(tmp_path, *case["pages"])
    assert [row for row in rows if row in case["rows"] or (" | " in row and not case["rows"])] == case["rows"]


def test_a_turned_page_holds_the_same_table(tmp_path: Path):
    """A page that is written upwards and shown upright is read as it is shown."""
    page = PAGES["a blank cell moves no value to its neighbour"]["pages"][0]
    assert rows_of(tmp_path, page, turned=True) == rows_of(tmp_path, page)


def test_a_letter_that_a_pdf_tells_in_two_halves_is_one(tmp_path: Path):
    """A sign beyond the first 65,536 (a bell) is read as itself; half a one is a question mark, and stops nothing."""
    texts = []
    for bell in ("🔔", "\ud83d"):
        path = files.write(tmp_path, "a.pdf", files.pdf(["Ring the # at noon."], bell=bell))
        texts.append(files.read(Source.of(path)).text)

    assert texts[0] == "Ring the 🔔 at noon."
    assert "at noon." in texts[1]


def test_a_page_of_the_census_is_read_cell_by_cell():
    """A page that others set, typed from the print: two tables, headers over three lines, dots that lead to values."""
    blocks = files.read(Source.of(CENSUS)).blocks
    rows = [text.split(" | ") for text in blocks.filter(blocks["kind"] == "row")["text"]]
    below = {label.partition(": ")[2]: cells for label, *cells in rows}
    above = {label.partition(": ")[2]: cells for label, *cells in reversed(rows)}

    def headers_and_values(table: dict[str, list[str]], label: str) -> tuple[list[str], str]:
        headers, _, values = zip(*(cell.rpartition(": ") for cell in table[label]), strict=True)
        return [*headers], " ".join(values)

    ages = [f"{sex} > {age}" for sex in ("Male", "Female") for age in ("Total", "Under 18 years", "18 years and over")]
    of_all = ["Total", "Total > Under 18 years", "Total > 18 years and over"]
    assert headers_and_values(above, "Robbery") == ([*of_all, *ages], "102.1 25.5 76.6 90.0 22.9 67.1 12.1 2.5 9.5")
    assert headers_and_values(above, "Offenses against the family and children")[1].startswith("92.4 3.7 88.7")
    races = ["Total", "White", "Black", "American Indian/Alaskan Native", "Asian Pacific Islander"]
    assert headers_and_values(below, "Fraud") == (races, "161,233 108,032 50,367 1,315 1,519")


HTML = f"""<table><caption>Sales (in millions)</caption>
<tr><th rowspan=2>Region<th colspan=2>2022<th colspan="2">2023</tr><tr><th>Q1<th>Q2<th>Q1<th>Q2</tr>
<tr><td rowspan=2>Europe<td>10<td>11<td>12<td>13</tr><tr><td>20<td><td>22<td>23</tr>
<tr><td>Asia<td colspan={"9" * 5000}>30</tr></table>"""


def test_spans_of_a_page_are_filled(tmp_path: Path):
    """Headers and labels over several rows and columns count in each; a hostile span fills no memory."""
    blocks = files.read(Source.of(files.write(tmp_path, "a.html", HTML))).blocks

    assert blocks.filter(blocks["kind"] == "row")["text"].to_list()[:2] == [
        "Region: Europe | 2022 > Q1: 10 | 2022 > Q2: 11 | 2023 > Q1: 12 | 2023 > Q2: 13 | (in millions)",
        "Region: Europe | 2022 > Q1: 20 | 2023 > Q1: 22 | 2023 > Q2: 23 | (in millions)",
    ]


def test_merged_cells_of_a_document_are_filled(tmp_path: Path):
    """A header merged over two columns of a DOCX belongs to both."""
    document = new_docx()
    table = document.add_table(rows=3, cols=3)
    for row, texts in zip(
        table.rows, (("", "Price", ""), ("State", "now", "year ago"), ("Iowa", "4.20", "5.10")), strict=True
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    document.save(str(tmp_path / "a.docx"))

    assert files.read(Source.of(tmp_path / "a.docx")).text == "State: Iowa | Price > now: 4.20 | Price > year ago: 5.10"


@pytest.mark.parametrize("above", ["Sales, in millions of euros:", "Sales (in millions of euros)"])
def test_a_unit_above_a_markdown_table_counts_for_its_values(above: str):
    """The unit in the line above a table, in brackets or at its end, stands behind each row."""
    text = f"{above}\n\n| Region | 2022 |\n|---|---|\n| Iberia | 61.5 |\n"
    rows = files.read(Source("sales.md", text.encode())).text.splitlines()
    assert rows[-1] == "Region: Iberia | 2022: 61.5 | (in millions of euros)"


def test_spans_are_no_wider_than_their_table():
    """A thousand cells that span a billion places each take the places in which a cell begins; no text of a table
    that is too large is lost."""
    wide = [Cell(text=f"{number}", row=number, column=0, rows=10**9, columns=10**9) for number in range(1000)]
    scattered = [Cell(text=f"{number}", row=number, column=number) for number in range(PLACED_LIMIT // 900)]

    assert [block.text for block in bind_cells(wide)] == [cell.text for cell in wide]
    assert [block.text for block in bind_cells(scattered)] == [cell.text for cell in scattered]


def test_a_long_text_is_not_repeated_whole():
    """A header of 100,000 characters above 1,000 rows is cut where it is repeated: the rows stay small."""
    cells = [*list_cells([["x" * 100_000, "b"], *(["y", "1"] for _ in range(1000))], headers=1)]

    assert sum(len(block.text) for block in bind_cells(cells)) < 300_000


def test_a_word_table_with_a_hostile_span_is_read(tmp_path: Path):
    """A cell of a DOCX that says it spans 999,999,999 columns is one cell."""
    document = new_docx()
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ("State", "Price", "Iowa", "4.20"), strict=True):
        cell.text = text
    for cell in table.row_cells(1):
        cell._tc.get_or_add_tcPr().get_or_add_gridSpan().val = 999_999_999
    document.save(str(tmp_path / "a.docx"))

    assert {"Iowa", "4.20"} <= {*re.split(r" \| |: ", files.read(Source.of(tmp_path / "a.docx")).text)}


ROOMS = [("Room", "Price"), ("Lund", ""), ("Single", "100"), ("Porto", "Porto"), ("Double", "90")]
BESIDE_EACH_OTHER = [
    ("City", "Price", "", "Year", "Guests"),
    ("Lund", "100", "", "Plan", "7"),
    ("Porto", "90", "", "Result", "8"),
    ("Oslo", "80", "", "Gap", "1"),
]


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        (ROOMS, {"Room: Lund > Single | Price: 100", "Room: Porto > Double | Price: 90"}),
        (BESIDE_EACH_OTHER, {"City: Lund | Price: 100", "City: Porto | Price: 90", "Year: Gap | Guests: 1"}),
        ([("City", "Now", "", "Before"), ("Lund", "100", "", "90")], {"City: Lund | Now: 100 | Before: 90"}),
        (
            [("", "Sales", "Costs"), ("", "2023", "2022¹"), ("Lund", "10", "20")],
            {"Lund | Sales > 2023: 10 | Costs > 2022¹: 20"},
        ),
    ],
    ids=["sections name the rows below", "two tables side by side", "an empty column", "years go on with the headers"],
)
def test_rows_are_bound_to_headers(rows: list[tuple[str, ...]], texts: set[str]):
    """A row without values, or one text over the whole width, names the rows below it; an empty column with labels
    behind it parts two tables, one with figures behind it none; years below a header are headers."""
    assert texts <= {block.text for block in bind_cells(list_cells(rows, headers=1))}


@given(
    st.lists(
        st.builds(
            Cell,
            text=st.sampled_from(["", "a", "1,2", "(3)", "2023"]),
            row=st.integers(0, 5),
            column=st.integers(0, 5),
            rows=st.integers(0, 3),
            columns=st.integers(0, 3),
        ),
        max_size=20,
    )
)
def test_any_cells_make_rows(cells: list[Cell]):
    """Whatever overlaps or is missing, rows come out that have a text."""
    assert all(block.kind is Kind.ROW and block.text for block in bind_cells(cells))


def test_a_sheet_is_read_as_its_tables(tmp_path: Path):
    """Merged headers stand above all their columns, the caption's unit behind each row, a blank cell moves no value;
    below an empty row another table begins, with headers of its own."""
    book = Workbook()
    sheet = book.active
    rows = [["Net sales (in thousands)"], [None, "2023", None, "2022"], ["Region", "Net", "Share", "Net", "Share"]]
    for row in (*rows, ["Europe", 12.5, 0.4, 11], ["Asia", 7, 0.2, 6, 0.19], [], ["Office", "Staff"], ["Lyon", 40]):
        sheet.append(row)
    for span in ("B2:C2", "D2:E2"):
        sheet.merge_cells(span)
    book.save(tmp_path / "a.xlsx")

    blocks = files.read(Source.of(tmp_path / "a.xlsx")).blocks
    assert blocks.filter(blocks["kind"] == "row")["text"].to_list() == [
        "Region: Europe | 2023 > Net: 12.5 | 2023 > Share: 0.4 | 2022 > Net: 11 | (in thousands)",
        "Region: Asia | 2023 > Net: 7 | 2023 > Share: 0.2 | 2022 > Net: 6 | 2022 > Share: 0.19 | (in thousands)",
        "Office: Lyon | Staff: 40",
    ]


def test_a_merged_range_over_a_whole_sheet_takes_no_place(tmp_path: Path):
    """A range that reaches to the last row and column of a sheet ends with its table."""
    book = Workbook()
    for row in (["Region", "Net"], ["Europe", 12], ["Asia", 7]):
        book.active.append(row)
    book.active.merged_cells.add("B1:XFD1048576")
    book.save(tmp_path / "a.xlsx")

    assert "Region: Asia" in files.read(Source.of(tmp_path / "a.xlsx")).text


def test_the_page_of_a_sheet_is_its_place_in_the_workbook(tmp_path: Path):
    """A sheet behind one that is a chart has the page at which people find it."""
    book = xlsxwriter.Workbook(tmp_path / "a.xlsx")
    chart = book.add_chart({"type": "line"})
    book.add_chartsheet("Chart").set_chart(chart)
    sheet = book.add_worksheet("Prices")
    for number, row in enumerate((["Region", "Net"], ["Europe", 12])):
        sheet.write_row(number, 0, row)
    chart.add_series({"values": "=Prices!$B$2:$B$2"})
    book.close()

    assert set(files.read(Source.of(tmp_path / "a.xlsx")).blocks["page"]) == {2}
