"""Saved views: a page of a run as a person had set it up, kept under a name for everybody who opens the run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from qaviz.model.records import Run
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import as_written
from qaviz.store.known_runs import find_run
from qaviz.store.names import NAME_OF_PERSON, checked_name
from qaviz.store.tables import SAVED_VIEWS_TABLE
from qaviz.store.workspace import Workspace

NAME_OF_VIEW = "name of the view"

_VIEW = SAVED_VIEWS_TABLE.c


@dataclass(frozen=True, kw_only=True)
class SavedView:
    """What a link to a page of the run says, without the run."""

    name: str
    page: str
    """Its title."""
    parameters: dict[str, list[str]]
    """As the address had them. They are a person's: a page reads only those that it knows."""
    saved_by: str | None
    """None where nobody said."""
    saved_at: datetime


def keep_view(
    workspace: Workspace,
    run: Run,
    name: str,
    page: str,
    parameters: Mapping[str, Sequence[str]],
    by: str | None = None,
) -> None:
    """Keep a view of the run under this name; one of the run that had the name is replaced.

    Raises QavizError if a name will not do, the run is deleted, or the disk refuses.
    """
    person = None if by is None else checked_name(by, NAME_OF_PERSON)
    row = {
        "run_id": run.run_id,
        "name": checked_name(name, NAME_OF_VIEW),
        "page": page,
        "parameters": {key: list(values) for key, values in parameters.items()},
        "saved_by": person,
        "saved_at": datetime.now(UTC).isoformat(timespec="microseconds"),
    }
    with workspace.writing(Deed.VIEW, run=run.run_id) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        deed = note(transaction, Deed.VIEW, run.run_id, f'"{row["name"]}", {page}', person)
        transaction.execute(_of(run, str(row["name"])))
        transaction.execute(sa.insert(SAVED_VIEWS_TABLE).values(**row, deed=deed))


def kept_views(workspace: Workspace, run: Run) -> list[SavedView]:
    """The views of the run, the one that was saved last first. Raises QavizError if the index cannot be read."""
    asked = sa.select(SAVED_VIEWS_TABLE).where(_VIEW.run_id == run.run_id).order_by(_VIEW.deed.desc())
    with workspace.reading() as connection:
        return [_read_view(row) for row in connection.execute(asked)]


def remove_view(workspace: Workspace, run: Run, name: str, by: str | None = None) -> None:
    """Delete the run's view of this name, if there is one. Raises QavizError if the disk refuses."""
    with workspace.writing(Deed.UNVIEW, run=run.run_id) as transaction:
        if transaction.execute(_of(run, name)).rowcount:
            note(transaction, Deed.UNVIEW, run.run_id, f'"{name}"', by)


def _of(run: Run, name: str) -> sa.Delete:
    return sa.delete(SAVED_VIEWS_TABLE).where(_VIEW.run_id == run.run_id, _VIEW.name == name)


@as_written("a saved view")
def _read_view(row: sa.Row[Any]) -> SavedView:
    kept = row._asdict()
    parameters = {str(name): [str(each) for each in values] for name, values in dict(kept["parameters"]).items()}
    return SavedView(
        name=kept["name"],
        page=kept["page"],
        parameters=parameters,
        saved_by=kept["saved_by"],
        saved_at=datetime.fromisoformat(kept["saved_at"]),
    )
