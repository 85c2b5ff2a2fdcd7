"""A workspace's own labels refit the confidence of verdicts, in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from qaviz.store.workspace import open_workspace
from tests.browser.served import Screen, Served, served
from tests.labelled_run import import_harbours, label_harbours


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over a run whose 80 responses Ann labelled."""
    folder: Path = tmp_path_factory.mktemp("refit")
    workspace = open_workspace(folder / "workspace")
    label_harbours(workspace, import_harbours(workspace, folder / "files", "harbours"))
    with served(workspace.folder) as running:
        yield running


def test_confidence_is_fitted_by_one_click_and_shipped_again_by_another(screen: Screen):
    """The error before and after stands above the table, a click puts the fit in force, another one takes it back."""
    screen.open("responses?labels=Agreement")
    main = screen.main()
    expect(main.get_by_text(re.compile(r"Calibration error .*0\.\d+ as shipped, 0\.\d+ fitted"))).to_be_visible()
    expect(main.get_by_text("In use: the shipped map")).to_be_visible()

    main.get_by_role("button", name="Use it for the next runs").click()
    expect(main.get_by_text(re.compile("In use: .*80 labels.*“harbours”"))).to_be_visible()

    main.get_by_role("button", name="Back to the shipped map").click()
    expect(main.get_by_text("In use: the shipped map")).to_be_visible()
    expect(main.get_by_role("button", name="Back to the shipped map")).to_have_count(0)
