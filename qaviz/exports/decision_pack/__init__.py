"""The decision pack: the report of a run in one file that can be sent, presented, filed and signed.

Each format renders `qaviz.report.Report` and nothing else. The libraries that write slides and workbooks are loaded
with the first pack.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from importlib import import_module
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import orjson

from qaviz.model.errors import disk_refusals
from qaviz.model.plugins import load_plugins, naming_extension
from qaviz.model.records import Run
from qaviz.model.visible import excerpt, visible, write_markdown
from qaviz.report import Block, Report, Scatter, Sentences, Table, is_number, word_left_out, write_cells
from qaviz.store.files import replacing

LONGEST_TEXT = 600
"""Characters of a text in a cell of Markdown."""
MOST_ROWS = 100
"""Rows of a table in Markdown; more are in the workbook."""


def write_page(report: Report, stream: BinaryIO) -> None:
    """Write Markdown in UTF-8. It has no scatters: their figures stand in the tables beside them."""
    lines = [f"# {_escape(report.title)}"]
    for section in report.sections:
        if not section.appendix and not all(isinstance(block, Scatter) for block in section.blocks):
            lines += ["", f"## {_escape(section.title)}", *chain.from_iterable(map(_write_block, section.blocks))]
    stream.write("\n".join(lines).encode() + b"\n")


def _write_block(block: Block) -> Iterator[str]:
    if isinstance(block, Sentences):
        yield from ([""] if not block.title else ["", f"### {_escape(block.title)}", ""])
        yield from (f"- {_escape(sentence)}" for sentence in block.sentences)
    elif isinstance(block, Table):
        yield ""
        yield from list_rows(block, lambda cell: _escape(excerpt(cell, LONGEST_TEXT)), MOST_ROWS)
        if note := " ".join(filter(None, [block.note, word_left_out(block, MOST_ROWS)])):
            yield from ("", _escape(note))


def list_rows(table: Table, escape: Callable[[str], str], most: int | None = None) -> Iterator[str]:
    """The lines of a table in Markdown, its first rows or all; `escape` makes a text inert."""
    yield _write_row(escape(column.heading) for column in table.columns)
    yield "|" + "|".join(" ---: " if is_number(column) else " --- " for column in table.columns) + "|"
    yield from (_write_row(map(escape, cells)) for cells in write_cells(table, most))


def _write_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    return write_markdown(visible(text))


def write_json(report: Report, stream: BinaryIO) -> None:
    """Write the record as one JSON object in UTF-8. Null is what was not scored or not given."""
    stream.write(orjson.dumps(report.record, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


@dataclass(frozen=True, kw_only=True)
class Exporter:
    """A format of the pack. Entry points `qaviz.exporters` of installed packages name further ones."""

    suffix: str
    """Of the files: `.md`."""
    name: str
    write: Callable[[Report, BinaryIO], None]


def _write_by(module: str, report: Report, stream: BinaryIO) -> None:
    """By the `write` of a module of this folder, which is loaded with the first pack."""
    import_module(f"{__name__}.{module}").write(report, stream)


_OWN = (
    Exporter(suffix=".pptx", name="PowerPoint", write=partial(_write_by, "pptx")),
    Exporter(suffix=".xlsx", name="Excel, with all rows", write=partial(_write_by, "xlsx")),
    Exporter(suffix=".html", name="Page", write=partial(_write_by, "html")),
    Exporter(suffix=".md", name="Markdown", write=write_page),
    Exporter(suffix=".json", name="JSON", write=write_json),
)


@cache
def exporters() -> dict[str, Exporter]:
    """Every format by its suffix: our own, then those of installed packages. Raises QavizError for a broken package."""
    own = {exporter.suffix: exporter for exporter in _OWN}
    return own | {
        plugin.suffix: plugin for plugin in load_plugins("qaviz.exporters", Exporter) if plugin.suffix not in own
    }


def write_file(report: Report, out: Path) -> None:
    """Write the pack to `out`, whole or not at all, in its suffix's format. Raises QavizError if the disk refuses."""
    whole = BytesIO()  # a disk full halfway would be asked again by ZipFile, when nobody listens any more
    with disk_refusals(out), replacing(out.resolve()) as unfinished:
        exporter = exporters()[out.suffix.lower()]
        try:
            with nullcontext() if exporter in _OWN else naming_extension(f"report format {exporter.name}"):
                exporter.write(report, whole)
        except Exception as error:
            if error.args and isinstance(error.args[0], OSError):  # xlsxwriter's, of a full disk for temporary files
                raise error.args[0] from error
            raise
        unfinished.write_bytes(whole.getbuffer())


def name_file(run: Run, made_at: datetime, suffix: str) -> str:
    """A name for the pack's file, of letters, digits and hyphens: `decision-pack-release-12-2026-11-20.pptx`."""
    words = re.sub("[^a-z0-9]+", "-", run.name.lower()).strip("-")[:60].strip("-")
    return f"decision-pack-{words or run.run_id}-{made_at:%Y-%m-%d}{suffix}"
