"""The flywheel in a real browser: a finding, what mending it changes, acceptance, history, undo, what it was worth."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError, expect

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
    once, finds both in the history, takes the file along, and sees on the Flywheel what it was worth."""
    screen.open("golden?rule=seen-variant")
    sign(screen, "Ana")
    screen.rows_of("Findings").filter(has_text="cash").get_by_role("link").click()
    expect(screen.main().get_by_role("textbox", name="The new fact")).to_have_value(re.compile(r"50\.07 billion$"))
    expect(screen.rows_of("Factual Knowledge now and then").filter(has_text="Pipeline2")).to_contain_text("▲ 5 of 10")
    screen.settle()
    screen.keep("curation")
    button(screen, "Accept").first.click()
    expect(screen.main().get_by_text("Saved as version 2.")).to_be_visible()

    screen.main().get_by_text(re.compile(r"All \d+ findings of this rule")).click()
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

    screen.page.get_by_role("radio", name="Flywheel").click()
    expect(screen.rows_of("Versions of the golden dataset in figures")).to_have_count(3)
    expect(screen.rows_of("Parts of the score change").filter(has_text="Pipeline2")).to_contain_text("+30.0")
    screen.settle()
    screen.keep("flywheel")


def test_a_version_is_taken_back(screen: Screen):
    """Taking back the newest version makes one that equals its parent; the history keeps all of them."""
    screen.open("golden?curate=History")
    sign(screen, "Bo")
    versions = screen.rows_of("Versions of the golden dataset")
    before = versions.count()
    button(screen, "Undo version").click()

    expect(versions).to_have_count(before + 1)
    expect(versions.first).to_contain_text(f"takes back version {before}")


def test_a_text_is_edited_by_hand(screen: Screen):
    """A double click in the table edits a text; what it would change stands under it before it is accepted."""
    screen.open("golden?curate=Edit%20by%20hand&text=")
    sign(screen, "Cy")
    search = screen.main().get_by_role("searchbox").or_(screen.main().get_by_placeholder("Search the triplets"))
    search.first.fill("Rivian")
    search.first.press("Enter")
    one_row = "() => document.querySelector('[data-testid=stDataFrame]')?.offsetHeight < 100"
    screen.page.wait_for_function(one_row)
    screen.settle()
    table = screen.main().get_by_test_id("stDataFrame")
    box = table.bounding_box()
    editor = screen.page.locator("#portal textarea")
    for _ in range(TRIES):
        table.dblclick(position={"x": box["width"] * 0.45, "y": 52})
        with suppress(TimeoutError):
            editor.wait_for(timeout=1_000)
            break

    editor.fill("158 million shares")
    editor.press("Enter")
    expect(screen.main().get_by_text("Check first")).to_be_visible()
    why = screen.main().get_by_role("textbox", name="Why")
    why.fill("with its unit")
    why.press("Enter")
    button(screen, "Accept 1 edit").click()
    expect(screen.main().get_by_text(re.compile(r"Saved as version \d+\."))).to_be_visible()
