"""What a visitor does with a chart: point at scores, draw around them, take it along and open it again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.served import Screen

SVG_TEXT = "{http://www.w3.org/2000/svg}text"

PNG, SVG, PDF = "Image (PNG)", "Vector image (SVG)", "Document (PDF)"
CSV, HTML = "Data (CSV)", "Page (HTML)"


def place(screen: Screen, closeness: float, conciseness: float, panel: int = 1) -> tuple[float, float]:
    """Where a panel of the chart draws these scores, in pixels of the window."""
    screen.main().locator(".js-plotly-plot .points path").first.wait_for()
    return tuple(
        screen.page.evaluate(
            """([x, y, panel]) => {
                const chart = document.querySelector(".js-plotly-plot");
                const [xaxis, yaxis] = ["xaxis", "yaxis"].map((axis) => chart._fullLayout[axis + panel]);
                const frame = chart.getBoundingClientRect();
                return [frame.x + xaxis._offset + xaxis.d2p(x), frame.y + yaxis._offset + yaxis.d2p(y)];
            }""",
            [closeness, conciseness, panel if panel > 1 else ""],
        )
    )


def drag(screen: Screen, corners: list[tuple[float, float]]) -> None:
    """Draw along these places of the chart with the pressed mouse."""
    first, *others = [place(screen, *corner) for corner in corners]
    screen.page.mouse.move(*first)
    screen.page.mouse.down()
    for corner in others:
        screen.page.mouse.move(*corner, steps=6)
    screen.page.mouse.up()


def marked(screen: Screen) -> Locator:
    """How many responses are marked, in words."""
    return screen.main().locator("h3", has_text="Marked")


def download(screen: Screen, entry: str, folder: Path) -> Path:
    """Take this entry of the download menu of the page's only chart."""
    wanted = screen.page.get_by_role("button", name=entry)
    if not wanted.is_visible():
        screen.main().get_by_role("button", name="Download").click()
    # A rerun gives a file another address: what is clicked during one no longer exists.
    expect(wanted).to_be_visible()
    screen.settle()
    with screen.page.expect_download() as begun:
        wanted.click()
    file = folder / begun.value.suggested_filename
    begun.value.save_as(file)
    return file


def texts_of(drawing: Path) -> str:
    """All that an SVG says."""
    return "\n".join("".join(each.itertext()) for each in ElementTree.parse(drawing).iter(SVG_TEXT))


@contextmanager
def opened_from_disk(browser: Browser, page: Path) -> Iterator[Page]:
    """The downloaded page in a browser without a network; nothing may go wrong on it, and nothing be asked for."""
    visit = browser.new_context(offline=True)
    try:
        tab = visit.new_page()
        wrong: list[str] = []
        tab.on("console", lambda message: wrong.append(f"console: {message.text}"))
        tab.on("pageerror", lambda error: wrong.append(f"script error: {error}"))
        tab.on("request", lambda request: wrong.append(request.url) if request.url != page.as_uri() else None)
        tab.goto(page.as_uri())
        expect(tab.locator("#chart .main-svg").first).to_be_visible()
        yield tab
        assert wrong == []
    finally:
        visit.close()
