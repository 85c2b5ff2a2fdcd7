"""Parts of a workbook: a table as a sheet of any length, and figures as charts whose numbers stand in cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

import polars as pl
from xlsxwriter import Workbook
from xlsxwriter.chart import Chart
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name, xl_range_abs
from xlsxwriter.worksheet import Worksheet

from qaviz.exports.decision_pack.figures import Figure, Series, Unit
from qaviz.exports.decision_pack.texts import LONGEST_NAME, lines_of, short_names

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

FORMATS = {Unit.PERCENT: "0%", Unit.SCORE: "0.00", Unit.COUNT: "#,##0;;"}
"""How a spreadsheet writes values of each unit; a part that counts nothing has no label."""

OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
"""What keeps a text a text whatever it looks like."""

ROOMY = 8
"""Pipelines up to which a chart has room for larger type and longer names."""
CROWDED_NAME = 24
"""Characters of a name beyond that, in a sheet: an axis that has to break one leaves out every other."""

BAR_HEIGHT, FRAME_HEIGHT, CHART_WIDTH = 34, 150, 720
"""In pixels."""
ROW_HEIGHT = 20
"""Of a row of a sheet, in pixels, as charts are."""
HEADING_HEIGHT = 48
"""In points."""


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
        _write_cell(name, dtype, f'<c r="{xl_col_to_name(place)}', f'" s="{styles[place]}"', number)
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


def _write_cell(name: str, dtype: pl.DataType, start: str, style: str, number: pl.Expr) -> pl.Expr:
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
        pieces = list(_cut_column(column))
        columns += pieces
        added |= {piece.name: column.name for piece in pieces[1:]}
    return pl.DataFrame(columns), added


def _cut_column(column: pl.Series) -> Iterator[pl.Series]:
    # A text has at least as many bytes as units, and hardly any column has a text of so many.
    if column.dtype != pl.String or not (column.str.len_bytes() > LONGEST_CELL).any():
        yield column
        return
    units = column.str.len_chars() + column.str.count_matches(_BEYOND_16_BITS)
    long = (units > LONGEST_CELL).fill_null(False)
    cut = [_cut_text(text) if is_long else [text] for text, is_long in zip(column, long, strict=True)]
    for place in range(max(map(len, cut), default=1)):
        name = column.name if not place else f"{column.name} (continued{f' {place}' if place > 1 else ''})"
        yield pl.Series(name, [text[place] if place < len(text) else None for text in cut], pl.String)


def _cut_text(text: str) -> list[str]:
    """The text in pieces that each fit a cell; no character is cut in two."""
    pieces, start, units = [], 0, 0
    for place, character in enumerate(text):
        needed = 2 if ord(character) > 0xFFFF else 1
        if units + needed > LONGEST_CELL:
            pieces.append(text[start:place])
            start, units = place, 0
        units += needed
    return [*pieces, text[start:]]


def labels(figure: Figure, crowded: int) -> list[str]:
    """For each pipeline its name and what its values count: `Pipeline1 (8 of 10)`.

    Names have at most LONGEST_NAME characters, or as many as `crowded` in a chart of more than ROOMY pipelines.
    """
    names = short_names(figure.pipelines, LONGEST_NAME if len(figure.pipelines) <= ROOMY else crowded)
    return [f"{names[name]} ({counted})" for name, counted in zip(figure.pipelines, figure.counted, strict=True)]


def fill(
    sheet: Worksheet,
    figure: Figure,
    number: Format,
    heading: Format | None = None,
    at: int = 0,
    crowded: int = CROWDED_NAME,
) -> None:
    """Write the figure's numbers into a sheet from this row on: a heading, then a row a pipeline.

    Columns: label, each series, and for each series with intervals how far they reach above and below.
    """
    reaches = [series for series in figure.series if series.ends]
    heads = ["Pipeline", *(series.name for series in figure.series)]
    heads += [f"{side} to the end of the 95% interval" for _ in reaches for side in ("Up", "Down")]
    for column, head in enumerate(heads):
        sheet.write_string(at, column, head, heading)
    for place, label in enumerate(labels(figure, crowded)):
        sheet.write_string(at + 1 + place, 0, label)
        values = [series.values[place] for series in figure.series]
        values += [end for series in reaches for end in reach(series, place)]
        for column, value in enumerate(values, start=1):
            if value is not None:
                sheet.write_number(at + 1 + place, column, value, number)


def reach(series: Series, place: int) -> tuple[float | None, float | None]:
    """How far the interval of a value reaches above and below it."""
    value, ends = series.values[place], series.ends[place]
    return (None, None) if value is None or ends is None else (ends[1] - value, value - ends[0])


def chart_data(figure: Figure) -> bytes:
    """A workbook with nothing but the figure's numbers: what a slide's chart is edited by."""
    stream = BytesIO()
    with Workbook(stream, {"in_memory": True, **OPTIONS}) as workbook:
        number = workbook.add_format({"num_format": FORMATS[figure.unit]})
        fill(workbook.add_worksheet("Sheet1"), figure, number, crowded=LONGEST_NAME)
    return stream.getvalue()


def draw_figures(workbook: Workbook, figures: tuple[Figure, ...]) -> None:
    """A sheet with each figure's numbers and, beside them, its chart."""
    sheet = workbook.add_worksheet("Figures")
    sheet.set_column(0, 0, 44)
    sheet.set_column(1, 9, 14)
    heading = workbook.add_format({"bold": True, "text_wrap": True, "valign": "top"})
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    at = 0
    for figure in figures:
        sheet.set_row(at, HEADING_HEIGHT)
        fill(sheet, figure, workbook.add_format({"num_format": FORMATS[figure.unit]}), heading, at)
        height = FRAME_HEIGHT + BAR_HEIGHT * len(figure.pipelines) * (2 if figure.unit == Unit.SCORE else 1)
        chart = _draw_chart(workbook, figure, at)
        chart.set_size({"width": CHART_WIDTH, "height": height})
        sheet.insert_chart(at, 11, chart, {"description": f"{figure.title}. {figure.reading}"})
        at += max(len(figure.pipelines) + 3, height // ROW_HEIGHT + 2)


def _draw_chart(workbook: Workbook, figure: Figure, at: int) -> Chart:
    parts = figure.unit == Unit.COUNT
    chart: Chart = workbook.add_chart({"type": "bar", **({"subtype": "percent_stacked"} if parts else {})})
    first, last = at + 1, at + len(figure.pipelines)
    reached = 1 + len(figure.series)
    for column, series in enumerate(figure.series, start=1):
        of_series = {
            "name": ["Figures", at, column],
            "categories": ["Figures", first, 0, last, 0],
            "values": ["Figures", first, column, last, column],
            "fill": {"color": series.colour},
            "border": {"color": "#FFFFFF"},
            "gap": 40,
        }
        if series.ends:
            of_series["y_error_bars"] = {
                "type": "custom",
                "plus_values": f"=Figures!{xl_range_abs(first, reached, last, reached)}",
                "minus_values": f"=Figures!{xl_range_abs(first, reached + 1, last, reached + 1)}",
                "line": {"color": "#10181F", "width": 1.5},
            }
        else:
            of_series["data_labels"] = {"value": True, "num_format": FORMATS[figure.unit]}
        chart.add_series(of_series)
    chart.set_title({"name": figure.title, "name_font": {"size": 12}, "overlay": False})
    chart.set_y_axis({"reverse": True, "num_font": {"size": 9}, "interval_unit": 1})
    ends = {} if parts else {"min": 0, "max": 1}
    chart.set_x_axis(
        {
            "num_format": "0%" if parts else FORMATS[figure.unit],
            "label_position": "high",
            "major_gridlines": {"visible": True, "line": {"color": "#D9DEE2", "width": 0.75}},
            "line": {"none": True},
            "major_tick_mark": "none",
            **ends,
        }
    )
    chart.set_legend({"none": True} if len(figure.series) == 1 else {"position": "bottom"})
    return chart
