"""Responses in shards, scored and diagnosed by Ray's workers: a Parquet file for each shard, and no shard twice."""

import hashlib
import importlib.util
import json
import logging
import os
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
from qaviz.bulk.chunks import failed_entries, score_and_diagnose
from qaviz.diagnosis import open_rows
from qaviz.loading import silent
from qaviz.loading.align import ROW, Alignment, Answered, stop_at_wrong_files, unanswered_entries
from qaviz.loading.load import group_into_chunks, open_files
from qaviz.loading.load_log import DETAIL, DUPLICATE, FILE, KIND, LINE, LISTED_SCHEMA, UNANSWERED, WHERE
from qaviz.loading.source import Shard, Source, at_hand
from qaviz.model.columns import GOLDEN_COLUMNS, PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, stop, stop_without
from qaviz.model.records import Progress, Thresholds
from qaviz.store.files import disk_refusals, growing_table, replacing

TRIES = 3
"""How often a shard is tried again whose worker was killed."""

_SHARD = "shard"
_RESULT = "result"
_LOOPBACK = "127.0.0.1"
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
    with _cluster(address) as (ray, env):
        held = ray.put(shared)

        def work(batch: pa.Table) -> pa.Table:
            results = [function(ray.get(held), shard) for shard in batch[_SHARD].to_pylist()]
            return pa.table({_RESULT: pa.array(results, pa.string())})

        tasks = ray.data.from_items([{_SHARD: shard} for shard in shards], override_num_blocks=len(shards))
        done = tasks.map_batches(
            work, batch_size=1, batch_format="pyarrow", max_retries=TRIES, runtime_env={"env_vars": env}
        )
        for row in done.iter_rows():
            yield row[_RESULT]


@contextmanager
def _cluster(address: str | None) -> Iterator[tuple[Any, dict[str, str]]]:
    """Ray, connected, and the variables that its workers need."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    import ray.data

    if address is None:
        # Without the address Ray listens on all of the machine's, and anybody could run code here.
        ray.init(
            address="local",
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _node_ip_address=_LOOPBACK,
        )
        env = {"PYTHONPATH": str(Path(qaviz.__file__).parents[1]), "POLARS_MAX_THREADS": "1"}
    else:
        _join(address)
        env = {"POLARS_MAX_THREADS": "1"}
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield ray, env
    finally:
        ray.shutdown()


def _join(address: str) -> None:
    import ray

    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        # Ray itself would wait for a minute.
        socket.create_connection((host, int(port)), timeout=_SECONDS_TO_ANSWER).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, OverflowError, ValueError) as error:
        raise stop(
            f"--address {address}",
            f"no Ray cluster ({error})",
            "HOST:PORT of a running cluster's head, as `ray start --head` says it",
            "Start the cluster, or leave --address out to use this machine's cores.",
        ) from None


UNFINISHED = "*.tmp"
"""Files that a killed worker leaves behind."""

_REPEATED = "another shard has a response of this pipeline to this question; the first is kept"

LISTED_FOLDER = "_listed"
"""Folder beside the results, with what is listed of each shard. Readers of a folder of Parquet files skip `_` names."""

KEY = "qaviz.shard"
"""Where a result's footer says what it is the result of."""

_LONGEST_STEM = 80


