"""Reviews in the store: leases, decisions, blindness, whatever the order in which people work."""

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from qaviz.model.errors import QavizError
from qaviz.store.audit import check_audit
from qaviz.store.review_decisions import (
    Decision,
    all_decisions,
    decide,
    seen_decisions,
    undo_decision,
)
from qaviz.store.review_sessions import (
    ACCEPT,
    ASK,
    DELETE,
    EDIT,
    LEASE,
    SKIP,
    Given,
    ReadingProgress,
    close_session,
    count_progress,
    give_item,
    give_next,
    keep_draft,
    refresh_items,
    seen_flags,
)
from qaviz.store.workspace import Workspace
from tests.store.kept import keep
from tests.store.reviews import open_session

READERS = ("Ana", "Bo", "Cy", "Di", "Eve")
EXAMPLES = int(os.environ.get("QAVIZ_REVIEW_EXAMPLES", "8"))
"""How many interleavings are tried; 10,000 take hours where every step asks a database."""
ROOT = Path(__file__).parents[2]
START = datetime(2026, 5, 1, tzinfo=UTC)
ACCEPTED = Decision(action=ACCEPT)


@pytest.fixture
def golden(workspace: Workspace) -> str:
    return keep(workspace, "June").golden_id


def interleavings(workspace: Workspace, golden: str) -> type[RuleBasedStateMachine]:  # noqa: C901 - a machine closes over its workspace
    """Five readers who take, decide, skip, undo and come late, in any order, and what has to hold after each step."""

    class Interleaving(RuleBasedStateMachine):
        @initialize(items=st.integers(1, 5), readers=st.integers(1, 3), repeats=st.integers(0, 1))
        def start(self, items: int, readers: int, repeats: int) -> None:
            self.now, self.readers = START, readers
            self.session = open_session(workspace, golden, items, tuple(range(repeats)), readers=readers).session
            self.held: dict[str, Given] = {}
            self.said: list[tuple[int, str, str]] = []

        who = st.sampled_from(READERS)

        @rule(reader=who)
        def take(self, reader: str) -> None:
            given = give_next(workspace, self.session, reader, self.now)
            self.held.pop(reader, None)
            if given:
                assert (given.item, reader) not in {each[:2] for each in self.said}
                self.held[reader] = given

        @rule(reader=who, action=st.sampled_from((ACCEPT, DELETE, ASK, SKIP)))
        def say(self, reader: str, action: str) -> None:
            if not (given := self.held.get(reader)):
                return
            try:
                decide(workspace, self.session, given.item, reader, Decision(action=action), self.now)
            except QavizError:
                assert given.expires_at <= self.now
            else:
                self.said.append((given.item, reader, action))
                del self.held[reader]

        @rule(reader=who)
        def take_back(self, reader: str) -> None:
            own = [each for each in self.said if each[1] == reader]
            item = undo_decision(workspace, self.session, reader, self.now)
            assert item == (own[-1][0] if own else None)
            if own:
                self.said.remove(own[-1])
                self.held.pop(reader, None)

        @rule(minutes=st.sampled_from((1, 31)))
        def wait(self, minutes: int) -> None:
            self.now += timedelta(minutes=minutes)

        @invariant()
        def nothing_is_lost_overwritten_or_given_too_often(self) -> None:
            if not hasattr(self, "session"):
                return
            kept = all_decisions(workspace, self.session)
            assert kept.select("item", "reader", "action").rows() == self.said
            counted = [each[0] for each in self.said if each[2] != SKIP]
            counted += [each.item for each in self.held.values() if each.expires_at > self.now]
            assert all(counted.count(item) <= self.readers for item in counted)

        @invariant()
        def nobody_sees_others(self) -> None:
            for reader in READERS if hasattr(self, "session") else ():
                assert set(seen_decisions(workspace, self.session, reader)["reader"]) <= {reader}

    return Interleaving


