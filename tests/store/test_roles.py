"""Roles: who may do what and see what, by one table, over both databases."""

import ast
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest
import sqlalchemy as sa

from qaviz.model.columns import FACT
from qaviz.model.errors import QavizError
from qaviz.store import maintenance, members, run_records
from qaviz.store.audit import check_audit, whole_audit
from qaviz.store.audit_log import Deed
from qaviz.store.roles import LOCAL, Actor, Held, Role
from qaviz.store.tables import TABLES
from qaviz.store.workspace import Workspace
from tests.store.deeds import Team, deeds, make_team
from tests.store.kept import everything, keep

STORE = Path(__file__).parents[2] / "qaviz" / "store"
BESIDE_THE_POLICY = {"workspace.writing", "workspace.clear_unfinished", "maintenance.purge"}
"""What takes the writer's lock and is no deed of a member: tidying up."""


@pytest.fixture
def team(workspace: Workspace) -> Team:
    return make_team(workspace)


def called_in(function: ast.FunctionDef, method: str) -> bool:
    """Whether the function calls `.method(...)`, or is called so itself."""
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return any(isinstance(call, ast.Attribute) and call.attr == method for call in calls)


def store_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for file in sorted(STORE.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield f"{file.stem}.{node.name}", node


def test_no_function_writes_without_its_deed():
    """Every function of the store that takes the writer's lock names its deed; a new one that does not fails here."""
    for name, function in store_functions():
        if called_in(function, "locking") or called_in(function, "begin"):
            assert name in BESIDE_THE_POLICY | {
                "workspace.locking",
                "index.open_index",
                "maintenance._copy_rows",
                "maintenance.split",
                "maintenance._write_workspace",
            }, name
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Attribute) and call.func.attr == "writing":
                (deed,) = call.args
                assert ast.unparse(deed).startswith("Deed.") or ast.unparse(deed) == "deed", name


@pytest.mark.slow
def test_each_deed_needs_its_role(team: Team):
    """Whoever has less than the policy's least role is refused and changes nothing; with that role they do it.

    The table of calls has every function of the store that writes.
    """
    calls = deeds(team)
    writing = {name for name, function in store_functions() if called_in(function, "writing")}
    private = {"run_records._changing_record", "workspace.writing", "labels._keep_of_line"}
    by_way_of_these = {f"run_records.{name}" for name in ("describe", "archive", "unarchive", "delete", "undelete")} | {
        "labels.keep_triplet_findings",
        "labels.keep_answer_forms",
    }
    assert writing - private == set(calls) - by_way_of_these
    people = {held: team.member(held.role, reviews=held.reviews) for held in HOLDERS}
    nobody = team.member(None)
    for name, (deed, call) in calls.items():
        before = everything(team.home)
        allowed = [held for held in HOLDERS if held.allows(deed)]
        for person in [nobody, *(people[held] for held in HOLDERS if held not in allowed)]:
            with pytest.raises(QavizError):
                call(person)
        assert everything(team.home) == before, name
        call(people[allowed[0]])


HOLDERS = [Held(Role.VIEWER), Held(Role.VIEWER, reviews=True), Held(Role.EDITOR), Held(Role.OWNER)]


def test_a_reviewer_is_a_viewer_who_labels_and_reviews():
    """The right to review lets a viewer do what reviewers do, and nothing that changes runs or golden datasets."""
    viewer, reviewer, editor, _ = HOLDERS
    gained = {deed for deed in Deed if reviewer.allows(deed) and not viewer.allows(deed)}
    assert {Deed.LABEL, Deed.UNLABEL, Deed.REVIEW, Deed.UNREVIEW} <= gained
    assert not gained & {Deed.IMPORT, Deed.ACCEPT, Deed.DELETE, Deed.POLICY, Deed.MEMBER, Deed.JUDGE}
    assert all(editor.allows(deed) for deed in gained)


def test_who_has_no_role_sees_nothing(team: Team):
    """A viewer sees the run; a subject without a role learns who they are and whom to ask."""
    assert len(team.member(Role.VIEWER).runs()) == 1
    with pytest.raises(QavizError, match=r"nobody.*no role") as refused:
        team.home.as_actor(Actor("nobody")).runs()
    assert "owner" in str(refused.value)


