"""What an actor may see and do: the roles that they hold now, and the rows that a SELECT gives them.

A person whose roles are in projects only sees the rows of those projects, whatever is asked: every SELECT on their
connections reads the tables through a filter, so that no list, error or count names anything else.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

import sqlalchemy as sa

from qaviz.model.errors import QavizError, stop
from qaviz.store.audit_log import UNFILTERED, Deed
from qaviz.store.tables import (
    GOLDEN_VERSIONS_TABLE,
    MEMBERS_TABLE,
    PROJECT_GOLDEN_TABLE,
    REVIEW_SESSIONS_TABLE,
    RUN_RECORDS_TABLE,
)


class Role(IntEnum):
    """What somebody may do; each role may do what the roles before it may."""

    VIEWER = 1
    REVIEWER = 2
    EDITOR = 3
    OWNER = 4

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
    everywhere: bool = False
    """Whether only a role in the whole workspace counts, because the deed reaches beyond a project."""
    anywhere: bool = False
    """Whether a role in any project is enough where the deed is about no run, golden dataset or project."""


POLICY: Mapping[Deed, Rule] = {
    Deed.READ: Rule(
        Role.VIEWER, "see runs, golden datasets, labels, grades, reviews and the audit of what one may see"
    ),
    Deed.EXPORT: Rule(Role.VIEWER, "take a run, a golden dataset or the audit along as a file", anywhere=True),
    Deed.LABEL: Rule(Role.REVIEWER, "label responses"),
    Deed.UNLABEL: Rule(Role.REVIEWER, "take one's own labels back"),
    Deed.REVIEW: Rule(Role.REVIEWER, "decide on items of a review, and save a draft"),
    Deed.UNREVIEW: Rule(Role.REVIEWER, "take one's own decision back"),
    Deed.VERIFY: Rule(Role.REVIEWER, "score a run again with FMEval and note the outcome"),
    Deed.BERTSCORE: Rule(Role.REVIEWER, "compute BERTScores and keep them", anywhere=True),
    Deed.VIEW: Rule(Role.REVIEWER, "save a link to a view of a run"),
    Deed.UNVIEW: Rule(Role.REVIEWER, "delete a saved view"),
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
    Deed.PROFILE: Rule(Role.EDITOR, "save a column mapping", everywhere=True),
    Deed.UNPROFILE: Rule(Role.EDITOR, "delete a column mapping", everywhere=True),
    Deed.POLICY: Rule(Role.OWNER, "set the acceptance criteria and how confidence is counted", everywhere=True),
    Deed.PURGE: Rule(Role.OWNER, "remove deleted runs for good"),
    Deed.BACKUP: Rule(Role.OWNER, "check, clean, back up and restore the workspace", everywhere=True),
    Deed.PROJECT: Rule(Role.OWNER, "make a project, and move a run into it or out of it", everywhere=True),
    Deed.MEMBER: Rule(Role.OWNER, "give and take roles, in the workspace or in one's own project"),
}
"""The least role for each deed. Every function of the store that writes names its deed here."""


@dataclass(frozen=True)
class Actor:
    """Who asks the store. `LOCAL` is whoever uses a workspace on their own machine, without access control."""

    subject: str | None
    """The verified identity; None where nobody is verified and everything is allowed."""
    name: str = ""
    """How people call them, for screens."""


LOCAL: Final = Actor(subject=None)


def refuse_deed(deed: Deed, actor: Actor, held: Role | None) -> QavizError:
    """The error for a person whose role is not enough for the deed."""
    least = POLICY[deed].least
    where = " in the whole workspace" if POLICY[deed].everywhere else ""
    return stop(
        where=f"{POLICY[deed].meaning}",
        found=f"{actor.subject}, who has {f'the role {held}' if held else 'no role'} here",
        expected=f"the role {least}{where}, or a higher one",
        fix="Ask an owner of the workspace for that role: docs/team.md.",
    )


SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
"""How a project may be called: it stands in commands and in SQL as it is."""

_PLAIN = re.compile(r"[a-z_][a-z0-9_]{0,62}")

WORKSPACE = ""
"""What stands for the whole workspace where a project is named."""

_member, _record, _in_project = MEMBERS_TABLE.c, RUN_RECORDS_TABLE.c, PROJECT_GOLDEN_TABLE.c
_version, _session = GOLDEN_VERSIONS_TABLE.c, REVIEW_SESSIONS_TABLE.c

_OF_RUN = ("runs", "run_records", "verifications", "labels", "grades")
_OF_LINE = (
    "golden_versions",
    "golden_edits",
    "rejections",
    "named_datasets",
    "passages",
    "triplet_findings",
    "answer_forms",
    "risks",
    "review_sessions",
)
_OF_SESSION = ("review_items", "review_flags", "review_drafts", "review_views", "review_decisions")
_OF_PROJECT = ("projects", "project_golden", "members")
_OF_NO_PROJECT = ("mapping_profiles", "triplet_corrections")
FOR_ALL = ("migrations", "bertscores", "policies")
"""Tables without a name of anybody or anything: hashes of pairs of texts, and the workspace's acceptance criteria."""


