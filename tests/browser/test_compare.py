"""The Compare page as a reader uses it: another metric, another pair, a deciding question, a criterion."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.served import Screen

MATRIX = "each pipeline against the others"
DECIDING = "Questions that decide the comparison"
CRITERIA = "Acceptance criteria"
FIGURES = "the figures"


def test_another_metric_and_another_pair(screen: Screen):
    """Sentence, matrix and figures follow what the reader picks, and the link says it."""
    screen.open("compare")
    lead = screen.main().locator(".lead")
    expect(lead).to_contain_text(re.compile("Pipeline1 from Pipeline2: 9 of 10 .* 5"))
    expect(screen.rows_of(MATRIX)).to_have_count(3)
    screen.keep("compare")

    screen.main().get_by_role("radio", name="Closeness").click()
    expect(lead).to_contain_text("closeness 0.73 against 0.63")
    screen.main().get_by_role("combobox", name="Against").click()
    screen.page.get_by_role("option", name="Pipeline3").click()
    expect(lead).to_contain_text("Pipeline1 from Pipeline3")

    said = parse_qs(urlsplit(screen.page.url).query)
    assert (said["metric"], said["second"]) == (["recall_over_words"], ["Pipeline3"])
    expect(screen.rows_of(FIGURES)).to_have_count(5)


def test_a_difference_lies_on_the_side_of_its_sign(screen: Screen):
    """In the matrix a gain lies right of the line of no difference and a loss left of it."""
    screen.open("compare")
    cells = screen.rows_of(MATRIX).locator("td.kind-difference")
    expect(cells).to_have_count(6)

    for cell in cells.all():
        ahead = cell.locator(".figure").inner_text().startswith("+")
        zero, point = (cell.locator(each).bounding_box()["x"] for each in (".zero", ".point"))
        assert (point > zero) == ahead


def test_a_deciding_question_opens(screen: Screen):
    """A row of the questions that decide opens the response that is behind, by keyboard too."""
    screen.open("compare")
    link = screen.rows_of(DECIDING).first.get_by_role("link")
    question = link.inner_text()

    link.focus()
    screen.page.keyboard.press("Enter")

    expect(screen.main().get_by_role("heading", name=question)).to_be_visible()


def test_a_criterion_is_added_and_removed(screen: Screen):
    """The reader says what a pipeline has to reach, sees who does, and takes it back."""
    screen.open("compare")
    screen.main().get_by_text("Change the criteria").click()
    screen.main().get_by_role("button", name="Add").click()

    rows = screen.rows_of(CRITERIA)
    expect(rows).to_have_count(3)
    expect(rows.first.locator(".mark")).to_have_text("? not shown")
    screen.keep("criteria")

    screen.main().get_by_role("button", name="Remove").click()
    expect(rows).to_have_count(0)
