"""PDF: the text of each page, with what printing did to it mended."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from qaviz.documents.blocks import Block, Kind, bind_cells, is_figure
from qaviz.documents.formats.pdf_page import FoundTable, continue_table, read_words, split_page
from qaviz.documents.formats.texts import is_heading, joined_lines
from qaviz.loading.source import Source
from qaviz.model.errors import stop
from qaviz.processes import within

PAGE_LIMIT = 20_000
PAGE_CPU_S = 6.0
"""Most seconds of computing over a page: a page of 2,000 words takes some hundredths, forms in forms for ever."""

_ENOUGH_PAGES = 3
"""Pages from which a line that stands at the top or bottom of most of them is a running header or footer."""
_EDGE = 2
"""Lines at the top and at the bottom of a page that may be one."""
_LABEL_END = re.compile(r"[.!?。]$")

_LIGATURES = str.maketrans(
    dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "ft", "st"), strict=True))
    | dict.fromkeys("\u00a0\u202f\u2009", " ")
    | dict.fromkeys("\u200b\ufeff\0")
)
"""Letters that printing joined, and blanks and invisible characters that a PDF sets."""
_SOFT_HYPHEN = re.compile("(?:\u00ad|\ufffe|\x02)\\s*\\n?")
_HYPHEN_AT_END = re.compile(r"(?<=[^\W\d_]{2})[-‐]\n(?=[^\W\d_]{2})")
_PAGE = re.compile(r"\W*(?:page\W*)?\d{1,4}(?:\W+(?:of\W+)?\d{1,4})?\W*", re.IGNORECASE)
"""A line that is a page's number."""
_Part = str | FoundTable
"""A line of text, or a table, of a page."""


def read_pdf(source: Source, notes: list[str]) -> Iterator[Block]:
    """Headings, paragraphs and table rows, page by page. Pages without text are noted: they are scanned."""
    pages = [*_read_pages(source)]
    empty = [number for number, page in enumerate(pages, 1) if not page]
    if empty:
        which = ", ".join(map(str, empty[:10])) + (", ..." if len(empty) > 10 else "")
        notes.append(
            f"{len(empty):,} of {len(pages):,} pages hold no text (scanned, or empty): {which}. "
            "Run text recognition (OCR) to read them."
        )
    yield from _build_blocks(_without_running_lines(pages))


def _read_pages(source: Source) -> Iterator[list[_Part]]:
    from pypdfium2 import PdfDocument, PdfiumError

    with source.open():
        pass  # says what is wrong with a file that cannot be opened or is empty
    try:
        document = PdfDocument(source.data)
    except PdfiumError as error:
        why = str(error)
        if "assword" in why or "ecurity" in why:
            fix = "Save it without a password (print it to a PDF)."
            raise stop(source.name, "a PDF that needs a password", "a PDF that opens without one", fix) from None
        raise stop(source.name, f"no PDF, or a broken one ({why[:100]})", "a PDF", "Export it again.") from None
    try:
        if len(document) > PAGE_LIMIT:
            raise stop(source.name, f"{len(document):,} pages", f"at most {PAGE_LIMIT:,}", "Split the document.")
        for number in range(len(document)):
            with within(PAGE_CPU_S):
                page = document[number]
                parts = [*_mend_lines(split_page(read_words(page)))]
                page.close()
            yield parts
    except PdfiumError as error:
        raise stop(source.name, f"a broken page ({error})", "a whole PDF", "Save it again as PDF.") from None
    finally:
        document.close()


def _mend_lines(parts: Iterable[_Part]) -> Iterator[_Part]:
    """The parts of a page with the letters of its lines mended, and words whole that a line's end parts."""
    for _, group in groupby(parts, key=type):
        run = [*group]
        lines = [part for part in run if isinstance(part, str)]
        yield from run if not lines else filter(str.strip, mend_letters("\n".join(lines)).splitlines())


def _without_running_lines(pages: Sequence[list[_Part]]) -> list[list[_Part]]:
    """The pages without page numbers, and without lines at the edge of many pages, whatever their numbers."""
    if len(pages) < _ENOUGH_PAGES:
        return [*pages]
    at_edges = Counter(
        shape
        for page in pages
        for shape in {_blank_numbers(line) for line in page[:_EDGE] + page[-_EDGE:] if isinstance(line, str)}
    )
    filled = sum(bool(page) for page in pages)
    enough = max(_ENOUGH_PAGES, filled / 4)  # left and right pages may have lines of their own
    running = {shape for shape, number in at_edges.items() if number >= enough}
    kept = (
        [
            part
            for place, part in enumerate(page)
            if _EDGE <= place < len(page) - _EDGE or not isinstance(part, str) or _blank_numbers(part) not in running
        ]
        for page in pages
    )
    return [part or page for part, page in zip(kept, pages, strict=True)]


def _blank_numbers(line: str) -> str:
    """The line with its numbers left open: `Page 3 of 40` is `Page # of #`."""
    return re.sub(r"\d+", "#", line.strip())


def _build_blocks(pages: Sequence[list[_Part]]) -> Iterator[Block]:
    caption, last = "", None
    for number, page in enumerate(pages, 1):
        lines = [part for part in page if isinstance(part, str)]
        paragraph: list[str] = []
        first = page[0] if page else None
        continued = continue_table(first, last) if isinstance(first, FoundTable) and last else None
        if not continued:
            caption = ""
        parts = [continued, *page[1:]] if continued else page
        for part in parts:
            row = not isinstance(part, str) or _is_row(part)
            if row or (paragraph and _ends_paragraph(paragraph, lines)):
                caption = joined_lines(paragraph) if paragraph else caption
                yield from _build_paragraph(paragraph, number)
                paragraph = []
            if not isinstance(part, str):
                yield from bind_cells(part.cells, number, caption)
            elif row:
                yield Block(kind=Kind.ROW, text=" ".join(part.split()), page=number)
            else:
                paragraph.append(part)
        yield from _build_paragraph(paragraph, number)
        ends = next((part for part in reversed(parts) if not (isinstance(part, str) and _PAGE.fullmatch(part))), None)
        last = ends if isinstance(ends, FoundTable) else None


def _is_row(line: str) -> bool:
    """Whether a line that is set without columns is a row of figures all the same."""
    words = line.split()
    figures = sum(map(is_figure, words))
    return figures >= 2 and figures >= 0.3 * len(words) and not _LABEL_END.search(line)


def _ends_paragraph(paragraph: list[str], lines: list[str]) -> bool:
    """Whether the last line of the paragraph is its end: a full stop in a line that is much shorter than most."""
    width = sorted(map(len, lines))[len(lines) * 3 // 4]
    short = len(paragraph[-1]) < 0.75 * width
    return short and (bool(_LABEL_END.search(paragraph[-1])) or len(paragraph) == 1)


def _build_paragraph(lines: list[str], page: int) -> Iterator[Block]:
    if lines:
        text = joined_lines(lines)
        heading = len(lines) == 1 and is_heading(text)
        yield Block(kind=Kind.HEADING if heading else Kind.PARAGRAPH, text=text, page=page, level=2 if heading else 0)


def mend_letters(text: str) -> str:
    """The text of a page with ligatures as letters, and words whole that a hyphen parts at the end of a line."""
    plain = text.translate(_LIGATURES).replace("\r\n", "\n").replace("\r", "\n")
    plain = _SOFT_HYPHEN.sub("", plain)
    # A word goes on in small letters; a name or a compound keeps its hyphen.
    return _HYPHEN_AT_END.sub(lambda hyphen: "" if plain[hyphen.end()].islower() else "-", plain)
