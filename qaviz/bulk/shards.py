"""Responses in shards, scored and diagnosed by Ray's workers: a Parquet file for each shard, and no shard twice."""

import hashlib
import importlib.util
import json
import logging
import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import qaviz
from qaviz import __version__
from qaviz.bulk.chunks import score_chunk
from qaviz.diagnosis import open_rows
from qaviz.loading import silent
from qaviz.loading.align import ROW, Alignment, Answered, stop_at_wrong_files, unanswered_entries
from qaviz.loading.load import group_into_chunks, open_files
from qaviz.loading.load_log import DETAIL, DUPLICATE, FILE, KIND, LINE, PIPELINE_ERROR, UNANSWERED, WHERE
from qaviz.loading.source import Shard, Source, at_hand
from qaviz.model.columns import GOLDEN_COLUMNS, PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, stop, stop_without
from qaviz.model.records import Progress, Thresholds
from qaviz.store.files import disk_refusals, growing_table, replacing

TRIES = 3
"""How often a shard is tried again whose worker was killed."""

_SHARD, _RESULT = "shard", "result"
_SECONDS_TO_ANSWER = 5.0

ShardFunction = Callable[[pa.Table, str], str]
"""What is done with a shard: the table that all shards share, and what says which shard it is, in; a result out."""


def map_shards(
    function: ShardFunction, shards: Sequence[str], shared: pa.Table, address: str | None = None
) -> Iterator[str]:
    """Yield what `function` returns for each of the shards, in the order in which they are done.

    With an address the cluster there does it, whose machines need qaviz installed; without one a cluster of this
    machine's cores, started for this call and listening on loopback only. A shard whose worker is killed is done again,
    TRIES times. Raises QavizError where Ray is not installed or there is no cluster at the address.
    """
    if importlib.util.find_spec("ray") is None:
        raise stop_without("ray", "ray 2.44 beside qaviz")
    with _cluster(address) as ray:
        held = ray.put(shared)

        def work(batch: pa.Table) -> pa.Table:
            results = [function(ray.get(held), shard) for shard in batch[_SHARD].to_pylist()]
            return pa.table({_RESULT: pa.array(results, pa.string())})

        variables = {"POLARS_MAX_THREADS": "1"}
        if address is None:
            variables["PYTHONPATH"] = str(Path(qaviz.__file__).parents[1])
        tasks = ray.data.from_items([{_SHARD: shard} for shard in shards], override_num_blocks=len(shards))
        options = {"max_retries": TRIES, "runtime_env": {"env_vars": variables}}
        for row in tasks.map_batches(work, batch_size=1, batch_format="pyarrow", **options).iter_rows():
            yield row[_RESULT]


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Ray, connected."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    import ray.data

    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        # Without the address Ray listens on all of the machine's, and anybody could run code here.
        ray.init(address="local", include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)
    else:
        host, _, port = address.rpartition("://")[2].rpartition(":")
        try:
            # Ray itself would wait for a minute.
            socket.create_connection((host, int(port)), timeout=_SECONDS_TO_ANSWER).close()
            ray.init(address=address, **quiet)
        except (OSError, OverflowError, ValueError) as error:
            expected = "HOST:PORT of a running cluster's head, as `ray start --head` says it"
            fix = "Start the cluster, or leave --address out to use this machine's cores."
            raise stop(f"--address {address}", f"no Ray cluster ({error})", expected, fix) from None
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield ray
    finally:
        ray.shutdown()


