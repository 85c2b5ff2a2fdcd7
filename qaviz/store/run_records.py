"""What people say of a run and do with it: its name, owner, tags and notes, the archive, deletion and its undo.

The run itself never changes: its record stands beside it. Each change is one transaction, with its entry in the audit,
and touches only the fields that it is about, so that two people can change different fields at once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import polars as pl
import sqlalchemy as sa

from qaviz.model.errors import stop
from qaviz.model.records import Override, Provenance, Run
from qaviz.store import tables as t
from qaviz.store.audit_log import Deed, newest_first, note
from qaviz.store.index import as_written, read_record, write_moment
from qaviz.store.members import find_former
from qaviz.store.tables import NAME_OF_PERSON, NAME_OF_RUN, as_kept, checked_name, checked_text
from qaviz.store.workspace import NEWEST_FIRST, WITH_RECORDS, Workspace, refuse_gone, refuse_taken, run_of

LONGEST_TAG = 40
MOST_TAGS = 20
LONGEST_NOTES = 4_000
_RECENT = 100
"""Runs in which the last import of a file is looked for."""

_RUN, _RECORD = t.RUNS_TABLE.c, t.RUN_RECORDS_TABLE.c


_TIMES = ("created_at", "verified_at", "archived_at", "deleted_at")
_KINDS = {
    **dict.fromkeys(_TIMES, pl.Datetime("us", "UTC")),
    **dict.fromkeys(("pipelines", "tags"), pl.List(pl.String())),
    **dict.fromkeys(("questions", "responses", "golden_number", "differences"), pl.Int64()),
}
_NAMES = """run_id name state created_at owner pipelines questions responses golden_id golden_number engine verified_at
differences tags notes archived_at archived_by deleted_at deleted_by"""
RUNS = pl.Schema({name: _KINDS.get(name, pl.String()) for name in _NAMES.split()})
"""A run of the list: its `state` (see RunState), `golden_number` its golden dataset's version number, `differences`
those that its newest verification found (null where it was never verified), times in UTC."""


class RunState(StrEnum):
    """Where a run stands: in the lists that pages pick from, or out of them."""

    CURRENT = "current"
    ARCHIVED = "archived"
    DELETED = "deleted"


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """A run with all that is kept beside it."""

    run: Run
    """With the name that it had, if it is deleted."""
    owner: str | None
    tags: tuple[str, ...]
    notes: str
    archived_at: datetime | None
    archived_by: str | None
    deleted_at: datetime | None
    deleted_by: str | None
    provenance: Provenance | None
    """None for a run from before it was recorded."""
    override: Override | None
    """What a person decided against the recommendation; None where nobody did."""

    @property
    def state(self) -> RunState:
        """Deleted, else archived, else current."""
        return RunState.DELETED if self.deleted_at else RunState.ARCHIVED if self.archived_at else RunState.CURRENT


def find_record(workspace: Workspace, name_or_id: str) -> RunRecord:
    """The record of the run with this id or name, of deleted ones the last. Raises QavizError if there is none."""
    wanted = as_kept(name_or_id)
    called = sa.or_(_RECORD.run_id == wanted, _RUN.name == wanted, _RECORD.deleted_name == wanted)
    # A run that is there comes before one that is deleted, whichever way a database sorts nulls.
    query = _select_records().where(called).order_by(_RECORD.deleted_at.is_not(None), _RECORD.deleted_at.desc())
    with workspace.reading() as connection:
        row = connection.execute(query).first()
        if row is None:
            refuse_gone(connection, wanted, workspace.folder)
    return record_of(row)


def find_last_mapping(workspace: Workspace, file: str) -> Mapping[str, str]:
    """What a person said, at the last import of a file of this name, that its columns are (theirs to ours); empty where
    nobody said anything."""
    recent = sa.select(_RECORD.provenance).select_from(WITH_RECORDS).order_by(*NEWEST_FIRST).limit(_RECENT)
    for (made_of,) in workspace.select(recent):
        if made_of and any(source["name"] == file for source in made_of["files"]):
            mapping: Mapping[str, str] = made_of["mappings"].get(file, {})
            return mapping
    return {}


def _select_records() -> sa.Select[Any]:
    beside = [column for column in t.RUN_RECORDS_TABLE.c if column.name != "run_id"]
    return sa.select(t.RUNS_TABLE, *beside).select_from(WITH_RECORDS)


def record_of(row: sa.Row[Any]) -> RunRecord:
    """The record that a row of `runs` and `run_records` together is."""
    override = row.override and read_record(Override, row.override, "a decision against a recommendation")
    return read_record(RunRecord, row._asdict() | {"run": run_of(row), "override": override}, "a run's record")


def override_decision(workspace: Workspace, run_id: str, by: str, ships: str | None, reason: str) -> None:
    """Decide against the run's recommendation: this pipeline ships, or none does, in place of an earlier such decision.
    Where people sign in it holds once another one confirms it. Raises QavizError for no reason, a pipeline that the run
    does not have, and as `archive` does."""
    why = checked_text(reason, "reason", LONGEST_NOTES)
    if not why.strip():
        raise stop("the reason", "none", "why the recommendation is not followed", "Write the reason.")
    with _changing_record(workspace, run_id, by, Deed.OVERRIDE) as (transaction, record, person):
        if ships is not None and ships not in record.run.pipelines:
            raise stop("the pipeline", f'"{ships}"', ", ".join(record.run.pipelines), "Name one of the run.")
        decided = {"ships": ships, "reason": why, "by": person, "at": write_moment()}
        waits = {"subject": workspace.actor.subject, "confirmed_by": None, "confirmed_at": None}
        detail = f'"{record.run.name}": ship {ships or "none"}: {why}'
        _set(transaction, record, person, Deed.OVERRIDE, detail, override=decided | waits)


def confirm_override(workspace: Workspace, run_id: str, by: str) -> None:
    """Confirm, as a second person, what somebody decided against the recommendation; QavizError for the same person."""
    former = find_former(workspace, workspace.actor.subject)
    with _changing_record(workspace, run_id, by, Deed.CONFIRM) as (transaction, record, person):
        made = record.override
        if made is None or made.confirmed_by is not None:
            raise stop("the decision", "nothing to confirm", "an override that waits for it", "Load the page again.")
        if made.subject == workspace.actor.subject or (former and made.subject == former.subject):
            raise stop("the decision", f"{made.by} decided it", "another person", "Ask somebody else to confirm it.")
        confirmed = {"confirmed_by": person, "confirmed_at": write_moment(), "at": made.at.isoformat()}
        detail = f'"{record.run.name}": ship {made.ships or "none"}'
        _set(transaction, record, person, Deed.CONFIRM, detail, override=asdict(made) | confirmed)


def withdraw_override(workspace: Workspace, run_id: str, by: str) -> None:
    """Follow the recommendation again; the audit keeps what was decided."""
    with _changing_record(workspace, run_id, by, Deed.WITHDRAW) as (transaction, record, person):
        _set(transaction, record, person, Deed.WITHDRAW, f'"{record.run.name}"', override=None)


def describe(
    workspace: Workspace,
    run_id: str,
    by: str,
    *,
    name: str | None = None,
    owner: str | None = None,
    notes: str | None = None,
    add_tags: Sequence[str] = (),
    remove_tags: Sequence[str] = (),
) -> None:
    """Change what is given of a run's record, all of it or nothing; None leaves a field alone, "" empties it. Raises
    QavizError if a text will not do, the name is taken or the run is deleted."""
    owner = owner and checked_name(owner, "owner of the run")
    notes = None if notes is None else checked_text(notes, "notes on the run", LONGEST_NOTES)
    added = [checked_name(tag, "tag of the run", LONGEST_TAG) for tag in add_tags]
    removed = list(map(as_kept, remove_tags))
    with _changing_record(workspace, run_id, by, Deed.NOTE) as (transaction, record, person):
        called = f'"{record.run.name}"'
        if name is not None:
            kept = checked_name(name, NAME_OF_RUN)
            called = f'"{kept}"'
            if kept != record.run.name:
                refuse_taken(transaction, kept)
                transaction.execute(sa.update(t.RUNS_TABLE).where(_RUN.run_id == run_id).values(name=kept))
                note(transaction, Deed.RENAME, run_id, f'"{record.run.name}" is now "{kept}"', person)
        if owner is not None and owner != (record.owner or ""):
            _set(transaction, record, person, Deed.OWN, f"{called}: {owner or 'nobody'}", owner=owner or None)
        if notes is not None and notes != record.notes:
            _set(transaction, record, person, Deed.NOTE, f"{called}: {notes or 'no notes'}", notes=notes)
        tags = tuple(dict.fromkeys([*(tag for tag in record.tags if tag not in removed), *added]))
        if tags != tuple(record.tags):
            if len(tags) > MOST_TAGS:
                raise stop(f"run {called}", f"{len(tags)} tags", f"at most {MOST_TAGS}", "Take some away first.")
            _set(transaction, record, person, Deed.TAG, f"{called}: {', '.join(tags) or 'no tags'}", tags=tags)


@contextmanager
def _changing_record(
    workspace: Workspace, run_id: str, by: str, deed: Deed, *, deleted: bool = False
) -> Iterator[tuple[sa.Connection, RunRecord, str]]:
    """Give a transaction, the run's record now, and who changes it. QavizError if it is deleted and may not be."""
    person = checked_name(by, NAME_OF_PERSON)
    with workspace.writing(deed) as transaction:
        row = transaction.execute(_select_records().where(_RUN.run_id == run_id)).first()
        if row is None or (row.deleted_at is not None and not deleted):
            refuse_gone(transaction, run_id, workspace.folder)
        yield transaction, record_of(row), person


