"""`qaviz runs` as a person runs it."""

import pytest

from qaviz.cli import main
from qaviz.store.audit import whole_audit
from qaviz.store.run_records import RunState, find_record
from qaviz.store.workspace import Workspace
from tests.store.kept import contents, keep


def act(workspace: Workspace, *words: str) -> int:
    return main(["runs", *words, "--workspace", str(workspace.folder)])


def test_runs_are_listed_and_shown(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """`list` has a line a run, with its id, and finds words in what is said of a run; `show` has all of it."""
    first, second = keep(workspace, "June", by="Ana"), keep(workspace, "July\u202f🙂", by="Bo")
    act(workspace, "tag", "June", "baseline", "v2")
    capsys.readouterr()

    assert act(workspace, "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["run", second.run_id, first.run_id, "qaviz:"]
    assert lines[2].split()[-5:] == ["June", "5", "Ana", "baseline,", "v2"]
    act(workspace, "list", "--search", "ana BASELINE")
    assert capsys.readouterr().out.splitlines()[-1] == "qaviz: 1 current run"
    act(workspace, "show", "June")
    shown = capsys.readouterr().out
    assert "tags: baseline, v2\n" in shown
    assert "sources: g.csv, r.csv\n" in shown


def test_every_change_is_made_and_said(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """Each action changes what it says, in the name that is given, or else in the system's name of the user."""
    run = keep(workspace, "June")
    for words in (["rename", "June", "July"], ["own", "July", "Ana"], ["note", "July", "two words"]):
        assert act(workspace, *words, "--by", "Bo") == 0
    act(workspace, "tag", "July", "a", "b", "--by", "Bo")
    act(workspace, "tag", "July", "a", "--remove")
    record = find_record(workspace, run.run_id)
    assert (record.run.name, record.owner, record.notes, record.tags) == ("July", "Ana", "two words", ("b",))
    assert capsys.readouterr().out.splitlines()[-3:] == ["owner: Ana", "tags: b", "notes: two words"]
    who = whole_audit(workspace)["who"].to_list()
    assert who[1:-1] == ["Bo"] * 4
    assert who[-1] not in (None, "Bo")


def test_archive_delete_and_their_undo(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """A run goes out of the list and comes back; a deleted one may come back under another name."""
    run = keep(workspace, "June")
    for words, state in [
        (["archive", "June"], RunState.ARCHIVED),
        (["unarchive", "June"], RunState.CURRENT),
        (["delete", "June"], RunState.DELETED),
        (["undelete", "June", "July"], RunState.CURRENT),
    ]:
        assert act(workspace, *words) == 0
        assert find_record(workspace, run.run_id).state == state
    assert capsys.readouterr().out.splitlines()[-5:-2] == ["name: July", "state: current", "owner: none"]


def test_other_commands_know_an_archived_run(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """An archived run's golden dataset has its history by the run's name, and its findings."""
    keep(workspace, "June")
    act(workspace, "archive", "June")
    capsys.readouterr()
    assert main(["golden", "history", "June", "--workspace", str(workspace.folder)]) == 0
    assert "versions\n" in capsys.readouterr().out
    assert main(["lint", "June", "--workspace", str(workspace.folder)]) in (0, 1)
    assert "no such" not in capsys.readouterr().err


def test_a_purge_says_what_goes_before_it_removes(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """Without `--yes` nothing is removed; with it the deleted runs' files go, and each is named."""
    run, other = keep(workspace, "June"), keep(workspace, "July")
    act(workspace, "delete", "June", "--by", "Ana")
    before = contents(workspace.folder)
    capsys.readouterr()

    assert act(workspace, "purge") == 0
    said = capsys.readouterr().out
    assert said == f"runs: {run.run_id}\nfiles: none\nremoved: no\n"
    assert contents(workspace.folder) == before
    assert act(workspace, "purge", "--yes") == 0
    assert f"runs/{run.run_id}.parquet" in capsys.readouterr().out
    assert workspace.runs() == [other]
    assert act(workspace, "purge", "July", "--yes") == 2
    assert "found the state current; expected a deleted run" in capsys.readouterr().err
