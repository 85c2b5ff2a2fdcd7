"""Figures as charts of a workbook: the numbers stand in its cells, and whoever edits them redraws the chart."""

from io import BytesIO

from xlsxwriter import Workbook
from xlsxwriter.chart import Chart
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_range_abs
from xlsxwriter.worksheet import Worksheet

from qaviz.exports.decision_pack.figures import Figure, Series, Unit
from qaviz.exports.decision_pack.texts import LONGEST_NAME, short_names

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
        chart = _chart(workbook, figure, at)
        chart.set_size({"width": CHART_WIDTH, "height": height})
        sheet.insert_chart(at, 11, chart, {"description": f"{figure.title}. {figure.reading}"})
        at += max(len(figure.pipelines) + 3, height // ROW_HEIGHT + 2)


def _chart(workbook: Workbook, figure: Figure, at: int) -> Chart:
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
