"""A run whose golden dataset has a newer version: every page says so, and one button leads to what it changes."""

import re

from playwright.sync_api import expect

from qaviz.golden.versions import accept, newest_version
from qaviz.store.workspace import open_workspace
from tests.browser.conftest import DESKTOP
from tests.browser.served import ARTEFACTS, Screen, served
from tests.builders import save_sample
from tests.test_rescored_runs import VARIANT


def test_one_button_scores_the_run_on_the_newer_version(chromium, tmp_path):
    """The sentence stands on every page; the button saves the run on the newer version and opens Compare against the
    run before. Then the sentence is gone."""
    home = open_workspace(tmp_path / "workspace")
    run = save_sample(home)
    accept(home, newest_version(home, run.golden_id), VARIANT, "Ana", "a variant was missing")
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    with served(home.folder) as app, Screen.of(chromium, app.url, viewport=DESKTOP) as screen:
        button = screen.main().get_by_role("button", name="Score the run on it")
        for page in ("responses", "golden", "compare"):
            screen.open(f"{page}?run={run.run_id}")
            expect(button).to_have_count(1)
        screen.keep("newer-version")
        button.click()
        expect(screen.page).to_have_url(re.compile(rf"/compare\?.*against={run.run_id}"), timeout=60_000)
        screen.settle()
        expect(button).to_have_count(0)
        screen.keep("newer-version-scored")
        screen.refuse_problems()
    assert {each.name for each in home.runs()} == {"sample", "sample on version 2"}


def test_curation_closes_its_circle(chromium, tmp_path):
    """Accepting on Curation counts what is left to decide, drops the step that it does from the Overview, and offers
    the button; Compare then shows that the edit changed no response, and the new run has its own figures."""
    home = open_workspace(tmp_path / "workspace")
    save_sample(home)
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    with served(home.folder) as app, Screen.of(chromium, app.url, viewport=DESKTOP) as screen:
        screen.open("")
        step = screen.rows_of("Most useful next steps").filter(has_text="Add the wording of right answers")
        expect(step).to_contain_text("4 responses")
        screen.open("golden?rule=seen-variant")
        field = screen.main().get_by_role("textbox", name="Your name")
        field.fill("Ana")
        field.press("Enter")
        left = screen.main().get_by_text(re.compile(r"Still to decide: \d+ suggestion"))
        before = left.inner_text()
        screen.main().get_by_role("button", name="Accept", exact=True).first.click()
        expect(screen.main().get_by_text("Saved as version 2.")).to_be_visible()
        expect(left).not_to_have_text(before)
        screen.open("")
        expect(step).not_to_contain_text("4 responses")
        screen.main().get_by_role("button", name="Score the run on it").click()
        expect(screen.page).to_have_url(re.compile(r"/compare\?.*against="), timeout=60_000)
        expect(screen.main().get_by_role("radio", name=re.compile("Fixed"))).to_be_visible()
        expect(screen.main().get_by_text(re.compile(r"Facts stated \d+% → \d+%"))).to_be_visible()
        screen.settle()
        screen.keep("curation-circle")
        screen.refuse_problems()
