"""Charts: their threshold lines move, their panels can be marked, and they leave the app as files."""

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from qaviz.charts import DIAGNOSIS_COLOURS, PIPELINE_COLOURS
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, RECALL
from qaviz.runs import SAMPLE_NAME
from tests.browser.charted import CSV, HTML, PDF, PNG, SVG, download, marked, opened_from_disk, place, texts_of
from tests.browser.served import Screen

CLOSE_FROM = "Close from"
PHONE = {"width": 360, "height": 740}


def handle(screen: Screen, name: str) -> Locator:
    return screen.main().get_by_role("slider", name=name)


def tried(screen: Screen) -> dict[str, list[str]]:
    """What the address says, without the run and the tab."""
    query = parse_qs(urlsplit(screen.page.url).query)
    return {name: values for name, values in query.items() if name not in ("run", "tab")}


def drag_to(screen: Screen, name: str, closeness: float, conciseness: float) -> None:
    x, y = place(screen, closeness, conciseness)
    box = handle(screen, name).bounding_box()
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.page.mouse.down()
    screen.page.mouse.move(x, y, steps=5)
    screen.page.mouse.up()


def lines(screen: Screen) -> list[float]:
    """Where the two thresholds are drawn in the first panel."""
    screen.main().locator(".qaviz-threshold").nth(1).wait_for(state="attached")
    return screen.page.evaluate(
        """() => {
            const chart = document.querySelector(".js-plotly-plot");
            const { xaxis, yaxis } = chart._fullLayout;
            const [x, y] = ["x", "y"].map((axis) => chart.querySelector(`.qaviz-threshold.${axis}`).style);
            return [xaxis.p2d(parseFloat(x.left) - xaxis._offset), yaxis.p2d(parseFloat(y.top) - yaxis._offset)];
        }"""
    )


def test_a_dragged_line_is_a_threshold(screen: Screen, rows: pl.DataFrame):
    """A line moves along its own axis only; where it is left stands in the address, in the field, and in the counts."""
    screen.open("metrics?tab=Closeness vs conciseness")

    drag_to(screen, CLOSE_FROM, 0.4, 0.1)

    expect(screen.page).to_have_url(re.compile(r"high_closeness=0\.4\d*"))
    screen.settle()
    assert list(tried(screen)) == ["high_closeness"]
    (said,) = map(float, tried(screen)["high_closeness"])
    assert said == pytest.approx(0.4, abs=0.02)
    expect(screen.main().get_by_role("spinbutton", name=CLOSE_FROM)).to_have_value(f"{said:.2f}")
    first = rows[PIPELINE][0]
    close = rows.filter(pl.col(PIPELINE) == first, pl.col(RECALL) >= said, pl.col(PRECISION) >= 0.3).height
    counts = screen.rows_of("Where each pipeline's responses lie").first
    expect(counts.locator("td", has_text="%").first).to_contain_text(f"{close} (")
    assert lines(screen) == pytest.approx([said, 0.3], abs=0.001)


def test_a_threshold_that_moves_leaves_the_chart_as_it_is(screen: Screen):
    """No diagnosis changes with it, so the chart is not drawn anew: what is marked on it stays, and its line moves."""
    screen.open("metrics?tab=Closeness vs conciseness")
    screen.page.mouse.click(*place(screen, 0, 0))
    expect(marked(screen)).to_be_visible()
    chart = screen.main().locator(".js-plotly-plot").element_handle()

    screen.main().get_by_role("spinbutton", name="Wordy below").fill("0.31")
    screen.page.keyboard.press("Enter")

    expect(screen.page).to_have_url(re.compile(r"low_conciseness=0\.31"))
    screen.settle()
    assert lines(screen) == pytest.approx([0.7, 0.31], abs=0.001)
    assert chart.evaluate("(chart) => chart.isConnected")
    expect(marked(screen)).to_be_visible()


def test_a_line_stops_at_the_end_of_the_scores(screen: Screen):
    """Dragged out of the chart, a threshold is the lowest that there is, not less."""
    screen.open("metrics?tab=Closeness vs conciseness")

    drag_to(screen, "Wordy below", 0.5, -0.4)

    expect(screen.page).to_have_url(re.compile(r"low_conciseness=0\.00"))


