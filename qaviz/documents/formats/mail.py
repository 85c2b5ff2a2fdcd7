"""Mails: who wrote to whom and when, the subject, and the text."""

from collections.abc import Iterator
from email import message_from_binary_file, policy
from email.message import EmailMessage, Message

from qaviz.documents.blocks import Block, Kind
from qaviz.documents.formats.texts import TEXT_LIMIT, blocks_of_text
from qaviz.documents.formats.web import blocks_of_html
from qaviz.loading.problems import stop
from qaviz.loading.source import Source

_NAMED = ("From", "To", "Date")


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
