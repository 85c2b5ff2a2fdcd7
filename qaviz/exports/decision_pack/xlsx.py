"""The decision pack as a workbook: every row in full, charts of its own, and not one formula.

Texts are cells of text whatever they begin with. A text longer than a cell goes on in the column beside it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import BinaryIO

import polars as pl
from polars import selectors
from xlsxwriter import Workbook
from xlsxwriter.format import Format

from qaviz.analysis import comparison
from qaviz.analysis.comparison_words import metric_label
from qaviz.analysis.numbers import count
from qaviz.analysis.policy import Outcome
from qaviz.analysis.tables import ALL_ZERO, HITS, SCORED, score_column
from qaviz.exports.decision_pack.content import (
    HOW_TO_COMPARE,
    HOW_TO_READ_CRITERIA,
    HOW_TO_READ_NORMALISED,
    SIGN_OFF,
    SIGN_OFF_FIELDS,
    Content,
)
from qaviz.exports.decision_pack.tables import NORMALISED_FIGURES, normalised_heading
from qaviz.exports.decision_pack.xlsx_parts import (
    LONGEST_CELL,
    MOST_ROWS,
    OPTIONS,
    Column,
    TableSheet,
    continue_long_texts,
    draw_figures,
    height_of,
)
from qaviz.model.classes import Diagnosis, Verdict
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
from qaviz.model.visible import excerpt, one_line, visible
from qaviz.stats import Decision

_OF_RESPONSES = (
    *(QUESTION_ID, CATEGORY, TAGS, PIPELINE, QUESTION, ANSWER, FACT, RESPONSE),
    *(DIAGNOSIS, VERDICT, REASON, FAULT, CONFIDENCE),
    *(*METRICS, FACT_VARIANT, WARNINGS, UNSCORED_FACT, UNSCORED_ANSWER, LATENCY_MS, COST, CONTEXTS, SOURCE),
)
"""The columns of the sheet of responses, those that the run has."""

NOTES = "Notes"

_TEXT_WIDTH = 110
"""Of the sheet that is read first, in characters."""

_HEADINGS = {name: metric.label for name, metric in METRICS.items()} | {
    FAULT: "Fault",
    FACT_VARIANT: "Stated as",
    UNSCORED_FACT: "Why the fact is not scored",
    UNSCORED_ANSWER: "Why the answer is not scored",
    LATENCY_MS: "Latency, ms",
    "scope": "Of",
    "bound": "Wanted",
    "n_first": "Scored, first",
    "n_second": "Scored, second",
    "paired": "Scored, both",
    "mean_first": "Mean, first",
    "mean_second": "Mean, second",
    "low": "Interval from",
    "high": "Interval to",
    "wins": "First is better",
    "losses": "Second is better",
    "p": "p",
    "p_holm": "p (Holm)",
    "detectable": "Smallest difference that would be found",
    "needed": "More questions needed",
    "fact_hits": "Facts stated",
    "fact_scored": "Facts scored",
    "facts_stated": "Share of facts stated",
    "closeness_n": "Closeness, scored",
    "conciseness_n": "Conciseness, scored",
    "f1": METRICS["f1_score"].label,
    **{name: normalised_heading(name) for name in NORMALISED_FIGURES},
    HITS: "Stated by",
    SCORED: "Scored for",
}
"""What people read above a column, where it is not the column's name with a capital."""

_WIDTHS = {
    **dict.fromkeys((QUESTION, ANSWER, RESPONSE, REASON, "sentence", "explanations", "text"), 60.0),
    **dict.fromkeys((FACT, WARNINGS, CONTEXTS, PIPELINE, "first", "second", "about"), 30.0),
    **dict.fromkeys(("decision", "outcome", "metric", "measure", "scope", DIAGNOSIS, QUESTION_ID), 20.0),
}
"""Of columns, in characters."""
_NARROW = 13.0
"""Of the others."""


def write(content: Content, stream: BinaryIO) -> None:
    """Write the workbook to a stream, by way of temporary files: its sheets are many times as large as the workbook."""
    with Workbook(stream, OPTIONS) as workbook:
        workbook.set_properties(
            {"title": f"Decision pack: {visible(content.run.name)}", "created": content.made_at, "author": "qaviz"}
        )
        styles = styles_of(workbook)
        _add_decision_sheet(workbook, styles, content)
        draw_figures(workbook, content.figures)
        remarks = _add_tables(workbook, styles, content)
        notes = pl.DataFrame(list(_list_notes(content, remarks)), schema=["about", "text"], orient="row")
        add_table(workbook, styles, NOTES, notes, wrapped=True)


