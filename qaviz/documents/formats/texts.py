"""Plain text, Markdown and HTML as blocks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from qaviz.documents.blocks import Block, Cell, Kind, bind_cells
from qaviz.loading.source import Source, open_text
from qaviz.model.errors import stop

TEXT_LIMIT = 100_000_000
"""Most bytes of a text file: about 50,000 pages."""

LONGEST_HEADING = 90
_BREAK = r"(?:\r\n|\r(?!\n)|\n)"
_PARAGRAPHS = re.compile(rf"{_BREAK}[ \t\f\v]*{_BREAK}\s*")
_BLANK = re.compile(r"\s")
_NEXT_ITEM = re.compile(r"[\n\r](?=[ \t]*(?:[-*+•]|\d{1,3}[.)])\s)")
_SENTENCE_END = (".", ",", ";", ":", "!", "?", "。", "，", "；", "：", "！", "？", "؟", "،", "…")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:.*\n){0,50}?---[ \t]*\n")
_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_BETWEEN_WIDE = re.compile(rf"(?<={_WIDE})\n(?={_WIDE})")

_UNREAD = frozenset(("script", "style", "template", "noscript", "svg", "head", "nav", "iframe", "object", "select"))
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    (
        *("p", "div", "li", "ul", "ol", "dl", "dt", "dd", "section", "article", "main", "header", "footer", "aside"),
        *("blockquote", "pre", "figure", "figcaption", "form", "fieldset", "address", "hr", "body", "html", "caption"),
        *_HEADINGS,
    )
)


def decode_text(source: Source, notes: list[str]) -> str:
    """The file as text: UTF-8 or UTF-16, else Windows-1252, which is noted. Raises QavizError if it is no text."""
    if source.size > TEXT_LIMIT:
        fault = f"{source.size / 1e6:,.0f} MB of text"
        raise stop(source.name, fault, f"at most {TEXT_LIMIT / 1e6:,.0f} MB", "Split the document.")
    with open_text(source) as stream:
        content = stream.read()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        notes.append(f"It is not UTF-8 (byte {error.start + 1:,}): read as Windows-1252.")
        return content.decode("cp1252", errors="replace")


def read_plain(source: Source, notes: list[str]) -> Iterator[Block]:
    """Headings, paragraphs and list items of a plain text whose paragraphs are set apart by empty lines, with their
    places; line breaks inside a paragraph are blanks, one for one."""
    text = decode_text(source, notes)
    blanks = [match.span() for match in _PARAGRAPHS.finditer(text)]
    begins, finishes = [0, *(end for _, end in blanks)], [*(start for start, _ in blanks), len(text)]
    spans = [(begin, end) for begin, end in zip(begins, finishes, strict=True) if text[begin:end].strip()]
    for place, (begin, finish) in enumerate(spans):
        part = text[begin:finish]
        if place + 1 < len(spans) and is_heading(part):
            yield _place_block(Kind.HEADING, part, begin, level=2 if place else 1)
        else:
            starts = [0, *(match.start() + 1 for match in _NEXT_ITEM.finditer(part))]
            for start, end in zip(starts, [*starts[1:], len(part)], strict=True):
                yield _place_block(Kind.PARAGRAPH, part[start:end], begin + start)


def _place_block(kind: Kind, text: str, start: int, level: int = 0) -> Block:
    blank = len(text) - len(text.lstrip())
    return Block(kind=kind, text=_BLANK.sub(" ", text.strip()), start=start + blank, level=level)


def is_heading(part: str) -> bool:
    """Whether a text is a short line of its own without a full stop."""
    line = part.strip()
    short = "\n" not in line and len(line) <= LONGEST_HEADING and not line.endswith(_SENTENCE_END)
    begins = (line[0].isalpha() and line[0] == line[0].upper()) or line[0].isdigit()
    return short and begins and not _ITEM.match(line)


def joined_lines(lines: Iterable[str]) -> str:
    """Lines as one: with a space between them, but none between Chinese or Japanese characters."""
    text = "\n".join(line.strip() for line in lines if line.strip())
    return re.sub(r"\s+", " ", _BETWEEN_WIDE.sub("", text)).strip()


def read_markdown(source: Source, notes: list[str]) -> Iterator[Block]:
    """Headings, paragraphs, list items and tables of Markdown (CommonMark, GitHub's tables), without its marks."""
    # Loaded where a document is read.
    from markdown_it import MarkdownIt

    text = _FRONT_MATTER.sub("", decode_text(source, notes))
    return blocks_of_html(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))


