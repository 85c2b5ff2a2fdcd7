"""The Runs page in a real browser: a run with a hostile name is found, tagged, archived and deleted, and comes back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from qaviz.store.run_records import describe
from qaviz.store.workspace import open_workspace
from tests.browser.conftest import DESKTOP
from tests.browser.hostile import refuse_traces, short
from tests.browser.served import ARTEFACTS, Collector, Screen, served
from tests.browser.test_accessibility import findings
from tests.builders import save_sample
from tests.store.kept import keep_copies


@pytest.fixture
def screen(chromium: Browser, collector: Collector, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A visitor of an app with thirty runs, one of them with hostile text in all that people say of a run."""
    home = open_workspace(tmp_path_factory.mktemp("runs") / "workspace")
    run = save_sample(home)
    keep_copies(home, run, 29)
    bad = {name: short(collector.url, name) for name in ("name", "owner", "notes")}
    describe(home, run.run_id, short(collector.url, "who"), **bad, add_tags=["![x](http://x.example)"])
    with served(home.folder) as app, Screen.of(chromium, app.url, viewport=DESKTOP) as visitor:
        yield visitor
        refuse_traces(visitor, collector)
        visitor.refuse_problems()


def press(screen: Screen, button: str) -> None:
    screen.main().get_by_role("button", name=button, exact=True).click()
    screen.settle()


def test_a_run_is_found_tagged_archived_deleted_and_comes_back(screen: Screen):
    """A reader finds a run by a word of its notes, opens its card, tags it, archives it, takes that back, deletes it,
    takes that back too, and reads all of it in the audit; every text stands there as it is, and axe finds nothing
    serious on the card."""
    screen.open("runs")
    rows = screen.rows_of("Current runs")
    expect(rows).to_have_count(25)
    search = screen.main().get_by_role("searchbox").or_(screen.main().get_by_placeholder("Search names"))
    search.fill("inotes")
    search.press("Enter")
    expect(rows).to_have_count(1)
    expect(screen.page).to_have_url(re.compile("search=inotes"))
    rows.first.click()
    expect(screen.main().get_by_role("heading", level=3)).to_contain_text("![x](http")
    expect(screen.page).to_have_url(re.compile("chosen="))
    person = screen.main().get_by_role("textbox", name="Your name")
    person.fill("Ana")
    person.press("Enter")
    screen.settle()
    screen.open_panels()
    assert list(findings(screen)) == []

    tags = screen.main().get_by_role("combobox", name="Tags")
    tags.fill("<b>baseline</b>")
    tags.press("Enter")
    screen.page.keyboard.press("Escape")
    press(screen, "Save")
    expect(rows.first).to_contain_text("![x](http://x.example), <b>baseline</b>")
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    screen.keep("runs-card")
    for button, list_after in (("Archive", 0), ("Undo", 1), ("Delete", 0), ("Undo", 1)):
        press(screen, button)
        expect(rows).to_have_count(list_after)

    screen.open("runs?view=Audit")
    deeds = screen.rows_of("Audit").locator("td:nth-child(5)").all_inner_texts()[:6]
    assert deeds == ["delete undone", "delete", "archive undone", "archive", "tag", "tag"]
    expect(screen.rows_of("Audit").nth(5)).to_contain_text("![x](http")
