"""Odd paths work or are refused in words; the check reads what commands read."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from qaviz.cli import main
from qaviz.store.index import INDEX_FILE, version_of
from qaviz.store.workspace import open_workspace
from tests.builders import save_sample


@pytest.mark.parametrize("name", ["ñ 日本 a%20b#c", "x?mode=ro:a@b"])
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


@pytest.mark.parametrize(("column", "bad"), [("listed_counts", "{"), ("thresholds", "")])
def test_the_check_finds_bad_json(column: str, bad: str, tmp_path: Path, capsys):
    """A text in the index that is no JSON, over which commands stop, is a problem of the check."""
    home = open_workspace(tmp_path / "workspace")
    save_sample(home, "June")
    with home.index.begin() as connection:
        connection.execute(sa.text(f"UPDATE runs SET {column} = :bad"), {"bad": bad})

    assert main(["workspace", "check", "--workspace", str(home.folder)]) in (1, 2)
    assert "index" in capsys.readouterr().err
