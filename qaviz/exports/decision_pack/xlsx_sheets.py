"""Tables as sheets of a workbook: headings that people read, styles by what a column holds, colours to scan by."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import polars as pl
from polars import selectors
from xlsxwriter import Workbook
from xlsxwriter.format import Format

from qaviz.analysis.criteria import Outcome
from qaviz.analysis.numbers import count
from qaviz.analysis.tables import HITS, SCORED
from qaviz.exports.decision_pack.texts import excerpt, one_line
from qaviz.exports.decision_pack.xlsx_rows import (
    LONGEST_CELL,
    MOST_ROWS,
    Column,
    TableSheet,
    continue_long_texts,
    height_of,
)
from qaviz.model.classes import Verdict
from qaviz.model.columns import (
    ANSWER,
    CONTEXTS,
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
    UNSCORED_ANSWER,
    UNSCORED_FACT,
    VERDICT,
    WARNINGS,
)
from qaviz.model.metrics import METRICS
from qaviz.stats import Decision

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
    HITS: "Stated by",
    SCORED: "Scored for",
}
"""What people read above a column, where it is not the column's name with a capital."""

_WIDTHS = dict.fromkeys((QUESTION, ANSWER, RESPONSE, REASON, "sentence", "explanations", "text"), 60.0)
_WIDTHS |= dict.fromkeys((FACT, WARNINGS, CONTEXTS, PIPELINE, "first", "second", "about"), 30.0)
_WIDTHS |= dict.fromkeys(("decision", "outcome", "metric", "measure", "scope", DIAGNOSIS, QUESTION_ID), 20.0)
_NARROW = 13.0

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
    """Add the table as a sheet, or as several where one does not hold it. Returns what a reader has to be told of it.

    `marks` are columns of 0 and 1 that are shown as marks, and their headings; `wrapped` gives texts all their lines.
    """
    whole, added = continue_long_texts(_cells(frame))
    columns = [_column(whole, column, added, styles, marks or {}, wrapped) for column in whole.columns]
    parts = list(whole.iter_slices(MOST_ROWS)) or [whole]
    for number, part in enumerate(parts, start=1):
        sheet = workbook.add_worksheet(name if number == 1 else f"{name} {number}", worksheet_class=TableSheet)
        sheet.hold(part, columns, styles.heading, _heights(part, columns) if wrapped else None)
        _colour(workbook, sheet, part, marks or {})
    return list(_told(name, added, len(parts), columns, whole.columns))


def _heights(part: pl.DataFrame, columns: list[Column]) -> pl.Series:
    texts, widths = part.select(selectors.string()), [column.width for column in columns]
    placed = [widths[part.columns.index(name)] for name in texts.columns]
    return pl.Series([height_of(row, placed) for row in texts.iter_rows()], dtype=pl.Float64)


def _told(name: str, added: dict[str, str], parts: int, columns: list[Column], names: list[str]) -> Iterator[str]:
    headings = {name: column.heading for name, column in zip(names, columns, strict=True)}
    for continuation, column in added.items():
        yield (
            f"{name}: “{headings[column]}” has texts longer than the {count(LONGEST_CELL)} characters that a cell "
            f"holds; they go on in “{headings[continuation]}”."
        )
    if parts > 1:
        yield f"{name}: a sheet holds {count(MOST_ROWS)} rows; the rest goes on in the {count(parts - 1)} after it."


def _cells(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with lists as texts, and no number that a cell cannot hold."""
    listed = frame.with_columns(selectors.list().cast(pl.List(pl.String)).list.join("\n", ignore_nulls=True))
    number = selectors.float()
    return listed.with_columns(pl.when(number.is_finite()).then(number).name.keep())


def _column(
    whole: pl.DataFrame, name: str, added: dict[str, str], styles: Styles, marks: dict[str, str], wrapped: bool
) -> Column:
    own = added.get(name, name)
    heading = marks.get(own) or _HEADINGS.get(own) or f"{own[:1].upper()}{own[1:].replace('_', ' ')}"
    text = styles.wrapped if wrapped else styles.text
    return Column(
        heading=excerpt(one_line(heading), LONGEST_CELL // 2) + name.removeprefix(own),
        width=_WIDTHS.get(own, _NARROW),
        style=styles.mark if own in marks else text if whole[name].dtype == pl.String else _number(own, whole, styles),
    )


def _number(name: str, whole: pl.DataFrame, styles: Styles) -> Format:
    if name in _PERCENTS:
        return styles.percent
    if name in _PROBABILITIES:
        return styles.probability
    return styles.score if whole[name].dtype.is_float() else styles.number


def _colour(workbook: Workbook, sheet: TableSheet, part: pl.DataFrame, marks: dict[str, str]) -> None:
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
