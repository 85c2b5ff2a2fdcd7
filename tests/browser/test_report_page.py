"""The decision pack's interactive page in a real Chromium: from disk, with hostile texts, and with many responses."""

import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, expect

from qaviz.analysis.tables import ALL_ZERO, HITS, SCORED, fact_matrix, matching, score_column
from qaviz.exports.decision_pack import gather_from, write_file
from qaviz.loading import Source
from qaviz.model.columns import DIAGNOSIS, FACTUAL_KNOWLEDGE, QUESTION
from qaviz.model.records import Run
from qaviz.runs import save
from qaviz.store.workspace import Workspace, open_workspace
from tests.browser.conftest import DESKTOP
from tests.browser.hostile import hostile_files, refuse_traces, short
from tests.browser.served import Collector, Screen
from tests.builders import draft_files, save_sample, write_jsonl
from tests.growth import TIMES

PAGES = {
    "overview": "Overview",
    "facts": "Factual Knowledge",
    "closeness": "Closeness vs conciseness",
    "diagnostics": "Diagnostics",
    "question": "Question",
    "about": "About",
}
PHONE = {"width": 360, "height": 740}
RESPONSES = "Responses with their diagnosis"
MATRIX = "Factual Knowledge by question and pipeline"

TRIES = 3
"""Two cores are shared with other work: the best of so many counts."""


def write_page(run: Run, workspace: Workspace, out: Path) -> Path:
    write_file(gather_from(workspace, run, datetime.now(UTC)), out)
    return out


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Run]:
    workspace = open_workspace(tmp_path_factory.mktemp("report") / "workspace")
    return workspace, save_sample(workspace)


