"""`qaviz workspace`: damage is named, projects move out, a token is refused."""

from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.store.workspace import Workspace
from tests.store.kept import keep
from tests.store.test_older_versions import older_folder


def test_check_names_what_is_damaged(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    """A changed file is named on stderr, and the code is 1."""
    run = keep(workspace, "first")
    (workspace.folder / "runs" / f"{run.run_id}.parquet").write_bytes(b"other")
    assert main(["workspace", "check", "--workspace", str(workspace.folder)]) == 1
    assert f"{run.run_id}.parquet: found other bytes than were written" in capsys.readouterr().err


def test_projects_move_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """`workspace split` says how many runs went out, and the new workspace opens; without projects it says so."""
    folder, new = older_folder(26, tmp_path / "old", projects=True), tmp_path / "new"
    assert main(["runs", "list", "--workspace", str(folder)]) == 2
    assert "workspace split" in capsys.readouterr().err
    assert main(["workspace", "split", str(new), "--workspace", str(folder)]) == 0
    assert capsys.readouterr().out == f"folder: {new}\nprojects: alpha 1\n"
    assert main(["runs", "show", "June", "--workspace", str(new / "alpha")]) == 0
    assert main(["workspace", "check", "--workspace", str(new / "alpha")]) == 0
    capsys.readouterr()
    assert main(["workspace", "split", str(tmp_path / "more"), "--workspace", str(folder)]) == 0
    assert "projects: none\n" in capsys.readouterr().out


def test_a_token_in_the_environment_is_refused(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A command that a token narrowed does not run without the narrowing."""
    monkeypatch.setenv("QAVIZ_TOKEN", "qaviz_1_secret")
    assert main(["members", "list", "--workspace", str(workspace.folder)]) == 2
    words = capsys.readouterr().err
    assert ("QAVIZ_TOKEN" in words, "secret" in words) == (True, False)
