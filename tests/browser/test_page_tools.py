"""Search, links, views, keys, the tour, the glossary: how a reader finds their way, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import DESKTOP
from tests.browser.served import ARTEFACTS, Screen, Served


@pytest.fixture(scope="module")
def app(own_app: Served) -> Served:
    """Views stay in its workspace."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return own_app


@pytest.fixture
def reader(chromium: Browser, app: Served) -> Iterator[Screen]:
    """A visitor whose browser lets the page write to the clipboard."""
    permissions = ["clipboard-read", "clipboard-write"]
    with Screen.of(chromium, app.url, viewport=DESKTOP, permissions=permissions) as visitor:
        yield visitor
        visitor.refuse_problems()


def tool(screen: Screen, name: str) -> Locator:
    return screen.page.get_by_role("toolbar", name="Tools").get_by_role("button", name=name)


def heading(screen: Screen, title: str) -> None:
    """The page with this title is open."""
    expect(screen.page.locator("h1")).to_have_text(title)
    screen.settle()


def test_ctrl_k_goes_to_a_page_a_question_and_a_word(screen: Screen):
    """Typed letters find pages, questions, and what words mean; Enter opens, Escape closes; what is set stays."""
    screen.open("responses?text=amazon")
    screen.page.keyboard.press("Control+k")
    field = screen.page.get_by_role("combobox", name="Go to")
    expect(field).to_be_focused()
    screen.page.keyboard.press("Escape")
    expect(field).to_be_hidden()

    screen.page.keyboard.press("Control+k")
    field.press_sequentially("hist")
    expect(screen.page.get_by_role("option").first).to_have_text("HistoryPage")
    screen.keep("palette")
    field.press("Enter")
    heading(screen, "Compare")
    assert "tab=History" in screen.page.url
    assert "text=amazon" in screen.page.url

    screen.page.keyboard.press("Control+k")
    field.press_sequentially("rivian")
    option = screen.page.get_by_role("option").filter(has_text="Question").first
    expect(option).to_contain_text("Rivian")
    option.click()
    heading(screen, "Responses")
    expect(screen.main().get_by_text("Rivian").first).to_be_visible()

    screen.page.keyboard.press("Control+k")
    field.press_sequentially("closeness")
    expect(screen.page.get_by_role("option").filter(has_text="How many of the golden answer").first).to_be_visible()


def test_keys_behind_a_dialog_do_nothing(screen: Screen):
    """While the search is open, keys that label responses are letters."""
    screen.open("responses?labels=Label+responses&queue=As+listed&blind=no")
    field = screen.main().get_by_role("textbox", name="Your name")
    field.fill("Kim")
    field.press("Enter")
    expect(screen.main().get_by_text("Kim has labelled 0 of")).to_be_visible()
    screen.page.locator("h1").click()
    screen.page.keyboard.press("Control+k")
    search = screen.page.get_by_role("combobox", name="Go to")
    search.press_sequentially("a1d?")
    expect(search).to_have_value("a1d?")
    screen.page.keyboard.press("Escape")
    screen.settle()
    expect(screen.main().get_by_text("Kim has labelled 0 of")).to_be_visible()


def test_a_question_mark_lists_the_keys(screen: Screen):
    """Outside a field ? opens the list of keys; in a field it is a letter."""
    screen.open("responses")
    screen.page.locator("h1").click()
    screen.page.keyboard.press("?")
    keys = screen.page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("undo the last label")
    screen.keep("keys")
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


def test_a_view_is_saved_opened_and_deleted(screen: Screen):
    """A page with its filters is kept under a name; another visit opens it from any page; deleted it is gone; a name
    that is markup is shown as text."""
    name = "declined <b>ones</b>"
    screen.open("responses?diagnosis=declined")
    tool(screen, "Views").click()
    views = screen.page.get_by_role("dialog", name="Saved views")
    views.get_by_role("textbox").fill(name)
    views.get_by_role("textbox").press("Enter")
    expect(views.get_by_role("button", name=name, exact=True)).to_be_visible()
    screen.keep("views")
    views.get_by_role("button", name="Close").click()

    screen.open("compare?tab=History")
    tool(screen, "Views").click()
    views.get_by_role("button", name=name, exact=True).click()
    heading(screen, "Responses")
    assert "diagnosis=declined" in screen.page.url

    tool(screen, "Views").click()
    views.get_by_role("button", name="Delete").click()
    expect(views).to_contain_text("No view of this run is saved yet.")
    views.get_by_role("textbox").fill("x" * 119 + "\u202e")
    views.get_by_role("textbox").press("Enter")
    expect(views.get_by_role("alert")).to_contain_text("control character")
