"""Responses that stand in several shards: the first is kept, wherever in a result the later one stands."""

import dataclasses
from pathlib import Path

import polars as pl
import pytest

from qaviz.bulk.shards import Job, hash_together, score_shard, settle
from qaviz.loading import Source
from qaviz.loading.load import open_files
from qaviz.loading.source import find_shards
from qaviz.model.columns import GOLDEN_COLUMNS, PIPELINE, QUESTION_ID
from qaviz.model.records import Thresholds
from tests.builders import write_jsonl

QUESTIONS = "abcdef"
TRIPLETS = [{"question_id": each, "question": f"Where is {each}?", "fact": "Seattle"} for each in QUESTIONS]


def responses(questions: str) -> list[dict[str, str]]:
    return [{"question_id": each, "pipeline": "P", "response": "Seattle."} for each in questions]


@pytest.mark.parametrize("rows_a_group", [1, 2, 4, 6])
def test_repeats_are_taken_out_of_any_part_of_a_result(tmp_path: Path, rows_a_group: int):
    """What an earlier shard has answered goes from the later one's result, from whichever of its row groups; the rest
    stays in its order, and what went is listed."""
    golden = open_files(Source.of(write_jsonl(tmp_path / "golden.jsonl", TRIPLETS)), [], alone=True).merge()
    for name, questions in (("part-0", "be"), ("part-1", QUESTIONS)):
        write_jsonl(tmp_path / f"{name}.jsonl", responses(questions))
    (tmp_path / "out" / "_listed").mkdir(parents=True)
    first = Job(
        shard=find_shards([str(tmp_path / "part-0.jsonl")])[0],
        mapping={},
        golden="golden.jsonl",
        golden_id="0",
        ids_given=True,
        thresholds=Thresholds(),
        columns=[QUESTION_ID, PIPELINE],
        version="0",
        folder=str(tmp_path / "out"),
    )
    jobs = [first, dataclasses.replace(first, shard=find_shards([str(tmp_path / "part-1.jsonl")])[0])]
    shared = golden.triplets.select(GOLDEN_COLUMNS).to_arrow(compat_level=pl.CompatLevel.oldest())
    assert [score_shard(shared, job.to_json()) for job in jobs] == ["[]", "[]"]
    later = jobs[1].result
    pl.read_parquet(later).write_parquet(later, row_group_size=rows_a_group)

    listed = settle(jobs, golden.triplets)

    assert [pl.read_parquet(job.result)[QUESTION_ID].to_list() for job in jobs] == [["b", "e"], ["a", "c", "d", "f"]]
    assert listed.filter(pl.col("kind") == "duplicate")[QUESTION_ID].sort().to_list() == ["b", "e"]
    assert jobs[1].is_done(hash_together(jobs))
