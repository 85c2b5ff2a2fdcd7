"""Parquet: types that will do, files that decode to more than a machine has, and damaged ones."""

import contextlib
import io
from dataclasses import replace
from functools import partial
from random import Random

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from qaviz.loading import Source, load, stream
from qaviz.loading.formats import parquet as parquet_files
from qaviz.loading.formats import read_batches
from qaviz.loading.formats.cells import FIRST_ROWS
from qaviz.model.errors import QavizError
from tests.loading.files import GOLDEN_FILE, entries, facts, jsonl, load_golden, refusals, upload
from tests.loading.files import parquet as parquet_named

parquet = partial(parquet_named, "g.parquet")


def test_bytes_are_no_text():
    """Bytes where text belongs are a problem with their row."""
    [problem] = refusals(parquet(pl.DataFrame({"question": ["How many?"], "answer": [b"a"]})))
    assert (problem.where, problem.found, problem.expected) == ("g.parquet row 1", 'bytes in "answer"', "text")


NUMBERS = {
    "whole": (pl.Series("A", [158, None]), ["158"]),
    "halves": (pl.Series("A", [2.5, float("nan")]), ["2.5"]),
    "flags": (pl.Series("A", [True, None]), ["true"]),
}


@pytest.mark.parametrize("form", ["wide", "long"])
@pytest.mark.parametrize(("cells", "read"), NUMBERS.values(), ids=NUMBERS)
def test_numbers_are_read_as_text(cells: pl.Series, read: list[str], form: str):
    """A number, or true and false, where a response belongs is its text; null and NaN are missing."""
    golden = jsonl("g.jsonl", *({"question": q, "answer": "158"} for q in ("How many?", "Who?")))
    name = "A" if form == "wide" else "response"
    frame = pl.DataFrame([pl.Series("question", ["How many?", "Who?"]), cells.alias(name)])
    loaded = load(golden, [replace(parquet(frame), mapping={name: "response"} if form == "wide" else {})])

    assert loaded.rows["response"].to_list() == read


def test_columns_that_nobody_reads_may_have_any_type():
    """A column of structs or bytes that is no word of ours is listed and left alone."""
    frame = pl.DataFrame({"question": ["How many?"], "answer": ["a"], "raw": [{"x": [1]}], "bytes": [b"\xff"]})
    loaded = load_golden(parquet(frame))

    assert '"raw.x" is left out' in [detail for *_, detail in entries(loaded, "ignored column")]


def test_a_file_without_rows_is_said():
    """A Parquet file with columns and no rows is a problem of its own."""
    [problem] = refusals(parquet(pl.DataFrame(schema={"question": pl.String, "answer": pl.String})))
    assert (problem.where, problem.found) == ("g.parquet", "no rows")


@pytest.mark.parametrize("name", ["golden_answers", "answer"])
def test_a_list_of_golden_answers_is_variants(name: str):
    """A column of lists of texts is golden answers with variants; columns of bytes and dates beside it are not in the
    way."""
    days = pl.Series("day", ["2023-06-30", None]).str.to_date()
    questions = {"question": ["Who?", "When did they come?"], name: [[], ["911", "in 911"]], "image": [b"\xff", None]}
    loaded = load(parquet(pl.DataFrame(questions).with_columns(days)), [upload("r.csv", "question,A\nWho?,911\n")])
    assert loaded.golden["answer"].to_list() == [None, "911<OR>in 911"]


def written(table: pa.Table, **options: object) -> Source:
    """A table as a file of Parquet."""
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return upload("g.parquet", file.getvalue())


def test_a_nested_bomb_is_refused():
    """Spans that decode to gigabytes, from a file of some kilobytes, are refused before they are rows."""
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 2_500, pa.int32()), ["x" * 1_000_000])
    spans = pa.StructArray.from_arrays([pa.ListArray.from_arrays(pa.array(range(2_501), pa.int32()), long)], ["text"])
    source = written(pa.table({"question": ["Who?"] * 2_500, "answers": spans}), compression="zstd")
    assert len(source.data) < 100_000
    with pytest.raises(QavizError, match=r"g\.parquet: found texts of 2.3 GB once decoded"):
        load(source, [])


def bomb(*, store_schema: bool) -> Source:
    """A file of some kilobytes that decodes to 10 GB: one text of a million characters, ten thousand times."""
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 10_000, pa.int32()), ["x" * 1_000_000])
    return written(pa.table({"question": texts, "answer": texts}), compression="zstd", store_schema=store_schema)


