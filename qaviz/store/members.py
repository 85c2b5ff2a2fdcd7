"""Projects and members: which runs belong together, and who has which role in them or in the whole workspace."""

import polars as pl
import sqlalchemy as sa

from qaviz.model.errors import stop
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import insert_new, write_moment
from qaviz.store.known_runs import find_run
from qaviz.store.tables import (
    MEMBERS_TABLE,
    PROJECT_GOLDEN_TABLE,
    PROJECTS_TABLE,
    RUN_RECORDS_TABLE,
    as_kept,
    checked_name,
    frame_schema,
)
from qaviz.store.visibility import SLUG, WORKSPACE, Held, Role, restrict
from qaviz.store.workspace import Workspace

MEMBERS = frame_schema(MEMBERS_TABLE)
"""A role: in which project ("" for the whole workspace), whose, which, and since when (ISO, UTC)."""

LONGEST_SUBJECT = 255

_member, _record = MEMBERS_TABLE.c, RUN_RECORDS_TABLE.c


OF_NOBODY = ("account:", "token:")
"""How subjects begin that were accounts and tokens of earlier versions: nobody can sign in as one."""


def checked_subject(subject: str) -> str:
    """The subject, as a provider or a proxy says it, if it is one that no other subject can be taken for.

    Raises QavizError for one with blanks at its ends, with signs that cannot be seen, not in Unicode's NFC, or of an
    earlier version's accounts and tokens.
    """
    kept = checked_name(subject, "subject", LONGEST_SUBJECT)
    if kept != subject or not subject.isprintable() or subject.startswith(OF_NOBODY):
        raise stop(
            "subject",
            f"{subject!a}",
            f"no blanks at its ends, no signs that cannot be seen, and not {' or '.join(OF_NOBODY)} in front",
            "Have the provider or the proxy say another claim or header.",
        )
    return kept


def make_project(workspace: Workspace, project: str, by: str | None = None) -> None:
    """Make a project. Raises QavizError if the name will not do or is taken, or the actor may not."""
    if not SLUG.fullmatch(project):
        raise stop(
            "name of the project",
            f"{project!a}",
            "1 to 63 of a-z, 0-9, dot, hyphen and underscore, a letter or digit first",
            "Choose another name.",
        )
    with workspace.writing(Deed.PROJECT) as transaction:
        row = {"project": project, "made_at": write_moment()}
        if not insert_new(transaction, PROJECTS_TABLE, [row]):
            raise stop("name of the project", f'"{project}", which is there', "a new name", "Choose another.")
        note(transaction, Deed.PROJECT, project, "made", by)


def list_projects(workspace: Workspace) -> list[str]:
    """The projects that the actor may see, in the order of their names."""
    with workspace.reading() as connection:
        return list(connection.scalars(sa.select(PROJECTS_TABLE.c.project).order_by(PROJECTS_TABLE.c.project)))


def move_run(workspace: Workspace, run_id: str, project: str | None, by: str | None = None) -> None:
    """Move the run and its golden dataset into the project, or the run out of all of them.

    The golden dataset stays in the projects that it is in. Raises QavizError if there is no such run or project.
    """
    with workspace.writing(Deed.PROJECT) as transaction:
        run = find_run(transaction, run_id, workspace.folder)
        if project is not None:
            _refuse_unknown(transaction, project)
            insert_new(transaction, PROJECT_GOLDEN_TABLE, [{"project": project, "golden_id": run.golden_id}])
        transaction.execute(sa.update(RUN_RECORDS_TABLE).where(_record.run_id == run.run_id).values(project=project))
        where = f"into the project {project}" if project else "out of its project"
        note(transaction, Deed.PROJECT, run.run_id, f'"{run.name}" moved {where}', by)


def project_of(workspace: Workspace, run_id: str) -> str | None:
    """The project that the run is in, None for none: where what is made of it goes."""
    with workspace.reading() as connection:
        project: str | None = connection.scalar(sa.select(_record.project).where(_record.run_id == run_id))
    return project


def list_members(workspace: Workspace) -> pl.DataFrame:
    """MEMBERS of the workspace, and of the projects that the actor may see."""
    query = sa.select(*(_member[name] for name in MEMBERS)).order_by(_member.project, _member.subject)
    return workspace.read_rows(query, MEMBERS)


def own_roles(workspace: Workspace) -> Held:
    """The roles that the actor holds now. Raises QavizError if there are none."""
    with workspace.reading() as connection:
        return restrict(connection, workspace.actor)


def give_role(
    workspace: Workspace, subject: str, role: Role, project: str | None = None, by: str | None = None
) -> None:
    """Give a subject this role, in the project or in the whole workspace; it replaces the one that they have there.

    Raises QavizError if the subject will not do, there is no such project, the last owner would lose the role, or the
    actor may not.
    """
    kept = checked_subject(as_kept(subject))
    with workspace.in_project(project).writing(Deed.MEMBER) as transaction:
        if project is not None:
            _refuse_unknown(transaction, project)
        if role < Role.OWNER:
            _refuse_last_owner(transaction, kept, project)
        _remove(transaction, kept, project)
        row = {"project": project or WORKSPACE, "subject": kept, "role": str(role), "given_at": write_moment()}
        transaction.execute(sa.insert(MEMBERS_TABLE).values(row))
        note(transaction, Deed.MEMBER, project or WORKSPACE, f"{kept} is {role}", by)


def take_role(workspace: Workspace, subject: str, project: str | None = None, by: str | None = None) -> None:
    """Take a subject's role in the project, or in the whole workspace. Raises QavizError as `give_role`."""
    with workspace.in_project(project).writing(Deed.MEMBER) as transaction:
        _refuse_last_owner(transaction, subject, project)
        if not _remove(transaction, subject, project):
            raise stop("members", f"no role of {subject} there", "a subject with a role", "List the members.")
        note(transaction, Deed.MEMBER, project or WORKSPACE, f"{subject} has no role any more", by)


def _remove(transaction: sa.Connection, subject: str, project: str | None) -> int:
    one = sa.and_(_member.project == (project or WORKSPACE), _member.subject == subject)
    return transaction.execute(sa.delete(MEMBERS_TABLE).where(one)).rowcount


def _refuse_last_owner(transaction: sa.Connection, subject: str, project: str | None) -> None:
    """Raise QavizError if the subject is the last owner: nobody could give roles any more."""
    query = sa.select(_member.subject).where(_member.role == str(Role.OWNER), _member.project == WORKSPACE)
    owners = set(transaction.scalars(query))
    if project is None and owners == {subject}:
        raise stop(
            "owners of the workspace",
            f"{subject}, who is the last one",
            "at least one owner",
            "Make somebody else an owner first.",
        )


def _refuse_unknown(transaction: sa.Connection, project: str) -> None:
    if transaction.scalar(sa.select(PROJECTS_TABLE.c.project).where(PROJECTS_TABLE.c.project == project)) is None:
        raise stop("project", f'no project "{project}"', "a project that is there", "List them, or make it.")
