"""Workbooks and CSV files: each row a line that can be read by itself."""

import csv
import io
from collections.abc import Iterator

from qaviz.documents.blocks import Block, Kind
from qaviz.documents.formats.rows import CELLS, table_rows
from qaviz.documents.formats.texts import decode_text
from qaviz.loading.problems import stop
from qaviz.loading.readers.xlsx import Row, open_book
from qaviz.loading.source import Source

FIELD_LIMIT = 1_000_000
"""Most characters of a field of a CSV file."""
_SNIFFED = 64 * 1024


def read_xlsx(source: Source, _notes: list[str]) -> Iterator[Block]:
    """Rows of all sheets; the page is the sheet's number and its name stands above as a heading."""
    with open_book(source) as book:
        pages = {name: number for number, name in enumerate(book.sheets, 1)}
        for sheet in book.filled():
            page = pages[sheet.name]
            yield Block(kind=Kind.HEADING, text=sheet.name, page=page, level=1)
            names = sheet.columns
            rows = 0
            for rows, row in enumerate(sheet.rows, 1):  # noqa: B007 - counted
                yield Block(kind=Kind.ROW, text=_line(names, row), page=page)
            if not rows:
                yield Block(kind=Kind.ROW, text=CELLS.join(filter(None, names)), page=page)


def _line(names: list[str], row: Row) -> str:
    cells = ((names[place] if place < len(names) else "", cell.text) for place, cell in sorted(row.cells.items()))
    return CELLS.join(f"{name}: {' '.join(text.split())}" if name else text for name, text in cells)


def read_csv(source: Source, notes: list[str]) -> Iterator[Block]:
    """Rows of a CSV or TSV file, whichever of comma, semicolon, tab or bar sets its fields apart."""
    text = decode_text(source, notes)
    csv.field_size_limit(FIELD_LIMIT)
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:_SNIFFED], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel_tab if source.suffix == ".tsv" else csv.excel
    try:
        yield from table_rows(csv.reader(io.StringIO(text, newline=""), dialect))
    except csv.Error as error:
        raise stop(source.name, f"a broken table ({error})", "a CSV file", "Export it again as CSV.") from None
