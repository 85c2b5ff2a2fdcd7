"""Plain text, Markdown, HTML and mails as blocks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from email import message_from_binary_file, policy
from email.message import EmailMessage, Message

from qaviz.documents.blocks import Block, Cell, Kind, bind_cells, list_cells
from qaviz.loading.source import Source, list_notes, open_text
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

_UNREAD = frozenset(("script", "style", "template", "noscript", "svg", "head", "nav", "iframe", "object", "select"))
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    (
        *("p", "div", "li", "ul", "ol", "dl", "dt", "dd", "section", "article", "main", "header", "footer", "aside"),
        *("blockquote", "pre", "figure", "figcaption", "form", "fieldset", "address", "hr", "body", "html", "caption"),
        *_HEADINGS,
    )
)
DEEPEST = 500
"""Nested tables beyond this are read as text."""
SPAN_LIMIT = 100
"""Most rows or columns that a cell of a page spans."""

_NAMED = ("From", "To", "Date")
HEADER_LIMIT = 2_000
"""Characters of a mail's header that are read."""


def read_plain(source: Source, notes: list[str]) -> Iterator[Block]:
    """Paragraphs of a plain text, and headings: a short line of its own without a full stop."""
    return placed_blocks(decode_text(source, notes))


def decode_text(source: Source, notes: list[str]) -> str:
    """The file as text: UTF-8 or UTF-16, else Windows-1252, which is noted. Raises QavizError if it is no text."""
    if source.size > TEXT_LIMIT:
        fault = f"{source.size / 1e6:,.0f} MB of text"
        raise stop(source.name, fault, f"at most {TEXT_LIMIT / 1e6:,.0f} MB", "Split the document.")
    with open_text(source) as stream:
        content = stream.read()
        notes.extend(words for _kind, words in list_notes(stream))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        notes.append(f"It is not UTF-8 (byte {error.start + 1:,}): read as Windows-1252.")
        return content.decode("cp1252", errors="replace")


def blocks_of_text(text: str, page: int | None = None) -> Iterator[Block]:
    """Headings, paragraphs and list items of a text whose paragraphs are set apart by empty lines."""
    for block in placed_blocks(text):
        yield replace(block, text=" ".join(block.text.split()), page=page, start=None)


def placed_blocks(text: str) -> Iterator[Block]:
    """The same with their places in the text; line breaks inside a paragraph are blanks, one for one."""
    ends = [(match.start(), match.end()) for match in _PARAGRAPHS.finditer(text)]
    begins = [0, *(end for _, end in ends)]
    finishes = [*(start for start, _ in ends), len(text)]
    spans = [(begin, end) for begin, end in zip(begins, finishes, strict=True) if text[begin:end].strip()]
    for place, (begin, finish) in enumerate(spans):
        part = text[begin:finish]
        if place + 1 < len(spans) and _is_heading(part):
            yield _place_block(Kind.HEADING, part, begin, level=2 if place else 1)
        else:
            starts = [0, *(match.start() + 1 for match in _NEXT_ITEM.finditer(part))]
            for start, end in zip(starts, [*starts[1:], len(part)], strict=True):
                yield _place_block(Kind.PARAGRAPH, part[start:end], begin + start)


def _place_block(kind: Kind, text: str, start: int, level: int = 0) -> Block:
    blank = len(text) - len(text.lstrip())
    return Block(kind=kind, text=_BLANK.sub(" ", text.strip()), start=start + blank, level=level)


def _is_heading(part: str) -> bool:
    line = part.strip()
    short = "\n" not in line and len(line) <= LONGEST_HEADING and not line.endswith(_SENTENCE_END)
    begins = (line[0].isalpha() and line[0] == line[0].upper()) or line[0].isdigit()
    return short and begins and not _ITEM.match(line)


def _items(lines: Iterable[str]) -> Iterator[str]:
    """The lines as one paragraph, or as the items of a list."""
    current: list[str] = []
    for line in lines:
        if _ITEM.match(line) and current:
            yield joined_lines(current)
            current = []
        current.append(line)
    if any(line.strip() for line in current):
        yield joined_lines(current)


_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_BETWEEN_WIDE = re.compile(rf"(?<={_WIDE})\n(?={_WIDE})")


def joined_lines(lines: Iterable[str]) -> str:
    """Lines as one: with a space between them, but none between Chinese or Japanese characters."""
    text = "\n".join(line.strip() for line in lines if line.strip())
    return re.sub(r"\s+", " ", _BETWEEN_WIDE.sub("", text)).strip()


