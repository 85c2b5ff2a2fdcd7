"""People label responses in a real browser, by mouse and by key, and see how far they agree with the verdicts."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from qaviz.store.workspace import open_workspace
from tests.browser.served import Screen, Served, served
from tests.builders import save_sample


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over a run of its own, whose labels stay."""
    workspace = open_workspace(tmp_path_factory.mktemp("labelled") / "workspace")
    save_sample(workspace)
    with served(workspace.folder) as running:
        yield running


def begin(screen: Screen, name: str) -> None:
    """Open the panel, the responses as listed with their verdicts, and say who labels."""
    screen.open("responses?labels=Label+responses&queue=As+listed&blind=no")
    screen.give_name(name)
    expect(labelled(screen, name, 0)).to_be_visible()


def labelled(screen: Screen, name: str, number: int) -> Locator:
    """The sentence that counts a person's labels."""
    return screen.main().get_by_text(re.compile(rf"{name} has labelled {number} of the run's 30\."))


def panel(screen: Screen) -> Locator:
    """The panel of the open response."""
    return screen.main().locator(".st-key-panel")


def at(screen: Screen, place: int) -> Locator:
    """The sentence that says which response is in focus."""
    return screen.main().get_by_text(re.compile(rf"Response {place} of 30"))


def test_labelling_by_keyboard(screen: Screen):
    """1 is the label correct, A agrees, D disagrees, arrows step, U takes back; each label leads to the next. The first
    key counts once the name is given, without a click."""
    begin(screen, "Kim")

    for number, key in enumerate("111AD", start=1):
        screen.page.keyboard.press(key)
        expect(labelled(screen, "Kim", number)).to_be_visible()
        expect(at(screen, number + 1)).to_be_visible()
    screen.page.keyboard.press("ArrowRight")
    expect(at(screen, 7)).to_be_visible()
    screen.page.keyboard.press("ArrowLeft")
    expect(at(screen, 6)).to_be_visible()
    screen.page.keyboard.press("U")
    expect(labelled(screen, "Kim", 4)).to_be_visible()
    expect(at(screen, 5)).to_be_visible()


def test_tab_goes_on_from_the_name_that_was_given(screen: Screen):
    """The field is left once a name is given: Shift and Tab lead back to it, where Enter on the same name stays."""
    begin(screen, "Lea")
    field = screen.page.get_by_role("textbox", name="Your name")
    expect(field).not_to_be_focused()
    screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("Shift+Tab")
    expect(field).to_be_focused()
    screen.page.keyboard.press("Enter")
    screen.settle()
    expect(field).to_be_focused()


def test_one_click_from_the_decision_to_the_responses_that_decide(screen: Screen):
    """The decision card leads to responses with hidden verdicts, in turn the least sure and at random; a comment is
    kept; the browser remembers who labelled, for the next visit."""
    screen.open("")
    screen.main().get_by_role("link", name="Label the responses that decide").click()
    screen.settle()
    screen.give_name("Zoë")
    expect(labelled(screen, "Zoë", 0)).to_be_visible()
    expect(screen.main().get_by_text(re.compile("half of them .*least sure")).first).to_be_visible()
    expect(screen.main().get_by_role("article")).to_have_count(0)
    screen.settle()
    screen.keep("labelling-queue")
    screen.main().get_by_role("textbox", name="Comment").fill("as of 2022")
    panel(screen).get_by_role("button", name="Incorrect").click()
    expect(labelled(screen, "Zoë", 1)).to_be_visible()
    screen.settle()

    again = screen.page.context.new_page()
    again.goto(screen.page.url)
    expect(again.get_by_text(re.compile("Zoë has labelled 1 of the run's 30"))).to_be_visible()


def test_what_a_browser_remembers_is_not_trusted(screen: Screen):
    """Markup in a cookie is text; a cookie that is no name leaves the reader without one, as does such a name in the
    field."""
    screen.page.context.add_cookies([{"name": "qaviz_name", "value": "%3Cb%3Ex%3C%2Fb%3E", "url": screen.base}])
    screen.open("responses?labels=Label+responses")
    expect(screen.main().get_by_text("<b>x</b> has labelled 0")).to_be_visible()
    assert not screen.main().locator("b").filter(has_text="x").count()
