"""The decision pack as slides: charts and tables that people can edit, and notes for whoever presents them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO

import polars as pl
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.util import Inches

from qaviz.analysis.comparison import METRIC
from qaviz.analysis.decision import Risk
from qaviz.analysis.numbers import count, day, plural
from qaviz.exports.decision_pack.content import Content, Example
from qaviz.exports.decision_pack.figures import Figure
from qaviz.exports.decision_pack.pptx_charts import Box, draw
from qaviz.exports.decision_pack.pptx_slide import BLUE, BODY, FAINT, TOP, add_slide, add_text, new_deck
from qaviz.exports.decision_pack.pptx_tables import draw_parts, empty_cells, laid_out
from qaviz.exports.decision_pack.tables import comparisons_table, criteria_table, pipelines_table
from qaviz.exports.decision_pack.texts import excerpt, one_line, short_names, variants_in_words
from qaviz.exports.decision_pack.wording import SIGN_OFF, SIGN_OFF_FIELDS
from qaviz.model.columns import PIPELINE, VERDICT

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


def write(content: Content, stream: BinaryIO) -> None:
    """Write the slides to a stream: ten at most for three pipelines. What they leave out is in the notes, or in the
    pack's other formats."""
    deck = new_deck()
    deck.core_properties.title = f"Decision pack: {one_line(content.run.name)}"
    deck.core_properties.author = "qaviz"
    deck.core_properties.created = deck.core_properties.modified = content.made_at.replace(tzinfo=None)
    run = content.run
    footer = f"{day(content.made_at)} · {one_line(run.name)} · golden dataset {run.golden_id} · {run.engine}"
    _decision(deck, footer, content)
    for figure in content.figures:
        if figure.name in DRAWN:
            _figure(deck, footer, figure, _definitions(content) if figure.name == DRAWN[1] else ())
    _risk(deck, footer, content)
    next_steps = "The steps that concern most responses of the pipeline that the decision is about."
    _add_list_slide(deck, footer, "What to do next", content.steps or (content.decision.settling,), next_steps)
    _add_list_slide(deck, footer, "The golden dataset", content.golden, "What the run shows about its golden dataset.")
    _sign_off(deck, footer, content)
    _appendix(deck, footer, content)
    deck.save(stream)


def _appendix(deck: Deck, footer: str, content: Content) -> None:
    right = replace(content, comparisons=content.comparisons.filter(pl.col(METRIC) == VERDICT))
    candidates = (pipelines_table(content), comparisons_table(right, COMPARED), criteria_table(content))
    names = short_names(content.summary[PIPELINE].to_list(), LONGEST_WRAPPED)
    for parts in laid_out((table for table in candidates if table.rows), names):
        title = "Appendix: " + parts[0].title[0].lower() + parts[0].title[1:]
        notes = [*(part.note for part in parts), *content.criteria["sentence"].to_list(), *_names(content)]
        draw_parts(add_slide(deck, title, footer, notes), parts)
    _known(deck, footer, content)


def _known(deck: Deck, footer: str, content: Content) -> None:
    """What is not known beside how it was measured."""
    measured = [f"{name}: {value}" for name, value in content.measured]
    notes = ["Not known:", *content.unknown, "Everything needed to measure it again:", *measured]
    slide = add_slide(deck, "Appendix: what is not known, and how it was measured", footer, notes)
    left, top, width, height = BODY
    column = (width - Inches(0.4)) // 2
    add_text(slide, content.unknown, (left, top, column, height), sizes=_SMALL, bullets=True)
    add_text(slide, measured, (left + width - column, top, column, height), sizes=_SMALL, bullets=True)


_SMALL = (14, 13, 12, 11, 10)


