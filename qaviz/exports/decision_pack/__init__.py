"""The decision pack: what a run says, in one file that can be sent, presented, filed and signed.

`gather` collects the content once; each format writes that and nothing else. The libraries that write slides and
workbooks are loaded with the first pack.
"""

import re
from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from qaviz.exports.decision_pack.content import Content, gather, gather_from
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.store import disk_refusals, replacing

__all__ = ["FORMATS", "Content", "check_out", "gather", "gather_from", "name_file", "write_file", "writer"]

FORMATS = {
    ".pptx": "PowerPoint",
    ".xlsx": "Excel, with all rows",
    ".html": "Interactive page",
    ".md": "Markdown",
    ".json": "JSON",
}
"""Suffix → what people call it."""

LONGEST_SLUG = 60
"""Characters that a file's name takes of a run's name."""

_MODULES = {".pptx": "pptx", ".xlsx": "xlsx", ".html": "html", ".md": "markdown", ".json": "as_json"}


def writer(suffix: str) -> Callable[[Content, BinaryIO], None]:
    """What writes a pack in the format of a suffix of FORMATS to a stream."""
    write: Callable[[Content, BinaryIO], None] = import_module(f"{__name__}.{_MODULES[suffix]}").write
    return write


def write_file(content: Content, out: Path) -> None:
    """Write the pack to `out`, whole or not at all, in its suffix's format. Raises QavizError if the disk refuses."""
    with disk_refusals(out), replacing(out.resolve()) as unfinished, unfinished.open("wb") as stream:
        writer(out.suffix.lower())(content, stream)


def name_file(run: Run, made_at: datetime, suffix: str) -> str:
    """A name for the pack's file, of letters, digits and hyphens: `decision-pack-release-12-2026-11-20.pptx`."""
    words = re.sub("[^a-z0-9]+", "-", run.name.lower()).strip("-")[:LONGEST_SLUG].strip("-")
    return f"decision-pack-{words or run.run_id}-{made_at:%Y-%m-%d}{suffix}"


def check_out(out: Path) -> None:
    """Raise QavizError if `out` has no known suffix or no folder: a question to ask before long work."""
    if out.suffix.lower() not in FORMATS:
        wrong, expected = f'the suffix "{out.suffix}"', ", ".join(FORMATS)
    elif not out.resolve().parent.is_dir():
        wrong, expected = "no such folder", "a folder that exists"
    else:
        return
    raise QavizError(Problem(where=f"--out {out}", found=wrong, expected=expected, fix="Name another file."))
