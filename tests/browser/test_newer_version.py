"""A run whose golden dataset has a newer version: every page says so, and one button leads to what it changes."""

import re

from playwright.sync_api import expect

from qaviz.store.workspace import open_workspace
from tests.browser.served import ARTEFACTS, DESKTOP, Screen, served
from tests.builders import save_sample


def test_an_edit_in_the_panel_moves_the_gap_in_the_head(chromium, tmp_path):
    """The panel lies over the board, which stays as wide; the response stands beside the leader's; the fact that lint
    proposes for it is accepted with its effect in view, and the column's head shows what is not credited then. A button
    scores the run on the new version: Compare shows that the edit changed no response."""
    home = open_workspace(tmp_path / "workspace")
    save_sample(home)
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    with served(home.folder) as app, Screen.of(chromium, app.url, viewport=DESKTOP) as screen:
        screen.open("?question=cash&at=Pipeline2")
        panel, board = screen.main().locator(".st-key-panel"), screen.main().locator(".board").first
        left, right = (panel.get_by_role("article").nth(place).bounding_box() for place in (0, 1))
        assert panel.get_by_role("article").locator("h3").all_text_contents() == ["Pipeline2", "Pipeline1"]
        assert (left["y"], left["width"]) == (right["y"], right["width"])
        wide = board.bounding_box()["width"]
        screen.give_name("Ana")
        panel.get_by_text("Edit the fact or the golden answer").click()
        expect(panel.get_by_role("table", name="Factual Knowledge now and then")).to_contain_text("▲ 5 of 10")
        panel.get_by_role("button", name="Accept the edit").click()

        head = (
            screen.page.get_by_role("table", name="The matrix by pipeline").get_by_role("row").nth(2).locator("th, td")
        )
        expect(head.nth(3)).to_have_text("3→2")
        screen.settle()
        screen.page.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        assert board.bounding_box()["width"] == wide
        screen.settle()
        button = screen.main().get_by_role("button", name="Score the run on it")
        button.click()
        expect(screen.page).to_have_url(re.compile(r"/compare\?.*against="), timeout=60_000)
        expect(screen.main().get_by_role("radio", name=re.compile("Fixed"))).to_be_visible()
        expect(screen.main().get_by_text(re.compile(r"change in facts stated, \d+% to \d+%"))).to_be_visible()
        screen.settle()
        expect(button).to_have_count(0)
        screen.keep("curation-circle")
        screen.refuse_problems()
