"""Parquet: row group by row group, within a budget of decoded bytes, because a file of 1 MB can decode to 10 GB."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import BinaryIO

import polars as pl
import polars.selectors as cs
import pyarrow as pa

from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import Problems, quote_text
from qaviz.loading.readers.strict_json import JsonObject
from qaviz.loading.readers.table import (
    LINE,
    SAMPLED_ROWS,
    Head,
    Kind,
    Plan,
    Table,
    convert_columns,
    join_tables,
    refuse_header,
)
from qaviz.loading.source import Source
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

DECODED_LIMIT = 2 * 1024**3
"""Most bytes to which the columns that are read may decode: of the file, or of a row group where one goes at a time."""

PACKED_LIMIT = 200
"""Times its size to which a file over that limit may decode row group by row group: texts grow 3 to 30 times, and a
question that each pipeline repeats is stored once."""

NESTED_LIMIT = DECODED_LIMIT // 4
"""Most bytes to which a file that is read row by row may decode: as Python's objects its texts take more memory."""

_BYTES_A_CELL = 16
"""What a cell takes in memory beside its text."""

# Rust's panics, which damaged pages cause now and then, are no PolarsError.
_DAMAGED = (pl.exceptions.PolarsError, pl.exceptions.PanicException)

_CATEGORIES = (pl.Categorical, pl.Enum)


