"""What a person reads of a file that cannot be loaded: where, what was found, what was expected, what to do."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from qaviz.loading import Source, load
from qaviz.loading.load_log import PROBLEM_LIMIT
from qaviz.model.errors import QavizError
from tests.loading.files import (
    GOLDEN_FILE,
    RESPONSE,
    TRIPLET,
    facts,
    jsonl,
    load_golden,
    problems,
    refusals,
    upload,
)

LINE = json.dumps(TRIPLET)

CASES = {
    kind: {case["says"]: (upload(case["file"], case["text"]), case["found"]) for case in cases}
    for kind, cases in json.loads(Path(__file__).with_name("bad_files.json").read_text("utf-8")).items()
}
"""Files that are bad and small, by what is wrong with them, and what is said of each."""

BAD_GOLDEN_FILES = {
    **CASES["golden"],
    "binary": (
        upload("g.jsonl", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ["g.jsonl: binary data, or UTF-16 without its mark (a NUL at byte 9)"],
    ),
    "binary without a NUL": (
        upload("g.jsonl", bytes(range(128, 256))),
        ["g.jsonl line 1: bytes that are not UTF-8, from byte 1 of the line"],
    ),
    "UTF-16 cut off within a character": (
        upload("g.jsonl", "é".encode("utf-16") + b"\0"),
        ["g.jsonl: UTF-16 that breaks at byte 5"],
    ),
    "another encoding, in JSON": (
        upload("g.jsonl", f'{LINE}\n{{"question": "кафе"}}\n'.encode("cp1251")),
        ["g.jsonl line 2: bytes that are not UTF-8, from byte 15 of the line"],
    ),
    "another encoding, in CSV": (
        upload("g.csv", "question,answer\nHow many?,é\n".encode() + "café,b\n".encode("latin-1")),
        ["g.csv line 3: bytes that are not UTF-8"],
    ),
    "a cell of 10 MB": (
        jsonl("g.jsonl", TRIPLET | {"answer": "x" * 10_000_000}),
        ['g.jsonl line 1: 10,000,000 characters in "answer"'],
    ),
    "a CSV cell of 10 MB": (
        upload("g.csv", "question,answer\nq," + "x" * 10_000_000 + "\n"),
        ["g.csv line 2: a cell over 1,000,000 characters, or a quote that never closes"],
    ),
    "a NUL in CSV": (
        upload("g.csv", "question,answer\nq,a\n" + "q,a\n" * 20_000 + "q,a\0b\n"),
        ['g.csv line 20003: a NUL character in "answer"'],
    ),
    "lists in lists, which end the fast parser's process": (
        upload("g.jsonl", f'{{"question": "q", "answer": "a", "x": {"[" * 200_000}{"]" * 200_000}}}\n'),
        ["g.jsonl line 1: lists or objects nested too deep"],
    ),
    "a line without end": (upload("g.jsonl", b" " * (65 * 1024**2)), ["g.jsonl line 1: a line without end"]),
}


@pytest.mark.parametrize(("source", "expected"), BAD_GOLDEN_FILES.values(), ids=BAD_GOLDEN_FILES)
def test_a_bad_golden_dataset_is_explained(source: Source, expected: list[str]):
    """Each way a golden dataset can be bad is said with its place and what was found."""
    assert [f"{problem.where}: {problem.found}" for problem in refusals(source)] == expected


NUMBERS = ", ".join(f'"{number}"' for number in range(29))

BAD_RESPONSE_FILES = {
    **CASES["responses"],
    "a column a pipeline, thousands of times": (
        upload("r.csv", "question_id," + ",".join(map(str, range(1001))) + "\nq1" + ",x" * 1001 + "\n"),
        [f'r.csv: the columns "question_id", {NUMBERS} and 972 more'],
    ),
    "a response a pipeline": (
        jsonl("r.jsonl", *(RESPONSE | {"pipeline": f"p{number}"} for number in range(1001))),
        ["r.jsonl: 1,001 different pipelines"],
    ),
}


@pytest.mark.parametrize(("source", "expected"), BAD_RESPONSE_FILES.values(), ids=BAD_RESPONSE_FILES)
def test_a_bad_file_of_responses_is_explained(source: Source, expected: list[str]):
    """Each way a file of responses can be bad is said with its place and what was found."""
    assert [f"{problem.where}: {problem.found}" for problem in refusals(GOLDEN_FILE, source)] == expected


def test_problems_beyond_the_limit_are_counted():
    """A file of broken lines spells out the first ones and says how many more there are."""
    *spelled, rest = refusals(upload("g.jsonl", LINE + "\n" + "{\n" * (PROBLEM_LIMIT + 7)))

    assert len(spelled) == PROBLEM_LIMIT
    assert (rest.where, rest.found) == ("g.jsonl", "7 more problems")


def test_an_upload_over_its_limit_is_refused():
    """An upload over the limit is refused before it is read, with both sizes."""
    source = Source("g.jsonl", b"x" * (3 * 1024**2), limit=2 * 1024**2)

    [problem] = refusals(source)
    assert (problem.where, facts(problem), facts(problem.expected)) == ("g.jsonl", {"3.0"}, {"2"})


def test_a_path_has_no_limit(tmp_path: Path):
    """The limit of uploads does not hold for a file on this machine."""
    path = tmp_path / "g.jsonl"
    path.write_text(LINE)

    assert load_golden(Source(path.name, path, limit=1)).golden.height == 1


@pytest.mark.parametrize(("path", "why"), [("none.jsonl", "No such file or directory"), (".", "Is a directory")])
def test_a_path_that_is_no_file_is_said(tmp_path: Path, path: str, why: str):
    """A path without a file, or to a folder, is a problem, not a stack trace; here the whole path helps."""
    assert problems(Source("g.jsonl", tmp_path / path)) == [
        f"g.jsonl: found no file that can be read ({why}); expected a file. "
        f"Check the path {tmp_path / path} and its permissions."
    ]


def test_a_row_without_id_says_how_to_align_by_the_question():
    """Where one row of a table has no id, the problem has the flag that leaves ids out; with it the table loads."""
    golden = jsonl("g.jsonl", TRIPLET, {"question": "Why?", "answer": "c"})
    responses = jsonl("r.jsonl", {"question": "Why?", "pipeline": "A", "response": "c"})
    with pytest.raises(QavizError) as caught:
        load(golden, [responses])
    assert '--map "question_id="' in str(caught.value)
    mapped = replace(golden, mapping={"question_id": ""})
    assert load(mapped, [responses]).rows["response"].to_list() == ["c"]
