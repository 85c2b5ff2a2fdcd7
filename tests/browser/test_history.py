"""The History page as a reader uses it: another metric, a baseline, a run opened, the chart taken along."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from playwright.sync_api import Browser, expect

from qaviz.store.workspace import open_workspace
from tests.browser.charted import CSV, download
from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen, served
from tests.builders import save_sample

STEPS = "run by run"


@pytest.fixture
def visitor(chromium: Browser, tmp_path: Path) -> Iterator[Screen]:
    """A visitor of an app with three runs of the sample."""
    workspace = open_workspace(tmp_path / "workspace")
    for name in ("June", "July", "August"):
        save_sample(workspace, name)
    with served(tmp_path / "workspace") as app, Screen.of(chromium, app.url, viewport=DESKTOP) as screen:
        yield screen
        screen.refuse_problems()


def test_a_metric_is_followed_over_runs(visitor: Screen, tmp_path: Path):
    """Every run is a point of every pipeline and a row, the newest first; another metric and a baseline redraw them and
    stand in the link; the data taken along name each run; a row opens its run."""
    visitor.open("compare?tab=History")
    lead = visitor.main().locator(".lead")
    expect(lead).to_contain_text("no change beyond noise in 6 steps")
    expect(visitor.main().locator(".js-plotly-plot .points path.point")).to_have_count(9)
    expect(visitor.main().locator(".js-plotly-plot .errorbar")).to_have_count(9)
    expect(visitor.rows_of(STEPS).locator("th").get_by_role("link")).to_have_text(["August", "July", "June"])

    visitor.main().get_by_role("combobox", name="Follow").click()
    visitor.page.get_by_role("option", name="Closeness").click()
    expect(lead).to_contain_text("Closeness of Pipeline1, Pipeline2 and Pipeline3")
    visitor.main().get_by_role("combobox", name="Drift from").click()
    visitor.page.get_by_role("option", name="June").click()
    expect(visitor.main().get_by_text("since June, on 10 questions")).to_have_count(3)
    visitor.keep("history-drift")
    said = parse_qs(urlsplit(visitor.page.url).query)
    assert said["follow"] == ["recall_over_words"]
    assert len(said["baseline"]) == 1

    data = pl.read_csv(download(visitor, CSV, tmp_path))
    assert data["run_name"].unique(maintain_order=True).to_list() == ["June", "July", "August"]

    visitor.rows_of(STEPS).filter(has_text="August").get_by_role("link").nth(1).click()
    expect(visitor.page.locator("h1")).to_have_text("Compare")
    expect(visitor.main().get_by_role("combobox", name="With another run")).to_have_value(re.compile("July"))
    expect(visitor.main().get_by_role("radio", name=re.compile(r"Same 10"))).to_be_visible()
    visitor.settle()
    visitor.keep("history-behind-a-step")
    visitor.page.go_back()
    visitor.settle()

    visitor.rows_of(STEPS).filter(has_text="July").get_by_role("link").first.click()
    expect(visitor.page.locator("h1")).to_have_text("Overview")
    expect(visitor.page.get_by_role("combobox", name="Run")).to_have_value("July")
