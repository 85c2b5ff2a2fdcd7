"""Tables on slides: over the whole width, names wrapped, as many tables on a slide as stand there whole."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.slide import Slide
from pptx.table import _Cell
from pptx.util import Emu, Inches

from qaviz.analysis.numbers import count
from qaviz.exports.decision_pack.pptx_slide import (
    BLUE,
    BODY_HEIGHT,
    FAINT,
    INK,
    LEFT,
    LINE,
    PALE,
    POINT,
    TEXT_WIDTH,
    TOP,
    WHITE,
    add_text,
    write_paragraph,
)
from qaviz.exports.decision_pack.tables import Table
from qaviz.exports.decision_pack.texts import extent, fit_text, lines_of, one_line

CELL_MARGIN = Inches(0.06)
MOST_LINES = 3
"""Lines of a cell; a longer text is cut."""
HEADING, NOTE = Inches(0.38), Inches(0.72)
"""Height of what stands above a table that is not the slide's only one, and of what stands under each."""
MOST_SLIDES = 2
"""Slides of one table; what is beyond is said to be in the workbook."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """As much of a table as stands on one slide, laid out."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int
    note: str
    size: int
    widths: Sequence[int]
    lines: Sequence[int]
    """Lines of the heading and of each row."""

    @property
    def height(self) -> int:
        """With its heading and its note, in EMU."""
        return sum(_row_height(lines, self.size) for lines in self.lines) + HEADING + NOTE


def laid_out(tables: Iterable[Table], short: Mapping[str, str]) -> list[list[Part]]:
    """The tables as slides, each a list of parts. A table starts where the one before ends if it fits there whole.

    `short` has the names to write for long ones.
    """
    slides: list[list[Part]] = []
    for part in (part for table in tables for part in _parts(table, short)):
        if slides and sum(each.height for each in slides[-1]) + part.height <= BODY_HEIGHT + HEADING:
            slides[-1].append(part)
        else:
            slides.append([part])
    return slides


def _parts(table: Table, short: Mapping[str, str]) -> Iterator[Part]:
    """What is the same in all rows of a table stands in its title."""
    same = _same(table.rows, table.names)
    title = ", ".join([table.title, *(f"{table.heads[column].lower()} {table.rows[0][column]}" for column in same)])
    shown = [column for column in range(len(table.heads)) if column not in same]
    heads = [one_line(table.heads[column]) for column in shown]
    rows = [[one_line(short.get(row[column], row[column])) for column in shown] for row in table.rows]
    names = table.names - len(same)
    size = 12 if names == 1 else 11
    widths = _widths(heads, rows, names, size)
    lines = [_lines(cells, widths, size) for cells in (heads, *rows)]
    ends = list(_ends(lines, size))
    left_out = len(rows) - ends[:MOST_SLIDES][-1]
    note = table.note + (f" {count(left_out)} more rows are in the workbook." if left_out else "")
    for place, (start, end) in enumerate(zip([0, *ends], ends[:MOST_SLIDES], strict=False), start=1):
        numbered = title if len(ends) == 1 else f"{title} ({place} of {min(len(ends), MOST_SLIDES)})"
        yield Part(
            title=numbered,
            heads=heads,
            rows=rows[start:end],
            names=names,
            note=note,
            size=size,
            widths=widths,
            lines=[lines[0], *lines[1 + start : 1 + end]],
        )


def _ends(lines: Sequence[int], size: int) -> Iterator[int]:
    """After how many rows each slide's part ends, by the lines of the heading and of each row."""
    room = BODY_HEIGHT - NOTE - _row_height(lines[0], size)
    used = 0
    for place, needed in enumerate(lines[1:]):
        height = _row_height(needed, size)
        if used and used + height > room:
            yield place
            used = 0
        used += height
    yield len(lines) - 1


def _same(rows: Sequence[Sequence[str]], names: int) -> list[int]:
    """Columns of words that say the same in all rows; one column stays."""
    same = [column for column in range(names) if len({row[column] for row in rows}) == 1]
    return same[: names - 1] if len(rows) > 1 else []


def _row_height(lines: int, size: int) -> int:
    return int(lines * size * LINE * POINT) + 2 * CELL_MARGIN


def _room(width: int, size: int) -> float:
    """Extent of a line in a cell of this width."""
    return (width - 2 * CELL_MARGIN) / POINT / size


def _lines(cells: Sequence[str], widths: Sequence[int], size: int) -> int:
    needed = (lines_of(text, _room(width, size)) for text, width in zip(cells, widths, strict=True))
    return min(max(needed), MOST_LINES)


def draw_parts(slide: Slide, parts: Sequence[Part]) -> None:
    """Draw parts of tables under each other; those after the first with their titles."""
    top = int(TOP)
    for place, part in enumerate(parts):
        if place:
            add_text(slide, [part.title], (LEFT, top, TEXT_WIDTH, HEADING), sizes=(16, 14, 12, 10), bold=True)
            top += HEADING
        _draw_table(slide, part, top)
        top += part.height - HEADING - NOTE
        box = (LEFT, top + Inches(0.06), TEXT_WIDTH, NOTE - Inches(0.12))
        add_text(slide, [part.note], box, sizes=(12, 11, 10, 9), colour=FAINT)
        top += NOTE


def _draw_table(slide: Slide, part: Part, top: int) -> None:
    heights = [_row_height(lines, part.size) for lines in part.lines]
    area = (LEFT, top, sum(part.widths), sum(heights))
    table = slide.shapes.add_table(len(heights), len(part.heads), *map(Emu, area)).table
    for column, width in enumerate(part.widths):
        table.columns[column].width = Emu(width)
    for place, (cells, height) in enumerate(zip((part.heads, *part.rows), heights, strict=True)):
        table.rows[place].height = Emu(height)
        for column, text in enumerate(cells):
            cell = table.cell(place, column)
            shown = fit_text(text, _room(part.widths[column], part.size), MOST_LINES)
            _fill_cell(cell, shown, part.size, heading=not place, shaded=not place % 2)
            if column >= part.names:
                cell.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]], names: int, size: int) -> list[int]:
    """Widths of columns in EMU, together the whole width. What is left over is spread; where there is less than
    texts need, words give way: they are wrapped."""
    columns = zip(heads, *rows, strict=True)
    needed = [(max(map(extent, column)) + 0.5) * size * POINT + 2 * CELL_MARGIN for column in columns]
    for_names = TEXT_WIDTH - sum(needed[names:])
    while sum(needed[:names]) > for_names + 1:
        widest = max(needed[:names])
        second = max((each for each in needed[:names] if each < widest), default=0.0)
        many = needed[:names].count(widest)
        lower = max(second, widest - (sum(needed[:names]) - for_names) / many)
        needed[:names] = [lower if each == widest else each for each in needed[:names]]
    wider = TEXT_WIDTH / sum(needed)
    return [int(each * wider) for each in needed]


def _fill_cell(cell: _Cell, text: str, size: int, *, heading: bool, shaded: bool) -> None:
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
            _fill_cell(table.cell(place, column), text, 14, heading=not place, shaded=False)
            if place:
                _rule(table.cell(place, column))


def _rule(cell: _Cell) -> None:
    """A line above and under a cell; python-pptx has no word for borders."""
    properties = cell._tc.get_or_add_tcPr()
    for place, side in enumerate(("lnT", "lnB")):
        line = f'<a:{side} {nsdecls("a")} w="9525"><a:solidFill><a:srgbClr val="98A4AD"/></a:solidFill></a:{side}>'
        # Borders stand before the fill.
        properties.insert(place, parse_xml(line))
