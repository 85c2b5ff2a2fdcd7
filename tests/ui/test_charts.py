"""Charts on a page: what a chart is given on a page, and what its menu costs while it is closed."""

import pytest

from qaviz.model.columns import CATEGORY, DIAGNOSIS, PIPELINE
from qaviz.model.records import Run
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets.filters import Filters
from tests.builders import save_sample
from tests.screen import drawn, open_page

MENU = "history_chart_files"
PICTURES = "history_chart_pictures"


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        pytest.param(Filters(), "all responses", id="nothing picked"),
        pytest.param(Filters(classes={PIPELINE: ["A"]}), "pipeline A", id="one"),
        pytest.param(Filters(classes={CATEGORY: ["a", "b", "c"]}), "categories a, b and c", id="several"),
        pytest.param(
            Filters(classes={PIPELINE: ["A", "B"], DIAGNOSIS: ["correct"]}, text="net *sales*"),
            "pipelines A and B; diagnosis correct; texts with “net *sales*”",
            id="of several kinds, texts as they came",
        ),
    ],
)
def test_filters_in_words(filters, said):
    """Files say which part of a run they show."""
    assert filters.in_words() == said


@pytest.fixture
def two_runs(workspace: Workspace, sample: Run) -> Run:
    """The sample twice: a history starts at two runs."""
    save_sample(workspace, "again")
    return sample


@pytest.mark.usefixtures("two_runs")
def test_a_closed_menu_makes_nothing():
    """Until the reader opens the menu, no picture's layout and no download stands on the page; then all do. A picture's
    heading says of how many runs it is, and the filter, in the words of the page."""
    app = open_page("compare?tab=History", pipeline="Pipeline2")
    assert [each.key for each in app.get("bidi_component") if each.key == PICTURES] == []
    assert len(app.get("download_button")) == 0

    app.session_state[MENU] = True
    app.run()

    assert {"png", "svg"} <= set(drawn(app, PICTURES)["labels"])
    assert [each.proto.label for each in app.get("download_button")] == ["Data (CSV)"]
    layout = drawn(app, PICTURES)["layout"]
    assert "2 runs, scored" in layout["title"]["text"]
    assert "pipeline Pipeline2" in layout["title"]["text"]