@pytest.mark.slow
def test_readers_in_any_order_lose_nothing(workspace: Workspace, golden: str):
    """Whatever five readers do in whatever order, every decision in force is kept once, no item goes to more readers
    than asked, and nobody sees what others said."""
    machine = interleavings(workspace, golden)
    run_state_machine_as_test(
        machine, settings=settings(max_examples=EXAMPLES, stateful_step_count=15, deadline=None, derandomize=True)
    )
    assert check_audit(workspace).problem is None


def test_a_judges_word_is_shown_after_the_decision(workspace: Workspace, golden: str):
    """What lint says stands beside the triplet, what a judge says only once the reader has decided."""
    session = open_session(workspace, golden).session
    give_next(workspace, session, "Ana")
    assert [source for source, _ in seen_flags(workspace, session, 0, "Ana")] == ["lint"]
    decide(workspace, session, 0, "Ana", ACCEPTED)
    assert [source for source, _ in seen_flags(workspace, session, 0, "Ana")] == ["judge", "lint"]
    assert [source for source, _ in seen_flags(workspace, session, 0, "Bo")] == ["lint"]


def test_progress_counts_items_that_were_decided_on(workspace: Workspace, golden: str):
    """A reader's own decisions and all of them are counted apart; skipped items and repeats count for nobody."""
    session = open_session(workspace, golden, items=3, repeats=(0,), readers=2).session
    for reader, item, action in (("Ana", 0, ACCEPT), ("Ana", 1, DELETE), ("Ana", 2, SKIP), ("Bo", 0, ACCEPT)):
        assert give_item(workspace, session, reader, item)
        decide(workspace, session, item, reader, Decision(action=action))
    assert give_item(workspace, session, "Ana", 3)
    decide(workspace, session, 3, "Ana", ACCEPTED)
    assert count_progress(workspace, session, "Ana") == ReadingProgress(own=2, decided=3, wanted=6)
    assert count_progress(workspace, session, "Bo") == ReadingProgress(own=1, decided=3, wanted=6)


def test_a_lease_that_ended_goes_to_another(workspace: Workspace, golden: str):
    """An item that is held too long is given to the next reader; who comes late is told, and their draft stays."""
    session = open_session(workspace, golden, items=1).session
    late = give_next(workspace, session, "Ana", START)
    assert late
    keep_draft(workspace, late, "Ana", {"note": "half"})
    assert give_next(workspace, session, "Bo", START) is None
    after = START + LEASE
    assert give_next(workspace, session, "Bo", after)
    with pytest.raises(QavizError):
        decide(workspace, session, 0, "Ana", ACCEPTED, after)
    undo_decision(workspace, session, "Bo", after)
    again = give_next(workspace, session, "Ana", after + LEASE)
    assert again
    assert again.draft == {"note": "half"}


def test_undo_gives_the_item_back_with_its_words(workspace: Workspace, golden: str):
    """A decision taken back is not in force, and what was written is the draft."""
    session = open_session(workspace, golden).session
    give_next(workspace, session, "Ana")
    decide(workspace, session, 0, "Ana", Decision(action=EDIT, fact="new", note="why", findings=("outdated", "tone")))
    give_next(workspace, session, "Ana")
    assert undo_decision(workspace, session, "Ana") == 0
    assert all_decisions(workspace, session).is_empty()
    given = give_next(workspace, session, "Ana")
    assert given
    assert given.item == 0
    assert given.draft["fact"] == "new"
    assert given.draft["findings"] == ["outdated", "tone"]


def test_a_repeat_is_for_who_decided_the_first(workspace: Workspace, golden: str):
    """A hidden repeat comes to the reader of the first, later, and to nobody else."""
    session = open_session(workspace, golden, items=3, repeats=(0,), readers=1).session
    order = []
    while given := give_next(workspace, session, "Ana"):
        order.append(given.item)
        decide(workspace, session, given.item, "Ana", ACCEPTED)
    assert order == [0, 1, 2, 3]
    assert give_next(workspace, session, "Bo") is None


