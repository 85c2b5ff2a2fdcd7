"""Purging removes what deleted runs left. Nothing undoes it."""

from collections.abc import Sequence

import sqlalchemy as sa

from qaviz.store.audit_log import UNFILTERED, Deed, note
from qaviz.store.files import disk_refusals
from qaviz.store.names import NAME_OF_PERSON, checked_name
from qaviz.store.run_records import RunRecord
from qaviz.store.storage import golden_name, run_names
from qaviz.store.tables import (
    GOLDEN_TABLE,
    GOLDEN_VERSIONS_TABLE,
    GRADES_TABLE,
    LABELS_TABLE,
    NAMED_DATASETS_TABLE,
    PROJECT_GOLDEN_TABLE,
    REJECTIONS_TABLE,
    REVIEW_SESSIONS_TABLE,
    RISKS_TABLE,
    RUN_RECORDS_TABLE,
    RUNS_TABLE,
    SAVED_VIEWS_TABLE,
    VERIFICATIONS_TABLE,
)
from qaviz.store.workspace import Workspace

_OF_A_RUN = (GRADES_TABLE, LABELS_TABLE, SAVED_VIEWS_TABLE, VERIFICATIONS_TABLE, RUN_RECORDS_TABLE, RUNS_TABLE)
_OF_GOLDEN = (PROJECT_GOLDEN_TABLE.c.golden_id, REJECTIONS_TABLE.c.line, GOLDEN_TABLE.c.golden_id)


def purge(workspace: Workspace, records: Sequence[RunRecord], by: str) -> list[str]:
    """Remove these runs, those of them that are deleted still: files, labels, grades, verifications, records.

    Their golden dataset goes with them, unless another run or a version has it. Waits for a backup that is going on.
    Returns the names of the files that are gone. A process killed on the way leaves at worst files
    that no run names. Raises QavizError if the name of the person will not do or the disk refuses.
    """
    person = checked_name(by, NAME_OF_PERSON)
    with disk_refusals(workspace.folder), workspace.storage.lock(alone=True):
        for record in records:
            workspace.require(Deed.PURGE, run=record.run.run_id)
        with workspace.writing(Deed.PURGE, run=records[0].run.run_id if records else None) as transaction:
            purged = [record for record in records if _still_deleted(transaction, record)]
            for record in purged:
                for table in _OF_A_RUN:
                    transaction.execute(sa.delete(table).where(table.c.run_id == record.run.run_id))
                note(transaction, Deed.PURGE, record.run.run_id, f'"{record.run.name}"', person)
            golden = [
                golden_id
                for golden_id in {record.run.golden_id for record in purged}
                if _is_unused(transaction, golden_id)
            ]
            for column in _OF_GOLDEN:
                transaction.execute(sa.delete(column.table).where(column.in_(golden)))
        return _remove_files(workspace, [record.run.run_id for record in purged], golden)


def _still_deleted(transaction: sa.Connection, record: RunRecord) -> bool:
    table = RUN_RECORDS_TABLE.c
    query = sa.select(table.deleted_at).where(table.run_id == record.run.run_id)
    return transaction.scalar(query) is not None


def _is_unused(transaction: sa.Connection, golden_id: str) -> bool:
    """Whether no run is scored on the golden dataset version, it has no name, no version is made of it,
    and nobody classified or reviewed it."""
    version = GOLDEN_VERSIONS_TABLE.c
    by_run = sa.select(sa.literal(1)).where(RUNS_TABLE.c.golden_id == golden_id)
    named = sa.or_(*(column == golden_id for column in (version.line, version.golden_id, version.parent)))
    by_name = sa.select(sa.literal(1)).where(NAMED_DATASETS_TABLE.c.line == golden_id)
    reviewed = (
        sa.select(sa.literal(1)).where(table.line == golden_id) for table in (RISKS_TABLE.c, REVIEW_SESSIONS_TABLE.c)
    )
    query = sa.union_all(by_run, by_name, sa.select(sa.literal(1)).where(named), *reviewed)
    return transaction.scalar(query, execution_options=UNFILTERED) is None


def _remove_files(workspace: Workspace, run_ids: Sequence[str], golden: Sequence[str]) -> list[str]:
    names = [name for run_id in run_ids for name in run_names(run_id)]
    # Under the writer's lock: a golden dataset that somebody has imported again since is there to stay.
    with workspace.locking() as transaction:
        query = sa.select(GOLDEN_TABLE.c.golden_id).where(GOLDEN_TABLE.c.golden_id.in_(golden))
        again = set(transaction.scalars(query))
        names += [golden_name(triplet) for triplet in golden if triplet not in again]
        for name in names:
            workspace.storage.remove(name)
    return names
