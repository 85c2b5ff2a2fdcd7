"""`qaviz accounts`, `members`, `projects` and `tokens`, and commands with a token in QAVIZ_TOKEN."""

import io
from pathlib import Path

import pytest

from qaviz.access.passwords import check_password
from qaviz.cli import main
from qaviz.store import Workspace, open_workspace
from qaviz.store.accounts import find_password, list_accounts
from qaviz.store.audit import whole_audit
from qaviz.store.members import list_members, take_role
from tests.builders import save_sample
from tests.store.kept import keep

PASSWORD = "correct horse battery staple"


@pytest.fixture
def home(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "workspace")


@pytest.fixture
def say(home: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run a command; returns its code and what it printed. A password is what stands on standard input."""

    def run(*words: str, password: str = PASSWORD, token: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
        monkeypatch.setenv("QAVIZ_TOKEN", token)
        code = main([*words, "--workspace", str(home.folder)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_accounts_are_added_listed_and_removed(home: Workspace, say):
    """The password comes from standard input; no output, and no entry of the audit, has it."""
    assert say("accounts", "add", "ada", "--role", "owner")[0] == 0
    assert say("accounts", "add", "bo", "--role", "viewer")[0] == 0
    said = "".join(map(str, say("accounts", "list")))
    assert "ada" in said
    assert PASSWORD not in said + repr(whole_audit(home).to_dicts())
    assert check_password(find_password(home, "ada"), PASSWORD)
    assert say("accounts", "passwd", "ada", password="another long password")[0] == 0
    assert not check_password(find_password(home, "ada"), PASSWORD)
    assert say("accounts", "remove", "bo")[0] == 0
    assert [name for name, _ in list_accounts(home)] == ["ada"]
    assert list_members(home)["subject"].to_list() == ["ada"]


@pytest.mark.parametrize(
    ("words", "password", "found"),
    [
        (("accounts", "add", "ada"), "short", "5 characters"),
        (("accounts", "add", "Ada Lovelace"), PASSWORD, "Ada Lovelace"),
        (("accounts", "add"), PASSWORD, "no NAME"),
        (("accounts", "passwd", "nobody"), PASSWORD, "no account"),
        (("members", "add", "ada"), "", "no ROLE"),
        (("members", "add", "ada", "viewer", "--project", "none"), "", "no project"),
        (("members", "remove", "ada"), "", "no role"),
        (("projects", "create", "../x"), "", "'../x'"),
        (("projects", "move", "alpha", "--run", "none"), "", "no run"),
        (("tokens", "revoke", "none"), "", "no token"),
    ],
)
def test_what_cannot_be_done_is_said(home: Workspace, say, words: tuple[str, ...], password: str, found: str):
    """Exit code 2, with what was found; a password that will not do is not quoted."""
    code, _, said = say(*words, password=password)
    assert code == 2
    assert found in said
    assert list_accounts(home) == []


def test_the_last_owner_stays(say):
    """Neither the role nor the account of the last owner is removed."""
    say("accounts", "add", "ada", "--role", "owner")
    for words in (("members", "remove", "ada"), ("members", "add", "ada", "viewer"), ("accounts", "remove", "ada")):
        code, _, said = say(*words)
        assert (code, "last" in said) == (2, True)


def test_a_token_does_what_it_may_and_no_more(home: Workspace, say):
    """In CI: the token reads its project, imports into it, and neither sees another project nor deletes."""
    say("projects", "create", "alpha")
    say("projects", "create", "beta")
    keep(home, "June")
    keep(home, "July")
    for project, run in (("alpha", "June"), ("beta", "July")):
        assert say("projects", "move", project, "--run", run)[0] == 0
    code, token, said = say("tokens", "create", "ci", "--role", "reviewer", "--project", "alpha", "--days", "7")
    token = token.strip()
    assert (code, token.startswith("qaviz_"), token in said) == (0, True, False)
    assert token not in "".join(map(str, say("tokens", "list")))

    code, listed, _ = say("runs", "list", token=token)
    assert code == 0
    assert "June" in listed
    assert "July" not in listed
    for words in (("runs", "show", "July"), ("runs", "delete", "June"), ("workspace", "check"), ("accounts", "list")):
        code, listed, said = say(*words, token=token)
        assert code == 2, words
        assert "July" not in listed + said.replace('no run "July"', "")
    assert say("runs", "list", token=f"{token}x")[0] == 2


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("workspace", "audit", "--out"), "audit.jsonl"),
        (("golden", "export", "sample", "--out"), "golden.jsonl"),
        (("golden", "sample", "sample", "--smoke", "3", "--out"), "smoke.jsonl"),
        (("export", "sample", "--format", "fmeval", "--out"), "fmeval"),
        (("report", "sample", "--out"), "pack.json"),
    ],
)
def test_exports_by_a_token_are_in_the_audit(home: Workspace, say, tmp_path: Path, words: tuple[str, ...], file: str):
    """What somebody takes along is noted with the token's subject, and nothing is taken by a token without a role."""
    save_sample(home)
    token = say("tokens", "create", "ci", "--role", "viewer")[1].strip()
    code, _, said = say(*words, str(tmp_path / file), token=token)
    assert code == 0, said
    last = whole_audit(home).row(-1, named=True)
    assert (last["what"], last["subject"].startswith("token:")) == ("export", True)
    (tmp_path / "again").mkdir()
    take_role(home, last["subject"].partition(" ")[0])
    assert say(*words, str(tmp_path / "again" / file), token=token)[0] == 2
    assert list((tmp_path / "again").iterdir()) == []
