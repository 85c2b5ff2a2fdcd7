"""One set of filters for every tab: what one tab picks narrows the others, and can be taken away there."""

import pytest

from tests.screen import drawn, open_page, texts

pytestmark = [pytest.mark.page, pytest.mark.usefixtures("sample")]


def labels(app) -> list[str]:
    return [button.label for button in app.button]


@pytest.mark.parametrize(
    "page", ["responses", "responses?tab=Question", "metrics", "metrics?tab=Closeness vs conciseness"]
)
def test_a_range_stands_on_every_tab(page: str):
    """A range of the URL narrows each tab, and each has the button that takes it away."""
    app = open_page(page, closeness="0-0.5")
    assert "Closeness 0.00 to 0.50" in labels(app)

    next(button for button in app.button if button.label.startswith("Closeness")).click().run()
    assert "closeness" not in app.query_params


@pytest.mark.parametrize("written", ["", "0.5", "a-b", "-1-1", "0.2-7", "0.1-0.2-0.3", "nan-1"])
def test_what_is_no_range_narrows_nothing(written: str):
    """A link with anything else in the place of a range shows all responses."""
    app = open_page("responses", closeness=written)
    assert "30 responses" in texts(app)


def test_the_report_has_the_questions_of_what_passes():
    """The Factual Knowledge report has the questions of which a response passes, by range and verdict."""
    every = drawn(open_page("metrics"), "matrix")["rows"]
    app = open_page("metrics", verdict="incorrect", closeness="0.5-1")
    narrowed = drawn(app, "matrix")["rows"]
    assert "Verdict incorrect" in labels(app)
    assert 0 < len(narrowed) < len(every)
