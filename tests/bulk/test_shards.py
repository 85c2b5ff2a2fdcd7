"""Shards on a cluster of this machine's cores, where a worker is killed at work."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import polars as pl
import psutil
import pytest
from polars.testing import assert_frame_equal

from benchmarks.generate import golden, responses
from qaviz.diagnosis import open_rows
from qaviz.diagnosis.judging import OPEN
from qaviz.exports.table_files import COLUMNS
from qaviz.loading import Source
from qaviz.loading.load_log import CLASH
from qaviz.model.records import Thresholds
from qaviz.runs import DraftRun
from tests.builders import draft_files

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray 2.44 has no release for this Python"),
]

ROOT = Path(__file__).parents[2]
QUESTIONS = 800
PIPELINES = 2
SHARDS = 5
SECONDS = 150


@dataclass(frozen=True)
class Seen:
    """What happened while the first command ran."""

    killed: int
    """The worker that got SIGKILL while it had a shard in hand."""
    addresses: set[str]
    """Where processes of the cluster listened."""
    said: str


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A golden dataset and its responses in five shards, among them nulls, blanks, strangers and repeats."""
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


def command(folder: Path) -> subprocess.Popen[str]:
    """`qaviz score --engine ray` over the shards, on a worker for each core."""
    arguments = [folder / "golden.jsonl", folder / "responses", "--engine", "ray", "--out", folder / "scores"]
    return subprocess.Popen(
        [sys.executable, "-m", "qaviz", "score", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def look_at(of: subprocess.Popen[str]) -> tuple[psutil.Process | None, set[str]]:
    """A worker that has a shard in hand, which Ray gives the task's name, and the addresses at which the command's process
    and all that it started listen."""
    worker, addresses = None, set[str]()
    driver = psutil.Process(of.pid)
    for process in (driver, *driver.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            if process.cmdline()[:1] and process.cmdline()[0].startswith("ray::MapBatches"):
                worker = process
            listening = [port for port in process.net_connections("inet") if port.status == psutil.CONN_LISTEN]
            addresses |= {port.laddr.ip for port in listening}
    return worker, addresses


@pytest.fixture(scope="module")
def seen(folder: Path) -> Seen:
    """The shards, scored, while a worker is killed in the middle of one."""
    running = command(folder)
    until = time.monotonic() + SECONDS
    worker = None
    while worker is None:
        assert running.poll() is None, running.communicate()[1]
        assert time.monotonic() < until, "no worker at work"
        time.sleep(0.05)
        worker, addresses = look_at(running)
    os.kill(worker.pid, signal.SIGKILL)
    _, said = running.communicate(timeout=SECONDS)
    assert running.returncode == 1, said
    return Seen(worker.pid, addresses, said)


@pytest.fixture(scope="module")
def local(folder: Path) -> DraftRun:
    """What this process makes of the same shards."""
    shards = [Source.of(file) for file in sorted((folder / "responses").iterdir())]
    return draft_files(Source.of(folder / "golden.jsonl"), shards)


def results(folder: Path) -> list[Path]:
    return sorted((folder / "scores").glob("*.parquet"))


@pytest.mark.usefixtures("seen")
def test_the_rows_are_the_local_engine_s(folder: Path, local: DraftRun):
    """Though a worker was killed, the results hold, bit for bit and in order, the rows of the local engine; nothing
    unfinished is left."""
    here = local.rows.with_columns(open_rows(local.rows, Thresholds())).select(*COLUMNS, OPEN)

    assert_frame_equal(pl.concat(map(pl.read_parquet, results(folder))), here, check_exact=True)
    assert [path for path in (folder / "scores").rglob("*") if path.suffix == ".tmp"] == []


def test_the_list_is_the_local_engine_s(seen: Seen, local: DraftRun):
    """What the command counts of each kind is what the local engine lists."""
    listed = local.loaded.listed
    counts = listed.filter(pl.col("kind") != CLASH).group_by("kind").len().rows()  # of files that are read together

    assert {kind for kind, _ in counts} >= {"duplicate", "unaligned", "unanswered"}
    said = seen.said.splitlines()[-1]
    assert sorted(said.removeprefix("qaviz: listed: ").split(", ")) == sorted(f"{n:,} {kind}" for kind, n in counts)


def test_the_cluster_listens_on_loopback_only(seen: Seen):
    """Every port that a process of the cluster listens at belongs to this machine alone."""
    others = [each for each in seen.addresses if not ip_address(each.removeprefix("::ffff:")).is_loopback]
    assert seen.addresses
    assert others == []
