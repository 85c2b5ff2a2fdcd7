"""qaviz.golden.versions: edits become versions, by several people and processes at once."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from qaviz.golden.edits import edit
from qaviz.golden.versions import DELETED, ConflictError, accept, newest_version, undo
from qaviz.model.columns import ANSWER, FACT, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.store.golden_versions import NUMBER, GoldenVersion, kept_edits, versions
from qaviz.store.workspace import Workspace
from tests.builders import save_sample

ROOT = Path(__file__).parents[2]


@pytest.fixture
def first(workspace: Workspace) -> GoldenVersion:
    """Version 1 of the sample's golden dataset."""
    return newest_version(workspace, save_sample(workspace).golden_id)


def fact_of(workspace: Workspace, version: GoldenVersion, question: str) -> str | None:
    return workspace.golden(version.golden_id).filter(pl.col(QUESTION_ID) == question)[FACT].item()


def test_what_is_there_already_makes_no_version(workspace: Workspace, first: GoldenVersion):
    """Accepting what somebody else has accepted already is no conflict and no version."""
    made = accept(workspace, first, edit("cash", FACT, "50.1 billion"), "Ana", "shorter")
    again = accept(workspace, first, edit("cash", FACT, "50.1 billion"), "Bo", "shorter")

    assert again == made
    assert len(versions(workspace, first.line)) == 2


def test_the_second_sees_the_firsts_change_and_decides(workspace: Workspace, first: GoldenVersion):
    """An edit of a triplet that Ana has changed since changes nothing and says what she made of it; made again on her
    version it is accepted, and her text shown in the history."""
    accept(workspace, first, edit("cash", ANSWER, "$50.1 billion."), "Ana", "shorter")
    mine = edit("cash", FACT, "50 billion")

    with pytest.raises(ConflictError, match="triplet cash: found that Ana has changed it") as refused:
        accept(workspace, first, mine, "Bo", "rounder")
    assert len(versions(workspace, first.line)) == 2
    conflict = {row["field"]: row for row in refused.value.conflicts.iter_rows(named=True)}
    assert conflict[ANSWER]["theirs"] == conflict[ANSWER]["after"] == "$50.1 billion."
    assert conflict[FACT]["before"] == conflict[FACT]["theirs"] != conflict[FACT]["after"] == "50 billion"
    assert {row["made_by"] for row in conflict.values()} == {"Ana"}
    assert any("yours was “50 billion”" in problem.found for problem in refused.value.problems)

    made = accept(workspace, newest_version(workspace, first.golden_id), mine, "Bo", "rounder")
    assert [each.made_by for each in versions(workspace, first.line)] == [None, "Ana", "Bo"]
    assert fact_of(workspace, made, "cash") == "50 billion"


def test_undo_takes_back_one_version_and_keeps_the_others(workspace: Workspace, first: GoldenVersion):
    """Taking back version 2 leaves what version 3 did; nothing is removed from the history."""
    second = accept(workspace, first, edit("cash", FACT, "50.1 billion"), "Ana", "shorter")
    accept(workspace, second, edit("challenge", FACT, "exchange rates"), "Bo", "shorter")

    made = undo(workspace, second, "Cy")
    assert made.why == "takes back version 2: shorter"
    assert fact_of(workspace, made, "cash") == fact_of(workspace, first, "cash")
    assert fact_of(workspace, made, "challenge") == "exchange rates"
    assert [each.number for each in versions(workspace, first.line)] == [1, 2, 3, 4]


def test_undo_does_not_overwrite_a_later_edit(workspace: Workspace, first: GoldenVersion):
    """A version whose triplet was edited again since is not taken back over that edit; the newest can be."""
    second = accept(workspace, first, edit("cash", FACT, "50.1 billion"), "Ana", "shorter")
    third = accept(workspace, second, edit("cash", FACT, "50 billion"), "Bo", "rounder")

    with pytest.raises(ConflictError, match="Bo has changed it"):
        undo(workspace, second, "Cy")
    assert fact_of(workspace, undo(workspace, third, "Cy"), "cash") == "50.1 billion"


