"""Versions of a golden dataset: who changed what, when and why. A version is never changed, and none is removed.

A line is a golden dataset as it was imported, version 1, and the versions that people made of it, one after the other.
Its name is the content hash of version 1. A new version is its file, put in place in one step, and one transaction of
the index: a process killed at any moment leaves the line as it was, or with the whole new version."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import PASSAGE_ID, PLACES, QUESTION_ID
from qaviz.model.errors import disk_refusals, stop
from qaviz.store import tables as t
from qaviz.store.audit_log import Deed, hash_rows, newest_first, note
from qaviz.store.index import as_written, insert_new, put_rows, read_record, write_moment
from qaviz.store.tables import NAME_OF_PERSON, checked_name, frame_schema
from qaviz.store.workspace import Workspace, golden_id

FIELD, BEFORE, AFTER, RULE, NUMBER, PROPOSED = "field", "before", "after", "rule", "number", "proposed"

EDITS = frame_schema(t.GOLDEN_EDITS_TABLE, "line", "number", "place")
"""An edit: a field of a triplet, its text before and after (null where there is none), and the rule that proposed it,
null where a person wrote it."""

REJECTIONS = frame_schema(t.REJECTIONS_TABLE, "line")
"""A suggestion that a person does not want: of which rule, for which triplet, and what it proposed."""

NAME_OF_DATASET = "name of the dataset"

PASSAGES = frame_schema(t.PASSAGES_TABLE, "line", "added_at")
"""One row a generated triplet: the hash of its chunk; the document with its hash, pages and characters; the headings
above the chunk and its text; the kind of question; the model and the hash of the prompt; what a reviewer should look
at; whether it is flagged for review; what proves it. `margin` and `turns` are of earlier versions."""


@dataclass(frozen=True, kw_only=True)
class GoldenVersion:
    """One version of a golden dataset."""

    line: str
    """Content hash of version 1."""
    number: int
    golden_id: str
    parent: str | None
    """Content hash of the version before; None for version 1."""
    made_at: datetime
    made_by: str | None
    """None for version 1, which came from a file."""
    why: str
    edits: int
    """How many fields differ from the version before."""


def line_of(workspace: Workspace, golden: str) -> str:
    """The line that this golden dataset, by its content hash, belongs to: its own, else the newest with it in."""
    table = t.GOLDEN_VERSIONS_TABLE.c
    own = sa.select(table.line).where(table.line == golden).limit(1)
    with_it = sa.select(table.line).where(table.golden_id == golden)
    newest = with_it.order_by(*newest_first(t.GOLDEN_VERSIONS_TABLE, "made_at")).limit(1)
    with workspace.reading() as connection:
        return connection.scalar(own) or connection.scalar(newest) or golden


def versions(workspace: Workspace, line: str) -> list[GoldenVersion]:
    """All versions of the line, oldest first; none if the workspace does not have it."""
    with workspace.reading() as connection:
        return _read_versions(connection, line)


@as_written("versions of a golden dataset")
def _read_versions(connection: sa.Connection, line: str) -> list[GoldenVersion]:
    table, edits = t.GOLDEN_VERSIONS_TABLE.c, t.GOLDEN_EDITS_TABLE.c
    imported_at = connection.scalar(
        sa.select(t.GOLDEN_DATASETS_TABLE.c.created_at).where(t.GOLDEN_DATASETS_TABLE.c.golden_id == line)
    )
    if imported_at is None:
        return []
    first = {"line": line, "number": 1, "golden_id": line, "made_at": imported_at, "why": "imported", "edits": 0}
    counted = sa.select(sa.func.count()).where(edits.line == table.line, edits.number == table.number)
    made = sa.select(t.GOLDEN_VERSIONS_TABLE, counted.scalar_subquery().label("edits")).where(table.line == line)
    rows = connection.execute(made.order_by(table.number)).mappings()
    nobodys = {"parent": None, "made_by": None}
    return [read_record(GoldenVersion, row, "a version of a golden dataset") for row in (first | nobodys, *rows)]


def kept_edits(workspace: Workspace, line: str) -> pl.DataFrame:
    """The edits of all versions of the line, oldest first: the version's NUMBER, and EDITS."""
    schema = pl.Schema({NUMBER: pl.Int64(), **EDITS})
    return workspace.read_table(t.GOLDEN_EDITS_TABLE, schema, NUMBER, "place", line=line)


