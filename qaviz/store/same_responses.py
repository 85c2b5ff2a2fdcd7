"""The same response in several runs: the same question text, pipeline and response text. Labels and grades that were
given to it in one run count in all of them.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.records import Run
from qaviz.store.known_runs import runs_in
from qaviz.store.workspace import Workspace

HASH = "hash"
_TEXTS = [PIPELINE, QUESTION, RESPONSE]
_RUNS_HASHED = 64
"""Runs whose hashes are kept in memory: some 30 bytes a response."""
_hashed: dict[tuple[Path, str], pl.DataFrame] = {}
"""By workspace and run, which never changes."""


def find_runs_beside(
    workspace: Workspace, run_ids: sa.Executable, pipelines: Sequence[str], but: str = ""
) -> list[Run]:
    """The runs of the ids that a query selects that have one of these pipelines, without the run with the id `but`."""
    with workspace.reading() as connection:
        selected = set(connection.scalars(run_ids)) - {but}
        runs = runs_in(connection, archived=True) if selected else []
    return [run for run in runs if run.run_id in selected and set(pipelines) & set(run.pipelines)]


def hash_responses(workspace: Workspace, run: Run) -> pl.DataFrame:
    """QUESTION_ID, PIPELINE and HASH of the run's responses. Raises QavizError if its files are damaged."""
    key = workspace.folder, run.run_id
    if key not in _hashed:
        hashes = hash_texts(workspace.rows(run, [QUESTION_ID, *_TEXTS]))
        while len(_hashed) >= _RUNS_HASHED:
            _hashed.pop(next(iter(_hashed)), None)
        _hashed[key] = hashes
    return _hashed[key]


def hash_texts(rows: pl.DataFrame) -> pl.DataFrame:
    """QUESTION_ID, PIPELINE and HASH of rows with the texts; rows without one of them have no hash and are left out."""
    texts = rows.select(QUESTION_ID, *_TEXTS).cast(pl.String).drop_nulls()
    return texts.select(QUESTION_ID, PIPELINE, pl.struct(_TEXTS).hash().alias(HASH))
