"""The decision pack's page in a real Chromium: from disk, without a script, with hostile texts."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from qaviz.exports.decision_pack import write_file
from qaviz.loading import Source
from qaviz.report.decision import report_saved
from qaviz.store.workspace import open_workspace
from tests.browser.hostile import hostile_files, refuse_traces, short
from tests.browser.served import DESKTOP, Collector, Screen
from tests.builders import draft_files, save_sample

PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the sample run."""
    folder = tmp_path_factory.mktemp("report")
    workspace = open_workspace(folder / "workspace")
    write_file(report_saved(workspace, save_sample(workspace), datetime.now(UTC)), folder / "report.html")
    return folder / "report.html"


@pytest.mark.parametrize(("scheme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(18, 23, 28)")])
def test_the_page_follows_the_readers_theme_and_shuts_nobody_out(chromium: Browser, page: Path, scheme, paper):
    """Light where the system is light, dark where it is dark; axe-core finds nothing serious in either. On a phone
    the page is no wider than the screen: tables scroll in their own frames."""
    with Screen.of(chromium, page.parent.as_uri(), viewport=DESKTOP, color_scheme=scheme) as visitor:
        visitor.page.goto(page.as_uri())
        expect(visitor.page.locator("body")).to_have_css("background-color", paper)
        violations = Axe().run(visitor.page, options={"resultTypes": ["violations"]}).response["violations"]
        visitor.refuse_problems()
        visitor.page.set_viewport_size(PHONE)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    serious = [violation for violation in violations if violation["impact"] in ("serious", "critical")]
    assert [(violation["id"], node["html"]) for violation in serious for node in violation["nodes"]] == []


def test_hostile_texts_stay_texts(chromium: Browser, collector: Collector, tmp_path: Path):
    """With hostile text in every field and name, the page shows it as it is; nothing is fetched, linked or run."""
    workspace = open_workspace(tmp_path / "workspace")
    golden, responses = map(Source.of, hostile_files(tmp_path, collector.url))
    run = draft_files(golden, [responses]).save(short(collector.url, "run"), workspace)
    write_file(report_saved(workspace, run, datetime.now(UTC)), tmp_path / "report.html")
    with Screen.of(chromium, tmp_path.as_uri(), viewport=DESKTOP) as visitor:
        visitor.page.goto((tmp_path / "report.html").as_uri())
        for fold in visitor.page.locator("summary").all():
            fold.click()
        expect(visitor.page.locator("body")).to_contain_text("![x](http://127.0.0.1")
        refuse_traces(visitor, collector)
