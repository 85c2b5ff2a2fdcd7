"""A run as a static site: one file, or a folder, that opens from disk and on any host, and fetches nothing."""

import base64
import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import orjson

from qaviz.analysis.criteria import criteria_in_force
from qaviz.analysis.decision import decide
from qaviz.exports.bundle.content import Json, embed_json, refuse_too_many, run_content
from qaviz.exports.bundle.words import word_parts
from qaviz.exports.templates import Markup, render_pieces
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress, Run
from qaviz.review.statement import review_sentences
from qaviz.store import Workspace, disk_refusals, kept_labels, replacing

SITE = Path(__file__).parent / "site"
COMPONENTS = Path(__file__).parents[2] / "ui" / "widgets"
"""Where the app keeps what draws its tables, words and sentences. The site draws with the same files."""

DRAWN_AS_IN_THE_APP = ("table", "words", "sentences")
MODULES = (
    "elements",
    "numbers",
    "data",
    "address",
    "lists",
    "filters",
    "overview",
    "facts",
    "chart",
    "closeness",
    "diagnostics",
    "question",
    "about",
    "app",
)
"""The site's script, file by file; the last one starts it."""

GENERATOR = '<meta name="generator" content="qaviz bundle">'
"""By this line a page of ours is known again."""

_COMPONENT_EXPORT = "export default function"

ONE_FILE = (".html", ".htm")
INDEX = "index.html"
MARKER = "qaviz-bundle.txt"
"""The file by which a folder of ours is known again, from the first moment of its writing."""
MARKER_TEXT = "Written by `qaviz bundle`, which may replace what is here. Open index.html.\n"
_PARTS_FOLDER = re.compile(r"words-[0-9a-f]{16}")
_HEAD_BYTES = 500


@dataclass(frozen=True, kw_only=True)
class Written:
    """A site that was written."""

    page: Path
    """What to open."""
    size: int
    """Bytes of all its files."""


def write_bundle(run: Run, workspace: Workspace, out: Path, progress: Progress) -> Written:
    """Write the run as a static site: to one file if `out` ends in .html, else to the folder `out`.

    A site that is already there is replaced in one step, and stays as it is if anything fails. Raises QavizError if
    `out` is something else, if the run is too large for a browser, if its files are damaged, or if the disk refuses.
    """
    refuse_too_many(run)
    one_file = out.suffix.lower() in ONE_FILE
    _refuse_what_is_not_ours(out, one_file)
    golden, rows = workspace.golden(run.golden_id), workspace.rows(run)
    labels = kept_labels(workspace, run)
    decision = decide(rows, golden, criteria_in_force(workspace), labels)
    reviewed = review_sentences(workspace, run.golden_id)
    content = run_content(run, golden, rows, decision, workspace.find_verification(run), datetime.now(UTC), reviewed)
    parts = map(embed_json, word_parts(run, golden, rows, progress))
    with disk_refusals(out):
        return _write_file(run, content, parts, out) if one_file else _write_folder(run, content, parts, out)


def _refuse_what_is_not_ours(out: Path, one_file: bool) -> None:
    found = _foreign_file(out) if one_file else _foreign_folder(out)
    if found:
        raise QavizError(
            Problem(
                where=str(out),
                found=found,
                expected="nothing yet, or what `qaviz bundle` wrote",
                fix="Choose another name: what is there is not overwritten.",
            )
        )


def _foreign_file(out: Path) -> str | None:
    with disk_refusals(out):
        if not out.exists():
            return None
        if not out.is_file():
            return "a folder"
        with out.open("rb") as stream:
            return None if GENERATOR.encode() in stream.read(_HEAD_BYTES) else "a file that is no bundle"


def _foreign_folder(out: Path) -> str | None:
    with disk_refusals(out):
        if not out.exists():
            return None
        if not out.is_dir():
            return "a file; one that is to hold a bundle ends in .html"
        ours = (out / MARKER).is_file() or not any(out.iterdir())
        return None if ours else "a folder with other files"