def keep_version(
    workspace: Workspace,
    parent: GoldenVersion,
    golden: pl.DataFrame,
    edits: pl.DataFrame,
    made_by: str,
    why: str,
    made_of: pl.DataFrame | None = None,
) -> GoldenVersion | None:
    """Keep `golden`, which these EDITS make of the parent, as the line's next version: all of it or nothing. `made_of`
    has PASSAGES of generated triplets. None, and nothing is kept, if the parent is not the line's newest version any
    more. Raises QavizError if the name or the reason will not do."""
    now = datetime.now(UTC)
    made = GoldenVersion(
        line=parent.line,
        number=parent.number + 1,
        golden_id=golden_id(golden),
        parent=parent.golden_id,
        made_at=now,
        made_by=checked_name(made_by, "name of who changes the golden dataset"),
        why=checked_name(" ".join(why.split()), "reason of the change", longest=1_000),
        edits=edits.height,
    )
    with disk_refusals(workspace.folder), workspace.writing(Deed.ACCEPT) as transaction:
        if _read_versions(transaction, parent.line)[-1].number != parent.number:
            return None
        workspace.keep_golden(transaction, golden, made.golden_id, now)
        row = asdict(made) | {"made_at": write_moment(now)}
        del row["edits"]
        words, hashed = f"version {made.number}, {made.why}", hash_rows(t.GOLDEN_VERSIONS_TABLE, [row])
        deed = note(transaction, Deed.ACCEPT, made.line, words, made.made_by, hashed)
        transaction.execute(sa.insert(t.GOLDEN_VERSIONS_TABLE).values(row | {"deed": deed}))
        of_version = {"line": made.line, NUMBER: made.number}
        if rows := [of_version | edit for edit in edits.select(*EDITS).with_row_index("place").to_dicts()]:
            transaction.execute(sa.insert(t.GOLDEN_EDITS_TABLE), rows)
        if made_of is not None:
            _keep_passages(transaction, made.line, made_of, now)
    return made


def keep_rejections(workspace: Workspace, line: str, rejected: pl.DataFrame, rejected_by: str) -> None:
    """Remember that this person does not want QUESTION_ID, RULE and PROPOSED, one row a suggestion; all rows or none.
    Raises QavizError if the name will not do."""
    person = checked_name(rejected_by, "name of who rejects")
    decision = {"line": line, "rejected_by": person, "rejected_at": write_moment()}
    rows = [decision | row for row in rejected.select(QUESTION_ID, RULE, PROPOSED).to_dicts()]
    if not rows:
        return
    with workspace.writing(Deed.REJECT) as transaction:
        if insert_new(transaction, t.REJECTIONS_TABLE, rows):
            first = "{question_id}, {rule}: {proposed}".format_map(rows[0])
            many = f"{len(rows):,} suggestions"
            note(transaction, Deed.REJECT, line, first if len(rows) == 1 else many, person)


def take_back_rejection(
    workspace: Workspace, line: str, question_id: str, rule: str, proposed: str, by: str | None = None
) -> None:
    """Forget that this suggestion was rejected."""
    table = t.REJECTIONS_TABLE.c
    this = sa.and_(table.line == line, table.question_id == question_id, table.rule == rule, table.proposed == proposed)
    with workspace.writing(Deed.UNREJECT) as transaction:
        if transaction.execute(sa.delete(t.REJECTIONS_TABLE).where(this)).rowcount:
            note(transaction, Deed.UNREJECT, line, f"{question_id}, {rule}: {proposed}", by)


def kept_rejections(workspace: Workspace, line: str) -> pl.DataFrame:
    """What was rejected in this line, newest first: REJECTIONS."""
    rejections = workspace.read_table(t.REJECTIONS_TABLE, REJECTIONS, line=line)
    return rejections.sort("rejected_at", descending=True, maintain_order=True)


def named_datasets(workspace: Workspace) -> dict[str, str]:
    """The line of each named golden dataset, by name, the newest first."""
    table = t.NAMED_DATASETS_TABLE.c
    query = sa.select(table.name, table.line).order_by(table.made_at.desc(), table.name)
    return {row.name: row.line for row in workspace.select(query)}


def passages(workspace: Workspace, golden: str) -> pl.DataFrame:
    """PASSAGES of the line of this golden dataset version (its content hash); none of what people added."""
    line = line_of(workspace, golden)
    return workspace.read_table(t.PASSAGES_TABLE, PASSAGES, "added_at", QUESTION_ID, line=line)


def with_places(workspace: Workspace, golden: pl.DataFrame, version: str) -> pl.DataFrame:
    """A golden dataset with PASSAGE_ID and PLACES of its generated triplets; as it is where none was generated."""
    made_of = passages(workspace, version)
    if made_of.is_empty():
        return golden
    places = made_of.select(QUESTION_ID, "chunk", *PLACES)
    joined = golden.join(places, on=QUESTION_ID, how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce(PASSAGE_ID, "chunk").alias(PASSAGE_ID)).drop("chunk")


