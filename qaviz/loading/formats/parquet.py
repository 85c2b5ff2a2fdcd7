"""Parquet: row group by row group, within a budget of decoded bytes, because a file of 1 MB can decode to 10 GB."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate

import orjson
import polars as pl
import polars.selectors as cs

from qaviz.loading.formats.cells import FIRST_ROWS, MARK, ROWS_AT_ONCE, Batch, Cells, refuse_header
from qaviz.loading.load_log import LINE, WORDS, Problems
from qaviz.loading.source import Source
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import Progress

DECODED_LIMIT = 2 * 1024**3
"""Most bytes to which the columns that are read may decode: of the file, or of a row group where one goes at a time."""

PACKED_LIMIT = 200
"""Times its size to which a file over that limit may decode row group by row group: texts grow 3 to 30 times, and a
question that each pipeline repeats is stored once."""

BYTES_AT_ONCE = 128 * 1024**2
"""Bytes of texts that make a batch, however few rows have them."""


# Rust's panics, which damaged pages cause now and then, are no PolarsError.
_DAMAGED = (pl.exceptions.PolarsError, pl.exceptions.PanicException)


def _list_groups(heights: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First row and height of each row group that has rows; of the first a few, for a first look, go ahead."""
    first = min(FIRST_ROWS, sum(heights))
    if first:
        yield 0, first
    for start, height in zip(accumulate(heights, initial=0), heights, strict=False):
        begin = max(start, first)
        if start + height > begin:
            yield begin, start + height - begin


