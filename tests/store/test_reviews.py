"""Reviews in the store: whose item it is, decisions, blindness, whatever the order in which people work."""

from collections import Counter
from dataclasses import replace
from itertools import chain

import polars as pl
import pytest

from qaviz.model.errors import QavizError
from qaviz.store.reviews import (
    ACCEPT,
    DELETE,
    EDIT,
    SKIP,
    Decision,
    ReadingProgress,
    ReviewItem,
    all_decisions,
    close_session,
    count_progress,
    decide,
    find_next_item,
    keep_draft,
    list_open_items,
    own_decisions,
    refresh_items,
    seen_flags,
    undo_decision,
)
from qaviz.store.workspace import Workspace
from tests.store.kept import keep
from tests.store.reviews import open_session

READERS = ("Ana", "Bo", "Cy", "Di", "Eve")
ACCEPTED = Decision(action=ACCEPT)


@pytest.fixture
def golden(workspace: Workspace) -> str:
    return keep(workspace, "June").golden_id


def test_a_judges_word_is_shown_after_the_decision(workspace: Workspace, golden: str):
    """What lint says stands beside the triplet, what a judge says only once the reader has decided."""
    session = open_session(workspace, golden).session
    find_next_item(workspace, session, "Ana")
    assert [source for source, _ in seen_flags(workspace, session, 0, "Ana")] == ["lint"]
    decide(workspace, session, 0, "Ana", ACCEPTED)
    assert [source for source, _ in seen_flags(workspace, session, 0, "Ana")] == ["judge", "lint"]
    assert [source for source, _ in seen_flags(workspace, session, 0, "Bo")] == ["lint"]


def test_progress_counts_items_that_were_decided_on(workspace: Workspace, golden: str):
    """A reader's own decisions and all of them are counted apart; skipped items and repeats count for nobody."""
    session = open_session(workspace, golden, items=3, repeats=(0,), readers=2).session
    for reader, item, action in (("Ana", 0, ACCEPT), ("Ana", 1, DELETE), ("Ana", 2, SKIP), ("Bo", 0, ACCEPT)):
        decide(workspace, session, item, reader, Decision(action=action))
    decide(workspace, session, 3, "Ana", ACCEPTED)
    assert count_progress(workspace, session, "Ana") == ReadingProgress(own=2, decided=3, wanted=6)
    assert count_progress(workspace, session, "Bo") == ReadingProgress(own=1, decided=3, wanted=6)


@pytest.mark.parametrize(("readers", "wanted"), [(1, (4, 4, 4)), (2, (8, 8, 8)), (3, (12, 12, 12))])
def test_a_named_pool_shares_the_items(workspace: Workspace, golden: str, readers: int, wanted: tuple[int, int, int]):
    """Each item is that of as many of the pool as the review asks for, each of the pool has as many, and the order in
    which they come changes nothing."""
    pool = READERS[:3]
    session = open_session(workspace, golden, items=12, readers=readers, pool=pool).session
    shares = [list_open_items(workspace, session, reader) for reader in pool]
    assert tuple(map(len, shares)) == wanted
    assert Counter(chain(*shares)) == dict.fromkeys(range(12), readers)
    while item := find_next_item(workspace, session, "Cy"):
        decide(workspace, session, item.item, "Cy", ACCEPTED)
    assert [list_open_items(workspace, session, reader) for reader in pool] == [*shares[:2], []]
    with pytest.raises(QavizError):
        decide(workspace, session, shares[2][0], "Cy", ACCEPTED)


def test_a_skipped_item_is_the_next_readers(workspace: Workspace, golden: str):
    """What one of the pool skips is that of the next one who had not got it, until everybody has skipped it."""
    pool = READERS[:3]
    session = open_session(workspace, golden, items=1, pool=pool).session
    for reader in pool:
        assert {name: list_open_items(workspace, session, name) for name in pool} == {
            name: [0] if name == reader else [] for name in pool
        }
        with pytest.raises(QavizError):
            decide(workspace, session, 0, next(name for name in pool if name != reader), ACCEPTED)
        decide(workspace, session, 0, reader, Decision(action=SKIP))
    assert not any(list_open_items(workspace, session, name) for name in pool)


def test_readers_of_an_open_review_start_apart(workspace: Workspace, golden: str):
    """Where anybody may read, who comes second starts beyond the middle; who meets another is heard all the same."""
    session = open_session(workspace, golden, items=8, sample=8).session
    assert [find_next_item(workspace, session, reader).item for reader in ("Ana", "Bo")] == [0, 0]
    decide(workspace, session, 0, "Ana", ACCEPTED)
    decide(workspace, session, 0, "Bo", Decision(action=DELETE))
    assert list_open_items(workspace, session, "Ana") == [1, 2, 3, 4, 5, 6, 7]
    assert list_open_items(workspace, session, "Bo") == [5, 6, 7, 1, 2, 3, 4]
    assert list_open_items(workspace, session, "Cy")[0] == 2
    assert all_decisions(workspace, session)["item"].to_list() == [0, 0]


