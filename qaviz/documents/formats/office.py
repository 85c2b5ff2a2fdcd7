"""Word documents, PowerPoint slides, workbooks and CSV files as blocks."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, groupby
from typing import TYPE_CHECKING, BinaryIO

from qaviz.documents.blocks import Block, Cell, Kind, bind_cells, list_cells
from qaviz.documents.formats.texts import decode_text
from qaviz.loading.formats.delimited import find_delimiter
from qaviz.loading.formats.xlsx import DAMAGE, Row, Span, find_spans, list_rows, open_book, stop_at_bomb
from qaviz.loading.source import Source
from qaviz.model.errors import stop

if TYPE_CHECKING:
    from docx.table import Table
    from pptx.shapes.base import BaseShape
    from pptx.text.text import TextFrame


_ENCRYPTED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How an Office file with a password begins, and one of before 2007."""
_HEADING = re.compile(r"(?:Heading|heading|Überschrift|Titre|Título) ?(\d)")


@contextmanager
def _package(source: Source, kind: str) -> Iterator[BinaryIO]:
    """The opened file. Raises QavizError for one with a password, a bomb, or a broken one."""
    # Loaded where a document is read: commands and pages start without lxml.
    from lxml.etree import LxmlError

    with source.open() as stream:
        if stream.read(len(_ENCRYPTED)) == _ENCRYPTED:
            fault = "a file with a password, or of before 2007"
            raise stop(source.name, fault, f"a {kind} without a password", f"Save it as {kind} without a password.")
        stream.seek(0)
        try:
            with zipfile.ZipFile(stream) as archive:
                stop_at_bomb(source.name, archive, "Check where it comes from, or save its text as TXT.")
            stream.seek(0)
            yield stream
        except (*DAMAGE, LxmlError) as error:
            fault = f"a broken file, or one of another format ({str(error).partition(chr(10))[0][:100]})"
            raise stop(source.name, fault, f"a {kind} document", f"Save it again as {kind}.") from None


def read_docx(source: Source, notes: list[str]) -> Iterator[Block]:
    """Headings, paragraphs, list items and tables of a Word document. It has no pages until it is printed."""
    from docx import Document as open_docx
    from docx.table import Table

    with _package(source, "DOCX") as stream:
        document = open_docx(stream)
        pictures = len(document.inline_shapes)
        caption = ""
        for item in document.iter_inner_content():
            if isinstance(item, Table):
                yield from bind_cells(_place_cells(item), caption=caption)
            elif text := item.text.strip():
                style = (item.style.name if item.style is not None else "") or ""
                heading = _HEADING.match(style)
                level = int(heading[1]) if heading else int(style == "Title")
                yield Block(kind=Kind.HEADING if level else Kind.PARAGRAPH, text=text, level=level)
            caption = getattr(item, "text", "")
    if pictures:
        notes.append(f"Text in its {pictures:,} pictures is not read.")


def _place_cells(table: "Table") -> Iterator[Cell]:
    """The table's cells; one that is merged over rows stands in each of them."""
    from docx.table import _Cell

    above: dict[int, str] = {}
    for number, row in enumerate(table._tbl.tr_lst):
        column = max(row.grid_before, 0)
        marked = row.trPr is not None and bool(row.trPr.xpath("./w:tblHeader"))
        for cell in row.tc_lst:
            text = above.get(column, "") if cell.vMerge == "continue" else _Cell(cell, table).text
            above[column] = text
            yield Cell(text=text, row=number, column=column, columns=max(cell.grid_span, 1), header=marked)
            column += max(cell.grid_span, 1)


