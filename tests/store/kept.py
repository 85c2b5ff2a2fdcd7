"""A small run with what is hard to keep: nulls, empty texts, line breaks, lists; and what a folder holds."""

import hashlib
from datetime import timedelta
from pathlib import Path

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import CONTEXTS, DIAGNOSIS, F1, PIPELINE, RESPONSE
from qaviz.model.records import Provenance, Run, Thresholds
from qaviz.store.tables import RUN_RECORDS_TABLE, RUNS_TABLE, TABLES
from qaviz.store.workspace import Workspace
from tests.builders import golden_table

TRIPLETS = (
    {"question": "Where?", "answer": "In Seattle.", "fact": "Seattle", "category": "place", "answerable": True},
    {"question": "Wie viel? 🙂", "answer": "8 €", "fact": None, "source": "page 3"},
    {"question": "Who?", "answer": None, "fact": "Andy<OR>", "answerable": False},
)
GOLDEN = golden_table(TRIPLETS)
ROWS = pl.concat([GOLDEN[[2, 0, 1]], GOLDEN[[0, 1]]]).with_columns(
    pl.Series(PIPELINE, ["B", "B", "B", "A", "A"]),
    pl.Series(RESPONSE, ["", "In Seattle", "=1+1", "line\nbreak\r\n", "NA"]),
    pl.Series(CONTEXTS, [["one", "two"], [], None, None, [""]], pl.List(pl.String)),
    pl.Series(F1, [None, 1.0, 0.1 + 0.2, 0.0, None], pl.Float64),
    pl.Series(DIAGNOSIS, ["unscored", "correct", "off target", "off target", "unscored"]),
)
LISTED = pl.DataFrame({"kind": ["duplicate"], "where": ["r.csv line 3"], "question_id": ["1"], "pipeline": ["A"]})
THRESHOLDS = Thresholds(high_closeness=0.65)


def keep(
    workspace: Workspace,
    name: str,
    golden: pl.DataFrame = GOLDEN,
    rows: pl.DataFrame = ROWS,
    by: str | None = None,
    provenance: Provenance | None = None,
) -> Run:
    return workspace.save(
        name,
        golden,
        rows,
        thresholds=THRESHOLDS,
        engine="qaviz 0",
        sources=["g.csv", "r.csv"],
        listed=LISTED,
        by=by,
        provenance=provenance,
    )


def keep_copies(workspace: Workspace, run: Run, many: int) -> None:
    """So many more runs in the index, each as this one, a second later than the one before; their files are not."""
    times = [run.created_at + timedelta(seconds=number) for number in range(1, many + 1)]
    own = {
        f"{run.run_id}-{number}": {"name": f"{run.name} {number}", "created_at": time.isoformat()}
        for number, time in enumerate(times, start=1)
    }
    with workspace.locking() as transaction:
        for table in (RUNS_TABLE, RUN_RECORDS_TABLE):
            (row,) = transaction.execute(sa.select(table).where(table.c.run_id == run.run_id))
            copies = [
                row._asdict() | {"run_id": run_id} | (names if table is RUNS_TABLE else {})
                for run_id, names in own.items()
            ]
            transaction.execute(sa.insert(table), copies)


def contents(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def everything(workspace: Workspace) -> tuple[dict[str, list[tuple[object, ...]]], dict[str, str]]:
    """All rows of the index, wherever it is, in an order of their own, and what the folder holds."""
    with workspace.reading() as connection:
        rows = {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for table in TABLES.sorted_tables
        }
    return rows, contents(workspace.folder)
