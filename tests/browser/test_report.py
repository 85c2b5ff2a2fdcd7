"""The report's screens as a reader uses them: a cell's why, a row's question, the way back, another pipeline."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.served import Screen

MATRIX = "Factual Knowledge by question"
STEPS = "Most useful next steps"

ALMOST_NOTHING = 100
"""Pixels that a window of 800 may hide under its lower edge."""


def said(screen: Screen) -> dict[str, list[str]]:
    """What the address says."""
    return parse_qs(urlsplit(screen.page.url).query)


def test_a_question_of_the_report_opens_in_place_and_in_a_tab(screen: Screen):
    """A click opens the response in the panel, beside the report; the link under it opens the same response cold."""
    screen.open("metrics?stated=None")
    link = screen.rows_of(MATRIX).first.get_by_role("rowheader").get_by_role("link")
    question, address = link.inner_text(), link.get_attribute("href")

    link.click()
    expect(screen.page.locator("h1")).to_have_text("Metrics")
    expect(screen.main().get_by_role("heading", name=question)).to_be_visible()
    here = said(screen)

    screen.open(address)
    expect(screen.main().get_by_role("heading", name=question)).to_be_visible()
    assert said(screen) == here


def test_a_cell_says_why(screen: Screen):
    """Each mark of the report tells its reason, to a screen reader too, and no mark is told by colour alone."""
    screen.open("metrics")

    marks = screen.rows_of(MATRIX).locator(".mark")
    expect(marks).to_have_count(30)
    assert {text.split()[0] for text in marks.all_inner_texts()} == {"✓", "✗"}
    reasons = [mark.get_attribute("title") for mark in marks.all()]
    assert all(reasons)
    assert screen.rows_of(MATRIX).locator(".unseen").all_text_contents() == reasons


@pytest.mark.parametrize("key", ["Enter", "click"])
def test_a_next_step_shows_its_responses(key: str, screen: Screen):
    """A step of the overview leads to exactly the responses it counts, by mouse and by keyboard."""
    screen.open("")
    step = screen.rows_of(STEPS).first.get_by_role("link")
    many = step.inner_text().rsplit(": ", 1)[1]

    if key == "click":
        step.click()
    else:
        step.focus()
        screen.page.keyboard.press(key)

    expect(screen.page.locator("h1")).to_have_text("Responses")
    screen.settle()
    expect(screen.main().get_by_text(many, exact=True)).to_be_visible()


def test_a_long_table_keeps_its_head_in_sight(screen: Screen):
    """Scrolled down, the report still shows which column is whose, and the page itself grows no taller."""
    screen.open("metrics")
    head = screen.page.get_by_role("columnheader", name="Pipeline1")
    before = head.bounding_box()

    screen.rows_of(MATRIX).last.scroll_into_view_if_needed()

    assert head.bounding_box() == before
    hidden = screen.page.get_by_test_id("stMain").evaluate("main => main.scrollHeight - main.clientHeight")
    assert hidden < ALMOST_NOTHING


def test_a_mark_opens_its_response(screen: Screen):
    """A click on a pipeline's mark opens that pipeline's response in the panel, and the link keeps it."""
    screen.open("metrics?text=net sales")
    mark = screen.rows_of(MATRIX).first.get_by_role("cell").nth(3).get_by_role("link")
    address = mark.get_attribute("href")

    mark.click()

    chosen = screen.main().get_by_role("article").first
    expect(chosen.locator("h3")).to_have_text("Pipeline2")
    expect(chosen).to_be_in_viewport()
    assert said(screen)["at"] == ["Pipeline2"]
    screen.open(address)
    expect(chosen.locator("h3")).to_have_text("Pipeline2")


def test_texts_turn_to_how_they_are_compared(screen: Screen):
    """One button turns every text to lower case without punctuation, keeps the marks, and turns it back."""
    screen.open("responses?tab=Question&question=net-sales")
    turner = screen.main().get_by_role("button", name="As FMEval compares them")
    golden = screen.main().get_by_role("article").first.locator(".compared").last
    expect(golden).to_be_hidden()

    turner.click()
    expect(golden).to_have_text("in q2 2023 amazon’s total net sales were 1344 billion")
    expect(golden.locator(".missing", has_text="1344")).to_be_visible()
    expect(screen.main().locator(".original").first).to_be_hidden()
    turner.press("Enter")
    expect(golden).to_be_hidden()


def test_a_difference_lies_on_the_side_of_its_sign(screen: Screen):
    """In the matrix a gain lies right of the line of no difference and a loss left of it."""
    screen.open("compare")
    cells = screen.rows_of("each pipeline against the others").locator("td.kind-difference")
    expect(cells).to_have_count(6)

    for cell in cells.all():
        ahead = cell.locator(".figure").inner_text().startswith("+")
        zero, point = (cell.locator(part).bounding_box()["x"] for part in (".zero", ".point"))
        assert (point > zero) == ahead
