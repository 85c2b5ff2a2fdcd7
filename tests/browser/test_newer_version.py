"""A run whose golden dataset has a newer version: every page says so, and one button leads to what it changes."""

import re

from playwright.sync_api import expect

from qaviz.golden.versions import accept, newest_version
from qaviz.store import open_workspace
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
        for page in ("question", "diagnostics", "compare"):
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
