"""The decision pack as slides: charts and tables that people can edit, and notes for whoever presents them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import polars as pl
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.table import _Cell
from pptx.util import Emu, Inches

from qaviz.analysis.comparison import METRIC
from qaviz.analysis.decision import Risk
from qaviz.analysis.numbers import count, day, plural
from qaviz.exports.decision_pack.content import SIGN_OFF, SIGN_OFF_FIELDS, Content, Example
from qaviz.exports.decision_pack.figures import Figure
from qaviz.exports.decision_pack.pptx_slide import (
    BLUE,
    BODY,
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
    Box,
    add_slide,
    add_text,
    draw,
    new_deck,
    write_paragraph,
)
from qaviz.exports.decision_pack.tables import Table, comparisons_table, criteria_table, pipelines_table
from qaviz.exports.decision_pack.texts import (
    extent,
    fit_text,
    lines_of,
    short_names,
    variants_in_words,
)
from qaviz.model.columns import PIPELINE, VERDICT
from qaviz.model.visible import excerpt, one_line

COMPARED = 6
"""Comparisons on slides, by right answers; the others are in the workbook."""
DRAWN = ("Right", "Diagnoses")
"""Figures on slides, by name."""
CHART_FRAME, CHART_ROW = Inches(1.2), Inches(0.9)
"""Height of a chart's axis and legend, and the most that a pipeline takes."""
LONGEST_IN_NOTES = 2_000
"""Characters of each text of an example in the notes."""
LONGEST_WRAPPED = 60
"""Characters of a pipeline's name in a table, where names are wrapped."""

CELL_MARGIN = Inches(0.06)
MOST_LINES = 3
"""Lines of a cell; a longer text is cut."""
HEADING, NOTE = Inches(0.38), Inches(0.72)
"""Height of what stands above a table that is not the slide's only one, and of what stands under each."""
MOST_SLIDES = 2
"""Slides of one table; its note says how many more rows are in the workbook."""


def write(content: Content, stream: BinaryIO) -> None:
    """Write the slides to a stream: ten at most for three pipelines. What they leave out is in the notes, or in the
    pack's other formats."""
    deck = new_deck()
    deck.core_properties.title = f"Decision pack: {one_line(content.run.name)}"
    deck.core_properties.author = "qaviz"
    deck.core_properties.created = deck.core_properties.modified = content.made_at.replace(tzinfo=None)
    run = content.run
    footer = f"{day(content.made_at)} · {one_line(run.name)} · golden dataset {run.golden_id} · {run.engine}"
    _add_decision_slide(deck, footer, content)
    for figure in content.figures:
        if figure.name in DRAWN:
            _add_figure_slide(deck, footer, figure, _list_definitions(content) if figure.name == DRAWN[1] else ())
    _add_risk_slide(deck, footer, content)
    next_steps = "The steps that concern most responses of the pipeline that the decision is about."
    _add_list_slide(deck, footer, "What to do next", content.steps or (content.decision.settling,), next_steps)
    _add_list_slide(deck, footer, "The golden dataset", content.golden, "What the run shows about its golden dataset.")
    _add_sign_off_slide(deck, footer, content)
    _add_appendix(deck, footer, content)
    deck.save(stream)


def _add_appendix(deck: Deck, footer: str, content: Content) -> None:
    right = replace(content, comparisons=content.comparisons.filter(pl.col(METRIC) == VERDICT))
    candidates = (pipelines_table(content), comparisons_table(right, COMPARED), criteria_table(content))
    names = short_names(content.summary[PIPELINE].to_list(), LONGEST_WRAPPED)
    for parts in laid_out((table for table in candidates if table.rows), names):
        title = "Appendix: " + parts[0].title[0].lower() + parts[0].title[1:]
        notes = [*(part.note for part in parts), *content.criteria["sentence"].to_list(), *_list_full_names(content)]
        draw_parts(add_slide(deck, title, footer, notes), parts)
    _add_measurement_slide(deck, footer, content)


def _add_measurement_slide(deck: Deck, footer: str, content: Content) -> None:
    """What is not known beside how it was measured."""
    measured = [f"{name}: {value}" for name, value in content.measured]
    notes = ["Not known:", *content.unknown, "Everything needed to measure it again:", *measured]
    slide = add_slide(deck, "Appendix: what is not known, and how it was measured", footer, notes)
    left, top, width, height = BODY
    column = (width - Inches(0.4)) // 2
    add_text(slide, content.unknown, (left, top, column, height), sizes=_SMALL, bullets=True)
    add_text(slide, measured, (left + width - column, top, column, height), sizes=_SMALL, bullets=True)


_SMALL = (14, 13, 12, 11, 10)


def _list_definitions(content: Content) -> Iterator[str]:
    """Each diagnosis that occurs: how often, when a response is diagnosed so, and examples in full."""
    for part in content.diagnoses:
        responses = f"{count(part.responses)} of {plural(content.run.responses, 'response')}"
        yield f"{part.diagnosis.value.capitalize()}: {responses}. {part.definition}"
        for example in part.examples[:1]:
            yield from _write_example(example)


def _add_risk_slide(deck: Deck, footer: str, content: Content) -> None:
    """The biggest risk with its example in full width; no slide where every response is right."""
    risk = content.decision.risk
    if risk is None:
        return
    slide = add_slide(deck, "The biggest risk", footer, [risk.sentence, *_write_example(risk)])
    left, top, width, height = BODY
    lead = Inches(0.9)
    add_text(slide, [risk.sentence], (left, top, width, lead), sizes=(28, 24, 20, 16), colour=BLUE, bold=True)
    _add_example(slide, risk, (left, top + lead, width, height - lead))


