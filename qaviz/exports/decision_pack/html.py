"""The decision pack as one page that opens from disk: it runs no script and fetches nothing."""

import base64
from pathlib import Path
from typing import BinaryIO

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from qaviz.analysis.board import Cell
from qaviz.charts import CELL_LOOKS
from qaviz.model.columns import PIPELINE, PRECISION, RECALL
from qaviz.model.visible import hash_source, visible
from qaviz.report import Block, Kind, Report, Scatter, Sentences, Table, is_number, word_left_out, write_cells

HERE = Path(__file__).parent
MOST_ROWS = 2_000
"""Rows of a table that a page shows without getting slow; more are in the workbook."""
SIDE, MARGIN = 420, 44
"""Of the scatter's plot, and what its axes take, in units of the drawing."""

_CELLS = {cell.value: f"cell-{place}" for place, cell in enumerate(Cell)}


def write(report: Report, stream: BinaryIO) -> None:
    """Write the page in UTF-8. Appendices are folded; the workbook has what is left out."""
    style = (HERE / "page.css").read_text("utf-8") + "".join(
        f".cell-{place} {{ background: {CELL_LOOKS[cell][0]}; }}\n" for place, cell in enumerate(Cell)
    )
    template = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_show,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    ).get_template("page.html")
    page = template.render(
        policy=Markup(
            f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src {hash_source(style)}"
        ),
        icon=base64.b64encode((HERE.parents[1] / "ui" / "widgets" / "mark.svg").read_bytes()).decode(),
        style=Markup(style),
        report=report,
        sections=[(section, list(map(_describe_block, section.blocks))) for section in report.sections],
        side=SIDE,
        margin=MARGIN,
    )
    stream.write(page.encode())


def _show(value: object) -> object:
    """A text with signs for what cannot be seen; it is escaped then, which a Markup, of our own, is not."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _describe_block(block: Block) -> dict[str, object]:
    if isinstance(block, Sentences):
        return {"kind": "sentences", "block": block}
    if isinstance(block, Table):
        rows = []
        records = block.frame.head(MOST_ROWS).iter_rows(named=True)
        for record, texts in zip(records, write_cells(block, MOST_ROWS), strict=True):
            cells = []
            for column, text in zip(block.columns, texts, strict=True):
                word = record[column.name] or "" if column.kind is Kind.CELL else ""
                look = "figure" if is_number(column) else ""
                mark = f"mark {_CELLS.get(word, '')}" if column.kind is Kind.CELL else look
                cells.append({"text": text, "look": mark, "title": word})
            rows.append(cells)
        return {"kind": "table", "block": block, "rows": rows, "more": word_left_out(block, MOST_ROWS)}
    points = block.points.select(PIPELINE, RECALL, PRECISION).rows()
    means = block.means.select(PIPELINE, "closeness", "conciseness").rows()
    placed = {"points": [_place(block, *at) for at in points], "means": [_place(block, *at) for at in means]}
    return {"kind": "scatter", "block": block, **placed}


def _place(scatter: Scatter, name: str, closeness: float, conciseness: float) -> dict[str, object]:
    return {
        "x": round(MARGIN + SIDE * closeness, 1),
        "y": round(8 + SIDE * (1 - conciseness), 1),
        "colour": scatter.colours.get(name, "#6F7F8F"),
        "title": f"{name}: closeness {closeness:.2f}, conciseness {conciseness:.2f}",
    }
