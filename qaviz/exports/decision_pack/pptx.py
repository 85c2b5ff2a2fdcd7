"""The decision pack as slides: charts and tables that people can edit, and notes for whoever presents them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import BinaryIO

from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.util import Inches

from qaviz.analysis.decision import Risk
from qaviz.analysis.numbers import count, plural
from qaviz.exports.decision_pack.content import Content, DiagnosisPart, Example
from qaviz.exports.decision_pack.figures import Figure
from qaviz.exports.decision_pack.pptx_charts import Box, draw
from qaviz.exports.decision_pack.pptx_slide import (
    BLUE,
    BODY,
    BODY_HEIGHT,
    FAINT,
    LEFT,
    TEXT_WIDTH,
    TOP,
    add_slide,
    add_table,
    add_text,
    empty_cells,
    new_deck,
    rows_that_fit,
)
from qaviz.exports.decision_pack.tables import Table, comparisons_table, criteria_table, pipelines_table
from qaviz.exports.decision_pack.texts import LONGEST_NAME, excerpt, one_line, short_names
from qaviz.exports.decision_pack.wording import SIGN_OFF, SIGN_OFF_FIELDS
from qaviz.model.columns import PIPELINE

COMPARED = 24
"""Comparisons on slides; more are in the workbook."""
CHART_FRAME, CHART_ROW = Inches(1.2), Inches(0.9)
"""Height of a chart's axis and legend, and the most that a pipeline takes."""
LONGEST_IN_NOTES = 2_000
"""Characters of each text of an example in the notes."""
MOST_TABLE_SLIDES = 3
"""Slides of one table; what is beyond is said to be in the workbook."""


def write(content: Content, stream: BinaryIO) -> None:
    """Write the slides to a stream."""
    deck = new_deck()
    deck.core_properties.title = f"Decision pack: {one_line(content.run.name)}"
    deck.core_properties.author = "qaviz"
    deck.core_properties.created = deck.core_properties.modified = content.made_at.replace(tzinfo=None)
    footer = f"{one_line(content.run.name)} · golden dataset {content.run.golden_id} · {content.run.engine}"
    _decision(deck, footer, content)
    first, *others = content.figures
    figures = {figure.name: figure for figure in others}
    for figure in filter(None, (first, figures.pop("Diagnoses", None))):
        _figure(deck, footer, figure)
    _risk(deck, footer, content)
    next_steps = "The steps that concern most responses of the pipeline that the decision is about."
    _add_list_slide(deck, footer, "What to do next", content.steps or (content.decision.settling,), next_steps)
    _add_list_slide(deck, footer, "The golden dataset", content.golden, "What the run shows about its golden dataset.")
    _sign_off(deck, footer, content)
    _appendix(deck, footer, content, figures.values())
    deck.save(stream)


def _appendix(deck: Deck, footer: str, content: Content, figures: Iterable[Figure]) -> None:
    for figure in figures:
        _figure(deck, footer, figure)
    _table(deck, footer, pipelines_table(content), content)
    if content.criteria.height:
        _table(deck, footer, criteria_table(content), content, content.criteria["sentence"].to_list())
    if content.comparisons.height:
        _table(deck, footer, comparisons_table(content, COMPARED), content)
    for part in content.diagnoses:
        _diagnosis(deck, footer, part, content.run.responses)
    _add_list_slide(deck, footer, "What is not known", content.unknown, "Open points before a decision.")
    measured = [f"{name}: {value}" for name, value in content.measured]
    _add_list_slide(deck, footer, "How it was measured", measured, "Everything needed to measure it again.")


def _risk(deck: Deck, footer: str, content: Content) -> None:
    """The biggest risk with its example in full width; no slide where every response is right."""
    risk = content.decision.risk
    if risk is None:
        return
    slide = add_slide(deck, "The biggest risk", footer, [risk.sentence, *_example_in_full(risk)])
    left, top, width, height = BODY
    lead = Inches(1.2)
    add_text(slide, [risk.sentence], (left, top, width, lead), sizes=(28, 24, 20, 16), colour=BLUE, bold=True)
    _example(slide, risk, (left, top + lead, width, height - lead))


def _decision(deck: Deck, footer: str, content: Content) -> None:
    notes = [content.question, content.lead, *content.points, "Not known:", *content.unknown, *_names(content)]
    slide = add_slide(deck, content.question, footer, notes)
    left, top, width, height = BODY
    lead = Inches(1.5)
    add_text(slide, [content.lead], (left, top, width, lead), sizes=(32, 28, 24, 20, 16), colour=BLUE, bold=True)
    add_text(slide, content.points, (left, top + lead, width, height - lead), bullets=True)


def _names(content: Content) -> Iterator[str]:
    """Full names, where slides shorten them."""
    cut = {name: short for name, short in short_names(content.summary[PIPELINE].to_list()).items() if name != short}
    if cut:
        yield "Pipelines in full: " + "; ".join(f"{short} is {excerpt(name, 500)}" for name, short in cut.items())


