"""The decision pack as a workbook: every row in full, charts of its own, and not one formula.

Texts are cells of text whatever they begin with. A text longer than a cell goes on in the column beside it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from io import BytesIO
from typing import BinaryIO

import polars as pl
from polars import selectors
from xlsxwriter import Workbook
from xlsxwriter.chart import Chart
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name, xl_range_abs
from xlsxwriter.worksheet import Worksheet

from qaviz.analysis.comparison import METRIC, metric_label
from qaviz.analysis.numbers import count
from qaviz.analysis.outcomes import COMPARED
from qaviz.analysis.policy import Outcome
from qaviz.analysis.tables import ALL_ZERO, HITS, SCORED, score_column
from qaviz.exports.decision_pack.content import (
    HOW_TO_COMPARE,
    HOW_TO_READ_CRITERIA,
    HOW_TO_READ_NORMALISED,
    SIGN_OFF,
    SIGN_OFF_FIELDS,
    Content,
    Figure,
    Series,
    Unit,
)
from qaviz.exports.decision_pack.tables import (
    LONGEST_NAME,
    NORMALISED_FIGURES,
    lines_of,
    normalised_heading,
    short_names,
)
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.metrics import METRICS
from qaviz.model.visible import excerpt, one_line, visible
from qaviz.stats import Decision

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


_OF_RESPONSES = (
    *(c.QUESTION_ID, c.CATEGORY, c.TAGS, c.PIPELINE, c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE),
    *(c.DIAGNOSIS, c.VERDICT, c.REASON, c.FAULT, c.CONFIDENCE),
    *(*METRICS, c.FACT_VARIANT, c.WARNINGS, c.UNSCORED_FACT, c.UNSCORED_ANSWER),
    *(c.LATENCY_MS, c.COST, c.CONTEXTS, c.SOURCE),
)
"""The columns of the sheet of responses, those that the run has."""

NOTES = "Notes"

_TEXT_WIDTH = 110
"""Of the sheet that is read first, in characters."""

_HEADINGS = {name: metric.label for name, metric in METRICS.items()} | {
    c.FAULT: "Fault",
    c.FACT_VARIANT: "Stated as",
    c.UNSCORED_FACT: "Why the fact is not scored",
    c.UNSCORED_ANSWER: "Why the answer is not scored",
    c.LATENCY_MS: "Latency, ms",
    "scope": "Of",
    "bound": "Wanted",
    "n_first": "Scored, first",
    "n_second": "Scored, second",
    "paired": "Scored, both",
    "mean_first": "Mean, first",
    "mean_second": "Mean, second",
    "low": "Interval from",
    "high": "Interval to",
    "wins": "First is better",
    "losses": "Second is better",
    "p": "p",
    "p_holm": "p (Holm)",
    "detectable": "Smallest difference that would be found",
    "needed": "More questions needed",
    "fact_hits": "Facts stated",
    "fact_scored": "Facts scored",
    "facts_stated": "Share of facts stated",
    "closeness_n": "Closeness, scored",
    "conciseness_n": "Conciseness, scored",
    "f1": METRICS["f1_score"].label,
    **{name: normalised_heading(name) for name in NORMALISED_FIGURES},
    HITS: "Stated by",
    SCORED: "Scored for",
}
"""What people read above a column, where it is not the column's name with a capital."""

_WIDTHS = {
    **dict.fromkeys((c.QUESTION, c.ANSWER, c.RESPONSE, c.REASON, "sentence", "explanations", "text"), 60.0),
    **dict.fromkeys((c.FACT, c.WARNINGS, c.CONTEXTS, c.PIPELINE, "first", "second", "about"), 30.0),
    **dict.fromkeys(("decision", "outcome", "metric", "measure", "scope", c.DIAGNOSIS, c.QUESTION_ID), 20.0),
}
"""Of columns, in characters."""
_NARROW = 13.0
"""Of the others."""


