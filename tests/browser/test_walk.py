"""Every page, opened by a link."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, expect

from qaviz.ui.widgets.url_state import MOVED, PLACES
from tests.browser.served import Screen

SHIFT_AT_MOST = 0.1
"""Cumulative layout shift that counts as good."""

MENU = [re.compile(f"{place.title}$") for place in PLACES if place.in_menu]
"""How the entries end; an icon's name stands before them."""

PAGES: dict[str, tuple[str, Callable[[Screen], Locator], int]] = {
    "board": ("Board", lambda screen: screen.rows_of("Metrics by pipeline"), 3),
    "compare": ("Compare", lambda screen: screen.rows_of("Right answers: each pipeline against the others"), 3),
    "compare?tab=History": ("Compare", lambda screen: screen.main().get_by_text("One run of this golden dataset"), 1),
    "responses": ("Responses", lambda screen: screen.rows_of("Responses with their diagnosis"), 25),
    "responses?tab=Question": ("Responses", lambda screen: screen.main().get_by_role("article"), 3),
    "golden?tab=Review": ("Golden dataset", lambda screen: screen.main().get_by_text("Choose a severity and"), 1),
    "golden": ("Golden dataset", lambda screen: screen.rows_of("Findings by rule"), 8),
    "runs": ("Runs", lambda screen: screen.rows_of("Current runs"), 1),
    "load": ("Load", lambda screen: screen.main().get_by_test_id("stFileUploaderDropzone"), 1),
}
"""Of each page: its heading, what it draws from the sample run, and how many of it."""


def open_walked(screen: Screen, page: str) -> None:
    """Open the page by its link; its heading, menu, run and content are there."""
    title, drawn, many = PAGES[page]
    screen.open("" if page == "board" else page)
    expect(screen.page.locator("h1")).to_have_text(title)
    expect(drawn(screen)).to_have_count(many)
    expect(screen.page.get_by_test_id("stSidebarNavLink")).to_have_text(MENU)
    assert "run=" in screen.page.url


def test_addresses_of_earlier_releases_lead_to_the_new_places(screen: Screen):
    """A path of an earlier release leads to its place and tab, with all that the link says: the board and another place
    of those that `tests/frozen` lists."""
    link = "text=rivian&category=company&category=people"
    screen.open("")  # the first page of a fresh server: Streamlit says on its console that it does not know others yet
    for path in ("factual_knowledge", "history"):
        place, tab = MOVED[path]
        screen.open(f"{path}?{link}")
        address = re.compile(rf"/{'' if place == 'board' else place}\?")
        expect(screen.page).to_have_url(address)
        now = parse_qs(urlsplit(screen.page.url).query)
        led = now.get("view" if place == "board" else "tab", [""])
        assert (now["text"], now["category"], led) == (["rivian"], ["company", "people"], [tab])
