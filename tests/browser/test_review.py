"""People review a golden dataset in a real browser: by keys, on a phone, over a reload."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from qaviz.store.reviews import ReviewSession, all_decisions, review_sessions
from qaviz.store.workspace import Workspace, open_workspace
from tests.browser.reviewed import KeyboardReader, start_harbours
from tests.browser.served import Screen, Served, served

DECISIONS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("review") / "workspace"


@pytest.fixture(scope="module")
def app(folder: Path) -> Iterator[Served]:
    """A review of 40 triplets, each read by three people."""
    start_harbours(open_workspace(folder), 40, readers=3)
    with served(folder) as running:
        yield running


@pytest.fixture
def home(folder: Path) -> Workspace:
    return open_workspace(folder)


def of_these_tests(home: Workspace) -> ReviewSession:
    """The review of 40 triplets: the app brings those of its sample along."""
    return max(review_sessions(home), key=lambda each: each.population)


def line_of(home: Workspace) -> str:
    return of_these_tests(home).line


def session_of(home: Workspace) -> str:
    return of_these_tests(home).session


def test_reading_by_keys_alone(screen: Screen, home: Workspace):
    """Every key decides what it says, an edit is written and saved by keys, and what is kept is what was pressed."""
    reader = KeyboardReader(screen, line_of(home))
    reader.open("Kim")
    keys = "adqws"
    for place in range(DECISIONS):
        if place % 6 == 5:
            reader.edit(f"{place} ferries")
        else:
            reader.press(keys[place % len(keys)])

    kept = all_decisions(home, session_of(home)).filter(reader="Kim")
    pressed = Counter(keys[place % len(keys)] for place in range(DECISIONS) if place % 6 != 5)
    found = Counter(kept["action"])
    assert found["edit"] == reader.edits == DECISIONS // 6
    names = {"accept": "a", "ask": "q", "delete": "d", "source is wrong": "w", "skip": "s"}
    assert {name: found[name] for name in names} == {name: pressed[key] for name, key in names.items()}
    assert kept["seconds"].null_count() == 0
    screen.keep("review-reading")


def test_findings_note_undo_and_the_gate(screen: Screen, home: Workspace):
    """Keys 1 to 8 set findings, N opens the note, U takes the decision back with all that was written; an edit shows
    what the gate says of it."""
    reader = KeyboardReader(screen, line_of(home))
    reader.open("Max")
    page = screen.page
    page.keyboard.press("1")
    page.keyboard.press("8")
    page.keyboard.press("n")
    page.keyboard.type("says 12, a d and not a decision")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.keyboard.press("Control+a")
    page.keyboard.type("999 ferries")
    expect(screen.main().locator(".gate")).to_contain_text("refute")
    reader.press("Control+Enter")
    (row,) = all_decisions(home, session_of(home)).filter(reader="Max").to_dicts()
    assert (row["action"], row["findings"], row["fact"]) == ("edit", ["hallucination", "tone"], "999 ferries")
    assert row["note"] == "says 12, a d and not a decision"

    reader.press("u")
    expect(screen.main().get_by_role("textbox", name="New fact")).to_have_value("999 ferries")
    assert all_decisions(home, session_of(home)).filter(reader="Max").is_empty()


def test_a_draft_survives_a_reload(screen: Screen, home: Workspace):
    """What was written but not decided is there after a reload, findings and an edit in its middle too."""
    reader = KeyboardReader(screen, line_of(home))
    reader.open("Eva")
    screen.page.keyboard.press("3")
    screen.page.keyboard.press("e")
    screen.page.keyboard.press("Control+a")
    screen.page.keyboard.type("half a")
    expect(screen.main().locator(".gate")).to_contain_text("half a")
    screen.settle()

    reader.open("Eva")
    expect(screen.main().get_by_role("textbox", name="New fact")).to_have_value("half a")
    expect(screen.main().get_by_role("button", name=re.compile("incomplete"))).to_have_attribute("aria-pressed", "true")


def test_reading_on_a_phone(chromium, app: Served, home: Workspace):
    """On a screen of 360 pixels passage and triplet stand below each other, and a tap decides."""
    with Screen.of(chromium, app.url, viewport={"width": 360, "height": 780}, has_touch=True) as phone:
        reader = KeyboardReader(phone, line_of(home))
        reader.open("Pia")
        assert phone.sideways() <= 0
        before = reader.question().inner_text()
        phone.main().locator(".actions").get_by_role("button", name=re.compile("Accept")).tap()
        expect(reader.question()).not_to_have_text(before)
        phone.keep("review-phone")
        phone.refuse_problems()
    assert all_decisions(home, session_of(home)).filter(reader="Pia").height == 1