def test_lines_move_by_keys(screen: Screen):
    """The handles are sliders: arrow keys move them a hundredth, page keys a tenth, and the focus stays for more."""
    screen.open("metrics?tab=Closeness vs conciseness")
    slider = handle(screen, CLOSE_FROM)
    slider.focus()

    for key in ("PageDown", "ArrowLeft", "ArrowLeft"):
        screen.page.keyboard.press(key)
    expect(screen.page).to_have_url(re.compile(r"high_closeness=0\.58"))
    screen.settle()

    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuenow", "0.58")


def test_a_click_in_a_panel_lists_its_responses_only(screen: Screen, rows: pl.DataFrame):
    """In panels by pipeline, what lies at the same place in another panel is not listed."""
    at_zero = rows.filter(pl.col(RECALL) == 0, pl.col(PRECISION) == 0)
    second = rows[PIPELINE].unique(maintain_order=True)[1]
    expected = at_zero.filter(pl.col(PIPELINE) == second)
    assert 0 < expected.height < at_zero.height
    screen.open("metrics?tab=Closeness vs conciseness&split=By pipeline")
    expect(screen.main().locator(".js-plotly-plot .subplot")).to_have_count(3)

    screen.page.mouse.click(*place(screen, 0, 0, panel=2))

    expect(marked(screen)).to_have_text(
        f"Marked: {expected.height} responses" if expected.height > 1 else "Marked: 1 response"
    )


def test_a_chart_is_said_in_words(screen: Screen):
    """Who does not see the chart is told what it shows, means and all."""
    screen.open("metrics?tab=Closeness vs conciseness")

    chart = screen.main().get_by_role("figure", name=re.compile("responses by closeness and conciseness"))
    expect(chart).to_have_accessible_name(re.compile(r"means: Pipeline1 0\.\d\d and 0\.\d\d, "))


def test_a_picture_of_the_scatter(screen: Screen, tmp_path: Path):
    """PNG: twice the size, on white also where the page is dark, with the pipelines' colours."""
    screen.page.emulate_media(color_scheme="dark")
    screen.open("metrics?tab=Closeness vs conciseness")

    file = download(screen, PNG, tmp_path)

    assert re.fullmatch(r"closeness-vs-conciseness_Sample-Amazon-Q2-2023_\d{4}-\d\d-\d\d\.png", file.name)
    with Image.open(file) as picture:
        assert picture.format == "PNG"
        assert picture.width == 2 * 1200
        assert picture.height > 2 * 560
        colours = {colour[:3] for _, colour in picture.convert("RGB").getcolors(2**24)}
        assert picture.convert("RGB").getpixel((5, 5)) == (255, 255, 255)
    assert {tuple(bytes.fromhex(colour[1:])) for colour in PIPELINE_COLOURS[:3]} <= colours


def test_a_document_of_the_scatter(screen: Screen, tmp_path: Path):
    """PDF: one page of the picture's shape, on which the picture's colours stand without loss."""
    screen.open("metrics?tab=Closeness vs conciseness")

    pages = pypdfium2.PdfDocument(download(screen, PDF, tmp_path))

    assert len(pages) == 1
    assert pages[0].get_width() == pytest.approx(900)
    picture = pages[0].render(scale=4).to_pil().convert("RGB")
    assert picture.getpixel((5, 5)) == (255, 255, 255)
    colours = {colour for _, colour in picture.getcolors(2**24)}
    assert {tuple(bytes.fromhex(colour[1:])) for colour in PIPELINE_COLOURS[:3]} <= colours


def test_a_picture_goes_to_the_clipboard(screen: Screen):
    """Copy image: the clipboard holds a PNG twice as wide as the chart's picture, and the button says so."""
    screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.open("metrics?tab=Closeness vs conciseness")
    screen.main().get_by_role("button", name="Download").click()
    screen.page.get_by_role("button", name="Copy image").click()

    expect(screen.page.get_by_role("button", name="Copied")).to_be_visible()
    width = screen.page.evaluate(
        """async () => {
            const [item] = await navigator.clipboard.read();
            return (await createImageBitmap(await item.getType("image/png"))).width;
        }"""
    )
    assert width == 2400
    screen.refuse_problems()


