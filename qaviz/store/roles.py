"""Who may do what in a workspace: the roles, one table of what each deed needs, and the check before a deed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import sqlalchemy as sa

from qaviz.model.errors import QavizError, stop
from qaviz.store.audit_log import Deed
from qaviz.store.tables import MEMBERS_TABLE


class Role(IntEnum):
    """What somebody may do; each role may do what the roles before it may."""

    VIEWER = 1
    EDITOR = 2
    OWNER = 3

    def __str__(self) -> str:
        return self.name.lower()


ROLES: Final = tuple(map(str, Role))


def read_role(text: str) -> Role:
    """The role of this name. Raises QavizError if there is no such role."""
    if text not in ROLES:
        raise stop("role", f'"{text}"', ", ".join(ROLES), "Choose one of these roles.")
    return Role[text.upper()]


@dataclass(frozen=True)
class Rule:
    """What a deed needs."""

    least: Role
    meaning: str
    """What the deed is, for docs/team.md."""
    by_reviewers: bool = False
    """Whether a viewer with the right to review may do it too."""


POLICY: Mapping[Deed, Rule] = {
    Deed.READ: Rule(Role.VIEWER, "see runs, golden datasets, labels, grades, reviews and the audit"),
    Deed.EXPORT: Rule(Role.VIEWER, "take a run, a golden dataset or the audit along as a file"),
    Deed.LABEL: Rule(Role.EDITOR, "label responses", by_reviewers=True),
    Deed.UNLABEL: Rule(Role.EDITOR, "take one's own labels back", by_reviewers=True),
    Deed.REVIEW: Rule(Role.EDITOR, "decide on items of a review, and save a draft", by_reviewers=True),
    Deed.UNREVIEW: Rule(Role.EDITOR, "take one's own decision back", by_reviewers=True),
    Deed.VERIFY: Rule(Role.EDITOR, "score a run again with FMEval and note the outcome", by_reviewers=True),
    Deed.BERTSCORE: Rule(Role.EDITOR, "compute BERTScores and keep them", by_reviewers=True),
    Deed.IMPORT: Rule(Role.EDITOR, "import or score responses and save them as a run"),
    Deed.RENAME: Rule(Role.EDITOR, "rename a run"),
    Deed.OWN: Rule(Role.EDITOR, "set the owner that a run names"),
    Deed.TAG: Rule(Role.EDITOR, "tag a run"),
    Deed.NOTE: Rule(Role.EDITOR, "write notes on a run"),
    Deed.ARCHIVE: Rule(Role.EDITOR, "archive a run"),
    Deed.UNARCHIVE: Rule(Role.EDITOR, "bring a run back from the archive"),
    Deed.OVERRIDE: Rule(Role.EDITOR, "decide against a run's recommendation, with a reason"),
    Deed.CONFIRM: Rule(Role.EDITOR, "confirm, as a second person, a decision against a recommendation"),
    Deed.WITHDRAW: Rule(Role.EDITOR, "take such a decision back"),
    Deed.DELETE: Rule(Role.EDITOR, "delete a run, which can be undone"),
    Deed.UNDELETE: Rule(Role.EDITOR, "undo a deletion"),
    Deed.JUDGE: Rule(Role.EDITOR, "have a language model grade a run, or check a golden dataset"),
    Deed.TRUST: Rule(Role.OWNER, "let a judge decide that fails a probe or was not probed"),
    Deed.GENERATE: Rule(Role.EDITOR, "generate a golden dataset and keep it"),
    Deed.ACCEPT: Rule(Role.EDITOR, "save a new version of a golden dataset"),
    Deed.REJECT: Rule(Role.EDITOR, "reject a suggested edit"),
    Deed.UNREJECT: Rule(Role.EDITOR, "take a rejection back"),
    Deed.CLASSIFY: Rule(Role.EDITOR, "set the risk of a golden dataset"),
    Deed.SESSION: Rule(Role.EDITOR, "start, enlarge, refresh, close or apply a review"),
    Deed.PROFILE: Rule(Role.EDITOR, "save a column mapping"),
    Deed.UNPROFILE: Rule(Role.EDITOR, "delete a column mapping"),
    Deed.POLICY: Rule(Role.OWNER, "set the acceptance criteria and how confidence is counted"),
    Deed.PURGE: Rule(Role.OWNER, "remove deleted runs for good"),
    Deed.BACKUP: Rule(Role.OWNER, "check, clean, back up and restore the workspace"),
    Deed.SPLIT: Rule(Role.OWNER, "move the runs of projects into workspaces of their own"),
    Deed.MEMBER: Rule(Role.OWNER, "give and take roles, and say who somebody was before"),
}
"""What each deed needs. Every function of the store that writes names its deed here."""


@dataclass(frozen=True)
class Held:
    """What somebody holds at this moment."""

    role: Role
    reviews: bool = False
    """Whether they have the right to review, which editors and owners have anyway."""

    def __str__(self) -> str:
        return f"{self.role} who reviews" if self.reviews and self.role < Role.EDITOR else str(self.role)

    def allows(self, deed: Deed) -> bool:
        """Whether the policy lets them do the deed."""
        rule = POLICY[deed]
        return self.role >= rule.least or (rule.by_reviewers and self.reviews)


@dataclass(frozen=True)
class Actor:
    """Who asks the store. `LOCAL` is whoever uses a workspace on their own machine, without access control."""

    subject: str | None
    """The verified identity; None where nobody is verified and everything is allowed."""
    name: str = ""
    """How people call them, for screens."""


LOCAL: Final = Actor(subject=None)

_member = MEMBERS_TABLE.c


def require(connection: sa.Connection, actor: Actor, deed: Deed) -> Held:
    """What the actor holds, as the index has it now. Raises QavizError unless the policy lets them do the deed."""
    if actor.subject is None:
        return Held(Role.OWNER)
    query = sa.select(_member.role, _member.reviews).where(_member.subject == actor.subject)
    row = connection.execute(query).first()
    held = Held(Role[row.role.upper()], row.reviews) if row else None
    if held is None or not held.allows(deed):
        raise _refuse_deed(deed, actor, held)
    return held


def _refuse_deed(deed: Deed, actor: Actor, held: Held | None) -> QavizError:
    rule = POLICY[deed]
    return stop(
        where=f"{rule.meaning}",
        found=f"{actor.subject}, who has {f'the role {held}' if held else 'no role'} here",
        expected=f"the role {rule.least}, or a higher one{', or the right to review' if rule.by_reviewers else ''}",
        fix="Ask an owner of the workspace for that role: docs/team.md.",
    )
