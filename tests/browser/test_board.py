"""The board in a browser: matrix, scatter and table follow one selection; keys walk it; pictures leave it."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from qaviz.charts import CELL_LOOKS
from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, RECALL
from qaviz.store.workspace import open_workspace
from tests.browser.charted import take, texts_of
from tests.browser.served import DESKTOP, Screen, Served, served
from tests.builders import save_rows

TABLE = "Responses with their diagnosis"
PHONE = {"width": 390, "height": 844}
MANY = 2_400


def address(screen: Screen) -> dict[str, list[str]]:
    """What the address says, without the run."""
    said = parse_qs(urlsplit(screen.page.url).query)
    return {name: values for name, values in said.items() if name != "run"}


def canvas(screen: Screen, name: str) -> Locator:
    return screen.main().get_by_role("application", name=re.compile(name))


def chip(screen: Screen, name: str) -> Locator:
    return screen.main().get_by_role("toolbar", name="Diagnoses").get_by_role("button", name=name)


def brush(screen: Screen, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag over the scatter from one place to the other, in closeness and conciseness."""
    own = canvas(screen, "Closeness")
    own.scroll_into_view_if_needed()
    box = own.bounding_box()
    places = [
        (box["x"] + 48 + x * (box["width"] - 60), box["y"] + 22 + (1 - y) * (box["height"] - 58))
        for x, y in (start, end)
    ]
    screen.page.mouse.move(*places[0])
    screen.page.mouse.down()
    screen.page.mouse.move(*places[1], steps=5)
    screen.page.mouse.up()


def test_two_pipelines_are_moves_of_which_a_direction_is_picked(screen: Screen):
    """With two pipelines selected the scatter has a line a question; a direction narrows the table to its questions,
    two responses each, and goes with the second pipeline."""
    screen.open("?pipeline=Pipeline1&pipeline=Pipeline2")
    moves = screen.main().get_by_role("toolbar", name="Moves")
    counts = [int(re.search(r"(\d+)$", text)[1]) for text in moves.get_by_role("button").all_inner_texts()]
    assert 0 < sum(counts) <= 10
    place = counts.index(max(counts))
    moves.get_by_role("button").nth(place).click()
    expect(screen.rows_of(TABLE)).to_have_count(2 * counts[place])
    assert len(address(screen)["move"]) == 1

    screen.settle()
    screen.main().get_by_role("button", name="Clear selection").first.click()
    expect(moves).to_be_hidden()


def test_a_class_and_a_brush_narrow_all_three(screen: Screen, rows: pl.DataFrame):
    """A click on a class narrows counts at once, and table and address with them; a second one takes it back. A box
    drawn on the scatter is a range of both scores in the address; table and classes have what lies in it."""
    many = rows.filter(pl.col(DIAGNOSIS) == "hallucination").height
    screen.open("")
    chip(screen, "hallucination").click()
    expect(chip(screen, "hallucination")).to_contain_text(f"{many} / {many}")
    expect(chip(screen, "off target")).to_contain_text("0 / ")
    expect(screen.rows_of(TABLE)).to_have_count(many)
    assert address(screen) == {"cell": ["hallucination"]}

    screen.settle()
    chip(screen, "hallucination").click()
    expect(screen.rows_of(TABLE)).to_have_count(25)
    assert address(screen) == {}

    screen.settle()
    brush(screen, (0.75, 0.75), (1.05, 1.05))
    expect(screen.main().get_by_text(re.compile(r"of 30 cells: "))).to_be_visible()
    said = {name: tuple(map(float, values[0].split("-"))) for name, values in address(screen).items()}

    assert said["closeness"] == pytest.approx((0.75, 1), abs=0.02)
    inside = rows.filter(pl.col(RECALL) >= said["closeness"][0], pl.col(PRECISION) >= said["conciseness"][0])
    expect(screen.rows_of(TABLE)).to_have_count(inside.height)
    correct = inside.filter(pl.col(DIAGNOSIS) == "correct").height
    expect(chip(screen, "✓ correct")).to_contain_text(f"{correct} / ")

    screen.settle()
    canvas(screen, "Closeness").press("Escape")
    expect(screen.rows_of(TABLE)).to_have_count(25)
    assert address(screen) == {}


