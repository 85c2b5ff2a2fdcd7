"""Mapping profiles: what a person said of a file's columns, kept under a name for the next file like it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from qaviz.model.errors import Problem, QavizError
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import as_written
from qaviz.store.names import NAME_OF_PERSON, as_kept, checked_name
from qaviz.store.tables import MAPPING_PROFILES_TABLE
from qaviz.store.workspace import Workspace

NAME_OF_PROFILE = "name of the mapping"

_PROFILE = MAPPING_PROFILES_TABLE.c


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A mapping with the name that it goes by."""

    name: str
    role: str
    """What the file was read as: `golden` or `responses`."""
    columns: tuple[str, ...]
    """Of the file that it was made for."""
    mapping: dict[str, str]
    """Their column -> our word, "" where it is left out; the other columns are known by their names."""
    saved_by: str | None
    """None where nobody said."""
    saved_at: datetime

    def fits(self, role: str, columns: Sequence[str]) -> bool:
        """Whether a file read as that has all the columns that the mapping speaks of."""
        return role == self.role and set(self.mapping) <= set(columns)

    def is_for(self, role: str, columns: Sequence[str]) -> bool:
        """Whether a file read as that has the very columns of the file that it was made for."""
        return role == self.role and set(self.columns) == set(columns)


def keep_profile(
    workspace: Workspace,
    name: str,
    role: str,
    columns: Sequence[str],
    mapping: Mapping[str, str],
    by: str | None = None,
) -> None:
    """Keep the mapping under this name; one that had the name is replaced.

    Raises QavizError if a name will not do or the disk refuses.
    """
    person = None if by is None else checked_name(by, NAME_OF_PERSON)
    row = {
        "name": checked_name(name, NAME_OF_PROFILE),
        "role": role,
        "columns": list(columns),
        "mapping": dict(mapping),
        "saved_by": person,
        "saved_at": datetime.now(UTC).isoformat(timespec="microseconds"),
    }
    said = f'"{row["name"]}", {role}: ' + ", ".join(f"{theirs}={ours}" for theirs, ours in mapping.items())
    with workspace.writing(Deed.PROFILE) as transaction:
        deed = note(transaction, Deed.PROFILE, NAME_OF_PROFILE, said, person)
        transaction.execute(sa.delete(MAPPING_PROFILES_TABLE).where(_PROFILE.name == row["name"]))
        transaction.execute(sa.insert(MAPPING_PROFILES_TABLE).values(**row, deed=deed))


def kept_profiles(workspace: Workspace) -> list[Profile]:
    """All of them, the one that was saved last first. Raises QavizError if the index cannot be read."""
    with workspace.reading() as connection:
        rows = connection.execute(sa.select(MAPPING_PROFILES_TABLE).order_by(_PROFILE.deed.desc()))
        return [_profile(row) for row in rows]


def find_profile(workspace: Workspace, name: str) -> Profile:
    """The profile of this name. QavizError says which there are."""
    wanted = as_kept(name)
    kept = kept_profiles(workspace)
    for profile in kept:
        if profile.name == wanted:
            return profile
    raise QavizError(
        Problem(
            where=str(workspace.folder),
            found=f'no mapping "{wanted}"',
            expected=", ".join(f'"{each.name}"' for each in kept) or "one that was saved, and there is none yet",
            fix="Check the name, or save the mapping on Load data.",
        )
    )


def remove_profile(workspace: Workspace, name: str, by: str | None = None) -> None:
    """Delete the profile of this name, if there is one. Raises QavizError if the disk refuses."""
    with workspace.writing(Deed.UNPROFILE) as transaction:
        if transaction.execute(sa.delete(MAPPING_PROFILES_TABLE).where(_PROFILE.name == name)).rowcount:
            note(transaction, Deed.UNPROFILE, NAME_OF_PROFILE, f'"{name}"', by)


@as_written("a mapping")
def _profile(row: sa.Row[Any]) -> Profile:
    kept = row._asdict()
    del kept["deed"]
    kept["saved_at"] = datetime.fromisoformat(kept["saved_at"])
    return Profile(**kept | {"columns": tuple(kept["columns"])})
