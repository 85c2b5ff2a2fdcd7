"""The decision pack as one page that opens from disk: it runs no script and fetches nothing."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from qaviz.analysis.board import Cell
from qaviz.analysis.numbers import count
from qaviz.charts import CELL_LOOKS
from qaviz.exports.templates import Markup, hash_source, render
from qaviz.model.columns import PIPELINE, PRECISION, RECALL
from qaviz.model.visible import visible
from qaviz.report import Kind, Report, Scatter, Section, Sentences, Table, is_number, write_cells

HERE = Path(__file__).parent
MOST_ROWS = 2_000
"""Rows of a table that a page shows without getting slow; more are in the workbook."""
SIDE, MARGIN = 420, 44
"""Of the scatter's plot, and what its axes take, in units of the drawing."""

_CELLS = {cell.value: f"cell-{place}" for place, cell in enumerate(Cell)}


@dataclass(frozen=True, kw_only=True)
class _Cell:
    text: str
    look: str
    """Names of styles."""
    title: str


def write(report: Report, stream: BinaryIO) -> None:
    """Write the page in UTF-8. Appendices are folded; the workbook has what is left out."""
    style = (HERE / "page.css").read_text("utf-8") + "".join(
        f".cell-{place} {{ background: {CELL_LOOKS[cell][0]}; }}\n" for place, cell in enumerate(Cell)
    )
    page = render(
        HERE / "page.html",
        show=visible,
        policy=Markup(
            f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src {hash_source(style)}"
        ),
        icon=base64.b64encode((HERE.parents[1] / "ui" / "widgets" / "mark.svg").read_bytes()).decode(),
        style=Markup(style),
        report=report,
        sections=map(_describe_section, report.sections),
        side=SIDE,
        margin=MARGIN,
    )
    stream.write(page.encode())


def _describe_section(section: Section) -> dict[str, object]:
    return {
        "title": section.title,
        "appendix": section.appendix,
        "blocks": [
            {"kind": "sentences", "block": block}
            if isinstance(block, Sentences)
            else {"kind": "table", "block": block, "rows": list(_list_rows(block)), "more": _word_more(block)}
            if isinstance(block, Table)
            else {
                "kind": "scatter",
                "block": block,
                "points": list(_list_points(block)),
                "means": list(_list_means(block)),
            }
            for block in section.blocks
        ],
    }


def _list_rows(table: Table) -> Iterator[list[_Cell]]:
    marked = {place: column.name for place, column in enumerate(table.columns) if column.kind is Kind.CELL}
    figures = {place for place, column in enumerate(table.columns) if is_number(column)}
    frame = table.frame.head(MOST_ROWS)
    for row, texts in zip(frame.iter_rows(named=True), write_cells(table, MOST_ROWS), strict=True):
        words = {place: row[name] or "" for place, name in marked.items()}
        yield [
            _Cell(
                text=text,
                look=f"mark {_CELLS.get(words[place], '')}" if place in words else "figure" if place in figures else "",
                title=words.get(place, ""),
            )
            for place, text in enumerate(texts)
        ]


def _word_more(table: Table) -> str:
    left_out = table.frame.height - MOST_ROWS
    return f"{count(left_out)} more rows are in the workbook." if left_out > 0 else ""


def _list_points(scatter: Scatter) -> Iterator[dict[str, object]]:
    for name, closeness, conciseness in scatter.points.select(PIPELINE, RECALL, PRECISION).iter_rows():
        yield _place(scatter, name, closeness, conciseness)


def _list_means(scatter: Scatter) -> Iterator[dict[str, object]]:
    for name, closeness, conciseness in scatter.means.select(PIPELINE, "closeness", "conciseness").iter_rows():
        yield _place(scatter, name, closeness, conciseness)


def _place(scatter: Scatter, name: str, closeness: float, conciseness: float) -> dict[str, object]:
    """Where a mark stands in the drawing, its colour and what it is."""
    return {
        "x": round(MARGIN + SIDE * closeness, 1),
        "y": round(8 + SIDE * (1 - conciseness), 1),
        "colour": scatter.colours.get(name, "#6F7F8F"),
        "name": name,
        "title": f"{name}: closeness {closeness:.2f}, conciseness {conciseness:.2f}",
    }
