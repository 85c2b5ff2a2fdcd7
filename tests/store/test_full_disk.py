"""A disk with 0 bytes free is said; odd paths work or are refused in words; the check reads what commands read."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from qaviz.cli import main
from qaviz.store.index import INDEX_FILE, version_of
from qaviz.store.workspace import open_workspace
from tests.builders import save_sample


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A workspace on a disk of its own with 0 bytes free."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no right to mount a disk")
    try:
        save_sample(open_workspace(disk / "workspace"), "June")
        subprocess.run(["dd", "if=/dev/zero", f"of={disk / 'rest'}"], capture_output=True, check=False)
        yield disk / "workspace"
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


def test_a_full_disk_is_said(full: Path, capsys):
    """With 0 bytes free a command says what SQLite says, and loses nothing: with room again all is there."""
    place = ["--workspace", str(full)]
    assert main(["runs", "note", "June", "seen", *place]) == 2
    assert re.search("full|disk I/O error|unable to open", capsys.readouterr().err)
    (full.parent / "rest").unlink()
    assert main(["workspace", "check", *place]) == 0
    assert [run.name for run in open_workspace(full).runs()] == ["June"]


@pytest.mark.parametrize("name", ["a%20b", "a#b", "ñ 日本 é", "x?mode=ro", "a:b@c"])
def test_a_workspace_may_have_any_name(name: str, tmp_path: Path, capsys):
    """The index is found where it is, and named as it is, whatever a URL would read in its path."""
    folder = tmp_path / name
    home = open_workspace(folder)
    save_sample(home, "June")

    assert home.index.url.database == str(folder / INDEX_FILE)
    assert version_of(home.index)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert main(["runs", "list", "--workspace", str(folder)]) == 0
    assert "June" in capsys.readouterr().out
    assert main(["workspace", "backup", str(tmp_path / "copy?x#"), "--workspace", str(folder)]) == 0
    assert main(["workspace", "check", "--workspace", str(tmp_path / "copy?x#")]) == 0


@pytest.mark.parametrize("column", ["listed_counts", "thresholds"])
@pytest.mark.parametrize("bad", ["{", ""])
def test_the_check_finds_bad_json(column: str, bad: str, tmp_path: Path, capsys):
    """A text in the index that is no JSON, over which commands stop, is a problem of the check."""
    home = open_workspace(tmp_path / "workspace")
    save_sample(home, "June")
    with home.index.begin() as connection:
        connection.execute(sa.text(f"UPDATE runs SET {column} = :bad"), {"bad": bad})

    assert main(["workspace", "check", "--workspace", str(home.folder)]) in (1, 2)
    assert "index" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["runs/r.html", "golden/r.html", "golden/../runs/a/b.html", "qaviz.db", "."])
def test_nothing_is_exported_into_the_workspaces_own_folders(target: str, tmp_path: Path, capsys):
    """A file among those of the workspace would be taken for one of them, or replace one."""
    home = open_workspace(tmp_path / "workspace")
    save_sample(home, "June")
    for command in (["report", "June"], ["export", "June", "--format", "fmeval"]):
        assert main([*command, "--out", str(home.folder / target), "--workspace", str(home.folder)]) == 2
        assert "keeps its own files" in capsys.readouterr().err
    assert main(["workspace", "check", "--workspace", str(home.folder)]) == 0