def test_a_drawing_says_run_date_and_filter(screen: Screen, tmp_path: Path):
    """SVG: an XML document with title, run, date, what is filtered and tried, and the axes' names."""
    screen.open("metrics?tab=Closeness vs conciseness&pipeline=Pipeline1&text=Amazon&high_closeness=0.5")

    said = texts_of(download(screen, SVG, tmp_path))

    assert "Closeness vs conciseness" in said
    assert re.search(rf"{SAMPLE_NAME}, .*\d\d \w+ \d{{4}}.* Pipeline1.*“Amazon”", said)
    assert "Close from 0.50 on trial" in said
    assert "Closeness (recall)" in said


def test_the_mix_of_diagnoses_leaves_the_app_too(screen: Screen, chromium: Browser, rows: pl.DataFrame, tmp_path: Path):
    """The chart of diagnoses has the same menu: picture, drawing, data and page."""
    screen.open("responses")
    screen.main().get_by_text("Diagnoses by pipeline").click()
    screen.main().locator(".js-plotly-plot .bars path").first.wait_for()

    with Image.open(download(screen, PNG, tmp_path)) as picture:
        colours = {colour[:3] for _, colour in picture.convert("RGB").getcolors(2**24)}
    assert tuple(bytes.fromhex(DIAGNOSIS_COLOURS[Diagnosis.CORRECT][1:])) in colours
    assert "Share of responses" in texts_of(download(screen, SVG, tmp_path))
    table = pl.read_csv(download(screen, CSV, tmp_path))
    assert table["responses"].sum() == rows.height
    with opened_from_disk(chromium, download(screen, HTML, tmp_path)) as tab:
        expect(tab.locator("#chart .legendtext")).to_have_count(rows[DIAGNOSIS].n_unique())


def test_the_chart_fits_a_phone(chromium: Browser, screen: Screen):
    """On a phone chart, handles and menu are within the screen."""
    with Screen.of(chromium, screen.base, viewport=PHONE) as phone:
        phone.open("metrics?tab=Closeness vs conciseness&split=By pipeline")
        handle(phone, CLOSE_FROM).wait_for()

        assert phone.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        for part in (handle(phone, CLOSE_FROM), phone.main().get_by_role("button", name="Download")):
            box = part.bounding_box()
            assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
        phone.refuse_problems()


TEXTS_OF_A_CHART = """() => {
    const texts = [...document.querySelectorAll(".js-plotly-plot .main-svg text")].filter((each) => each.textContent);
    return texts.map((each) => {
        const { fill, fillOpacity } = getComputedStyle(each);
        return [each.textContent, fill.match(/\\d+/g).slice(0, 3).map(Number), Number(fillOpacity)];
    });
}"""


@pytest.mark.parametrize(("scheme", "page"), [("light", (255, 255, 255)), ("dark", (18, 23, 28))])
def test_what_a_chart_says_can_be_read(screen: Screen, scheme: str, page: tuple[int, int, int]):
    """Axes, names of regions, curves and means have the contrast that level AA asks for, in both themes."""
    screen.page.emulate_media(color_scheme=scheme)
    screen.open("metrics?tab=Closeness vs conciseness")
    screen.main().locator(".js-plotly-plot .annotation-text", has_text="Pipeline1").wait_for()
    expect(screen.page.get_by_test_id("stApp")).to_have_css("background-color", f"rgb{page}")

    texts = screen.page.evaluate(TEXTS_OF_A_CHART)

    assert {"Closeness (recall)", "Short and close", "F1 0.8", "Pipeline1"} <= {text for text, _, _ in texts}
    for text, ink, opacity in texts:
        seen = [opacity * part + (1 - opacity) * behind for part, behind in zip(ink, page, strict=True)]
        assert contrast(seen, page) >= 4.5, text


def luminance(colour: Sequence[float]) -> float:
    """Relative luminance of red, green and blue from 0 to 255, as WCAG 2.2 defines it."""
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)
