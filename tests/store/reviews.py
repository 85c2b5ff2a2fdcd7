"""Review sessions for tests: a few items, drawn or flagged."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import polars as pl

from qaviz.model.columns import QUESTION_ID
from qaviz.store import reviews
from qaviz.store.workspace import Workspace

SESSION = reviews.ReviewSession(
    session="",
    line="",
    golden_id="",
    category="",
    level="high",
    population=10,
    at_most=0.01,
    confidence=0.95,
    sample=3,
    allowed_wrong=0,
    readers=1,
    pool=(),
    own_findings=("tone",),
    guidelines="Read the passage first.",
    seed=1,
    started_by="Lea",
    started_at=datetime(2026, 5, 1, tzinfo=UTC),
)


def open_session(
    workspace: Workspace, golden: str, items: int = 3, repeats: tuple[int, ...] = (), **changed: object
) -> reviews.ReviewSession:
    """A session with so many items, and one more for each item that is repeated."""
    session = replace(SESSION, session=uuid4().hex[:12], line=golden, golden_id=golden, **changed)
    rows = [(each, float(each), f"q{each}", reviews.RANDOM, None, f"t{each}", "c", "a.md") for each in range(items)]
    rows += [
        (items + place, each + 0.5, f"q{each}", reviews.RANDOM, each, f"t{each}", "c", "a.md")
        for place, each in enumerate(repeats)
    ]
    flags = [("q0", "judge", "hallucinated"), ("q0", "lint", "blank-answer")]
    reviews.start_session(
        workspace,
        session,
        pl.DataFrame(rows, reviews.ITEMS, orient="row"),
        pl.DataFrame(flags, reviews.FLAGS, orient="row"),
    )
    return session


def keep_review(workspace: Workspace, line: str, golden: pl.DataFrame) -> None:
    """A row in every table of reviews."""
    reviews.classify(workspace, line, "", "major", "possible", "medium", "é", "Ada")
    session = open_session(workspace, line, golden.select(QUESTION_ID).height).session
    for action in (reviews.ACCEPT, reviews.DELETE):
        given = reviews.find_next_item(workspace, session, "Ada")
        assert given
        reviews.decide(workspace, session, given.item, "Ada", reviews.Decision(action=action, findings=("tone",)))
    item = reviews.find_next_item(workspace, session, "Cy")
    assert item
    reviews.keep_draft(workspace, item, "Cy", {"note": "half"})
