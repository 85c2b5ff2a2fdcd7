"""Responses in shards, scored and diagnosed by Ray's workers: a Parquet file for each shard, and no shard twice."""

import hashlib
import importlib.util
import io
import json
import logging
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from string import ascii_letters, digits
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
from qaviz.loading.load import Beside, group_into_chunks, list_unused, open_golden, read_all
from qaviz.loading.load_log import DETAIL, DUPLICATE, FILE, KIND, LISTED_SCHEMA, UNANSWERED, WHERE
from qaviz.loading.readers.table import LINE
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
    TRIES times, so `function` has to bear a second call. Raises QavizError where Ray is not installed or there is no
    cluster at the address; what `function` raises is a bug.
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

_PLAIN = frozenset(ascii_letters + digits + "._-")
_LONGEST_STEM = 80


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
    beside = Beside()
    alignment = open_golden(golden, [], beside, silent)
    if alignment is None:
        raise QavizError(*beside.problems)
    golden_id = _content_hash(alignment.triplets.select(GOLDEN_COLUMNS))
    jobs = [
        Job(
            shard=shard,
            mapping=dict(response_mapping or {}),
            golden=golden.name,
            golden_id=golden_id,
            by_id=alignment.by_id,
            thresholds=thresholds or Thresholds(),
            columns=list(columns),
            version=__version__,
            folder=str(out.resolve()),
        )
        for shard in shards
    ]
    all_jobs = together(jobs)
    with disk_refusals(out):
        (out / LISTED_FOLDER).mkdir(parents=True, exist_ok=True)
        _refuse_other_results(out, jobs)
        progress(0, f"looking for what is done of {len(jobs):,} shards")
        _run_jobs([job for job in jobs if not job.is_done(all_jobs)], alignment.triplets, address, progress)
        for left in out.rglob(UNFINISHED):
            left.unlink()
        listed = [*list_unused([golden], beside.files), *beside.notes, settle(jobs, all_jobs, alignment)]
    return pl.concat(listed).unique(maintain_order=True)


