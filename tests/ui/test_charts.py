"""qaviz.ui.widgets.chart and its like: what a chart is given on a page, and what its menu costs while it is closed."""

import json

import pytest

from qaviz.ui.widgets.filters import Filters
from tests.screen import drawn, mentions, open_page, texts

MENU = "closeness_chart_none_files"
PICTURES = "closeness_chart_none_pictures"


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        pytest.param(Filters(), "all responses", id="nothing picked"),
        pytest.param(Filters(pipelines=["A"]), "pipeline A", id="one"),
        pytest.param(Filters(categories=["a", "b", "c"]), "categories a, b and c", id="several"),
        pytest.param(
            Filters(pipelines=["A", "B"], diagnoses=["correct"], text="net *sales*"),
            "pipelines A and B; diagnosis correct; texts with “net *sales*”",
            id="of several kinds, texts as they came",
        ),
    ],
)
def test_filters_in_words(filters, said):
    """Files say which part of a run they show."""
    assert filters.in_words() == said


@pytest.mark.usefixtures("sample")
def test_a_closed_menu_makes_nothing():
    """Until the reader opens the menu, no picture's layout and no download stands on the page; then all four do."""
    app = open_page("metrics?tab=Closeness vs conciseness")
    assert [each.key for each in app.get("bidi_component") if each.key == PICTURES] == []
    assert len(app.get("download_button")) == 0

    app.session_state[MENU] = True
    app.run()

    assert {"png", "svg", "pdf", "copy"} <= set(drawn(app, PICTURES)["labels"])
    assert [each.proto.label for each in app.get("download_button")] == ["Data (CSV)", "Page (HTML)"]


@pytest.mark.usefixtures("sample")
def test_what_is_tried_stands_in_the_picture():
    """A picture's heading says the filter and a threshold on trial, in the words of the page; its line stands there."""
    app = open_page("metrics?tab=Closeness vs conciseness", pipeline="Pipeline2", low_conciseness="0.5")
    app.session_state[MENU] = True
    app.run()

    layout = drawn(app, PICTURES)["layout"]
    assert "n = 30 responses" in layout["title"]["text"]
    assert "pipeline Pipeline2; Wordy below 0.50 on trial" in layout["title"]["text"]
    assert [shape["y0"] for shape in layout["shapes"] if shape["y0"] == shape["y1"]] == [0.5]


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(("said", "panels"), [("By pipeline", 3), ("By diagnosis", 8), ("sideways", 1)])
def test_a_link_divides_the_chart(said, panels):
    """The choice of panels is in the address; what is no choice leaves the chart whole."""
    app = open_page("metrics?tab=Closeness vs conciseness", split=said)

    (chart,) = app.get("plotly_chart")
    layout = json.loads(chart.proto.spec)["layout"]
    assert sum(name.startswith("xaxis") for name in layout) == panels
    assert not app.exception


@pytest.mark.usefixtures("sample")
def test_the_handles_know_both_thresholds():
    """The lines' handles stand where the address says, under the names that the fields have."""
    app = open_page("metrics?tab=Closeness vs conciseness", high_closeness="0.45")

    lines = drawn(app, "threshold_lines")["lines"]
    assert [(line["label"], line["axis"], line["value"]) for line in lines] == [
        ("Close from", "x", 0.45),
        ("Wordy below", "y", 0.3),
    ]
    assert mentions(texts(app), "handles", "thresholds")
