"""The decision pack in a browser: downloaded from the board, and opened as a page of its own."""

import io
import json
import zipfile
from pathlib import Path

from openpyxl import load_workbook
from pptx import Presentation

from qaviz.exports.decision_pack import exporters
from qaviz.report.decision import MATRIX, SCATTER
from tests.browser.served import Screen

PHONE = {"width": 360, "height": 740}
MAKING_MS = 60_000


def test_every_format_is_a_download(screen: Screen):
    """One button a format on the board gives a file that is what its name says."""
    screen.open("")
    screen.main().get_by_role("button", name="Decision pack").click()

    files = {}
    for suffix in exporters():
        with screen.page.expect_download(timeout=MAKING_MS) as download:
            screen.page.get_by_role("button", name=f"({suffix})").click()
        assert download.value.suggested_filename.endswith(suffix)
        files[suffix] = Path(download.value.path()).read_bytes()

    assert "ppt/charts/chart" in " ".join(zipfile.ZipFile(io.BytesIO(files[".pptx"])).namelist())
    assert {"Pipelines", "Responses"} <= {*load_workbook(io.BytesIO(files[".xlsx"])).sheetnames}
    assert b"Content-Security-Policy" in files[".html"]
    assert files[".md"].startswith(b"# Which is best")
    assert len(json.loads(files[".json"])["pipelines"]) == 3
    for name, title in (("Matrix", MATRIX), ("Scatter", SCATTER)):
        with screen.page.expect_download(timeout=MAKING_MS) as download:
            screen.page.get_by_role("button", name=f"{name} as a slide").click()
        (slide,) = Presentation(download.value.path()).slides
        assert slide.shapes.title.text_frame.text == title
