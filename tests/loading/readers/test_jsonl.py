"""JSON Lines: whole chunks at once, and line by line where a chunk is odd, with the same outcome."""

import itertools
import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from qaviz.loading import GOLDEN, load, preview
from qaviz.loading.load_log import Problems
from qaviz.loading.readers import jsonl as reader
from qaviz.loading.readers import strict_json
from qaviz.loading.readers.jsonl import CHUNK, samples_of
from qaviz.loading.readers.table import Kind, convert_columns
from qaviz.model.errors import QavizError
from tests.loading.files import TRIPLET, entries, jsonl, load_golden, load_responses, problems, upload

KINDS = {"id": Kind.ID, "text": Kind.TEXT, "number": Kind.NUMBER, "texts": Kind.TEXTS, "flag": Kind.FLAG}

VALUES = (
    '"x"', '""', '"é “q” 😀"', r'"\u00e9\n\t\\\""', r'"\ud83d\ude00"', r'"\ud83d"', r'"\ude00\ud83d"', r'"\u0000"',
    r'"\/"', r'"\x41"', '"a\tb"', "'x'", '"2023-01-01"', '"2023-01-01 00:00:00"', '"1"', "1", "-0", "1.0", "01", "+1",
    ".5", "1.5", "1e5", "1e999", "-1e-400", "12345678901234567890123", "NaN", "Infinity", "true", "tru", "null",
    "[]", '["a"]', '["a", null]', "[1]", "{}", '{"a": 1}', '{"a": 1, "a": 2}', '"',
)  # fmt: skip  # a value a line would be a page of values
RIGHT_VALUES = {
    "id": ('"x"', '"2023-01-01"', '""'),
    "text": ('"é “q” 😀"', r'"\u00e9\n\t\\\""', r'"\ud83d\ude00"', '"1"', "null"),
    "number": ("1", "1.5", "-0", "1e5", "null"),
    "texts": ('["a"]', "[]", '["a", "[{"]', '["a", null]', '["", "b"]', "null"),
    "flag": ("true", "false", "null"),
    "other": ("{}", "[[1]]"),
}
KEYS = (*KINDS, "other", r"\u0074ext", r"o\u0000", "")


def in_braces(cells: list[tuple[str, str]]) -> str:
    return "{" + ", ".join(f'"{key}": {value}' for key, value in cells) + "}"


RIGHT = st.lists(st.sampled_from(list(RIGHT_VALUES)), unique=True).flatmap(
    lambda keys: st.tuples(*(st.tuples(st.just(key), st.sampled_from(RIGHT_VALUES[key])) for key in keys))
)
ANY = st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(VALUES)), max_size=4)
LINES = st.one_of(RIGHT.map(list), RIGHT.map(list), ANY).map(in_braces)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", " ", ""])
CHUNKS = st.lists(st.tuples(LINES, ENDS), min_size=1, max_size=4).map(
    lambda lines: "".join(line + end for line, end in lines).encode()
)


@settings(max_examples=300, deadline=None)
@given(CHUNKS)
def test_the_fast_parser_reads_what_the_strict_one_reads(chunk: bytes):
    """Whatever chunk the fast parser takes, it reads to the same values, keys and problems as the strict one."""
    fast = reader.parse(chunk, 1, KINDS, samples(chunk))
    if fast is None:  # odd: nobody but the strict parser reads it
        return
    fast_problems, strict_problems = Problems("f", "line"), Problems("f", "line")
    frame, keys = strict_json.parse(chunk, 1, KINDS, strict_problems)
    expected = convert_columns(frame, KINDS, strict_problems)
    read = convert_columns(fast[0], KINDS, fast_problems)

    assert messages(fast_problems) == messages(strict_problems)
    if messages(strict_problems):
        return
    assert_frame_equal(filled(read), filled(expected), check_column_order=False, check_exact=True)
    assert fast[1].keys() - KINDS.keys() == keys.keys() - KINDS.keys()


