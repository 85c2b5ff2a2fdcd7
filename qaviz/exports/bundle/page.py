"""The site's one page: its own script and styles, allowed by their hashes, and the run's data, which never runs."""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import orjson

from qaviz.exports.templates import Markup, render_pieces

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


def page(title: str, blocks: Iterable[tuple[str, bytes]], reads_files: bool) -> Iterator[bytes]:
    """The page in pieces. `blocks` are names, and JSON as `embedded` writes it; `reads_files` lets it read others."""
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
