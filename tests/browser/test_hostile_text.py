"""Text from files stays text: it fetches nothing, links nowhere and runs nothing, under the pointer either."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Browser, expect

from qaviz.loading import Source
from qaviz.model.records import Run
from qaviz.store.golden_versions import EDITS, keep_version, versions
from qaviz.store.run_records import describe
from qaviz.store.workspace import Workspace, open_workspace
from tests.browser.charted import take, texts_of
from tests.browser.hostile import hostile, hostile_files, refuse_traces, short
from tests.browser.served import DESKTOP, Collector, Screen, Served, served
from tests.builders import draft_files, write_jsonl
from tests.screen import PAGES

SHOW_NO_RUN = ("golden?tab=Generate", "judges", "load")
"""Pages that show no text of this run; Judges has none until a judge has graded it."""


@pytest.fixture(scope="module")
def files(collector: Collector, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A golden dataset and responses with hostile text in every field."""
    return hostile_files(tmp_path_factory.mktemp("files"), collector.url)


@pytest.fixture(scope="module")
def app(collector: Collector, files: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over a run of those files, with a hostile name; the golden dataset was changed by such a person."""
    workspace = open_workspace(tmp_path_factory.mktemp("hostile") / "workspace")
    golden, responses = map(Source.of, files)
    draft_files(golden, [responses]).save(short(collector.url, "before"), workspace)
    run = draft_files(golden, [responses]).save(short(collector.url, "run"), workspace)
    change_fact(workspace, run, collector.url)
    said = {name: short(collector.url, name) for name in ("owner", "notes")}
    describe(workspace, run.run_id, short(collector.url, "who"), **said, add_tags=["![x](http://x.example)"])
    with served(workspace.folder) as running:
        yield running


def change_fact(workspace: Workspace, run: Run, url: str) -> None:
    """Make a second version of the run's golden dataset, in which one fact is another."""
    golden, fact = workspace.golden(run.golden_id), hostile(url, "edit")
    one = pl.col("question_id") == "plain"
    before = golden.filter(one)["fact"].item()
    edit = {"question_id": "plain", "field": "fact", "before": before, "after": fact, "rule": None}
    keep_version(
        workspace,
        versions(workspace, run.golden_id)[-1],
        golden.with_columns(pl.when(one).then(pl.lit(fact)).otherwise("fact").alias("fact")),
        pl.DataFrame([edit], schema=EDITS),
        short(url, "person"),
        hostile(url, "why"),
    )


@pytest.fixture
def screen(chromium: Browser, app: Served, collector: Collector) -> Iterator[Screen]:
    """A visitor; at the end nothing was fetched from the collector, nothing links to it, and no script ran."""
    with Screen.of(chromium, app.url, viewport=DESKTOP) as visitor:
        yield visitor
        refuse_traces(visitor, collector)
        visitor.refuse_problems()


@pytest.mark.parametrize("page", PAGES)
def test_no_page_acts_on_a_text_from_a_file(page: str, screen: Screen):
    """Every page works under the policy without breaking it once, all its lists and panels open; the run's texts stand
    there as they are, and no other origin is asked for anything."""
    screen.page.add_init_script(
        "window.breaches = [];"
        "addEventListener('securitypolicyviolation', ({violatedDirective}) => breaches.push(violatedDirective))"
    )
    with screen.page.expect_response(lambda answer: answer.request.is_navigation_request()) as opened:
        screen.open("" if page == "board" else page)
    assert "script-src 'self' 'wasm-unsafe-eval' blob: 'sha256-" in opened.value.headers["content-security-policy"]
    open_everything(screen)
    screen.settle()

    expect(screen.page.get_by_role("combobox", name="Run", exact=True)).to_have_value(re.compile(r"^!\[x\]\(http"))
    if page not in SHOW_NO_RUN:
        expect(screen.main()).to_contain_text("![x](http")
    assert screen.page.evaluate("() => window.breaches") == []


def open_everything(screen: Screen) -> None:
    """Open each list and each panel, and rest on each help sign and each mark of a table."""
    screen.open_panels()
    for box in screen.page.get_by_role("combobox").all():
        box.click()
        screen.page.wait_for_timeout(150)
        screen.page.keyboard.press("Escape")
    for sign in screen.page.get_by_test_id("stTooltipIcon").all():
        sign.hover()


def test_the_board_shows_the_text_as_it_is(screen: Screen, tmp_path: Path):
    """Under the pointer stand names, questions and facts as written, and in a drawing, which leads nowhere."""
    screen.open("")
    matrix = screen.main().get_by_role("application", name=re.compile("Questions by pipelines"))
    box = matrix.bounding_box()
    matrix.hover(position={"x": box["width"] - 20, "y": box["height"] - 12})
    expect(screen.main().locator(".tip")).to_contain_text("![x](http://127.0.0.1")
    expect(screen.main().locator(".tip")).to_contain_text("<img src=")
    matrix.focus()
    screen.page.keyboard.press("ArrowDown")
    expect(screen.main().locator("[aria-live]").last).to_contain_text("![x](http")

    drawing = take(screen.page, "Questions by pipelines as SVG", tmp_path)
    assert "![x](http" in texts_of(drawing)
    assert not re.findall(r"<(?:a|image|script|foreignObject)\b|href=.http", drawing.read_text("utf-8"))


def test_an_address_is_text_too(screen: Screen, collector: Collector):
    """What a link says of run, question and filters is shown, if at all, as it is."""
    said = hostile(collector.url, "address").replace("#", "%23")
    for page in ("responses?tab=Question", "responses?tab=", "metrics?tab=x", "?view=x"):
        screen.open(f"{page}&cell={said}&rows={said}&question={said}&pipeline={said}&diagnosis={said}&text={said}")
    screen.open(f"?run={said}")

    expect(screen.main()).to_contain_text("![x](http://127.0.0.1")


def test_loading_files_acts_on_none_of_their_texts(
    screen: Screen, files: tuple[Path, Path], collector: Collector, tmp_path: Path
):
    """File names, column names, the preview and the saved run's name are shown as they are."""
    golden, responses = (renamed(file, collector.url, tmp_path) for file in files)
    screen.open("load")

    screen.main().locator("input[type=file]").set_input_files([golden, responses])
    expect(screen.main().get_by_role("button", name="Score and save")).to_be_visible()
    screen.settle()
    screen.main().get_by_role("textbox", name="Name of the run").fill(short(collector.url, "new"))
    screen.main().get_by_role("button", name="Score and save").click()
    expect(screen.main()).to_contain_text("Saved: 10 responses to 5 questions scored.")


def renamed(file: Path, url: str, folder: Path) -> Path:
    """A copy with a hostile file name, and a further column whose name is hostile."""
    rows = [
        json.loads(line) | {short(url, "column"): hostile(url, "cell")} for line in file.read_text("utf-8").splitlines()
    ]
    name = re.sub("/", "∕", short(url, "file"))
    return write_jsonl(folder / f"{file.stem} {name}.jsonl", rows)


def test_error_messages_quote_as_text(screen: Screen, collector: Collector, tmp_path: Path):
    """What a message quotes of a file, here a column that nobody knows, is not acted on either."""
    file = tmp_path / "golden.jsonl"
    file.write_text(f'{{"{hostile(collector.url, "bad")}": "x"}}\n', "utf-8")
    screen.open("load")

    screen.main().locator("input[type=file]").nth(0).set_input_files(file)

    problems = screen.page.get_by_test_id("stMarkdown").filter(has_text=re.compile("to fix", re.IGNORECASE))
    expect(problems).to_be_visible()