def filled(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns with anything in them: whether a column of nothing is there at all makes no difference."""
    return frame.select(column for column in frame if column.null_count() < frame.height)


def samples(chunk: bytes) -> dict[str, object]:
    rows = []
    for line in chunk.splitlines():
        try:
            rows.append(strict_json.value(line))
        except ValueError:
            continue
    return samples_of([row for row in rows if isinstance(row, dict)])


def messages(problems: Problems) -> list[str]:
    try:
        problems.stop_if_any()
    except QavizError as error:
        return str(error).splitlines()
    return []


PLAIN = [
    b'{"id": "a", "text": "x", "number": 1, "texts": ["y"], "flag": true}\n{"id": "b", "text": null}\n',
    b'{"id": 1, "text": "[{[{"}\r\n{"id": 2, "text": "}\\n{"}',
    b'{"id": "1", "number": "12", "texts": "[]", "flag": "no", "other": {"x": [{"y": null}]}}\n\n',
]


@pytest.mark.parametrize("chunk", PLAIN)
def test_the_fast_parser_takes_plain_files(chunk: bytes):
    """Files as people have them, with ids that are numbers or texts and cells in quotes, are read the fast way."""
    assert reader.parse(chunk, 1, KINDS, samples(chunk)) is not None


SPRAWLING = {
    "another key on every line": '{"id": 1, "key%d": 1}',
    "another key on every line, in an object": '{"id": 1, "other": {"key%d": 1}}',
    "blanks before the colon": '{"id": 1, "key%d"\t  : 1}',
}


@pytest.mark.parametrize("line", SPRAWLING.values(), ids=SPRAWLING)
def test_the_fast_parser_leaves_what_it_would_lay_out_in_gigabytes(line: str):
    """Keys that differ from line to line are the strict parser's, at any depth; the same keys in all lines are not."""
    chunk = "\n".join(line % number for number in range(8_000)).encode()
    alike = "\n".join([line % 1] * 8_000).encode()

    assert reader.parse(chunk, 1, KINDS, {}) is None
    assert reader.parse(alike, 1, KINDS, {"id": 1}) is not None


def test_a_key_that_comes_late_is_read():
    """A word that no line of the header has is still read from a later line; a stranger's key is listed as left out."""
    lines = [json.dumps(TRIPLET | {"question_id": f"q{number}", "fact": None}) for number in range(1500)]
    lines.append(json.dumps(TRIPLET | {"topic": "late", "mood": "late"}))
    loaded = load_golden(upload("g.jsonl", "\n".join(lines[2:])))

    assert loaded.golden["category"].drop_nulls().to_list() == ["late"]
    assert entries(loaded, "ignored column") == [("g.jsonl", None, None, '"mood" is left out')]


def test_lines_are_whole_and_counted_across_chunks():
    """A file of several chunks, odd lines in each, loses no line, cuts none, and counts them through."""
    texts = ["x" * (200 + number % 7) for number in range(3 * CHUNK // 400)]
    lines = [f'{{"question": "{number}", "answer": "{text}"}}' for number, text in enumerate(texts)]
    blank = range(0, len(lines), 30_000)
    for number in blank:
        lines[number] = " "
    loaded = load(upload("g.jsonl", "\n".join(lines)), [upload("r.csv", "question,A\n1,x\n")])
    kept = [number for number in range(len(lines)) if number not in blank]

    assert len("\n".join(lines)) > CHUNK
    assert loaded.golden["question"].to_list() == list(map(str, kept))
    assert loaded.golden["answer"].to_list() == [texts[number] for number in kept]
    assert [where for where, *_ in entries(loaded, "no fact")] == [f"g.jsonl line {number + 1}" for number in kept]


def test_many_pieces_are_read_side_by_side_and_kept_in_order(monkeypatch: pytest.MonkeyPatch):
    """Of a file in many pieces, every tenth line odd, rows keep their order, and so do the lines that will not do."""
    monkeypatch.setattr(reader, "CHUNK", 200)
    lines = [f'{{"question": "{number}", "answer": "a"}}' for number in range(300)]
    odd = [line if number % 10 else f" {line}" for number, line in enumerate(lines)]
    broken = [line if number not in (7, 150, 299) else "{" for number, line in enumerate(odd)]

    response = jsonl("r.jsonl", {"question": "5", "pipeline": "A", "response": "x"})

    loaded = load(upload("g.jsonl", "\n".join(odd)), [response])
    assert loaded.golden["question"].to_list() == list(map(str, range(300)))
    said = problems(upload("g.jsonl", "\n".join(broken)))
    assert [sentence.partition(":")[0] for sentence in said] == [f"g.jsonl line {number}" for number in (8, 151, 300)]


def test_a_line_is_as_long_as_it_has_to_be():
    """A line that is longer than what is read at once, and than the fast parser takes, is read whole."""
    contexts = ["y" * 900_000] * (CHUNK // 900_000 + 2)
    row = {"question_id": "q1", "pipeline": "A", "response": "x", "contexts": contexts}
    loaded = load_responses(upload("r.jsonl", json.dumps(row) + "\n" + json.dumps(row | {"pipeline": "B"})))

    assert loaded.rows["contexts"].to_list() == [contexts, contexts]


def test_types_do_not_depend_on_the_order_of_rows():
    """Ids, numbers and lists that change their JSON type on the way are the same whichever type comes first."""
    rows = [
        {"question_id": 1, "pipeline": "A", "response": "x", "cost": 1, "contexts": ["a"]},
        {"question_id": "1", "pipeline": "B", "response": "x", "cost": "1", "contexts": '["a"]'},
        {"question_id": "1", "pipeline": "C", "response": "x", "cost": 1.0, "contexts": None},
    ]
    golden = jsonl("g.jsonl", TRIPLET | {"question_id": 1})
    expected = load(golden, [jsonl("r.jsonl", *rows)]).rows

    assert expected.select("cost", "contexts").rows() == [(1.0, ["a"]), (1.0, ["a"]), (1.0, None)]
    for order in itertools.permutations(range(3)):
        shuffled = load(golden, [jsonl("r.jsonl", *(rows[place] for place in order))]).rows
        assert_frame_equal(shuffled, expected[list(order)])


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_preview_counts_rows_across_chunks(monkeypatch: pytest.MonkeyPatch, end: str):
    """A preview of a file that is read in many pieces says how many rows it has, however it ends."""
    monkeypatch.setattr(reader, "CHUNK", 200)
    rows = "\n".join(f'{{"question": "q{number}", "answer": "a"}}' for number in range(100))

    assert preview(upload("g.jsonl", rows + end), GOLDEN).rows == 100