def _add_decision_slide(deck: Deck, footer: str, content: Content) -> None:
    notes = [
        content.question,
        content.lead,
        *content.points,
        "Not known:",
        *content.unknown,
        *_list_full_names(content),
    ]
    slide = add_slide(deck, content.question, footer, notes)
    left, top, width, height = BODY
    lead, gap = Inches(1.5), Inches(0.3)
    add_text(slide, [content.lead], (left, top, width, lead), sizes=(32, 28, 24, 20, 16), colour=BLUE, bold=True)
    add_text(slide, content.points, (left, top + lead + gap, width, height - lead - gap), bullets=True)


def _list_full_names(content: Content) -> Iterator[str]:
    """Full names, where slides shorten them."""
    cut = {name: short for name, short in short_names(content.summary[PIPELINE].to_list()).items() if name != short}
    if cut:
        yield "Pipelines in full: " + "; ".join(f"{short} is {excerpt(name, 500)}" for name, short in cut.items())


def _add_figure_slide(deck: Deck, footer: str, figure: Figure, notes: Iterable[str]) -> None:
    beyond = f" The first {count(len(figure.pipelines))} pipelines; the workbook has {count(figure.left_out)} more."
    reading = figure.reading + (beyond if figure.left_out else "")
    slide = add_slide(deck, figure.title, footer, [reading, *notes])
    left, top, width, height = BODY
    words = Inches(0.75)
    high = min(height - words, CHART_FRAME + len(figure.pipelines) * CHART_ROW)
    draw(slide, figure, (left, top, width, high))
    add_text(slide, [reading], (left, top + high, width, words), sizes=(14, 12, 10), colour=FAINT)


def _add_example(slide: Slide, example: Example | Risk, box: Box) -> None:
    """A question, why its response is no right answer, and the golden text beside the response."""
    left, top, width, height = box
    line, gap = Inches(0.32), Inches(0.3)
    question_height, why = 3 * line, 2 * line
    column, body = (width - gap) // 2, height - question_height - why
    golden = f"Golden: {one_line(variants_in_words(example.fact or example.answer) or 'nothing given')}"
    stated = f"{excerpt(one_line(example.pipeline), 40)}: {one_line(example.response or 'no response')}"
    add_text(
        slide,
        [one_line(example.question or example.question_id)],
        (left, top, width, question_height),
        sizes=(18, 16, 14, 12),
        bold=True,
    )
    add_text(
        slide,
        [one_line(example.reason or "")],
        (left, top + question_height, width, why),
        sizes=(16, 14, 12),
        colour=BLUE,
    )
    below = top + question_height + why
    add_text(slide, [golden], (left, below, column, body), sizes=(20, 18, 16, 14, 12))
    add_text(slide, [stated], (left + column + gap, below, column, body), sizes=(20, 18, 16, 14, 12))


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


def _add_list_slide(deck: Deck, footer: str, title: str, points: Sequence[str], note: str) -> None:
    slide = add_slide(deck, title, footer, [note, *points])
    add_text(slide, points, BODY, bullets=True)


def _add_sign_off_slide(deck: Deck, footer: str, content: Content) -> None:
    slide = add_slide(deck, "Sign-off", footer, ["To be filled in by hand or in PowerPoint.", content.question])
    empty_cells(slide, ("", *SIGN_OFF_FIELDS), SIGN_OFF, TOP, Inches(0.8))


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
    same = _find_same_columns(table.rows, table.names)
    title = ", ".join([table.title, *(f"{table.heads[column].lower()} {table.rows[0][column]}" for column in same)])
    shown = [column for column in range(len(table.heads)) if column not in same]
    heads = [one_line(table.heads[column]) for column in shown]
    rows = [[one_line(short.get(row[column], row[column])) for column in shown] for row in table.rows]
    names = table.names - len(same)
    size = 12 if names == 1 else 11
    widths = _share_width(heads, rows, names, size)
    lines = [_count_lines(cells, widths, size) for cells in (heads, *rows)]
    ends = list(_find_ends(lines, size))
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


def _find_same_columns(rows: Sequence[Sequence[str]], names: int) -> list[int]:
    """Columns of words that say the same in all rows; one column stays."""
    same = [column for column in range(names) if len({row[column] for row in rows}) == 1]
    return same[: names - 1] if len(rows) > 1 else []


def _measure_row(lines: int, size: int) -> int:
    return int(lines * size * LINE * POINT) + 2 * CELL_MARGIN


def _measure_room(width: int, size: int) -> float:
    """Extent of a line in a cell of this width."""
    return (width - 2 * CELL_MARGIN) / POINT / size


def _count_lines(cells: Sequence[str], widths: Sequence[int], size: int) -> int:
    needed = (lines_of(text, _measure_room(width, size)) for text, width in zip(cells, widths, strict=True))
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
    heights = [_measure_row(lines, part.size) for lines in part.lines]
    area = (LEFT, top, sum(part.widths), sum(heights))
    table = slide.shapes.add_table(len(heights), len(part.heads), *map(Emu, area)).table
    for column, width in enumerate(part.widths):
        table.columns[column].width = Emu(width)
    for place, (cells, height) in enumerate(zip((part.heads, *part.rows), heights, strict=True)):
        table.rows[place].height = Emu(height)
        for column, text in enumerate(cells):
            cell = table.cell(place, column)
            shown = fit_text(text, _measure_room(part.widths[column], part.size), MOST_LINES)
            _fill_cell(cell, shown, part.size, heading=not place, shaded=not place % 2)
            if column >= part.names:
                cell.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT


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