@dataclass(frozen=True)
class _Footer:
    """What a file says of itself, which need not be true."""

    heights: Sequence[int]
    """Rows of each row group."""
    leaves: Sequence[tuple[str, int]]
    """Path (`contexts.list.element`) and decoded bytes of each leaf column of each row group."""

    @property
    def rows(self) -> int:
        return sum(self.heights)

    def estimate_bytes(self, names: Sequence[str]) -> int:
        """Bytes that these columns take once decoded. A bomb understates them."""
        texts = sum(size for path, size in self.leaves if any(f"{path}.".startswith(f"{name}.") for name in names))
        return texts + self.rows * len(names) * _BYTES_A_CELL

    def groups(self) -> Iterator[tuple[int, int]]:
        """First row and height of each row group that has rows."""
        for start, height in zip(accumulate(self.heights, initial=0), self.heights, strict=False):
            if height:
                yield start, height


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns that `plan` asks for. Raises QavizError for columns and cells that will not do, and for a bomb."""
    return join_tables(source.name, _read_groups(source, plan, progress, at_once=True))


def parts(source: Source, plan: Plan, progress: Progress) -> Iterator[Table]:
    """What `read` returns, a row group at a time: only one of them has to be within the budget."""
    return _read_groups(source, plan, progress, at_once=False)


def _read_groups(source: Source, plan: Plan, progress: Progress, *, at_once: bool) -> Iterator[Table]:
    problems = Problems(source.name, "row", skip_bad=source.skip_bad)
    whole = 0
    with _open_parquet(source) as (rows, schema, footer):
        refuse_header(schema.names(), 1, problems)
        first = _collect_rows(rows.head(SAMPLED_ROWS), source.name)
        kinds = plan(schema.names(), _preview_cells(first))
        _stop_at_types(source.name, schema, kinds)
        wanted = [name for name in schema if name in kinds]
        unread = tuple(name for name in schema if name not in kinds)
        if at_once:
            _stop_over_budget(source.name, footer.estimate_bytes(wanted), DECODED_LIMIT)
        numbered = rows.select(wanted).with_row_index(LINE, offset=1)
        for start, height in footer.groups():
            group = _collect_rows(numbered.slice(start, height), source.name)
            texts = sum(map(_count_text_bytes, group))
            whole += texts
            _stop_over_budget(source.name, whole if at_once else texts, DECODED_LIMIT)
            _stop_over_budget(source.name, whole, max(DECODED_LIMIT, PACKED_LIMIT * source.size))
            _note_numbers(group, kinds, problems)
            frame = convert_columns(_cast_texts(group, kinds), kinds, problems)
            progress((start + height) / footer.rows, f"reading {source.name}")
            if not problems:
                skipped, numbers = problems.newly_skipped(), problems.new_notes()
                yield Table(source.name, "row", frame, unread, knows_missing=True, skipped=skipped, numbers=numbers)
    problems.stop_if_any()
    _verify_pages(source)


def sample_nested(source: Source) -> JsonObject | None:
    """For each column the first value that is not missing or empty; None if the file has no columns of lists or
    objects, or cannot be read: reading it says why."""
    try:
        with _open_parquet(source) as (rows, schema, _):
            if not any(dtype.is_nested() for dtype in schema.values()):
                return None
            first = _collect_rows(_cast_to_json(rows, schema).head(SAMPLED_ROWS), source.name)
    except QavizError:
        return None
    return {column.name: next((cell for cell in column.to_list() if cell), None) for column in first}


def read_nested(source: Source) -> Iterator[tuple[int, JsonObject]]:
    """Each row with its number, with lists and objects as JSON would have them. Raises QavizError for a bomb."""
    with _open_parquet(source) as (rows, schema, footer):
        refuse_header(schema.names(), 1, Problems(source.name, "row"))
        _stop_over_budget(source.name, footer.estimate_bytes(schema.names()), NESTED_LIMIT)
        whole = 0
        for start, height in footer.groups():
            group = _collect_rows(_cast_to_json(rows, schema).slice(start, height), source.name)
            whole += sum(map(_count_text_bytes, group))
            _stop_over_budget(source.name, whole, NESTED_LIMIT)
            yield from enumerate(group.iter_rows(named=True), start + 1)
    _verify_pages(source)


def _cast_to_json(rows: pl.LazyFrame, schema: pl.Schema) -> pl.LazyFrame:
    """The rows as JSON could hold them: of other columns (bytes, dates) the type stands in place of the values."""
    odd = [pl.lit(str(dtype)).alias(name) for name, dtype in schema.items() if not _is_plain(dtype)]
    return rows.with_columns(cs.by_dtype(*_CATEGORIES).cast(pl.String)).with_columns(odd)


def _is_plain(dtype: pl.DataType) -> bool:
    if isinstance(dtype, pl.List):
        return _is_plain(dtype.inner)  # type: ignore[arg-type]  # polars has an instance there
    if isinstance(dtype, pl.Struct):
        return all(_is_plain(field.dtype) for field in dtype.fields)  # type: ignore[arg-type]  # as above
    return dtype.is_integer() or dtype.is_float() or dtype in (pl.String, pl.Boolean, pl.Null, *_CATEGORIES)


def head(source: Source, rows: int, _plan: Plan) -> Head:
    """The first rows, and how many rows the file says it has."""
    with _open_parquet(source) as (scan, schema, footer):
        first = _collect_rows(scan.head(max(rows, SAMPLED_ROWS)), source.name)
    return Head(
        tuple(schema),
        first.head(rows).select(map(_preview_column, first.head(rows))),
        footer.rows,
        _preview_cells(first),
    )


def _preview_cells(first: pl.DataFrame) -> Cells:
    return {column.name: _preview_column(column).to_list() for column in first}


def _preview_column(column: pl.Series) -> pl.Series:
    if column.dtype.is_nested() or column.dtype == pl.Binary:
        return pl.Series(column.name, [None if cell is None else str(cell) for cell in column.to_list()], pl.String)
    return column.cast(pl.String)


@contextmanager
def _open_parquet(source: Source) -> Iterator[tuple[pl.LazyFrame, pl.Schema, _Footer]]:
    """The file as a query, with its columns and footer. Raises QavizError for a file that is not Parquet."""
    with source.open() as stream:
        data = source.data if isinstance(source.data, bytes) else source.data.absolute()
        try:
            footer = _read_footer(stream)
            rows = pl.scan_parquet(data, glob=False)
            schema = rows.collect_schema()
        except (*_DAMAGED, pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise _describe_broken_file(source.name, error) from None
        yield rows, schema, footer


def _verify_pages(source: Source) -> None:
    """Raise QavizError if a page is other bytes than the file's own checksum, where it has one, says."""
    import pyarrow.parquet as pq

    try:
        with source.open() as stream:
            for _ in pq.ParquetFile(stream, page_checksum_verification=True).iter_batches():
                pass
    except pa.ArrowNotImplementedError:
        pass  # A kind of column that only polars reads.
    except (pa.ArrowException, OSError) as error:
        raise _describe_broken_file(source.name, error) from None


def _collect_rows(rows: pl.LazyFrame, name: str) -> pl.DataFrame:
    try:
        return rows.collect()
    except _DAMAGED as error:
        raise _describe_broken_file(name, error) from None


def _describe_broken_file(name: str, error: BaseException) -> QavizError:
    fault = f"a broken Parquet file ({str(error).partition(chr(10))[0]})"
    return stop(name, fault, "a whole Parquet file", "Export it again.")


