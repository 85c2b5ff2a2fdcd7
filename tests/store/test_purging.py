"""What can come in between a purge's entry in the index and the removal of its files."""

from itertools import count
from pathlib import Path

import polars as pl
import sqlalchemy as sa

from qaviz.store import maintenance
from qaviz.store.golden_versions import keep_rejections
from qaviz.store.labels import ANSWER_FORMS, TRIPLET_FINDINGS, keep_answer_forms, keep_triplet_findings
from qaviz.store.maintenance import purge
from qaviz.store.run_records import delete, find_record
from qaviz.store.tables import TABLES
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import golden_table
from tests.store.kept import ROWS, keep

OTHER_GOLDEN = golden_table([{"question": "Where else?", "fact": "Boston"}])


def with_a_deleted_run(folder: Path) -> Workspace:
    """A workspace with the run `kept`, and the run `gone`, deleted, on a golden dataset of its own."""
    workspace = open_workspace(folder)
    keep(workspace, "kept")
    gone = keep(workspace, "gone", OTHER_GOLDEN, ROWS.head(1))
    keep_beside(workspace, gone.golden_id)
    delete(workspace, gone.run_id, "Ana")
    return workspace


def keep_beside(workspace: Workspace, golden: str) -> None:
    """What a judge found of the golden dataset's triplets, forms that a model proposed, and a rejected edit."""
    findings, forms = (pl.DataFrame({name: ["x"] for name in schema}) for schema in (TRIPLET_FINDINGS, ANSWER_FORMS))
    keep_triplet_findings(workspace, golden, "openai:m", findings, "Ana")
    keep_answer_forms(workspace, golden, forms, "Ana")
    rejected = pl.DataFrame({"question_id": ["x"], "rule": ["r"], "proposed": ["p"]})
    keep_rejections(workspace, golden, rejected, "Ana")


def test_every_table_of_a_golden_dataset_is_purged_or_keeps_it():
    """Each table whose rows name a golden dataset is emptied of it by a purge, or its rows keep the dataset alive."""
    named = {table.name for table in TABLES.tables.values() if {"line", "golden_id"} & set(table.c.keys())}
    emptied = {column.table.name for column in maintenance._OF_GOLDEN}
    keeps = {"runs", "golden_versions", "named_datasets", "risks", "review_sessions"}
    of_a_version_or_name = {"golden_edits", "passages"}
    assert named == emptied | keeps | of_a_version_or_name


def test_a_golden_dataset_that_comes_again_amid_a_purge_stays(file_workspace: Workspace):
    """Somebody imports the purged run's golden dataset before the purge has removed its file: it is theirs now."""
    workspace = with_a_deleted_run(file_workspace.folder)
    deleted = find_record(workspace, "gone")
    connections = count()

    def somebody_imports(_: sa.Connection) -> None:
        if next(connections) == 1:
            keep(workspace, "again", OTHER_GOLDEN, ROWS.head(1))

    sa.event.listen(workspace.index, "engine_connect", somebody_imports)
    removed = purge(workspace, [deleted], "Ana")
    assert len(removed) == 2
    assert workspace.golden(workspace.find("again").golden_id).equals(OTHER_GOLDEN, null_equal=True)
    assert maintenance.check(workspace).problems == ()
    assert maintenance.check(workspace).unnamed == ()
