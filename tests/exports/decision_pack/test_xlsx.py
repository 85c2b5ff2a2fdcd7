"""qaviz.exports.decision_pack.xlsx: a workbook with every row in full, charts of its own, and not one formula."""

import io
import re
import zipfile

import openpyxl
import polars as pl
import pytest
from xlsxwriter import Workbook

from qaviz.analysis.policy import Outcome
from qaviz.exports.decision_pack.xlsx import (
    LONGEST_CELL,
    MOST_ROWS,
    TableSheet,
    add_table,
    continue_long_texts,
    styles_of,
)
from qaviz.model.columns import PIPELINE, QUESTION, REASON, RESPONSE
from qaviz.model.visible import visible
from tests.exports.decision_pack.packs import HOSTILE, pack_from, written

SHEETS = ["Decision", "Figures", "Pipelines", "Criteria", "Comparisons", "Diagnoses", "Normalised"]
SHEETS += ["Examples", "Questions", "Responses", "Notes"]


def parts(book: bytes, pattern: str) -> dict[str, str]:
    """The parts of an Office file whose names match."""
    with zipfile.ZipFile(io.BytesIO(book)) as package:
        return {name: package.read(name).decode() for name in package.namelist() if re.search(pattern, name)}


def table(book: bytes, sheet: str) -> list[dict[str, object]]:
    """A sheet's rows by heading, each text as a spreadsheet decodes it."""
    opened = openpyxl.load_workbook(io.BytesIO(book))[sheet]
    heads, *rows = opened.iter_rows(values_only=True)
    return [dict(zip(heads, map(decoded, row), strict=True)) for row in rows]


def decoded(value: object) -> object:
    """ECMA-376, ST_Xstring: `_x000D_` is the character with that number."""
    if not isinstance(value, str):
        return value
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), value)


def test_every_response_is_there_in_full(sample):
    """The sheet of responses holds each row of the run, its texts to the last character."""
    content = sample

    rows = table(written(content, ".xlsx"), "Responses")

    for column, heading in ((PIPELINE, "Pipeline"), (QUESTION, "Question"), (RESPONSE, "Response"), (REASON, "Reason")):
        assert [row[heading] or "" for row in rows] == content.rows[column].to_list()
    assert [row["Closeness"] for row in rows] == content.rows["recall_over_words"].to_list()


def test_the_workbook_has_its_sheets_charts_filters_and_colours(sample):
    """Charts are the spreadsheet's own and refer to cells; tables have filters, conditional formats, fixed heads."""
    book = written(sample, ".xlsx")

    assert openpyxl.load_workbook(io.BytesIO(book)).sheetnames == SHEETS
    charts = parts(book, r"charts/chart\d")
    assert len(charts) == 4
    assert all("<c:barChart>" in chart and "Figures!$B$" in chart for chart in charts.values())
    assert "<c:errBars>" in charts["xl/charts/chart1.xml"]
    responses = parts(book, "sheet10.xml").popitem()[1]
    for expected in ("<autoFilter", "<conditionalFormatting", 'state="frozen"'):
        assert expected in responses
    assert not parts(book, "media|externalLink")


def test_criteria_are_figures_with_their_sentences(sample):
    """The sheet of criteria has bound, value and interval as numbers, and the sentence in full."""
    first, *others = table(written(sample, ".xlsx"), "Criteria")

    assert (first["Measure"], first["Wanted"], first["Value"]) == ("facts stated", 0.4, 0.8)
    assert first["Sentence"] == sample.criteria["sentence"][0]
    assert {row["Outcome"] for row in (first, *others)} == set(Outcome)


def test_notes_say_how_it_was_measured_and_how_to_read_it(sample):
    """The sheet of notes has the golden dataset's hash, thresholds, engine, every metric and what is not known."""
    content = sample

    notes = "\n".join(f"{row['About']}: {row['Text']}" for row in table(written(content, ".xlsx"), "Notes"))

    for expected in (
        content.run.golden_id,
        "Close from: 0.70",
        "qaviz 0.0.0",
        "Closeness (recall_over_words)",
        "Not known",
    ):
        assert expected in notes


