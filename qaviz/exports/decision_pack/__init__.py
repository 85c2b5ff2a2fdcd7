"""The decision pack: what a run says, in one file that can be sent, presented, filed and signed.

`gather` collects the content once; each format writes that and nothing else. The libraries that write slides and
workbooks are loaded with the first pack.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from qaviz.exports.decision_pack.content import Content, gather, gather_from
from qaviz.exports.decision_pack.text_formats import write_json, write_page
from qaviz.model.errors import Problem, QavizError
from qaviz.model.plugins import load_plugins
from qaviz.model.records import Run
from qaviz.store import disk_refusals, replacing

__all__ = ["Content", "Exporter", "check_out", "exporters", "gather", "gather_from", "name_file", "write_file"]


@dataclass(frozen=True, kw_only=True)
class Exporter:
    """A format of the pack. Entry points `qaviz.exporters` of installed packages name further ones."""

    suffix: str
    """Of the files: `.md`."""
    name: str
    """What people call it."""
    write: Callable[[Content, BinaryIO], None]
    """Writes the pack to a stream."""


def _in_module(name: str) -> Callable[[Content, BinaryIO], None]:
    """The `write` of a module of this folder, which is loaded with the first pack."""

    def write(content: Content, stream: BinaryIO) -> None:
        import_module(f"{__name__}.{name}").write(content, stream)

    return write


_OWN = (
    Exporter(suffix=".pptx", name="PowerPoint", write=_in_module("pptx")),
    Exporter(suffix=".xlsx", name="Excel, with all rows", write=_in_module("xlsx")),
    Exporter(suffix=".html", name="Interactive page", write=_in_module("html")),
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


LONGEST_SLUG = 60
"""Characters that a file's name takes of a run's name."""


def write_file(content: Content, out: Path) -> None:
    """Write the pack to `out`, whole or not at all, in its suffix's format. Raises QavizError if the disk refuses."""
    with disk_refusals(out), replacing(out.resolve()) as unfinished, unfinished.open("wb") as stream:
        exporters()[out.suffix.lower()].write(content, stream)


def name_file(run: Run, made_at: datetime, suffix: str) -> str:
    """A name for the pack's file, of letters, digits and hyphens: `decision-pack-release-12-2026-11-20.pptx`."""
    words = re.sub("[^a-z0-9]+", "-", run.name.lower()).strip("-")[:LONGEST_SLUG].strip("-")
    return f"decision-pack-{words or run.run_id}-{made_at:%Y-%m-%d}{suffix}"


def check_out(out: Path) -> None:
    """Raise QavizError if `out` has no known suffix or no folder: a question to ask before long work."""
    if out.suffix.lower() not in exporters():
        wrong, expected = f'the suffix "{out.suffix}"', ", ".join(exporters())
    elif not out.resolve().parent.is_dir():
        wrong, expected = "no such folder", "a folder that exists"
    else:
        return
    raise QavizError(Problem(where=f"--out {out}", found=wrong, expected=expected, fix="Name another file."))
