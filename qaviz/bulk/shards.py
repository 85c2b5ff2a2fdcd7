"""Responses in shards, scored and diagnosed by Ray's workers: a Parquet file for each shard, and no shard twice."""

import hashlib
import importlib.util
import json
import logging
import os
import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import qaviz
from qaviz import __version__
from qaviz.bulk.chunks import score_chunk
from qaviz.diagnosis import open_rows
from qaviz.loading import silent
from qaviz.loading.align import Alignment, list_unanswered, stop_at_wrong_files
from qaviz.loading.load import group_into_chunks, open_files
from qaviz.loading.load_log import KIND, PIPELINE_ERROR, UNANSWERED
from qaviz.loading.source import Shard, Source, at_hand
from qaviz.model.columns import GOLDEN_COLUMNS, PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, disk_refusals, stop, stop_without
from qaviz.model.records import Progress, Thresholds
from qaviz.store.files import growing_table, replacing

TRIES = 3
"""How often a shard is tried again whose worker was killed."""

_SHARD, _RESULT = "shard", "result"


def map_shards(work: "Work", shards: Sequence[str], golden: pa.Table, address: str | None = None) -> Iterator[str]:
    """Yield what `score_shard` returns for each of the shards, in the order in which they are done.

    With an address the cluster there does it, whose machines need qaviz installed; without one a cluster of this
    machine's cores, started for this call and listening on loopback only. A shard whose worker is killed is done again,
    TRIES times. Raises QavizError where Ray is not installed or there is no cluster at the address.
    """
    if importlib.util.find_spec("ray") is None:
        raise stop_without("ray", "ray 2.44 beside qaviz")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    import ray.data

    variables = {"POLARS_MAX_THREADS": "1"}
    if address is None:
        variables["PYTHONPATH"] = str(Path(qaviz.__file__).parents[1])
        # Without the address Ray listens on all of the machine's, and anybody could run code here.
        where = {"address": "local", "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    else:
        _refuse_silent(address)
        where = {"address": address}
    ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        held = ray.put(golden)

        def score(batch: pa.Table) -> pa.Table:
            results = [score_shard(work, ray.get(held), shard) for shard in batch[_SHARD].to_pylist()]
            return pa.table({_RESULT: pa.array(results, pa.string())})

        tasks = ray.data.from_items([{_SHARD: shard} for shard in shards], override_num_blocks=len(shards))
        options = {"max_retries": TRIES, "runtime_env": {"env_vars": variables}}
        for row in tasks.map_batches(score, batch_size=1, batch_format="pyarrow", **options).iter_rows():
            yield row[_RESULT]
    finally:
        ray.shutdown()


def _refuse_silent(address: str) -> None:
    """Raise QavizError where nothing answers: Ray itself would wait for a minute."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=5.0).close()
    except (OSError, OverflowError, ValueError) as error:
        expected = "HOST:PORT of a running cluster's head, as `ray start --head` says it"
        fix = "Start the cluster, or leave --address out to use this machine's cores."
        raise stop(f"--address {address}", f"no Ray cluster ({error})", expected, fix) from None


KEY = b"qaviz.shard"
"""Where a result's footer says what it is the result of."""
_LISTED = "_listed"
"""The folder beside the results. Readers of a folder of Parquet files skip `_` names."""
_ANSWER = [QUESTION_ID, PIPELINE]


@dataclass(frozen=True, kw_only=True)
class Work:
    """What is done with each shard; another value is other work."""

    mapping: Mapping[str, str]
    golden: str
    """Name of the golden dataset's file."""
    golden_id: str
    """Content hash of the golden dataset."""
    ids_given: bool
    """Whether the golden dataset has ids of its own."""
    columns: Sequence[str]
    """Columns of the results."""
    folder: str
    """Where the results go."""
    version: str = __version__

    def file(self, shard: Shard, folder: str = "") -> Path:
        """The Parquet file of a shard's rows; in _LISTED, of what is listed of it. Named after the shard, with a hash:
        two folders may each hold a `part-0`."""
        stem = re.sub(r"[^A-Za-z0-9._-]", "_", PurePosixPath(shard.path).stem)[:80]
        return Path(self.folder, folder, f"{stem}-{_hash(shard.name)[:12]}.parquet")

    def key(self, shard: Shard) -> str:
        """What the result is the result of."""
        return _hash(json.dumps([asdict(self), asdict(shard)], sort_keys=True))

    def is_done(self, shard: Shard) -> bool:
        """Whether the rows are there and are those of this work."""
        try:
            return (pq.read_metadata(self.file(shard)).metadata or {}).get(KEY) == self.key(shard).encode()
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
    address: str | None = None,
    progress: Progress = silent,
) -> pl.DataFrame:
    """Score and diagnose shards on a Ray cluster (see `map_shards`). Returns what is to be listed of all of them.

    Writes to the folder `out`, which all workers have to reach, a Parquet file with `columns` for each shard, whole or
    not at all. A shard whose result is there already is not done again, unless the shard, the golden dataset, the
    mapping or qaviz's version has changed. The rows are those of `stream_files` over the same shards.
    Raises QavizError with the problems of all shards, and where a pipeline answers a question in two of them; the
    results are kept for the next call.
    """
    opened = open_files(golden, [], alone=True)
    merged = opened.merge()
    triplets = merged.triplets.select(GOLDEN_COLUMNS)
    work = Work(
        mapping=dict(response_mapping or {}),
        golden=golden.name,
        golden_id=_hash(triplets.write_json()),
        ids_given=merged.ids_given,
        columns=list(columns),
        folder=str(out.resolve()),
    )
    with disk_refusals(out):
        (out / _LISTED).mkdir(parents=True, exist_ok=True)
        # A reader of the folder would take them for results of these.
        if strangers := sorted({file.name for file in out.glob("*.parquet")} - {work.file(s).name for s in shards}):
            fault = f"{', '.join(strangers)}, which is no result of these shards"
            raise stop(f"--out {out}", fault, "none", "Remove it, or name another folder.")
        progress(0, f"looking for what is done of {len(shards):,} shards")
        waiting = [json.dumps(asdict(shard)) for shard in shards if not work.is_done(shard)]
        shared = triplets.to_arrow(compat_level=pl.CompatLevel.oldest())
        problems: list[Problem] = []
        results = map_shards(work, waiting, shared, address) if waiting else ()
        for done, result in enumerate(results, 1):
            problems += (Problem(**fields) for fields in json.loads(result))
            progress(done / len(waiting), f"{done:,} of {len(waiting):,} shards scored")
        if problems:
            raise QavizError(*sorted(problems, key=lambda problem: problem.where))
        listed = [*opened.list_unused(), *opened.notes, _list_all(work, shards, merged.triplets)]
    return pl.concat(listed).unique(maintain_order=True)