def test_hostile_texts_stay_texts(hostile):
    """Nothing is a formula or a link, every text comes back as it was, and cells stay texts when edited."""
    content = hostile

    book = written(content, ".xlsx")

    for name, sheet in parts(book, "worksheets/sheet").items():
        assert "<f>" not in sheet, name
        assert "<hyperlink" not in sheet, name
    rows = table(book, "Responses")
    assert [row["Pipeline"] for row in rows] == content.rows[PIPELINE].to_list()
    assert [row["Response"] for row in rows] == content.rows[RESPONSE].to_list()
    assert 'quotePrefix="1"' in parts(book, "styles").popitem()[1]
    assert [visible(text).split()[0] in str(table(book, "Pipelines")) for text in HOSTILE[:4]] == [True] * 4


@pytest.mark.parametrize(
    "text", ["x" * (LONGEST_CELL + 1), "🧪" * LONGEST_CELL, "é" * LONGEST_CELL, "=\x07" * LONGEST_CELL, "a" * 10]
)
def test_texts_longer_than_a_cell_go_on_beside_it(text):
    """No cell holds more UTF-16 units than a spreadsheet takes, and the pieces together are the text."""
    cut, added = continue_long_texts(pl.DataFrame({"response": ["short", text, None], "n": [1, 2, 3]}))

    pieces = cut.select("response", *added).row(1)
    assert "".join(filter(None, pieces)) == text
    assert all(len(piece.encode("utf-16-le")) // 2 <= LONGEST_CELL for piece in pieces if piece)
    assert cut["response"].to_list()[::2] == ["short", None]
    assert set(added.values()) == ({"response"} if len(text.encode("utf-16-le")) // 2 > LONGEST_CELL else set())


def test_a_continued_text_is_said_in_the_notes(workspace):
    """A response of 70,000 characters fills three cells of its row, and the notes name their columns."""
    response = "Ⅷ=" * 35_000
    book = written(pack_from(workspace, [{"question": "Why?", "answer": "so"}], {"a": [response]}), ".xlsx")

    (row,) = table(book, "Responses")
    headings = ("Response", "Response (continued)", "Response (continued 2)")
    assert "".join(str(row[heading]) for heading in headings) == response
    notes = [row["Text"] for row in table(book, "Notes")]
    assert any("32,767 characters" in note and "“Response (continued 2)”" in note for note in notes)


def test_more_rows_than_a_sheet_holds_go_on_in_another():
    """Rows beyond a sheet's last stand in a second sheet under the same heading, and that is said."""
    stream = io.BytesIO()
    with new_workbook(stream) as workbook:
        told = add_table(workbook, styles_of(workbook), "Rows", pl.select(n=pl.int_range(MOST_ROWS + 2)))

    first, second = parts(stream.getvalue(), "worksheets/sheet").values()
    assert (first.count("<row "), second.count("<row ")) == (MOST_ROWS + 1, 3)
    assert re.findall("<t.*?>(N)</t>|<v>(.*?)</v>", second) == [("N", ""), ("", "1048575"), ("", "1048576")]
    assert "in the 1 after it" in told[0]


def new_workbook(stream: io.BytesIO) -> Workbook:
    """A new workbook as the pack makes it."""
    return Workbook(stream, {"in_memory": True})


def test_rows_are_what_the_library_would_have_written():
    """The sheet that is written column by column reads as the one that xlsxwriter writes cell by cell."""
    frame = pl.DataFrame({"t": ["a", " b ", None], "n": [1, None, 3], "x": [0.1, 1e-7, 2.0], "b": [True, None, False]})
    stream = io.BytesIO()
    with new_workbook(stream) as workbook:
        add_table(workbook, styles_of(workbook), "ours", frame)
        theirs = workbook.add_worksheet("theirs")
        assert not isinstance(theirs, TableSheet)
        for row, values in enumerate((["T", "N", "X", "B"], *frame.rows())):
            for column, value in enumerate(values):
                theirs.write(row, column, value)

    assert table(stream.getvalue(), "ours") == table(stream.getvalue(), "theirs")