@dataclass(frozen=True, kw_only=True)
class Job:
    """A shard to score and diagnose. Travels to its worker as JSON."""

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
    version: str
    """qaviz's."""
    folder: str
    """Where the result goes."""

    @classmethod
    def from_json(cls, text: str) -> "Job":
        """The job that `to_json` wrote."""
        fields = json.loads(text)
        fields["shard"], fields["thresholds"] = Shard(**fields["shard"]), Thresholds(**fields["thresholds"])
        return cls(**fields)

    def to_json(self) -> str:
        """The job as text: another shard, golden dataset or setting is another job."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def result(self) -> Path:
        """The Parquet file of its rows. Named after the shard, with a hash: two folders may each hold a `part-0`."""
        name = PurePosixPath(self.shard.path).stem
        stem = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "_" for char in name)
        return Path(self.folder, f"{stem[:_LONGEST_STEM]}-{_hash(self.shard.name)[:12]}.parquet")

    @property
    def listed(self) -> Path:
        """The Parquet file of what is listed of it; written before the result."""
        return Path(self.folder, LISTED_FOLDER, self.result.name)

    def key(self, together: str = "") -> str:
        """What the footer says of the result; with `together`, of one without the rows that repeat other shards'."""
        return f"{_hash(self.to_json())} {together}".strip()

    def is_done(self, together: str) -> bool:
        """Whether this job's result is there; where repeats were removed, with the same other jobs (`together`)."""
        try:
            about = pq.read_metadata(self.result).metadata or {}
        except (OSError, pa.ArrowException):
            return False
        return about.get(KEY.encode(), b"").decode() in (self.key(), self.key(together)) and self.listed.is_file()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def hash_together(jobs: Sequence[Job]) -> str:
    """Hash of all the jobs, in order."""
    return _hash(" ".join(job.key() for job in jobs))


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
    triplets = merged.triplets
    first = Job(
        shard=Shard("", "", "", 0, 0),
        mapping=dict(response_mapping or {}),
        golden=golden.name,
        golden_id=_hash(triplets.select(GOLDEN_COLUMNS).write_json()),
        ids_given=merged.ids_given,
        thresholds=thresholds or Thresholds(),
        columns=list(columns),
        version=__version__,
        folder=str(out.resolve()),
    )
    jobs = [replace(first, shard=shard) for shard in shards]
    with disk_refusals(out):
        (out / LISTED_FOLDER).mkdir(parents=True, exist_ok=True)
        _refuse_other_results(out, jobs)
        progress(0, f"looking for what is done of {len(jobs):,} shards")
        together = hash_together(jobs)
        _run_jobs([job for job in jobs if not job.is_done(together)], triplets, address, progress)
        for left in out.rglob(UNFINISHED):
            left.unlink()
        listed = [*opened.list_unused(), *opened.notes, settle(jobs, triplets)]
    return pl.concat(listed).unique(maintain_order=True)


def _refuse_other_results(out: Path, jobs: Sequence[Job]) -> None:
    """Raise QavizError for results of other shards: a reader of the folder would take them for results of these."""
    strangers = sorted({file.name for file in out.glob("*.parquet")} - {job.result.name for job in jobs})
    if strangers:
        fault = f"{', '.join(strangers)}, which is no result of these shards"
        raise stop(f"--out {out}", fault, "none", "Remove it, or name another folder.")


def _run_jobs(waiting: Sequence[Job], triplets: pl.DataFrame, address: str | None, progress: Progress) -> None:
    """Do the jobs. Raises QavizError with the problems of all, and if a result is not there."""
    if not waiting:
        return
    shared = triplets.select(GOLDEN_COLUMNS).to_arrow(compat_level=pl.CompatLevel.oldest())
    problems: list[Problem] = []
    results = map_shards(score_shard, [job.to_json() for job in waiting], shared, address)
    for done, result in enumerate(results, 1):
        problems += (Problem(**fields) for fields in json.loads(result))
        progress(done / len(waiting), f"{done:,} of {len(waiting):,} shards scored")
    lost = [job for job in waiting if not problems and not job.is_done("")]
    fix = "Name a folder that all machines of the cluster share, and do not change shards meanwhile."
    problems += (
        Problem(where=str(job.result), found="no result", expected=f"the result of {job.shard.name}", fix=fix)
        for job in lost
    )
    if problems:
        raise QavizError(*sorted(problems, key=lambda problem: problem.where))


def score_shard(golden: pa.Table, job: str) -> str:
    """Do one job, in a worker: write its result and what is listed of it. Returns its problems as JSON."""
    try:
        _write_result(Job.from_json(job), pl.DataFrame(golden))
    except QavizError as error:
        return json.dumps([asdict(problem) for problem in error.problems])
    return json.dumps([])