def _set(transaction: sa.Connection, record: RunRecord, person: str, deed: Deed, detail: str, **fields: object) -> None:
    run_id = record.run.run_id
    transaction.execute(sa.update(t.RUN_RECORDS_TABLE).where(_RECORD.run_id == run_id).values(**fields))
    note(transaction, deed, run_id, detail, person)


def archive(workspace: Workspace, run_id: str, by: str) -> None:
    """Take the run out of the lists that pages pick from; a link to it still opens. Nothing if it is archived already.
    Raises QavizError if the name of the person will not do or the run is deleted."""
    with _changing_record(workspace, run_id, by, Deed.ARCHIVE) as (transaction, record, person):
        if record.archived_at is None:
            when = {"archived_at": write_moment(), "archived_by": person}
            _set(transaction, record, person, Deed.ARCHIVE, f'"{record.run.name}"', **when)


def unarchive(workspace: Workspace, run_id: str, by: str) -> None:
    """Put the run back into the lists. Nothing if it is there already."""
    with _changing_record(workspace, run_id, by, Deed.UNARCHIVE) as (transaction, record, person):
        if record.archived_at is not None:
            never = {"archived_at": None, "archived_by": None}
            _set(transaction, record, person, Deed.UNARCHIVE, f'"{record.run.name}"', **never)