def score_shard(work: Work, golden: pa.Table, text: str) -> str:
    """In a worker: write a shard's rows and what is listed of it. Returns its problems as JSON."""
    shard, listed = Shard(**json.loads(text)), list[pl.DataFrame]()
    try:
        file = work.file(shard)
        with at_hand(shard) as source, disk_refusals(file), replacing(file) as unfinished:
            opened = open_files(None, [replace(source, mapping=work.mapping)], aside=True)
            opened.stop_at_problems()
            alignment = Alignment(pl.DataFrame(golden), [Source(work.golden, b""), source])
            with growing_table(unfinished, {KEY.decode(): work.key(shard)}) as add:
                for frame in group_into_chunks(opened.parts(ids_given=work.ids_given)):
                    chunk = alignment.add(frame)
                    rows, odd = score_chunk(chunk.rows, Thresholds())
                    listed += [chunk.listed, odd]
                    add(rows.with_columns(open_rows(rows, Thresholds())).select(work.columns))
            opened.stop_at_problems()
            listed += [*opened.list_unused(), *opened.notes, alignment.list_nulls()]
            with replacing(work.file(shard, _LISTED)) as unlisted:
                pl.concat(listed).unique(maintain_order=True).write_parquet(unlisted)
    except QavizError as error:
        return json.dumps([asdict(problem) for problem in error.problems])
    return "[]"


def _list_all(work: Work, shards: Sequence[Shard], triplets: pl.DataFrame) -> pl.DataFrame:
    """What is to be listed of all shards, and the golden questions that none answers. Raises QavizError if no response
    aligned at all, for too many pipelines, and for responses that two shards have."""
    given = pl.scan_parquet([work.file(shard) for shard in shards]).select(_ANSWER).collect()
    stop_at_wrong_files(given, [Source(name, b"") for name in (work.golden, *(shard.name for shard in shards))])
    if (repeated := given.filter(given.is_duplicated())).height:
        question, pipeline = repeated.row(0)
        fault = f"a second response of {pipeline} to {question}" + (" and more" if repeated.height > 2 else "")
        fix = "Remove the second. Of a pipeline that was asked several times, number them in a column `repeat`."
        raise stop(f"--out {work.folder}", fault, "each pipeline's response to a question in one shard", fix)
    listed = pl.concat(pl.read_parquet(work.file(shard, _LISTED)) for shard in shards)
    is_null = pl.col(KIND).is_in([UNANSWERED, PIPELINE_ERROR])
    nulls = listed.filter(is_null).join(given, on=_ANSWER, how="anti", maintain_order="left")
    answered = pl.concat([given, nulls.select(_ANSWER)])
    return pl.concat([listed.filter(~is_null), nulls, list_unanswered(triplets, answered[PIPELINE], answered)])
