"""The decision pack as slides: charts and tables that people can edit, and notes for whoever presents them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import polars as pl
from pptx.enum.text import PP_ALIGN
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.util import Emu, Inches

from qaviz.analysis.comparison import METRIC
from qaviz.analysis.decision import Decision, Risk
from qaviz.analysis.decision.status import word_impact, word_override
from qaviz.analysis.numbers import count, day, plural
from qaviz.exports.decision_pack.content import SIGN_OFF, SIGN_OFF_FIELDS, Content, Example
from qaviz.exports.decision_pack.figures import Figure
from qaviz.exports.decision_pack.pptx_slide import (
    BLUE,
    BODY,
    BODY_HEIGHT,
    CELL_MARGIN,
    FAINT,
    LEFT,
    LINE,
    POINT,
    TEXT_WIDTH,
    TOP,
    Box,
    add_slide,
    add_text,
    draw,
    empty_cells,
    fill_cell,
    new_deck,
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
        title = "Appendix: " + parts[0].title[0].lower() + parts[0].title[1:]
        notes = [*(part.note for part in parts), *content.criteria["sentence"].to_list(), *_list_full_names(content)]
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
    blocks = (
        (
            "Overridden" if content.override else f"Status: {decision.status}",
            word_override(content.override) if content.override else decision.status_reason,
        ),
        ("How sure", decision.confidence_reason),
        ("What it changes and costs", _word_effect(decision)),
        ("Next step", decision.next_step),
    )
    part = height // len(blocks)
    for place, (heading, text) in enumerate(blocks):
        _add_block(slide, heading, text, (left, top + place * part, column, part))
    start, wide = left + column + gap, width - column - gap
    for heading, text, above, share in _quote_risk(decision):
        box = (start, top + height * above // 20, wide, height * share // 20)
        _add_block(slide, heading, text, box)


def _word_effect(decision: Decision) -> str:
    parts = (word_impact(decision.subject, decision.impact), decision.effort)
    return " ".join(filter(None, parts)) or "There is no other pipeline to compare with, and no cost is known."


def _add_block(slide: Slide, heading: str, text: str, box: Box) -> None:
    left, top, width, height = box
    line = Inches(0.3)
    add_text(slide, [heading], (left, top, width, line), sizes=(14, 12), colour=BLUE, bold=True)
    add_text(slide, [text], (left, top + line, width, height - line - Inches(0.08)), sizes=_BOARD)


_BOARD = (20, 18, 16, 14, 13, 12, 11, 10, 9, 8)


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
    """Full names, where slides shorten them."""
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
    gap, line = Inches(0.4), Inches(0.4)
    column = (width - gap) // len(columns)
    for place, (heading, points) in enumerate(columns.items()):
        start = left + place * (column + gap)
        add_text(slide, [heading], (start, top, column, line), sizes=(16, 14, 12), colour=BLUE, bold=True)
        add_text(slide, points, (start, top + line, column, height - line), sizes=_LISTED, bullets=True)


_LISTED = (24, 20, 18, 16, 14, 13, 12, 11, 10)


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
    left_out = len(rows) - ends[:PARTS][-1]
    note = table.note + (f" {count(left_out)} more rows are in the workbook." if left_out else "")
    for place, (start, end) in enumerate(zip([0, *ends], ends[:PARTS], strict=False), start=1):
        numbered = title if len(ends) == 1 else f"{title} ({place} of {min(len(ends), PARTS)})"
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
    # Few rows are drawn higher, so that no slide is half empty.
    rows = sum(part.height - HEADING - NOTE for part in parts)
    stretch = min(2.0, max(1.0, (BODY_HEIGHT * 3 // 5 - (HEADING + NOTE) * (len(parts) - 1)) / rows))
    for place, part in enumerate(parts):
        if place:
            add_text(slide, [part.title], (LEFT, top, TEXT_WIDTH, HEADING), sizes=(16, 14, 12, 10), bold=True)
            top += HEADING
        top += _draw_table(slide, part, top, stretch)
        box = (LEFT, top + Inches(0.06), TEXT_WIDTH, NOTE - Inches(0.12))
        add_text(slide, [part.note], box, sizes=(12, 11, 10, 9), colour=FAINT)
        top += NOTE


def _draw_table(slide: Slide, part: Part, top: int, stretch: float) -> int:
    """Draw a part with rows so many times as high as they need; returns its height."""
    heights = [int(_measure_row(lines, part.size) * stretch) for lines in part.lines]
    area = (LEFT, top, sum(part.widths), sum(heights))
    table = slide.shapes.add_table(len(heights), len(part.heads), *map(Emu, area)).table
    for column, width in enumerate(part.widths):
        table.columns[column].width = Emu(width)
    for place, (cells, height) in enumerate(zip((part.heads, *part.rows), heights, strict=True)):
        table.rows[place].height = Emu(height)
        for column, text in enumerate(cells):
            cell = table.cell(place, column)
            shown = fit_text(text, _measure_room(part.widths[column], part.size), MOST_LINES)
            fill_cell(cell, shown, part.size, heading=not place, shaded=not place % 2)
            if column >= part.names:
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
