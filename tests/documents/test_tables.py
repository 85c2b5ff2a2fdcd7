"""Tables are read as tables: each value stands beside its row's label and below its column's headers."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import xlsxwriter
from docx import Document as new_docx
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from qaviz.documents.blocks import PLACED_LIMIT, Cell, bind_cells, list_cells
from qaviz.loading import Source
from tests.documents import files

CENSUS = Path(__file__).parent / "real" / "12s0324.pdf"

PRICES: list[str | files.Placed] = [
    "Corn prices by state (in dollars a bushel)",
    [(200, "This week"), (300, "Last week"), (400, "Year ago")],
    [(60, "Iowa"), (210, "4.20"), (310, "4.05"), (410, "5.10")],
    [(60, "Nebraska"), (210, "4.31"), (410, "5.22")],
    [(60, "Eastern Cornbelt"), (210, "4.44"), (310, "4.40"), (410, "5.30")],
]
QUARTERS: list[str | files.Placed] = [
    "Segment results (in millions)",
    [(190, "Three months ended June 30,"), (380, "Six months ended June 30,")],
    [(220, "2022"), (290, "2023"), (400, "2022"), (480, "2023")],
    "North America",
    [(60, "Net sales"), (210, "$ 74,430"), (285, "$ 82,546"), (395, "$ 143,674"), (475, "$ 159,427")],
    [(60, "Operating income"), (215, "(627)"), (285, "3,211"), (400, "(2,195)"), (475, "4,109")],
    "International",
    [(60, "Net sales"), (210, "$ 27,065"), (285, "$ 29,697"), (395, "$ 55,824"), (475, "$ 58,820")],
]
PROSE = [
    [(60, "The hotel opened in 1998 and has"), (320, "Guests may cancel until 24 hours")],
    [(60, "240 beds on its seven floors, most"), (320, "before they arrive; a fee of 30 euros")],
    [(60, "of them with a view of the harbour."), (320, "is due for each room after that hour.")],
]


def rows_of(folder: Path, *pages: Sequence[str | files.Placed], turned: bool = False) -> list[str]:
    path = files.write(folder, "a.pdf", files.pdf(*pages, turned=turned))
    blocks = files.read(Source.of(path)).blocks
    return blocks.filter(blocks["kind"] == "row")["text"].to_list()


SOLD = ["Corn sold (in thousands)", *PRICES[1:]]
REACHED: list[str | files.Placed] = [
    [(60, "State"), (150, "Date"), (240, "Halt"), (320, "Persons"), (420, "Persons")],
    [(235, "stations"), (320, "reached"), (420, "tested")],
    [(318, "(in lakh)")],
    [(60, "Delhi"), (150, "1.12.2009"), (245, "8"), (325, "1.29"), (425, "1,000")],
    [(60, "Rajasthan"), (150, "2.12.2009 to")],
    [(150, "19.12.2009")],
    [(60, "Gujarat"), (150, "20.12.2009"), (245, "6"), (325, "6.03"), (425, "1,453")],
    [(60, "Kerala"), (150, "23.2.2010"), (245, "9"), (325, "1.42"), (425, "855")],
]
DEATHS: list[str | files.Placed] = [
    [(190, "Accidental Deaths"), (360, "Suicides")],
    [(60, "Year"), (480, "Growth")],
    [(180, "Incidence"), (260, "Rate"), (330, "Incidence"), (410, "Rate")],
    [(60, "2012"), (180, "394982"), (260, "32.6"), (330, "135445"), (410, "11.2"), (485, "1.0")],
    [(60, "2013"), (180, "400517"), (260, "32.6"), (330, "134799"), (410, "11.0"), (485, "1.1")],
]
ETHANOL: list[str | files.Placed] = [
    [(190, "This week"), (290, "Last week"), (390, "Year ago")],
    "Ethanol ($/gal)",
    [(75, "Iowa"), (190, "1.27 - 1.42"), (290, "1.14 - 1.30"), (390, "1.42 - 1.60")],
    [(75, "Ohio"), (213, "unq"), (313, "1.13"), (413, "1.28")],
    "Biodiesel ($/gal)",
    [(75, "Iowa"), (213, "3.02"), (313, "2.71"), (413, "2.73")],
]
LEFT = (60, "From a random choice of ten thousand we")
BESIDE: list[str | files.Placed] = [
    [LEFT, (320, "Accuracy of the three models, by the kind of")],
    [LEFT, (320, "chart that is shown, in percent of all of them.")],
    [LEFT, (400, "Random"), (460, "HoG"), (510, "SIFT")],
    *([LEFT, (320, name), (405, "73"), (462, "64"), (512, "48")] for name in ("Curves", "Maps", "Bars", "Pies")),
    *([LEFT, (320, "All figures are the means of ten runs each; we")] for _ in range(7)),
]


@pytest.mark.parametrize(
    ("page", "rows"),
    [
        pytest.param(
            PRICES,
            [
                "Iowa | This week: 4.20 | Last week: 4.05 | Year ago: 5.10",
                "Nebraska | This week: 4.31 | Year ago: 5.22",
            ],
            id="a blank cell moves no value to its neighbour",
        ),
        pytest.param(
            QUARTERS,
            [
                "North America > Net sales | Three months ended June 30, > 2022: $ 74,430"
                " | Three months ended June 30, > 2023: $ 82,546 | Six months ended June 30, > 2022: $ 143,674"
                " | Six months ended June 30, > 2023: $ 159,427 | (in millions)",
                "International > Net sales | Three months ended June 30, > 2022: $ 27,065"
                " | Three months ended June 30, > 2023: $ 29,697 | Six months ended June 30, > 2022: $ 55,824"
                " | Six months ended June 30, > 2023: $ 58,820 | (in millions)",
            ],
            id="headers over several columns, sections, a unit",
        ),
        pytest.param(
            REACHED,
            [
                "State: Gujarat | Date: 20.12.2009 | Halt stations: 6 | Persons reached (in lakh): 6.03"
                " | Persons tested: 1,453"
            ],
            id="headers above a row that is cut off",
        ),
        pytest.param(
            DEATHS,
            [
                "Year: 2013 | Accidental Deaths > Incidence: 400517 | Accidental Deaths > Rate: 32.6"
                " | Suicides > Incidence: 134799 | Suicides > Rate: 11.0 | Growth: 1.1"
            ],
            id="two groups of columns",
        ),
        pytest.param(
            ETHANOL,
            [
                "Ethanol ($/gal) > Iowa | This week: 1.27 - 1.42 | Last week: 1.14 - 1.30 | Year ago: 1.42 - 1.60",
                "Ethanol ($/gal) > Ohio | This week: unq | Last week: 1.13 | Year ago: 1.28",
                "Biodiesel ($/gal)",
                "Biodiesel ($/gal) > Iowa | This week: 3.02 | Last week: 2.71 | Year ago: 2.73",
            ],
            id="low and high in one cell, a section without figures",
        ),
        pytest.param(
            BESIDE,
            ["Maps | Random: 73 | HoG: 64 | SIFT: 48"],
            id="beside prose, without its words",
        ),
    ],
)
def test_values_of_a_pdf_stand_below_their_headers(tmp_path: Path, page: list[str | files.Placed], rows: list[str]):
    """As yearbooks, market reports and papers print tables, each value stands beside its label, below its headers."""
    assert [row for row in rows_of(tmp_path, page) if row in rows] == rows


def test_a_turned_page_holds_the_same_table(tmp_path: Path):
    """A page that is written upwards and shown upright is read as it is shown."""
    assert rows_of(tmp_path, PRICES, turned=True) == rows_of(tmp_path, PRICES)


def test_a_letter_that_a_pdf_tells_in_two_halves_is_one(tmp_path: Path):
    """A sign beyond the first 65,536 (a bell) is read as itself; half a one is a question mark, and stops nothing."""
    texts = []
    for bell in ("🔔", "\ud83d"):
        path = files.write(tmp_path, "a.pdf", files.pdf(["Ring the # at noon."], bell=bell))
        texts.append(files.read(Source.of(path)).text)

    assert texts[0] == "Ring the 🔔 at noon."
    assert "at noon." in texts[1]


STATES = [[(60, name), (210, "4.50"), (310, "4.60"), (410, "4.70")] for name in ("Ohio", "Kansas")]
BOUND = "Ohio | This week: 4.50 | Last week: 4.60 | Year ago: 4.70 | (in thousands)"
TOTALS = [[(60, name), (350, "7"), (450, "8"), (540, "9")] for name in ("Ohio", "Kansas")]


@pytest.mark.parametrize(
    ("first", "second", "row"),
    [
        (SOLD, STATES, BOUND),
        ([*SOLD, "3"], STATES, BOUND),
        (
            SOLD,
            [SOLD[1], *STATES],
            BOUND,
        ),
        (SOLD, ["All prices rose.", *STATES], "Ohio | 4.50 | 4.60 | 4.70"),
        (SOLD, TOTALS, "Ohio | 7 | 8 | 9"),
    ],
    ids=["no headers", "a page number between", "headers again", "prose between", "other columns"],
)
def test_a_table_goes_on_over_a_page_break(
    tmp_path: Path, first: list[str | files.Placed], second: list[str | files.Placed], row: str
):
    """Rows at the top of a page stand below the headers and the unit of the table that ends the page before, if their
    columns do; after prose, or with columns elsewhere, no header is made up for them."""
    assert row in rows_of(tmp_path, first, second)


@pytest.mark.parametrize(
    "page",
    [
        PROSE,
        [[(60, f"{n}."), (90, f"The step number {n} takes 30 minutes.")] for n in range(1, 5)],
        [[(60, f"{n}. Chapter"), (200, ". . . . . . . . ."), (400, str(9 * n))] for n in range(1, 5)],
    ],
    ids=["two columns of text", "a numbered list", "a table of contents"],
)
def test_prose_is_no_table(tmp_path: Path, page: list[files.Placed]):
    """Columns of text, lists and contents have no cells."""
    assert not [row for row in rows_of(tmp_path, page) if " | " in row]


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
    """Whatever overlaps or is missing, rows come out, and the first one opens the table."""
    blocks = [*bind_cells(cells)]

    assert [block.opens_table for block in blocks] == [number == 0 for number in range(len(blocks))]


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
