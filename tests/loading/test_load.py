"""Responses that come in chunks: the same rows and the same list however large a chunk is."""

import random
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qaviz.loading import Source, load
from qaviz.loading.load import stream
from qaviz.model.errors import QavizError
from tests.loading.files import GOLDEN_FILE, RESPONSE, jsonl, upload

QUESTIONS = 7_000
ROWS = 5_000
"""Responses that are a chunk here."""
PIPELINES = 4
LISTED_IN_ORDER = ["kind", "where", "question_id", "pipeline", "detail"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 28,000 responses in a JSON Lines file, a Parquet file and a CSV file: many chunks, and much that is odd."""
    folder = tmp_path_factory.mktemp("responses")
    golden = [{"question_id": f"q{n}", "question": f"How many of {n}?", "answer": f"{n}."} for n in range(QUESTIONS)]
    pl.DataFrame(golden).write_ndjson(folder / "golden.jsonl")
    chance = random.Random(5)
    rows = [row for n in range(QUESTIONS * PIPELINES) for row in odd(n, chance)]
    frame = pl.DataFrame(rows, schema={"question_id": pl.String, "pipeline": pl.String, "response": pl.String})
    third = frame.height // 3
    frame[: 2 * third].write_ndjson(folder / "a.jsonl")
    frame[2 * third : -1000].write_parquet(folder / "b.parquet", row_group_size=700)
    frame[-1000:].drop_nulls("response").write_csv(folder / "c.csv")
    return folder


def odd(number: int, chance: random.Random) -> list[Mapping[str, object]]:
    """A response, or none, or a null, a blank, one to no question, or one to a question answered long ago."""
    pipeline, question = divmod(number, QUESTIONS)
    row = {"question_id": f"q{question}", "pipeline": f"P{pipeline}", "response": f"Certainly: {number} of {question}."}
    again = {"question_id": f"q{chance.randrange(question + 1)}"}
    kinds = {0: [], 1: [row | {"response": None}], 2: [row | {"response": " "}], 3: [row | {"question_id": "none"}]}
    kinds |= {4: [row, row | again], 5: [row | again | {"response": None}, row]}
    return kinds.get(chance.randrange(300), [row])


def test_chunks_are_what_loading_at_once_gives(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Rows of many chunks are those of one, in order; so is what is listed, however far apart two of a kind are."""
    golden, *files = (Source.of(folder / name) for name in ("golden.jsonl", "a.jsonl", "b.parquet", "c.csv"))
    module = import_module("qaviz.loading.load")
    monkeypatch.setattr(module, "ROWS_A_CHUNK", ROWS)
    chunks = list(stream(golden, files))
    for limit in ("ROWS_A_CHUNK", "BYTES_A_CHUNK"):
        monkeypatch.setattr(module, limit, 10**12)
    (whole, _) = stream(golden, files)
    at_once = load(golden, files)

    assert len(chunks) >= 3
    assert all(ROWS * 0.9 < chunk.rows.height < ROWS * 2 for chunk in chunks[:-2])
    assert chunks[-1].rows.is_empty()
    assert whole.rows.height == at_once.rows.height > 3 * ROWS
    assert_frame_equal(pl.concat([chunk.rows for chunk in chunks]), at_once.rows)
    listed = pl.concat([chunk.listed for chunk in chunks])
    assert set(at_once.listed["kind"]) == {"unaligned", "duplicate", "unanswered", "empty response", "no fact"}
    assert_frame_equal(listed.sort(LISTED_IN_ORDER), at_once.listed.sort(LISTED_IN_ORDER))


BAD: dict[str, tuple[tuple[Source, ...], set[str]]] = {
    "golden dataset": ((upload("g.jsonl", '{"question_id": 1}\n'), jsonl("r.jsonl", RESPONSE)), {"g.jsonl"}),
    "two files": (
        (GOLDEN_FILE, upload("r.jsonl", '{"question_id": "q1"\n'), upload("s.csv", "question_id,A\nq1\n")),
        {"r.jsonl line 1", "s.csv line 2"},
    ),
    "golden dataset and a file": (
        (upload("g.jsonl", "{"), upload("r.parquet", "PAR1")),
        {"g.jsonl line 1", "r.parquet"},
    ),
}


@pytest.mark.parametrize(("files", "places"), BAD.values(), ids=BAD)
def test_the_problems_of_all_files_are_raised_at_once(files: tuple[Source, ...], places: set[str]):
    """Whatever is wrong, in whichever files, is said in one error, which names each place."""
    golden, *responses = files
    with pytest.raises(QavizError) as found:
        list(stream(golden, responses))
    assert {problem.where for problem in found.value.problems} == places


def test_nothing_follows_a_problem():
    """Rows that still wait for their chunk when a problem is found are not yielded."""
    responses = [jsonl("r.jsonl", RESPONSE), upload("s.jsonl", "{")]
    chunks = stream(GOLDEN_FILE, responses)
    with pytest.raises(QavizError, match=r"s\.jsonl line 1"):
        next(chunks)
