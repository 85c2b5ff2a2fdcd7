"""A table as a sheet of any length: its cells are made column by column, and every text is a text.

xlsxwriter writes cell by cell, which takes as long for 100,000 responses as all else together; so the rows of a
TableSheet are written here, and all around them by xlsxwriter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from qaviz.exports.decision_pack.texts import lines_of

LONGEST_CELL = 32_767
"""UTF-16 code units that a cell holds."""
MOST_ROWS = 1_048_575
"""Rows that a sheet holds under its heading."""
ROWS_AT_A_TIME = 10_000

ARROW = 3.0
"""What the button of a filter takes of a heading, in characters."""
LINE_HEIGHT, HIGHEST_ROW = 15.0, 405.0
"""In points."""
_TYPE_SIZES_A_CHARACTER = 0.5
"""What a character of a column's width is in units of the type's size."""

_BEYOND_16_BITS = r"[\x{10000}-\x{10FFFF}]"

_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    # How the format writes a character that XML does not take: then what looks so has to be written so too.
    "_x": "_x005F_x",
    **{chr(code): f"_x{code:04X}_" for code in (*range(0x20), 0xFFFE, 0xFFFF) if chr(code) not in "\t\n"},
}


@dataclass(frozen=True, kw_only=True)
class Column:
    """How one column of a sheet looks."""

    heading: str
    width: float
    """In characters."""
    style: Format


class TableSheet(Worksheet):  # type: ignore[misc] # xlsxwriter ships no types
    """A sheet with one table under a heading, which stays in sight and has filters."""

    def hold(self, frame: pl.DataFrame, columns: Sequence[Column], heading: Format, heights: pl.Series | None) -> None:
        """Take the table, of texts, numbers and booleans: at most MOST_ROWS rows, no text longer than LONGEST_CELL.

        `heights` of its rows are in points.
        """
        self._table, self._styles = frame, [column.style for column in columns]
        self._heights = heights
        self._headings, self._heading = [column.heading for column in columns], heading
        self._widths = [column.width - ARROW for column in columns]
        self._check_dimensions(frame.height, frame.width - 1)
        self._check_dimensions(0, 0)
        for place, column in enumerate(columns):
            self.set_column(place, place, column.width)
        self.freeze_panes(1, 0)
        self.repeat_rows(0)
        self.set_landscape()
        self.fit_to_pages(1, 0)
        if not frame.is_empty():
            self.autofilter(0, 0, frame.height, frame.width - 1)

    def _write_rows(self) -> None:
        """What xlsxwriter calls where the rows belong."""
        heads = pl.DataFrame([self._headings], schema=self._table.columns, orient="row")
        height = pl.Series([height_of(self._headings, self._widths)])
        self.fh.write("".join(xml_rows(heads, [self._heading._get_xf_index()] * heads.width, 1, height)))
        styles = [style._get_xf_index() for style in self._styles]
        for start in range(0, self._table.height, ROWS_AT_A_TIME):
            heights = None if self._heights is None else self._heights.slice(start, ROWS_AT_A_TIME)
            self.fh.write("".join(xml_rows(self._table.slice(start, ROWS_AT_A_TIME), styles, start + 2, heights)))


def xml_rows(frame: pl.DataFrame, styles: Sequence[int], first_row: int, heights: pl.Series | None = None) -> pl.Series:
    """The rows as XML, the first of them numbered `first_row`; a null has no cell. `styles` is a number a column."""
    number = (pl.int_range(pl.len()) + first_row).cast(pl.String)
    cells = [
        _cell(name, dtype, f'<c r="{xl_col_to_name(place)}', f'" s="{styles[place]}"', number)
        for place, (name, dtype) in enumerate(frame.schema.items())
    ]
    tall = pl.lit("") if heights is None else pl.format('" customHeight="1" ht="{}', pl.lit(heights))
    row = pl.concat_str(
        pl.lit('<row r="'), number, tall, pl.lit('">'), *(cell.fill_null("") for cell in cells), pl.lit("</row>")
    )
    return frame.select(row).to_series()


def height_of(texts: Sequence[str | None], widths: Sequence[float]) -> float:
    """Points that a row needs to show all lines of texts in columns of these widths, in characters."""
    sizes = (lines_of(text, width * _TYPE_SIZES_A_CHARACTER) for text, width in zip(texts, widths, strict=True) if text)
    return min(max(sizes, default=1) * LINE_HEIGHT, HIGHEST_ROW)


def _cell(name: str, dtype: pl.DataType, start: str, style: str, number: pl.Expr) -> pl.Expr:
    at = pl.lit(start) + number
    if dtype == pl.String:
        text = pl.col(name).str.replace_many(list(_ESCAPES), list(_ESCAPES.values()))
        opening = pl.lit(f'{style} t="inlineStr"><is><t xml:space="preserve">')
        return at + opening + text + pl.lit("</t></is></c>")
    kind = ' t="b"' if dtype == pl.Boolean else ""
    value = pl.col(name).cast(pl.Int8 if dtype == pl.Boolean else dtype).cast(pl.String)
    return at + pl.lit(f"{style}{kind}><v>") + value + pl.lit("</v></c>")


def continue_long_texts(frame: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, str]]:
    """The table with no text longer than a cell: what is longer goes on in columns that are added beside its own.

    Also returns, for each column that was added, the one that it continues.
    """
    columns: list[pl.Series] = []
    added: dict[str, str] = {}
    for column in frame.iter_columns():
        pieces = list(_pieces(column))
        columns += pieces
        added |= {piece.name: column.name for piece in pieces[1:]}
    return pl.DataFrame(columns), added


def _pieces(column: pl.Series) -> Iterator[pl.Series]:
    # A text has at least as many bytes as units, and hardly any column has a text of so many.
    if column.dtype != pl.String or not (column.str.len_bytes() > LONGEST_CELL).any():
        yield column
        return
    units = column.str.len_chars() + column.str.count_matches(_BEYOND_16_BITS)
    long = (units > LONGEST_CELL).fill_null(False)
    cut = [_cut(text) if is_long else [text] for text, is_long in zip(column, long, strict=True)]
    for place in range(max(map(len, cut), default=1)):
        name = column.name if not place else f"{column.name} (continued{f' {place}' if place > 1 else ''})"
        yield pl.Series(name, [each[place] if place < len(each) else None for each in cut], pl.String)


def _cut(text: str) -> list[str]:
    """The text in pieces that each fit a cell; no character is cut in two."""
    pieces, start, units = [], 0, 0
    for place, character in enumerate(text):
        needed = 2 if ord(character) > 0xFFFF else 1
        if units + needed > LONGEST_CELL:
            pieces.append(text[start:place])
            start, units = place, 0
        units += needed
    return [*pieces, text[start:]]