def test_a_role_that_changes_counts_at_once(team: Team):
    """A page that is open keeps its workspace object; what it may do is asked anew for each deed."""
    page = team.member(Role.EDITOR)
    run_records.archive(page, team.run.run_id, "me")
    members.give_role(team.home, str(page.actor.subject), Role.VIEWER)
    with pytest.raises(QavizError, match="viewer"):
        run_records.unarchive(page, team.run.run_id, "me")
    members.take_role(team.home, str(page.actor.subject))
    with pytest.raises(QavizError, match="no role"):
        page.runs()


def test_whom_a_provider_called_otherwise_is_still_the_same_person(team: Team):
    """Role and name come along, and nobody confirms their own decision under a new name; no word of the audit changes.
    A subject is mapped once."""
    members.give_role(team.home, "0af3", Role.EDITOR)
    run_records.override_decision(team.home.as_actor(Actor("0af3", "Ada")), team.run.run_id, "Ada", "A", "cheaper")
    before = whole_audit(team.home)
    members.map_identity(team.home, "0af3", "ada@example.com", "Ada", "root")
    ada = team.home.as_actor(Actor("ada@example.com", "Ada"))

    assert members.own_role(ada) == Held(Role.EDITOR)
    assert members.find_former(ada, "ada@example.com") == Actor("0af3", "Ada")
    assert members.find_former(ada, "root") is None
    assert whole_audit(team.home).head(before.height).equals(before)
    with pytest.raises(QavizError, match="another person"):
        run_records.confirm_override(ada, team.run.run_id, "Ada")
    run_records.confirm_override(team.member(Role.EDITOR), team.run.run_id, "Bo")
    for earlier, subject in (("0af3", "bo@example.com"), ("0af4", "ada@example.com")):
        with pytest.raises(QavizError, match="already"):
            members.map_identity(team.home, earlier, subject, "Ada")
    assert check_audit(team.home).problem is None


def test_two_owners_remove_each_other_and_one_remains(workspace: Workspace):
    """Of two owners who take each other's role at the same moment one is refused; the last owner cannot go."""
    for subject in ("ada", "bo"):
        members.give_role(workspace, subject, Role.OWNER)
    ready, refused = Barrier(2), []

    def remove(own: str, other: str) -> None:
        ready.wait()
        try:
            members.take_role(workspace.as_actor(Actor(own)), other)
        except QavizError as error:
            refused.append(str(error))

    threads = [Thread(target=remove, args=pair) for pair in (("ada", "bo"), ("bo", "ada"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    (left,) = members.list_members(workspace)["subject"]
    assert len(refused) == 1
    owner = workspace.as_actor(Actor(left))
    for act in (lambda: members.take_role(owner, left), lambda: members.give_role(owner, left, Role.EDITOR)):
        with pytest.raises(QavizError, match="last"):
            act()
    assert members.list_members(workspace)["role"].to_list() == ["owner"]


def test_the_audit_names_the_verified_subject(team: Team):
    """Beside the typed name stands who it was, in the chain: to change it breaks the hash. Exports are noted too; on
    one's own machine there is no subject, and no export is noted."""
    editor = team.member(Role.EDITOR)
    run_records.archive(editor, team.run.run_id, "the boss")
    editor.note_export("decision pack", run=team.run.run_id)
    team.home.note_export("decision pack", run=team.run.run_id)
    entries = whole_audit(team.home)

    archived, exported = entries.tail(2).iter_rows(named=True)
    assert (archived["who"], archived["subject"]) == ("the boss", "editor False")
    assert (exported["what"], exported["subject"]) == ("export", "editor False")
    assert entries.filter(what="import")["subject"].to_list() == [None]
    assert check_audit(team.home).problem is None
    with team.home.locking() as transaction:
        table = TABLES.tables["audit"]
        transaction.execute(sa.update(table).where(table.c.number == archived["number"]).values(subject="another"))
    assert check_audit(team.home).problem is not None


def test_the_default_actor_may_do_everything(workspace: Workspace):
    """On one's own machine there is no access control, and no member is needed."""
    assert workspace.actor == LOCAL
    run = keep(workspace, "June")
    run_records.archive(workspace, run.run_id, "me")
    assert maintenance.check(workspace).problems == ()
    assert members.list_members(workspace).is_empty()
    assert FACT in workspace.golden(run.golden_id).columns
