"""Downloads: what leaves a workspace by a button of a page is noted in the audit."""

import ast
from pathlib import Path

import qaviz


def test_every_download_of_a_page_is_noted():
    """A button that makes a file of what a workspace holds makes it through `note_download`; one that does not fails
    here."""
    plain = []
    for file in (Path(qaviz.__file__).parent / "ui").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "download_button":
                made = next((each.value for each in call.keywords if each.arg == "data"), None) or call.args[1]
                if not (isinstance(made, ast.Call) and getattr(made.func, "id", "") == "note_download"):
                    plain.append(file.name)
    assert plain == []
