"""What a visitor takes along, opened again."""

from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from tests.browser.served import Screen

SVG_TEXT = "{http://www.w3.org/2000/svg}text"

PNG, SVG = "Image (PNG)", "Vector image (SVG)"
CSV = "Data (CSV)"


def take(page: Page, button: str, folder: Path) -> Path:
    """The file that this button saves."""
    with page.expect_download() as begun:
        page.get_by_role("button", name=button).click()
    file = folder / begun.value.suggested_filename
    begun.value.save_as(file)
    return file


def download(screen: Screen, entry: str, folder: Path) -> Path:
    """Take this entry of the download menu of the page's only chart."""
    wanted = screen.page.get_by_role("button", name=entry)
    if not wanted.is_visible():
        screen.main().get_by_role("button", name="Download").first.click()
    # A rerun gives a file another address: what is clicked during one no longer exists.
    expect(wanted).to_be_visible()
    screen.settle()
    return take(screen.page, entry, folder)


def texts_of(drawing: Path) -> str:
    """All that an SVG says."""
    return "\n".join("".join(each.itertext()) for each in ElementTree.parse(drawing).iter(SVG_TEXT))
