"""qaviz.ui.diagnostics: what a reader tries is in the URL, and the run keeps its own."""

import pytest

from tests.screen import drawn, link_of, open_page, texts


@pytest.mark.parametrize(
    ("said", "used"),
    [
        pytest.param("0.5", 0.5, id="a number"),
        pytest.param("0", 0.0, id="the lowest"),
        pytest.param("1.5", 0.7, id="more than a score can be"),
        pytest.param("-1", 0.7, id="less than a score can be"),
        pytest.param("nan", 0.7, id="no number"),
        pytest.param("high", 0.7, id="a word"),
    ],
)
@pytest.mark.usefixtures("sample")
def test_a_link_tries_a_threshold(said, used):
    """A threshold in a link is tried if it is one; else the run's own stands."""
    app = open_page("responses", high_closeness=said)

    assert app.number_input(key="threshold_high_closeness").value == used
    assert ("This is a trial" in texts(app)) is (used != 0.7)


def test_a_trial_changes_the_page_and_not_the_run(sample, workspace):
    """Moving a threshold goes into the URL, moves rows between diagnoses, and leaves the saved run as it is."""
    before = workspace.rows(sample)
    app = open_page("responses", order="As in the files")
    app.query_params["panels"] = "Thresholds"
    app.run()
    assert sum("verbose" in str(cell) for row in drawn(app, "responses")["rows"] for cell in row["cells"]) == 2

    app.number_input(key="threshold_low_conciseness").set_value(0.0).run()

    assert link_of(app)["low_conciseness"] == ["0"]
    assert "change" in texts(app)
    assert not any("≡ verbose" in str(cell) for row in drawn(app, "responses")["rows"] for cell in row["cells"])
    assert workspace.rows(sample).equals(before)


@pytest.mark.usefixtures("sample")
def test_a_trial_follows_to_the_chart_and_ends_with_a_click():
    """The chart's page tries the same thresholds; the run's own come back with one button."""
    app = open_page("metrics?tab=Closeness vs conciseness", high_closeness="0.4")
    assert app.number_input(key="threshold_high_closeness").value == 0.4

    app.button[0].click().run()

    assert app.number_input(key="threshold_high_closeness").value == 0.7
    assert "high_closeness" not in link_of(app)


@pytest.mark.usefixtures("sample")
def test_the_responses_that_change_are_listed():
    """Besides how many responses change, which ones: each with its diagnosis before and now."""
    app = open_page("responses", low_conciseness="0.0")
    said = int(texts(app).split(" of 30 responses change")[0].rsplit("\n", 1)[-1])
    app.session_state["moved"] = True
    app.run()

    rows = drawn(app, "moved_responses")["rows"]
    assert len(rows) == said
    assert {(row["cells"][2]["text"], row["cells"][3]["text"]) for row in rows} == {("✓ correct", "verbose")}