def read_pptx(source: Source, notes: list[str]) -> Iterator[Block]:
    """Titles, texts, tables and speaker notes of slides; the page is the slide's number."""
    from pptx import Presentation
    from pptx.enum.shapes import MSO_SHAPE_TYPE
    from pptx.shapes.autoshape import Shape
    from pptx.shapes.graphfrm import GraphicFrame

    pictures = 0
    with _package(source, "PPTX") as stream:
        for number, slide in enumerate(Presentation(stream).slides, 1):
            title = slide.shapes.title
            if title is not None and title.text_frame.text.strip():
                yield Block(kind=Kind.HEADING, text=" ".join(title.text_frame.text.split()), page=number, level=1)
            for shape in _list_shapes(slide.shapes):
                if shape.shape_type == MSO_SHAPE_TYPE.PICTURE:
                    pictures += 1
                if title is not None and shape.shape_id == title.shape_id:
                    continue
                if isinstance(shape, GraphicFrame) and shape.has_table:
                    rows = ([cell.text for cell in row.cells] for row in shape.table.rows)
                    yield from bind_cells(list_cells(rows, headers=int(shape.table.first_row)), page=number)
                elif isinstance(shape, Shape):
                    yield from _read_paragraphs(shape.text_frame, number)
            if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
                yield from _read_paragraphs(slide.notes_slide.notes_text_frame, number)
    if pictures:
        notes.append(f"Text in its {pictures:,} pictures is not read.")


def _list_shapes(shapes: "Iterable[BaseShape]") -> "Iterator[BaseShape]":
    """The shapes of a slide, those in groups too, however deep."""
    waiting = [*shapes][::-1]
    while waiting:
        shape = waiting.pop()
        if hasattr(shape, "shapes"):
            waiting += [*shape.shapes][::-1]
        else:
            yield shape


def _read_paragraphs(frame: "TextFrame", number: int) -> Iterator[Block]:
    for paragraph in frame.paragraphs:
        if text := " ".join("".join(run.text for run in paragraph.runs).split()):
            yield Block(kind=Kind.PARAGRAPH, text=text, page=number)


def read_xlsx(source: Source, _notes: list[str]) -> Iterator[Block]:
    """Tables of all sheets, set apart by empty rows; what stands alone in the first column above a table is its
    caption. The page is the sheet's number, and its name stands above as a heading."""
    with open_book(source) as workbook:
        for sheet, rows in list_rows(workbook, source.name):
            name, caption = sheet.title, ""
            page = workbook.sheetnames.index(name) + 1  # of all sheets, charts too
            merged = {(span.top, span.left): span for span in find_spans(workbook, sheet)}
            for number, group in enumerate(_split_rows(rows)):
                if not number:
                    yield Block(kind=Kind.HEADING, text=name, page=page, level=1)
                first = min(min(row.cells) for row in group)
                alone = next((n for n, row in enumerate(group) if [*row.cells] != [first]), len(group))
                table = group[alone:]
                for row in group[:alone]:
                    line = " ".join(row.cells[first].split())
                    yield Block(kind=Kind.PARAGRAPH, text=line, page=page)
                    caption = f"{caption} {line}"
                width = 1 + max((max(row.cells) for row in table), default=-1)
                if table:
                    yield from bind_cells(_place_sheet_cells(table, width, merged), page=page, caption=caption)
                    caption = ""


def _split_rows(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows in groups, between which there are empty ones."""
    places = count()
    for _, group in groupby(rows, lambda row: row.number - next(places)):
        yield [*group]


def _place_sheet_cells(rows: Sequence[Row], width: int, merged: Mapping[tuple[int, int], Span]) -> Iterator[Cell]:
    top, bottom = rows[0].number, rows[-1].number
    for row in rows:
        for column, text in row.cells.items():
            span = merged.get((row.number, column), Span(row.number, row.number, column, column))
            yield Cell(
                text=text,
                row=row.number - top,
                column=column,
                rows=min(span.bottom, bottom) - span.top + 1,
                columns=min(span.right + 1, width) - span.left,
            )


def read_csv(source: Source, notes: list[str]) -> Iterator[Block]:
    """Rows of a CSV or TSV file, whichever sign sets its fields apart."""
    text = decode_text(source, notes)
    lines = io.StringIO(text, newline="")
    delimiter = find_delimiter(text.partition("\n")[0] + "\n")
    try:
        yield from bind_cells(list_cells(csv.reader(lines, delimiter=delimiter)))
    except csv.Error as error:
        raise stop(source.name, f"a broken table ({error})", "a CSV file", "Export it again as CSV.") from None
