"""The state of a whole workspace, to be compared with another one; and a workspace that has something of everything."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl
import sqlalchemy as sa

from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.model.records import Run
from qaviz.store import maintenance
from qaviz.store.audit import check_audit
from qaviz.store.labels import keep_labels
from qaviz.store.workspace import Workspace
from tests.builders import save_sample
from tests.store.kept import contents

OF_EACH_TIME = {
    re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}"): "<run>",
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(\+00:00|Z)?"): "<moment>",
}
"""What no two imports have in common."""


@dataclass(frozen=True)
class State:
    """All that a workspace holds: every row of every table of its index, and the bytes of every file that it names."""

    rows: Counter[str]
    files: Counter[tuple[str, str]]

    @classmethod
    def of(cls, workspace: Workspace) -> "State":
        found = maintenance.check(workspace)
        assert found.problems == ()
        assert check_audit(workspace).problem is None
        files = contents(workspace.folder)
        assert not [name for name in files if name.endswith(".tmp")]
        kept = {name: digest for name, digest in files.items() if name.endswith(".parquet")}
        return cls(
            Counter(_rows(workspace)), Counter({name: kept[name] for name in kept if name not in found.unnamed}.items())
        )

    def added_to(self, old: "State") -> "State":
        """What is here and was not there; what was there has to be here."""
        assert old.rows <= self.rows
        assert old.files <= self.files
        rows, files = self.rows - old.rows, self.files - old.files
        return State(Counter(map(_plain, rows.elements())), Counter((_plain(name), digest) for name, digest in files))


def _rows(workspace: Workspace) -> Iterator[str]:
    with workspace.index.connect() as connection:
        tables = sa.MetaData()
        tables.reflect(connection)
        for table in tables.sorted_tables:
            # The hashes of an entry of the audit go by moments; `check` follows the chain.
            columns = [column for column in table.columns if column.name not in ("hash", "rows_hash")]
            yield from (f"{table.name} {tuple(row)}" for row in connection.execute(sa.select(*columns)))


def _plain(text: str) -> str:
    for volatile, name in OF_EACH_TIME.items():
        text = volatile.sub(name, text)
    return text


def keep_june(workspace: Workspace) -> Run:
    """The sample data as the run June, all of it labelled, and a second version of its golden dataset."""
    june = save_sample(workspace, "June")
    labels = workspace.rows(june, [QUESTION_ID, PIPELINE]).with_columns(pl.lit("correct").alias(LABEL))
    keep_labels(workspace, june, "Ana", labels)
    accept(workspace, newest_version(workspace, june.golden_id), edit("cash", FACT, "50.1 billion"), "Ana", "shorter")
    return june