@dataclass(frozen=True, kw_only=True)
class Styles:
    """The styles of a workbook."""

    heading: Format
    text: Format
    wrapped: Format
    score: Format
    probability: Format
    percent: Format
    number: Format
    mark: Format
    """1 as ✓, 0 as ✗: the cell still holds the number."""


def _add_decision_sheet(workbook: Workbook, styles: Styles, content: Content) -> None:
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


def _add_tables(workbook: Workbook, styles: Styles, content: Content) -> list[str]:
    """Add the sheets with one table each. Returns the notes that readers need on them."""
    rows, pipelines = content.rows, content.summary[PIPELINE].to_list()
    counts = content.summary.select(PIPELINE, *(diagnosis.value for diagnosis in Diagnosis))
    marks = {score_column(name): name for name in pipelines}
    compared = content.comparisons.with_columns(
        pl.col(comparison.METRIC).replace_strict({name: metric_label(name) for name in comparison.COMPARED})
    )
    remarks = add_table(workbook, styles, "Pipelines", content.summary.drop(diagnosis.value for diagnosis in Diagnosis))
    if content.criteria.height:
        remarks += add_table(workbook, styles, "Criteria", content.criteria)
    remarks += add_table(workbook, styles, "Comparisons", compared)
    remarks += add_table(workbook, styles, "Diagnoses", counts)
    if content.normalised.height:
        remarks += add_table(workbook, styles, "Normalised", content.normalised)
    remarks += add_table(workbook, styles, "Examples", _list_examples(content), wrapped=True)
    remarks += add_table(workbook, styles, "Questions", content.matrix.drop(ALL_ZERO), marks=marks)
    return remarks + add_table(
        workbook, styles, "Responses", rows.select(c for c in _OF_RESPONSES if c in rows.columns)
    )


def _list_examples(content: Content) -> pl.DataFrame:
    columns = (DIAGNOSIS, VERDICT, QUESTION_ID, PIPELINE, QUESTION, ANSWER, FACT, RESPONSE, REASON)
    rows = [
        {DIAGNOSIS: part.diagnosis.value, VERDICT: part.verdict.value, **asdict(example)}
        for part in content.diagnoses
        for example in part.examples
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String))


def _list_notes(content: Content, remarks: list[str]) -> Iterator[tuple[str, str]]:
    """How it was measured, and how to read it: what about, and a text."""
    yield from content.measured
    if content.criteria.height:
        yield "Criteria", HOW_TO_READ_CRITERIA
    yield "Comparisons", HOW_TO_COMPARE
    if content.normalised.height:
        yield "Normalised", HOW_TO_READ_NORMALISED
    yield from ((figure.title, figure.reading) for figure in content.figures)
    yield from ((f"{metric.label} ({metric.name})", metric.help) for metric in METRICS.values())
    for part in content.diagnoses:
        yield f"{part.diagnosis.value} ({part.verdict.value})", part.definition
    yield from (("Not known", sentence) for sentence in content.unknown)
    yield from (("Sheets", sentence) for sentence in remarks)
    yield "Empty cells", "Not scored or not given; never zero."


_PERCENTS = ("facts_stated", "bound")
_PROBABILITIES = ("p", "p_holm")

_GOOD, _BAD, _NEITHER = "#D3EEE3", "#FBDCC8", "#E3E7EB"
TINTS: Mapping[str, Mapping[StrEnum, str]] = {
    VERDICT: {Verdict.CORRECT: _GOOD, Verdict.INCORRECT: _BAD, Verdict.DECLINED: _NEITHER, Verdict.UNSURE: _NEITHER},
    "decision": {
        Decision.BETTER: _GOOD,
        Decision.WORSE: _BAD,
        Decision.NO_CLEAR_DIFFERENCE: _NEITHER,
        Decision.TOO_FEW_QUESTIONS: _NEITHER,
    },
    "outcome": {Outcome.MET: _GOOD, Outcome.NOT_MET: _BAD, Outcome.NOT_SHOWN: _NEITHER},
}
"""Columns whose words have a colour."""
_SCALE = {
    "type": "2_color_scale",
    "min_type": "num",
    "min_value": 0,
    "min_color": "#FFFFFF",
    "max_type": "num",
    "max_value": 1,
    "max_color": "#9CC9EA",
}


def styles_of(workbook: Workbook) -> Styles:
    """Add the styles to a workbook. Texts keep their type when edited: a cell that begins with `=` stays a text."""
    text = {"quote_prefix": True, "valign": "top"}
    white_on_blue = {"bold": True, "bg_color": "#00607F", "font_color": "#FFFFFF"}
    return Styles(
        heading=workbook.add_format(text | white_on_blue | {"text_wrap": True}),
        text=workbook.add_format(text),
        wrapped=workbook.add_format(text | {"text_wrap": True}),
        score=workbook.add_format({"num_format": "0.00", "valign": "top"}),
        probability=workbook.add_format({"num_format": "0.0000", "valign": "top"}),
        percent=workbook.add_format({"num_format": "0%", "valign": "top"}),
        number=workbook.add_format({"num_format": "#,##0", "valign": "top"}),
        mark=workbook.add_format({"num_format": '[=1]"✓";[=0]"✗";0.00', "align": "center", "valign": "top"}),
    )


