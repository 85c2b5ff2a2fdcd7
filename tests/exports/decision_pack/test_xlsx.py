"""qaviz.exports.decision_pack.xlsx: every table as a sheet, and not one formula."""

import io
import re
import zipfile

import openpyxl
import pytest

from qaviz.exports.decision_pack.xlsx import LONGEST_CELL
from qaviz.model.columns import PIPELINE, QUESTION, REASON, RESPONSE
from qaviz.model.visible import WORD_JOINER
from tests.exports.decision_pack.packs import HOSTILE, pack_from, tables_of, written

SHEETS = ["Decision", "Matrix", "Pipelines", "Diagnoses", "Worst answers", "Criteria", "Differences", "Method"]
SHEETS += ["Sign-off", "Comparisons", "Responses"]


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
    """ECMA-376, ST_Xstring: `_x000D_` is the control character with that number."""
    if not isinstance(value, str):
        return value
    return re.sub("_x(00[01][0-9A-Fa-f])_", lambda found: chr(int(found[1], 16)), value)


def test_every_response_is_there_in_full(sample):
    """The sheet of responses holds each row of the run, its texts to the last character."""
    rows = table(written(sample, ".xlsx"), "Responses")

    frame = tables_of(sample)["Responses"].frame
    for column, heading in ((PIPELINE, "Pipeline"), (QUESTION, "Question"), (RESPONSE, "Response"), (REASON, "Reason")):
        assert [row[heading] or "" for row in rows] == frame[column].to_list()
    assert [row["Closeness"] for row in rows] == pytest.approx(frame["recall_over_words"].to_list())


def test_the_workbook_has_its_sheets_filters_and_colours(sample):
    """Each table is a sheet with filters and a heading that stays; marks have the colours of their cells."""
    book = written(sample, ".xlsx")

    assert openpyxl.load_workbook(io.BytesIO(book)).sheetnames == SHEETS
    matrix = parts(book, "worksheets/sheet2.xml").popitem()[1]
    for expected in ("<conditionalFormatting", 'state="frozen"', "<tableParts"):
        assert expected in matrix
    assert "<autoFilter" in parts(book, "tables/table2.xml").popitem()[1]
    assert not parts(book, "media|externalLink")


def test_figures_are_numbers_with_the_ends_of_their_intervals(sample):
    """A share, its interval and what it counts stand in columns of their own, with all their digits."""
    first = table(written(sample, ".xlsx"), "Pipelines")[0]

    frame = tables_of(sample)["Pipelines"].frame
    figures = [first[name] for name in ("Share", "Share, 95% interval from", "Share, 95% interval to")]
    assert figures == pytest.approx(frame.select("share", "low", "high").row(0))
    assert (first["Facts stated"], first["Facts stated, of"]) == (8, 10)


def test_the_first_sheet_says_what_is_decided_and_how_to_read_the_others(sample):
    """Every sentence of the report stands there, and the note of each table."""
    sentences = [row["Sentence"] for row in table(written(sample, ".xlsx"), "Decision")]

    assert sentences[:2] == [sample.title, sample.sections[0].title]
    assert set(sample.record["sentences"]) | set(sample.record["not_known"]) <= set(sentences)
    assert tables_of(sample)["Criteria"].note in sentences


def test_hostile_texts_stay_texts(hostile):
    """Nothing is a formula or a link, every text comes back as it was, and cells stay texts when edited."""
    book = written(hostile, ".xlsx")

    for name, sheet in parts(book, "worksheets/sheet").items():
        assert "<f>" not in sheet, name
        assert "<hyperlink" not in sheet, name
    frame = tables_of(hostile)["Responses"].frame
    rows = table(book, "Responses")
    assert [str(row["Pipeline"]).replace(WORD_JOINER, "") for row in rows] == frame[PIPELINE].to_list()
    assert [str(row["Response"]).replace(WORD_JOINER, "") for row in rows] == frame[RESPONSE].to_list()
    assert 'quotePrefix="1"' in parts(book, "styles").popitem()[1]
    assert [text.split()[0] in str(table(book, "Pipelines")) for text in HOSTILE[:4]] == [True] * 4


def test_a_text_longer_than_a_cell_is_cut(workspace):
    """No cell holds more than a spreadsheet takes, in its own units of two for a character beyond 16 bits."""
    book = written(pack_from(workspace, [{"question": "Why?", "answer": "so"}], {"a": ["🧪" * 40_000]}), ".xlsx")

    (row,) = table(book, "Responses")
    assert row["Response"] == "🧪" * LONGEST_CELL
