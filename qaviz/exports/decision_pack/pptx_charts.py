"""Figures as charts of slides: PowerPoint's own, with their numbers in a workbook of their own."""

from typing import cast

from pptx.chart.chart import Chart
from pptx.chart.data import ChartData
from pptx.chart.series import BarSeries
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_LEGEND_POSITION, XL_TICK_LABEL_POSITION
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide
from pptx.util import Emu, Pt

from qaviz.exports.decision_pack.figures import Figure, Series, Unit
from qaviz.exports.decision_pack.texts import LONGEST_NAME
from qaviz.exports.decision_pack.xlsx_charts import FORMATS, ROOMY, chart_data, labels, reach

Box = tuple[int, int, int, int]
"""Left, top, width and height, in EMU."""

_INK, _RIM, _GRID = RGBColor(0x10, 0x18, 0x1F), RGBColor(0xFF, 0xFF, 0xFF), RGBColor(0xD9, 0xDE, 0xE2)
_GAP_PERCENT = 45


def draw(slide: Slide, figure: Figure, box: Box) -> None:
    """Draw the figure as a chart that people can edit."""
    data = ChartData(number_format=FORMATS[figure.unit])
    data.categories = labels(figure, LONGEST_NAME)
    for series in figure.series:
        data.add_series(series.name, series.values)
    kind = XL_CHART_TYPE.BAR_STACKED_100 if figure.unit == Unit.COUNT else XL_CHART_TYPE.BAR_CLUSTERED
    left, top, width, height = map(Emu, box)
    # It returns the frame, whatever its annotation says.
    frame = cast(GraphicFrame, slide.shapes.add_chart(kind, left, top, width, height, data))
    frame.name = figure.title
    chart = frame.chart
    # python-pptx's own workbook would take a name such as =1+1 for a formula.
    frame.chart_part.chart_workbook.update_from_xlsx_blob(chart_data(figure))
    _style(chart, figure)
    for drawn, series in zip(chart.plots[0].series, figure.series, strict=True):
        drawn.format.fill.solid()
        drawn.format.fill.fore_color.rgb = RGBColor.from_string(series.colour.removeprefix("#"))
        drawn.format.line.color.rgb = _RIM
        if figure.unit == Unit.COUNT:
            _count_on(drawn, series, crowded=len(figure.pipelines) > ROOMY)
        if series.ends:
            _add_intervals(drawn._element, series, len(figure.series))


def _style(chart: Chart, figure: Figure) -> None:
    parts = figure.unit == Unit.COUNT
    chart.has_title = False
    chart.font.size, chart.font.color.rgb = Pt(12), _INK
    chart.has_legend = len(figure.series) > 1
    if chart.has_legend:
        chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    plot, names, values = chart.plots[0], chart.category_axis, chart.value_axis
    plot.gap_width = _GAP_PERCENT
    names.reverse_order, names.format.line.color.rgb = True, _GRID
    crowded = len(figure.pipelines) > ROOMY
    names.tick_labels.font.size = Pt(10 if crowded else 12)
    _label_all(names._element)
    values.major_gridlines.format.line.color.rgb = _GRID
    values.format.line.fill.background()
    # The order of the names is turned round, and with it the side on which the values stand: below is high.
    values.tick_label_position = XL_TICK_LABEL_POSITION.HIGH
    values.tick_labels.number_format = "0%" if parts else FORMATS[figure.unit]
    values.tick_labels.number_format_is_linked = False
    if not parts:
        values.minimum_scale, values.maximum_scale, values.major_unit = 0, 1, 0.2
    plot.has_data_labels = parts or figure.unit == Unit.SCORE
    if plot.has_data_labels:
        written = plot.data_labels
        written.number_format, written.number_format_is_linked = FORMATS[figure.unit], False
        written.position = XL_LABEL_POSITION.CENTER if parts else XL_LABEL_POSITION.OUTSIDE_END
        written.font.size = Pt(9 if crowded else 11)


def _count_on(drawn: BarSeries, series: Series, *, crowded: bool) -> None:
    """Write the numbers of a part on it, in whichever of ink and white can be read on its colour."""
    written = drawn.data_labels
    written.show_value = True
    written.number_format, written.number_format_is_linked = FORMATS[Unit.COUNT], False
    written.position = XL_LABEL_POSITION.CENTER
    written.font.size, written.font.bold = Pt(9 if crowded else 12), True
    written.font.color.rgb = _RIM if _is_dark(series.colour) else _INK


def _is_dark(colour: str) -> bool:
    """Whether white has more contrast than black on a colour written as `#rrggbb` (WCAG's relative luminance)."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] < 0.179


def _label_all(axis: object) -> None:
    """Give every bar its name: left to itself, a crowded axis drops every other one."""
    skip = parse_xml(f'<c:tickLblSkip {nsdecls("c")} val="1"/>')
    axis.find("{*}noMultiLvlLbl").addprevious(skip)  # type: ignore[attr-defined] # lxml's element, as below


def _add_intervals(element: object, series: Series, in_figure: int) -> None:
    """Add the 95% intervals of a series, as its error bars; python-pptx has no word for them."""
    reaches = [reach(series, place) for place in range(len(series.values))]
    columns = {"plus": chr(ord("B") + in_figure), "minus": chr(ord("C") + in_figure)}
    numbers = "".join(
        f"<c:{side}><c:numRef><c:f>Sheet1!${columns[side]}$2:${columns[side]}${len(reaches) + 1}</c:f>"
        f'<c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="{len(reaches)}"/>'
        + "".join(
            f'<c:pt idx="{place}"><c:v>{both[end]!r}</c:v></c:pt>'
            for place, both in enumerate(reaches)
            if both[end] is not None
        )
        + f"</c:numCache></c:numRef></c:{side}>"
        for end, side in enumerate(columns)
    )
    bars = parse_xml(
        f'<c:errBars {nsdecls("c", "a")}><c:errBarType val="both"/><c:errValType val="cust"/><c:noEndCap val="0"/>'
        f'{numbers}<c:spPr><a:ln w="19050"><a:solidFill><a:srgbClr val="{_INK}"/></a:solidFill></a:ln></c:spPr>'
        "</c:errBars>"
    )
    element.find("{*}cat").addprevious(bars)  # type: ignore[attr-defined] # lxml's element, which pptx does not name
