"""The decision pack as slides: charts and tables that people can edit, and notes for whoever presents them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, cast

import polars as pl
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

from qaviz.analysis.comparison import METRIC
from qaviz.analysis.decision import Decision, Risk, word_impact, word_override
from qaviz.analysis.numbers import count, day, plural
from qaviz.exports.decision_pack.content import SIGN_OFF, SIGN_OFF_FIELDS, Content, Example, Figure, Series, Unit
from qaviz.exports.decision_pack.tables import (
    LONGEST_NAME,
    Table,
    comparisons_table,
    criteria_table,
    extent,
    fit_text,
    lines_of,
    pipelines_table,
    right_to_left,
    short_names,
    variants_in_words,
)
from qaviz.exports.decision_pack.xlsx import FORMATS, ROOMY, chart_data, labels, reach
from qaviz.model.columns import PIPELINE, VERDICT
from qaviz.model.visible import excerpt, one_line, visible

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

_GRID = RGBColor(0xD9, 0xDE, 0xE2)
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
    size, (text,) = _all_sized([one_line(title)], TEXT_WIDTH, Inches(0.95), _TITLE_SIZES, bullets=False)
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
    size, shown = _all_sized([visible(text) for text in paragraphs], *box[2:], sizes, bullets)
    for place, text in enumerate(shown):
        paragraph = frame.paragraphs[0] if not place else frame.add_paragraph()
        write_paragraph(paragraph, text, size, colour, bold)
        if bullets:
            properties, indent = paragraph._p.get_or_add_pPr(), int(size * POINT * 1.2)
            properties.set("marL", str(indent))
            properties.set("indent", str(-indent))
            properties.append(parse_xml(f'<a:buChar {nsdecls("a")} char="•"/>'))
        paragraph.space_after = Pt(size * (LINE - 1) * 2 if bullets else 0)
    return shape


def _all_sized(
    paragraphs: list[str], width: int, height: int, sizes: Sequence[int], bullets: bool
) -> tuple[int, list[str]]:
    """A size, and as much of the paragraphs as fits in it."""
    for size in sizes:
        line, most = width / POINT / size, int(height / POINT / (size * LINE))
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


def write_paragraph(paragraph: _Paragraph, text: str, size: int, colour: RGBColor, bold: bool = False) -> None:
    """Write a text into a paragraph, from right to left where its script runs so."""
    paragraph.text = text.replace("\n", "\v")
    paragraph.font.size, paragraph.font.bold, paragraph.font.name = Pt(size), bold, FONT
    paragraph.font.color.rgb = colour
    paragraph.alignment = PP_ALIGN.LEFT
    if right_to_left(text):
        paragraph._p.get_or_add_pPr().set("rtl", "1")
        paragraph.alignment = PP_ALIGN.RIGHT


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
        drawn.format.line.color.rgb = WHITE
        if figure.unit == Unit.COUNT:
            _count_on(drawn, series, crowded=len(figure.pipelines) > ROOMY)
        if series.ends:
            _add_intervals(drawn._element, series, len(figure.series))


def _style(chart: Chart, figure: Figure) -> None:
    parts = figure.unit == Unit.COUNT
    chart.has_title = False
    chart.font.size, chart.font.color.rgb = Pt(12), INK
    chart.has_legend = len(figure.series) > 1
    if chart.has_legend:
        chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    plot, names, values = chart.plots[0], chart.category_axis, chart.value_axis
    plot.gap_width = _GAP_PERCENT if len(figure.pipelines) > _FEW else _GAP_OF_FEW
    names.reverse_order, names.format.line.color.rgb = True, _GRID
    crowded = len(figure.pipelines) > ROOMY
    names.tick_labels.font.size = Pt(10 if crowded else 12)
    # Left to itself, a crowded axis drops every other name.
    skip = parse_xml(f'<c:tickLblSkip {nsdecls("c")} val="1"/>')
    names._element.find("{*}noMultiLvlLbl").addprevious(skip)  # lxml's element, as below
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
    written.font.color.rgb = WHITE if _is_dark(series.colour) else INK


def _is_dark(colour: str) -> bool:
    """Whether white has more contrast than black on a colour written as `#rrggbb` (WCAG's relative luminance)."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] < 0.179


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
        f'{numbers}<c:spPr><a:ln w="19050"><a:solidFill><a:srgbClr val="{INK}"/></a:solidFill></a:ln></c:spPr>'
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
            # A line above and under; python-pptx has no word for borders, which stand before the fill.
            for at, side in enumerate(("lnT", "lnB") if place else ()):
                colour = '<a:solidFill><a:srgbClr val="98A4AD"/></a:solidFill>'
                rule = parse_xml(f'<a:{side} {nsdecls("a")} w="9525">{colour}</a:{side}>')
                table.cell(place, column)._tc.get_or_add_tcPr().insert(at, rule)


COMPARED = 6
"""Comparisons on slides, by right answers; the others are in the workbook."""
DRAWN = ("Right", "Diagnoses")
"""Figures on slides, by name."""
LONGEST_IN_NOTES = 12_000
"""Characters of each text of an example in the notes."""
LONGEST_WRAPPED = 60
"""Characters of a pipeline's name in a table, where names are wrapped."""

MOST_LINES = 3
"""Lines of a cell; a longer text is cut."""
HEADING, NOTE = Inches(0.38), Inches(0.72)
"""Height of what stands above a table that is not the slide's only one, and of what stands under each."""
MOST_SLIDES = 8
"""Slides of a deck; what does not fit is in the workbook."""
PARTS = 2
"""Slides of one table; its note says how many more rows are in the workbook."""
SIDE_BY_SIDE = 6
"""Pipelines up to which two charts stand on one slide."""


def write(content: Content, stream: BinaryIO) -> None:
    """Write the slides to a stream: ten at most for three pipelines. What they leave out is in the notes, or in the
    pack's other formats."""
    deck = new_deck()
    deck.core_properties.title = f"Decision pack: {one_line(content.run.name)}"
    deck.core_properties.author = "qaviz"
    deck.core_properties.created = deck.core_properties.modified = content.made_at.replace(tzinfo=None)
    run = content.run
    footer = f"{day(content.made_at)} · {one_line(run.name)} · golden dataset {run.golden_id} · {run.engine}"
    _add_board_slide(deck, footer, content)
    drawn = [figure for figure in content.figures if figure.name in DRAWN]
    together = max((len(figure.pipelines) for figure in drawn), default=0) <= SIDE_BY_SIDE
    for figures in [drawn] if together and drawn else [[figure] for figure in drawn]:
        _add_figure_slide(deck, footer, figures, _list_definitions(content) if figures[-1] is drawn[-1] else ())
    steps = (*(content.steps or (content.decision.settling,)), *content.golden)
    columns = {"What to do next, and the golden dataset": steps, "What is not known": content.unknown}
    _add_columns_slide(deck, "What to do next, and what is not known", footer, columns)
    sign_off = add_slide(deck, "Sign-off", footer, ["To be filled in by hand or in PowerPoint.", content.question])
    empty_cells(sign_off, ("", *SIGN_OFF_FIELDS), SIGN_OFF, TOP, Inches(0.8))
    _add_appendix(deck, footer, content)
    deck.save(stream)


def _add_appendix(deck: Deck, footer: str, content: Content) -> None:
    right = replace(content, comparisons=content.comparisons.filter(pl.col(METRIC) == VERDICT))
    candidates = (pipelines_table(content), comparisons_table(right, COMPARED), criteria_table(content))
    names = short_names(content.summary[PIPELINE].to_list(), LONGEST_WRAPPED)
    room = MOST_SLIDES - len(deck.slides) - 1
    for parts in laid_out((table for table in candidates if table.rows), names)[:room]:
        title = "Appendix: " + parts[0].table.title[0].lower() + parts[0].table.title[1:]
        notes = [*(part.table.note for part in parts), *content.criteria["sentence"], *_list_full_names(content)]
        draw_parts(add_slide(deck, title, footer, notes), parts)
    measured = [f"{name}: {value}" for name, value in content.measured]
    half = (len(measured) + 1) // 2
    columns = {"The run": measured[:half], "How it was read": measured[half:]}
    _add_columns_slide(deck, "Appendix: how it was measured", footer, columns)


def _list_definitions(content: Content) -> Iterator[str]:
    """Each diagnosis that occurs: how often, when a response is diagnosed so, and examples in full."""
    for part in content.diagnoses:
        responses = f"{count(part.responses)} of {plural(content.run.responses, 'response')}"
        yield f"{part.diagnosis.value.capitalize()}: {responses}. {part.definition}"
        for example in part.examples[:1]:
            yield from _write_example(example)


def _add_board_slide(deck: Deck, footer: str, content: Content) -> None:
    """The decision on one page: what to ship, how sure that is, what it changes and costs, the risk, the next step."""
    decision = content.decision
    notes = [
        content.question,
        *content.points,
        *(_write_example(decision.risk) if decision.risk else ()),
        "Not known:",
        *content.unknown,
        *_list_full_names(content),
    ]
    slide = add_slide(deck, content.lead, footer, notes)
    left, top, width, height = BODY
    gap = Inches(0.4)
    column = (width - gap) * 9 // 20
    effect = " ".join(filter(None, (word_impact(decision.subject, decision.impact), decision.effort)))
    blocks = (
        (
            "Overridden" if content.override else f"Status: {decision.status}",
            word_override(content.override) if content.override else decision.status_reason,
        ),
        ("How sure", decision.confidence_reason),
        ("What it changes and costs", effect or "There is no other pipeline to compare with, and no cost is known."),
        ("Next step", decision.next_step),
    )
    part = height // len(blocks)
    for place, (heading, text) in enumerate(blocks):
        _add_block(slide, heading, text, (left, top + place * part, column, part))
    start, wide = left + column + gap, width - column - gap
    for heading, text, above, share in _quote_risk(decision):
        box = (start, top + height * above // 20, wide, height * share // 20)
        _add_block(slide, heading, text, box)


def _add_block(slide: Slide, heading: str, text: str, box: Box) -> None:
    left, top, width, height = box
    line = Inches(0.3)
    add_text(slide, [heading], (left, top, width, line), sizes=(14, 12), colour=BLUE, bold=True)
    add_text(
        slide,
        [text],
        (left, top + line, width, height - line - Inches(0.08)),
        sizes=(20, 18, 16, 14, 13, 12, 11, 10, 9, 8),
    )


def _quote_risk(decision: Decision) -> Iterator[tuple[str, str, int, int]]:
    """What may go wrong with the question, the golden answer, all of the response, and why it is no right answer: each
    under its heading, from which twentieth of the height, over how many."""
    risk = decision.risk
    if risk is None:
        text = f"Every response of {one_line(decision.subject)} is right. Check whether the questions are hard enough."
        yield "The biggest risk", text, 0, 20
        return
    yield "The biggest risk", risk.sentence, 0, 3
    yield "Asked", one_line(risk.question or risk.question_id), 3, 3
    yield "Golden", one_line(variants_in_words(risk.fact or risk.answer) or "nothing given"), 6, 3
    quotation = f"“{one_line(risk.response)}”" if risk.response else "no response"
    yield f"{excerpt(one_line(risk.pipeline), LONGEST_WRAPPED)} says", quotation, 9, 7
    yield "Why it is a risk", one_line(risk.reason or "Nothing was said."), 16, 4


def _list_full_names(content: Content) -> Iterator[str]:
    cut = {name: short for name, short in short_names(content.summary[PIPELINE].to_list()).items() if name != short}
    if cut:
        yield "Pipelines in full: " + "; ".join(f"{short} is {excerpt(name, 500)}" for name, short in cut.items())


def _add_figure_slide(deck: Deck, footer: str, figures: Sequence[Figure], notes: Iterable[str]) -> None:
    """One chart over the whole width, or two side by side, each with how to read it."""
    readings = [
        figure.reading + (f" {count(figure.left_out)} more pipelines are in the workbook." if figure.left_out else "")
        for figure in figures
    ]
    title = figures[0].title if len(figures) == 1 else "Right answers and diagnoses of each pipeline"
    slide = add_slide(deck, title, footer, [*readings, *notes])
    left, top, width, height = BODY
    words, gap = Inches(0.85), Inches(0.3)
    column = (width - gap * (len(figures) - 1)) // len(figures)
    for place, (figure, reading) in enumerate(zip(figures, readings, strict=True)):
        start = left + place * (column + gap)
        draw(slide, figure, (start, top, column, height - words))
        add_text(slide, [reading], (start, top + height - words, column, words), sizes=(14, 12, 10), colour=FAINT)


def _write_example(example: Example | Risk) -> Iterator[str]:
    texts = {
        "Question": example.question,
        "Golden answer": variants_in_words(example.answer),
        "Fact": variants_in_words(example.fact),
        f"{example.pipeline} says": example.response,
        "Why": example.reason,
    }
    yield f"Example {example.question_id}"
    yield from (f"{name}: {excerpt(text, LONGEST_IN_NOTES)}" for name, text in texts.items() if text)


def _add_columns_slide(deck: Deck, title: str, footer: str, columns: Mapping[str, Sequence[str]]) -> None:
    """Lists side by side under their headings."""
    slide = add_slide(deck, title, footer, [text for heading in columns for text in (heading, *columns[heading])])
    left, top, width, height = BODY
    gap, line, sizes = Inches(0.4), Inches(0.4), (24, 20, 18, 16, 14, 13, 12, 11, 10)
    column = (width - gap) // len(columns)
    for place, (heading, points) in enumerate(columns.items()):
        start = left + place * (column + gap)
        add_text(slide, [heading], (start, top, column, line), sizes=(16, 14, 12), colour=BLUE, bold=True)
        add_text(slide, points, (start, top + line, column, height - line), sizes=sizes, bullets=True)


@dataclass(frozen=True, kw_only=True)
class Part:
    """As much of a table as stands on one slide, laid out."""

    table: Table
    size: int
    widths: Sequence[int]
    lines: Sequence[int]
    """Lines of the heading and of each row."""

    @property
    def height(self) -> int:
        """With its heading and its note, in EMU."""
        return sum(_measure_row(lines, self.size) for lines in self.lines) + HEADING + NOTE


def laid_out(tables: Iterable[Table], short: Mapping[str, str]) -> list[list[Part]]:
    """The tables as slides, each a list of parts. A table starts where the one before ends if it fits there whole.

    `short` has the names to write for long ones.
    """
    slides: list[list[Part]] = []
    for part in (part for table in tables for part in _cut_table(table, short)):
        if slides and sum(slide.height for slide in slides[-1]) + part.height <= BODY_HEIGHT + HEADING:
            slides[-1].append(part)
        else:
            slides.append([part])
    return slides


def _cut_table(table: Table, short: Mapping[str, str]) -> Iterator[Part]:
    """The parts of a table, one a slide. Columns that say the same in all rows move into the title."""
    same = [column for column in range(table.names) if len({row[column] for row in table.rows}) == 1]
    # One column of words stays.
    same = same[: table.names - 1] if len(table.rows) > 1 else []
    title = ", ".join([table.title, *(f"{table.heads[column].lower()} {table.rows[0][column]}" for column in same)])
    shown = [column for column in range(len(table.heads)) if column not in same]
    heads = tuple(one_line(table.heads[column]) for column in shown)
    rows = tuple(tuple(one_line(short.get(row[column], row[column])) for column in shown) for row in table.rows)
    names = table.names - len(same)
    size = 12 if names == 1 else 11
    widths = _share_width(heads, rows, names, size)
    rooms = [_measure_room(width, size) for width in widths]
    lines = [min(max(map(lines_of, cells, rooms)), MOST_LINES) for cells in (heads, *rows)]
    ends = list(_find_ends(lines, size))
    left_out = len(rows) - ends[:PARTS][-1]
    note = table.note + (f" {count(left_out)} more rows are in the workbook." if left_out else "")
    for place, (start, end) in enumerate(zip([0, *ends], ends[:PARTS], strict=False), start=1):
        numbered = title if len(ends) == 1 else f"{title} ({place} of {min(len(ends), PARTS)})"
        own = Table(title=numbered, heads=heads, rows=rows[start:end], names=names, note=note)
        yield Part(table=own, size=size, widths=widths, lines=[lines[0], *lines[1 + start : 1 + end]])


def _find_ends(lines: Sequence[int], size: int) -> Iterator[int]:
    """After how many rows each slide's part ends, by the lines of the heading and of each row."""
    room = BODY_HEIGHT - NOTE - _measure_row(lines[0], size)
    used = 0
    for place, needed in enumerate(lines[1:]):
        height = _measure_row(needed, size)
        if used and used + height > room:
            yield place
            used = 0
        used += height
    yield len(lines) - 1


def _measure_row(lines: int, size: int) -> int:
    return int(lines * size * LINE * POINT) + 2 * CELL_MARGIN


def _measure_room(width: int, size: int) -> float:
    """Extent of a line in a cell of this width."""
    return (width - 2 * CELL_MARGIN) / POINT / size


def draw_parts(slide: Slide, parts: Sequence[Part]) -> None:
    """Draw parts of tables under each other; those after the first with their titles."""
    top = int(TOP)
    # Few rows are drawn higher, so that no slide is half empty.
    rows = sum(part.height - HEADING - NOTE for part in parts)
    stretch = min(2.0, max(1.0, (BODY_HEIGHT * 3 // 5 - (HEADING + NOTE) * (len(parts) - 1)) / rows))
    for place, part in enumerate(parts):
        if place:
            add_text(slide, [part.table.title], (LEFT, top, TEXT_WIDTH, HEADING), sizes=(16, 14, 12, 10), bold=True)
            top += HEADING
        top += _draw_table(slide, part, top, stretch)
        box = (LEFT, top + Inches(0.06), TEXT_WIDTH, NOTE - Inches(0.12))
        add_text(slide, [part.table.note], box, sizes=(12, 11, 10, 9), colour=FAINT)
        top += NOTE


def _draw_table(slide: Slide, part: Part, top: int, stretch: float) -> int:
    """Draw a part with rows so many times as high as they need; returns its height."""
    heights = [int(_measure_row(lines, part.size) * stretch) for lines in part.lines]
    area = (LEFT, top, sum(part.widths), sum(heights))
    table = slide.shapes.add_table(len(heights), len(part.table.heads), *map(Emu, area)).table
    for column, width in enumerate(part.widths):
        table.columns[column].width = Emu(width)
    for place, (cells, height) in enumerate(zip((part.table.heads, *part.table.rows), heights, strict=True)):
        table.rows[place].height = Emu(height)
        for column, text in enumerate(cells):
            cell = table.cell(place, column)
            shown = fit_text(text, _measure_room(part.widths[column], part.size), MOST_LINES)
            fill_cell(cell, shown, part.size, heading=not place, shaded=not place % 2)
            if column >= part.table.names:
                cell.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT
    return sum(heights)


def _share_width(heads: Sequence[str], rows: Sequence[Sequence[str]], names: int, size: int) -> list[int]:
    """Widths of columns in EMU, together the whole width. What is left over is spread; where there is less than
    texts need, words give way: they are wrapped."""
    columns = zip(heads, *rows, strict=True)
    needed = [(max(map(extent, column)) + 0.5) * size * POINT + 2 * CELL_MARGIN for column in columns]
    for_names = TEXT_WIDTH - sum(needed[names:])
    while sum(needed[:names]) > for_names + 1:
        widest = max(needed[:names])
        second = max((width for width in needed[:names] if width < widest), default=0.0)
        many = needed[:names].count(widest)
        lower = max(second, widest - (sum(needed[:names]) - for_names) / many)
        needed[:names] = [lower if width == widest else width for width in needed[:names]]
    wider = TEXT_WIDTH / sum(needed)
    return [int(width * wider) for width in needed]