# Patterns that look back to no character twice: a hostile line takes time linear in its length.
_HASHES = re.compile(r" {0,3}(#{1,6})(?:\s+(.*)|#*)$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}$")
_TABLE_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?$")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"(?<!`)(`++)(?=\S)([^`]++)(?<=\S)\1|(\*\*|__|~~)(?=\S)((?:(?!\3).)+?)(?<=\S)\3")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])|(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])")


def read_markdown(source: Source, notes: list[str]) -> Iterator[Block]:
    """Headings, paragraphs, list items and tables of Markdown, without its marks."""
    lines = _without_comments(decode_text(source, notes)).splitlines()
    if lines and lines[0].strip() == "---" and "---" in (line.strip() for line in lines[1:50]):
        lines = lines[[line.strip() for line in lines].index("---", 1) + 1 :]
    place, caption = 0, ""
    while place < len(lines):
        blocks, place = _next_part(lines, place, caption)
        caption = blocks[-1].text if blocks else caption
        yield from blocks


def _without_comments(text: str) -> str:
    """The text without its comments; one that does not end is none."""
    parts, place = list[str](), 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts.append(text[place:start])
        place = end + len("-->")
    return "".join((*parts, text[place:]))


def _next_part(lines: list[str], place: int, caption: str) -> tuple[list[Block], int]:
    """The blocks that begin at this line, and the line after them; `caption` is what stands above."""
    line = lines[place]
    if fence := _FENCE.match(line):
        end = next((n for n in range(place + 1, len(lines)) if lines[n].strip().startswith(fence[1])), len(lines))
        code = "\n".join(lines[place + 1 : end]).strip("\n")
        return ([Block(kind=Kind.PARAGRAPH, text=code)] if code.strip() else []), end + 1
    if hashes := _HASHES.match(line):
        title = _without_marks((hashes[2] or "").rstrip().rstrip("#"))
        return ([Block(kind=Kind.HEADING, text=title, level=len(hashes[1]))] if title else []), place + 1
    following = lines[place + 1] if place + 1 < len(lines) else ""
    if "|" in line and _TABLE_RULE.match(following.strip()):
        end = next((n for n in range(place + 2, len(lines)) if "|" not in lines[n]), len(lines))
        rows = [_cells(line), *map(_cells, lines[place + 2 : end])]
        return [*bind_cells(list_cells(rows, headers=1), caption=caption)], end
    if line.strip() and _UNDERLINE.match(following) and not _ITEM.match(line):
        level = 1 if following.strip().startswith("=") else 2
        return [Block(kind=Kind.HEADING, text=_without_marks(line), level=level)], place + 2
    if not line.strip() or _RULE.match(line):
        return [], place + 1
    end = place + 1
    while end < len(lines) and lines[end].strip() and not _begins_part(lines, end):
        end += 1
    items = _items(_without_marks(line.lstrip(" >")) for line in lines[place:end])
    return [Block(kind=Kind.PARAGRAPH, text=item) for item in items], end


def _begins_part(lines: list[str], place: int) -> bool:
    line = lines[place]
    table = "|" in line and place + 1 < len(lines) and _TABLE_RULE.match(lines[place + 1].strip())
    return bool(_FENCE.match(line) or _HASHES.match(line) or table)


def _cells(line: str) -> list[str]:
    return [_without_marks(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _without_marks(line: str) -> str:
    plain = _IMAGE_OR_LINK.sub(r"\1", line)
    plain = _EMPHASIS.sub(lambda match: match[1] or match[2], _MARKS.sub(r"\2\4", plain))
    return re.sub(r"\\([\\`*_{}\[\]()#+.!|-])", r"\1", plain).strip()


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
        self._level = 0
        self._table: list[Cell] | None = None
        self._taken: dict[int, tuple[int, int]] = {}  # column → the row and the column behind the cell from above
        self._row = self._column = self._tables = 0
        self._cell: Cell | None = None
        self._caption: str | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag begins."""
        if tag in _UNREAD:
            self._unread.append(tag)
        elif tag == "br":
            self._text.append("\n")
        elif tag == "table":
            self._start_table()
        elif tag == "tr" and self._table is not None:
            self._end_cell()
            self._row, self._column = self._row + 1, 0
        elif tag in ("td", "th") and self._table is not None:
            self._end_cell()
            self._cell = self._open_cell(tag == "th", attributes)
        elif tag in _BLOCKS and self._table is None:
            self._end_block()
            self._level = _HEADINGS.get(tag, 0)

    def end(self, tag: str) -> None:
        """A tag ends, by itself or because another one ends it."""
        if tag in _UNREAD:
            if self._unread and self._unread[-1] == tag:
                self._unread.pop()
        elif tag == "table":
            self._end_table()
        elif tag in ("td", "th", "tr") and self._table is not None:
            self._end_cell()
        elif tag == "caption" and self._table is not None:
            self._end_caption()
        elif tag in _BLOCKS and self._table is None:
            self._end_block()

    def data(self, text: str) -> None:
        """A piece of text."""
        if not self._unread:
            self._text.append(text)

    def close(self) -> None:
        """The page ends."""
        if self._table is not None:
            self._tables = 1
            self._end_table()
        self._end_block()

    def _take_text(self) -> str:
        text = " ".join("".join(self._text).split())
        self._text = []
        return text

    def _end_block(self) -> None:
        text = self._take_text()
        if text and self._level:
            self.parts.append(Block(kind=Kind.HEADING, text=text, level=self._level))
        elif text:
            self.parts.append(Block(kind=Kind.PARAGRAPH, text=text))
        self._level = 0

    def _start_table(self) -> None:
        if self._table is None:
            self._end_block()
            self._table, self._taken, self._row, self._column, self._caption = [], {}, -1, 0, None
        self._tables = min(self._tables + 1, DEEPEST)

    def _open_cell(self, header: bool, attributes: Mapping[str, str]) -> Cell:
        """The cell that begins here, in the first place of its row that no cell from above takes."""
        self._text = []
        self._row = max(self._row, 0)
        rows, columns = (_read_span(attributes.get(name)) for name in ("rowspan", "colspan"))
        while (taken := self._taken.get(self._column, (0, 0)))[0] > self._row:
            self._column = taken[1]
        column, self._column = self._column, self._column + columns
        if rows > 1:
            self._taken |= dict.fromkeys(range(column, self._column), (self._row + rows, self._column))
        return Cell(text="", row=self._row, column=column, rows=rows, columns=columns, header=header)

    def _end_cell(self) -> None:
        text = self._take_text()
        if self._table is not None and (text or self._cell):
            self._table.append(replace(self._cell or self._open_cell(header=False, attributes={}), text=text))
        self._cell = None

    def _end_caption(self) -> None:
        self._caption = self._take_text()
        self.parts.append(Block(kind=Kind.PARAGRAPH, text=self._caption))

    def _end_table(self) -> None:
        if self._table is None:
            return
        self._tables -= 1
        if self._tables > 0:
            return
        self._end_cell()
        cells, self._table = self._table, None
        self.parts.append((cells, self._caption))


def _read_span(text: str | None) -> int:
    """A span as HTML has it, at most SPAN_LIMIT; 1 for what is no number."""
    return min(max(int(text), 1), SPAN_LIMIT) if text and text.strip().isdecimal() else 1


def read_mail(source: Source, notes: list[str]) -> Iterator[Block]:
    """The subject as heading, a line of sender, recipients and date, and the mail's text. Attachments are noted."""
    if source.size > TEXT_LIMIT:
        fault = f"a mail of {source.size / 1e6:,.0f} MB"
        raise stop(source.name, fault, f"at most {TEXT_LIMIT / 1e6:,.0f} MB", "Save its attachments as files.")
    try:
        with source.open() as stream:
            mail = message_from_binary_file(stream, policy=_ShortHeaders())
    except RecursionError:
        raise stop(source.name, "parts in parts in parts", "a mail", "Save its text as TXT.") from None
    if not mail.keys() or not isinstance(mail, EmailMessage):
        raise stop(source.name, "no mail: it has no headers", "a mail as EML", "Save the mail again as EML.")
    if subject := _header(mail, "Subject"):
        yield Block(kind=Kind.HEADING, text=subject, level=1)
    if named := [f"{name}: {value}" for name in _NAMED if (value := _header(mail, name))]:
        yield Block(kind=Kind.ROW, text=" | ".join(named))
    body = mail.get_body(preferencelist=("plain", "html"))
    if body is not None:
        text = _content(body)
        yield from blocks_of_html(text) if body.get_content_subtype() == "html" else blocks_of_text(text)
    attached = [part.get_filename() or part.get_content_type() for part in mail.iter_attachments()]
    if attached:
        names = ", ".join(name[:80] for name in attached[:5])
        notes.append(f"Its {len(attached):,} attachments are not read ({names}): save them as files.")


class _ShortHeaders(policy.EmailPolicy):
    """The standard library's rules, which read a header in time that grows faster than its length: its beginning."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        """The header's beginning, read."""
        header: str = super().header_fetch_parse(name, value[:HEADER_LIMIT])
        return header


def _header(mail: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(mail.get(name, "")).split())
    except (ValueError, LookupError, AttributeError, TypeError):  # a header that the standard library cannot parse
        return ""


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    try:
        return content.decode(part.get_content_charset() or "utf-8", errors="replace")
    except LookupError:
        return content.decode("utf-8", errors="replace")
