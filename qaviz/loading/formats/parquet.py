"""Parquet: part by part, within a budget of decoded bytes, because a file of 1 MB can decode to 10 GB."""

from collections.abc import Iterator
from itertools import chain

import polars as pl
import polars.selectors as cs

from qaviz.loading.formats.cells import FIRST_ROWS, ROWS_AT_ONCE, Batch, refuse_header
from qaviz.loading.load_log import LINE, Problems
from qaviz.loading.source import Source
from qaviz.model.errors import stop
from qaviz.model.records import Progress

DECODED_LIMIT = 2 * 1024**3
"""Most bytes to which a file may decode."""

PACKED_LIMIT = 200
"""Times its size to which a file may decode over that limit: texts grow 3 to 30 times, and a question that each
pipeline repeats is stored once."""

BYTES_AT_ONCE = 128 * 1024**2
"""Bytes of texts that make a batch, however few rows have them."""

_BESIDE = 16
"""Bytes that a cell takes in memory beside its text."""


def read(source: Source, problems: Problems, progress: Progress) -> Iterator[Batch]:
    """The rows; some thousands at a time are in memory. Raises QavizError for a bomb, and for a damaged file."""
    source.open().close()  # refuses what is no file
    data = source.data if isinstance(source.data, bytes) else source.data.absolute()
    most = max(DECODED_LIMIT, PACKED_LIMIT * source.size)
    done = 0
    try:
        rows = pl.scan_parquet(data, glob=False)
        names = rows.collect_schema().names()
        refuse_header(names, 1, problems)
        total = rows.select(pl.len()).collect().item()
        whole = total * len(names) * _BESIDE
        _stop_over_budget(source.name, whole, most)
        rest = rows.slice(FIRST_ROWS).collect_batches(chunk_size=ROWS_AT_ONCE, lazy=True)
        for part in chain([rows.head(FIRST_ROWS).collect()], rest):
            size = sum(map(_count_text_bytes, part))
            whole += size
            # A part that has so much stands for all: a bomb is refused before its first rows are spelled.
            _stop_over_budget(source.name, size * total // max(1, part.height) if size > BYTES_AT_ONCE else whole, most)
            # NaN is pandas' missing number; texts of floats have no exponent where they are small.
            part = part.with_columns(cs.float().fill_nan(None).cast(pl.String), cs.temporal().cast(pl.String))
            for few in part.iter_slices(max(1, min(ROWS_AT_ONCE, part.height * BYTES_AT_ONCE // max(1, size)))):
                given = few.with_row_index(LINE, done + 1)
                yield Batch(name=source.name, unit="row", problems=problems, given=given, rows=total)
                done += few.height
                progress(done / total, f"reading {source.name}")
    # Rust's panics, which damaged pages cause now and then, are no PolarsError.
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, UnicodeDecodeError) as error:
        fault = f"a broken Parquet file ({str(error).partition(chr(10))[0]})"
        raise stop(source.name, fault, "a whole Parquet file", "Export it again.") from None


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
    return int(lengths.cast(pl.UInt64).sum())


def _stop_over_budget(name: str, size: int, limit: int) -> None:
    if size > limit:
        fault, expected = f"texts of {size / 1024**3:,.1f} GB once decoded", f"at most {limit / 1024**3:,.1f} GB"
        raise stop(name, fault, expected, "Split the file, or write it in smaller parts.")
