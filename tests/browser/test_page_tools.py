"""A copied link and the list of keys, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen, Served


@pytest.fixture
def reader(chromium: Browser, sample_app: Served) -> Iterator[Screen]:
    """A visitor whose browser lets the page write to the clipboard."""
    permissions = ["clipboard-read", "clipboard-write"]
    with Screen.of(chromium, sample_app.url, viewport=DESKTOP, permissions=permissions) as visitor:
        yield visitor
        visitor.refuse_problems()


def tool(screen: Screen, name: str) -> Locator:
    return screen.page.get_by_role("toolbar", name="Tools").get_by_role("button", name=name)


def test_a_question_mark_lists_the_keys(screen: Screen):
    """Outside a field ? opens the list of keys; in a field it is a letter."""
    screen.open("responses")
    screen.page.locator("h1").click()
    screen.page.keyboard.press("?")
    keys = screen.page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("undo the last label")
    screen.page.keyboard.press("Escape")
    box = screen.main().get_by_role("searchbox")
    box.click()
    box.press_sequentially("who?")
    expect(keys).to_be_hidden()
    expect(box).to_have_value("who?")


def test_copy_link_copies_the_page_as_it_is_set_up(reader: Screen):
    """The clipboard has the address with run and filters."""
    reader.open("responses?diagnosis=declined")
    tool(reader, "Copy link").click()
    expect(tool(reader, "Copied")).to_be_visible()
    copied = reader.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == reader.page.url
    assert "diagnosis=declined" in copied
