"""The flywheel in a real browser: a finding, what mending it changes, acceptance, history, undo, what it was worth."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.served import Screen, Served

NAME = "Your name"


@pytest.fixture(scope="module")
def app(own_app: Served) -> Served:
    """Versions stay in its workspace."""
    return own_app


TRIES = 5
"""The table draws on a canvas: a double click before its first picture edits nothing, and nothing tells."""


def sign(screen: Screen, name: str) -> None:
    """Say who decides."""
    field = screen.main().get_by_role("textbox", name=NAME)
    field.fill(name)
    field.press("Enter")
    expect(screen.main().get_by_text("Enter your name")).to_have_count(0)


def button(screen: Screen, name: str):
    return screen.main().get_by_role("button", name=name)


def test_the_whole_loop(screen: Screen, tmp_path: Path):
    """A visitor opens a finding from the list, sees whose score would rise, accepts it, accepts the rest of its rule at
    once, finds both in the history, takes the file along, and sees what it was worth."""
    screen.open("golden?rule=seen-variant")
    sign(screen, "Ana")
    screen.rows_of("Findings").filter(has_text="cash").get_by_role("link").click()
    expect(screen.main().get_by_role("textbox", name="The new fact")).to_have_value(re.compile(r"50\.07 billion$"))
    expect(screen.rows_of("Factual Knowledge now and then").filter(has_text="Pipeline2").last).to_contain_text(
        "▲ 5 of 10"
    )
    screen.settle()
    screen.keep("curation")
    screen.main().get_by_role("button", name="Accept", exact=True).click()
    expect(screen.main().get_by_text("Saved as version 2.")).to_be_visible()

    button(screen, "suggestions").click()
    expect(screen.main().get_by_text("Saved as version 3.")).to_be_visible()

    screen.main().get_by_role("radio", name="History").click()
    expect(screen.rows_of("Versions of the golden dataset")).to_have_count(3)
    expect(screen.rows_of("What version 3 changes").first).to_be_visible()
    with screen.page.expect_download() as download:
        button(screen, "Download").click()
    download.value.save_as(tmp_path / "golden.jsonl")
    assert "22 February 2023" in (tmp_path / "golden.jsonl").read_text("utf-8")
    screen.settle()
    screen.keep("curation-history")

    expect(screen.rows_of("Versions of the golden dataset").first).to_contain_text("of 30 scores")