def _read_footer(file: BinaryIO) -> _Footer:
    from pyarrow.parquet import read_metadata  # brings file systems and TLS, which other formats do without

    metadata = read_metadata(file)
    groups = [metadata.row_group(place) for place in range(metadata.num_row_groups)]
    columns = [group.column(place) for group in groups for place in range(group.num_columns)]
    leaves = [(column.path_in_schema, column.total_uncompressed_size) for column in columns]
    return _Footer([group.num_rows for group in groups], leaves)


def _stop_at_types(name: str, schema: pl.Schema, kinds: Mapping[str, Kind]) -> None:
    problems = [
        Problem(
            where=name,
            found=f"the type {dtype} in the column {quote_text(column)}",
            expected=kinds[column],
            fix="Write the column with that type." if kinds[column] != Kind.TEXT else "Write the column as text.",
        )
        for column, dtype in schema.items()
        if column in kinds and not _fits(dtype, kinds[column])
    ]
    if problems:
        raise QavizError(*problems)


def _fits(dtype: pl.DataType, kind: Kind) -> bool:
    if dtype == pl.String or dtype == pl.Null or isinstance(dtype, _CATEGORIES):
        return True
    match kind:
        case Kind.ID:
            return dtype.is_integer()
        case Kind.NUMBER:
            return dtype.is_numeric()
        case Kind.FLAG:
            return dtype == pl.Boolean
        case Kind.TEXTS:
            return dtype == pl.List(pl.String)
        case Kind.TEXT:
            return dtype.is_integer() or dtype.is_float() or dtype == pl.Boolean
        case Kind.SCORES:
            return False


def _count_text_bytes(column: pl.Series) -> int:
    """Bytes of all texts. They share memory where the file repeats them; what comes after loading does not."""
    if isinstance(column.dtype, pl.List):
        return _count_text_bytes(column.explode())
    if isinstance(column.dtype, pl.Struct):
        return sum(map(_count_text_bytes, column.struct.unnest()))
    lengths = pl.Series([0])
    if isinstance(column.dtype, _CATEGORIES):
        lengths = column.cat.len_bytes()
    elif column.dtype == pl.String:
        lengths = column.str.len_bytes()
    total = lengths.cast(pl.UInt64).sum()
    return total if isinstance(total, int) else 0


def _stop_over_budget(name: str, size: int, limit: int) -> None:
    if size > limit:
        fault, expected = f"texts of {size / 1024**3:,.1f} GB once decoded", f"at most {limit / 1024**3:,.1f} GB"
        raise stop(name, fault, expected, "Split the file, or write it with smaller row groups.")


def _note_numbers(group: pl.DataFrame, kinds: Mapping[str, Kind], problems: Problems) -> None:
    """Note each number, true and false of a column of texts. One that is not finite is a problem."""
    for name in _find_numbers(group, kinds):
        cells = group.select(LINE, name).drop_nulls()
        if cells.schema[name].is_float():
            bad = cells.filter(pl.col(name).is_infinite())
            noted = bad.select(LINE, pl.format("{} in {}", pl.col(name), pl.lit(quote_text(name))))
            problems.add_rows(noted, str, Kind.TEXT, "Correct the cell, or leave it empty.")
            cells = cells.filter(pl.col(name).is_finite())
        what = "the value" if cells.schema[name] == pl.Boolean else "the number"
        for line, text in cells.with_columns(pl.col(name).cast(pl.String)).iter_rows():
            problems.note(line, f"{what} {text} in {quote_text(name)} is read as {quote_text(text)}")


def _find_numbers(group: pl.DataFrame, kinds: Mapping[str, Kind]) -> list[str]:
    return [
        column.name
        for column in group
        if kinds.get(column.name) == Kind.TEXT and (column.dtype.is_numeric() or column.dtype == pl.Boolean)
    ]


def _cast_texts(group: pl.DataFrame, kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Categories, columns without a type, and numbers where texts belong as text. NaN is null: pandas' missing cell."""
    odd = [column.name for column in group if isinstance(column.dtype, _CATEGORIES) or column.dtype == pl.Null]
    numbers = _find_numbers(group, kinds)
    floats = [name for name in numbers if group.schema[name].is_float()]
    return group.with_columns(pl.col(floats).fill_nan(None)).with_columns(pl.col(odd + numbers).cast(pl.String))
