"""What a visitor does on the pages: mark, open, step, filter, try, share."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from playwright.sync_api import Browser, expect

from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, RECALL
from tests.browser.charted import drag, marked, place
from tests.browser.conftest import DESKTOP
from tests.browser.served import Screen, Served

RESPONSES = "Responses with their diagnosis"


def test_a_click_on_the_chart_lists_every_response_that_lies_there(screen: Screen, rows: pl.DataFrame):
    """A click takes all responses at the place, also those that lie under the mark that is hit."""
    at_zero = rows.filter(pl.col(RECALL) == 0, pl.col(PRECISION) == 0).height
    assert at_zero > 1
    screen.open("metrics?tab=Closeness vs conciseness")

    screen.page.mouse.click(*place(screen, 0, 0))

    expect(marked(screen)).to_have_text(f"Marked: {at_zero} responses")
    expect(screen.rows_of(RESPONSES)).to_have_count(at_zero)


@pytest.mark.parametrize(
    ("tool", "corners", "inside"),
    [
        pytest.param(
            "select",
            [(0.75, 0.75), (1.02, 1.02)],
            (pl.col(RECALL) >= 0.75) & (pl.col(PRECISION) >= 0.75),
            id="box",
        ),
        pytest.param(
            "lasso",
            [(-0.02, -0.02), (0.3, -0.02), (-0.02, 0.3), (-0.02, -0.02)],
            pl.col(RECALL) + pl.col(PRECISION) < 0.28,
            id="lasso",
        ),
    ],
)
def test_a_box_or_lasso_lists_the_responses_inside(
    screen: Screen, rows: pl.DataFrame, tool: str, corners: list[tuple[float, float]], inside: pl.Expr
):
    """What is drawn around is listed below the chart, nothing more."""
    expected = rows.filter(inside).height
    screen.open("metrics?tab=Closeness vs conciseness")

    screen.main().locator(f".modebar-btn[data-val={tool}]").click()
    drag(screen, corners)

    expect(marked(screen)).to_have_text(f"Marked: {expected} responses")


def test_a_box_narrows_every_tab(screen: Screen, rows: pl.DataFrame):
    """A box that is kept as a filter stays on other tabs, until it is taken away there."""
    expected = rows.filter(pl.col(RECALL) >= 0.75, pl.col(PRECISION) >= 0.75).height
    screen.open("metrics?tab=Closeness vs conciseness")
    screen.main().locator(".modebar-btn[data-val=select]").click()
    drag(screen, [(0.75, 0.75), (1.02, 1.02)])
    screen.main().get_by_role("button", name="Filter to this box").click()
    expect(screen.main().get_by_role("button", name="Conciseness 0.75 to 1.00")).to_be_visible()

    screen.page.get_by_role("link", name="Responses", exact=True).click()
    expect(screen.rows_of(RESPONSES)).to_have_count(expected)
    for name in ("Closeness", "Conciseness"):
        screen.main().get_by_role("button", name=f"{name} 0.75 to 1.00").click()
        expect(screen.main().get_by_role("button", name=f"{name} 0.75 to 1.00")).to_have_count(0)
    expect(screen.rows_of(RESPONSES)).to_have_count(25)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_bar_over_a_column_narrows_the_list(screen: Screen, rows: pl.DataFrame, by: str):
    """Bars over a column stand for as many responses as they narrow the list to; the same bar again takes it back."""
    expected = rows.filter(pl.col(RECALL) < 0.1).height
    screen.open("responses")
    bars = screen.page.get_by_role("group", name="Responses by closeness").get_by_role("button")

    def press() -> None:
        if by == "mouse":
            bars.first.click()
        else:
            bars.first.focus()
            screen.page.keyboard.press("ArrowRight")
            screen.page.keyboard.press("ArrowLeft")
            screen.page.keyboard.press("Enter")

    expect(bars.first).to_have_attribute("aria-label", f"closeness 0.00 to 0.10: {expected}")
    press()
    expect(screen.rows_of(RESPONSES)).to_have_count(expected)
    assert parse_qs(urlsplit(screen.page.url).query)["closeness"] == ["0-0.1"]
    screen.settle()
    press()
    expect(screen.rows_of(RESPONSES)).to_have_count(25)


def test_dragging_over_bars_narrows_to_all_of_them(screen: Screen, rows: pl.DataFrame):
    """A drag from one bar to another narrows the list to the range of both and what lies between."""
    expected = rows.filter(pl.col(PRECISION) >= 0.2, pl.col(PRECISION) < 0.5).height
    screen.open("responses")
    bars = screen.page.get_by_role("group", name="Responses by conciseness").get_by_role("button")

    bars.nth(4).hover()
    screen.page.mouse.down()
    bars.nth(3).hover()
    bars.nth(2).hover()
    screen.page.mouse.up()

    expect(screen.rows_of(RESPONSES)).to_have_count(expected)


def test_hovering_a_point_names_pipeline_question_and_response(screen: Screen, rows: pl.DataFrame):
    """A single point tells whose response it is, to which question, and how it begins."""
    row = rows.filter((pl.len().over(RECALL, PRECISION) == 1) & (pl.col(DIAGNOSIS) == "verbose")).row(0, named=True)
    screen.open("metrics?tab=Closeness vs conciseness")

    screen.page.mouse.move(*place(screen, row[RECALL], row[PRECISION]))

    hover = screen.main().locator(".hoverlayer .hovertext")
    for text in (row[PIPELINE], "verbose", row["question"][:40], row["response"][:40]):
        expect(hover).to_contain_text(text)


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


def by_mouse(screen: Screen, button: str) -> None:
    screen.main().get_by_role("button", name=button).click()


def by_keyboard(screen: Screen, button: str) -> None:
    screen.page.keyboard.press({"Next": "ArrowRight", "Previous": "ArrowLeft"}[button])


@pytest.mark.parametrize("step", [by_mouse, by_keyboard])
def test_stepping_through_questions(screen: Screen, step: Callable[[Screen, str], None]):
    """Next and Previous go through the questions in the golden dataset's order, by mouse and by arrow keys."""
    screen.open("responses?tab=Question")
    heading = screen.main().locator("h2")
    first = heading.inner_text()

    step(screen, "Next")
    expect(screen.main()).to_contain_text("Question 2 of 10")
    expect(heading).not_to_have_text(first)
    step(screen, "Previous")
    expect(heading).to_have_text(first)


