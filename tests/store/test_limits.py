"""Limits that the servers of one workspace count together."""

from pathlib import Path

import pytest

from qaviz.serving.limits import Holdings, SharedRateLimit
from qaviz.store import Workspace, open_workspace
from qaviz.store.limits import STANDS_S, hold, report_holdings, take_tokens
from qaviz.store.tables import RATES_TABLE

WAIT = 60.0


@pytest.fixture
def servers(workspace: Workspace) -> list[SharedRateLimit]:
    """The same limit on two servers."""
    return [SharedRateLimit(lambda: workspace, "names", burst=5, every=WAIT) for _ in range(2)]


def test_two_servers_share_a_rate(servers: list[SharedRateLimit], workspace: Workspace):
    """Five attempts, whichever server is asked; another name has its own; one that is right gives all back. The index
    has no name that somebody typed."""
    waits = [servers[number % 2].take("ada") for number in range(6)]
    assert waits[:5] == [0] * 5
    assert WAIT / 2 < waits[5] <= WAIT
    assert servers[0].take("bo") == 0
    with workspace.reading() as connection:
        assert "ada" not in str(connection.execute(RATES_TABLE.select()).all())
    servers[0].give_back("ada")
    assert servers[1].take("ada") == 0


def test_a_lease_is_handed_out_without_the_index(workspace: Workspace):
    """A server takes some at once, and gives them out without asking; both servers together give no more than all."""
    servers = [SharedRateLimit(lambda: workspace, "requests", burst=10, every=WAIT, lease=4) for _ in range(2)]
    given = [0, 0]
    for number in range(40):
        given[number % 2] += servers[number % 2].take("ada") == 0
    assert sum(given) == 10
    assert servers[0].take("bo") == 0
    assert [servers[0].take_kept("bo") for _ in range(4)] == [True] * 3 + [False]


def test_a_rate_fills_with_time_and_never_empties_by_a_clock(workspace: Workspace):
    """One more each interval, never more than all; a server whose clock is behind takes nothing away."""
    assert take_tokens(workspace, "k", 2, 10, most=5, now=1000.0) == (2, 0.0)
    assert take_tokens(workspace, "k", 2, 10, now=1005.0) == (0, 5.0)
    assert take_tokens(workspace, "k", 2, 10, now=1010.0) == (1, 0.0)
    assert take_tokens(workspace, "k", 2, 10, now=900.0) == (0, 10.0)
    assert take_tokens(workspace, "k", 2, 10, most=9, now=5000.0) == (2, 0.0)


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
    limit, holdings = SharedRateLimit(lambda: home, "names", burst=2, every=WAIT), Holdings(lambda: home)
    home.index.dispose()
    (home.folder / "qaviz.db").write_bytes(b"no database")
    assert [limit.take("ada") > 0 for _ in range(3)] == [False, False, True]
    assert [holdings.take("pages", "ada", 2) for _ in range(3)] == [True, True, False]
