"""A document as qaviz knows it: its text, and the headings, paragraphs and table rows that it is made of, each row a
line.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

CELLS = " | "


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
    opens_table: bool = False
    """Whether it is a table's first row."""
    start: int | None = None
    """Where it begins in the file's own text; None where that is no plain text: it then follows the block before."""


BLOCKS = pl.Schema(
    {
        "kind": pl.String(),
        "text": pl.String(),
        "page": pl.Int64(),
        "level": pl.Int64(),
        "table": pl.Int64(),
        "start": pl.Int64(),
        "end": pl.Int64(),
    }
)
"""One row a block, in reading order. `start` and `end` are characters of the document's text; `table` is the number
of a row's table on its page, or in a document without pages, from 1."""


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
    tables: Counter[int | None] = Counter()
    for block in blocks:
        tables[block.page] += block.opens_table
        table = tables[block.page] or None if block.kind == Kind.ROW else None
        line_breaks = 0 if before is None else 1 if before == block.kind == Kind.ROW else 2
        start = end + line_breaks if block.start is None else block.start
        end, before = start + len(block.text), block.kind
        rows.append((block.kind.value, block.text, block.page, block.level, table, start, end))
    return pl.DataFrame(rows, schema=BLOCKS, orient="row")


def joined_text(blocks: pl.DataFrame) -> str:
    """The text of a document, from its BLOCKS: line breaks fill what is between them."""
    parts: list[str] = []
    length = 0
    for text, start, end in blocks.select("text", "start", "end").iter_rows():
        parts += ("\n" * (start - length), text)
        length = end
    return "".join(parts)