@pytest.mark.parametrize("store_schema", [True, False], ids=["categories", "texts"])
def test_a_file_that_decodes_to_too_much_is_refused(store_schema: bool):
    """A file that repeats a long text thousands of times is refused by what it decodes to, whatever it declares."""
    source = bomb(store_schema=store_schema)

    assert len(source.data) < 100_000
    [problem] = refusals(source)
    assert (problem.where, facts(problem), facts(problem.expected)) == ("g.parquet", {"18.6"}, {"2.0"})


def test_row_groups_that_decode_to_too_much_together_are_refused(monkeypatch: pytest.MonkeyPatch):
    """A file of some kilobytes whose row groups each fit the budget is refused once all that was decoded is hundreds of
    times its size."""
    monkeypatch.setattr(parquet_files, "DECODED_LIMIT", 15_000_000)
    file = io.BytesIO()
    group = pa.table({"question_id": ["q1"] * 10, "A": pa.array(["x" * 1_000_000] * 10).dictionary_encode()})
    with pq.ParquetWriter(file, group.schema, compression="zstd") as writer:
        for _ in range(2):
            writer.write_table(group)
    source = upload("r.parquet", file.getvalue())

    assert len(source.data) < 20_000
    with pytest.raises(QavizError, match=r"r\.parquet: found texts of 0.0 GB once decoded"):
        list(stream(GOLDEN_FILE, [source]))


def test_a_file_that_declares_too_much_is_refused():
    """A file of less than a megabyte with more rows than memory has room for is refused before it is decoded."""
    nulls = pa.nulls(140_000_000)
    [problem] = refusals(written(pa.table({"question": nulls, "answer": nulls}), row_group_size=len(nulls)))
    assert (problem.where, facts(problem), facts(problem.expected)) == ("g.parquet", {"4.2"}, {"2.0"})


def test_the_first_batch_decodes_little():
    """The first rows of a file that would be refused further on come, with how many the file declares."""
    big = pl.DataFrame({"question": [str(number) for number in range(FIRST_ROWS + 2)]})
    first, second = read_batches(parquet(big))

    assert (first.frame.height, second.frame["\0line"].to_list()) == (FIRST_ROWS, [FIRST_ROWS + 1, FIRST_ROWS + 2])
    assert first.rows == FIRST_ROWS + 2


def test_any_type_is_spelled():
    """Structs, lists, dates and numbers are text as JSON has them, and values in records; bytes are left out."""
    day = pl.Series(["2023-06-30"]).str.to_date()
    frame = pl.DataFrame({"a": [1.5e-05], "b": [[1, None]], "c": [{"x": "y"}], "d": [b"z"], "e": [None], "f": [True]})
    (batch,) = read_batches(parquet(frame.with_columns(g=pl.lit(0.1, pl.Float32), h=day, i=day.implode())))

    texts = ("0.000015", "[1,null]", '{"x":"y"}', None, None, "true", "0.1", "2023-06-30", '["2023-06-30"]')
    assert batch.frame.drop("\0line").rows() == [texts]
    assert batch.records[0][1]["c"] == {"x": "y"}


def test_a_name_that_looks_like_a_pattern_is_a_name(tmp_path):
    """A path with `*` or `[` is that file alone."""
    path = tmp_path / "g[1]*.parquet"
    path.write_bytes(parquet(pl.DataFrame({"question": ["How many?"], "answer": ["a"]})).data)
    (tmp_path / "g1x.parquet").write_bytes(b"")

    assert load_golden(Source.of(path)).golden.height == 1


WHOLE = parquet(
    pl.DataFrame({"question": [f"How many of {number}?" for number in range(300)], "answer": ["a", None, "ß"] * 100}),
    row_group_size=100,
)


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_is_a_problem_not_a_crash(seed: int):
    """Wherever bytes of a Parquet file are damaged or missing, it loads or a person is told; nothing else is raised."""
    assert isinstance(WHOLE.data, bytes)
    random = Random(seed)
    data = bytearray(WHOLE.data)
    for _ in range(random.choice((1, 5))):
        data[-random.randrange(1, random.choice((len(data), 900)))] ^= 1 << random.randrange(8)
    with contextlib.suppress(QavizError):
        load(upload("g.parquet", bytes(data[: random.choice((len(data), random.randrange(len(data))))])), [RESPONSES])


RESPONSES = upload("r.csv", "question,A\nHow many of 7?,x\n")