def test_words_are_marked_and_summed_up(screen: Screen):
    """Each response shows its words as found, missing and extra, the fact's place, and each score as arithmetic."""
    screen.open("responses?tab=Question&question=net-sales")
    wrong = screen.main().get_by_role("article").filter(has_text="$170.0 billion")

    expect(wrong.locator(".missing", has_text="134.4").first).to_be_visible()
    expect(wrong.locator(".extra", has_text="170.0").first).to_be_visible()
    expect(wrong).to_contain_text("9 found ÷ (9 found + 1 missing) = 9 ÷ 10 = 0.900")
    right = screen.main().get_by_role("article").filter(has_text="“134,383 million” is in the response")
    expect(right.locator(".fact")).to_have_text("134,383 million")


def test_a_link_shows_a_colleague_the_same_rows(
    screen: Screen, sample_app: Served, chromium: Browser, rows: pl.DataFrame
):
    """What is filtered stands in the address: opened by someone else it shows the same responses."""
    declined = rows.filter(pl.col(DIAGNOSIS) == "declined")
    screen.open("responses")

    screen.main().get_by_role("button", name=re.compile("declined")).click()
    expect(screen.rows_of(RESPONSES)).to_have_count(declined.height)
    screen.main().get_by_role("searchbox").fill("Amazon")
    screen.page.keyboard.press("Enter")
    expect(screen.page).to_have_url(re.compile("text=Amazon"))

    with Screen.of(chromium, sample_app.url, viewport=DESKTOP) as colleague:
        colleague.page.goto(screen.page.url)
        colleague.settle()
        expect(colleague.main().get_by_role("searchbox")).to_have_value("Amazon")
        expect(colleague.rows_of(RESPONSES)).to_have_count(screen.rows_of(RESPONSES).count())
        colleague.refuse_problems()


def test_a_tried_threshold_says_what_it_changes(screen: Screen):
    """Moving a threshold counts the responses that change class; the run's own come back with one click."""
    screen.open("responses")
    screen.main().get_by_text("Thresholds").click()

    limit = screen.main().get_by_role("spinbutton", name="Wordy below")
    limit.fill("0")
    limit.press("Enter")

    said = screen.main().get_by_text("This is a trial")
    expect(said).to_contain_text(re.compile(r"\d+ of 30 .* from verbose to correct"))
    screen.main().get_by_role("button", name="As in the run").click()
    expect(said).to_have_count(0)
    expect(limit).to_have_value("0.30")


def test_the_mix_of_diagnoses_opens(screen: Screen):
    """The panel of the diagnoses, opened by keyboard, draws a bar for each pipeline, with every diagnosis of the run in
    the legend."""
    screen.open("responses")

    screen.main().get_by_role("button", name="Diagnoses by pipeline").focus()
    screen.page.keyboard.press("Enter")

    chart = screen.main().locator(".js-plotly-plot")
    expect(chart.locator(".yaxislayer-above .ytick, .ytick")).to_have_count(3)
    expect(chart.locator(".legendtext")).to_have_count(8)
    assert parse_qs(urlsplit(screen.page.url).query)["panels"] == ["Diagnoses by pipeline"]
    screen.page.go_back()
    expect(chart).to_have_count(0)


def test_charts_follow_the_colour_scheme(screen: Screen):
    """In a dark browser the page is dark and the chart's text is light."""
    screen.page.emulate_media(color_scheme="dark")
    screen.open("metrics?tab=Closeness vs conciseness")

    expect(screen.page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(18, 23, 28)")
    light = re.compile(r"rgb\(2\d\d, 2\d\d, 2\d\d\)")
    expect(screen.main().locator(".js-plotly-plot .xtitle")).to_have_css("fill", light)


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