CORRECTED = ("question", "answer", "fact")


@dataclass(frozen=True, kw_only=True)
class Correction:
    """What a person wrote for a generated triplet, before it entered the dataset."""

    question: str
    answer: str
    fact: str
    confirmed: bool = False
    """Whether the person says that it is right as it stands."""


def kept_corrections(workspace: Workspace, dataset: str) -> dict[str, Correction]:
    """The corrections of the triplets that are generated for the dataset of this name, by question_id."""
    table = t.TRIPLET_CORRECTIONS_TABLE.c
    query = sa.select(table.question_id, *(table[name] for name in CORRECTED), table.confirmed)
    rows = workspace.select(query.where(table.dataset == dataset))
    return {row.question_id: read_record(Correction, row._mapping, "a correction") for row in rows}


def keep_corrections(workspace: Workspace, dataset: str, corrections: Mapping[str, Correction], by: str | None) -> None:
    """Keep corrections by question_id; one that is there gives way."""
    who = {"corrected_by": by, "corrected_at": write_moment()}
    rows = [{"dataset": dataset, QUESTION_ID: triplet} | asdict(text) | who for triplet, text in corrections.items()]
    if not rows:
        return
    with disk_refusals(workspace.folder), workspace.writing(Deed.GENERATE) as transaction:
        put_rows(transaction, t.TRIPLET_CORRECTIONS_TABLE, rows)
        note(transaction, Deed.GENERATE, dataset, f"{len(rows):,} triplets corrected or confirmed", by)


def keep_generated(
    workspace: Workspace, name: str, golden: pl.DataFrame, made_of: pl.DataFrame, by: str
) -> GoldenVersion:
    """Keep generated triplets under a name: GOLDEN_COLUMNS and, for each of them, a row of PASSAGES. Under a name that
    is new they are version 1 of a line. Where the name is there, those that its line never had become a version on top
    of its newest one; with none, nothing changes. All of it is kept or nothing. Raises QavizError if a name will not
    do."""
    kept, person = checked_name(name, NAME_OF_DATASET), checked_name(by, NAME_OF_PERSON)
    line = named_datasets(workspace).get(kept)
    if line is None:
        now, line = datetime.now(UTC), golden_id(golden)
        with disk_refusals(workspace.folder), workspace.writing(Deed.GENERATE) as transaction:
            workspace.keep_golden(transaction, golden, line, now)
            named = {"name": kept, "line": line, "made_at": write_moment(now)}
            if not insert_new(transaction, t.NAMED_DATASETS_TABLE, [named]):
                raise stop(NAME_OF_DATASET, f'"{kept}", which a dataset has', "a new name", "Choose another name.")
            _keep_passages(transaction, line, made_of, now)
            note(transaction, Deed.GENERATE, line, f'"{kept}", {golden.height:,} triplets', person)
        return versions(workspace, line)[-1]
    while True:
        newest = versions(workspace, line)[-1]
        there = workspace.golden(newest.golden_id)
        earlier = pl.concat([passages(workspace, line)[QUESTION_ID], there[QUESTION_ID]]).implode()
        fresh = golden.filter(~pl.col(QUESTION_ID).is_in(earlier))
        if fresh.is_empty():
            return newest
        texts = fresh.unpivot(CORRECTED, index=QUESTION_ID, variable_name=FIELD, value_name=AFTER).drop_nulls(AFTER)
        missing = [pl.lit(None, pl.String).alias(name) for name in (BEFORE, RULE)]
        edits = texts.sort(QUESTION_ID, maintain_order=True).with_columns(missing).select(*EDITS)
        added, why = made_of.join(fresh, on=QUESTION_ID, how="semi"), f"generated {fresh.height:,} more triplets"
        if made := keep_version(workspace, newest, pl.concat([there, fresh]), edits, person, why, added):
            return made


def renew_passages(workspace: Workspace, line: str, questions: list[str], document_hash: str) -> None:
    """Note that the passages of these triplets stand in a newer version of their document too."""
    table = t.PASSAGES_TABLE.c
    which = sa.and_(table.line == line, table.question_id.in_(questions))
    with workspace.writing(Deed.ACCEPT) as transaction:
        transaction.execute(sa.update(t.PASSAGES_TABLE).where(which).values(document_hash=document_hash))


def _keep_passages(transaction: sa.Connection, line: str, made_of: pl.DataFrame, now: datetime) -> None:
    """Keep PASSAGES of the line's triplets; of those that have one already it stays."""
    of_line = {"line": line, "added_at": write_moment(now)}
    if not made_of.is_empty():
        rows = made_of.select(PASSAGES.names()).to_dicts()
        insert_new(transaction, t.PASSAGES_TABLE, [of_line | row for row in rows])
