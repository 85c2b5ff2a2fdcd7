"""Move the runs of a workspace's projects, which qaviz had up to version 26 of its index, into workspaces of their own.

All that belongs to a project comes along: runs with labels and grades, golden datasets with versions and reviews,
and roles. The audit of what was before stays in the old workspace; the new one's goes on from its last hash.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from qaviz.model.errors import QavizError, disk_refusals
from qaviz.store import audit_log, files, maintenance, roles, tables
from qaviz.store import index as indexes
from qaviz.store import tables as t

_RUNS = "SELECT run_id FROM run_records WHERE project = :project"
_OWN = f"""SELECT golden_id FROM project_golden WHERE project = :project
    UNION SELECT golden_id FROM runs WHERE run_id IN ({_RUNS})"""
_LINES = f"{_OWN} UNION SELECT line FROM golden_versions WHERE golden_id IN ({_OWN})"
_GOLDEN = f"{_LINES} UNION SELECT golden_id FROM golden_versions WHERE line IN ({_LINES})"
_SESSIONS = f"SELECT session FROM review_sessions WHERE line IN ({_LINES})"
_BY_COLUMN = {"run_id": _RUNS, "line": _LINES, "session": _SESSIONS}
"""What belongs to a project by the first of these columns that a table has."""
_CONDITIONS: Mapping[str, str] = {
    "golden_datasets": f"golden_id IN ({_GOLDEN})",
    "judges": f"judge IN (SELECT judge FROM grades WHERE run_id IN ({_RUNS}))",
    "triplet_corrections": f"dataset IN (SELECT name FROM named_datasets WHERE line IN ({_LINES}))",
    **dict.fromkeys(("bertscores", "policies"), ":project = :project"),
    "mapping_profiles": ":project <> :project",
}
"""Which rows of other tables do. Acceptance criteria and BERTScores of pairs of texts belong to each project, saved
mappings of columns to none; roles are read apart."""


def split(folder: Path, target: Path, by: str | None = None) -> dict[str, int]:
    """Move each project's runs from the workspace in `folder` into the new workspace `target`/project. Its members are
    those of the project and of the whole workspace, each with the higher role. Golden datasets stay in the old
    workspace too. All of it or nothing; others wait meanwhile. Returns how many runs each project had. Raises
    QavizError if something is at `target` or a file is not as it was written."""
    index = indexes.index_of(folder)
    if indexes.version_of(index) is None:
        return {}
    run_ids: dict[str, list[str]] = {}
    with indexes.index_refusals(index), index.begin() as transaction:
        indexes.migrate(transaction, last=26)  # the last version with projects
        if sa.inspect(transaction).has_table("projects"):
            own = sa.text(f"{_RUNS} ORDER BY run_id")
            for project in indexes.list_projects(transaction):
                run_ids[project] = list(transaction.scalars(own, {"project": project}))
        if run_ids:
            with maintenance.new_folder(target) as copy:
                for project in run_ids:
                    _write_workspace(transaction, folder, project, copy / project, by)
                copy.rename(target)
            for project, moved in run_ids.items():
                _let_go(transaction, project, moved, by)
            for table in ("project_golden", "projects"):
                transaction.execute(sa.text(f"DELETE FROM {table}"))
            transaction.execute(sa.text("DELETE FROM members WHERE project <> ''"))
    indexes.open_index(index)
    with disk_refusals(folder), suppress(QavizError):  # what stays is named by no run, and `clean` removes it
        for file in (file for moved in run_ids.values() for run_id in moved for file in files.run_files(run_id)):
            (folder / file.name).unlink(missing_ok=True)
    return {project: len(moved) for project, moved in run_ids.items()}


def _write_workspace(source: sa.Connection, old: Path, project: str, folder: Path, by: str | None) -> None:
    """Write the project's workspace into the folder, which is made: its index, in SQLite, and the files it names."""
    files.make_folders(folder)
    index = indexes.open_index(indexes.sqlite_engine(folder / indexes.INDEX_FILE))
    with index.begin() as target:
        for table in tables.TABLES.tables.values():
            if table not in (t.MIGRATIONS_TABLE, t.MEMBERS_TABLE, t.IDENTITIES_TABLE, t.AUDIT_TABLE):
                column = next((column for column in _BY_COLUMN if column in table.c), "")
                condition = _CONDITIONS.get(table.name) or f"{column} IN ({_BY_COLUMN[column]})"
                own = sa.select(table).where(sa.text(condition).bindparams(project=project))
                for rows in indexes.read_parts(source, own):
                    target.execute(sa.insert(table), rows)
        if members := _read_members(source, project):
            target.execute(sa.insert(t.MEMBERS_TABLE), members)
        audit = t.AUDIT_TABLE.c
        last = source.execute(sa.select(audit.number, audit.hash).order_by(audit.number.desc()).limit(1)).first()
        if last:
            bare = {"at": "", "about": "", "detail": "", "what": audit_log.Deed.WITHHELD.value}
            target.execute(sa.insert(t.AUDIT_TABLE), [last._asdict() | bare])
        audit_log.note(
            target, audit_log.Deed.SPLIT, project, "from the workspace before, whose audit goes up to here", by
        )
    maintenance.fill_folder(old, folder)
    index.dispose()


def _read_members(source: sa.Connection, project: str) -> list[dict[str, object]]:
    """MEMBERS of the project and of the whole workspace: of somebody who is both the higher role."""
    members: dict[str, tuple[roles.Held, str]] = {}
    query = "SELECT subject, role, given_at FROM members WHERE project IN ('', :project)"
    for subject, role, given_at in source.execute(sa.text(query), {"project": project}):
        is_reviewer = role == "reviewer"  # a role of its own up to then
        held = roles.Held(roles.Role.VIEWER if is_reviewer else roles.Role[role.upper()], is_reviewer)
        before, _ = members.get(subject, (held, given_at))
        members[subject] = roles.Held(max(before.role, held.role), before.reviews or held.reviews), given_at
    return [
        {"subject": subject, "role": str(held.role), "reviews": held.reviews, "given_at": given_at}
        for subject, (held, given_at) in members.items()
    ]


def _let_go(transaction: sa.Connection, project: str, run_ids: list[str], by: str | None) -> None:
    """Take the runs, and what is kept of them, out of the old workspace's index; its audit says where they went."""
    named = sa.select(t.RUNS_TABLE.c.run_id, t.RUNS_TABLE.c.name).where(t.RUNS_TABLE.c.run_id.in_(run_ids))
    names = {row.run_id: row.name for row in transaction.execute(named)}
    for table in maintenance.OF_A_RUN:
        transaction.execute(sa.delete(table).where(table.c.run_id.in_(run_ids)))
    for run_id, name in names.items():
        audit_log.note(transaction, audit_log.Deed.SPLIT, run_id, f'"{name}" moved to the workspace {project}', by)
