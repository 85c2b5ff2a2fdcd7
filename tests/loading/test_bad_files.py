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

BAD_GOLDEN_FILES = {
    "empty": (upload("g.jsonl", b""), ["g.jsonl: an empty file"]),
    "blank": (upload("g.jsonl", b"\n \n"), ["g.jsonl: no rows"]),
    "only a header": (upload("g.csv", "question,answer\n"), ["g.csv: no rows"]),
    "binary": (
        upload("g.jsonl", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ["g.jsonl: binary data, or UTF-16 without its mark (a NUL at byte 9)"],
    ),
    "binary without a NUL": (
        upload("g.jsonl", bytes(range(128, 256))),
        ["g.jsonl line 1: bytes that are not UTF-8, from byte 1 of the line"],
    ),
    "lines that end in CR alone, in JSON": (
        upload("g.jsonl", f"{LINE}\r{LINE}\r"),
        ["g.jsonl line 1: broken JSON at character 87 (Extra data)"],
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
    "a JSON line cut off": (
        upload("g.jsonl", LINE + '\n{"question_id": "q2", "question": "Wh'),
        ["g.jsonl line 2: broken JSON at character 35 (Unterminated string)"],
    ),
    "a CSV cut off": (
        upload("g.csv", 'question,answer\nq,"ab'),
        ["g.csv line 2: a quote that breaks the row (unexpected end of data)"],
    ),
    "a quote within a CSV cell": (
        upload("g.csv", 'question,answer\nq,"a"b\n'),
        ["g.csv line 2: a quote that breaks the row (',' expected after '\"')"],
    ),
    "CSV rows of the wrong width, before and after a text of two lines": (
        upload("g.csv", 'question,answer\nq1\nq2,"two\nlines"\nq3,a,b\n'),
        ["g.csv line 2: a row of 1", "g.csv line 5: a row of 3"],
    ),
    "no question, no id": (
        jsonl("g.jsonl", TRIPLET, {"question_id": "q2", "answer": "b"}, {"question": "Why?", "answer": "c"}),
        ["g.jsonl line 2: no question", "g.jsonl line 3: no question_id"],
    ),
    "two broken lines": (
        upload("g.jsonl", f'{LINE}\n{{"id"\n{{\n'),
        [
            "g.jsonl line 2: broken JSON at character 6 (Expecting ':' delimiter)",
            "g.jsonl line 3: broken JSON at character 2 (Expecting property name enclosed in double quotes)",
        ],
    ),
    "a title above the names of the columns": (
        upload("g.csv", "Our questions\nquestion,answer\nq,a\n"),
        ["g.csv line 2: a row of 2", "g.csv line 3: a row of 2"],
    ),
    "a text that a line end has cut": (
        upload("g.csv", "question,answer,fact\nq,the first\nline,f\nr,b,f\n"),
        ["g.csv line 2: a row of 2", "g.csv line 3: a row of 2"],
    ),
    "a CSV that breaks off": (upload("g.csv", "question,answer,fact\nq,a,f\nr,b"), ["g.csv line 3: a row of 2"]),
    "a note below the table": (
        upload("g.csv", "question,answer,fact\nq,a,f\n\nAll from 2021,,\n"),
        ["g.csv line 4: a note below the table"],
    ),
    "the names of the columns again": (
        upload("g.csv", "question,answer\nq,a\n\nquestion,answer\nr,b\n"),
        ["g.csv line 4: the header again"],
    ),
    "a column twice": (
        upload("g.csv", "question,answer,answer\n1,2,3\n"),
        ['g.csv line 1: the column "answer" more than once'],
    ),
    "a key twice": (
        upload("g.jsonl", '{"question": "q", "question": "r", "answer": "a"}'),
        ['g.jsonl line 1: the key "question" twice in one object'],
    ),
    "a cell of 10 MB": (
        jsonl("g.jsonl", TRIPLET | {"answer": "x" * 10_000_000}),
        ['g.jsonl line 1: 10,000,000 characters in "answer"'],
    ),
    "a CSV cell of 10 MB": (
        upload("g.csv", "question,answer\nq," + "x" * 10_000_000 + "\n"),
        ["g.csv line 2: a cell over 1,000,000 characters, or a quote that never closes"],
    ),
    "numbers that are none where text belongs": (
        upload("g.jsonl", '{"question": "a", "answer": 42}\n{"question": "c", "answer": NaN}\n'),
        ['g.jsonl line 2: the number NaN in "answer"'],
    ),
    "a flag that is none": (
        upload("g.csv", "question,answer,answerable\nq,a,maybe\n"),
        ['g.csv line 2: "maybe" in "answerable"'],
    ),
    "half a character": (
        upload("g.jsonl", '{"question": "q", "answer": "\\ud800"}'),
        ['g.jsonl line 1: half a character (a lone surrogate) in "answer"'],
    ),
    "half a character in a key": (
        upload("g.jsonl", '{"question": "q", "\\udc00": "a"}'),
        ["g.jsonl line 1: half a character (a lone surrogate) in a key"],
    ),
    "a NUL in a text": (
        upload("g.jsonl", '{"question": "q", "answer": "a\\u0000b"}'),
        ['g.jsonl line 1: a NUL character in "answer"'],
    ),
    "a NUL in CSV": (
        upload("g.csv", "question,answer\nq,a\n" + "q,a\n" * 20_000 + "q,a\0b\n"),
        ['g.csv line 20003: a NUL character in "answer"'],
    ),
    "a NUL in a key": (
        upload("g.jsonl", '{"question": "q", "\\u0000line": "a"}'),
        ["g.jsonl line 1: a NUL character in a key"],
    ),
    "lines that are no objects": (
        upload("g.jsonl", f'{LINE}\n"x"\nnull\n17\n[1]\n'),
        [
            f"g.jsonl line {line}: {found}"
            for line, found in [(2, 'the value "x"'), (3, "the value null"), (4, "the value 17"), (5, "a list")]
        ],
    ),
    "a bare null as the only line, which ends the fast parser's process": (
        upload("g.jsonl", "null\n"),
        ["g.jsonl line 1: the value null"],
    ),
    "lists in lists, which end the fast parser's process": (
        upload("g.jsonl", f'{{"question": "q", "answer": "a", "x": {"[" * 200_000}{"]" * 200_000}}}\n'),
        ["g.jsonl line 1: lists or objects nested too deep"],
    ),
    "a line without end": (upload("g.jsonl", b" " * (65 * 1024**2)), ["g.jsonl line 1: a line without end"]),
    "a suffix nobody reads": (upload("g.pdf", LINE), ['g.pdf: the suffix ".pdf"']),
    "no suffix": (upload("golden", LINE), ["golden: no suffix"]),
    "not Parquet": (
        upload("g.parquet", b"question,answer\n"),
        ["g.parquet: a broken Parquet file (parquet: File out of specification: The file must end with PAR1 or PARE)"],
    ),
    "not XLSX": (
        upload("g.xlsx", b"question,answer\n"),
        ["g.xlsx: a broken workbook, or one of another format (File is not a zip file)"],
    ),
}


@pytest.mark.parametrize(("source", "expected"), BAD_GOLDEN_FILES.values(), ids=BAD_GOLDEN_FILES)
def test_a_bad_golden_dataset_is_explained(source: Source, expected: list[str]):
    """Each way a golden dataset can be bad is said with its place and what was found."""
    assert [f"{problem.where}: {problem.found}" for problem in refusals(source)] == expected


NUMBERS = ", ".join(f'"{number}"' for number in range(29))

BAD_RESPONSE_FILES = {
    "no question": (
        jsonl("r.jsonl", {"pipeline": "A", "response": "x"}),
        ['r.jsonl: the columns "pipeline", "response"'],
    ),
    "no response": (
        jsonl("r.jsonl", {"question_id": "q1", "pipeline": "A"}),
        ['r.jsonl: the columns "question_id", "pipeline"'],
    ),
    "a row without a pipeline": (
        upload("r.csv", "question_id,pipeline,response\nq1,A,x\nq1,,y\n"),
        ["r.csv line 3: a response without a pipeline"],
    ),
    "numbers that are none": (
        upload("r.csv", "question_id,pipeline,response,latency_ms,cost\nq1,A,x,fast,1e999\n"),
        ['r.csv line 2: "fast" in "latency_ms"', 'r.csv line 2: "1e999" in "cost"'],
    ),
    "numbers without end, in JSON": (
        upload("r.jsonl", '{"question_id": "q1", "pipeline": "A", "response": "x", "cost": 1e999}\n'),
        ['r.jsonl line 1: the number Infinity in "cost"'],
    ),
    "a NUL in a context": (
        upload("r.jsonl", '{"question_id": "q1", "pipeline": "A", "response": "x", "contexts": ["a", "\\u0000"]}\n'),
        ['r.jsonl line 1: a NUL character in "contexts"'],
    ),
    "responses to something else": (
        jsonl("r.jsonl", RESPONSE | {"question_id": "other"}),
        ["r.jsonl: no response to any question of the golden dataset"],
    ),
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
