"""Golden datasets that were generated: their names, and the passage of each triplet.

A name belongs to a line of versions (see `golden_versions`). What is generated first is version 1; what is generated
later from other or changed documents is added as another version, to the triplets as people have made them meanwhile.
"""

from datetime import UTC, datetime

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.store.audit_log import UNFILTERED, Deed, note
from qaviz.store.files import disk_refusals
from qaviz.store.golden_versions import GoldenVersion, keep_version, line_of, versions
from qaviz.store.names import NAME_OF_PERSON, checked_name
from qaviz.store.tables import NAMED_DATASETS_TABLE, PASSAGES_TABLE
from qaviz.store.workspace import Workspace, golden_id

NAME_OF_DATASET = "name of the dataset"

PASSAGES = pl.Schema(
    {
        QUESTION_ID: pl.String(),
        "chunk": pl.String(),
        "document": pl.String(),
        "document_hash": pl.String(),
        "page": pl.Int64(),
        "last_page": pl.Int64(),
        "start_at": pl.Int64(),
        "end_at": pl.Int64(),
        "heading": pl.String(),
        "passage": pl.String(),
        "kind": pl.String(),
        "model": pl.String(),
        "prompt": pl.String(),
        "margin": pl.Float64(),
        "note": pl.String(),
        "flagged": pl.Boolean(),
    }
)
"""One row a generated triplet: the hash of its chunk; the document with its hash, pages and characters; the headings
above the chunk and its text; the kind of question; the model and the hash of the prompt; how much better its chunk
answers the question than any other one; what a reviewer should look at; and whether it is flagged for review."""


def checked_dataset_name(name: str) -> str:
    """The name of a dataset as it is kept. Raises QavizError if it will not do."""
    return checked_name(name, NAME_OF_DATASET)


def named_datasets(workspace: Workspace) -> dict[str, str]:
    """The line of each named golden dataset, by name, the newest first. QavizError if the index cannot be read."""
    table = NAMED_DATASETS_TABLE.c
    with workspace.reading() as connection:
        asked = sa.select(table.name, table.line).order_by(table.made_at.desc(), table.name)
        return {row.name: row.line for row in connection.execute(asked)}


def passages(workspace: Workspace, golden: str) -> pl.DataFrame:
    """PASSAGES of the line that this golden dataset version, by its content hash, belongs to.

    Triplets that people have added, and lines that were not generated, have none. QavizError if the index cannot be
    read.
    """
    table = PASSAGES_TABLE.c
    asked = sa.select(*(table[name] for name in PASSAGES)).where(table.line == line_of(workspace, golden))
    with workspace.reading() as connection:
        rows = [tuple(row) for row in connection.execute(asked.order_by(table.added_at, table.question_id))]
    return pl.DataFrame(rows, schema=PASSAGES, orient="row")


def keep_generated(
    workspace: Workspace, name: str, golden: pl.DataFrame, made_of: pl.DataFrame, by: str
) -> GoldenVersion:
    """Keep generated triplets under a name: GOLDEN_COLUMNS and, for each of them, a row of PASSAGES.

    Under a name that is new they are version 1 of a line. Where the name is there, those that its line never had become
    a version on top of its newest one; with none, nothing changes. All of it is kept or nothing. Raises QavizError if a
    name will not do or the disk refuses.
    """
    kept, person = checked_dataset_name(name), checked_name(by, NAME_OF_PERSON)
    line = named_datasets(workspace).get(kept)
    if line is None:
        line = _keep_first(workspace, kept, golden, made_of, person)
        return versions(workspace, line)[-1]
    while True:
        newest = versions(workspace, line)[-1]
        known = passages(workspace, line)[QUESTION_ID]
        there = workspace.golden(newest.golden_id)[QUESTION_ID]
        # A process that was killed between the version and its passages left triplets without any.
        _add_passages(workspace, line, made_of.filter(pl.col(QUESTION_ID).is_in(there.implode())), known)
        fresh = golden.filter(~pl.col(QUESTION_ID).is_in(pl.concat([known, there]).implode()))
        if fresh.is_empty():
            return newest
        made = _keep_more(workspace, newest, fresh, made_of, person)
        if made:
            return made


