"""Documents of each format, made by the libraries that people's programs use, or byte by byte."""

import io
import re
from collections.abc import Sequence
from pathlib import Path

from docx import Document as new_docx
from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches
from pypdf import PdfReader, PdfWriter

from qaviz.documents import READERS, Document
from qaviz.documents.blocks import block_table, joined_text
from qaviz.loading import Source
from qaviz.loading.source import fingerprint

TABLE = (("Segment", "2022", "2023"), ("Europe", "118", "131"), ("Asia", "80", "91"))


BRACKET, ESCAPED = r"([()])", r"\\\1"
Placed = Sequence[tuple[int, str]]
"""Texts of one line, each with its distance from the left in points."""


def pdf(*pages: Sequence[str | Placed], bell: str = "", turned: bool = False) -> bytes:
    """A PDF with these lines on its pages, in Helvetica; a page without lines holds a picture's worth of nothing.

    With `bell` the file says that the sign # is this text. A turned page is written upwards and shown upright.
    """
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    reading = "/ToUnicode 4 0 R" if bell else ""
    objects.append(f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding {reading} >>")
    if bell:
        codes = f"1 beginbfchar <23> <{bell.encode('utf-16-be', 'surrogatepass').hex()}> endbfchar"
        cmap = f"begincmap 1 begincodespacerange <00> <ff> endcodespacerange {codes} endcmap"
        objects.append(f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream")
    kids = []
    for lines in pages:
        placed = [[(60, line)] if isinstance(line, str) else line for line in lines]
        shown = " ".join(
            f"1 0 0 1 {left} {760 - 14 * number} Tm ({re.sub(BRACKET, ESCAPED, text)}) Tj"
            for number, line in enumerate(placed)
            for left, text in line
        )
        stream = f"{'0 1 -1 0 612 0 cm ' * turned}BT /F1 11 Tf {shown} ET" if lines else ""
        objects.append(_stream(stream))
        content = len(objects)
        resources = f"/Resources << /Font << /F1 3 0 R >> >> /Rotate {90 * turned}"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {content} 0 R >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return _write_objects(objects)


def forms(number: int, draws: int, again: bool = False) -> bytes:
    """A PDF of one page that says Hello and draws a form, which draws the next one so many times, and so on.

    The last one draws nothing, or with `again` itself.
    """
    font = "/Font << /F1 3 0 R >>"
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [5 0 R] /Count 1 >>"]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    objects.append(_stream("BT /F1 11 Tf 60 760 Td (Hello) Tj ET /X Do"))
    resources = f"/Resources << {font} /XObject << /X 6 0 R >> >>"
    objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents 4 0 R >>")
    for form in range(number):
        last = form == number - 1
        named = f"/Resources << {font} /XObject << /X {6 + form + (not last)} 0 R >> >>"
        kind = f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] {named}"
        objects.append(_stream("/X Do " * draws if again or not last else "", kind))
    return _write_objects(objects)


def _stream(content: str, fields: str = "") -> str:
    return f"<< /Length {len(content.encode('cp1252'))} {fields} >>\nstream\n{content}\nendstream"


def _write_objects(objects: Sequence[str]) -> bytes:
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, content in enumerate(objects, 1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252"))
    start = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    out.writelines(f"{place:010} 00000 n \n".encode() for place in places)
    out.write(f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def locked(content: bytes) -> bytes:
    """The PDF with a password."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def docx() -> bytes:
    document = new_docx()
    document.add_heading("Annual report", 0)
    document.add_heading("Revenue", 1)
    document.add_paragraph("Total revenue grew 12% to $575 billion in 2023.")
    table = document.add_table(rows=3, cols=3)
    for row, cells in zip(table.rows, TABLE, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    return _saved(document)


def pptx() -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Annual report"
    slide.placeholders[1].text = "Total revenue grew 12% to $575 billion in 2023."
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Segments"
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(1), Inches(4), Inches(2)).table
    for row, cells in enumerate(TABLE):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    slide.notes_slide.notes_text_frame.text = "Asia opened its first store in 2021."
    return _saved(deck)


def xlsx() -> bytes:
    book = Workbook()
    book.active.title = "Segments"
    for row in TABLE:
        book.active.append([int(cell) if cell.isdecimal() and len(cell) < 4 else cell for cell in row])
    return _saved(book)


def write(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(source: Source) -> Document:
    """The document as `read_document` reads it, but in this process: few tests need one of their own."""
    notes: list[str] = []
    blocks = block_table(READERS[source.suffix](source, notes))
    sha256 = fingerprint(source).sha256
    return Document(name=source.name, sha256=sha256, text=joined_text(blocks), blocks=blocks, notes=tuple(notes))


def _saved(thing: object) -> bytes:
    out = io.BytesIO()
    thing.save(out)
    return out.getvalue()
