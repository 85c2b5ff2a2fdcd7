"""Sixteen pipelines with long names: what a screen has room for, and what the keyboard reaches there."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from qaviz.store.workspace import open_workspace
from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen, Served, served
from tests.browser.test_walk import SHIFT_AT_MOST
from tests.builders import save_rows
from tests.screen import PAGES

NAMES = [f"gpt-4-1106-preview_inContext_reverse_{number:02}" for number in range(16)]
QUESTIONS = [
    f"How much did the company number {number} spend on property, plant and equipment?" for number in range(20)
]
PHONE = {"width": 360, "height": 780}
MATRIX = "Right answers: each pipeline against the others"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over a run of many pipelines; the first of them is better than the others."""
    folder = tmp_path_factory.mktemp("many")
    workspace = open_workspace(folder / "workspace")
    golden = [
        {"question": each, "answer": "It spent $1,577 million on it.", "fact": "$1,577 million", "category": each[-2]}
        for each in QUESTIONS
    ]
    responses = [
        {"question": each, "pipeline": name, "response": "It spent $1,577 million." if name == NAMES[0] else "Nothing."}
        for each in QUESTIONS
        for name in NAMES
    ]
    save_rows(workspace, golden, responses, "many")
    with served(workspace.folder) as running:
        yield running


def test_the_matrix_of_pairs_is_on_one_screen_and_is_read_by_keyboard(screen: Screen):
    """In a window of 1280 by 800 all sixteen rows are in sight, and the table scrolls in no direction. Tab leads
    from it to its cells; the one in focus says all that is known of its pair, Enter opens it."""
    screen.open("compare")
    frame = screen.page.get_by_role("region", name=MATRIX)
    box = frame.bounding_box()

    assert box["y"] + box["height"] <= DESKTOP["height"]
    assert (
        frame.evaluate("each => Math.max(each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight)")
        <= 0
    )
    frame.focus()
    screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("Tab")

    cell = screen.rows_of(MATRIX).first.locator("td").nth(2)
    said = cell.locator(".unseen")
    expect(said).to_contain_text(re.compile(f"{re.escape(NAMES[0])} .*better than {re.escape(NAMES[2])}.* 20 of 20 "))
    assert said.bounding_box()["width"] > 100
    screen.keep("compare-many")
    screen.page.keyboard.press("Enter")

    expect(screen.main().locator(".lead")).to_contain_text(f"{NAMES[0]} is better than {NAMES[2]}")
    assert parse_qs(urlsplit(screen.page.url).query)["second"] == [NAMES[2]]


def test_pages_hold_still_and_fit_a_phone(chromium: Browser, app: Served):
    """A new visitor's pages hold still, however many pipelines they show and however late their parts come, and nothing
    of a page lies beside the screen; the matrix of pairs stays a table, all in sight."""
    with Screen.of(chromium, app.url, viewport=PHONE) as visitor:
        shifts, wide = {}, {}
        for page in PAGES:
            visitor.open("" if page == "board" else page)
            shifts[page], wide[page] = visitor.shifted(), visitor.sideways()
            if page == "compare":
                assert visitor.rows_of(MATRIX).first.bounding_box()["height"] < 100
                frame = visitor.page.get_by_role("region", name=MATRIX)
                assert frame.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
        visitor.refuse_problems()

    assert {page: shift for page, shift in shifts.items() if shift >= SHIFT_AT_MOST} == {}
    assert {page: pixels for page, pixels in wide.items() if pixels > 0} == {}
