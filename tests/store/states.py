"""The state of a whole workspace, to be compared with another one; and a workspace that has something of everything."""

import re
from collections import Counter

import polars as pl
import sqlalchemy as sa

from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.model.records import Run
from qaviz.store import maintenance
from qaviz.store.labels import keep_labels
from qaviz.store.tables import TABLES
from qaviz.store.workspace import Workspace
from tests.builders import save_sample
from tests.store.kept import contents

OF_EACH_TIME = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:\+00:00|Z)?")
"""What no two imports have in common: the ids of runs, and moments."""


def state_of(workspace: Workspace) -> Counter[str]:
    """Every row of every table of the index, which is sound, and every file that it names with its bytes' hash."""
    checked = maintenance.check(workspace)
    assert checked.problems == ()
    files = contents(workspace.folder)
    assert not [name for name in files if name.endswith(".tmp")]
    with workspace.reading() as connection:
        # The hashes of an entry of the audit go by moments; `check` follows the chain.
        selects = [
            sa.select(*(column for column in table.c if column.name not in ("hash", "rows_hash")))
            for table in TABLES.sorted_tables
        ]
        rows = [
            f"{select.get_final_froms()[0]} {tuple(row)}" for select in selects for row in connection.execute(select)
        ]
    named = [name for name in files if name.endswith(".parquet") and name not in checked.unnamed]
    return Counter([*rows, *(f"{name} {files[name]}" for name in named)])


def as_plain(state: Counter[str]) -> str:
    """The state without what no two imports have in common."""
    return "\n".join(sorted(OF_EACH_TIME.sub("…", text) for text in state.elements()))


def keep_june(workspace: Workspace) -> Run:
    """The sample data as the run June, all of it labelled, and a second version of its golden dataset."""
    june = save_sample(workspace, "June")
    labels = workspace.rows(june, [QUESTION_ID, PIPELINE]).with_columns(pl.lit("correct").alias(LABEL))
    keep_labels(workspace, june, "Ana", labels)
    accept(workspace, newest_version(workspace, june.golden_id), edit("cash", FACT, "50.1 billion"), "Ana", "shorter")
    return june