def read_html(source: Source, notes: list[str]) -> Iterator[Block]:
    """Headings, paragraphs, list items and table rows of a page; menus, scripts and styles are left out."""
    return blocks_of_html(decode_text(source, notes))


def blocks_of_html(text: str) -> Iterator[Block]:
    """The blocks of an HTML text, however broken, in time linear in its length; of tables, when they are asked for."""
    # Loaded where a page is read: commands and pages start without lxml.
    from lxml.etree import HTMLParser, fromstring

    events = _PageEvents()
    fromstring(text.encode(errors="replace"), HTMLParser(target=events, encoding="utf-8", huge_tree=True))
    before = ""
    for part in events.parts:
        for block in (
            [part] if isinstance(part, Block) else bind_cells(part[0], caption=before if part[1] is None else part[1])
        ):
            yield block
            before = block.text


class _PageEvents:
    """Gathers the text between the tags that begin and end blocks, as lxml's parser reports them."""

    def __init__(self) -> None:
        self.parts: list[Block | tuple[list[Cell], str | None]] = []
        self._text: list[str] = []
        self._unread: list[str] = []
        self._level = self._tables = 0
        self._start_table()

    def _start_table(self) -> None:
        self._cells: list[Cell] = []
        self._taken: dict[int, tuple[int, int]] = {}  # column → the row and the column behind the cell from above
        self._row, self._column = -1, 0
        self._cell: Cell | None = None
        self._caption: str | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag begins."""
        if tag in _UNREAD:
            self._unread.append(tag)
        elif tag == "br":
            self._text.append("\n")
        elif tag == "table":
            if not self._tables:
                self._end_block()
            self._tables += 1
        elif self._tables and tag == "tr":
            self._end_cell()
            self._row, self._column = self._row + 1, 0
        elif self._tables and tag in ("td", "th"):
            self._end_cell()
            self._cell = self._open_cell(tag == "th", attributes)
        elif not self._tables and tag in _BLOCKS:
            self._end_block()
            self._level = _HEADINGS.get(tag, 0)

    def end(self, tag: str) -> None:
        """A tag ends, by itself or because another one ends it."""
        if tag in _UNREAD:
            if self._unread and self._unread[-1] == tag:
                self._unread.pop()
        elif self._tables and tag == "table":
            self._tables -= 1
            if not self._tables:
                self._end_table()
        elif self._tables and tag in ("td", "th", "tr"):
            self._end_cell()
        elif self._tables and tag == "caption":
            self._caption = self._take_text()
            self.parts.append(Block(kind=Kind.PARAGRAPH, text=self._caption))
        elif not self._tables and tag in _BLOCKS:
            self._end_block()

    def data(self, text: str) -> None:
        """A piece of text."""
        if not self._unread:
            self._text.append(text)

    def close(self) -> None:
        """The page ends."""
        if self._tables:
            self._end_table()
        self._end_block()

    def _take_text(self) -> str:
        text = joined_lines("".join(self._text).splitlines())
        self._text = []
        return text

    def _end_block(self) -> None:
        if text := self._take_text():
            kind = Kind.HEADING if self._level else Kind.PARAGRAPH
            self.parts.append(Block(kind=kind, text=text, level=self._level))
        self._level = 0

    def _open_cell(self, header: bool, attributes: Mapping[str, str]) -> Cell:
        """The cell that begins here, in the first place of its row that no cell from above takes."""
        self._row = max(self._row, 0)
        rows, columns = (
            min(max(int(text.strip()[:9]), 1), 100) if text and text.strip().isdecimal() else 1
            for text in map(attributes.get, ("rowspan", "colspan"))
        )
        while (taken := self._taken.get(self._column, (0, 0)))[0] > self._row:
            self._column = taken[1]
        column, self._column = self._column, self._column + columns
        if rows > 1:
            self._taken |= dict.fromkeys(range(column, self._column), (self._row + rows, self._column))
        return Cell(text="", row=self._row, column=column, rows=rows, columns=columns, header=header)

    def _end_cell(self) -> None:
        text = self._take_text()
        if text or self._cell:
            self._cells.append(replace(self._cell or self._open_cell(header=False, attributes={}), text=text))
        self._cell = None

    def _end_table(self) -> None:
        self._end_cell()
        self.parts.append((self._cells, self._caption))
        self._start_table()
