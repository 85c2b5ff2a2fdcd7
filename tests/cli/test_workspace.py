import sqlite3
from pathlib import Path

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.store.audit import AUDIT, whole_audit
from qaviz.store.index import INDEX_FILE, NEWEST
from qaviz.store.workspace import Workspace
from tests.store.kept import contents, keep


def act(*words: object) -> int:
    return main(["workspace", *map(str, words)])


def test_check_names_what_is_damaged(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """`check` exits with 0 over a sound workspace; a changed file is named on stderr, and the code is 1."""
    run = keep(workspace, "first")
    assert act("check", "--workspace", workspace.folder) == 0
    files, problems, audit, unnamed = capsys.readouterr().out.splitlines()
    assert (files, problems, unnamed) == ("files: 3", "problems: none", "unnamed: none")
    assert audit.startswith("audit: entries 1, last hash ")
    (workspace.folder / "runs" / f"{run.run_id}.parquet").write_bytes(b"other")
    assert act("check", "--workspace", workspace.folder) == 1
    said = capsys.readouterr()
    assert f"{run.run_id}.parquet: found other bytes than were written" in said.err


def test_migrate_says_from_where_to_where(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """A workspace of today needs nothing; one of a newer qaviz is refused and stays as it is."""
    assert act("migrate", "--workspace", workspace.folder) == 0
    assert capsys.readouterr().out == f"before: {NEWEST}\nafter: {NEWEST}\n"
    with sqlite3.connect(workspace.folder / INDEX_FILE) as index:
        index.execute("INSERT INTO migrations VALUES (999, '2030-01-01')")
    index.close()
    before = contents(workspace.folder)
    assert act("migrate", "--workspace", workspace.folder) == 2
    assert "a workspace of a newer qaviz (version 999)" in capsys.readouterr().err
    assert contents(workspace.folder) == before


def test_the_audit_is_taken_along(workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """All entries in order, as JSON Lines of just what was written, and as CSV that no spreadsheet runs."""
    keep(workspace, "first", by="=1+1")
    keep(workspace, "second")
    for name in ("audit.jsonl", "audit.csv"):
        assert act("audit", "--out", tmp_path / name, "--workspace", workspace.folder) == 0
    assert "entries: 2\n" in capsys.readouterr().out
    lines = pl.read_ndjson(tmp_path / "audit.jsonl", schema=AUDIT)
    assert lines.equals(whole_audit(workspace), null_equal=True)
    table = pl.read_csv(tmp_path / "audit.csv")
    assert table["who"].to_list() == ["'=1+1", None]
    assert table.columns == AUDIT.names()
