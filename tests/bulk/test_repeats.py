"""Responses that stand in several shards: the first is kept, wherever in a result the later one stands."""

import dataclasses
from pathlib import Path

import polars as pl

from qaviz.bulk.shards import Job, score_shard, settle
from qaviz.loading import Source
from qaviz.loading.load import open_files
from qaviz.loading.source import find_shards
from qaviz.model.columns import GOLDEN_COLUMNS, PIPELINE, QUESTION_ID
from qaviz.model.records import Thresholds
from tests.builders import write_jsonl

QUESTIONS = "abcdefg"
TRIPLETS = [{"question_id": each, "question": f"Where is {each}?", "fact": "Seattle"} for each in QUESTIONS]


def responses(questions: str, response: str | None = "Seattle.") -> list[dict[str, str | None]]:
    return [{"question_id": each, "pipeline": "P", "response": response} for each in questions]


def test_repeats_are_taken_out_and_come_back(tmp_path: Path):
    """What an earlier shard has answered goes from the later one's result and is listed; the rest stays in its order.

    A second call settles the same; once the earlier shard answers nothing of it, the later result has all its rows. A
    null or an error in place of a response is listed unless another shard answers, and is not listed as unanswered.
    """
    golden = open_files(Source.of(write_jsonl(tmp_path / "golden.jsonl", TRIPLETS)), [], alone=True).merge()
    lacking = [*responses("d", None), *responses("e", "Error: 429 Too Many Requests")]
    contents = {"part-0": responses("be"), "part-1": responses("fedcba"), "part-2": responses("g") + lacking}
    for name, rows in contents.items():
        write_jsonl(tmp_path / f"{name}.jsonl", rows)
    for folder in ("_listed", "_whole"):
        (tmp_path / "out" / folder).mkdir(parents=True)
    job = Job(
        shard=find_shards([str(tmp_path / "part-0.jsonl")])[0],
        mapping={},
        golden="golden.jsonl",
        golden_id="0",
        ids_given=True,
        thresholds=Thresholds(),
        columns=[QUESTION_ID, PIPELINE],
        folder=str(tmp_path / "out"),
    )
    jobs = [dataclasses.replace(job, shard=find_shards([str(tmp_path / f"{name}.jsonl")])[0]) for name in contents]
    shared = golden.triplets.select(GOLDEN_COLUMNS).to_arrow(compat_level=pl.CompatLevel.oldest())

    def ids(of: Job) -> str:
        return "".join(pl.read_parquet(of.file())[QUESTION_ID])

    assert [score_shard(shared, job.to_json()) for job in jobs] == ["[]"] * 3
    for _ in range(2):
        listed = settle(jobs, golden.triplets)
        assert list(map(ids, jobs)) == ["be", "fdca", "g"]
        repeated = listed.filter(pl.col("kind") == "duplicate").select("question_id", "where").sort(pl.all())
        assert repeated["question_id"].to_list() == ["b", "d", "e", "e"]
        assert listed.filter(pl.col("kind").is_in(["unanswered", "pipeline error"])).is_empty()
        assert all(job.is_done() for job in jobs)

    listed = settle(jobs[1:], golden.triplets)
    assert list(map(ids, jobs[1:])) == ["fedcba", "g"]
    listed = settle(jobs[2:], golden.triplets)
    missing = listed.filter(pl.col("kind").is_in(["unanswered", "pipeline error"]))
    assert sorted(missing.select("kind", "question_id").rows()) == [
        ("pipeline error", "e"),
        *(("unanswered", question) for question in "abcdf"),
    ]
