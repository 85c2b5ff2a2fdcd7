"""A document as qaviz knows it: its text, and the headings, paragraphs and table rows that it is made of, each row a
line that says which column each of its values stands in.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
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
    start: int | None = None
    """Where it begins in the file's own text; None where that is no plain text: it then follows the block before."""


BLOCKS = pl.Schema(
    {"kind": pl.String(), "text": pl.String()} | dict.fromkeys(("page", "level", "start", "end"), pl.Int64())
)
"""One row a block, in reading order. `start` and `end` are characters of the document's text."""


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
        line_breaks = 0 if before is None else 1 if before == block.kind == Kind.ROW else 2
        start = end + line_breaks if block.start is None else block.start
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


BELOW = " > "
"""Between a header over several columns and the one below it, and between a section's name and a repeated label."""
PLACED_LIMIT = 1_000_000
"""Most places of a table that are filled, spans counted; a larger one is read row by row, without names of columns."""
REPEATED_LIMIT = 200
"""Most characters of a text that a table has once and that is repeated: a header, a section, a spanning cell."""
_YEAR = re.compile(r"(?:FY|CY)? ?(?:1[89]|20)\d\d(?:[-–/]\d{2,4})?[a-z*¹²³⁰⁴-⁹]*", re.IGNORECASE)
_FIGURE = re.compile(r"[-–—(+~<>≤≥]*[$€£¥₫]? ?[-–(]?\d[\d.,' \u202f]*(?:[%‰]|[kKMB]|bn|pp)?\)?[*†‡]?|[-–—]|n/?a|\.\.+")
_UNIT = re.compile(
    r"[(\[]([^()\[\]]{0,60}\b(?:thousands?|millions?|billions?|trillions?|percent|per cent|USD|EUR|GBP|Tsd|Mio|Mrd|"
    r"triệu|tỷ|in [$€£¥%])[^()\[\]]{0,60})[)\]]"
    r"|, (in (?:thousands|millions|billions|percent)(?: of [^\W\d_]{1,20}){0,1})[.:]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell of a table: its text, its place from 0, and how many rows and columns it spans."""

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    header: bool = False
    """Marked as a header by the document itself."""


def is_figure(text: str) -> bool:
    """Whether a cell holds a number, an amount, a share, two of them with a dash between, or the dash of an empty one;
    a year alone, or a span of years, is none."""
    if len(text) > 60:
        return False
    if " - " in text or " – " in text:
        low, _, high = text.replace("–", "-").partition(" - ")
        return bool(low and high) and is_figure(low) and is_figure(high)
    return bool(_FIGURE.fullmatch(text)) and not _YEAR.fullmatch(text)


def bind_cells(cells: Iterable[Cell], page: int | None = None, caption: str = "") -> Iterator[Block]:
    """One block a row below the headers: `Iowa | Price: 4.20 | Year ago: 5.10`; a blank cell is left out of its row. A
    unit in brackets, or at the end, of `caption` ends each row. A row without values is a section's name: it stands
    before the labels below it. Tables that stand side by side, an empty column between them, are read one after the
    other."""
    placed = [cell for cell in cells if cell.rows > 0 and cell.columns > 0]
    for part in _split_tables(placed):
        yield from _bind_table(part, page, caption)


def _split_tables(cells: Sequence[Cell]) -> list[Sequence[Cell]]:
    """The cells of each of several tables that stand side by side: behind an empty column, with labels of its own."""
    # A hostile cell may span a million columns.
    spans = (range(cell.column, cell.column + min(cell.columns, 100)) for cell in cells if cell.text.strip())
    filled = {column for span in spans for column in span}
    starts = [column for column in sorted(filled) if column - 1 not in filled and column > min(filled)]
    parts, rest = list[Sequence[Cell]](), cells
    for start in starts:
        left = [cell for cell in rest if cell.column < start]
        right = [cell for cell in rest if cell.column >= start]
        labels = [cell.text for cell in right if cell.column == start and cell.text.strip()]
        wide = all(len({cell.column for cell in side if cell.text.strip()}) > 1 for side in (left, right))
        words = [text for text in labels if not is_figure(" ".join(text.split()))]
        if wide and len(words) > 2 and len(words) == len(labels):
            parts.append(left)
            rest = right
    return [*parts, rest]


def _bind_table(placed: Sequence[Cell], page: int | None, caption: str) -> Iterator[Block]:
    grid, marked = _fill_grid(placed)
    if not grid:
        rows: dict[int, list[str]] = {}
        for cell in placed:
            if text := " ".join(cell.text.split()):
                rows.setdefault(cell.row, []).append(text)
        yield from (Block(kind=Kind.ROW, text=CELLS.join(texts), page=page) for texts in rows.values())
        return
    headers = _count_headers(grid, marked) % len(grid)  # rows that are all headers have none
    above = [dict.fromkeys(filter(None, column)) for column in zip(*grid[:headers], strict=True)]
    names = [_shorten(BELOW.join(texts).rstrip(":")) for texts in above] or [""] * len(grid[0])
    body = grid[headers:]
    unit = _UNIT.search(caption)
    units = [f"({unit[1] or unit[2]})"] if unit else []
    section = ""
    for label, *values in body:
        if label and values and (not any(values) or set(values) == {label}):
            section = _shorten(label.rstrip(":"))
            yield Block(kind=Kind.ROW, text=label, page=page)
            continue
        full = f"{section}{BELOW}{label}" if section and label else label
        pairs = zip(names, (full, *values), strict=True)
        texts = [f"{name}: {text}" if name else text for name, text in pairs if text]
        yield Block(kind=Kind.ROW, text=CELLS.join(texts + units), page=page)


def list_cells(rows: Iterable[Sequence[str]], headers: int = 0) -> Iterator[Cell]:
    """The cells of rows of texts, the first `headers` rows marked as headers."""
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            yield Cell(text=text, row=row, column=column, header=row < headers)


def _fill_grid(cells: Sequence[Cell]) -> tuple[list[list[str]], list[bool]]:
    """Rows of texts, each spanned place filled, without empty rows and columns; and which rows are headers by mark. A
    row or column in which no cell begins is none, whatever spans say. Nothing where there are more than
    PLACED_LIMIT."""
    rows, columns = sorted({cell.row for cell in cells}), sorted({cell.column for cell in cells})
    spans = [
        (
            range(*(bisect_left(rows, end) for end in (cell.row, cell.row + cell.rows))),
            range(*(bisect_left(columns, end) for end in (cell.column, cell.column + cell.columns))),
        )
        for cell in cells
    ]
    filling = sum(len(down) * len(right) for down, right in spans)  # of cells that overlap, more than there are places
    if not cells or max(len(rows) * len(columns), filling) > PLACED_LIMIT:
        return [], []
    grid = [[""] * len(columns) for _ in rows]
    marked = [[True] * len(columns) for _ in rows]
    for cell, (down, right) in zip(cells, spans, strict=True):
        text = " ".join(cell.text.split())
        repeated = _shorten(text)
        for row in down:
            for column in right:
                grid[row][column] = repeated
                marked[row][column] = cell.header or not text
        grid[down[0]][right[0]] = text
    filled = [column for column in range(len(columns)) if any(row[column] for row in grid)]
    kept = [number for number, row in enumerate(grid) if any(row)]
    return [[grid[row][column] for column in filled] for row in kept], [all(marked[row]) for row in kept]


def _shorten(text: str) -> str:
    return text if len(text) <= REPEATED_LIMIT else f"{text[: REPEATED_LIMIT - 1]}…"


def _count_headers(grid: Sequence[Sequence[str]], marked: Sequence[bool]) -> int:
    """How many rows from the top are headers: marked ones, else those above the first row with a figure."""
    count = next((number for number, header in enumerate(marked) if not header), 0)
    if count:
        while count < len(grid) - 1 and _is_period_row(grid[count]):
            count += 1
        return count
    first = next((number for number, row in enumerate(grid) if any(map(is_figure, row[1:]))), None)
    if first is not None:
        above = grid[:first]
        return first if first <= 4 and all(any(row[1:]) for row in above) else 0  # more are no headers
    named = grid[0][1:]
    return int(bool(named) and all(named) and len(set(grid[0])) == len(grid[0]))


def _is_period_row(row: Sequence[str]) -> bool:
    """Whether a row has years alone: it goes on with the headers above it."""
    values = [text for text in row[1:] if text]
    return bool(values) and not is_figure(row[0]) and all(map(_YEAR.fullmatch, values))
