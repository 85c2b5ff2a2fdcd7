"""What callers give as tables, as something to load: frames of any kind, columns, rows, paths, tables by pipeline."""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl
import pyarrow as pa
from polars import selectors

from qaviz.loading import Source
from qaviz.loading.source import files_at
from qaviz.model.columns import PIPELINE
from qaviz.model.errors import stop

if TYPE_CHECKING:
    import pandas as pd

Table: TypeAlias = (
    "pl.DataFrame | pl.LazyFrame | pd.DataFrame | pa.Table | Mapping[str, Sequence[object]]"
    " | Iterable[Mapping[str, object]] | Path | str"
)
"""What the API takes as a table: a polars frame (lazy or not), a pandas DataFrame, a pyarrow Table, columns by name,
rows as dicts (a list or a generator), or the path of a file, a folder or a pattern."""

Tables: TypeAlias = "Table | Sequence[Table] | Mapping[str, Table]"
"""One table; several, each with its pipelines; or a table for each pipeline, by the pipeline's name."""

_NO_LIMIT = 2**62  # bytes: a table that is in memory already has no upload limit
_EXACT = 2**53
"""Up to which a float is one whole number."""


def open_tables(name: str, tables: "Tables") -> list[Source]:
    """One table or several as sources: paths, folders and patterns as files. Raises QavizError for what is none."""
    if isinstance(tables, str | Path):
        path = Path(tables)
        if path.is_dir() or (set("*?[") & set(str(tables)) and not path.exists()):
            return Source.each_of([shard.path for shard in files_at(str(tables))])
        return [Source.of(tables)]
    if isinstance(tables, Mapping) and tables and all(map(_is_table, tables.values())):
        return [_open_pipeline(name, str(pipeline), table) for pipeline, table in tables.items()]
    if not isinstance(tables, Sequence) or all(isinstance(row, Mapping) for row in tables):
        return [open_table(name, tables)]
    parts = [open_tables(f"{name}[{place}]", part) for place, part in enumerate(tables)]
    return [source for part in parts for source in part]


def open_table(name: str, table: "Table") -> Source:
    """The table as something to load: a file as it is, anything else as Parquet in memory, where nulls stay nulls."""
    return Source.of(table) if isinstance(table, str | Path) else _in_memory(name, table)


def _is_table(given: object) -> bool:
    """Whether it is a table, and not the cells of a column."""
    if isinstance(given, list):
        return bool(given) and all(isinstance(row, Mapping) for row in given)
    return isinstance(given, str | Path | pl.DataFrame | pl.LazyFrame | pa.Table | Mapping) or _is_pandas(given)


def _is_pandas(given: object) -> bool:
    return hasattr(given, "columns") and hasattr(given, "iloc")


def _open_pipeline(name: str, pipeline: str, table: Any) -> Source:  # noqa: ANN401 - checked by `_as_polars`
    """The responses of one pipeline, of whatever name; a file without a column of pipelines is called as its file."""
    if isinstance(table, str | Path):
        source = Source.of(table)
        return replace(source, name=f"{pipeline}{source.suffix}")
    return _in_memory(f'{name}["{pipeline}"]', table, pipeline)


def _in_memory(name: str, table: Any, pipeline: str | None = None) -> Source:  # noqa: ANN401 - as `_as_polars`
    buffer = io.BytesIO()
    try:
        frame = _as_polars(name, table)
        if pipeline is not None and PIPELINE in frame.columns:
            expected = "the responses of one pipeline, whose name is the key"
            raise stop(name, f'a column "{PIPELINE}"', expected, "Drop the column, or give the table alone.")
        own = frame if pipeline is None else frame.with_columns(pl.lit(pipeline).alias(PIPELINE))
        own.write_parquet(buffer)
    except UnicodeEncodeError:
        raise stop(name, "half a character (a lone surrogate)", "whole characters", "Remove it.") from None
    return Source(name, buffer.getvalue(), limit=_NO_LIMIT, format=".parquet")


def _as_polars(name: str, table: Any) -> pl.DataFrame:  # noqa: ANN401 - whatever a caller passes is checked here
    """The table with null where it has NaN, pandas' word for a missing cell. Raises QavizError if it is no table."""
    match table:
        case pl.DataFrame() | pl.LazyFrame():
            return _whole_numbers(table.lazy().collect())
        case pa.Table():
            return _whole_numbers(pl.DataFrame(pl.from_arrow(table)))
        case Mapping():
            columns = {heading: [_drop_nan(cell) for cell in cells] for heading, cells in table.items()}
            return _whole_numbers(pl.DataFrame(columns, strict=False))
    if _is_pandas(table):
        texts = {heading: table[heading].map(_drop_nan) for heading in table.columns if table[heading].dtype == object}
        return _whole_numbers(pl.from_pandas(table.assign(**texts)))
    rows = list(table) if isinstance(table, Iterable) and not isinstance(table, bytes | str) else []
    if rows and all(isinstance(row, Mapping) for row in rows):
        cells = [{heading: _drop_nan(cell) for heading, cell in row.items()} for row in rows]
        return _whole_numbers(pl.DataFrame(cells, infer_schema_length=None, strict=False))
    fault = f"a {type(table).__name__}{' with no rows' if isinstance(table, Iterable) and not rows else ''}"
    expected = "a polars, pandas or pyarrow table, columns by name, rows as dicts, or a path"
    raise stop(name, fault, expected, "Convert it to one of these.")


def _whole_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with null for NaN, and whole numbers for columns of floats that are whole: pandas makes floats of ids
    where one is missing, and 7.0 is not the id 7."""
    filled = frame.with_columns(selectors.float().fill_nan(None))
    floats = filled.select(selectors.float())
    whole = [
        column.name
        for column in floats.iter_columns()
        if column.count() and ((column.floor() == column) & (column.abs() < _EXACT)).all()
    ]
    return filled.with_columns(pl.col(whole).cast(pl.Int64))


def _drop_nan(cell: object) -> object:
    """The cell; None for what is not equal to itself: NaN of floats, numpy, pandas and decimals."""
    try:
        return None if cell != cell else cell
    except (TypeError, ValueError):  # pandas.NA has no truth value, and arrays have several
        return None if type(cell).__name__ == "NAType" else cell
