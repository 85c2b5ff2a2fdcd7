"""The decision pack as a workbook: every table as a sheet, every text a text, and not one formula."""

from typing import Any, BinaryIO

import polars as pl
from polars import selectors
from xlsxwriter import Workbook

from qaviz.analysis.board import Cell
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.policy import Outcome
from qaviz.charts import CELL_LOOKS
from qaviz.exports.table_files import INERT, number_alike
from qaviz.model.visible import WORD_JOINER, one_line
from qaviz.report import Column, Kind, Report, Sentences, Table, table_of

MOST_ROWS = 50_000
"""Rows of a sheet: a workbook is put together in memory."""
LONGEST_CELL = 16_000
"""Characters of a cell: at most two of the 32,767 units that a spreadsheet takes are a character."""
LONGEST_HEADING = 200

_FORMATS = {
    Kind.COUNT: {"num_format": "#,##0", "valign": "top"},
    Kind.PART: {"num_format": "#,##0", "valign": "top"},
    Kind.SHARE: {"num_format": "0.0%", "valign": "top"},
    Kind.SCORE: {"num_format": "0.00", "valign": "top"},
    Kind.DIFFERENCE: {"num_format": "+0.0%;−0.0%;0.0%", "valign": "top"},
    Kind.P: {"num_format": "0.000", "valign": "top"},
}
_TEXT: dict[str, object] = {"quote_prefix": True, "valign": "top"}
"""Texts keep their type when edited: a cell that begins with `=` stays a text."""
_HEADING = _TEXT | {"bold": True, "bg_color": "#00607F", "font_color": "#FFFFFF", "text_wrap": True}
_WIDE, _NARROW = 320, 110
"""Pixels of columns of texts and of figures."""
_OUTCOMES = {Outcome.MET.value: "#D3EEE3", Outcome.NOT_MET.value: "#FBDCC8"}


def write(report: Report, stream: BinaryIO) -> None:
    """Write the workbook: a sheet of sentences, then a sheet a table."""
    with Workbook(stream, INERT) as workbook:
        workbook.set_properties({"title": f"Decision pack: {one_line(report.run.name)}", "author": "qaviz"})
        sentences = [("Question", report.title)]
        for section in report.sections:
            sentences.append(("", section.title))
            for block in section.blocks:
                if isinstance(block, Sentences):
                    sentences += [(block.title, sentence) for sentence in block.sentences]
                elif block.note:
                    sentences.append((f"How to read {block.title}", block.note))
                if isinstance(block, Table) and block.frame.height > MOST_ROWS:
                    shown = f"the first {count(MOST_ROWS)} of {plural(block.frame.height, 'row')}"
                    sentences.append((block.title, f"{shown}. `qaviz export --format csv` writes every response."))
        frame = pl.DataFrame(sentences, schema={"about": pl.String, "sentence": pl.String}, orient="row")
        columns = (Column("about", "About"), Column("sentence", "Sentence"))
        _add_sheet(workbook, table_of(frame, *columns, title="Decision"))
        blocks = (block for section in report.sections for block in section.blocks)
        for table in (block for block in blocks if isinstance(block, Table)):
            _add_sheet(workbook, table)


def _add_sheet(workbook: Workbook, table: Table) -> None:
    """Add the table as a sheet with filters and a heading that stays; ends of intervals have columns of their own."""
    columns = list[Column]()
    for column in table.columns:
        columns.append(column)
        if column.of:
            columns.append(Column(name=column.of, heading=f"{column.heading}, of", kind=Kind.COUNT))
        for name, end in zip(column.ends, ("from", "to"), strict=False):
            columns.append(Column(name=name, heading=f"{column.heading}, 95% interval {end}", kind=column.kind))
    floats = selectors.float()
    frame = table.frame.head(MOST_ROWS).select(pl.col(column.name).alias(str(at)) for at, column in enumerate(columns))
    finite = frame.with_columns(pl.when(floats.is_finite()).then(floats).name.keep())
    texts = [name for name, dtype in finite.schema.items() if dtype == pl.String]
    # A text that looks like its own format's markup is taken for that.
    inert = finite.with_columns(
        pl.col(name).str.slice(0, LONGEST_CELL).str.replace("^<r>", f"{WORD_JOINER}<r>") for name in texts
    )
    # A table takes no heading twice, in any case of letters.
    headings = number_alike((one_line(column.heading)[:LONGEST_HEADING] or " " for column in columns), "{} ({})")
    inert.columns = headings
    named = dict(zip(headings, columns, strict=True))
    styles: dict[Any, Any] = {name: _FORMATS.get(column.kind, _TEXT) for name, column in named.items()}
    tints = {name: _tint(column) for name, column in named.items()}
    inert.write_excel(
        workbook,
        table.title,
        column_formats=styles,
        conditional_formats={heading: tint for heading, tint in tints.items() if tint},
        header_format=_HEADING,
        column_widths={name: _WIDE if column.kind is Kind.TEXT else _NARROW for name, column in named.items()},
        freeze_panes=(1, 0),
        table_style={"style": "Table Style Light 1", "banded_rows": False},
    )


def _tint(column: Column) -> list[dict[str, Any]]:
    """The colours of words: what became of a response, and whether a criterion is met."""
    if column.kind is Kind.CELL:
        colours = {cell.value: colour for cell, (colour, _) in CELL_LOOKS.items() if cell is not Cell.EMPTY}
    else:
        colours = _OUTCOMES if column.heading == "Outcome" else {}
    return [
        {"type": "cell", "criteria": "==", "value": f'"{word}"', "format": {"bg_color": colour}}
        for word, colour in colours.items()
    ]