@dataclass(frozen=True)
class Held:
    """The roles that somebody holds at this moment."""

    everywhere: Role | None = None
    """In the whole workspace."""
    projects: dict[str, Role] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        """Whether there is a role at all."""
        return self.everywhere is not None or bool(self.projects)

    @property
    def highest(self) -> Role | None:
        """The highest role that is held anywhere."""
        return self.in_any(self.projects.keys())

    def in_any(self, projects: Iterable[str]) -> Role | None:
        """The highest role that is held in one of these projects, by a role in them or in the whole workspace."""
        roles = [self.projects[project] for project in projects if project in self.projects]
        return max(filter(None, [self.everywhere, *roles]), default=None)


def held_roles(connection: sa.Connection, actor: Actor) -> Held:
    """The roles of a verified actor as the index has them now."""
    query = sa.select(_member.project, _member.role).where(_member.subject == actor.subject)
    given = {row.project: Role[row.role.upper()] for row in connection.execute(query, execution_options=UNFILTERED)}
    return Held(given.pop(WORKSPACE, None), given)


def restrict(connection: sa.Connection, actor: Actor) -> Held:
    """Let every SELECT on the connection see no more than the actor may. Returns their roles.

    Raises QavizError if the actor has no role.
    """
    if actor.subject is None:
        return Held(Role.OWNER)
    held = held_roles(connection, actor)
    if not held.any:
        raise refuse_deed(Deed.READ, actor, None)
    if held.everywhere is None:
        _narrow(connection, list(held.projects))
    return held


def require(connection: sa.Connection, actor: Actor, deed: Deed, project: str | None, **about: str | None) -> None:
    """Raise QavizError unless the policy lets the actor do the deed to a `run`, `line` or `session`.

    Without any of them the deed is about the project, or without that about the workspace. The connection shows no
    more than the actor may see; what they cannot see is refused as if it were not there.
    """
    if actor.subject is None:
        return
    held, rule = restrict(connection, actor), POLICY[deed]
    named = next(((kind, name) for kind, name in about.items() if name is not None), None)
    if rule.everywhere:
        role = held.everywhere
    elif named is None and project is None:
        role = held.highest if rule.anywhere else held.everywhere
    else:
        role = held.in_any(_projects_of(connection, *named) if named else {str(project)})
    if named is not None and role is None and not rule.everywhere:
        raise _unknown_error(*named)
    if role is None or role < rule.least:
        raise refuse_deed(deed, actor, role)


def _unknown_error(kind: str, name: str) -> QavizError:
    called = {"run": "run", "line": "golden dataset", "session": "review"}[kind]
    return stop(
        where=f"the {called} {name}",
        found=f"no such {called}",
        expected=f"a {called} that you may see",
        fix="Check the name, or ask an owner for a role in its project.",
    )


