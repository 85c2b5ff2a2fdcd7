"""What a visitor does on the pages: open, step, go back."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.served import Screen

RESPONSES = "Responses with their diagnosis"
SEEN = """() => JSON.stringify([
    location.href,
    document.querySelector("h1")?.innerText,
    [...document.querySelectorAll("[role=radio]")].map(each => [each.innerText, each.ariaChecked]),
])"""
"""What a reader sees of a step: the address, the page and its choices."""


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


def test_each_step_back_is_one_that_the_reader_made(screen: Screen):
    """Two filters and two pages of the menu are four steps: back takes them one by one, with the filters as they were,
    and forward takes them again."""
    screen.open("")
    stations = [screen.page.evaluate(SEEN)]
    steps = (
        lambda: screen.main().get_by_role("radio", name="Table").click(),
        lambda: screen.main().get_by_role("radio", name="FMEval").click(),
        lambda: screen.page.get_by_test_id("stSidebarNavLink").filter(has_text="Responses").click(),
        lambda: screen.page.get_by_test_id("stSidebarNavLink").filter(has_text="Judges").click(),
    )
    for step in steps:
        before = screen.page.url
        step()
        screen.page.wait_for_function("before => location.href !== before", arg=before)
        screen.settle()
        stations.append(screen.page.evaluate(SEEN))

    for station in stations[-2::-1]:
        screen.page.go_back()
        screen.page.wait_for_function(f"station => ({SEEN})() === station", arg=station)
        screen.settle()
    screen.page.go_forward()
    screen.page.wait_for_function(f"station => ({SEEN})() === station", arg=stations[1])
