"""Tables and data as JSON that a script can hold: a column a list, few distinct values written once."""

from collections.abc import Mapping

import orjson
import polars as pl

DICTIONARY_BELOW = 0.5
"""Share of distinct values below which a column is written as its values and, for each row, which of them."""

_ENDS_OR_BREAKS_A_SCRIPT = {
    b"<": b"\\u003c",
    b">": b"\\u003e",
    b"&": b"\\u0026",
    "\u2028".encode(): b"\\u2028",
    "\u2029".encode(): b"\\u2029",
}
"""Characters that only strings of JSON hold, and what stands for them there."""


def pack_table(table: pl.DataFrame) -> dict[str, object]:
    """The table by column: a list of values, or `of`, the distinct ones, with `at`, the place in `of` of each row's."""
    return {column.name: _pack_column(column) for column in table.iter_columns()}


def _pack_column(column: pl.Series) -> object:
    distinct = column.unique(maintain_order=True)
    if distinct.len() >= DICTIONARY_BELOW * column.len():
        return column.to_list()
    places = distinct.to_frame().with_row_index("at")
    at = column.to_frame().join(places, on=column.name, nulls_equal=True, maintain_order="left")["at"]
    return {"of": distinct.to_list(), "at": at.to_list()}


def embed_json(data: Mapping[str, object]) -> bytes:
    """The data as JSON, in ASCII where it matters: in it no script and no comment ends, and no tag begins."""
    written = orjson.dumps(data)
    for character, escape in _ENDS_OR_BREAKS_A_SCRIPT.items():
        written = written.replace(character, escape)
    return written
