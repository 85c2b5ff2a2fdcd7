"""The decision pack as slides: a slide a section, its tables and scatter as people can edit them, all else in notes."""

import unicodedata
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import accumulate
from math import ceil
from typing import Any, BinaryIO, cast

from pptx import Presentation
from pptx.chart.data import XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_MARKER_STYLE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide
from pptx.text.text import TextFrame, _Paragraph
from pptx.util import Emu, Inches, Pt
from xlsxwriter import Workbook

from qaviz.analysis.board import Cell
from qaviz.analysis.numbers import day
from qaviz.charts import CELL_LOOKS
from qaviz.exports.table_files import INERT
from qaviz.model.columns import PIPELINE
from qaviz.model.visible import excerpt, one_line, shorten_names, visible
from qaviz.report import Kind, Report, Scatter, Section, Sentences, Table, is_number, word_left_out, write_cells

WIDTH, HEIGHT = Inches(13.333), Inches(7.5)
LEFT, TOP, TEXT_WIDTH, BODY_HEIGHT = Inches(0.6), Inches(1.45), Inches(12.13), Inches(5.35)
MARGIN, NOTE = Inches(0.05), Inches(0.5)
FONT = "Arial"
INK, FAINT, BLUE, PALE, WHITE = (
    RGBColor.from_string(code) for code in ("10181F", "5A6772", "00607F", "F3F5F6", "FFFFFF")
)
LINE, LETTER, WIDE = 1.25, 0.56, 1.15
"""Height of a line, and what a character takes of it, in units of the type's size: a little more than Arial's."""
LONGEST_CELL, LONGEST_NOTES, LONGEST_HEADING = 220, 20_000, 40

Box = tuple[int, int, int, int]
"""Left, top, width and height, in EMU."""

MOST_LINES, MOST_HEAD_LINES = 5, 8


def write(report: Report, stream: BinaryIO) -> None:
    """Write the deck: every section but the appendices."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = WIDTH, HEIGHT
    footer = f"{report.run.name}, scored {day(report.run.created_at)}"
    for section in report.sections:
        if not section.appendix:
            slide = deck.slides.add_slide(deck.slide_layouts[5])
            shape = cast(Any, slide.shapes.title)
            shape.left, shape.top, shape.width, shape.height = LEFT, Inches(0.35), TEXT_WIDTH, Inches(0.95)
            shape.text_frame.word_wrap, shape.text_frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
            title = excerpt(one_line(section.title), 180)
            size = _fit_size([title], TEXT_WIDTH, shape.height, (28, 24, 20, 16))
            _write_paragraph(shape.text_frame.paragraphs[0], title, size, INK, bold=True)
            _add_text(slide, [one_line(footer)], (LEFT, HEIGHT - Inches(0.45), TEXT_WIDTH, Inches(0.3)), 10, FAINT)
            # Every notes page has its text; a carriage return or the like has no place in XML.
            notes = "\n\n".join(map(visible, _list_notes(report, section)))[:LONGEST_NOTES]
            cast(TextFrame, slide.notes_slide.notes_text_frame).text = notes
            _fill(slide, section)
    deck.save(stream)


def _list_notes(report: Report, section: Section) -> Iterator[str]:
    """What a slide may have to cut, in full: sentences, how tables are read, and the texts of their rows."""
    yield report.title
    for block in section.blocks:
        if isinstance(block, Sentences):
            yield from block.sentences
        else:
            yield block.note
        if isinstance(block, Table):
            yield "; ".join(column.heading for column in block.columns)
            yield from (" | ".join(filter(None, cells)) for cells in write_cells(block, 100))


def _fill(slide: Slide, section: Section) -> None:
    """Lists side by side; tables under each other, as many rows as there is room for; a scatter alone."""
    lists = [block for block in section.blocks if isinstance(block, Sentences)]
    tables = [block for block in section.blocks if isinstance(block, Table)]
    room = TEXT_WIDTH // max(1, len(lists))
    for place, block in enumerate(lists):
        left, width, head = LEFT + place * room, room - Inches(0.3), 0
        if block.title:
            head = Inches(0.4)
            _add_text(slide, [block.title], (left, TOP, width, head), 16, BLUE, bold=True)
        texts = [f"• {one_line(sentence)}" for sentence in block.sentences]
        size = _fit_size(texts, width, BODY_HEIGHT - head, (20, 18, 16, 14, 12, 11, 10, 9))
        _add_text(slide, texts, (left, TOP + head, width, BODY_HEIGHT - head), size, INK)
    for scatter in (block for block in section.blocks if isinstance(block, Scatter)):
        _draw_scatter(slide, scatter, (LEFT, TOP, TEXT_WIDTH, BODY_HEIGHT))
    top, high = int(TOP), BODY_HEIGHT // max(1, len(tables))
    for table in tables:
        used = _add_table(slide, table, (LEFT, top, TEXT_WIDTH, high))
        top, high = top + used, max(high, (TOP + BODY_HEIGHT - top - used))


def _add_text(slide: Slide, texts: Sequence[str], box: Box, size: int, colour: RGBColor, *, bold: bool = False) -> None:
    """Add paragraphs; what does not fit the box is cut, and stands in the notes."""
    frame = slide.shapes.add_textbox(*map(Emu, box)).text_frame
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    left = int(box[3] / (Pt(size) * LINE))
    for place, text in enumerate(texts):
        shown = _cut_lines(text, box[2], size, left)
        left -= count_lines(shown, box[2], size)
        if left < 0:
            break
        paragraph = frame.paragraphs[0] if not place else frame.add_paragraph()
        _write_paragraph(paragraph, shown, size, colour, bold=bold)


def _write_paragraph(paragraph: _Paragraph, text: str, size: int, colour: RGBColor, *, bold: bool) -> None:
    """Write a text, from right to left where its first letter's script runs so."""
    paragraph.text = text
    paragraph.font.size, paragraph.font.bold, paragraph.font.name = Pt(size), bold, FONT
    paragraph.font.color.rgb = colour
    directions = (unicodedata.bidirectional(letter) for letter in text)
    backwards = next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"
    paragraph.alignment = PP_ALIGN.RIGHT if backwards else PP_ALIGN.LEFT
    if backwards:
        paragraph._p.get_or_add_pPr().set("rtl", "1")


