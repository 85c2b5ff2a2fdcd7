"""A document as qaviz knows it: its text, and the headings, paragraphs and table rows that the text is made of."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import polars as pl


class Kind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ROW = "row"
    """A row of a table, with its columns' names: `Region: Europe | 2023: 131`."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A heading, a paragraph or a table row, as a reader yields it."""

    kind: Kind
    text: str
    page: int | None = None
    """Page, slide or sheet, from 1; None where the format has none."""
    level: int = 0
    """Of a heading: 1 is the highest. 0 for all else."""
    start: int | None = None
    """Where it begins in the file's own text; None where that is no plain text: it then follows the block before."""


BLOCKS = pl.Schema(
    {
        "kind": pl.String(),
        "text": pl.String(),
        "page": pl.Int64(),
        "level": pl.Int64(),
        "start": pl.Int64(),
        "end": pl.Int64(),
    }
)
"""One row a block, in reading order; `start` and `end` are characters of the document's text."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One document that was read."""

    name: str
    """The file's name, with as much of its folder as tells it from the others."""
    sha256: str
    """Of the file's bytes, in hexadecimal."""
    text: str
    """All blocks, with line breaks between them. Of a plain text it has the file's own offsets; a line break inside a
    paragraph is a blank."""
    blocks: pl.DataFrame
    """BLOCKS."""
    notes: tuple[str, ...] = ()
    """What was left out, in sentences: `12 of 40 pages hold no text: they are scanned.`"""


def block_table(blocks: Iterable[Block]) -> pl.DataFrame:
    """BLOCKS of what a reader yields, with each block's place in the text that they make together."""
    rows, end, before = [], 0, None
    for block in blocks:
        after = end + len(_separator(before, block.kind)) if before else 0
        start = after if block.start is None else block.start
        end, before = start + len(block.text), block.kind
        rows.append((block.kind.value, block.text, block.page, block.level, start, end))
    return pl.DataFrame(rows, schema=BLOCKS, orient="row")


def joined_text(blocks: pl.DataFrame) -> str:
    """The text of a document, from its BLOCKS: line breaks fill what is between them."""
    parts: list[str] = []
    length = 0
    for text, start, end in blocks.select("text", "start", "end").iter_rows():
        parts += ("\n" * (start - length), text)
        length = end
    return "".join(parts)


def _separator(before: str, kind: str) -> str:
    return "\n" if before == kind == Kind.ROW else "\n\n"
