"""Parts of a slide, each within its box: texts that are cut where they do not fit, and PowerPoint's own charts."""

from collections.abc import Iterable, Sequence
from typing import cast

from pptx import Presentation
from pptx.chart.chart import Chart
from pptx.chart.data import ChartData
from pptx.chart.series import BarSeries
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_LEGEND_POSITION, XL_TICK_LABEL_POSITION
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.presentation import Presentation as Deck
from pptx.shapes.autoshape import Shape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide
from pptx.table import _Cell
from pptx.text.text import TextFrame, _Paragraph
from pptx.util import Emu, Inches, Pt

from qaviz.exports.decision_pack.figures import Figure, Series, Unit
from qaviz.exports.decision_pack.texts import LONGEST_NAME, fit_text, lines_of, right_to_left
from qaviz.exports.decision_pack.xlsx_parts import FORMATS, ROOMY, chart_data, labels, reach
from qaviz.model.visible import one_line, visible

WIDTH, HEIGHT = Inches(13.333), Inches(7.5)
LEFT, TEXT_WIDTH = Inches(0.6), Inches(12.13)
TOP, BODY_HEIGHT = Inches(1.5), Inches(5.3)

Box = tuple[int, int, int, int]
"""Left, top, width and height, in EMU."""
BODY: Box = (LEFT, TOP, TEXT_WIDTH, BODY_HEIGHT)

FONT = "Arial"
INK, FAINT, BLUE = RGBColor(0x10, 0x18, 0x1F), RGBColor(0x5A, 0x67, 0x72), RGBColor(0x00, 0x60, 0x7F)
PALE, WHITE = RGBColor(0xF3, 0xF5, 0xF6), RGBColor(0xFF, 0xFF, 0xFF)

LINE = 1.25
"""Height of a line, in units of the type's size."""
CELL_MARGIN = Inches(0.06)
POINT = 12_700
"""EMU in a point."""
LONGEST_NOTE = 20_000
"""Characters of a slide's notes."""

_TITLE_ONLY = 5
_TITLE_SIZES, _BODY_SIZES = (28, 24, 20), (20, 18, 16, 14, 12)

_INK, _RIM, _GRID = RGBColor(0x10, 0x18, 0x1F), RGBColor(0xFF, 0xFF, 0xFF), RGBColor(0xD9, 0xDE, 0xE2)
_GAP_PERCENT, _GAP_OF_FEW = 45, 120
"""Between bars, of a bar's width; more where a bar would be a block."""
_FEW = 3


