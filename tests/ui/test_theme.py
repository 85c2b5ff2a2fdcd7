"""The theme: readable in light and dark, closed to the outside, and with the charts' colours."""

import re
import tomllib
from pathlib import Path

import pytest

from qaviz.charts import DIAGNOSIS_COLOURS, PIPELINE_COLOURS
from qaviz.loading import UPLOAD_LIMIT

ROOT = Path(__file__).parents[2]
FRAME = ROOT / "qaviz" / "ui" / "widgets" / "page_setup.css"
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))

TEXT_CONTRAST = 4.5
"""WCAG 2.2, level AA, for text of any size."""
GRAPHIC_CONTRAST = 3.0
"""WCAG 2.2, level AA, for what is not text."""

THEMES = ("light", "dark")


def luminance(colour):
    """Relative luminance of `#rrggbb`, as WCAG 2.2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second):
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def backgrounds(theme):
    """Every colour that text and charts stand on."""
    tables = (CONFIG["theme"][theme], CONFIG["theme"][theme]["sidebar"])
    return {table[name] for table in tables for name in ("backgroundColor", "secondaryBackgroundColor")}


@pytest.mark.parametrize("place", range(len(THEMES)), ids=THEMES)
def test_text_is_readable(place):
    """Text, links and what is chosen are read on every background, and the text of a filled button on its colour, which
    page_setup.css says for both themes."""
    theme = CONFIG["theme"][THEMES[place]]
    for name in ("textColor", "primaryColor", "linkColor"):
        assert min(contrast(theme[name], each) for each in backgrounds(THEMES[place])) >= TEXT_CONTRAST
    on_primary = re.search(r"light-dark\((#\w{6}), (#\w{6})\)", FRAME.read_text("utf-8")).groups()[place]
    assert contrast(on_primary, theme["primaryColor"]) >= TEXT_CONTRAST


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colour", sorted({*PIPELINE_COLOURS, *DIAGNOSIS_COLOURS.values()}))
def test_charts_are_visible(theme, colour):
    """Each colour of the palette stands out from every background."""
    assert min(contrast(colour, each) for each in backgrounds(theme)) >= GRAPHIC_CONTRAST


def test_upload_limit_is_the_loaders():
    """The browser may send what the loader reads, and no more."""
    assert CONFIG["server"]["maxUploadSize"] * 1024**2 == UPLOAD_LIMIT


@pytest.mark.parametrize(
    ("section", "option", "value"),
    [
        pytest.param("server", "address", "127.0.0.1", id="only this machine reaches the app"),
        pytest.param("server", "enableStaticServing", False, id="no folder is served"),
        pytest.param("browser", "gatherUsageStats", False, id="nothing is reported to Streamlit"),
        pytest.param("client", "showErrorDetails", "none", id="no stack trace for visitors"),
        pytest.param("client", "showErrorLinks", False, id="no links to search engines"),
        pytest.param("client", "disableDataExport", True, id="no export that writes formulas"),
    ],
)
def test_the_server_is_closed(section, option, value):
    """What the server must not do is switched off."""
    assert CONFIG[section][option] == value


def test_nothing_is_fetched():
    """The theme names no address: its fonts ship with Streamlit."""
    assert "://" not in str(CONFIG)
