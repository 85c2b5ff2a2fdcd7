"""A link shows a colleague the same thing, and Back undoes one step."""

from tests.browser.served import Screen

SEEN = """() => JSON.stringify([
    location.href,
    document.querySelector("h1")?.innerText,
    [...document.querySelectorAll("[role=radio]")].map(each => [each.innerText, each.ariaChecked]),
])"""
"""What a reader sees of a step: the address, the page and its choices."""


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
