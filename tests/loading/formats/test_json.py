"""JSON Lines and documents: cells as they are written, and every line where it stands."""

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qaviz.loading import formats
from qaviz.loading.formats import read_batches
from qaviz.loading.formats.cells import FIRST_ROWS
from qaviz.model.errors import QavizError
from tests.loading.files import TRIPLET, jsonl, load_golden, upload

WRITTEN = ["1.50", "1.5", "1e5", "1E-7", "-0.0", "12345678901234567890123", "0.1000", "7", "true", "[1.50,2]"]


@pytest.mark.parametrize("number", WRITTEN)
@pytest.mark.parametrize(
    "form", ['{"a":%s}', '[{"a": %s}]', '{\n"a": %s,\n"b": "x"}'], ids=["line", "list", "document"]
)
def test_a_number_is_as_it_is_written(number: str, form: str):
    """1.50 is another text than 1.5, in a line and in a document, and inside lists."""
    (batch,) = read_batches(upload("g.json", form % number))

    assert batch.frame["a"].to_list() == [number]


def test_lists_and_objects_are_the_same_in_lines_and_documents():
    """A row gives the same cells and records as a line, in a list, and in Parquet."""
    rows = [{"q": "a", "l": ["x", {"p": 2}], "o": {"k": None}}, {"q": None, "l": None, "o": None}]
    (lines,) = read_batches(jsonl("g.jsonl", *rows))
    (listed,) = read_batches(upload("g.json", json.dumps(rows)))

    assert_frame_equal(lines.frame, listed.frame)
    assert [record for _, record in lines.records] == [record for _, record in listed.records] == rows
    assert lines.frame["l"][0] == '["x",{"p":2}]'


def test_the_first_batch_comes_before_the_rest_is_read():
    """A first look at a file takes its first rows: what is broken further down is not met."""
    rows = "".join(f'{{"question": "{number}"}}\n' for number in range(FIRST_ROWS + 5))
    batches = read_batches(upload("g.jsonl", rows + "{\n"))

    assert len(next(batches).records) == FIRST_ROWS
    assert len(next(batches).records) == 5
    with pytest.raises(QavizError, match=f"line {FIRST_ROWS + 6}: found broken JSON"):
        next(batches)


def test_a_key_that_comes_late_is_read():
    """A word that no first line has is still read from a later line."""
    lines = [json.dumps(TRIPLET | {"question_id": f"q{number}", "question": f"{number}?"}) for number in range(1500)]
    lines.append(json.dumps(TRIPLET | {"topic": "late"}))
    loaded = load_golden(upload("g.jsonl", "\n".join(lines[2:])))

    assert loaded.golden["category"].drop_nulls().to_list() == ["late"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_counted_through(monkeypatch: pytest.MonkeyPatch, end: str):
    """A file that is read in many batches loses no line, and counts them through, blank ones too."""
    monkeypatch.setattr(formats, "ROWS_AT_ONCE", 50)
    lines = [f'{{"question": "{number}", "answer": "{"x" * (number % 70)}"}}' for number in range(3_000)]
    blank = range(0, len(lines), 70)
    for number in blank:
        lines[number] = " "
    batches = list(read_batches(upload("g.jsonl", end.join(lines))))

    kept = [number for number in range(len(lines)) if number not in blank]
    assert [line - 1 for batch in batches for line, _ in batch.records] == kept
    read = pl.concat(batch.frame for batch in batches)
    assert read["answer"].to_list() == ["x" * (number % 70) for number in kept]
