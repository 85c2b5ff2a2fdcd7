"""API tokens: made once, kept as a hash, never more than their scope and their maker's role."""

from datetime import UTC, datetime, timedelta

import pytest

from qaviz.model.errors import QavizError
from qaviz.store import Workspace, run_records
from qaviz.store.accounts import create_token, find_token_actor, list_tokens, revoke_token
from qaviz.store.audit import whole_audit
from qaviz.store.members import give_role, list_members, make_project, take_role
from qaviz.store.roles import Actor, Role
from tests.store.kept import everything, keep


@pytest.fixture
def home(workspace: Workspace) -> Workspace:
    """A workspace with two projects, a run in each, an owner, and an editor of alpha."""
    for project in ("alpha", "beta"):
        make_project(workspace, project)
        keep(workspace.in_project(project), f"{project} run")
    give_role(workspace, "ada", Role.OWNER)
    give_role(workspace, "ed", Role.EDITOR, "alpha")
    return workspace


def acting(home: Workspace, token: str) -> Workspace:
    return home.as_actor(find_token_actor(home, token))


def test_a_token_acts_within_its_scope(home: Workspace):
    """Of an owner's token for a reviewer in alpha nothing of beta is seen, and nothing an editor does is done; the
    audit says whose token it was."""
    token = create_token(home.as_actor(Actor("ada")), "ci", Role.REVIEWER, 30, "alpha")
    ci = acting(home, token)
    assert [run.name for run in ci.runs()] == ["alpha run"]
    with pytest.raises(QavizError, match="editor"):
        run_records.archive(ci, ci.runs()[0].run_id, "ci")
    ci.note_export("pack", run=ci.runs()[0].run_id)
    subject = whole_audit(home)["subject"][-1]
    assert subject.startswith("ada (token ")


def test_only_a_hash_is_kept(home: Workspace):
    """No table of the index has the token, or its secret part."""
    token = create_token(home, "ci", Role.VIEWER, 30)
    secret = token.split("_", 2)[2]
    assert secret not in repr(everything(home)[0])
    assert list_tokens(home)["name"].to_list() == ["ci"]


def test_forged_cut_expired_and_revoked_tokens_are_refused(home: Workspace):
    """The error says which of these it was, by the token's name, and never quotes the token."""
    token = create_token(home, "ci", Role.VIEWER, 30)
    assert find_token_actor(home, f" {token}\n").at_most is Role.VIEWER
    prefix, number, secret = token.split("_", 2)
    other = create_token(home, "other", Role.OWNER, 30).split("_", 2)[1]
    for forged in ("", "qaviz", token[:-1], f"{token}x", f"{prefix}_{number}_", f"{prefix}_{other}_{secret}", "é_ü_🙂"):
        with pytest.raises(QavizError, match="never made") as refused:
            find_token_actor(home, forged)
        assert secret not in str(refused.value)
    with pytest.raises(QavizError, match="expired"):
        find_token_actor(home, token, datetime.now(UTC) + timedelta(days=31))
    revoke_token(home, number)
    with pytest.raises(QavizError, match="revoked"):
        find_token_actor(home, token)


def test_nobody_makes_a_token_above_their_role(home: Workspace):
    """An editor of a project makes none for an owner, another project or the workspace; days have a limit."""
    editor = home.as_actor(Actor("ed"))
    for role, project in ((Role.OWNER, "alpha"), (Role.VIEWER, "beta"), (Role.VIEWER, None)):
        with pytest.raises(QavizError):
            create_token(editor, "ci", role, 30, project)
    with pytest.raises(QavizError, match="days"):
        create_token(editor, "ci", Role.VIEWER, 366, "alpha")
    assert list_tokens(home).is_empty()


def test_a_token_loses_what_its_maker_loses(home: Workspace):
    """When the maker's role goes, the token opens nothing, though it was not revoked."""
    token = create_token(home.as_actor(Actor("ed")), "ci", Role.EDITOR, 30, "alpha")
    assert acting(home, token).runs()
    give_role(home, "ed", Role.VIEWER, "alpha")
    with pytest.raises(QavizError, match="viewer"):
        run_records.archive(acting(home, token), acting(home, token).runs()[0].run_id, "ci")
    take_role(home, "ed", "alpha")
    with pytest.raises(QavizError, match="no role"):
        acting(home, token).runs()


def test_tokens_of_others_are_not_listed_or_revoked(home: Workspace):
    """An editor sees and ends their own tokens; an owner everybody's. The operator's, revoked, leaves no role."""
    create_token(home, "operator", Role.VIEWER, 30)
    create_token(home.as_actor(Actor("ed")), "own", Role.VIEWER, 30, "alpha")
    editor, owner = (home.as_actor(Actor(subject)) for subject in ("ed", "ada"))
    assert list_tokens(editor)["name"].to_list() == ["own"]
    (operators,) = list_tokens(owner).filter(name="operator")["token"]
    with pytest.raises(QavizError):
        revoke_token(editor, operators)
    revoke_token(owner, operators)
    assert "token:" not in repr(list_members(home)["subject"].to_list())