def _content_hash(golden: pl.DataFrame) -> str:
    file = io.BytesIO()
    golden.write_ipc(file)
    return hashlib.sha256(file.getbuffer()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Job:
    """A shard to score and diagnose. Travels to its worker as JSON."""

    shard: Shard
    mapping: Mapping[str, str]
    golden: str
    """Name of the golden dataset's file."""
    golden_id: str
    """Content hash of the golden dataset."""
    by_id: bool
    """Whether responses align by id."""
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
        """The job as text."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def key(self) -> str:
        """Hash of all that the result depends on: another shard, golden dataset or setting is another job."""
        return _hash(self.to_json())

    @property
    def result(self) -> Path:
        """The Parquet file of its rows. Named after the shard, with a hash: two folders may each hold a `part-0`."""
        stem = "".join(char if char in _PLAIN else "_" for char in PurePosixPath(self.shard.path).stem)
        return Path(self.folder, f"{stem[:_LONGEST_STEM]}-{_hash(self.shard.name)[:12]}.parquet")

    @property
    def listed(self) -> Path:
        """The Parquet file of what is listed of it; written before the result."""
        return Path(self.folder, LISTED_FOLDER, self.result.name)

    def key_with(self, together: str) -> str:
        """What the footer says of a result without the rows that repeat those of other results."""
        return f"{self.key} {together}"

    def is_done(self, together: str) -> bool:
        """Whether this job's result is there; where repeats were removed, with the same other jobs (`together`)."""
        try:
            about = pq.read_metadata(self.result).metadata or {}
        except (OSError, pa.ArrowException):
            return False
        keys = [key.encode() for key in (self.key, self.key_with(together))]
        return about.get(KEY.encode()) in keys and self.listed.is_file()


def _refuse_other_results(out: Path, jobs: Sequence[Job]) -> None:
    """Raise QavizError for results of other shards: a reader of the folder would take them for results of these."""
    strangers = sorted({file.name for file in out.glob("*.parquet")} - {job.result.name for job in jobs})
    fix = "Remove it, or name another folder."
    problems = [
        Problem(where=f"--out {out}", found=f"{name}, which is no result of these shards", expected="none", fix=fix)
        for name in strangers
    ]
    if problems:
        raise QavizError(*problems)


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
    if not problems:
        problems += map(_missing_result, (job for job in waiting if not job.is_done("")))
    if problems:
        raise QavizError(*sorted(problems, key=lambda problem: problem.where))


def _missing_result(job: Job) -> Problem:
    return Problem(
        where=str(job.result),
        found="no result",
        expected=f"the result of {job.shard.name}",
        fix="Name a folder that all machines of the cluster share, and do not change shards meanwhile.",
    )


def score_shard(golden: pa.Table, job: str) -> str:
    """Do one job, in a worker: write its result and what is listed of it. Returns its problems as JSON."""
    try:
        _write(Job.from_json(job), pl.DataFrame(golden))
    except QavizError as error:
        return json.dumps([asdict(problem) for problem in error.problems])
    return json.dumps([])


def _write(job: Job, golden: pl.DataFrame) -> None:
    with at_hand(job.shard) as source, disk_refusals(job.result), replacing(job.result) as unfinished:
        alignment = Alignment(golden, [Source(job.golden, b""), source], by_id=job.by_id)
        listed: list[pl.DataFrame] = []
        with growing_table(unfinished, {KEY: job.key}) as add:
            for rows in _score_shard_rows(job, source, alignment, listed):
                add(rows)
        with replacing(job.listed) as unlisted:
            pl.concat(listed).unique(maintain_order=True).write_parquet(unlisted)


def _score_shard_rows(
    job: Job, source: Source, alignment: Alignment, listed: list[pl.DataFrame]
) -> Iterator[pl.DataFrame]:
    beside = Beside()
    for frame in group_into_chunks(read_all([replace(source, mapping=job.mapping)], beside, [silent])):
        chunk = alignment.add(frame)
        rows = score_and_diagnose(chunk.rows, job.thresholds)
        listed += [chunk.listed, failed_entries(rows)]
        yield rows.with_columns(open_rows(rows, job.thresholds)).select(job.columns)
    if beside.problems:
        raise QavizError(*beside.problems)
    listed += [*list_unused([source], beside.files), *beside.notes, alignment.list_nulls()]


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
            _remove_repeated(job, together, given, first)
    listed = pl.concat(pl.read_parquet(job.listed) for job in jobs)
    nulls = listed.filter(pl.col(KIND) == UNANSWERED)
    nulls = _mark_repeated(nulls, ~first_of(nulls))
    stop_at_wrong_files(answered.pipelines(), [Source(jobs[0].golden, b""), *files])
    absent = answered.find_unanswered(golden.triplets.select(QUESTION_ID, FILE, LINE))
    return pl.concat([listed.filter(pl.col(KIND) != UNANSWERED), nulls, *map(unanswered_entries, absent)])


def _remove_repeated(job: Job, together: str, given: pl.DataFrame, first: pl.Series) -> None:
    """Take responses out of a result and list them: the list comes first, so that a kill in between loses none."""
    nowhere = pl.lit(None, pl.String)
    entries = given.filter(~first).select(nowhere.alias(KIND), pl.lit(job.shard.name).alias(WHERE), pl.all())
    entries = _mark_repeated(entries.with_columns(nowhere.alias(DETAIL)), pl.repeat(True, entries.height, eager=True))
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


def _mark_repeated(entries: pl.DataFrame, repeated: pl.Series) -> pl.DataFrame:
    """The entries; those that are `repeated` get the kind and the detail of a repeated response."""
    return entries.with_columns(
        pl.when(repeated).then(pl.lit(text)).otherwise(column).alias(column)
        for column, text in ((KIND, DUPLICATE), (DETAIL, _REPEATED))
    )


def together(jobs: Sequence[Job]) -> str:
    """Hash of all the jobs, in order."""
    return _hash(" ".join(job.key for job in jobs))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