def test_a_reader_decides_again(workspace: Workspace, golden: str):
    """A decision that is taken back is the reader's next item, whichever it was, and the others' stay."""
    session = open_session(workspace, golden, items=2, readers=2).session
    for reader, action in (("Ana", ACCEPT), ("Bo", DELETE)):
        for _ in range(2):
            given = give_next(workspace, session, reader)
            assert given
            decide(workspace, session, given.item, reader, Decision(action=action))
    assert undo_decision(workspace, session, "Bo", item=0) == 0
    again = give_next(workspace, session, "Bo")
    assert again
    assert again.item == 0
    decide(workspace, session, 0, "Bo", ACCEPTED)
    assert all_decisions(workspace, session).sort("item", "reader")["action"].to_list() == [
        ACCEPT,
        ACCEPT,
        ACCEPT,
        DELETE,
    ]


def test_a_changed_triplet_is_asked_again(workspace: Workspace, golden: str):
    """Decisions on a triplet or passage that changed are ended, and the item is given again."""
    session = open_session(workspace, golden, items=2).session
    for _ in range(2):
        given = give_next(workspace, session, "Ana")
        assert given
        decide(workspace, session, given.item, "Ana", ACCEPTED)
    now = {"question_id": ["q0", "q1"], "triplet": ["t0", "t1"], "chunk": ["c", "newer"], "document": ["a.md", "a.md"]}
    assert refresh_items(workspace, session, pl.DataFrame(now)) == 1
    assert all_decisions(workspace, session)["item"].to_list() == [0]
    again = give_next(workspace, session, "Ana")
    assert again
    assert again.item == 1
    assert refresh_items(workspace, session, pl.DataFrame(now)) == 0


def test_a_closed_session_shows_all_and_takes_nothing(workspace: Workspace, golden: str):
    """After the review everybody sees every decision, and none is added."""
    session = open_session(workspace, golden).session
    give_next(workspace, session, "Ana")
    decide(workspace, session, 0, "Ana", ACCEPTED)
    give_next(workspace, session, "Ana")
    close_session(workspace, session, "Lea")
    assert seen_decisions(workspace, session, "Bo").height == 1
    with pytest.raises(QavizError):
        decide(workspace, session, 1, "Ana", ACCEPTED)


@pytest.mark.parametrize(
    "wrong",
    [Decision(action="approve"), Decision(action=EDIT), Decision(action=ACCEPT, findings=("nice",))],
    ids=["action", "empty edit", "finding"],
)
def test_what_is_no_decision_is_refused(workspace: Workspace, golden: str, wrong: Decision):
    """An unknown action or finding, or an edit of nothing, keeps nothing and leaves the lease."""
    session = open_session(workspace, golden).session
    give_next(workspace, session, "Ana")
    with pytest.raises(QavizError):
        decide(workspace, session, 0, "Ana", wrong)
    decide(workspace, session, 0, "Ana", ACCEPTED)


def test_only_the_pool_reads(workspace: Workspace, golden: str):
    """Where readers are named, nobody else is given an item."""
    session = open_session(workspace, golden, pool=("Ana",)).session
    assert give_next(workspace, session, "Ana")
    with pytest.raises(QavizError):
        give_next(workspace, session, "Bo")


DECIDE_UNTIL_KILLED = """
import sys
from pathlib import Path
from qaviz.store.workspace import open_workspace
from qaviz.store.review_decisions import Decision, decide
from qaviz.store.review_sessions import give_next

workspace, session = open_workspace(Path(sys.argv[1])), sys.argv[2]
while given := give_next(workspace, session, "Ana"):
    decide(workspace, session, given.item, "Ana", Decision(action="accept"))
    print(given.item, flush=True)
"""


def test_a_kill_loses_no_decision(file_workspace: Workspace):
    """kill -9 while somebody decides: what was returned is kept, and at most the one going on is not."""
    session = open_session(file_workspace, keep(file_workspace, "June").golden_id, items=2_000).session
    command = [sys.executable, "-c", DECIDE_UNTIL_KILLED, str(file_workspace.folder), session]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout.readline()
        time.sleep(0.2)
        reader.kill()
        told = 1 + len(reader.stdout.readlines())
    kept = all_decisions(file_workspace, session)
    assert told <= kept.height <= told + 1
    assert check_audit(file_workspace).problem is None
    assert give_next(file_workspace, session, "Ana")
