"""Limits that the servers of one workspace count together."""

from pathlib import Path

from qaviz.serving.limits import Holdings
from qaviz.store.members import STANDS_S, hold, report_holdings
from qaviz.store.workspace import Workspace, open_workspace


def test_two_servers_count_pages_and_jobs_together(workspace: Workspace):
    """What one server refuses since another holds it is free again when that one gives it back, or ends."""
    first, second = (Holdings(lambda: workspace) for _ in range(2))
    assert [first.take("jobs", "ada", 3), first.take("jobs", "ada", 3), second.take("jobs", "ada", 3)] == [True] * 3
    assert not second.take("jobs", "ada", 3)
    assert second.take("jobs", "bo", 3)
    assert second.take("pages", "ada", 3)
    first.give_back("jobs", "ada")
    assert second.take("jobs", "ada", 3)
    assert not second.take("jobs", "ada", 3)
    first.end()
    assert second.take("jobs", "ada", 3)


def test_what_a_killed_server_held_is_nobodys(workspace: Workspace):
    """A server that has said nothing for a minute holds nothing; one that reports holds on."""
    assert hold(workspace, "killed", "jobs", "ada", 3, 3, now=1000.0)
    assert hold(workspace, "alive", "jobs", "bo", 3, 3, now=1000.0)
    report_holdings(workspace, "alive", "uploads", {"ada": 7}, now=1000.0 + STANDS_S - 1)
    assert not hold(workspace, "new", "jobs", "ada", 1, 3, now=1000.0 + STANDS_S - 1)
    later = 1000.0 + STANDS_S + 1
    assert hold(workspace, "new", "jobs", "ada", 1, 3, now=later)
    assert not hold(workspace, "new", "jobs", "bo", 1, 3, now=later)
    assert report_holdings(workspace, "new", "uploads", {}, now=later) == {"ada": 7}


def test_a_server_alone_goes_on_where_the_index_is_gone(tmp_path: Path):
    """Limits hold on by what the server has counted itself, and nobody is let through for the index's sake."""
    home = open_workspace(tmp_path / "workspace")
    holdings = Holdings(lambda: home)
    home.index.dispose()
    (home.folder / "qaviz.db").write_bytes(b"no database")
    assert [holdings.take("pages", "ada", 2) for _ in range(3)] == [True, True, False]