def _definitions(content: Content) -> Iterator[str]:
    """Each diagnosis that occurs: how often, when a response is diagnosed so, and examples in full."""
    for part in content.diagnoses:
        responses = f"{count(part.responses)} of {plural(content.run.responses, 'response')}"
        yield f"{part.diagnosis.value.capitalize()}: {responses}. {part.definition}"
        for example in part.examples[:1]:
            yield from _example_in_full(example)


def _risk(deck: Deck, footer: str, content: Content) -> None:
    """The biggest risk with its example in full width; no slide where every response is right."""
    risk = content.decision.risk
    if risk is None:
        return
    slide = add_slide(deck, "The biggest risk", footer, [risk.sentence, *_example_in_full(risk)])
    left, top, width, height = BODY
    lead = Inches(0.9)
    add_text(slide, [risk.sentence], (left, top, width, lead), sizes=(28, 24, 20, 16), colour=BLUE, bold=True)
    _example(slide, risk, (left, top + lead, width, height - lead))


def _decision(deck: Deck, footer: str, content: Content) -> None:
    notes = [content.question, content.lead, *content.points, "Not known:", *content.unknown, *_names(content)]
    slide = add_slide(deck, content.question, footer, notes)
    left, top, width, height = BODY
    lead, gap = Inches(1.5), Inches(0.3)
    add_text(slide, [content.lead], (left, top, width, lead), sizes=(32, 28, 24, 20, 16), colour=BLUE, bold=True)
    add_text(slide, content.points, (left, top + lead + gap, width, height - lead - gap), bullets=True)


def _names(content: Content) -> Iterator[str]:
    """Full names, where slides shorten them."""
    cut = {name: short for name, short in short_names(content.summary[PIPELINE].to_list()).items() if name != short}
    if cut:
        yield "Pipelines in full: " + "; ".join(f"{short} is {excerpt(name, 500)}" for name, short in cut.items())


def _figure(deck: Deck, footer: str, figure: Figure, notes: Iterable[str]) -> None:
    beyond = f" The first {count(len(figure.pipelines))} pipelines; the workbook has {count(figure.left_out)} more."
    reading = figure.reading + (beyond if figure.left_out else "")
    slide = add_slide(deck, figure.title, footer, [reading, *notes])
    left, top, width, height = BODY
    words = Inches(0.75)
    high = min(height - words, CHART_FRAME + len(figure.pipelines) * CHART_ROW)
    draw(slide, figure, (left, top, width, high))
    add_text(slide, [reading], (left, top + high, width, words), sizes=(14, 12, 10), colour=FAINT)


def _example(slide: Slide, example: Example | Risk, box: Box) -> None:
    """A question, why its response is no right answer, and the golden text beside the response."""
    left, top, width, height = box
    line, gap = Inches(0.32), Inches(0.3)
    asked, why = 3 * line, 2 * line
    column, body = (width - gap) // 2, height - asked - why
    golden = f"Golden: {one_line(variants_in_words(example.fact or example.answer) or 'nothing given')}"
    stated = f"{excerpt(one_line(example.pipeline), 40)}: {one_line(example.response or 'no response')}"
    add_text(
        slide,
        [one_line(example.question or example.question_id)],
        (left, top, width, asked),
        sizes=(18, 16, 14, 12),
        bold=True,
    )
    add_text(slide, [one_line(example.reason or "")], (left, top + asked, width, why), sizes=(16, 14, 12), colour=BLUE)
    below = top + asked + why
    add_text(slide, [golden], (left, below, column, body), sizes=(20, 18, 16, 14, 12))
    add_text(slide, [stated], (left + column + gap, below, column, body), sizes=(20, 18, 16, 14, 12))


def _example_in_full(example: Example | Risk) -> Iterator[str]:
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


def _sign_off(deck: Deck, footer: str, content: Content) -> None:
    slide = add_slide(deck, "Sign-off", footer, ["To be filled in by hand or in PowerPoint.", content.question])
    empty_cells(slide, ("", *SIGN_OFF_FIELDS), SIGN_OFF, TOP, Inches(0.8))
