"""What a worker does with one shard, here without a cluster, and what stops shards before one is started."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from qaviz.bulk.shards import Job, score_shard, score_shards
from qaviz.loading import Source
from qaviz.loading.source import Shard, find_shards
from qaviz.model.columns import GOLDEN_COLUMNS
from qaviz.model.errors import QavizError
from qaviz.model.records import Thresholds
from tests.builders import golden_table, write_jsonl

TRIPLET = {"question_id": "a", "question": "Where?", "answer": "It is in Seattle.", "fact": "Seattle"}
RESPONSE = {"question_id": "a", "pipeline": "P", "response": "In Seattle."}
GOLDEN: pa.Table = golden_table([TRIPLET]).select(GOLDEN_COLUMNS).to_arrow(compat_level=pl.CompatLevel.oldest())


def job_of(file: Path, out: Path) -> Job:
    """A job for the one shard in `file`."""
    (out / "_listed").mkdir(parents=True)
    return Job(
        shard=find_shards([str(file)])[0],
        mapping={},
        golden="golden.jsonl",
        golden_id="0",
        ids_given=True,
        thresholds=Thresholds(),
        columns=["question_id", "diagnosis", "open"],
        version="0",
        folder=str(out),
    )


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job for a shard of one response."""
    return job_of(write_jsonl(tmp_path / "part-0.jsonl", [RESPONSE]), tmp_path / "out")


def test_a_job_is_done_once_its_result_is_there(job: Job):
    """A job is done when its worker is, and the result has the columns asked for."""
    assert not job.is_done()
    assert score_shard(GOLDEN, job.to_json()) == "[]"

    assert job.is_done()
    assert pl.read_parquet(job.file()).rows() == [("a", "correct", False)]


CHANGES = {
    "shard": {"shard": Shard("part-0.jsonl", "part-0.jsonl", "", 1, 2)},
    "mapping": {"mapping": {"text": "response"}},
    "golden dataset": {"golden_id": "1"},
    "thresholds": {"thresholds": Thresholds(low_conciseness=0.2)},
    "columns": {"columns": ["question_id"]},
    "version": {"version": "1"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_job_is_not_done(job: Job, change: dict[str, object]):
    """A result counts for the very shard, golden dataset and settings that it was made of."""
    score_shard(GOLDEN, job.to_json())

    assert Job.from_json(job.to_json()) == job
    assert not replace(job, **change).is_done()


def test_problems_come_back_and_nothing_stays(tmp_path: Path):
    """A shard that cannot be read gives its problems as text, no result, and no unfinished file."""
    broken = tmp_path / "part-0.jsonl"
    broken.write_text('{"question_id": "a", "pipeline": "P", "response": "x"}\n{"question_id"\n', encoding="utf-8")
    job = job_of(broken, tmp_path / "out")
    problems = json.loads(score_shard(GOLDEN, job.to_json()))

    assert [problem["where"] for problem in problems] == [f"{broken} line 2"]
    assert not job.is_done()
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


def test_shards_of_one_name_have_results_of_their_own(tmp_path: Path):
    """Two folders may each hold a `part-0`, and a name may hold what no file name should: results keep apart."""
    for folder in ("a", "b", "=cmd|\n'é"):
        (tmp_path / folder).mkdir()
        write_jsonl(tmp_path / folder / "part 0.jsonl", [RESPONSE])
    job = job_of(tmp_path / "a" / "part 0.jsonl", tmp_path / "out")
    names = [replace(job, shard=shard).file().name for shard in find_shards([str(tmp_path)])]

    assert len(set(names)) == 3
    assert all(name.startswith("part_0-") for name in names)


def test_results_of_other_shards_stop_the_work(tmp_path: Path, job: Job):
    """A folder that holds a result of another shard is refused by that file's name, and stays as it is."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [TRIPLET])
    out = tmp_path / "out"
    (out / "part-9-0123456789ab.parquet").write_bytes(b"kept")
    with pytest.raises(QavizError, match=r"part-9-0123456789ab\.parquet, which is no result of these shards"):
        score_shards(Source.of(golden), [job.shard], out, columns=["question_id"])
    assert (out / "part-9-0123456789ab.parquet").read_bytes() == b"kept"
