"""The decision pack as a workbook: every row in full, charts of its own, and not one formula.

Texts are cells of text whatever they begin with. A text longer than a cell goes on in the column beside it.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import BinaryIO

import polars as pl
from xlsxwriter import Workbook

from qaviz.analysis import comparison
from qaviz.analysis.comparison_words import metric_label
from qaviz.analysis.tables import ALL_ZERO, score_column
from qaviz.exports.decision_pack.content import Content
from qaviz.exports.decision_pack.texts import excerpt
from qaviz.exports.decision_pack.wording import HOW_TO_COMPARE, HOW_TO_READ_CRITERIA, SIGN_OFF, SIGN_OFF_FIELDS
from qaviz.exports.decision_pack.xlsx_charts import OPTIONS, draw_figures
from qaviz.exports.decision_pack.xlsx_rows import LONGEST_CELL, height_of
from qaviz.exports.decision_pack.xlsx_sheets import Styles, add_table, styles_of
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import (
    ANSWER,
    CATEGORY,
    CONFIDENCE,
    CONTEXTS,
    COST,
    DIAGNOSIS,
    FACT,
    FACT_VARIANT,
    FAULT,
    LATENCY_MS,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REASON,
    RESPONSE,
    SOURCE,
    TAGS,
    UNSCORED_ANSWER,
    UNSCORED_FACT,
    VERDICT,
    WARNINGS,
)
from qaviz.model.metrics import METRICS
from qaviz.model.visible import visible

_OF_RESPONSES = (
    *(QUESTION_ID, CATEGORY, TAGS, PIPELINE, QUESTION, ANSWER, FACT, RESPONSE),
    *(DIAGNOSIS, VERDICT, REASON, FAULT, CONFIDENCE),
    *(*METRICS, FACT_VARIANT, WARNINGS, UNSCORED_FACT, UNSCORED_ANSWER, LATENCY_MS, COST, CONTEXTS, SOURCE),
)
"""The columns of the sheet of responses, those that the run has."""

NOTES = "Notes"

_TEXT_WIDTH = 110
"""Of the sheet that is read first, in characters."""


def write(content: Content, stream: BinaryIO) -> None:
    """Write the workbook to a stream, by way of temporary files: its sheets are many times as large as the workbook."""
    with Workbook(stream, OPTIONS) as workbook:
        workbook.set_properties(
            {"title": f"Decision pack: {visible(content.run.name)}", "created": content.made_at, "author": "qaviz"}
        )
        styles = styles_of(workbook)
        _decision(workbook, styles, content)
        draw_figures(workbook, content.figures)
        told = _tables(workbook, styles, content)
        notes = pl.DataFrame(list(_notes(content, told)), schema=["about", "text"], orient="row")
        add_table(workbook, styles, NOTES, notes, wrapped=True)


def _decision(workbook: Workbook, styles: Styles, content: Content) -> None:
    """The sheet that is read first: the question, what answers it, what is not known, and who decides."""
    sheet = workbook.add_worksheet("Decision")
    sheet.hide_gridlines(2)
    sheet.set_column(0, 0, _TEXT_WIDTH)
    sheet.set_column(1, len(SIGN_OFF_FIELDS), 24)
    large = workbook.add_format({"bold": True, "font_size": 16, "text_wrap": True, "valign": "top"})
    bold = workbook.add_format({"bold": True, "font_size": 12, "font_color": "#00607F"})
    lines = [
        (content.question, bold),
        (content.lead, large),
        *((point, styles.wrapped) for point in content.points),
        *_title_rows("What is not known", content.unknown, bold, styles),
        *_title_rows("The golden dataset", content.golden, bold, styles),
    ]
    for row, (text, style) in enumerate(lines):
        scale = 1.5 if style is large else 1.0
        sheet.set_row(row, scale * height_of([text], [_TEXT_WIDTH / scale]))
        sheet.write_string(row, 0, excerpt(visible(text), LONGEST_CELL // 2), style)
    box = workbook.add_format({"border": 1, "border_color": "#98A4AD"})
    at = len(lines) + 1
    for column, head in enumerate(("Sign-off", *SIGN_OFF_FIELDS)):
        sheet.write_string(at, column, head, styles.heading)
    for row, line in enumerate(SIGN_OFF, start=at + 1):
        sheet.write_string(row, 0, line, box)
        for column in range(1, 1 + len(SIGN_OFF_FIELDS)):
            sheet.write_blank(row, column, None, box)
    sheet.fit_to_pages(1, 0)


def _title_rows(title: str, sentences: tuple[str, ...], bold: object, styles: Styles) -> list[tuple[str, object]]:
    return [("", styles.wrapped), (title, bold), *((sentence, styles.wrapped) for sentence in sentences)]


def _tables(workbook: Workbook, styles: Styles, content: Content) -> list[str]:
    """The sheets with one table each. Returns what a reader has to be told of them."""
    rows, pipelines = content.rows, content.summary[PIPELINE].to_list()
    counts = content.summary.select(PIPELINE, *(each.value for each in Diagnosis))
    marks = {score_column(name): name for name in pipelines}
    compared = content.comparisons.with_columns(
        pl.col(comparison.METRIC).replace_strict({name: metric_label(name) for name in comparison.COMPARED})
    )
    told = add_table(workbook, styles, "Pipelines", content.summary.drop(each.value for each in Diagnosis))
    if content.criteria.height:
        told += add_table(workbook, styles, "Criteria", content.criteria)
    told += add_table(workbook, styles, "Comparisons", compared)
    told += add_table(workbook, styles, "Diagnoses", counts)
    told += add_table(workbook, styles, "Examples", _examples(content), wrapped=True)
    told += add_table(workbook, styles, "Questions", content.matrix.drop(ALL_ZERO), marks=marks)
    return told + add_table(workbook, styles, "Responses", rows.select(c for c in _OF_RESPONSES if c in rows.columns))


def _examples(content: Content) -> pl.DataFrame:
    columns = (DIAGNOSIS, VERDICT, QUESTION_ID, PIPELINE, QUESTION, ANSWER, FACT, RESPONSE, REASON)
    rows = [
        {DIAGNOSIS: part.diagnosis.value, VERDICT: part.verdict.value, **asdict(example)}
        for part in content.diagnoses
        for example in part.examples
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String))


def _notes(content: Content, told: list[str]) -> Iterator[tuple[str, str]]:
    """How it was measured, and how to read it: what about, and a text."""
    yield from content.measured
    if content.criteria.height:
        yield "Criteria", HOW_TO_READ_CRITERIA
    yield "Comparisons", HOW_TO_COMPARE
    yield from ((figure.title, figure.reading) for figure in content.figures)
    yield from ((f"{metric.label} ({metric.name})", metric.help) for metric in METRICS.values())
    for part in content.diagnoses:
        yield f"{part.diagnosis.value} ({part.verdict.value})", part.definition
    yield from (("Not known", sentence) for sentence in content.unknown)
    yield from (("Sheets", sentence) for sentence in told)
    yield "Empty cells", "Not scored or not given; never zero."
