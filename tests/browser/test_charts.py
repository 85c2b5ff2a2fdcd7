"""Charts leave the app as files: pictures, drawings, data and pages."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from PIL import Image
from playwright.sync_api import Browser

from qaviz.charts import PIPELINE_COLOURS
from qaviz.store.workspace import open_workspace
from tests.browser.charted import CSV, PNG, SVG, download, texts_of
from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen, served
from tests.builders import save_sample


@pytest.fixture
def screen(chromium: Browser, tmp_path: Path) -> Iterator[Screen]:
    """A visitor of the sample saved twice: a history starts at two runs."""
    home = open_workspace(tmp_path / "workspace")
    for name in ("sample", "again"):
        save_sample(home, name)
    with served(home.folder) as app, Screen.of(chromium, app.url, viewport=DESKTOP) as visitor:
        yield visitor


def test_a_chart_leaves_the_app(screen: Screen, tmp_path: Path):
    """The chart of runs has its menu: picture, drawing and data."""
    screen.open("compare?tab=History")
    screen.main().locator(".js-plotly-plot .points path").first.wait_for()

    with Image.open(download(screen, PNG, tmp_path)) as picture:
        colours = {colour[:3] for _, colour in picture.convert("RGB").getcolors(2**24)}
    assert tuple(bytes.fromhex(PIPELINE_COLOURS[0][1:])) in colours
    assert "Runs, oldest first" in texts_of(download(screen, SVG, tmp_path))
    assert pl.read_csv(download(screen, CSV, tmp_path))["pipeline"].n_unique() == 3
