"""The decision pack as one interactive page that opens from disk: card, charts, table with search, question view.

It fetches nothing: its own policy allows its one script and its one style sheet by their hashes, so that even a text
that a browser took for markup could load nothing.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import BinaryIO

import orjson

from qaviz.exports.decision_pack.content import Content
from qaviz.exports.decision_pack.page_data import embed_json, page_data, shown_questions, word_parts
from qaviz.exports.templates import Markup, render_pieces

SITE = Path(__file__).parent / "site"
COMPONENTS = Path(__file__).parents[2] / "ui" / "widgets"
"""Where the app keeps what draws its tables, words and sentences. The page draws with the same files."""

DRAWN_AS_IN_THE_APP = ("table", "words", "sentences")
MODULES = (
    *("elements", "numbers", "data", "address", "lists", "filters", "overview", "facts", "chart", "closeness"),
    *("diagnostics", "question", "about", "app"),
)
"""The page's script, file by file; the last one starts it."""

_COMPONENT_EXPORT = "export default function"


def write(content: Content, stream: BinaryIO) -> None:
    """Write the page in UTF-8.

    Of a run with more than `page_data.MOST_RESPONSES` it lists the responses to its first questions, and says so; all
    figures count the whole run.
    """
    questions = shown_questions(content)
    parts = word_parts(content, questions)
    blocks = [("run", embed_json(page_data(content, questions)))]
    blocks += [(f"words-{number}", embed_json(part)) for number, part in enumerate(parts)]
    pieces = render_pieces(
        SITE / "page.html",
        policy=Markup(
            "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
            f"script-src '{_hash_source(script())}'; style-src '{_hash_source(_style())}'"
        ),
        title=content.run.name,
        icon=base64.b64encode((COMPONENTS / "mark.svg").read_bytes()).decode(),
        style=Markup(_style()),
        # As `embed_json` writes it: no text in it can end the element.
        blocks=((name, Markup(data.decode())) for name, data in blocks),
        script=Markup(script()),
    )
    stream.writelines(map(str.encode, pieces))


@cache
def script() -> str:
    """All of the page's script, in a scope of its own."""
    sheets = {name: (COMPONENTS / f"{name}.css").read_text("utf-8") for name in DRAWN_AS_IN_THE_APP}
    components = [_component((COMPONENTS / f"{name}.js").read_text("utf-8")) for name in DRAWN_AS_IN_THE_APP]
    drawers = [f"{name}: {component}" for name, component in zip(DRAWN_AS_IN_THE_APP, components, strict=True)]
    return "\n".join(
        [
            '"use strict";(() => {',
            f"const sheets = {orjson.dumps(sheets).decode()};",
            f"const drawers = {{ {', '.join(drawers)} }};",
            *((SITE / f"{name}.js").read_text("utf-8") for name in MODULES),
            "})();",
        ]
    )


def _component(module: str) -> str:
    """A module of the app as an expression: a browser imports no module from disk."""
    assert module.count(_COMPONENT_EXPORT) == 1, "a component exports one function"
    return f"(() => {{\n{module.replace(_COMPONENT_EXPORT, 'return function')}}})()"


@cache
def _style() -> str:
    return (SITE / "site.css").read_text("utf-8")


def _hash_source(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