def add_table(
    workbook: Workbook,
    styles: Styles,
    name: str,
    frame: pl.DataFrame,
    *,
    marks: dict[str, str] | None = None,
    wrapped: bool = False,
) -> list[str]:
    """Add the table as a sheet, or as several where one does not hold it. Returns the notes that readers need on it.

    `marks` are columns of 0 and 1 that are shown as marks, and their headings; `wrapped` gives texts all their lines.
    """
    whole, added = continue_long_texts(_clean_cells(frame))
    columns = [_style_column(whole, column, added, styles, marks or {}, wrapped) for column in whole.columns]
    parts = list(whole.iter_slices(MOST_ROWS)) or [whole]
    for number, part in enumerate(parts, start=1):
        sheet = workbook.add_worksheet(name if number == 1 else f"{name} {number}", worksheet_class=TableSheet)
        sheet.hold(part, columns, styles.heading, _measure_rows(part, columns) if wrapped else None)
        _colour_cells(workbook, sheet, part, marks or {})
    return list(_note_continuations(name, added, len(parts), columns, whole.columns))


def _measure_rows(part: pl.DataFrame, columns: list[Column]) -> pl.Series:
    texts, widths = part.select(selectors.string()), [column.width for column in columns]
    placed = [widths[part.columns.index(name)] for name in texts.columns]
    return pl.Series([height_of(row, placed) for row in texts.iter_rows()], dtype=pl.Float64)


def _note_continuations(
    name: str, added: dict[str, str], parts: int, columns: list[Column], names: list[str]
) -> Iterator[str]:
    headings = {name: column.heading for name, column in zip(names, columns, strict=True)}
    for continuation, column in added.items():
        yield (
            f"{name}: “{headings[column]}” has texts longer than the {count(LONGEST_CELL)} characters that a cell "
            f"holds; they go on in “{headings[continuation]}”."
        )
    if parts > 1:
        yield f"{name}: a sheet holds {count(MOST_ROWS)} rows; the rest goes on in the {count(parts - 1)} after it."


def _clean_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with lists as texts, and no number that a cell cannot hold."""
    listed = frame.with_columns(selectors.list().cast(pl.List(pl.String)).list.join("\n", ignore_nulls=True))
    number = selectors.float()
    return listed.with_columns(pl.when(number.is_finite()).then(number).name.keep())


def _style_column(
    whole: pl.DataFrame, name: str, added: dict[str, str], styles: Styles, marks: dict[str, str], wrapped: bool
) -> Column:
    own = added.get(name, name)
    heading = marks.get(own) or _HEADINGS.get(own) or f"{own[:1].upper()}{own[1:].replace('_', ' ')}"
    text = styles.wrapped if wrapped else styles.text
    return Column(
        heading=excerpt(one_line(heading), LONGEST_CELL // 2) + name.removeprefix(own),
        width=_WIDTHS.get(own, _NARROW),
        style=styles.mark
        if own in marks
        else text
        if whole[name].dtype == pl.String
        else _choose_number_format(own, whole, styles),
    )


def _choose_number_format(name: str, whole: pl.DataFrame, styles: Styles) -> Format:
    if name in _PERCENTS:
        return styles.percent
    if name in _PROBABILITIES:
        return styles.probability
    return styles.score if whole[name].dtype.is_float() else styles.number


def _colour_cells(workbook: Workbook, sheet: TableSheet, part: pl.DataFrame, marks: dict[str, str]) -> None:
    for place, name in enumerate(part.columns):
        cells = (1, place, max(part.height, 1), place)
        if name in TINTS:
            for word, colour in TINTS[name].items():
                tint = workbook.add_format({"bg_color": colour})
                rule = {"type": "cell", "criteria": "==", "value": f'"{word.value}"', "format": tint}
                sheet.conditional_format(*cells, rule)
        elif name in marks:
            # An empty cell counts as 0, and must not be coloured as one.
            sheet.conditional_format(*cells, {"type": "blanks", "stop_if_true": True})
            for value, colour in ((1, _GOOD), (0, _BAD)):
                tint = workbook.add_format({"bg_color": colour})
                sheet.conditional_format(*cells, {"type": "cell", "criteria": "==", "value": value, "format": tint})
        elif name in METRICS or name in ("facts_stated", "closeness", "conciseness", "f1"):
            sheet.conditional_format(*cells, _SCALE)