def new_deck() -> Deck:
    """An empty deck of wide slides, whose one layout is a title and room under it."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = WIDTH, HEIGHT
    for layout in [layout for number, layout in enumerate(deck.slide_layouts) if number != _TITLE_ONLY]:
        deck.slide_layouts.remove(layout)
    for master in (deck.slide_master, deck.slide_layouts[0]):
        for shape in list(master.placeholders):
            if shape.placeholder_format.type == 1:
                shape.left, shape.top, shape.width, shape.height = LEFT, Inches(0.4), TEXT_WIDTH, Inches(0.95)
            elif master is not deck.slide_master:
                shape._element.getparent().remove(shape._element)
    return deck


def add_slide(deck: Deck, title: str, footer: str, notes: Iterable[str]) -> Slide:
    """Add a slide with a title, a footer with its number, and speaker notes, a paragraph each."""
    slide: Slide = deck.slides.add_slide(deck.slide_layouts[0])
    # The layout has a title, and every notes page its text.
    frame = cast(Shape, slide.shapes.title).text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
    frame.margin_left = frame.margin_right = 0
    size, text = _choose_size(one_line(title), TEXT_WIDTH, Inches(0.95), _TITLE_SIZES)
    write_paragraph(frame.paragraphs[0], text, size, INK, bold=True)
    _add_footer(slide, footer)
    # A carriage return or the like has no place in XML, whatever slide it is on.
    cast(TextFrame, slide.notes_slide.notes_text_frame).text = "\n\n".join(map(visible, notes))[:LONGEST_NOTE]
    return slide


def _add_footer(slide: Slide, footer: str) -> None:
    line = (LEFT, HEIGHT - Inches(0.5), TEXT_WIDTH - Inches(1), Inches(0.3))
    add_text(slide, [footer], line, sizes=(10,), colour=FAINT)
    number = add_text(slide, [""], (LEFT + TEXT_WIDTH - Inches(1), line[1], Inches(1), line[3]), sizes=(10,))
    paragraph = number.text_frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.RIGHT
    paragraph._p.append(
        parse_xml(
            f'<a:fld {nsdecls("a")} id="{{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}}" type="slidenum">'
            f'<a:rPr lang="en-US" sz="1000"><a:solidFill><a:srgbClr val="{FAINT}"/></a:solidFill></a:rPr>'
            f"<a:t>{len(slide.part.package.presentation_part.presentation.slides)}</a:t></a:fld>"
        )
    )


def add_text(
    slide: Slide,
    paragraphs: Sequence[str],
    box: Box,
    *,
    sizes: Sequence[int] = _BODY_SIZES,
    colour: RGBColor = INK,
    bold: bool = False,
    bullets: bool = False,
) -> Shape:
    """Add paragraphs in the largest of the sizes in which all of them fit the box; the last one is cut if none does."""
    shape = slide.shapes.add_textbox(*map(Emu, box))
    frame = shape.text_frame
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    size, shown = _all_sized([visible(text) for text in paragraphs], box, sizes, bullets)
    for place, text in enumerate(shown):
        paragraph = frame.paragraphs[0] if not place else frame.add_paragraph()
        write_paragraph(paragraph, text, size, colour, bold)
        if bullets:
            _make_bullet(paragraph, size)
        paragraph.space_after = Pt(size * (LINE - 1) * 2 if bullets else 0)
    return shape


def _all_sized(paragraphs: list[str], box: Box, sizes: Sequence[int], bullets: bool) -> tuple[int, list[str]]:
    """A size, and as much of the paragraphs as fits in it."""
    for size in sizes:
        line, most = _room(box[2], box[3], size)
        spent = [lines_of(text, line - 1.5 * bullets) + 0.5 * bullets for text in paragraphs]
        if sum(spent) <= most:
            return size, paragraphs
    shown, left = [], float(most)
    for text, lines in zip(paragraphs, spent, strict=True):
        if left < 1:
            break
        shown.append(fit_text(text, line - 1.5 * bullets, int(left)))
        left -= lines
    return size, shown


def _choose_size(text: str, width: int, height: int, sizes: Sequence[int]) -> tuple[int, str]:
    size, shown = _all_sized([text], (0, 0, width, height), sizes, bullets=False)
    return size, shown[0]


def _room(width: int, height: int, size: int) -> tuple[float, int]:
    """Extent of a line, and how many lines there are."""
    return width / POINT / size, int(height / POINT / (size * LINE))


def write_paragraph(paragraph: _Paragraph, text: str, size: int, colour: RGBColor, bold: bool = False) -> None:
    """Write a text into a paragraph, from right to left where its script runs so."""
    paragraph.text = text.replace("\n", "\v")
    paragraph.font.size, paragraph.font.bold, paragraph.font.name = Pt(size), bold, FONT
    paragraph.font.color.rgb = colour
    paragraph.alignment = PP_ALIGN.LEFT
    if right_to_left(text):
        paragraph._p.get_or_add_pPr().set("rtl", "1")
        paragraph.alignment = PP_ALIGN.RIGHT


def _make_bullet(paragraph: _Paragraph, size: int) -> None:
    properties = paragraph._p.get_or_add_pPr()
    indent = int(size * POINT * 1.2)
    properties.set("marL", str(indent))
    properties.set("indent", str(-indent))
    properties.append(parse_xml(f'<a:buChar {nsdecls("a")} char="•"/>'))


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
    plot.gap_width = _GAP_PERCENT if len(figure.pipelines) > _FEW else _GAP_OF_FEW
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


def fill_cell(cell: _Cell, text: str, size: int, *, heading: bool, shaded: bool) -> None:
    """Write a text into a cell of a table, a heading in white on blue."""
    cell.margin_left = cell.margin_right = cell.margin_top = cell.margin_bottom = CELL_MARGIN
    cell.vertical_anchor = MSO_ANCHOR.MIDDLE
    cell.fill.solid()
    cell.fill.fore_color.rgb = BLUE if heading else PALE if shaded else WHITE
    write_paragraph(cell.text_frame.paragraphs[0], text, size, WHITE if heading else INK, bold=heading)


def empty_cells(slide: Slide, heads: Sequence[str], rows: Sequence[str], top: int, height: int) -> None:
    """Add a table to be filled in by hand: a line for each of `rows`, with this height."""
    area = (LEFT, top, TEXT_WIDTH, height * len(rows) + Inches(0.4))
    table = slide.shapes.add_table(len(rows) + 1, len(heads), *map(Emu, area)).table
    for place, first in enumerate((heads[0], *rows)):
        table.rows[place].height = Emu(height if place else Inches(0.4))
        for column, head in enumerate(heads):
            text = first if not column else head if not place else ""
            fill_cell(table.cell(place, column), text, 14, heading=not place, shaded=False)
            if place:
                _rule(table.cell(place, column))


def _rule(cell: _Cell) -> None:
    """A line above and under a cell; python-pptx has no word for borders."""
    properties = cell._tc.get_or_add_tcPr()
    for place, side in enumerate(("lnT", "lnB")):
        line = f'<a:{side} {nsdecls("a")} w="9525"><a:solidFill><a:srgbClr val="98A4AD"/></a:solidFill></a:{side}>'
        # Borders stand before the fill.
        properties.insert(place, parse_xml(line))
