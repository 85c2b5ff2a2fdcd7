"""The site's one page: its own script and styles, allowed by their hashes, and the run's data, which never runs."""

import base64
import hashlib
import html
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import orjson

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
    icon = base64.b64encode((COMPONENTS / "mark.svg").read_bytes()).decode()
    scripts = f"'{_hash(script())}'" + (" 'self'" if reads_files else "")
    rules = {
        "default-src": "'none'",
        "script-src": scripts,
        "style-src": f"'{_hash(style())}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    policy = "; ".join(f"{name} {value}" for name, value in rules.items())
    yield f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{GENERATOR}
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{html.escape(title)} · qaviz</title>
<link rel="icon" href="data:image/svg+xml;base64,{icon}">
<style>{style()}</style>
</head>
<body>
<noscript><p>This report draws itself with a script, which this browser does not run.</p></noscript>
""".encode()
    for name, data in blocks:
        yield b'<script type="application/json" id="data-%s">%s</script>\n' % (name.encode(), data)
    yield f"<script>{script()}</script>\n</body>\n</html>\n".encode()


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
