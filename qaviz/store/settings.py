"""What people set up for others: the policy with its acceptance criteria, and mapping profiles for files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from qaviz.store import tables as t
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import put_rows, write_moment
from qaviz.store.tables import NAME_OF_PERSON, JsonObject, checked_name
from qaviz.store.workspace import Workspace

ABOUT_POLICY = "policy"
"""What the audit says that a change of the policy is about."""

_NEWEST = sa.select(t.POLICIES_TABLE.c.policy).order_by(t.POLICIES_TABLE.c.number.desc()).limit(1)
NAME_OF_PROFILE = "name of the mapping"
_PROFILE = t.MAPPING_PROFILES_TABLE.c


def keep_policy(workspace: Workspace, policy: JsonObject, by: str | None = None) -> None:
    """Save these parts of the policy (`criteria` as `analysis.policy.as_policy` writes them, `review`); others stay."""
    with workspace.writing(Deed.POLICY) as transaction:
        before: JsonObject = transaction.scalar(_NEWEST) or {}
        row = {"policy": {**before, **policy}, "set_at": write_moment()}
        transaction.execute(sa.insert(t.POLICIES_TABLE).values(row))
        note(transaction, Deed.POLICY, ABOUT_POLICY, json.dumps(policy, ensure_ascii=False), by)


def kept_policy(workspace: Workspace) -> JsonObject | None:
    """The policy in force, None where none was ever set."""
    return next((policy for policy, _ in policies_kept(workspace)), None)


def policies_kept(workspace: Workspace) -> list[tuple[JsonObject, datetime]]:
    """Every policy ever set, with its moment, the newest first."""
    table = t.POLICIES_TABLE.c
    query = sa.select(table.policy, table.set_at).order_by(table.number.desc())
    return [(row.policy, datetime.fromisoformat(row.set_at)) for row in workspace.select(query)]


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A column mapping under its name."""

    name: str
    columns: tuple[str, ...]
    """Of the file that it was made for."""
    mapping: dict[str, str]
    """Their column -> our word, "" where it is left out; the other columns are known by their names."""
    saved_by: str | None
    saved_at: datetime

    def fits(self, columns: Sequence[str]) -> bool:
        """Whether a file has all the columns that the mapping speaks of."""
        return set(self.mapping) <= set(columns)

    def is_for(self, columns: Sequence[str]) -> bool:
        """Whether a file has the very columns of the file that it was made for."""
        return set(self.columns) == set(columns)


def keep_profile(
    workspace: Workspace,
    name: str,
    columns: Sequence[str],
    mapping: Mapping[str, str],
    by: str | None = None,
) -> None:
    """Keep the mapping under this name; one that had the name is replaced. Raises QavizError if a name will not do."""
    person = None if by is None else checked_name(by, NAME_OF_PERSON)
    # Earlier versions kept in `role` whether a mapping was of a golden dataset or of responses.
    row: dict[str, object] = {"name": checked_name(name, NAME_OF_PROFILE), "role": "file", "columns": list(columns)}
    row |= {"mapping": dict(mapping), "saved_by": person, "saved_at": write_moment()}
    words = f'"{row["name"]}": ' + ", ".join(f"{theirs}={ours}" for theirs, ours in mapping.items())
    with workspace.writing(Deed.PROFILE) as transaction:
        deed = note(transaction, Deed.PROFILE, NAME_OF_PROFILE, words, person)
        put_rows(transaction, t.MAPPING_PROFILES_TABLE, [row | {"deed": deed}])


def kept_profiles(workspace: Workspace) -> list[Profile]:
    """All of them, the one that was saved last first."""
    query = sa.select(t.MAPPING_PROFILES_TABLE).order_by(_PROFILE.deed.desc())
    return workspace.read_records(Profile, query, "a mapping")


def remove_profile(workspace: Workspace, name: str, by: str | None = None) -> None:
    """Delete the profile of this name, if there is one."""
    with workspace.writing(Deed.UNPROFILE) as transaction:
        if transaction.execute(sa.delete(t.MAPPING_PROFILES_TABLE).where(_PROFILE.name == name)).rowcount:
            note(transaction, Deed.UNPROFILE, NAME_OF_PROFILE, f'"{name}"', by)
