"""Responses that are scored and diagnosed in chunks."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchmarks.generate import golden, responses
from qaviz.bulk.chunks import stream_files
from qaviz.loading import Source
from tests.builders import draft_files


@pytest.mark.slow
def test_chunks_are_what_a_draft_holds(tmp_path):
    """The rows of all chunks are those that a run of the same files would keep, to the last bit, and one bar fills."""
    of = golden(15_000)
    of.write_ndjson(tmp_path / "golden.jsonl")
    # Most responses are the golden answer, which is quick to judge: their number makes chunks.
    given = responses(of, 60_000, pipelines=4).join(of, on="question_id", maintain_order="left")
    plain = pl.when(pl.int_range(pl.len()) % 40 == 0).then("response").otherwise("answer")
    given = given.select("question_id", "pipeline", plain.alias("response"))
    given.write_parquet(tmp_path / "responses.parquet", row_group_size=50_000)
    files = Source.of(tmp_path / "golden.jsonl"), [Source.of(tmp_path / "responses.parquet")]
    bar: list[float] = []
    chunks = list(stream_files(*files, progress=lambda fraction, _: bar.append(fraction)))
    draft = draft_files(*files)

    assert len(chunks) > 1
    assert_frame_equal(pl.concat([chunk.rows for chunk in chunks]), draft.rows, check_exact=True)
    assert_frame_equal(pl.concat([chunk.listed for chunk in chunks]), draft.loaded.listed)
    assert bar == sorted(bar)
    assert 0.9 < bar[-1] <= 1
