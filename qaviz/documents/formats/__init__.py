"""Readers of document formats: each yields blocks. They run in a process of their own (see `documents.reading`)."""

from collections.abc import Callable, Iterator

from qaviz.documents.blocks import Block
from qaviz.documents.formats.office import read_csv, read_docx, read_pptx, read_xlsx
from qaviz.documents.formats.pdf import read_pdf
from qaviz.documents.formats.texts import read_html, read_markdown, read_plain
from qaviz.loading.source import Source

Notes = list[str]
Reader = Callable[[Source, Notes], Iterator[Block]]
"""Yields a file's blocks, and adds to the notes what it leaves out."""

READERS: dict[str, Reader] = {
    ".txt": read_plain,
    **dict.fromkeys((".md", ".markdown"), read_markdown),
    **dict.fromkeys((".html", ".htm"), read_html),
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".pptx": read_pptx,
    ".xlsx": read_xlsx,
    **dict.fromkeys((".csv", ".tsv"), read_csv),
}
"""By the suffix of a file's name."""
