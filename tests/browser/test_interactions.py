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


def test_a_name_stays_from_page_to_page(screen: Screen):
    """A reader gives their name once: every page that the menu leads to has it."""
    screen.open("")
    screen.give_name("Ana")

    for title in ("Responses", "Compare", "Golden dataset"):
        screen.page.get_by_test_id("stSidebarNavLink").filter(has_text=title).click()
        expect(screen.page.locator("h1")).to_have_text(title)
        screen.settle()
        expect(screen.page.get_by_role("textbox", name="Your name")).to_have_value("Ana")