def _write_file(run: Run, content: Json, parts: Iterator[bytes], out: Path) -> Written:
    out.parent.mkdir(parents=True, exist_ok=True)
    blocks = [(f"words-{number}", part) for number, part in enumerate(parts)]
    _write_page(run, [("run", embed_json(content)), *blocks], out, reads_files=False)
    return Written(page=out, size=out.stat().st_size)


def _write_folder(run: Run, content: Json, parts: Iterator[bytes], out: Path) -> Written:
    """First the parts, in a folder named after what they hold, then the page that reads them, then away with older
    parts: whenever this ends, the page finds its parts."""
    out.mkdir(parents=True, exist_ok=True)
    (out / MARKER).write_text(MARKER_TEXT, encoding="utf-8")
    held = list(parts)
    name = f"words-{hashlib.sha256(b''.join(held)).hexdigest()[:16]}"
    (out / name).mkdir(exist_ok=True)
    for number, part in enumerate(held):
        with replacing(out / name / f"{number}.js") as unfinished:
            unfinished.write_bytes(b'qavizPart("words-%d", %s);\n' % (number, part))
    _write_page(run, [("run", embed_json(content | {"parts": name}))], out / INDEX, reads_files=True)
    for older in out.iterdir():
        if older.name != name and _PARTS_FOLDER.fullmatch(older.name) and older.is_dir():
            shutil.rmtree(older)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    return Written(page=out / INDEX, size=size)


def _write_page(run: Run, blocks: list[tuple[str, bytes]], file: Path, reads_files: bool) -> None:
    with replacing(file) as unfinished, unfinished.open("wb") as stream:
        stream.writelines(draw_page(run.name, blocks, reads_files))


@cache
def script() -> str:
    """All of the site's script, in a scope of its own."""
    sheets = {name: (COMPONENTS / f"{name}.css").read_text("utf-8") for name in DRAWN_AS_IN_THE_APP}
    components = [_component((COMPONENTS / f"{name}.js").read_text("utf-8")) for name in DRAWN_AS_IN_THE_APP]
    drawers = [f"{name}: {component}" for name, component in zip(DRAWN_AS_IN_THE_APP, components, strict=True)]
    modules = [(SITE / f"{name}.js").read_text("utf-8") for name in MODULES]
    return "\n".join(
        [
            '"use strict";(() => {',
            f"const sheets = {orjson.dumps(sheets).decode()};",
            f"const drawers = {{ {', '.join(drawers)} }};",
            *modules,
            "})();",
        ]
    )


def _component(module: str) -> str:
    """A module of the app as an expression: a browser imports no module from disk."""
    assert module.count(_COMPONENT_EXPORT) == 1, "a component exports one function"
    return f"(() => {{\n{module.replace(_COMPONENT_EXPORT, 'return function')}}})()"


@cache
def style() -> str:
    """The site's style sheet."""
    return (SITE / "site.css").read_text("utf-8")


def draw_page(title: str, blocks: Iterable[tuple[str, bytes]], reads_files: bool) -> Iterator[bytes]:
    """The page in pieces. `blocks` are names, and JSON as `embed_json` writes it.

    `reads_files` lets the page load scripts from its own folder.
    """
    rules = {
        "default-src": "'none'",
        "script-src": f"'{_hash(script())}'" + (" 'self'" if reads_files else ""),
        "style-src": f"'{_hash(style())}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    pieces = render_pieces(
        SITE / "page.html",
        generator=Markup(GENERATOR),
        policy=Markup("; ".join(f"{name} {value}" for name, value in rules.items())),
        title=title,
        icon=base64.b64encode((COMPONENTS / "mark.svg").read_bytes()).decode(),
        style=Markup(style()),
        # As `embed_json` writes it: no text in it can end the element.
        blocks=((name, Markup(data.decode())) for name, data in blocks),
        script=Markup(script()),
    )
    return map(str.encode, pieces)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
