"""Responses in shards, scored and diagnosed by Ray's workers: a Parquet file for each shard, and no shard twice."""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import polars as pl
import pyarrow as pa

from qaviz import __version__
from qaviz.bulk.job import KEY, LISTED_FOLDER, Job, together
from qaviz.bulk.judging import failed_entries, score_and_diagnose
from qaviz.bulk.repeats import settle
from qaviz.loading import Source, silent
from qaviz.loading.aligned_chunks import Alignment
from qaviz.loading.load import left_out
from qaviz.loading.shards import Shard, at_hand
from qaviz.loading.stream import Beside, in_chunks, open_golden, read_all
from qaviz.model.columns import GOLDEN_COLUMNS
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress, Thresholds
from qaviz.scoring.ray_engine import map_shards
from qaviz.store import disk_refusals, growing_table, replacing

UNFINISHED = "*.tmp"
"""Files that a killed worker leaves behind."""


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
        _stop_at_strangers(out, jobs)
        progress(0, f"looking for what is done of {len(jobs):,} shards")
        _do_all([job for job in jobs if not job.is_done(all_jobs)], alignment.triplets, address, progress)
        for left in out.rglob(UNFINISHED):
            left.unlink()
        listed = [*left_out([golden], beside.files), *beside.notes, settle(jobs, all_jobs, alignment)]
    return pl.concat(listed).unique(maintain_order=True)


def _content_hash(golden: pl.DataFrame) -> str:
    file = io.BytesIO()
    golden.write_ipc(file)
    return hashlib.sha256(file.getbuffer()).hexdigest()


def _stop_at_strangers(out: Path, jobs: Sequence[Job]) -> None:
    """Raise QavizError for results of other shards: who reads the folder would take them for some of these."""
    strangers = sorted({file.name for file in out.glob("*.parquet")} - {job.result.name for job in jobs})
    fix = "Remove it, or name another folder."
    problems = [
        Problem(where=f"--out {out}", found=f"{name}, which is no result of these shards", expected="none", fix=fix)
        for name in strangers
    ]
    if problems:
        raise QavizError(*problems)


def _do_all(waiting: Sequence[Job], triplets: pl.DataFrame, address: str | None, progress: Progress) -> None:
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
    for frame in in_chunks(read_all([replace(source, mapping=job.mapping)], beside, [silent])):
        chunk = alignment.add(frame)
        rows = score_and_diagnose(chunk.rows, job.thresholds)
        listed += [chunk.listed, failed_entries(rows)]
        yield rows.select(job.columns)
    if beside.problems:
        raise QavizError(*beside.problems)
    listed += [*left_out([source], beside.files), *beside.notes, alignment.nulls()]