def test_a_draft_is_gone_on_with(workspace: Workspace, golden: str):
    """What a reader has written comes first when they come back, with their words and nobody else's."""
    session, other = (open_session(workspace, golden, items=3).session for _ in range(2))
    written = ReviewItem(session=session, item=2, question_id="q2", draft={})
    keep_draft(workspace, written, "Ana", {"note": "ha"})
    keep_draft(workspace, written, "Ana", {"note": "half"})
    assert find_next_item(workspace, session, "Ana") == replace(written, draft={"note": "half"})
    assert find_next_item(workspace, session, "Bo") == ReviewItem(session=session, item=0, question_id="q0", draft={})
    keep_draft(workspace, replace(written, session=other), "Ana", {"note": "of the other"})
    decide(workspace, session, 2, "Ana", ACCEPTED)
    assert find_next_item(workspace, session, "Ana").item == 0
    assert find_next_item(workspace, other, "Ana").draft == {"note": "of the other"}


def test_undo_gives_the_item_back_with_its_words(workspace: Workspace, golden: str):
    """A decision taken back is not in force, and what was written is the draft."""
    session = open_session(workspace, golden).session
    decide(workspace, session, 0, "Ana", Decision(action=EDIT, fact="new", note="why", findings=("outdated", "tone")))
    find_next_item(workspace, session, "Ana")
    assert undo_decision(workspace, session, "Ana") == 0
    assert all_decisions(workspace, session).is_empty()
    item = find_next_item(workspace, session, "Ana")
    assert item
    assert item.item == 0
    assert item.draft["fact"] == "new"
    assert item.draft["findings"] == ["outdated", "tone"]


def test_a_repeat_is_for_who_decided_the_first(workspace: Workspace, golden: str):
    """A hidden repeat comes to the reader of the first, later, and to nobody else."""
    session = open_session(workspace, golden, items=3, repeats=(0,), readers=1).session
    order = []
    while item := find_next_item(workspace, session, "Ana"):
        order.append(item.item)
        decide(workspace, session, item.item, "Ana", ACCEPTED)
    assert order == [0, 1, 2, 3]
    assert find_next_item(workspace, session, "Bo") is None


def test_a_changed_triplet_is_asked_again(workspace: Workspace, golden: str):
    """Decisions on a triplet or passage that changed are ended, and the item is item again."""
    session = open_session(workspace, golden, items=2).session
    for _ in range(2):
        item = find_next_item(workspace, session, "Ana")
        assert item
        decide(workspace, session, item.item, "Ana", ACCEPTED)
    now = {"question_id": ["q0", "q1"], "triplet": ["t0", "t1"], "chunk": ["c", "newer"], "document": ["a.md", "a.md"]}
    assert refresh_items(workspace, session, pl.DataFrame(now)) == 1
    assert all_decisions(workspace, session)["item"].to_list() == [0]
    again = find_next_item(workspace, session, "Ana")
    assert again
    assert again.item == 1
    assert refresh_items(workspace, session, pl.DataFrame(now)) == 0


def test_a_closed_session_takes_nothing(workspace: Workspace, golden: str):
    """A reader has their own decisions alone; once the review ends, none is added."""
    session = open_session(workspace, golden).session
    decide(workspace, session, 0, "Ana", ACCEPTED)
    assert [own_decisions(workspace, session, name).height for name in ("Ana", "Bo")] == [1, 0]
    close_session(workspace, session, "Lea")
    with pytest.raises(QavizError):
        decide(workspace, session, 1, "Ana", ACCEPTED)


@pytest.mark.parametrize(
    "wrong",
    [
        Decision(action="approve"),
        Decision(action=EDIT),
        Decision(action=EDIT, fact="1.5 km<OR> "),
        Decision(action=ACCEPT, findings=("nice",)),
    ],
    ids=["action", "empty edit", "empty variant", "finding"],
)
def test_what_is_no_decision_is_refused(workspace: Workspace, golden: str, wrong: Decision):
    """An unknown action or finding, or an edit of nothing, keeps nothing and leaves the item open."""
    session = open_session(workspace, golden).session
    with pytest.raises(QavizError):
        decide(workspace, session, 0, "Ana", wrong)
    decide(workspace, session, 0, "Ana", ACCEPTED)
