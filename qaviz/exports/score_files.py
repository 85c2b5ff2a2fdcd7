"""A scored table as a file: JSON Lines, CSV or Parquet, by suffix, whole or not at all."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import polars as pl
from polars import selectors

from qaviz.exports.csv_injection import STARTS_A_FORMULA, inert
from qaviz.model.columns import (
    BERTSCORE,
    CATEGORY,
    CONFIDENCE,
    CONTEXT_RECALL,
    DIAGNOSIS,
    FAULT,
    HIT_COLUMNS,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REASON,
    RESPONSE,
    SCORES,
    UNSCORED_ANSWER,
    UNSCORED_FACT,
    VERDICT,
    WARNINGS,
)
from qaviz.model.errors import Problem, QavizError
from qaviz.scoring.normalised import NORMALISED
from qaviz.store import disk_refusals, growing_table, replacing

COLUMNS = (
    *(QUESTION_ID, QUESTION, PIPELINE, RESPONSE, *SCORES, CONTEXT_RECALL, DIAGNOSIS, VERDICT, REASON),
    *(FAULT, CONFIDENCE, CATEGORY, UNSCORED_FACT, UNSCORED_ANSWER, *HIT_COLUMNS, WARNINGS),
)
"""The columns of the file, in order."""

Add = Callable[[pl.DataFrame], None]
"""Adds a table's rows to a file."""


def write_scores(tables: Iterable[pl.DataFrame], out: Path) -> int:
    """Write the COLUMNS of diagnosed rows to `out`, table by table, in its suffix's format. Returns how many rows.

    `bertscore` and the normalised scores come last, where the rows have them. Raises QavizError if the disk refuses.
    """
    rows = 0
    with disk_refusals(out), replacing(out.resolve()) as unfinished, FORMATS[out.suffix.lower()](unfinished) as add:
        for table in tables:
            add(table.select(*COLUMNS, selectors.by_name(BERTSCORE, *NORMALISED.values(), require_all=False)))
            rows += table.height
    return rows


def check_out(out: Path, inputs: list[Path]) -> None:
    """Raise QavizError if `out` has no known suffix, has no folder, or is one of the inputs."""
    if out.suffix.lower() not in FORMATS:
        found, expected = f'the suffix "{out.suffix}"', ", ".join(FORMATS)
    elif not out.resolve().parent.is_dir():
        found, expected = "no such folder", "a folder that exists"
    elif out.resolve() in [each.resolve() for each in inputs]:
        found, expected = "one of the files to score", "another file"
    else:
        return
    raise QavizError(Problem(where=f"--out {out}", found=found, expected=expected, fix="Name another file."))


def as_written(frame: pl.DataFrame, file: Path) -> pl.DataFrame:
    """What `write_scores` was given, read back from its file: without the apostrophes of a CSV."""
    if file.suffix.lower() != ".csv":
        return frame
    text = pl.col(pl.String)
    quoted = text.str.contains("^'") & text.str.slice(1).str.contains(STARTS_A_FORMULA)
    return frame.with_columns(pl.when(quoted).then(text.str.slice(1)).otherwise(text).name.keep())


@contextmanager
def _json_lines(file: Path) -> Iterator[Add]:
    with file.open("wb") as stream:
        yield lambda frame: frame.write_ndjson(stream)


@contextmanager
def _csv(file: Path) -> Iterator[Add]:
    with file.open("wb") as stream:
        yield lambda frame: inert(frame.with_columns(pl.col(WARNINGS).list.join("; "))).write_csv(
            stream, include_header=stream.tell() == 0
        )


FORMATS: dict[str, Callable[[Path], AbstractContextManager[Add]]] = {
    ".jsonl": _json_lines,
    ".csv": _csv,
    ".parquet": growing_table,
}
"""Suffix → a new file of that format."""