@pytest.fixture(scope="module")
def site(sample: tuple[Workspace, Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the page of the sample run, `report.html`."""
    workspace, run = sample
    home = tmp_path_factory.mktemp("sites")
    write_page(run, workspace, home / "report.html")
    return home


@contextmanager
def reader(chromium: Browser, base: str, **context: object) -> Iterator[Screen]:
    """Somebody who reads a site; a request that leaves it, or an error in the console, fails the test."""
    with Screen.of(chromium, base, **({"viewport": DESKTOP} | context)) as visitor:
        yield visitor
        visitor.refuse_problems()


@pytest.fixture
def screen(chromium: Browser, site: Path) -> Iterator[Screen]:
    with reader(chromium, site.as_uri()) as visitor:
        yield visitor


def open_site(screen: Screen, path: str) -> None:
    screen.page.goto(f"{screen.base}/{path}")
    expect(screen.page.locator("body")).to_have_attribute("data-drawn", "yes")


def shown(screen: Screen, title: str) -> None:
    expect(screen.page.locator("h1")).to_have_text(title)


def chip(screen: Screen, diagnosis: str) -> Locator:
    return screen.page.get_by_role("button", name=diagnosis)


def test_a_link_opens_its_question_word_by_word(screen: Screen):
    """A deep link shows the question as the app does: marks, the fact's place, sums; the arrow keys go on."""
    open_site(screen, "report.html#/question/net-sales")

    wrong = screen.page.get_by_role("article").filter(has_text="$170.0 billion")
    expect(wrong.locator(".missing", has_text="134.4").first).to_be_visible()
    expect(wrong.locator(".extra", has_text="170.0").first).to_be_visible()
    expect(wrong).to_contain_text("9 found ÷ (9 found + 1 missing) = 9 ÷ 10 = 0.900")
    right = screen.page.get_by_role("article").filter(has_text="“134,383 million” is in the response")
    expect(right.locator(".fact")).to_have_text("134,383 million")
    expect(screen.page.locator("main")).to_contain_text("Question 2 of 10")
    screen.page.keyboard.press("ArrowRight")
    expect(screen.page.locator("main")).to_contain_text("Question 3 of 10")


def test_the_matrix_says_what_the_run_says(screen: Screen, sample: tuple[Workspace, Run]):
    """Question by question and pipeline by pipeline the marks are the run's scores, all-zero questions first."""
    workspace, run = sample
    matrix = fact_matrix(workspace.rows(run), workspace.golden(run.golden_id), run.pipelines, FACTUAL_KNOWLEDGE)
    open_site(screen, "report.html#/facts")

    marks = screen.rows_of(MATRIX).locator(".mark").all_inner_texts()
    scores = matrix.select(map(score_column, run.pipelines)).rows()
    assert [mark.split()[1] for mark in marks] == [f"{score:.0f}" for row in scores for score in row]
    names = screen.rows_of(MATRIX).get_by_role("rowheader").get_by_role("link")
    assert names.all_inner_texts() == matrix[QUESTION].to_list()
    expect(screen.rows_of(MATRIX).locator(".flag.bad")).to_have_count(matrix[ALL_ZERO].sum())
    every = matrix.filter(pl.col(HITS) == pl.col(SCORED)).height
    expect(screen.rows_of(MATRIX).locator(".flag.none")).to_have_count(every)


def test_the_matrix_is_grouped_and_a_mark_opens_its_response(screen: Screen):
    """By category each group has its totals; a mark leads to that pipeline's response, which stands out."""
    open_site(screen, "report.html#/facts?order=By+category&category=balance+sheet")
    rows = screen.rows_of(MATRIX)
    expect(rows.locator(".mark").filter(has_text="of")).to_have_text(["3 of 3", "2 of 3", "2 of 3"])

    rows.nth(1).get_by_role("cell").nth(3).get_by_role("link").click()

    shown(screen, "Question")
    expect(screen.page.locator("article.at h3")).to_have_text("Pipeline2")
    screen.page.get_by_role("button", name="As FMEval compares them").click()
    expect(screen.page.locator("article.at .compared").last).to_have_text(re.compile("^on june 30 2023 amazon had 501"))


def test_filters_narrow_and_a_link_says_them(screen: Screen, chromium: Browser, sample: tuple[Workspace, Run]):
    """Chips and search list exactly the responses that pass; the address shows someone else the same; back undoes."""
    workspace, run = sample
    declined = workspace.rows(run).filter(pl.col(DIAGNOSIS) == "declined")
    open_site(screen, "report.html#/diagnostics")
    rows = screen.rows_of(RESPONSES)

    chip(screen, "declined").click()
    expect(rows).to_have_count(declined.height)
    search = screen.page.get_by_role("searchbox")
    search.press_sequentially("net sales", delay=5)
    expect(rows).to_have_count(matching(declined, "net sales").height)
    expect(search).to_be_focused()

    with reader(chromium, screen.base) as colleague:
        colleague.page.goto(screen.page.url)
        expect(colleague.rows_of(RESPONSES)).to_have_count(rows.count())
    search.fill("")
    expect(rows).to_have_count(declined.height)
    screen.page.go_back()
    expect(screen.page.locator("main")).to_contain_text("30 responses")


def test_a_row_opens_its_question_by_mouse_and_by_key(screen: Screen):
    """A list's row leads to its question; Enter on its link does too, and Back returns to the list."""
    open_site(screen, "report.html#/diagnostics")
    link = screen.rows_of(RESPONSES).nth(1).get_by_role("link")
    question = link.inner_text()

    link.click()
    shown(screen, "Question")
    expect(screen.page.get_by_role("heading", name=question)).to_be_visible()
    screen.page.go_back()
    shown(screen, "Diagnostics")
    screen.rows_of(RESPONSES).nth(1).get_by_role("link").focus()
    screen.page.keyboard.press("Enter")
    shown(screen, "Question")


def test_a_next_step_shows_its_responses(screen: Screen):
    """A step of the overview leads to exactly the responses it counts."""
    open_site(screen, "report.html")
    step = screen.rows_of("Most useful next steps").first.get_by_role("link")
    many = step.inner_text().rsplit(": ", 1)[1]

    step.click()

    shown(screen, "Diagnostics")
    expect(screen.page.get_by_text(many, exact=True)).to_be_visible()


def test_a_click_on_the_chart_lists_what_lies_there(screen: Screen, sample: tuple[Workspace, Run]):
    """At 0 and 0 several responses lie on one another: a click lists them all, and the link keeps them."""
    workspace, run = sample
    at_zero = workspace.rows(run).filter(pl.col("recall_over_words") == 0, pl.col("precision_over_words") == 0).height
    open_site(screen, "report.html#/closeness")
    box = screen.page.get_by_role("img").bounding_box()
    # The plot's corner: margins as chart.js has them, and 0 a little inside of them.
    across, down = box["width"] - 58 - 52, box["height"] - 14 - 46
    spot = box["x"] + 58 + across * 0.03 / 1.06, box["y"] + 14 + down * 1.03 / 1.06

    screen.page.mouse.move(*spot)
    expect(screen.page.locator(".hint")).to_contain_text(f"{at_zero} responses")
    screen.page.mouse.click(*spot)

    expect(screen.page.get_by_role("heading", name=f"Marked: {at_zero} responses")).to_be_visible()
    screen.page.reload()
    expect(screen.rows_of(RESPONSES)).to_have_count(at_zero)


def test_a_region_is_listed_without_a_mouse(screen: Screen):
    """Each region of the chart can be picked from a list; it has as many responses as the table under it counts."""
    open_site(screen, "report.html#/closeness")
    counted = screen.rows_of("Where each pipeline's responses lie").locator("td:nth-child(5)").all_inner_texts()

    screen.page.get_by_role("combobox", name="List a region").select_option("Close but wordy")

    expect(screen.rows_of(RESPONSES)).to_have_count(sum(int(text.split()[0]) for text in counted))


def test_the_theme_follows_the_reader_and_can_be_switched(chromium: Browser, site: Path):
    """Dark where the system is dark; the switch turns it, and is remembered."""
    with reader(chromium, site.as_uri(), color_scheme="dark") as visitor:
        body = visitor.page.locator("body")
        open_site(visitor, "report.html")
        expect(body).to_have_css("background-color", "rgb(18, 23, 28)")
        visitor.page.get_by_role("button", name="Show in light colours").click()
        expect(body).to_have_css("background-color", "rgb(255, 255, 255)")
        visitor.page.reload()
        expect(body).to_have_css("background-color", "rgb(255, 255, 255)")


def test_paper_is_light(chromium: Browser, site: Path):
    """A dark page is printed dark on light, whole tables and nothing to press, and is dark again afterwards."""
    with reader(chromium, site.as_uri(), color_scheme="dark") as visitor:
        open_site(visitor, "report.html#/facts")
        visitor.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        visitor.page.emulate_media(media="print")
        expect(visitor.page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
        expect(visitor.page.get_by_role("region", name=MATRIX)).to_have_css("max-height", "none")
        expect(visitor.page.locator("nav.menu")).to_be_hidden()
        visitor.page.emulate_media(media="screen", color_scheme="dark")
        visitor.page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(visitor.page.locator("body")).to_have_css("background-color", "rgb(18, 23, 28)")


@pytest.mark.parametrize(
    "page",
    [
        "overview",
        "facts?order=By+category",
        "closeness?region=Partial",
        "diagnostics?diagnosis=verbose",
        "question",
        "about",
    ],
)
def test_no_page_shuts_anybody_out(page: str, screen: Screen):
    """axe-core finds nothing serious in names, roles and structure, nor in the contrast of either theme."""
    open_site(screen, f"report.html#/{page}")
    expect(screen.page.locator("main").locator("article, table, dl").first).to_be_visible()
    found = Axe().run(screen.page, options={"resultTypes": ["violations"]}).response["violations"]
    screen.page.emulate_media(color_scheme="dark")
    expect(screen.page.locator("body")).to_have_css("background-color", "rgb(18, 23, 28)")
    found += Axe().run(screen.page, options={"runOnly": ["color-contrast"]}).response["violations"]

    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], node["html"]) for each in serious for node in each["nodes"]] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_phone_scrolls_one_way(page: str, chromium: Browser, site: Path):
    """360 pixels wide, no page is wider than the screen."""
    with reader(chromium, site.as_uri(), viewport=PHONE) as visitor:
        open_site(visitor, f"report.html#/{page}")
        expect(visitor.page.locator("main")).to_be_visible()
        width = visitor.page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"]


