"""A golden dataset to review in a browser, and a reader who works by keys alone."""

from dataclasses import dataclass

import polars as pl
from playwright.sync_api import Locator, expect

from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.review import Level
from qaviz.review.session import start_review
from qaviz.store.golden_versions import PASSAGES, keep_generated
from qaviz.store.reviews import ReviewSession
from qaviz.store.workspace import Workspace
from tests.browser.served import Screen
from tests.builders import golden_table

HARBOURS = ("Nordhavn", "Vestby", "Odden", "Sula", "Grimstad")


def start_harbours(workspace: Workspace, size: int, readers: int = 1) -> ReviewSession:
    """A review of so many triplets about harbours, each with its passage; every one of them is read."""
    rows, made = [], []
    for n in range(size):
        harbour, ferries = f"{HARBOURS[n % 5]} {n}", 200 + n
        passage = f"The harbour of {harbour} opened on 14 May {1900 + n % 100}.\nIt has {ferries} ferries and 3 quays."
        answer = f"The harbour of {harbour} has {ferries} ferries."
        rows.append(
            {QUESTION_ID: f"h{n}", QUESTION: f"How many ferries has the harbour of {harbour}?", ANSWER: answer}
            | {FACT: f"{ferries} ferries<OR>{ferries}"}
        )
        made.append(
            {QUESTION_ID: f"h{n}", "chunk": f"chunk{n}", "document": f"harbours-{n % 7}.md", "document_hash": "d"}
            | {"start_at": 0, "end_at": len(passage), "heading": "Ferries", "passage": passage, "kind": "single fact"}
            | {"model": "m", "prompt": "p", "flagged": False}
        )
    line = keep_generated(workspace, "Harbours", golden_table(rows), pl.DataFrame(made, PASSAGES), "Lea").line
    rules = {"at_most": 0.0, "own_findings": ("tone",), "guidelines": "Read the passage first.", "seed": 1}
    return start_review(workspace, line, Level.CRITICAL, "Lea", readers=readers, **rules)


@dataclass
class KeyboardReader:
    """Somebody who reads with keys alone."""

    screen: Screen
    line: str
    """The golden dataset."""
    edits: int = 0

    def open(self, name: str) -> None:
        """Open the review and say who reads."""
        self.screen.open(f"golden?tab=Review&review=Reading&dataset={self.line}")
        self.screen.give_name(name)
        expect(self.screen.main().locator(".reading .triplet")).to_be_visible()
        self.screen.page.locator("h1").click()

    def question(self) -> Locator:
        return self.screen.main().locator(".reading .question")

    def press(self, key: str) -> None:
        """Press a key that decides, and wait until another triplet, or the end, is there."""
        before = self.screen.main().locator(".reading").inner_text()
        self.screen.page.keyboard.press(key)
        expect(self.screen.main().locator(".reading")).not_to_have_text(before, use_inner_text=True)
        self.screen.settle()

    def edit(self, fact: str) -> None:
        """Write another fact with the edit key, and save it with Ctrl+Enter."""
        self.screen.page.keyboard.press("e")
        box = self.screen.main().get_by_role("textbox", name="New fact")
        expect(box).to_be_focused()
        self.screen.page.keyboard.press("Control+a")
        self.screen.page.keyboard.type(fact)
        self.edits += 1
        self.press("Control+Enter")
