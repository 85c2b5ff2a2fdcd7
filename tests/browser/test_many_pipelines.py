"""Sixteen pipelines with long names: what a screen has room for, and what the keyboard reaches there."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from qaviz.store.workspace import open_workspace
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