@pytest.mark.parametrize(
    "path", ["#/nowhere", "#/question/%E0%A4%A", "#/diagnostics?page=-4&diagnosis=x&order=__proto__"]
)
def test_an_address_that_says_nonsense_does_no_harm(path: str, screen: Screen):
    """A mistyped address still shows a page."""
    open_site(screen, f"report.html{path}")
    expect(screen.page.locator("h1")).to_be_visible()


def test_hostile_texts_stay_texts(chromium: Browser, collector: Collector, tmp_path: Path):
    """With hostile text in every field and name, every page shows it as it is; nothing is fetched, linked or run."""
    workspace = open_workspace(tmp_path / "workspace")
    golden, responses = map(Source.of, hostile_files(tmp_path, collector.url))
    run = save(draft_files(golden, [responses]), workspace, short(collector.url, "run"))
    page = write_page(run, workspace, tmp_path / "report.html")
    with reader(chromium, page.parent.as_uri()) as visitor:
        for name in PAGES:
            visitor.page.goto(f"{page.as_uri()}#/{name}")
            shown(visitor, PAGES[name])
            expect(visitor.page.locator("body")).to_contain_text("![x](http://127.0.0.1")
            refuse_traces(visitor, collector)
        expect(visitor.page.locator("header")).to_contain_text("<img src=")
        visitor.page.goto(f"{page.as_uri()}#/question/..%2F..%2Fetc%2Fpasswd")
        expect(visitor.page.get_by_role("article")).to_have_count(2)
        expect(visitor.page.get_by_role("article").first).to_contain_text("onerror=document.title='hit'")
        refuse_traces(visitor, collector)


