"""`qaviz score`: responses scored and diagnosed, written as they come."""

import argparse
from collections.abc import Iterable, Iterator

import polars as pl

from qaviz.bulk import stream_files
from qaviz.cli.mapping import mappings
from qaviz.cli.table_file import check_out, write_scores
from qaviz.cli.terminal import progress_line, shown
from qaviz.loading import Chunk, Source


def score_files(asked: argparse.Namespace) -> pl.DataFrame:
    """Write one row a response to `asked.out`. Returns what is to be listed."""
    check_out(asked.out, [asked.golden, *asked.responses])
    golden, *responses = Source.each_of([asked.golden, *asked.responses])
    of_golden, of_responses = mappings(dict(asked.map), golden, responses)
    listed: list[pl.DataFrame] = []
    with progress_line() as progress:
        chunks = stream_files(
            golden, responses, golden_mapping=of_golden, response_mappings=of_responses, progress=progress
        )
        written = write_scores(_rows(chunks, listed), asked.out)
    print(f"qaviz: {written:,} responses scored, in {shown(str(asked.out))}")
    return pl.concat(listed)


def _rows(chunks: Iterable[Chunk], listed: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    for chunk in chunks:
        listed.append(chunk.listed)
        yield chunk.rows
