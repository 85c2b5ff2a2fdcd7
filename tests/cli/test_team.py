"""`qaviz members` and `workspace split`."""

import json
from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.store.members import list_members
from qaviz.store.workspace import Workspace, open_workspace
from tests.store.test_older_versions import older_folder


@pytest.fixture
def home(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "workspace")


@pytest.fixture
def say(home: Workspace, capsys: pytest.CaptureFixture[str]):
    """Run a command; returns its code, what it printed and what it said of problems."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words, "--workspace", str(home.folder)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_roles_are_given_listed_and_taken(home: Workspace, say):
    """A viewer with the right to review is listed so."""
    assert say("members", "add", "ada@example.com", "owner")[0] == 0
    assert say("members", "add", "vi", "viewer", "--reviews")[0] == 0
    rows = json.loads(say("members", "list", "--format", "json")[1])
    assert [(row["subject"], row["role"], row["reviews"]) for row in rows] == [
        ("ada@example.com", "owner", False),
        ("vi", "viewer", True),
    ]
    assert say("members", "map", "vi", "vi@example.com", "--name", "Vi")[0] == 0
    assert say("members", "remove", "vi@example.com")[0] == 0
    assert list_members(home)["subject"].to_list() == ["ada@example.com"]


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


def test_a_token_in_the_environment_is_refused(say, monkeypatch: pytest.MonkeyPatch):
    """A command that a token narrowed does not run without the narrowing."""
    monkeypatch.setenv("QAVIZ_TOKEN", "qaviz_1_secret")
    code, _, said = say("members", "list")
    assert (code, "QAVIZ_TOKEN" in said, "secret" in said) == (2, True, False)
