"""Differences as a reader uses them: on which side one lies."""

from playwright.sync_api import expect

from tests.browser.served import Screen


def test_a_difference_lies_on_the_side_of_its_sign(screen: Screen):
    """In the matrix a gain lies right of the line of no difference and a loss left of it."""
    screen.open("compare")
    cells = screen.rows_of("each pipeline against the others").locator("td.kind-difference")
    expect(cells).to_have_count(6)

    for cell in cells.all():
        ahead = cell.locator(".figure").inner_text().startswith("+")
        zero, point = (cell.locator(part).bounding_box()["x"] for part in (".zero", ".point"))
        assert (point > zero) == ahead