def test_keys_walk_the_matrix(screen: Screen):
    """Arrows go from cell to cell and say where they are; Enter opens the response of the cell beside the page. Behind
    the canvas stands a table with what each column's head shows, for screen readers."""
    screen.open("")
    rows = screen.page.get_by_role("table", name="The matrix by pipeline").get_by_role("row")
    assert rows.nth(1).locator("th, td").all_text_contents() == ["Pipeline1", "9 of 10", "8 of 10", "1"]
    matrix = canvas(screen, "Questions by pipelines")
    matrix.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        screen.page.keyboard.press(key)
    live = screen.main().locator("[aria-live]")
    expect(live.last).to_have_text(re.compile(r"^Pipeline2: \S"))
    screen.page.keyboard.press("Enter")

    expect(screen.main().locator(".st-key-panel").get_by_role("article").first.locator("h3")).to_have_text("Pipeline2")
    assert address(screen)["at"] == ["Pipeline2"]


def test_pictures_and_data_of_the_board(screen: Screen, tmp_path: Path):
    """PNG has the classes' colours, SVG the questions and figures as text, CSV a row a cell."""
    screen.open("")
    with Image.open(take(screen.page, "Questions by pipelines as PNG", tmp_path)) as picture:
        colours = {colour[:3] for _, colour in picture.convert("RGB").getcolors(2**24)}
    assert {tuple(bytes.fromhex(colour[1:])) for colour, glyph in CELL_LOOKS.values() if glyph == "✓"} <= colours
    said = texts_of(take(screen.page, "Questions by pipelines as SVG", tmp_path))
    assert "9 of 10" in said
    assert "right, not credited" in said
    scatter = texts_of(take(screen.page, "Closeness and conciseness as SVG", tmp_path))
    assert re.search(r"Short and close · \d+", scatter)
    table = pl.read_csv(take(screen.page, "Matrix (CSV)", tmp_path))
    assert (table.height, table[PIPELINE].n_unique()) == (30, 3)


def test_what_is_done_first_is_on_the_first_screen(screen: Screen):
    """Verdict, how sure, the risk and the first step are in a window of 1280 by 800, and the matrix begins there; the
    verdict is on a phone's first screen too, and there the board does not scroll sideways."""
    screen.open("")
    expect(screen.main().locator(".lead").first).to_be_in_viewport()
    for part in ("How sure", "What it gains", "The risk", "Next"):
        expect(screen.main().get_by_text(part, exact=True)).to_be_in_viewport()
    expect(canvas(screen, "Questions by pipelines")).to_be_in_viewport()
    screen.page.set_viewport_size(PHONE)
    screen.settle()
    expect(screen.main().locator(".lead").first).to_be_in_viewport()
    assert screen.sideways() <= 0


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over a run of so many questions that a line of the matrix is a band."""
    folder = tmp_path_factory.mktemp("bands")
    golden = [
        {"question": f"How many in {place}?", "answer": f"{place} beds", "fact": f"{place} beds"}
        for place in range(MANY)
    ]
    responses = [
        {"question": row["question"], "pipeline": name, "response": row["answer"] if place % off else "None."}
        for place, row in enumerate(golden)
        for name, off in (("A", 9), ("B", 3))
    ]
    workspace = open_workspace(folder / "workspace")
    save_rows(workspace, golden, responses, "many")
    with served(workspace.folder) as running:
        yield running


def test_many_questions_are_bands_that_open(chromium: Browser, many: Served):
    """Of thousands of questions a line is a band; Enter opens it to its questions, Escape leads back to all."""
    with Screen.of(chromium, many.url, viewport=DESKTOP) as screen:
        screen.open("")
        matrix = canvas(screen, "Questions by pipelines")
        matrix.focus()
        live = screen.main().locator("[aria-live]").last
        screen.page.keyboard.press("ArrowDown")
        expect(live).to_have_text(re.compile(r"^Questions 1 to \d+$"))
        screen.page.keyboard.press("Enter")
        expect(screen.main().get_by_role("button", name="all questions")).to_be_visible()
        screen.page.keyboard.press("ArrowDown")
        expect(live).to_have_text(re.compile(r"^A: \S"))
        matrix.press("Escape")
        expect(screen.main().get_by_role("button", name="all questions")).to_be_hidden()
        screen.refuse_problems()
