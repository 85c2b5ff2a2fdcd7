"""A link shows a colleague the same thing, on every page where something can be picked."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen

LINKS = {
    "compare": "metric=recall_over_words&first=Pipeline2&second=Pipeline3",
    "board": "cell=hallucination&cell=declined&pipeline=Pipeline2&closeness=0-0.7&low_conciseness=0.5",
    "responses": "panels=Diagnoses+by+pipeline&diagnosis=hallucination&diagnosis=declined&verdict=incorrect"
    "&low_conciseness=0.5&order=By+question",
    "golden": "rule=seen-variant",
    "compare?tab=History": "follow=recall_over_words&pipeline=Pipeline3&category=company",
    "runs": "view=Audit&search=import",
    "responses?tab=Question": "pipeline=Pipeline1&pipeline=Pipeline3&diagnosis=hallucination",
}


@pytest.mark.parametrize("page", LINKS)
def test_a_copied_link_shows_the_same_cold(page: str, screen: Screen, chromium: Browser):
    """A reader comes to a filtered page through the menu and copies the address; in another browser, without any
    memory, it shows the same, and not what the page shows without filters."""
    screen.open(page)
    plain = screen.main().inner_text()
    screen.open(f"{page}{'&' if '?' in page else '?'}{LINKS[page]}")
    heading = screen.page.locator("h1").inner_text()
    screen.page.get_by_test_id("stSidebarNavLink").filter(has_text="Judges").click()
    screen.page.get_by_role("heading", level=1, name="Judges").wait_for()
    screen.page.get_by_test_id("stSidebarNavLink").filter(has_text=heading).click()
    screen.page.get_by_role("heading", level=1, name=heading).wait_for()
    screen.settle()
    mine = screen.main().inner_text()

    with Screen.of(chromium, screen.base, viewport=DESKTOP) as colleague:
        colleague.page.goto(screen.page.url)
        colleague.settle()
        assert colleague.main().inner_text() == mine
        colleague.refuse_problems()
    assert mine != plain


SEEN = """() => JSON.stringify([
    location.href,
    document.querySelector("h1")?.innerText,
    [...document.querySelectorAll("[role=radio]")].map(each => [each.innerText, each.ariaChecked]),
])"""
"""What a reader sees of a step: the address, the page and its choices."""


def test_each_step_back_is_one_that_the_reader_made(screen: Screen):
    """Two filters and two pages of the menu are four steps: back takes them one by one, with the filters as they were,
    and forward takes them again."""
    screen.open("")
    stations = [screen.page.evaluate(SEEN)]
    steps = (
        lambda: screen.main().get_by_role("radio", name="Table").click(),
        lambda: screen.main().get_by_role("radio", name="FMEval").click(),
        lambda: screen.page.get_by_test_id("stSidebarNavLink").filter(has_text="Responses").click(),
        lambda: screen.page.get_by_test_id("stSidebarNavLink").filter(has_text="Judges").click(),
    )
    for step in steps:
        before = screen.page.url
        step()
        screen.page.wait_for_function("before => location.href !== before", arg=before)
        screen.settle()
        stations.append(screen.page.evaluate(SEEN))

    for station in stations[-2::-1]:
        screen.page.go_back()
        screen.page.wait_for_function(f"station => ({SEEN})() === station", arg=station)
        screen.settle()
    screen.page.go_forward()
    screen.page.wait_for_function(f"station => ({SEEN})() === station", arg=stations[1])
