"""Load data in the browser: boxes for columns beside a preview, files that come and go, near questions."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.served import Screen, Served

HEADER = "nr,id,User Prompt,Soll-Antwort,Notiz\n"
GOLDEN = f"{HEADER}1,a,How many live here?,42,\n2,b,Where?,Here,ok\n3,c,Who?,Ann,\n4,d,Why?,So,\n"
RESPONSES = "question,P1,P2\nHow many live here?,42,41\nWhere?,Here,There\nWho?,Bob,Ann\n"


@pytest.fixture(scope="module")
def app(own_app: Served) -> Served:
    """These tests save runs."""
    return own_app


@pytest.fixture
def screen(screen: Screen) -> Screen:
    """A window in which all boxes are in sight: a list closes when the page scrolls."""
    screen.page.set_viewport_size({"width": 1280, "height": 2400})
    return screen


def give(screen: Screen, field: int, folder: Path, **files: str) -> None:
    """Put these files into the upload field; `r_csv` is r.csv."""
    folder.mkdir(exist_ok=True)
    paths = []
    for name, content in files.items():
        path = folder / name.replace("_", ".")
        path.write_text(content, encoding="utf-8")
        paths.append(path)
    screen.page.locator("input[type=file]").nth(field).set_input_files(paths)
    for path in paths:
        expect(screen.rows_of(f"First rows of {path.name}").first).to_be_visible()
    screen.settle()


def box_of(screen: Screen, column: str) -> Locator:
    """The select box of a column."""
    return screen.main().get_by_role("combobox", name=column, exact=True)


def choose(screen: Screen, column: str, word: str) -> None:
    box_of(screen, column).fill(word)
    screen.page.get_by_role("option", name=word, exact=True).click()
    screen.settle()
    expect_word(screen, column, word)


def expect_word(screen: Screen, column: str, word: str) -> None:
    expect(box_of(screen, column)).to_have_value(word)


def remove(screen: Screen, name: str) -> None:
    """Take an uploaded file away again."""
    file = screen.main().get_by_test_id("stFileChip").filter(has_text=name)
    file.get_by_test_id("stFileChipDeleteBtn").get_by_role("button").click()
    expect(file).to_have_count(0)
    screen.settle()


def test_columns_are_mapped_beside_a_preview(screen: Screen, tmp_path: Path):
    """Each column has a box with its reason and an example; two columns of one word are named at both boxes while the
    three first rows stay beside them; and what is mapped is saved."""
    screen.open("load")
    give(screen, 0, tmp_path, g_csv=GOLDEN)
    expect_word(screen, "User Prompt", "question")
    expect_word(screen, "Soll-Antwort", "answer")
    expect(screen.main()).to_contain_text('Example: "How many live here?"')
    preview = screen.rows_of("First rows of g.csv")
    expect(preview).to_have_count(3)

    choose(screen, "nr", "question_id")
    expect(screen.main().get_by_text("Two columns are mapped to question_id. Pick one.")).to_have_count(2)
    expect(preview).to_have_count(3)
    expect(screen.main().get_by_role("button", name="Score and save")).to_be_disabled()
    screen.keep("load-data-conflict")

    choose(screen, "id", "left out")
    expect(screen.main().get_by_text("Pick one.")).to_have_count(0)
    give(screen, 1, tmp_path, r_csv=RESPONSES)
    screen.keep("load-data-ready")
    screen.main().get_by_label("Name of the run").fill("mapped")
    screen.main().get_by_role("button", name="Score and save").click()
    expect(screen.main()).to_contain_text("Saved: 6 responses to 4 questions scored.")


def test_edits_survive_switching_files_five_of_five_times(screen: Screen, tmp_path: Path):
    """What was chosen in a file's boxes is there again each time that the file comes back."""
    screen.open("load")
    give(screen, 0, tmp_path, g_csv=GOLDEN)
    give(screen, 1, tmp_path, r_csv=RESPONSES)
    choose(screen, "Notiz", "category")
    choose(screen, "P2", "left out")
    for turn in range(5):
        remove(screen, "g.csv")
        remove(screen, "r.csv")
        give(screen, 0, tmp_path, other_csv=f"x,y{turn}\n1,2\n")
        expect(box_of(screen, "Notiz")).to_have_count(0)
        remove(screen, "other.csv")
        again = tmp_path / str(turn)  # a browser says nothing of the same file in the same field
        give(screen, 0, again, g_csv=GOLDEN)
        give(screen, 1, again, r_csv=RESPONSES)
        expect_word(screen, "Notiz", "category")
        expect_word(screen, "P2", "left out")
        expect_word(screen, "P1", "response")


def test_near_questions_wait_for_a_yes(screen: Screen, tmp_path: Path):
    """Questions that nearly are golden questions stand beside them, each with a box that is not ticked."""
    screen.open("load")
    give(screen, 0, tmp_path, g_csv="question,answer\nHow many people work in the plant of Hamburg?,4\nq,a\n")
    give(screen, 1, tmp_path, r_csv="question,P1\nHow many people work in the plant at Hamburg?,4\nq,a\n")
    expect(screen.main()).to_contain_text("1 question nearly is a golden one")
    expect(screen.main().get_by_text("How many people work in the plant at Hamburg?", exact=True).first).to_be_visible()
    box = screen.main().get_by_role("checkbox", name="alike")
    expect(box).not_to_be_checked()
    screen.keep("load-data-pairs")
