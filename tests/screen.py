"""The app in a test without a browser: open a page, read what it draws."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from qaviz.ui.widgets.person import PERSON
from qaviz.ui.widgets.url_state import PLACES

# AppTest looks through all installed packages for each page that it opens, which takes longer than the page.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

APP = Path(__file__).parents[1] / "app.py"

PAGES = {
    f"{place.name}?tab={tab}" if number else place.name: place.title
    for place in PLACES
    for number, tab in enumerate(place.tabs or ("",))
}
"""The address of each place and each of its tabs, with the title of the page."""

SECONDS = 180


def open_page(page: str = "board", name: str = "", **params: str | list[str]) -> AppTest:
    """The page as a link with these parameters opens it, through app.py; no other page is drawn before it. A reader's
    name was given on an earlier one."""
    place, _, said = page.partition("?")
    app = AppTest.from_file(APP, default_timeout=SECONDS)
    if name:
        app.session_state[PERSON] = name
    for name, values in (parse_qs(said) | params).items():
        app.query_params[name] = values
    return (app if place == "board" else app.switch_page(f"pages/{place}.py")).run()


def open_named(page: str, name: str = "Ana", **params: str) -> AppTest:
    """The page, with the reader's name given unless it is blank; nothing may go wrong."""
    app = open_page(page, name, **params)
    assert not app.exception
    return app


def press(app: AppTest, key: str) -> None:
    """Press the button with this key; nothing may go wrong."""
    app.button(key=key).click().run()
    assert not app.exception


def link_of(app: AppTest) -> dict[str, list[str]]:
    """What the URL says, each name with its values: AppTest gives a single one now bare, now in a list."""
    return {name: [said] if isinstance(said, str) else said for name, said in app.query_params.items()}


def leads_to(row: dict[str, Any]) -> dict[str, str]:
    """What the link of a row or a cell of a table says, by name."""
    return dict(parse_qsl(row["href"].partition("?")[2]))


def drawn(app: AppTest, key: str) -> dict[str, Any]:
    """What was given to the component with this key."""
    for component in app.get("bidi_component"):
        if component.key == key:
            return json.loads(component.proto.json)
    raise AssertionError(f"no component {key!r} on the page")


def mentions(text: str, *facts: object) -> bool:
    """Whether the text has these words and figures, in this order."""
    return re.search(".*".join(rf"(?<!\w){re.escape(str(fact))}(?!\w)" for fact in facts), text, re.DOTALL) is not None


def texts(app: AppTest) -> str:
    """All that the page says outside its components."""
    said = [each.value for kind in ("title", "subheader", "markdown", "text", "caption") for each in app.get(kind)]
    return "\n".join(map(str, said))


def numbers_in(text: str) -> set[str]:
    """The numbers that a text states: `1,200`, `0.5`, `3`."""
    return set(re.findall(r"\d(?:[\d,.]*\d)?", text))


def line_with(app: AppTest, word: str) -> str:
    """The one line of the page that has this word."""
    (line,) = [each for each in texts(app).splitlines() if word in each]
    return line
