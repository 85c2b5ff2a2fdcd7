"""Every page, opened by a link; some on a server that nobody has visited yet."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, expect

from qaviz.ui.widgets.url_state import MOVED, PLACES
from tests.browser.conftest import DESKTOP
from tests.browser.served import ARTEFACTS, Screen, served, slug

PHONE = {"width": 360, "height": 780}
SHIFT_AT_MOST = 0.1
"""Cumulative layout shift that counts as good."""
WIDE = {"width": 2560, "height": 1300}

MENU = [re.compile(f"{place.title}$") for place in PLACES if place.in_menu]
"""How the entries end; an icon's name stands before them."""

PAGES: dict[str, tuple[str, Callable[[Screen], Locator], int]] = {
    "board": ("Board", lambda screen: screen.rows_of("Metrics by pipeline"), 3),
    "compare": ("Compare", lambda screen: screen.rows_of("Right answers: each pipeline against the others"), 3),
    "compare?tab=History": ("Compare", lambda screen: screen.rows_of("Right answers: run by run"), 1),
    "responses": ("Responses", lambda screen: screen.rows_of("Responses with their diagnosis"), 25),
    "responses?tab=Question": ("Responses", lambda screen: screen.main().get_by_role("article"), 3),
    "golden?tab=Review": ("Golden dataset", lambda screen: screen.rows_of("Risk by severity and likelihood"), 5),
    "golden": ("Golden dataset", lambda screen: screen.rows_of("Findings by rule"), 8),
    "runs": ("Runs", lambda screen: screen.rows_of("Current runs"), 1),
    "load": ("Load", lambda screen: screen.main().get_by_test_id("stFileUploaderDropzone"), 1),
    "runs?tab=Verify": ("Runs", lambda screen: screen.main().get_by_role("button", name="Verify with FMEval"), 1),
}
"""Of each page: its heading, what it draws from the sample run, and how many of it."""


@pytest.mark.parametrize("page", ["board", "responses", "runs"])
def test_a_cold_deep_link_opens_the_page(page: str, chromium: Browser, tmp_path: Path):
    """The first visitor of a fresh server gets the page that the link names: menu, run and content, and no error."""
    with served(tmp_path / "workspace") as app, Screen.of(chromium, app.url, viewport=DESKTOP) as screen:
        _open(screen, page)
        screen.refuse_problems()


@pytest.mark.parametrize("page", PAGES)
def test_a_link_opens_the_page(page: str, screen: Screen):
    """A new visitor gets every page by its link, and nothing in sight jumps or is asked for in vain. No page scrolls
    sideways; pictures of it, from a phone to a wide screen, stay in artefacts/screens."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    _open(screen, page)
    assert screen.shifted() < SHIFT_AT_MOST
    for name, view, scheme in (("light", DESKTOP, "light"), ("wide", WIDE, "dark"), ("phone", PHONE, "light")):
        _look(screen, view, scheme)
        screen.keep(f"{slug(page)}-{name}")
        assert screen.sideways() <= 0, f"{name} scrolls sideways"


def _open(screen: Screen, page: str) -> None:
    """Open the page by its link; its heading, menu, run and content are there."""
    title, drawn, many = PAGES[page]
    screen.open("" if page == "board" else page)
    expect(screen.page.locator("h1")).to_have_text(title)
    expect(drawn(screen)).to_have_count(many)
    expect(screen.page.get_by_test_id("stSidebarNavLink")).to_have_text(MENU)
    assert "run=" in screen.page.url


def test_addresses_of_earlier_releases_lead_to_the_new_places(chromium: Browser, tmp_path: Path):
    """Each path of an earlier release leads to its place and tab, with all that the link says."""
    link = "text=rivian&category=company&category=people"
    with served(tmp_path / "workspace") as app, Screen.of(chromium, app.url, viewport=DESKTOP) as screen:
        for path, (place, tab) in MOVED.items():
            screen.open(f"{path}?{link}")
            address = re.compile(rf"/{'' if place == 'board' else place}\?")
            expect(screen.page).to_have_url(address)
            now = parse_qs(urlsplit(screen.page.url).query)
            led = now.get("view" if place == "board" else "tab", [""])
            assert (now["text"], now["category"], led) == (["rivian"], ["company", "people"], [tab])
        screen.refuse_problems()


def _look(screen: Screen, view: dict[str, int], scheme: str) -> None:
    """Change size and colour scheme, grow the window to the page's full height, and wait until it is drawn."""
    screen.page.emulate_media(color_scheme=scheme)
    screen.page.set_viewport_size(view)
    tall = screen.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight")
    screen.page.set_viewport_size({"width": view["width"], "height": max(view["height"], min(tall, 3000))})
    screen.settle()
    screen.page.wait_for_timeout(400)  # Plotly resizes after a pause of its own and has no sign of being done
