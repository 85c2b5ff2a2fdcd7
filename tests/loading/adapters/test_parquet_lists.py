"""Lists of texts and spans in Parquet."""

import io

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from qaviz.loading import Source, load
from qaviz.model.errors import QavizError
from tests.loading.files import upload


def parquet(table: pa.Table, **options: object) -> Source:
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return upload("squad.parquet", file.getvalue())


@pytest.mark.parametrize("name", ["golden_answers", "answer"])
def test_a_list_of_golden_answers_in_parquet_is_variants(name: str):
    """A column of lists of texts is golden answers with variants, and columns of bytes and dates beside it are left
    out, not in the way."""
    frame = pl.DataFrame({
        "question": ["Who?", "When did they come?"],
        name: [[], ["911", "in 911"]],
        "image": [b"\xff", None],
        "day": pl.Series(["2023-06-30", None]).str.to_date(),
    })  # fmt: skip
    loaded = load(parquet(frame.to_arrow()), [upload("r.csv", "question,A\nWhen did they come?,911\n")])
    assert loaded.golden["answer"].to_list() == [None, "911<OR>in 911"]


def test_a_nested_bomb_is_refused():
    """Spans that decode to gigabytes, from a file of some kilobytes, are refused before they are rows."""
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 2_500, pa.int32()), ["x" * 1_000_000])
    spans = pa.StructArray.from_arrays([pa.ListArray.from_arrays(pa.array(range(2_501), pa.int32()), long)], ["text"])
    source = parquet(pa.table({"question": ["Who?"] * 2_500, "answers": spans}), compression="zstd")
    assert len(source.data) < 100_000
    with pytest.raises(QavizError, match=r"squad\.parquet: found texts of 2.3 GB once decoded"):
        load(source, [])
