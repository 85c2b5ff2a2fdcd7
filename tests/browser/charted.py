"""What a visitor takes along, opened again."""

from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Page

SVG_TEXT = "{http://www.w3.org/2000/svg}text"


def take(page: Page, button: str, folder: Path) -> Path:
    """The file that this button saves."""
    with page.expect_download() as begun:
        page.get_by_role("button", name=button).click()
    file = folder / begun.value.suggested_filename
    begun.value.save_as(file)
    return file


def texts_of(drawing: Path) -> str:
    """All that an SVG says."""
    return "\n".join("".join(each.itertext()) for each in ElementTree.parse(drawing).iter(SVG_TEXT))
