"""Small golden datasets, responses and files for tests: a few words in, a table or a file out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from qaviz.api import EvaluatedRun, score_loaded
from qaviz.loading import Source, load
from qaviz.model.columns import ANSWERABLE, F1, GOLDEN_COLUMNS, QUESTION_ID
from qaviz.model.records import Run, Thresholds
from qaviz.store.workspace import Workspace

SAMPLE = Path(__file__).parents[1] / "sample_data"


def golden_table(triplets: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    """A golden dataset as loading returns it; what a triplet leaves out is null, its id its place from 1."""
    rows = [{QUESTION_ID: str(place)} | dict(triplet) for place, triplet in enumerate(triplets, start=1)]
    types = {column: pl.Boolean if column == ANSWERABLE else pl.String for column in GOLDEN_COLUMNS}
    return pl.DataFrame(rows, schema=types)


def write_jsonl(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    """A JSON Lines file with these rows."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def draft_files(golden: Source, responses: Sequence[Source]) -> EvaluatedRun:
    """The files read whole and in this process, scored and diagnosed: what an import in chunks is compared with."""
    return score_loaded(load(golden, responses), Thresholds())


def save_rows(
    workspace: Workspace,
    golden: Iterable[Mapping[str, object]],
    responses: Iterable[Mapping[str, object]],
    name: str = "run",
) -> Run:
    """These rows, written to files, as a run of the workspace."""
    with TemporaryDirectory() as folder:
        files = [write_jsonl(Path(folder) / f"{kind}.jsonl", rows) for kind, rows in (("g", golden), ("r", responses))]
        return draft_files(Source.of(files[0]), [Source.of(files[1])]).save(name, workspace)


@cache
def draft_sample() -> EvaluatedRun:
    """The sample data, read, scored and diagnosed once: hundreds of tests start from it."""
    return draft_files(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")])


def save_sample(workspace: Workspace, name: str = "sample") -> Run:
    """The sample data as a run of the workspace."""
    return replace(draft_sample()).save(name, workspace)


OFF_BY = 2.0**-50
"""A difference in the last bits of a score."""


def save_off(workspace: Workspace) -> Run:
    """The sample data as the run `off`, each response's F1 a little off."""
    drafted = draft_sample()
    return replace(drafted, rows=drafted.rows.with_columns(pl.col(F1) + OFF_BY)).save("off", workspace)