def renew_passages(workspace: Workspace, line: str, questions: list[str], document_hash: str) -> None:
    """Note that the passages of these triplets stand in a newer version of their document too."""
    table = PASSAGES_TABLE.c
    which = sa.and_(table.line == line, table.question_id.in_(questions))
    with workspace.writing(Deed.ACCEPT, line=line) as transaction:
        transaction.execute(sa.update(PASSAGES_TABLE).where(which).values(document_hash=document_hash))


def _keep_first(workspace: Workspace, name: str, golden: pl.DataFrame, made_of: pl.DataFrame, by: str) -> str:
    now, line = datetime.now(UTC), golden_id(golden)
    with disk_refusals(workspace.folder), workspace.writing(Deed.GENERATE) as transaction:
        workspace.keep_golden(transaction, golden, line, now)
        _refuse_taken_name(transaction, name)
        transaction.execute(sa.insert(NAMED_DATASETS_TABLE).values(name=name, line=line, made_at=now.isoformat()))
        known = transaction.scalars(sa.select(PASSAGES_TABLE.c.question_id).where(PASSAGES_TABLE.c.line == line))
        _keep_passages(transaction, line, made_of.filter(~pl.col(QUESTION_ID).is_in([*known])), now)
        note(transaction, Deed.GENERATE, line, f'"{name}", {golden.height:,} triplets', by)
    return line


def _refuse_taken_name(transaction: sa.Connection, name: str) -> None:
    """Raise QavizError if a dataset has the name that the actor cannot see: names are unique in the workspace."""
    asked = sa.select(NAMED_DATASETS_TABLE.c.name).where(NAMED_DATASETS_TABLE.c.name == name)
    if transaction.scalar(asked, execution_options=UNFILTERED) is not None:
        raise QavizError(
            Problem(
                where=NAME_OF_DATASET,
                found=f'"{name}", which cannot be used',
                expected="a name that is free in this workspace",
                fix="Choose another name.",
            )
        )


def _keep_more(
    workspace: Workspace, newest: GoldenVersion, fresh: pl.DataFrame, made_of: pl.DataFrame, by: str
) -> GoldenVersion | None:
    golden = pl.concat([workspace.golden(newest.golden_id), fresh])
    rows = [
        (row[QUESTION_ID], field, None, row[field], None)
        for row in fresh.iter_rows(named=True)
        for field in ("question", "answer", "fact")
        if row[field] is not None
    ]
    edits = pl.DataFrame(
        rows, schema=dict.fromkeys((QUESTION_ID, "field", "before", "after", "rule"), pl.String), orient="row"
    )
    made = keep_version(workspace, newest, golden, edits, by, f"generated {fresh.height:,} more triplets")
    if made:
        added = made_of.filter(pl.col(QUESTION_ID).is_in(fresh[QUESTION_ID].implode()))
        _add_passages(workspace, newest.line, added, pl.Series([], dtype=pl.String))
    return made


def _add_passages(workspace: Workspace, line: str, made_of: pl.DataFrame, known: pl.Series) -> None:
    added = made_of.filter(~pl.col(QUESTION_ID).is_in(known.implode()))
    if not added.is_empty():
        with disk_refusals(workspace.folder), workspace.writing(Deed.GENERATE, line=line) as transaction:
            _keep_passages(transaction, line, added, datetime.now(UTC))


def _keep_passages(transaction: sa.Connection, line: str, made_of: pl.DataFrame, now: datetime) -> None:
    of_line = {"line": line, "added_at": now.isoformat()}
    rows = [of_line | row for row in made_of.select(PASSAGES.names()).to_dicts()]
    if rows:
        transaction.execute(sa.insert(PASSAGES_TABLE), rows)
