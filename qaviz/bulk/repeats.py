"""What no worker can see of its shard alone: responses that another shard holds too, and questions without one."""

from collections.abc import Sequence

import polars as pl
import pyarrow.parquet as pq

from qaviz.bulk.job import KEY, Job
from qaviz.loading.align import ROW, stop_at_wrong_files, unanswered_entries
from qaviz.loading.aligned_chunks import Alignment, Answered
from qaviz.loading.load_log import DETAIL, DUPLICATE, FILE, KIND, LISTED_SCHEMA, UNANSWERED, WHERE
from qaviz.loading.readers.table import LINE
from qaviz.loading.source import Source
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.store import growing_table, replacing

_REPEATED = "another shard has a response of this pipeline to this question; the first is kept"


def settle(jobs: Sequence[Job], together: str, golden: Alignment) -> pl.DataFrame:
    """Return what is to be listed of all shards, once the jobs are done.

    Takes a response out of a result if an earlier shard has one of the same question and pipeline; the result's footer
    then says that it holds `together` with these shards only. Of each result two columns are read, and it is written
    again only where that happens. Raises QavizError if no response aligned at all, or for too many pipelines.
    """
    files = [Source(job.shard.name, b"") for job in jobs]
    ids = golden.triplets.select(QUESTION_ID).with_row_index(ROW)
    answered = Answered(ids.height)

    def first_of(rows: pl.DataFrame) -> pl.Series:
        if not rows.is_empty():
            named = pl.concat([answered.pipelines(), rows.select(PIPELINE)])
            stop_at_wrong_files(named, [Source(jobs[0].golden, b""), *files])
        return answered.add(rows.join(ids, on=QUESTION_ID, maintain_order="left"))

    for job in jobs:
        given = pl.read_parquet(job.result, columns=[QUESTION_ID, PIPELINE])
        first = first_of(given)
        if not first.all():
            _take_out(job, together, given, first)
    listed = pl.concat(pl.read_parquet(job.listed) for job in jobs)
    nulls = listed.filter(pl.col(KIND) == UNANSWERED)
    nulls = _as_repeated(nulls, ~first_of(nulls))
    stop_at_wrong_files(answered.pipelines(), [Source(jobs[0].golden, b""), *files])
    absent = answered.absent(golden.triplets.select(QUESTION_ID, FILE, LINE))
    return pl.concat([listed.filter(pl.col(KIND) != UNANSWERED), nulls, *map(unanswered_entries, absent)])


def _take_out(job: Job, together: str, given: pl.DataFrame, first: pl.Series) -> None:
    """Take responses out of a result and list them: the list comes first, so that a kill in between loses none."""
    nowhere = pl.lit(None, pl.String)
    entries = given.filter(~first).select(nowhere.alias(KIND), pl.lit(job.shard.name).alias(WHERE), pl.all())
    entries = _as_repeated(entries.with_columns(nowhere.alias(DETAIL)), pl.repeat(True, entries.height, eager=True))
    listed = pl.concat([pl.read_parquet(job.listed), entries.select(*LISTED_SCHEMA)])
    with replacing(job.listed) as unfinished:
        listed.unique(maintain_order=True).write_parquet(unfinished)
    with (
        pq.ParquetFile(job.result) as result,
        replacing(job.result) as unfinished,
        growing_table(unfinished, {KEY: job.key_with(together)}) as add,
    ):
        begin = 0
        for number in range(result.num_row_groups):
            rows = pl.DataFrame(result.read_row_group(number))
            add(rows.filter(first.slice(begin, rows.height)))
            begin += rows.height


def _as_repeated(entries: pl.DataFrame, repeated: pl.Series) -> pl.DataFrame:
    """The entries, those that are `repeated` as such."""
    return entries.with_columns(
        pl.when(repeated).then(pl.lit(text)).otherwise(column).alias(column)
        for column, text in ((KIND, DUPLICATE), (DETAIL, _REPEATED))
    )
