"""Members: who has which role in the workspace, and under which name somebody was known before."""

import polars as pl
import sqlalchemy as sa

from qaviz.model.errors import stop
from qaviz.store import tables as t
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import put_rows, write_moment
from qaviz.store.roles import Actor, Held, Role, require
from qaviz.store.tables import NAME_OF_PERSON, as_kept, checked_name, frame_schema
from qaviz.store.workspace import Workspace

MEMBERS = frame_schema(t.MEMBERS_TABLE)
"""A role: whose, which, whether they have the right to review, and since when (ISO, UTC)."""

_member, _identity = t.MEMBERS_TABLE.c, t.IDENTITIES_TABLE.c

OF_NOBODY = ("account:", "token:")
"""How subjects begin that were accounts and tokens of earlier versions: nobody can sign in as one."""


def checked_subject(subject: str) -> str:
    """The subject, as a proxy says it, if no other can be taken for it. Raises QavizError for one with blanks at its
    ends, with signs that cannot be seen, not in NFC, or of an earlier version's accounts and tokens."""
    kept = checked_name(subject, "subject", longest=255)
    if kept != subject or not subject.isprintable() or subject.startswith(OF_NOBODY):
        expected = f"no blanks at its ends, no signs that cannot be seen, and not {' or '.join(OF_NOBODY)} in front"
        raise stop("subject", f"{subject!a}", expected, "Have the provider or the proxy say another claim or header.")
    return kept


def list_members(workspace: Workspace) -> pl.DataFrame:
    """MEMBERS of the workspace."""
    return workspace.read_table(t.MEMBERS_TABLE, MEMBERS, "subject")


def own_role(workspace: Workspace) -> Held:
    """What the actor holds now. Raises QavizError if that is nothing."""
    with workspace.reading() as connection:
        return require(connection, workspace.actor, Deed.READ)


def give_role(workspace: Workspace, subject: str, role: Role, *, reviews: bool = False, by: str | None = None) -> None:
    """Give a subject this role, with the right to review or without, in place of the one that they have. Raises
    QavizError if the subject will not do or the last owner would lose the role."""
    kept = checked_subject(as_kept(subject))
    with workspace.writing(Deed.MEMBER) as transaction:
        if role < Role.OWNER:
            _refuse_last_owner(transaction, kept)
        row = {"subject": kept, "role": str(role), "reviews": reviews, "given_at": write_moment()}
        put_rows(transaction, t.MEMBERS_TABLE, [row])
        note(transaction, Deed.MEMBER, "", f"{kept} is {Held(role, reviews)}", by)


def take_role(workspace: Workspace, subject: str, by: str | None = None) -> None:
    """Take a subject's role."""
    with workspace.writing(Deed.MEMBER) as transaction:
        _refuse_last_owner(transaction, subject)
        if not _remove(transaction, subject):
            raise stop("members", f"no role of {subject}", "a subject with a role", "List the members.")
        note(transaction, Deed.MEMBER, "", f"{subject} has no role any more", by)


def map_identity(workspace: Workspace, earlier: str, subject: str, name: str, by: str | None = None) -> None:
    """Say that whom the provider called `earlier` is the proxy's `subject`, known by this name. Their role comes along,
    unless they have one. Their labels, decisions and entries of the audit stay as they are written. Raises QavizError
    if a subject or the name will not do, or one of them is mapped already."""
    kept, known_as = checked_subject(as_kept(subject)), checked_name(name, NAME_OF_PERSON)
    with workspace.writing(Deed.MEMBER) as transaction:
        mapped = sa.select(_identity.earlier, _identity.subject).where(
            sa.or_(_identity.earlier == earlier, _identity.subject == kept)
        )
        if row := transaction.execute(mapped).first():
            there = f"{row.earlier}, who is {row.subject} already"
            raise stop("identities", there, "subjects that are not mapped yet", "List the members.")
        if transaction.scalar(sa.select(_member.subject).where(_member.subject == kept)) is None:
            transaction.execute(sa.update(t.MEMBERS_TABLE).where(_member.subject == earlier).values(subject=kept))
        else:
            _remove(transaction, earlier)
        row_of_identity = {"subject": kept, "earlier": earlier, "name": known_as, "mapped_at": write_moment()}
        transaction.execute(sa.insert(t.IDENTITIES_TABLE).values(row_of_identity))
        note(transaction, Deed.MEMBER, "", f"{earlier} is {kept}, {known_as}", by)


def find_former(workspace: Workspace, subject: str | None) -> Actor | None:
    """Who the subject was before: as a provider called them, and the name at their labels and decisions; None where
    they are mapped to nobody."""
    query = sa.select(_identity.earlier, _identity.name).where(_identity.subject == subject)
    return next((Actor(*row) for row in workspace.select(query)), None)


def _remove(transaction: sa.Connection, subject: str) -> int:
    return transaction.execute(sa.delete(t.MEMBERS_TABLE).where(_member.subject == subject)).rowcount


def _refuse_last_owner(transaction: sa.Connection, subject: str) -> None:
    """Raise QavizError if the subject is the last owner: nobody could give roles any more."""
    if set(transaction.scalars(sa.select(_member.subject).where(_member.role == str(Role.OWNER)))) == {subject}:
        where = "owners of the workspace"
        raise stop(where, f"{subject}, who is the last one", "at least one owner", "Make somebody else an owner first.")
