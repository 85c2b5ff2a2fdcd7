"""A person decides against the recommendation: with a reason, with roles a second person, all in the audit."""

import pytest

from qaviz.model.errors import QavizError
from qaviz.store.audit import whole_audit
from qaviz.store.members import give_role
from qaviz.store.roles import Actor, Role
from qaviz.store.run_records import confirm_override, find_record, override_decision, withdraw_override
from qaviz.store.workspace import Workspace
from tests.store.kept import keep


def audit_of(workspace: Workspace) -> list[str]:
    return whole_audit(workspace)["what"].to_list()


def test_alone_a_reason_is_enough(workspace: Workspace):
    """Without sign-in the decision holds at once; without a reason or for a strange pipeline there is none."""
    run = keep(workspace, "June")
    for ships, reason in (("A", "  "), ("nobody", "cheaper")):
        with pytest.raises(QavizError):
            override_decision(workspace, run.run_id, "Ada", ships, reason)
    assert find_record(workspace, run.run_id).override is None

    override_decision(workspace, run.run_id, "Ada", None, "the risk is too high")
    made = find_record(workspace, run.run_id).override

    assert made is not None
    assert (made.ships, made.reason, made.by, made.holds) == (None, "the risk is too high", "Ada", True)
    withdraw_override(workspace, run.run_id, "Ada")
    assert find_record(workspace, run.run_id).override is None
    assert {"decision overridden", "override taken back"} <= set(audit_of(workspace))


def test_with_roles_a_second_person_confirms(workspace: Workspace):
    """It does not hold until another one confirms it; the same one cannot, nor can a reviewer."""
    run = keep(workspace, "June")
    for subject, role in (("ada", Role.OWNER), ("bo", Role.EDITOR), ("cy", Role.VIEWER)):
        give_role(workspace, subject, role, reviews=True, by="Ada")
    ada, bo, cy = (workspace.as_actor(Actor(name, name.title())) for name in ("ada", "bo", "cy"))
    override_decision(ada, run.run_id, "Ada", "A", "cheaper")

    assert not find_record(bo, run.run_id).override.holds
    for home, name in ((ada, "Ada"), (cy, "Cy")):
        with pytest.raises(QavizError):
            confirm_override(home, run.run_id, name)
    confirm_override(bo, run.run_id, "Bo")
    made = find_record(bo, run.run_id).override
    assert (made.holds, made.by, made.confirmed_by) == (True, "Ada", "Bo")
    with pytest.raises(QavizError, match="nothing to confirm"):
        confirm_override(bo, run.run_id, "Bo")
    assert "override confirmed" in audit_of(workspace)