def test_an_edit_that_cannot_be_made_changes_nothing(workspace: Workspace, first: GoldenVersion):
    """An unknown triplet is refused by name, and so is a golden dataset that the workspace does not have."""
    with pytest.raises(QavizError, match="fact of the triplet nine: found no such text"):
        accept(workspace, first, edit("nine", FACT, "x"), "Ana", "so")
    with pytest.raises(QavizError, match='no golden dataset "0123"'):
        newest_version(workspace, "0123")
    assert len(versions(workspace, first.line)) == 1


def test_a_review_takes_out_triplets_but_never_all(workspace: Workspace, first: GoldenVersion):
    """Deleted triplets are gone from the next version, and the edits of the others are in it; a version without a
    triplet is refused, and nothing changes."""
    edits, ids = edit("cash", FACT, "50.1 billion"), workspace.golden(first.golden_id)[QUESTION_ID].to_list()
    with pytest.raises(QavizError, match="without a triplet"):
        accept(workspace, first, edits, "Ana", "so", dict.fromkeys(ids, DELETED))
    assert len(versions(workspace, first.line)) == 1

    gone = [question_id for question_id in ids if question_id != "cash"]
    made = accept(workspace, first, edits, "Ana", "so", dict.fromkeys(gone, DELETED))
    assert workspace.golden(made.golden_id).select(QUESTION_ID, FACT).rows() == [("cash", "50.1 billion")]


EDITOR = """
import sys
from pathlib import Path
from qaviz.golden.edits import edit
from qaviz.golden.versions import ConflictError, accept, newest_version
from qaviz.store.golden_versions import versions
from qaviz.store.workspace import open_workspace

folder, line, by, *questions = sys.argv[1:]
workspace = open_workspace(Path(folder))
seen = versions(workspace, line)[0]
sys.stdin.readline()
for question in questions:
    try:
        print("made", question, accept(workspace, seen, edit(question, "fact", f"{by} {question}"), by, "so").number)
    except ConflictError as error:
        print("saw", question, error.conflicts["theirs"][0])
    sys.stdout.flush()
"""


def editor(workspace: Workspace, line: str, by: str, questions: list[str]) -> subprocess.Popen[str]:
    """A process that edits the facts of these triplets, as it saw them in version 1, once it is told to begin."""
    command = [sys.executable, "-c", EDITOR, str(workspace.folder), line, by, *questions]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def test_two_processes_lose_nothing(workspace: Workspace, first: GoldenVersion):
    """Two processes edit all triplets at once, from both ends: each triplet has one winner, the other saw the winner's
    text, and the history has every edit that was confirmed, and no other."""
    questions = workspace.golden(first.golden_id)[QUESTION_ID].to_list()
    editors = [editor(workspace, first.line, by, order) for by, order in (("Ana", questions), ("Bo", questions[::-1]))]
    with ThreadPoolExecutor(2) as pool:
        said = [out.splitlines() for out, _ in pool.map(lambda each: each.communicate("go\n"), editors)]

    made = [line.split()[1] for lines in said for line in lines if line.startswith("made")]
    saw = [line.split(" ", 2)[1:] for lines in said for line in lines if line.startswith("saw")]
    newest = workspace.golden(newest_version(workspace, first.golden_id).golden_id)
    facts = dict(newest.select(QUESTION_ID, FACT).iter_rows())
    assert sorted(made) == sorted(questions) == sorted(question for question, _ in saw)
    assert dict(saw) == facts
    edits = kept_edits(workspace, first.line)
    assert edits[NUMBER].to_list() == list(range(2, len(questions) + 2))
    assert dict(edits.select(QUESTION_ID, "after").iter_rows()) == facts