def write(content: Content, stream: BinaryIO) -> None:
    """Write the workbook to a stream, by way of temporary files: its sheets are many times as large as the workbook."""
    with Workbook(stream, OPTIONS) as workbook:
        workbook.set_properties(
            {"title": f"Decision pack: {visible(content.run.name)}", "created": content.made_at, "author": "qaviz"}
        )
        styles = styles_of(workbook)
        _add_decision_sheet(workbook, styles, content)
        draw_figures(workbook, content.figures)
        remarks = _add_tables(workbook, styles, content)
        notes = pl.DataFrame(list(_list_notes(content, remarks)), schema=["about", "text"], orient="row")
        add_table(workbook, styles, NOTES, notes, wrapped=True)


@dataclass(frozen=True, kw_only=True)
class Styles:
    """The styles of a workbook."""

    heading: Format
    text: Format
    wrapped: Format
    score: Format
    probability: Format
    percent: Format
    number: Format
    mark: Format
    """1 as ✓, 0 as ✗: the cell still holds the number."""


def _add_decision_sheet(workbook: Workbook, styles: Styles, content: Content) -> None:
    """The sheet that is read first: the question, what answers it, what is not known, and who decides."""
    sheet = workbook.add_worksheet("Decision")
    sheet.hide_gridlines(2)
    sheet.set_column(0, 0, _TEXT_WIDTH)
    sheet.set_column(1, len(SIGN_OFF_FIELDS), 24)
    large = workbook.add_format({"bold": True, "font_size": 16, "text_wrap": True, "valign": "top"})
    bold = workbook.add_format({"bold": True, "font_size": 12, "font_color": "#00607F"})
    lines = [
        (content.question, bold),
        (content.lead, large),
        *((point, styles.wrapped) for point in content.points),
    ]
    for title, sentences in (("What is not known", content.unknown), ("The golden dataset", content.golden)):
        lines += [("", styles.wrapped), (title, bold), *((sentence, styles.wrapped) for sentence in sentences)]
    for row, (text, style) in enumerate(lines):
        scale = 1.5 if style is large else 1.0
        sheet.set_row(row, scale * height_of([text], [_TEXT_WIDTH / scale]))
        sheet.write_string(row, 0, excerpt(visible(text), LONGEST_CELL // 2), style)
    box = workbook.add_format({"border": 1, "border_color": "#98A4AD"})
    at = len(lines) + 1
    for column, head in enumerate(("Sign-off", *SIGN_OFF_FIELDS)):
        sheet.write_string(at, column, head, styles.heading)
    for row, line in enumerate(SIGN_OFF, start=at + 1):
        sheet.write_string(row, 0, line, box)
        for column in range(1, 1 + len(SIGN_OFF_FIELDS)):
            sheet.write_blank(row, column, None, box)
    sheet.fit_to_pages(1, 0)


def _add_tables(workbook: Workbook, styles: Styles, content: Content) -> list[str]:
    """Add the sheets with one table each. Returns the notes that readers need on them."""
    rows, pipelines = content.rows, content.summary[c.PIPELINE].to_list()
    counts = content.summary.select(c.PIPELINE, *(diagnosis.value for diagnosis in Diagnosis))
    marks = {score_column(name): name for name in pipelines}
    compared = content.comparisons.with_columns(
        pl.col(METRIC).replace_strict({name: metric_label(name) for name in COMPARED})
    )
    remarks = add_table(workbook, styles, "Pipelines", content.summary.drop(diagnosis.value for diagnosis in Diagnosis))
    if content.criteria.height:
        remarks += add_table(workbook, styles, "Criteria", content.criteria)
    remarks += add_table(workbook, styles, "Comparisons", compared)
    remarks += add_table(workbook, styles, "Diagnoses", counts)
    if content.normalised.height:
        remarks += add_table(workbook, styles, "Normalised", content.normalised)
    remarks += add_table(workbook, styles, "Examples", _list_examples(content), wrapped=True)
    remarks += add_table(workbook, styles, "Questions", content.matrix.drop(ALL_ZERO), marks=marks)
    responses = rows.select(name for name in _OF_RESPONSES if name in rows.columns)
    return remarks + add_table(workbook, styles, "Responses", responses)


def _list_examples(content: Content) -> pl.DataFrame:
    columns = (c.DIAGNOSIS, c.VERDICT, c.QUESTION_ID, c.PIPELINE, c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE, c.REASON)
    rows = [
        {c.DIAGNOSIS: part.diagnosis.value, c.VERDICT: part.verdict.value, **asdict(example)}
        for part in content.diagnoses
        for example in part.examples
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String))


def _list_notes(content: Content, remarks: list[str]) -> Iterator[tuple[str, str]]:
    """How it was measured, and how to read it: what about, and a text."""
    yield from content.measured
    if content.criteria.height:
        yield "Criteria", HOW_TO_READ_CRITERIA
    yield "Comparisons", HOW_TO_COMPARE
    if content.normalised.height:
        yield "Normalised", HOW_TO_READ_NORMALISED
    yield from ((figure.title, figure.reading) for figure in content.figures)
    yield from ((f"{metric.label} ({metric.name})", metric.help) for metric in METRICS.values())
    for part in content.diagnoses:
        yield f"{part.diagnosis.value} ({part.verdict.value})", part.definition
    yield from (("Not known", sentence) for sentence in content.unknown)
    yield from (("Sheets", sentence) for sentence in remarks)
    yield "Empty cells", "Not scored or not given; never zero."


_PERCENTS = ("facts_stated", "bound")
_PROBABILITIES = ("p", "p_holm")

_GOOD, _BAD, _NEITHER = "#D3EEE3", "#FBDCC8", "#E3E7EB"
TINTS: Mapping[str, Mapping[StrEnum, str]] = {
    c.VERDICT: {Verdict.CORRECT: _GOOD, Verdict.INCORRECT: _BAD, Verdict.DECLINED: _NEITHER, Verdict.UNSURE: _NEITHER},
    "decision": {
        **dict.fromkeys(Decision, _NEITHER),
        Decision.BETTER: _GOOD,
        Decision.WORSE: _BAD,
    },
    "outcome": {Outcome.MET: _GOOD, Outcome.NOT_MET: _BAD, Outcome.NOT_SHOWN: _NEITHER},
}
"""Columns whose words have a colour."""
_SCALE = {
    "type": "2_color_scale",
    "min_type": "num",
    "min_value": 0,
    "min_color": "#FFFFFF",
    "max_type": "num",
    "max_value": 1,
    "max_color": "#9CC9EA",
}


def styles_of(workbook: Workbook) -> Styles:
    """Add the styles to a workbook. Texts keep their type when edited: a cell that begins with `=` stays a text."""
    text = {"quote_prefix": True, "valign": "top"}
    white_on_blue = {"bold": True, "bg_color": "#00607F", "font_color": "#FFFFFF"}
    return Styles(
        heading=workbook.add_format(text | white_on_blue | {"text_wrap": True}),
        text=workbook.add_format(text),
        wrapped=workbook.add_format(text | {"text_wrap": True}),
        score=workbook.add_format({"num_format": "0.00", "valign": "top"}),
        probability=workbook.add_format({"num_format": "0.0000", "valign": "top"}),
        percent=workbook.add_format({"num_format": "0%", "valign": "top"}),
        number=workbook.add_format({"num_format": "#,##0", "valign": "top"}),
        mark=workbook.add_format({"num_format": '[=1]"✓";[=0]"✗";0.00', "align": "center", "valign": "top"}),
    )


def add_table(
    workbook: Workbook,
    styles: Styles,
    name: str,
    frame: pl.DataFrame,
    *,
    marks: dict[str, str] | None = None,
    wrapped: bool = False,
) -> list[str]:
    """Add the table as a sheet, or as several where one does not hold it. Returns the notes that readers need on it.

    `marks` are columns of 0 and 1 that are shown as marks, and their headings; `wrapped` gives texts all their lines.
    """
    # Lists as texts, and no number that a cell cannot hold.
    floats = selectors.float()
    listed = frame.with_columns(selectors.list().cast(pl.List(pl.String)).list.join("\n", ignore_nulls=True))
    whole, added = continue_long_texts(listed.with_columns(pl.when(floats.is_finite()).then(floats).name.keep()))
    columns = [_style_column(whole, column, added, styles, marks or {}, wrapped) for column in whole.columns]
    parts = list(whole.iter_slices(MOST_ROWS)) or [whole]
    for number, part in enumerate(parts, start=1):
        sheet = workbook.add_worksheet(name if number == 1 else f"{name} {number}", worksheet_class=TableSheet)
        sheet.hold(part, columns, styles.heading, _measure_rows(part, columns) if wrapped else None)
        _colour_cells(workbook, sheet, part, marks or {})
    return list(_note_continuations(name, added, len(parts), columns, whole.columns))


def _measure_rows(part: pl.DataFrame, columns: list[Column]) -> pl.Series:
    texts, widths = part.select(selectors.string()), [column.width for column in columns]
    placed = [widths[part.columns.index(name)] for name in texts.columns]
    return pl.Series([height_of(row, placed) for row in texts.iter_rows()], dtype=pl.Float64)


def _note_continuations(
    name: str, added: dict[str, str], parts: int, columns: list[Column], names: list[str]
) -> Iterator[str]:
    headings = {name: column.heading for name, column in zip(names, columns, strict=True)}
    for continuation, column in added.items():
        yield (
            f"{name}: “{headings[column]}” has texts longer than the {count(LONGEST_CELL)} characters that a cell "
            f"holds; they go on in “{headings[continuation]}”."
        )
    if parts > 1:
        yield f"{name}: a sheet holds {count(MOST_ROWS)} rows; the rest goes on in the {count(parts - 1)} after it."


def _style_column(
    whole: pl.DataFrame, name: str, added: dict[str, str], styles: Styles, marks: dict[str, str], wrapped: bool
) -> Column:
    own = added.get(name, name)
    heading = marks.get(own) or _HEADINGS.get(own) or f"{own[:1].upper()}{own[1:].replace('_', ' ')}"
    text = styles.wrapped if wrapped else styles.text
    if own in marks:
        style = styles.mark
    elif whole[name].dtype == pl.String:
        style = text
    elif own in _PERCENTS:
        style = styles.percent
    elif own in _PROBABILITIES:
        style = styles.probability
    else:
        style = styles.score if whole[name].dtype.is_float() else styles.number
    heading = excerpt(one_line(heading), LONGEST_CELL // 2) + name.removeprefix(own)
    return Column(heading=heading, width=_WIDTHS.get(own, _NARROW), style=style)


def _colour_cells(workbook: Workbook, sheet: TableSheet, part: pl.DataFrame, marks: dict[str, str]) -> None:
    for place, name in enumerate(part.columns):
        cells = (1, place, max(part.height, 1), place)
        if name in TINTS:
            for word, colour in TINTS[name].items():
                tint = workbook.add_format({"bg_color": colour})
                rule = {"type": "cell", "criteria": "==", "value": f'"{word.value}"', "format": tint}
                sheet.conditional_format(*cells, rule)
        elif name in marks:
            # An empty cell counts as 0, and must not be coloured as one.
            sheet.conditional_format(*cells, {"type": "blanks", "stop_if_true": True})
            for value, colour in ((1, _GOOD), (0, _BAD)):
                tint = workbook.add_format({"bg_color": colour})
                sheet.conditional_format(*cells, {"type": "cell", "criteria": "==", "value": value, "format": tint})
        elif name in METRICS or name in ("facts_stated", "closeness", "conciseness", "f1"):
            sheet.conditional_format(*cells, _SCALE)