def _figure(deck: Deck, footer: str, figure: Figure) -> None:
    beyond = f" The first {count(len(figure.pipelines))} pipelines; the workbook has {count(figure.left_out)} more."
    reading = figure.reading + (beyond if figure.left_out else "")
    slide = add_slide(deck, figure.title, footer, [reading])
    left, top, width, height = BODY
    words = Inches(0.75)
    high = min(height - words, CHART_FRAME + len(figure.pipelines) * CHART_ROW)
    draw(slide, figure, (left, top, width, high))
    add_text(slide, [reading], (left, top + high, width, words), sizes=(14, 12, 10), colour=FAINT)


def _table(deck: Deck, footer: str, table: Table, content: Content, said: Sequence[str] = ()) -> None:
    """Slides with a table: what is the same in all its rows stands in the title, and names are short.

    What is `said` stands in the notes, where the table has more in it than a slide shows.
    """
    words = Inches(1.0)
    same = _same(table.rows, table.names)
    title = ", ".join([table.title, *(f"{table.heads[column].lower()} {table.rows[0][column]}" for column in same)])
    size, longest = (12, LONGEST_NAME) if table.names - len(same) == 1 else (11, LONGEST_NAME - 6)
    names = short_names(content.summary[PIPELINE].to_list(), longest)
    shown = [column for column in range(len(table.heads)) if column not in same]
    heads = [table.heads[column] for column in shown]
    rows = [[names.get(row[column], row[column]) for column in shown] for row in table.rows]
    a_slide = rows_that_fit(BODY_HEIGHT - words, size)
    parts = [rows[start : start + a_slide] for start in range(0, len(rows), a_slide)][:MOST_TABLE_SLIDES]
    left_out = len(rows) - sum(map(len, parts))
    note = table.note + (f" {count(left_out)} more rows are in the workbook." if left_out else "")
    for number, part in enumerate(parts, start=1):
        numbered = title if len(parts) == 1 else f"{title} ({number} of {len(parts)})"
        slide = add_slide(deck, numbered, footer, [note, *said, *_names(content)])
        add_table(slide, heads, part, TOP, names=table.names - len(same), size=size)
        add_text(slide, [note], (LEFT, TOP + BODY_HEIGHT - words, TEXT_WIDTH, words), sizes=(12, 11, 10), colour=FAINT)


def _same(rows: Sequence[Sequence[str]], names: int) -> list[int]:
    """Columns of words that say the same in all rows; one column stays."""
    same = [column for column in range(names) if len({row[column] for row in rows}) == 1]
    return same[: names - 1] if len(rows) > 1 else []


def _diagnosis(deck: Deck, footer: str, part: DiagnosisPart, responses: int) -> None:
    title = f"{part.diagnosis.value.capitalize()}: {count(part.responses)} of {plural(responses, 'response')}"
    notes = chain([part.definition], *(_example_in_full(example) for example in part.examples))
    slide = add_slide(deck, title, footer, notes)
    left, top, width, height = BODY
    words = Inches(0.6)
    add_text(slide, [part.definition], (left, top, width, words), sizes=(14, 12, 11, 10), colour=FAINT)
    each = (height - words) // 3
    for place, example in enumerate(part.examples):
        at = top + words + place * each
        _example(slide, example, (left, at, width, each - Inches(0.12)))


def _example(slide: Slide, example: Example | Risk, box: Box) -> None:
    """A question, the golden text beside the response, and under them why."""
    left, top, width, height = box
    line, gap = Inches(0.32), Inches(0.3)
    column, body = (width - gap) // 2, height - 2 * line
    golden = f"Golden: {one_line(example.fact or example.answer or 'nothing given')}"
    stated = f"{excerpt(one_line(example.pipeline), 40)}: {one_line(example.response or 'no response')}"
    add_text(
        slide, [one_line(example.question or example.question_id)], (left, top, width, line), sizes=(14,), bold=True
    )
    add_text(slide, [golden], (left, top + line, column, body), sizes=(14, 12))
    add_text(slide, [stated], (left + column + gap, top + line, column, body), sizes=(14, 12))
    add_text(
        slide, [one_line(example.reason or "")], (left, top + line + body, width, line), sizes=(14, 12), colour=BLUE
    )


def _example_in_full(example: Example | Risk) -> Iterator[str]:
    texts = {
        "Question": example.question,
        "Golden answer": example.answer,
        "Fact": example.fact,
        f"{example.pipeline} says": example.response,
        "Why": example.reason,
    }
    yield f"Example {example.question_id}"
    yield from (f"{name}: {excerpt(text, LONGEST_IN_NOTES)}" for name, text in texts.items() if text)


def _add_list_slide(deck: Deck, footer: str, title: str, points: Sequence[str], note: str) -> None:
    slide = add_slide(deck, title, footer, [note, *points])
    add_text(slide, points, BODY, bullets=True)


def _sign_off(deck: Deck, footer: str, content: Content) -> None:
    slide = add_slide(deck, "Sign-off", footer, ["To be filled in by hand or in PowerPoint.", content.question])
    empty_cells(slide, ("", *SIGN_OFF_FIELDS), SIGN_OFF, TOP, Inches(0.8))
