"""How many cells of real tables are bound to their row and column, beside other readers of PDF that are installed.

    python -m benchmarks.tables FOLDER

The cells of `typed_cells.jsonl` were typed by hand from what the pages show: fourteen tables of a central bank, a
statistical office, a market report, an election, papers and others. Their files come with the source archives of
pdf2docx 0.5.9, PyMuPDF 1.28.2 and img2table 2.0.0, and one with these tests; FOLDER holds the unpacked archives.

Bound: one row has the label, and the value under a header with all words of the column. Wrong: the value of that row is
under a header that lacks one of them while a header with all stands over another value. Else it is not bound.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from benchmarks.screens import ROOT
from qaviz.documents import read_document
from qaviz.documents.blocks import CELLS, is_figure
from qaviz.loading import Source

Cells = Sequence[tuple[str, str]]
"""Header and text of each cell of a row."""
Reader = Callable[[Path, int], Iterator[Cells]]


def read_by_qaviz(path: Path, page: int) -> Iterator[Cells]:
    blocks = read_document(Source.of(path)).blocks
    for text in blocks.filter((pl.col("kind") == "row") & (pl.col("page") == page))["text"]:
        parts = [cell.rpartition(": ") for cell in text.split(CELLS)]
        yield [(header, value) for header, _, value in parts]


def read_by_pdfplumber(path: Path, page: int) -> Iterator[Cells]:
    import pdfplumber

    with pdfplumber.open(path) as document:
        for table in document.pages[page - 1].extract_tables():
            yield from name_cells([[" ".join((text or "").split()) for text in row] for row in table])


def read_by_pymupdf(path: Path, page: int) -> Iterator[Cells]:
    import pymupdf

    for table in pymupdf.open(path)[page - 1].find_tables().tables:
        yield from name_cells([[" ".join((text or "").split()) for text in row] for row in table.extract()])


def name_cells(rows: Sequence[Sequence[str]]) -> Iterator[Cells]:
    """Each row below the first one with a figure, under the texts above it in its columns, spans filled on."""
    body = next((number for number, row in enumerate(rows) if any(map(is_figure, row[1:]))), 1)
    headers = [""] * max(map(len, rows), default=0)
    for row in rows[:body]:
        last = ""
        for column, text in enumerate(row):
            last = text or last
            headers[column] = f"{headers[column]} {last}"
    for row in rows[body:]:
        yield list(zip(headers, row, strict=False))


def judge_cell(rows: Sequence[Cells], row: str, column: str, value: str) -> str:
    """`bound`, `wrong` or `not bound`."""
    words = set(column.lower().split())
    outcome = "not bound"
    for cells in rows:
        if not any(row in text for _, text in cells):
            continue
        under = [text for header, text in cells if words <= set(header.lower().replace(" > ", " ").split())]
        if value in under:
            return "bound"
        if under and any(text == value and header for header, text in cells):
            outcome = "wrong"
    return outcome


def main() -> None:
    """Print the table: a line a file, the share of its typed cells that each reader binds."""
    folders = [*map(Path, sys.argv[1:]), ROOT / "tests"]
    readers: dict[str, Reader] = {"qaviz": read_by_qaviz}
    if find_spec("pdfplumber"):
        readers["pdfplumber"] = read_by_pdfplumber
    if find_spec("pymupdf"):
        readers["PyMuPDF"] = read_by_pymupdf
    typed = pl.DataFrame(map(json.loads, (Path(__file__).with_name("typed_cells.jsonl")).read_text().splitlines()))
    rows = []
    for (name, page), cells in typed.group_by("file", "page", maintain_order=True):
        path = next((path for folder in folders for path in sorted(folder.rglob(str(name)))), None)
        if path is None:
            print(f"{name}: not found")
            continue
        for reader, read in readers.items():
            found = [*read(path, int(str(page)))]
            outcomes = [judge_cell(found, *triple) for triple in cells.select("row", "column", "value").iter_rows()]
            rows += [(f"{name}, page {page}", reader, outcome) for outcome in outcomes]
    judged = pl.DataFrame(rows, schema=["table", "reader", "outcome"], orient="row")
    for keys in (["table", "reader"], ["reader"]):
        counted = judged.group_by(keys, maintain_order=True).agg(
            pl.len().alias("cells"),
            *((pl.col("outcome") == outcome).sum().alias(outcome) for outcome in ("bound", "wrong", "not bound")),
        )
        with pl.Config(tbl_rows=-1, tbl_hide_dataframe_shape=True, fmt_str_lengths=60):
            print(counted)


if __name__ == "__main__":
    main()