def read(source: Source, problems: Problems, progress: Progress) -> Iterator[Batch]:
    """The rows; a row group at a time is in memory. Raises QavizError for a bomb, and for a file that is damaged."""
    with _open_parquet(source) as (rows, names, heights, decoded):
        refuse_header(names, 1, problems)
        total = sum(heights)
        most = max(DECODED_LIMIT, PACKED_LIMIT * source.size)
        beside = total * len(names) * 16  # what cells take in memory beside their text
        _stop_over_budget(source.name, decoded + beside, most)
        whole = done = 0
        for start, height in _list_groups(heights):
            group = _collect_rows(rows.slice(start, height), source.name)
            size = sum(map(_count_text_bytes, group))
            whole += size
            if not start and size > BYTES_AT_ONCE:
                # Before the first rows of a bomb are spelled one by one.
                starts = zip(accumulate(heights, initial=0), heights, strict=False)
                groups = (_collect_rows(rows.slice(*group), source.name) for group in starts)
                largest = max(sum(map(_count_text_bytes, group)) for group in groups)
                _stop_over_budget(source.name, largest, DECODED_LIMIT)
            _stop_over_budget(source.name, size, DECODED_LIMIT)
            _stop_over_budget(source.name, whole, most)
            at_once = max(1, min(ROWS_AT_ONCE, height * BYTES_AT_ONCE // max(1, size)))
            for part in group.iter_slices(at_once):
                yield Batch(
                    name=source.name,
                    unit="row",
                    problems=problems,
                    given=_as_text(part, done + 1),
                    knows_missing=True,
                    rows=total,
                )
                done += part.height
                progress(done / total, f"reading {source.name}")
    _verify_pages(source)


def _verify_pages(source: Source) -> None:
    """Raise QavizError if a page is other bytes than the file's own checksum, where it has one, says."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with source.open() as stream:
            for _ in pq.ParquetFile(stream, page_checksum_verification=True).iter_batches():
                pass
    except pa.ArrowNotImplementedError:
        pass  # A kind of column that only polars reads.
    except (pa.ArrowException, OSError) as error:
        raise _describe_broken_file(source.name, error) from None


def _as_text(part: pl.DataFrame, first: int) -> Cells:
    """The rows as columns of text, numbered from `first`. Bytes and numbers without end are no text."""
    part = part.with_columns(cs.float().fill_nan(None))  # pandas' missing number
    rows = pl.int_range(first, first + part.height, dtype=pl.UInt32, eager=True).alias(LINE)
    columns, marks, bad = [rows], {}, {}
    for column in part:
        mark = _name_mark(column.dtype)
        texts = _spell(column)
        unusable = column.is_not_null() & texts.is_null()
        columns.append(texts)
        if mark:
            marks[column.name] = pl.DataFrame([rows.filter(texts.is_not_null())]).with_columns(pl.lit(mark).alias(MARK))
        if unusable.any():
            words = f"a value of the type {column.dtype}" if not column.dtype.is_float() else "a number without end"
            bad[column.name] = pl.DataFrame([rows.filter(unusable)]).with_columns(pl.lit(words).alias(WORDS))
    return Cells(pl.DataFrame(columns), marks, bad)


def _name_mark(dtype: pl.DataType) -> str:
    if dtype == pl.Boolean:
        return "flag"
    if dtype.is_numeric():
        return "number"
    if dtype.is_temporal():
        return "date"
    if dtype.is_nested():
        return "object" if isinstance(dtype, pl.Struct) else "list"
    return ""


def _spell(column: pl.Series) -> pl.Series:
    """The cells as text; null where they are missing or cannot be spelled."""
    if column.dtype.is_nested():
        texts = [None if value is None else orjson.dumps(value, default=str).decode() for value in column.to_list()]
        return pl.Series(column.name, texts, pl.String)
    if column.dtype == pl.Binary:
        return column.clear(column.len()).cast(pl.String)
    if column.dtype.is_float():
        column = column.set(~column.is_finite(), None)
    return column.cast(pl.String)


@contextmanager
def _open_parquet(source: Source) -> Iterator[tuple[pl.LazyFrame, list[str], list[int], int]]:
    """The file as a query, and what it says of itself, which need not be true: its columns, the rows of each row group,
    and the bytes of all columns once decoded, which a bomb understates. Raises QavizError for one that is not Parquet.
    """
    with source.open() as stream:
        # Here, not above: it takes a third of the time in which all of qaviz.loading is imported.
        import pyarrow as pa
        from pyarrow.parquet import read_metadata

        data = source.data if isinstance(source.data, bytes) else source.data.absolute()
        try:
            metadata = read_metadata(stream)
            groups = [metadata.row_group(place) for place in range(metadata.num_row_groups)]
            columns = [group.column(place) for group in groups for place in range(group.num_columns)]
            decoded = sum(column.total_uncompressed_size for column in columns)
            rows = pl.scan_parquet(data, glob=False)
            names = rows.collect_schema().names()
        except (*_DAMAGED, pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise _describe_broken_file(source.name, error) from None
        yield rows, names, [group.num_rows for group in groups], decoded


def _collect_rows(rows: pl.LazyFrame, name: str) -> pl.DataFrame:
    try:
        return rows.collect()
    except _DAMAGED as error:
        raise _describe_broken_file(name, error) from None


def _describe_broken_file(name: str, error: BaseException) -> QavizError:
    fault = f"a broken Parquet file ({str(error).partition(chr(10))[0]})"
    return stop(name, fault, "a whole Parquet file", "Export it again.")


def _count_text_bytes(column: pl.Series) -> int:
    """Bytes of all texts. They share memory where the file repeats them; what comes after loading does not."""
    if isinstance(column.dtype, pl.List):
        return _count_text_bytes(column.explode())
    if isinstance(column.dtype, pl.Struct):
        return sum(map(_count_text_bytes, column.struct.unnest()))
    lengths = pl.Series([0])
    if isinstance(column.dtype, (pl.Categorical, pl.Enum)):
        lengths = column.cat.len_bytes()
    elif column.dtype == pl.String:
        lengths = column.str.len_bytes()
    total = lengths.cast(pl.UInt64).sum()
    return total if isinstance(total, int) else 0


def _stop_over_budget(name: str, size: int, limit: int) -> None:
    if size > limit:
        fault, expected = f"texts of {size / 1024**3:,.1f} GB once decoded", f"at most {limit / 1024**3:,.1f} GB"
        raise stop(name, fault, expected, "Split the file, or write it with smaller row groups.")