KEY = b"qaviz.shard"
"""Where a result's footer says what it is the result of."""
_REPEATED = "another shard has a response of this pipeline to this question; the first is kept"
_LISTED, _WHOLE = "_listed", "_whole"
"""Folders beside the results. Readers of a folder of Parquet files skip `_` names."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A shard to score and diagnose. Travels to its worker as JSON; another field is another job."""

    shard: Shard
    mapping: Mapping[str, str]
    golden: str
    """Name of the golden dataset's file."""
    golden_id: str
    """Content hash of the golden dataset."""
    ids_given: bool
    """Whether the golden dataset has ids of its own."""
    thresholds: Thresholds
    columns: Sequence[str]
    """Columns of the result."""
    folder: str
    """Where the result goes."""
    version: str = __version__

    @classmethod
    def from_json(cls, text: str) -> "Job":
        """The job that `to_json` wrote."""
        fields = json.loads(text)
        shard, thresholds = Shard(**fields.pop("shard")), Thresholds(**fields.pop("thresholds"))
        return cls(shard=shard, thresholds=thresholds, **fields)

    def to_json(self) -> str:
        """The job as text."""
        return json.dumps(asdict(self), sort_keys=True)

    def file(self, folder: str = "") -> Path:
        """The Parquet file of its rows; in _LISTED, of what is listed of it; in _WHOLE, of the rows before those that
        repeat other shards' were taken out. Named after the shard, with a hash: two folders may each hold a `part-0`.
        """
        stem = re.sub(r"[^A-Za-z0-9._-]", "_", PurePosixPath(self.shard.path).stem)[:80]
        return Path(self.folder, folder, f"{stem}-{_hash(self.shard.name)[:12]}.parquet")

    @property
    def rows(self) -> Path:
        """The file that has all of its rows."""
        return whole if (whole := self.file(_WHOLE)).exists() else self.file()

    def is_done(self) -> bool:
        """Whether the rows are there and are this job's."""
        try:
            return (pq.read_metadata(self.rows).metadata or {}).get(KEY) == _hash(self.to_json()).encode()
        except (OSError, pa.ArrowException):
            return False


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def score_shards(
    golden: Source,
    shards: Sequence[Shard],
    out: Path,
    *,
    columns: Sequence[str],
    response_mapping: Mapping[str, str] | None = None,
    thresholds: Thresholds | None = None,
    address: str | None = None,
    progress: Progress = silent,
) -> pl.DataFrame:
    """Score and diagnose shards on a Ray cluster (see `map_shards`). Returns what is to be listed of all of them.

    Writes to the folder `out`, which all workers have to reach, a Parquet file with `columns` for each shard, whole or
    not at all. A shard whose result is there already is not done again, unless the shard, the golden dataset, the
    mapping, a threshold or qaviz's version has changed. The rows are those of `stream_files` over the same shards: of
    responses that repeat each other, the first shard's is kept. Raises QavizError with the problems of all shards; the
    results of the others are kept for the next call.
    """
    opened = open_files(golden, [], alone=True)
    merged = opened.merge()
    triplets = merged.triplets.select(GOLDEN_COLUMNS)
    first = Job(
        shard=Shard("", "", "", 0, 0),
        mapping=dict(response_mapping or {}),
        golden=golden.name,
        golden_id=_hash(triplets.write_json()),
        ids_given=merged.ids_given,
        thresholds=thresholds or Thresholds(),
        columns=list(columns),
        folder=str(out.resolve()),
    )
    jobs = [replace(first, shard=shard) for shard in shards]
    with disk_refusals(out):
        for folder in (_LISTED, _WHOLE):
            (out / folder).mkdir(parents=True, exist_ok=True)
        # A reader of the folder would take them for results of these.
        if strangers := sorted({file.name for file in out.glob("*.parquet")} - {job.file().name for job in jobs}):
            fault = f"{', '.join(strangers)}, which is no result of these shards"
            raise stop(f"--out {out}", fault, "none", "Remove it, or name another folder.")
        progress(0, f"looking for what is done of {len(jobs):,} shards")
        waiting = [job.to_json() for job in jobs if not job.is_done()]
        shared = triplets.to_arrow(compat_level=pl.CompatLevel.oldest())
        problems: list[Problem] = []
        for done, result in enumerate(map_shards(score_shard, waiting, shared, address) if waiting else (), 1):
            problems += (Problem(**fields) for fields in json.loads(result))
            progress(done / len(waiting), f"{done:,} of {len(waiting):,} shards scored")
        if problems:
            raise QavizError(*sorted(problems, key=lambda problem: problem.where))
        listed = [*opened.list_unused(), *opened.notes, settle(jobs, merged.triplets)]
    return pl.concat(listed).unique(maintain_order=True)


