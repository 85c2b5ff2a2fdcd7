"""Every page in one visit: its link opens it, and axe-core finds nothing that keeps people from reading or using it."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.served import Screen
from tests.browser.test_walk import PAGES as WALKED
from tests.browser.test_walk import SHIFT_AT_MOST, open_walked
from tests.screen import PAGES

SERIOUS = ("serious", "critical")
DARK = "rgb(18, 23, 28)"

PICKED = (
    "pipeline=Pipeline1&pipeline=Pipeline2&category=company&diagnosis=correct&diagnosis=off+target&verdict=correct"
    "&fault=metric&text=amazon"
)
"""A link with something picked in each filter."""

OF_STREAMLIT = {
    ("list", "stSidebarNavItems"): "the menu's sections are div elements in its list",
    ("listitem", "stSidebarNavItems"): "so its entries stand in a div, not in the list",
}
"""What Streamlit's own markup does, and no setting changes: rule and the part of the page, and why it is found."""


@pytest.mark.parametrize(
    "address",
    ["" if page == "board" else page for page in PAGES]
    + [f"responses?tab=Question&{PICKED}", "?question=net-sales&at=Pipeline2&cell=hallucination"],
)
def test_no_serious_finding(address: str, screen: Screen):
    """A new visitor gets every page by its link, and nothing in sight jumps or is asked for in vain. With its panels
    open, and what is picked marked, names, roles and structure are there, and contrast in both themes."""
    page = address or "board"
    if page in WALKED:
        open_walked(screen, page)
        assert screen.shifted() < SHIFT_AT_MOST
    else:
        screen.open(address)
    screen.open_panels()
    # Read at one moment: a page that is drawn anew meanwhile has other elements.
    spoken = screen.page.locator("body").aria_snapshot()
    assert re.search(r"^\s*- (?:link|button) ", spoken, re.MULTILINE)
    assert not re.findall(r'^\s*- (?:link|button) ".* icon.*', spoken, re.MULTILINE)

    found = list(findings(screen))
    screen.page.emulate_media(color_scheme="dark")
    expect(screen.page.get_by_test_id("stApp")).to_have_css("background-color", DARK)
    screen.settle()  # colours of what the pointer is on change a little later
    found += findings(screen, "color-contrast")

    assert found == []


def findings(screen: Screen, *rules: str) -> Iterator[str]:
    """Serious and critical findings by these rules, or all, outside Streamlit's own markup; each with its place."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    for violation in Axe().run(screen.page, options=options).response["violations"]:
        if violation["impact"] in SERIOUS:
            yield from (
                f"{violation['id']}: {node['html']} {node['failureSummary']}"
                for node in violation["nodes"]
                if (violation["id"], part_of(screen, node["target"])) not in OF_STREAMLIT
            )


def part_of(screen: Screen, target: list[str | list[str]]) -> str | None:
    """Which of Streamlit's elements an element stands in; a component's are found by its host."""
    host = target[0] if isinstance(target[0], str) else target[0][0]
    return screen.page.locator(host).first.evaluate("each => each.closest('[data-testid]')?.dataset.testid")
