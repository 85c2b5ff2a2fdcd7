"""What a worker does with one shard, here without a cluster, and what stops shards before one is started."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from qaviz.bulk import shards
from qaviz.bulk.shards import Work, score_shard, score_shards
from qaviz.loading import Source
from qaviz.loading.source import Shard, find_shards
from qaviz.model.columns import GOLDEN_COLUMNS
from qaviz.model.errors import QavizError
from tests.builders import golden_table, write_jsonl

TRIPLET = {"question_id": "a", "question": "Where?", "answer": "It is in Seattle.", "fact": "Seattle"}
RESPONSE = {"question_id": "a", "pipeline": "P", "response": "In Seattle."}
GOLDEN: pa.Table = golden_table([TRIPLET]).select(GOLDEN_COLUMNS).to_arrow(compat_level=pl.CompatLevel.oldest())


def work_to(out: Path) -> Work:
    """What is done with each shard, with results in `out`."""
    (out / "_listed").mkdir(parents=True)
    return Work(
        mapping={},
        golden="golden.jsonl",
        golden_id="0",
        ids_given=True,
        columns=["question_id", "diagnosis", "open"],
        version="0",
        folder=str(out),
    )


def shard_of(file: Path) -> Shard:
    return find_shards([str(file)])[0]


def as_text(shard: Shard) -> str:
    return json.dumps(asdict(shard))


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return work_to(tmp_path / "out")


@pytest.fixture
def shard(tmp_path: Path) -> Shard:
    """A shard of one response."""
    return shard_of(write_jsonl(tmp_path / "part-0.jsonl", [RESPONSE]))


def test_a_shard_is_done_once_its_result_is_there(work: Work, shard: Shard):
    """A shard is done when its worker is, and the result has the columns asked for."""
    assert not work.is_done(shard)
    assert score_shard(work, GOLDEN, as_text(shard)) == "[]"

    assert work.is_done(shard)
    assert pl.read_parquet(work.file(shard)).rows() == [("a", "correct", False)]


CHANGES = {
    "mapping": {"mapping": {"text": "response"}},
    "golden dataset": {"golden_id": "1"},
    "columns": {"columns": ["question_id"]},
    "version": {"version": "1"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_other_work_is_not_done(work: Work, shard: Shard, change: dict[str, object]):
    """A result counts for the very shard, golden dataset and settings that it was made of."""
    score_shard(work, GOLDEN, as_text(shard))

    assert not replace(work, **change).is_done(shard)
    assert not work.is_done(replace(shard, modified=shard.modified + 1))


def test_problems_come_back_and_nothing_stays(tmp_path: Path, work: Work):
    """A shard that cannot be read gives its problems as text, no result, and no unfinished file."""
    broken = tmp_path / "part-0.jsonl"
    broken.write_text('{"question_id": "a", "pipeline": "P", "response": "x"}\n{"question_id"\n', encoding="utf-8")
    problems = json.loads(score_shard(work, GOLDEN, as_text(shard_of(broken))))

    assert [problem["where"] for problem in problems] == [f"{broken} line 2"]
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


def test_shards_of_one_name_have_results_of_their_own(tmp_path: Path, work: Work):
    """Two folders may each hold a `part-0`, and a name may hold what no file name should: results keep apart."""
    for folder in ("a", "b", "=cmd|\n'é"):
        (tmp_path / folder).mkdir()
        write_jsonl(tmp_path / folder / "part 0.jsonl", [RESPONSE])
    names = [work.file(shard).name for shard in find_shards([str(tmp_path)])]

    assert len(set(names)) == 3
    assert all(name.startswith("part_0-") for name in names)


def test_results_of_other_shards_stop_the_work(tmp_path: Path, work: Work, shard: Shard):
    """A folder that holds a result of another shard is refused by that file's name, and stays as it is."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [TRIPLET])
    stranger = Path(work.folder, "part-9-0123456789ab.parquet")
    stranger.write_bytes(b"kept")
    with pytest.raises(QavizError, match=r"part-9-0123456789ab\.parquet, which is no result of these shards"):
        score_shards(Source.of(golden), [shard], Path(work.folder), columns=["question_id"])
    assert stranger.read_bytes() == b"kept"


def test_a_response_in_two_shards_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Of a response that two shards have nobody says which counts; a null in one of them is no response."""
    monkeypatch.setattr(
        shards, "map_shards", lambda work, texts, golden, _: [score_shard(work, golden, text) for text in texts]
    )
    golden = Source.of(write_jsonl(tmp_path / "golden.jsonl", [TRIPLET, TRIPLET | {"question_id": "b"}]))
    rows = [RESPONSE, RESPONSE | {"response": None}, RESPONSE | {"response": "In Graz."}]
    names = [write_jsonl(tmp_path / f"part-{number}.jsonl", [row]) for number, row in enumerate(rows)]
    first, null, second = map(shard_of, names)
    listed = score_shards(golden, [first, null], tmp_path / "out", columns=["question_id", "pipeline"])
    assert listed.select("kind", "question_id").rows() == [("unanswered", "b")]
    with pytest.raises(QavizError, match="a second response of P to a"):
        score_shards(golden, [second, first], tmp_path / "other", columns=["question_id", "pipeline"])
