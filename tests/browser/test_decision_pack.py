"""The decision pack in a browser: downloaded from the Overview, and opened as a page of its own."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from qaviz.exports.decision_pack import FORMATS
from qaviz.store import open_workspace
from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen
from tests.exports.decision_pack.packs import HOSTILE, hostile_pack, sample_pack, written

PHONE = {"width": 360, "height": 740}
PAPER = {"width": 680, "height": 960}
"""A4 within its margins, in CSS pixels."""
MAKING_MS = 60_000


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The packs of the sample and of hostile data as files."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for name, pack in (("sample", sample_pack), ("hostile", hostile_pack)):
        made[name] = folder / f"{name}.html"
        made[name].write_bytes(written(pack(open_workspace(folder / name)), ".html"))
    return made


def test_every_format_is_a_download(screen: Screen):
    """One button a format on the Overview gives a file that is what its name says."""
    screen.open("")
    screen.main().get_by_role("button", name="Decision pack").click()

    files = {}
    for suffix in FORMATS:
        with screen.page.expect_download(timeout=MAKING_MS) as download:
            screen.page.get_by_role("button", name=f"({suffix})").click()
        assert download.value.suggested_filename.endswith(suffix)
        files[suffix] = Path(download.value.path()).read_bytes()

    assert "ppt/charts/chart" in " ".join(zipfile.ZipFile(io.BytesIO(files[".pptx"])).namelist())
    assert "xl/charts/chart1.xml" in zipfile.ZipFile(io.BytesIO(files[".xlsx"])).namelist()
    assert b"Content-Security-Policy" in files[".html"]
    assert files[".md"].startswith(b"# Which is best")
    assert len(json.loads(files[".json"])["pipelines"]) == 3


@pytest.mark.parametrize("name", ["sample", "hostile"])
@pytest.mark.parametrize("window", [None, PHONE], ids=["desktop", "phone"])
def test_the_page_stands_alone(chromium: Browser, pages: dict[str, Path], name: str, window: dict[str, int] | None):
    """Opened from a disk it asks for nothing, breaks no policy, runs no script, and needs no sideways scrolling."""
    address = pages[name].as_uri()
    requests: list[str] = []
    with Screen.of(chromium, pages[name].parent.as_uri(), viewport=window or DESKTOP) as screen:
        screen.page.on("request", lambda request: requests.append(request.url))
        screen.page.goto(address)
        expect(screen.page.get_by_role("heading", level=1)).to_be_visible()
        expect(screen.page.get_by_role("img")).to_have_count(4)
        assert screen.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        screen.keep(f"decision-pack-{name}-{'phone' if window else 'desktop'}")
        screen.refuse_problems()
        assert requests == [address]


def test_hostile_names_are_read_as_they_are(chromium: Browser, pages: dict[str, Path]):
    """The names of pipelines stand in the page's table as texts, markup and all."""
    with Screen.of(chromium, pages["hostile"].parent.as_uri()) as screen:
        screen.page.goto(pages["hostile"].as_uri())
        table = screen.page.locator("table").first
        for text in HOSTILE[:10]:
            expect(table.get_by_text(text.strip(), exact=True)).to_have_count(1)


def test_the_page_prints_on_paper(chromium: Browser, pages: dict[str, Path]):
    """Printed, the page is a PDF of some sheets of paper, with no part cut off at the right."""
    with Screen.of(chromium, pages["sample"].parent.as_uri(), viewport=PAPER) as screen:
        screen.page.goto(pages["sample"].as_uri())
        assert screen.page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
        screen.page.emulate_media(media="print")
        assert screen.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
