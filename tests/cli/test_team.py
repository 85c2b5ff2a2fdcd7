"""`qaviz members` and `projects`, and what is said where accounts, tokens and watching were."""

from pathlib import Path

import pytest

from qaviz.cli import GONE, main
from qaviz.store.members import list_members, list_projects
from qaviz.store.workspace import Workspace, open_workspace
from tests.store.kept import keep


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


def test_members_and_projects_are_made_listed_and_removed(home: Workspace, say):
    """Roles are given in the workspace and in projects; runs move in and out of them."""
    keep(home, "June")
    assert say("members", "add", "ada@example.com", "owner")[0] == 0
    assert say("projects", "create", "alpha")[0] == 0
    assert say("members", "add", "vi", "viewer", "--project", "alpha")[0] == 0
    assert say("projects", "move", "alpha", "--run", "June")[0] == 0
    assert list_projects(home) == ["alpha"]
    assert "vi  viewer of the project alpha" in say("members", "list")[1]
    assert say("members", "remove", "vi", "--project", "alpha")[0] == 0
    assert list_members(home)["subject"].to_list() == ["ada@example.com"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("members", "add", "ada"), "ROLE: found nothing"),
        (("members", "add", "ada", "viewer", "--project", "none"), "no project"),
        (("members", "add", "token:1", "viewer"), "token:"),
        (("members", "add", "a\u200bda", "viewer"), "u200b"),
        (("members", "remove", "ada"), "no role"),
        (("projects", "create", "../x"), "'../x'"),
        (("projects", "move", "alpha", "--run", "none"), "no run"),
    ],
)
def test_what_cannot_be_done_is_said(home: Workspace, say, words: tuple[str, ...], found: str):
    """Exit code 2, with what was found."""
    code, _, said = say(*words)
    assert code == 2
    assert found in said
    assert list_members(home).is_empty()


def test_the_last_owner_stays(say):
    """The role of the last owner is not taken."""
    say("members", "add", "ada", "owner")
    for words in (("members", "remove", "ada"), ("members", "add", "ada", "viewer")):
        code, _, said = say(*words)
        assert (code, "last" in said) == (2, True)


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        (("accounts", "add", "ada", "--role", "owner"), "qaviz members"),
        (("tokens", "create", "ci"), "role of the database"),
        (("watch", "golden.jsonl", "--webhook", "team"), "qaviz check"),
    ],
)
def test_a_command_that_is_gone_says_what_does_its_work(say, words: tuple[str, ...], instead: str):
    """Exit code 2, and one line with what to do instead, whatever options follow."""
    code, _, said = say(*words)
    assert (code, said.count("\n")) == (2, 1)
    assert instead in said
    assert words[0] in GONE


def test_a_token_in_the_environment_is_refused(say, monkeypatch: pytest.MonkeyPatch):
    """A command that a token narrowed does not run without the narrowing."""
    monkeypatch.setenv("QAVIZ_TOKEN", "qaviz_1_secret")
    code, _, said = say("projects", "create", "alpha")
    assert (code, "QAVIZ_TOKEN" in said, "secret" in said) == (2, True, False)