def score_shard(golden: pa.Table, text: str) -> str:
    """Do one job, in a worker: write its rows and what is listed of it. Returns its problems as JSON."""
    job, listed = Job.from_json(text), list[pl.DataFrame]()
    try:
        with at_hand(job.shard) as source, disk_refusals(job.file()), replacing(job.file()) as unfinished:
            opened = open_files(None, [replace(source, mapping=job.mapping)], aside=True)
            opened.stop_at_problems()
            alignment = Alignment(pl.DataFrame(golden), [Source(job.golden, b""), source], by_id=True)
            with growing_table(unfinished, {KEY.decode(): _hash(text)}) as add:
                for frame in group_into_chunks(opened.parts(ids_given=job.ids_given)):
                    chunk = alignment.add(frame)
                    rows, odd = score_chunk(chunk.rows, job.thresholds)
                    listed += [chunk.listed, odd]
                    add(rows.with_columns(open_rows(rows, job.thresholds)).select(job.columns))
            opened.stop_at_problems()
            listed += [*opened.list_unused(), *opened.notes, alignment.list_nulls()]
            with replacing(job.file(_LISTED)) as unlisted:
                pl.concat(listed).unique(maintain_order=True).write_parquet(unlisted)
            job.file(_WHOLE).unlink(missing_ok=True)
    except QavizError as error:
        return json.dumps([asdict(problem) for problem in error.problems])
    return "[]"


def settle(jobs: Sequence[Job], triplets: pl.DataFrame) -> pl.DataFrame:
    """The last pass, once the jobs are done: take out of a result what repeats an earlier shard's, and return what is
    to be listed of all. Raises QavizError if no response aligned at all, or for too many pipelines."""
    files = [Source(name, b"") for name in (jobs[0].golden, *(job.shard.name for job in jobs))]
    ids = triplets.select(QUESTION_ID).with_row_index(ROW)
    answered = Answered(ids.height)

    def find_repeated(rows: pl.DataFrame) -> pl.Series:
        repeated = ~answered.add(rows.join(ids, on=QUESTION_ID, maintain_order="left"))
        if not answered.pipelines().is_empty():
            stop_at_wrong_files(answered.pipelines(), files)
        return repeated

    listed = [pl.read_parquet(job.file(_LISTED)) for job in jobs]
    for job in jobs:
        given = pl.read_parquet(job.rows, columns=[QUESTION_ID, PIPELINE])
        repeated = find_repeated(given)
        _take_out(job, repeated)
        listed.append(_list_repeated(given.filter(repeated).with_columns(pl.lit(job.shard.name).alias(WHERE))))
    entries = pl.concat(listed)
    is_null = pl.col(KIND).is_in([UNANSWERED, PIPELINE_ERROR])
    nulls = entries.filter(is_null)
    repeated = find_repeated(nulls)
    stop_at_wrong_files(answered.pipelines(), files)
    absent = answered.find_unanswered(triplets.select(QUESTION_ID, FILE, LINE))
    return pl.concat(
        [
            entries.filter(~is_null),
            nulls.filter(~repeated),
            _list_repeated(nulls.filter(repeated)),
            *map(unanswered_entries, absent),
        ]
    )


def _take_out(job: Job, repeated: pl.Series) -> None:
    """Leave the rows that are `repeated` out of a result. All of its rows are kept: other shards may change."""
    if repeated.any():
        if job.rows == job.file():
            os.replace(job.file(), job.file(_WHOLE))
        kept = ~pl.col(ROW).is_in(repeated.arg_true().implode())
        with replacing(job.file()) as unfinished:
            pl.scan_parquet(job.rows).with_row_index(ROW).filter(kept).drop(ROW).sink_parquet(unfinished)
    elif job.rows != job.file():
        os.replace(job.rows, job.file())


def _list_repeated(rows: pl.DataFrame) -> pl.DataFrame:
    """An entry (LISTED_SCHEMA) for each of the rows (WHERE, QUESTION_ID, PIPELINE)."""
    kind, detail = pl.lit(DUPLICATE).alias(KIND), pl.lit(_REPEATED).alias(DETAIL)
    return rows.select(kind, WHERE, QUESTION_ID, PIPELINE, detail)