def _projects_of(connection: sa.Connection, kind: str, name: str) -> set[str]:
    """The projects that hold this run, line of golden dataset versions or review session."""
    if kind == "run":
        query = sa.select(_record.project).where(_record.run_id == name, _record.project.is_not(None))
    else:
        line = sa.select(_session.line).where(_session.session == name).scalar_subquery() if kind == "session" else name
        versions = sa.select(_version.golden_id).where(_version.line == line)
        whole = sa.or_(_in_project.golden_id == line, _in_project.golden_id.in_(versions))
        query = sa.select(_in_project.project).where(whole)
    return set(connection.scalars(query, execution_options=UNFILTERED))


def _narrow(connection: sa.Connection, projects: list[str]) -> None:
    """Let each SELECT on the connection read the tables as views of the rows that belong to these projects.

    Each gets, in front, a common table expression of the table's own name: SQL looks there before it looks for a table.
    """
    views = _write_views(projects, "main." if connection.dialect.name == "sqlite" else "")

    def look_through(
        _connection: sa.Connection,
        _cursor: object,
        statement: str,
        parameters: object,
        context: sa.engine.ExecutionContext,
        _many: bool,
    ) -> tuple[str, object]:
        narrow = statement.startswith("SELECT") and not (context.execution_options.keys() & UNFILTERED.keys())
        return (f"{views}\n{statement}" if narrow else statement), parameters

    sa.event.listen(connection, "before_cursor_execute", look_through, retval=True)


def _write_views(projects: list[str], home: str) -> str:
    """The views, as the start of a statement; `home` is the prefix of a table that is not read through a view."""
    conditions = _conditions(projects, home)
    return "WITH " + ",\n".join(
        f"{table} AS (SELECT * FROM {home}{table} WHERE {condition})" for table, condition in conditions.items()
    )


def write_database_role(project: str, role: str, home: str = "public") -> str:
    """The SQL that lets a role of PostgreSQL read one project and nothing else, for an administrator to run.

    The role reads, in a schema of its own, views of the tables in the schema `home`; it has to be there. Raises
    QavizError if the role or the schema would not be a plain name.
    """
    for name in (role, home):
        if not _PLAIN.fullmatch(name):
            raise stop("role of the database", f"{name!a}", "1 to 63 of a-z, 0-9 and _", "Choose another name.")
    conditions = dict.fromkeys(FOR_ALL, "true") | _conditions([project], f"{home}.")
    return "\n".join(
        [
            f"CREATE SCHEMA {role};",
            *(
                f"CREATE VIEW {role}.{table} AS SELECT * FROM {home}.{table} WHERE {condition};"
                for table, condition in conditions.items()
            ),
            f"GRANT USAGE ON SCHEMA {role} TO {role};",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {role} TO {role};",
            f"ALTER ROLE {role} SET search_path = {role};",
            f"ALTER ROLE {role} SET default_transaction_read_only = on;",
        ]
    )


def _conditions(projects: list[str], home: str) -> dict[str, str]:
    """Which rows of each table belong to the projects."""
    assert all(map(SLUG.fullmatch, projects)), projects
    mine = ", ".join(f"'{project}'" for project in projects)
    runs = f"SELECT run_id FROM {home}run_records WHERE project IN ({mine})"
    own = f"SELECT golden_id FROM {home}project_golden WHERE project IN ({mine})"
    lines = f"{own} UNION SELECT line FROM {home}golden_versions WHERE golden_id IN ({own})"
    golden = f"{lines} UNION SELECT golden_id FROM {home}golden_versions WHERE line IN ({lines})"
    sessions = f"SELECT session FROM {home}review_sessions WHERE line IN ({lines})"
    return {
        **dict.fromkeys(_OF_RUN, f"run_id IN ({runs})"),
        **dict.fromkeys(_OF_LINE, f"line IN ({lines})"),
        **dict.fromkeys(_OF_SESSION, f"session IN ({sessions})"),
        **dict.fromkeys(_OF_PROJECT, f"project IN ({mine})"),
        "golden_datasets": f"golden_id IN ({golden})",
        "judges": f"judge IN (SELECT judge FROM {home}grades WHERE run_id IN ({runs}))",
        "audit": f"about IN ({runs} UNION {golden}) OR about IN ({mine})",
        **dict.fromkeys(_OF_NO_PROJECT, "1 = 0"),
    }
