"""Texts and differences as a reader uses them: how texts are compared, and on which side a difference lies."""

from playwright.sync_api import expect

from tests.browser.served import Screen


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