def delete(workspace: Workspace, run_id: str, by: str) -> None:
    """Delete the run: no list and no link shows it, its name is free, its files stay until it is purged."""
    with _changing_record(workspace, run_id, by, Deed.DELETE) as (transaction, record, person):
        when = {"deleted_at": write_moment(), "deleted_by": person, "deleted_name": record.run.name}
        _set(transaction, record, person, Deed.DELETE, f'"{record.run.name}"', **when)
        transaction.execute(sa.update(t.RUNS_TABLE).where(_RUN.run_id == run_id).values(name=run_id))


def undelete(workspace: Workspace, run_id: str, by: str, name: str | None = None) -> None:
    """Bring a deleted run back, under its own name unless it gets another. Nothing if it is not deleted. Raises
    QavizError if a name will not do or is taken by now, or the run is purged."""
    with _changing_record(workspace, run_id, by, Deed.UNDELETE, deleted=True) as (transaction, record, person):
        if record.deleted_at is None:
            return
        called = checked_name(name or record.run.name, NAME_OF_RUN)
        refuse_taken(transaction, called)
        never = dict.fromkeys(("deleted_at", "deleted_by", "deleted_name"))
        _set(transaction, record, person, Deed.UNDELETE, f'"{called}"', **never)
        transaction.execute(sa.update(t.RUNS_TABLE).where(_RUN.run_id == run_id).values(name=called))


def _rank_newest(table: sa.Table, key: str, moment: str) -> sa.Subquery:
    """The table's rows with their `rank` among those of the same key, the newest first."""
    ranked = sa.func.row_number().over(partition_by=table.c[key], order_by=newest_first(table, moment))
    return sa.select(table, ranked.label("rank")).subquery()


_verified = _rank_newest(t.VERIFICATIONS_TABLE, "run_id", "verified_at").c
_numbered = _rank_newest(t.GOLDEN_VERSIONS_TABLE, "golden_id", "made_at").c
_WITH_NEWEST = WITH_RECORDS.outerjoin(
    _verified.rank.table, sa.and_(_verified.run_id == _RUN.run_id, _verified.rank == 1)
).outerjoin(_numbered.rank.table, sa.and_(_numbered.golden_id == _RUN.golden_id, _numbered.rank == 1))
_LISTED: Mapping[str, sa.ColumnElement[Any]] = {
    **{column.name: column for column in (*t.RUNS_TABLE.c, *t.RUN_RECORDS_TABLE.c)},
    "name": sa.func.coalesce(_RECORD.deleted_name, _RUN.name),
    "state": sa.case(
        (_RECORD.deleted_at.is_not(None), RunState.DELETED.value),
        (_RECORD.archived_at.is_not(None), RunState.ARCHIVED.value),
        else_=RunState.CURRENT.value,
    ),
    # Who imported it made version 1, of which the table of versions knows nothing.
    "golden_number": sa.func.coalesce(_numbered.number, 1),
    "verified_at": _verified.verified_at,
    "differences": _verified.differences,
}


@as_written("the list of runs")
def run_table(workspace: Workspace) -> pl.DataFrame:
    """All runs, archived and deleted ones too, newest first: RUNS. One query; no file is opened."""
    query = sa.select(*(_LISTED[name].label(name) for name in RUNS)).select_from(_WITH_NEWEST).order_by(*NEWEST_FIRST)
    runs = workspace.read_rows(query, RUNS | dict.fromkeys(_TIMES, pl.String()))
    return runs.with_columns(pl.col(_TIMES).str.to_datetime("%+", time_unit="us", time_zone="UTC"))
