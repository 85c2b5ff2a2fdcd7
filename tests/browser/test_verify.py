"""FMEval at work behind the pages."""

import importlib.util
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import DESKTOP
from tests.browser.served import ARTEFACTS, Screen, Served

pytestmark = [
    pytest.mark.fmeval,
    pytest.mark.skipif(importlib.util.find_spec("fmeval") is None, reason="FMEval has no release for this Python"),
]
VERIFIED_WITHIN_MS = 120_000
VERIFIED = re.compile(r"verified.* 1\.2\.3 .*30 responses, no difference")


@pytest.fixture
def other(chromium: Browser, sample_app: Served) -> Iterator[Screen]:
    """A second visitor of the same app."""
    with Screen.of(chromium, sample_app.url, viewport=DESKTOP) as visitor:
        yield visitor
        visitor.refuse_problems()


def start(screen: Screen) -> Locator:
    return screen.main().get_by_role("button", name="Verify with FMEval 1.2.3")


def cancel(screen: Screen) -> Locator:
    return screen.main().get_by_role("button", name="Cancel")


def test_visitors_share_one_verification(screen: Screen, other: Screen):
    """While FMEval works for one visitor, another sees how far it is and cannot start it again, and other pages open;
    whoever cancels it ends it for both. Started again it ends, says that every score is the same, and from then on each
    page says so under the run's name, after a reload too."""
    screen.open("runs?tab=Verify")
    start(screen).click()
    expect(cancel(screen)).to_be_visible()
    other.open("runs?tab=Verify")
    expect(other.main().get_by_role("progressbar")).to_be_visible()
    expect(start(other)).to_have_count(0)
    other.open("metrics")
    expect(other.rows_of("Factual Knowledge by question")).to_have_count(10)
    other.open("runs?tab=Verify")
    cancel(other).click()
    for each in (screen, other):
        expect(each.main().get_by_text("Cancelled. Nothing was recorded.")).to_be_visible()
        expect(each.page.get_by_text("Scores verified")).to_have_count(0)

    start(screen).click()
    same = screen.main().get_by_text(re.compile("30 responses .*same"))
    expect(same).to_be_visible(timeout=VERIFIED_WITHIN_MS)
    expect(screen.page.get_by_test_id("stSidebar").get_by_text(VERIFIED)).to_be_visible()
    screen.page.reload()
    screen.settle()
    expect(same).to_be_visible()
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    screen.keep("verify-done")
    other.open("")
    expect(other.page.get_by_test_id("stSidebar").get_by_text(VERIFIED)).to_be_visible()
