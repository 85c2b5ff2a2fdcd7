"""Shards on a cluster of this machine's cores, where a worker is killed at work."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import polars as pl
import psutil
import pytest
from polars.testing import assert_frame_equal

from benchmarks.generate import golden, responses
from qaviz.bulk.chunks import stream_files
from qaviz.diagnosis import open_rows
from qaviz.diagnosis.judging import OPEN
from qaviz.exports.table_files import COLUMNS
from qaviz.loading import Chunk, Source
from qaviz.model.records import Thresholds

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray 2.44 has no release for this Python"),
]

ROOT = Path(__file__).parents[2]
QUESTIONS = 1_000
PIPELINES = 2
SHARDS = 4
SECONDS = 300


@dataclass(frozen=True)
class Seen:
    """What happened while the first command ran."""

    addresses: set[str]
    """Where processes of the cluster listened."""
    said: str


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A golden dataset and its responses in four shards, among them nulls, blanks, strangers and repeats."""
    folder = tmp_path_factory.mktemp("many")
    of = golden(QUESTIONS)
    of.write_ndjson(folder / "golden.jsonl")
    given = responses(of, QUESTIONS * PIPELINES, PIPELINES).drop("latency_ms")
    text = pl.when(pl.int_range(pl.len()) % 97 == 0).then(pl.lit(None)).otherwise("response")
    stranger = pl.when(pl.int_range(pl.len()) % 89 == 0).then(pl.lit("none")).otherwise("question_id")
    odd = given.with_columns(text.alias("response"), stranger.alias("question_id"))
    shards = folder / "responses"
    shards.mkdir()
    size = odd.height // SHARDS
    for number in range(SHARDS):
        part = odd[number * size : (number + 1) * size]
        part = pl.concat([part, part[::50].with_columns(pl.col("response") + " again")])
        if number % 2:
            part.write_parquet(shards / f"part-{number}.parquet", row_group_size=500)
        else:
            part.write_ndjson(shards / f"part-{number}.jsonl")
    return folder


@contextmanager
def command(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """`qaviz score --engine ray` over the shards, a worker for each core. Its cluster goes with it, whatever fails."""
    arguments = [folder / "golden.jsonl", folder / "responses", "--engine", "ray", "--out", folder / "scores"]
    ray = [sys.executable, "-m", "qaviz", "score", *map(str, arguments)]
    with subprocess.Popen(ray, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            for process in processes(running):
                with suppress(psutil.NoSuchProcess):
                    process.kill()


def processes(of: subprocess.Popen[str]) -> list[psutil.Process]:
    """The command's process and all that it started; none once it has ended."""
    if of.poll() is not None:
        return []
    with_children = psutil.Process(of.pid)
    return [with_children, *with_children.children(recursive=True)]


def worker_at_work(of: subprocess.Popen[str]) -> psutil.Process | None:
    """A worker that has a shard in hand, if there is one: Ray gives the process the task's name."""
    for process in processes(of):
        with suppress(psutil.NoSuchProcess):
            if "".join(process.cmdline()[:1]).startswith("ray::MapBatches"):
                return process
    return None


def listening(of: subprocess.Popen[str]) -> set[str]:
    """Addresses at which the processes listen."""
    addresses = set()
    for process in processes(of):
        with suppress(psutil.NoSuchProcess):
            ports = [port for port in process.net_connections("inet") if port.status == psutil.CONN_LISTEN]
            addresses |= {port.laddr.ip for port in ports}
    return addresses


@pytest.fixture(scope="module")
def seen(folder: Path) -> Seen:
    """The shards, scored, while a worker is killed in the middle of one."""
    with command(folder) as running:
        until = time.monotonic() + SECONDS
        worker = None
        while worker is None:
            assert running.poll() is None, running.communicate()[1]
            assert time.monotonic() < until, "no worker at work"
            time.sleep(0.05)
            worker = worker_at_work(running)
        addresses = listening(running)
        os.kill(worker.pid, signal.SIGKILL)
        _, said = running.communicate(timeout=SECONDS)
        assert running.returncode == 1, said
    return Seen(addresses, said)


@pytest.fixture(scope="module")
def local(folder: Path) -> list[Chunk]:
    """What this process makes of the same shards."""
    shards = [Source.of(file) for file in sorted((folder / "responses").iterdir())]
    return list(stream_files(Source.of(folder / "golden.jsonl"), shards, trusted=True))


def results(folder: Path) -> list[Path]:
    return sorted((folder / "scores").glob("*.parquet"))


@pytest.mark.usefixtures("seen")
def test_the_rows_are_the_local_engine_s(folder: Path, local: list[Chunk]):
    """Though a worker was killed, the results hold, bit for bit and in order, the rows of the local engine; nothing
    unfinished is left."""
    rows = pl.concat([chunk.rows for chunk in local])
    here = rows.with_columns(open_rows(rows, Thresholds())).select(*COLUMNS, OPEN)

    assert_frame_equal(pl.concat(map(pl.read_parquet, results(folder))), here, check_exact=True)
    assert [path for path in (folder / "scores").rglob("*") if path.suffix == ".tmp"] == []


def test_the_list_is_the_local_engine_s(seen: Seen, local: list[Chunk]):
    """What the command counts of each kind is what the local engine lists."""
    listed = pl.concat([chunk.listed for chunk in local])
    counts = listed.group_by("kind").len().rows()  # of files that are read together

    assert {kind for kind, _ in counts} >= {"duplicate", "unaligned", "unanswered"}
    said = seen.said.splitlines()[-1]
    assert sorted(said.removeprefix("qaviz: listed: ").split(", ")) == sorted(f"{n:,} {kind}" for kind, n in counts)


def test_the_cluster_listens_on_loopback_only(seen: Seen):
    """Every port that a process of the cluster listens at belongs to this machine alone."""
    assert seen.addresses
    assert all(ip_address(address.removeprefix("::ffff:")).is_loopback for address in seen.addresses)