def _write_result(job: Job, golden: pl.DataFrame) -> None:
    with at_hand(job.shard) as source, disk_refusals(job.result), replacing(job.result) as unfinished:
        opened = open_files(None, [replace(source, mapping=job.mapping)], aside=True)
        opened.stop_at_problems()
        alignment = Alignment(golden, [Source(job.golden, b""), source], by_id=True)
        listed: list[pl.DataFrame] = []
        with growing_table(unfinished, {KEY: job.key()}) as add:
            for frame in group_into_chunks(opened.parts(ids_given=job.ids_given)):
                chunk = alignment.add(frame)
                rows = score_and_diagnose(chunk.rows, job.thresholds)
                listed += [chunk.listed, failed_entries(rows)]
                add(rows.with_columns(open_rows(rows, job.thresholds)).select(job.columns))
        opened.stop_at_problems()
        listed += [*opened.list_unused(), *opened.notes, alignment.list_nulls()]
        with replacing(job.listed) as unlisted:
            pl.concat(listed).unique(maintain_order=True).write_parquet(unlisted)


def settle(jobs: Sequence[Job], triplets: pl.DataFrame) -> pl.DataFrame:
    """Return what is to be listed of all shards, once the jobs are done.

    Takes a response out of a result if an earlier shard has one of the same question and pipeline; the result's footer
    then says with which other shards. Raises QavizError if no response aligned at all, or for too many pipelines.
    """
    files = [Source(name, b"") for name in (jobs[0].golden, *(job.shard.name for job in jobs))]
    ids = triplets.select(QUESTION_ID).with_row_index(ROW)
    answered = Answered(ids.height)

    def find_first(rows: pl.DataFrame) -> pl.Series:
        if not rows.is_empty():
            stop_at_wrong_files(pl.concat([answered.pipelines(), rows.select(PIPELINE)]), files)
        return answered.add(rows.join(ids, on=QUESTION_ID, maintain_order="left"))

    for job in jobs:
        given = pl.read_parquet(job.result, columns=[QUESTION_ID, PIPELINE])
        first = find_first(given)
        if not first.all():
            _remove_repeated(job, job.key(hash_together(jobs)), given, first)
    listed = pl.concat(pl.read_parquet(job.listed) for job in jobs)
    nulls = listed.filter(pl.col(KIND) == UNANSWERED)
    nulls = _mark_repeated(nulls, ~find_first(nulls))
    stop_at_wrong_files(answered.pipelines(), files)
    absent = answered.find_unanswered(triplets.select(QUESTION_ID, FILE, LINE))
    return pl.concat([listed.filter(pl.col(KIND) != UNANSWERED), nulls, *map(unanswered_entries, absent)])


def _remove_repeated(job: Job, key: str, given: pl.DataFrame, first: pl.Series) -> None:
    """Take responses out of a result and list them: the list comes first, so that a kill in between loses none."""
    entries = given.filter(~first).with_columns(
        pl.lit(None, pl.String).alias(KIND), pl.lit(job.shard.name).alias(WHERE), pl.lit(None, pl.String).alias(DETAIL)
    )
    entries = _mark_repeated(entries, pl.repeat(True, entries.height, eager=True)).select(*LISTED_SCHEMA)
    with replacing(job.listed) as unfinished:
        listed = pl.concat([pl.read_parquet(job.listed), entries]).unique(maintain_order=True)
        listed.write_parquet(unfinished)
    with (
        pq.ParquetFile(job.result) as result,
        replacing(job.result) as unfinished,
        growing_table(unfinished, {KEY: key}) as add,
    ):
        begin = 0
        for number in range(result.num_row_groups):
            rows = pl.DataFrame(result.read_row_group(number))
            add(rows.filter(first.slice(begin, rows.height)))
            begin += rows.height


def _mark_repeated(entries: pl.DataFrame, repeated: pl.Series) -> pl.DataFrame:
    """The entries; those that are `repeated` get the kind and the detail of a repeated response."""
    return entries.with_columns(
        pl.when(repeated).then(pl.lit(text)).otherwise(column).alias(column)
        for column, text in ((KIND, DUPLICATE), (DETAIL, _REPEATED))
    )
