"""HTML and mails as blocks: what a person reads of a page; of a mail who wrote to whom and when, the subject and the
text.
"""

from collections.abc import Iterator
from email import message_from_binary_file, policy
from email.message import EmailMessage, Message
from html.parser import HTMLParser

from qaviz.documents.blocks import Block, Kind, table_rows
from qaviz.documents.formats.texts import TEXT_LIMIT, blocks_of_text, decode_text
from qaviz.loading.source import Source
from qaviz.model.errors import stop

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

_NAMED = ("From", "To", "Date")


def read_html(source: Source, notes: list[str]) -> Iterator[Block]:
    """Headings, paragraphs, list items and table rows of a page; menus, scripts and styles are left out."""
    return iter(blocks_of_html(decode_text(source, notes)))


def blocks_of_html(text: str) -> list[Block]:
    """The blocks of an HTML text, however broken."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    parser.flush()
    return parser.blocks


class _Parser(HTMLParser):
    """Gathers the text between the tags that begin and end blocks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._text: list[str] = []
        self._unread: list[str] = []
        self._level = 0
        self._table: list[list[str]] | None = None
        self._tables = 0
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - as its base has it
        if tag in _UNREAD:
            self._unread.append(tag)
        elif tag == "br":
            self._text.append("\n")
        elif tag == "table":
            self._start_table()
        elif tag == "tr" and self._table is not None:
            self._end_cell()
            self._table.append([])
        elif tag in ("td", "th") and self._table is not None:
            self._end_cell()
            self._text, self._in_cell = [], True
        elif tag in _BLOCKS and self._table is None:
            self.flush()
            self._level = _HEADINGS.get(tag, 0)

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNREAD:
            if tag in self._unread:
                del self._unread[self._unread.index(tag) :]
        elif tag == "table":
            self._end_table()
        elif tag in ("td", "th", "tr") and self._table is not None:
            self._end_cell()
        elif tag in _BLOCKS and self._table is None:
            self.flush()

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._text.append(data)

    def flush(self) -> None:
        """End the block that is being gathered."""
        if self._table is not None:
            self._tables = 1
            self._end_table()
        text = " ".join("".join(self._text).split())
        self._text = []
        if text and self._level:
            self.blocks.append(Block(kind=Kind.HEADING, text=text, level=self._level))
        elif text:
            self.blocks.append(Block(kind=Kind.PARAGRAPH, text=text))
        self._level = 0

    def _start_table(self) -> None:
        if self._table is None:
            self.flush()
            self._table = []
        self._tables = min(self._tables + 1, DEEPEST)

    def _end_cell(self) -> None:
        text = " ".join("".join(self._text).split())
        self._text = []
        if self._table is not None and (text or self._in_cell):
            if not self._table:
                self._table.append([])
            self._table[-1].append(text)
        self._in_cell = False

    def _end_table(self) -> None:
        if self._table is None:
            return
        self._tables -= 1
        if self._tables > 0:
            return
        self._end_cell()
        rows, self._table = self._table, None
        self.blocks += table_rows(rows)


def read_mail(source: Source, notes: list[str]) -> Iterator[Block]:
    """The subject as heading, a line of sender, recipients and date, and the mail's text. Attachments are noted."""
    if source.size > TEXT_LIMIT:
        found = f"a mail of {source.size / 1e6:,.0f} MB"
        raise stop(source.name, found, f"at most {TEXT_LIMIT / 1e6:,.0f} MB", "Save its attachments as files.")
    with source.open() as stream:
        mail = message_from_binary_file(stream, policy=policy.default)
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