WORDS = (
    "the net sales of Amazon were billion million in first second quarter 2023 income cash rates lower " * 3
).split()


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two sites as one file each, of 10,000 responses and of an eighth of them."""
    return write_site(tmp_path_factory.mktemp("large"), 2_500), write_site(tmp_path_factory.mktemp("small"), 312)


def write_site(folder: Path, questions: int) -> Path:
    """A site of four responses a question, of some 60 words each, with emoji."""
    drawn = random.Random(20230630)
    golden = [
        {"question_id": f"q{n}", "question": f"Question {n}?", "answer": f"It is {n} million.", "fact": f"{n} million"}
        for n in range(questions)
    ]
    responses = [
        {
            "question_id": each["question_id"],
            "pipeline": f"P{place}",
            "response": " ".join(["🙂", *drawn.choices(WORDS, k=60), each["fact"] if drawn.random() < 0.6 else "none"]),
        }
        for each in golden
        for place in range(4)
    ]
    workspace = open_workspace(folder / "workspace")
    files = write_jsonl(folder / "golden.jsonl", golden), write_jsonl(folder / "responses.jsonl", responses)
    run = save(draft_files(Source.of(files[0]), [Source.of(files[1])]), workspace, "large")
    return write_page(run, workspace, folder / "large.html")


@pytest.mark.parametrize("page", ["overview", "diagnostics", "question/q240"])
def test_ten_thousand_responses_open(page: str, chromium: Browser, sites: tuple[Path, Path]):
    """A page of 10,000 responses in one file takes at most eight times as long to open as an eighth of them; the list
    is searched and turned."""
    seconds: dict[Path, list[float]] = {site: [] for site in sites}
    for site in sites * TRIES:
        with reader(chromium, site.parent.as_uri()) as visitor:
            began = time.monotonic()
            visitor.page.goto(f"{site.as_uri()}#/{page}", wait_until="commit")
            visitor.page.locator("main").locator("article, table").first.wait_for()
            seconds[site].append(time.monotonic() - began)
            if page == "diagnostics" and site == sites[0] and len(seconds[site]) == TRIES:
                find_one_of_many(visitor)
    large, small = map(min, seconds.values())
    assert large < TIMES * small


def find_one_of_many(visitor: Screen) -> None:
    expect(visitor.page.locator("main")).to_contain_text("10,000 responses")
    expect(visitor.rows_of(RESPONSES)).to_have_count(25)
    visitor.page.get_by_role("button", name="Last").click()
    expect(visitor.page.locator("main")).to_contain_text("Page 400 of 400")
    visitor.page.get_by_role("searchbox").fill("question 2499?")
    expect(visitor.rows_of(RESPONSES)).to_have_count(4)
