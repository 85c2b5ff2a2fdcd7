"""Who may do what in a workspace: the roles, one table of what each deed needs, and the check before a deed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import sqlalchemy as sa

from qaviz.model.errors import stop
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


NEEDS: Mapping[Role, frozenset[Deed]] = {
    Role.VIEWER: frozenset({Deed.READ, Deed.EXPORT}),
    Role.OWNER: frozenset({Deed.TRUST, Deed.POLICY, Deed.PURGE, Deed.BACKUP, Deed.SPLIT, Deed.MEMBER}),
}
"""The policy: deeds by the least role for them; every other deed is an editor's. Every function of the store that
writes names its deed."""
BY_REVIEWERS = frozenset({Deed.LABEL, Deed.UNLABEL, Deed.REVIEW, Deed.UNREVIEW, Deed.VERIFY, Deed.BERTSCORE})
"""What a viewer with the right to review may do too."""


def least_role(deed: Deed) -> Role:
    """The least role that the deed needs."""
    return next((role for role, deeds in NEEDS.items() if deed in deeds), Role.EDITOR)


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
        return self.role >= least_role(deed) or (self.reviews and deed in BY_REVIEWERS)


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
        fault = f"{actor.subject}, who has {f'the role {held}' if held else 'no role'} here"
        expected = f"the role {least_role(deed)}{', or the right to review' if deed in BY_REVIEWERS else ''}"
        raise stop(deed.value, fault, expected, "Ask an owner of the workspace for that role: docs/team.md.")
    return held
