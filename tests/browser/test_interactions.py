"""What a visitor does on the pages: mark, open, step, filter, try, share."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.served import Screen

RESPONSES = "Responses with their diagnosis"


def test_a_row_opens_its_response(screen: Screen):
    """A row opens its response beside the list, in view without scrolling; arrows step through the list, Escape closes
    it, and the address names the response."""
    screen.open("responses")
    row = screen.rows_of(RESPONSES).first
    question = row.get_by_role("link").inner_text()

    row.get_by_role("link").click()

    panel = screen.main().locator(".st-key-panel")
    expect(panel.get_by_role("heading", name=question)).to_be_visible()
    response = panel.get_by_role("article").first.bounding_box()
    assert response["y"] < 500
    first = parse_qs(urlsplit(screen.page.url).query)
    for key, changed in (("ArrowRight", True), ("ArrowLeft", False)):
        # The address changes before the steps are drawn anew: Previous is disabled until then.
        screen.settle()
        before = screen.page.url
        screen.page.keyboard.press(key)
        screen.page.wait_for_function("before => location.href !== before", arg=before)
        address = parse_qs(urlsplit(screen.page.url).query)
        assert ((address["question"], address["at"]) != (first["question"], first["at"])) is changed
    screen.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(screen.rows_of(RESPONSES)).to_have_count(25)


def test_stepping_through_questions(screen: Screen):
    """The arrow keys go through the questions in the golden dataset's order."""
    screen.open("responses?tab=Question")
    heading = screen.main().locator("h2")
    first = heading.inner_text()

    screen.page.keyboard.press("ArrowRight")
    expect(screen.main()).to_contain_text("Question 2 of 10")
    expect(heading).not_to_have_text(first)
    screen.page.keyboard.press("ArrowLeft")
    expect(heading).to_have_text(first)


def test_what_rules_judge_and_people_say_is_not_cut(screen: Screen):
    """At 1280 pixels the lines of that column stand whole, in a table that does not scroll sideways."""
    screen.open("responses")
    cell = screen.main().locator("td.lines .text").first
    expect(cell).to_contain_text("people: ")
    lines = len(cell.inner_text().splitlines())
    assert lines == 3
    height, line = cell.evaluate("text => [text.scrollHeight, parseFloat(getComputedStyle(text).lineHeight)]")
    assert round(height / line) == lines
    assert cell.evaluate("text => { const f = text.closest('.frame'); return f.scrollWidth <= f.clientWidth + 1; }")