def count_lines(text: str, width: int, size: int) -> int:
    """How many lines a text takes, at least one; words that are longer than a line are broken."""
    return sum(max(1, ceil(_extent(line) * Pt(size) * 1.08 / max(width, 1))) for line in text.split("\n"))


def _extent(text: str) -> float:
    return sum(
        WIDE if unicodedata.east_asian_width(letter) in "WF" else LETTER * (1.3 if letter.isupper() else 1)
        for letter in text
    )


def _fit_size(texts: Sequence[str], width: int, height: int, sizes: Sequence[int]) -> int:
    fitting = (
        size for size in sizes if sum(count_lines(text, width, size) for text in texts) * Pt(size) * LINE <= height
    )
    return next(fitting, sizes[-1])


def _cut_lines(text: str, width: int, size: int, most: int) -> str:
    while text and count_lines(text, width, size) > most:
        text = excerpt(text, max(1, len(text) * 4 // 5)) if len(text) > 1 else ""
    return text


def _add_table(slide: Slide, table: Table, box: Box) -> int:
    """Add the rows that fit, in the largest type that shows most of them, and under them how to read it. Returns the
    height that is used."""
    left, top, width, height = box
    rows = [tuple(excerpt(one_line(cell), LONGEST_CELL) for cell in cells) for cells in write_cells(table, 40)]
    names = shorten_names([column.heading for column in table.columns], LONGEST_HEADING)
    heads = tuple(one_line(names[column.heading]) for column in table.columns)
    widths = _share_width(table, heads, rows, width)
    marked = any(column.kind is Kind.CELL for column in table.columns)
    layouts = [(size, MOST_LINES) for size in (12, 11, 10, 9, 8)]
    # Where not all rows fit, many of a matrix say more than whole questions, which stand in the notes.
    for size, most in [*layouts, (8, 1)] if marked else layouts:
        heights = [_measure_row(heads, widths, size, MOST_HEAD_LINES)]
        heights += [_measure_row(cells, widths, size, most) for cells in rows]
        if sum(heights) <= height - NOTE:
            break
    fitting = max(sum(end <= height - NOTE for end in accumulate(heights)), min(2, len(heights)))
    frame = slide.shapes.add_table(fitting, len(heads), *map(Emu, (left, top, width, sum(heights[:fitting]))))
    drawn = frame.table
    for place, wide in enumerate(widths):
        drawn.columns[place].width = Emu(wide)
    looks = {look[1]: RGBColor.from_string(look[0][1:]) for cell, look in CELL_LOOKS.items() if cell is not Cell.EMPTY}
    for row, cells in enumerate((heads, *rows)[:fitting]):
        drawn.rows[row].height = Emu(heights[row])
        for place, text in enumerate(cells):
            column, cell = table.columns[place], drawn.cell(row, place)
            cell.margin_left = cell.margin_right = cell.margin_top = cell.margin_bottom = MARGIN
            cell.fill.solid()
            cell.fill.fore_color.rgb = (
                BLUE if not row else looks.get(text, WHITE) if column.kind is Kind.CELL else PALE if row % 2 else WHITE
            )
            paragraph = cell.text_frame.paragraphs[0]
            lines = max(1, int(heights[row] / (Pt(size) * LINE)))
            shown = _cut_lines(text, widths[place] - 2 * MARGIN, size, lines)
            _write_paragraph(paragraph, shown, size, INK if row else WHITE, bold=not row)
            if is_number(column) or column.kind is Kind.CELL:
                paragraph.alignment = PP_ALIGN.CENTER if column.kind is Kind.CELL else PP_ALIGN.RIGHT
    used, text = sum(heights[:fitting]), " ".join(filter(None, [word_left_out(table, fitting - 1), table.note]))
    note = (left, top + used + MARGIN, width, NOTE - 2 * MARGIN)
    _add_text(slide, [text], note, _fit_size([text], width, note[3], (12, 10, 9, 8)), FAINT)
    return used + NOTE


def _share_width(table: Table, heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Widths of columns, together the whole: by what their texts need, long ones wrapped."""
    needed = []
    for place, column in enumerate(table.columns):
        longest = max((_extent(row[place]) for row in rows), default=0.0)
        words = max((_extent(word) for word in heads[place].split()), default=0.0)
        needed.append(
            3.0 + max(min(longest, 45.0), min(words, 12.0)) if column.kind is not Kind.CELL else 5.0 + min(words, 6.0)
        )
    return [int(width * need / sum(needed)) for need in needed]


def _measure_row(cells: Sequence[str], widths: Sequence[int], size: int, most: int) -> int:
    lines = max(count_lines(cell, wide - 2 * MARGIN, size) for cell, wide in zip(cells, widths, strict=True))
    return int(min(lines, most) * Pt(size) * LINE) + 2 * MARGIN


def _draw_scatter(slide: Slide, scatter: Scatter, box: Box) -> None:
    """Each pipeline's means as a chart that people can edit."""
    names = shorten_names(scatter.means[PIPELINE].to_list())
    means = list(scatter.means.select(PIPELINE, "closeness", "conciseness").iter_rows())
    data: Any = XyChartData()  # annotated as another kind of chart wants it
    for name, closeness, conciseness in means:
        data.add_series(one_line(names[name])).add_data_point(closeness, conciseness)
    # It returns the frame, whatever its annotation says.
    left, top, width, height = map(Emu, box)
    frame = cast(GraphicFrame, slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, left, top, width, height, data))
    frame.name = scatter.title
    # python-pptx's own workbook would take a name such as =1+1 for a formula. This one is laid out as that one is.
    workbook_behind = BytesIO()
    with Workbook(workbook_behind, INERT) as workbook:
        sheet = workbook.add_worksheet("Sheet1")
        for place, (name, closeness, conciseness) in enumerate(means):
            sheet.write_string(3 * place, 1, one_line(name))
            sheet.write_row(3 * place + 1, 0, (closeness, conciseness))
    frame.chart_part.chart_workbook.update_from_xlsx_blob(workbook_behind.getvalue())
    chart = frame.chart
    chart.has_title, chart.has_legend = False, True
    chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    chart.font.size = Pt(12)
    for axis, name in ((chart.category_axis, "Closeness, mean"), (chart.value_axis, "Conciseness, mean")):
        axis.minimum_scale, axis.maximum_scale, axis.major_unit = 0, 1, 0.2
        axis.axis_title.text_frame.text = name
    for series, (name, *_) in zip(chart.plots[0].series, means, strict=True):
        series.marker.style, series.marker.size = XL_MARKER_STYLE.CIRCLE, 14
        series.marker.format.fill.solid()
        series.marker.format.fill.fore_color.rgb = RGBColor.from_string(scatter.colours[name][1:])
