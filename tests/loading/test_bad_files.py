"""What a person reads of a file that cannot be loaded: where, what was found, what was expected, what to do."""

import json
from pathlib import Path

import pytest

from qaviz.loading import Source
from qaviz.loading.load_log import PROBLEM_LIMIT
from tests.loading.files import (
    GOLDEN_FILE,
    RESPONSE,
    RESPONSE_FILE,
    TRIPLET,
    facts,
    jsonl,
    load_golden,
    problems,
    refusals,
    upload,
)

LINE = json.dumps(TRIPLET)
SUFFIXES = ".jsonl, .ndjson, .json, .csv, .tsv, .parquet, .xlsx"

BAD_GOLDEN_FILES = {
    "empty": (
        upload("g.jsonl", b""),
        ["g.jsonl: found an empty file; expected rows. Export it again."],
    ),
    "blank": (
        upload("g.jsonl", b"\n \n"),
        ["g.jsonl: found no rows; expected at least one. Fill it in, or export it again."],
    ),
    "only a header": (
        upload("g.csv", "question,answer\n"),
        ["g.csv: found no rows; expected at least one. Fill it in, or export it again."],
    ),
    "binary": (
        upload("g.jsonl", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        [
            "g.jsonl: found binary data (a NUL at byte 9); expected text, as the suffix .jsonl says. "
            "Check the suffix, or export the file again."
        ],
    ),
    "binary without a NUL": (
        upload("g.jsonl", bytes(range(128, 256))),
        [
            "g.jsonl line 1: found bytes that are not UTF-8, from byte 1 of the line; expected UTF-8 text. "
            "Save the file as UTF-8."
        ],
    ),
    "UTF-16 without a byte order mark": (
        upload("g.jsonl", ("Сколько жителей в городе? " * 9 + LINE).encode("utf-16-le")),
        [
            "g.jsonl: found what looks like UTF-16 without a byte order mark; expected text, as the suffix .jsonl "
            "says. Save the file as UTF-8."
        ],
    ),
    "UTF-16 cut off within a character": (
        upload("g.jsonl", "é".encode("utf-16") + b"\0"),
        ["g.jsonl: found UTF-16 that breaks at byte 5; expected whole characters. Save the file as UTF-8."],
    ),
    "another encoding, in JSON": (
        upload("g.jsonl", f'{LINE}\n{{"question": "café"}}\n'.encode("latin-1")),
        [
            "g.jsonl line 2: found bytes that are not UTF-8, from byte 18 of the line; expected UTF-8 text. "
            "Save the file as UTF-8."
        ],
    ),
    "another encoding, in CSV": (
        upload("g.csv", "question,answer\nq,a\ncafé,b\n".encode("latin-1")),
        ["g.csv line 3: found bytes that are not UTF-8; expected UTF-8 text. Save the file as UTF-8."],
    ),
    "a JSON line cut off": (
        upload("g.jsonl", LINE + '\n{"question_id": "q2", "question": "Wh'),
        [
            "g.jsonl line 2: found broken JSON at character 35 (Unterminated string); "
            "expected one JSON object. The line may be cut off: export the file again."
        ],
    ),
    "a CSV cut off": (
        upload("g.csv", 'question,answer\nq,"ab'),
        [
            "g.csv line 2: found a quote that breaks the row (unexpected end of data); expected quotes in pairs. "
            'Write a quote within a text as "".'
        ],
    ),
    "a quote within a CSV cell": (
        upload("g.csv", 'question,answer\nq,"a"b\n'),
        [
            "g.csv line 2: found a quote that breaks the row (',' expected after '\"'); expected quotes in pairs. "
            'Write a quote within a text as "".'
        ],
    ),
    "CSV rows of the wrong width, before and after a text of two lines": (
        upload("g.csv", 'question,answer\nq1\nq2,"two\nlines"\nq3,a,b\n'),
        [
            "g.csv line 2: found a row of 1; expected a row of 2 cells, as the first line has. "
            "Put texts that hold a delimiter or a line end in quotes.",
            "g.csv line 5: found a row of 3; expected a row of 2 cells, as the first line has. "
            "Put texts that hold a delimiter or a line end in quotes.",
        ],
    ),
    "the same id for different triplets": (
        jsonl("g.jsonl", TRIPLET, TRIPLET | {"question": "How much?"}),
        [
            'g.jsonl line 2: found the question_id "q1" again, with another triplet; expected each id once. '
            "Give the triplet a unique id, or remove it."
        ],
    ),
    "no question, no id": (
        jsonl("g.jsonl", TRIPLET, {"question_id": "q2", "answer": "b"}, {"question": "Why?", "answer": "c"}),
        [
            "g.jsonl line 2: found no question; expected one in each row. Fill it in or remove the row.",
            "g.jsonl line 3: found no question_id; expected one in each row. Fill it in or remove the row.",
        ],
    ),
    "missing columns and a broken line": (
        upload("g.jsonl", '{"id": "1", "text": "x"}\n{"id"\n'),
        [
            'g.jsonl: found the columns "id", "text"; expected a column "question". Rename the column, or map it.',
            'g.jsonl: found the columns "id", "text"; expected a column "answer" or "fact". '
            "Rename the column, or map it.",
            "g.jsonl line 2: found broken JSON at character 6 (Expecting ':' delimiter); expected one JSON object. "
            "The line may be cut off: export the file again.",
        ],
    ),
    "a column twice": (
        upload("g.csv", "question,answer,answer\n1,2,3\n"),
        ['g.csv line 1: found the column "answer" more than once; expected each column once. Rename one of them.'],
    ),
    "a key twice": (
        upload("g.jsonl", '{"question": "q", "question": "r", "answer": "a"}'),
        ['g.jsonl line 1: found the key "question" twice in one object; expected one JSON object. Correct the line.'],
    ),
    "a cell of 10 MB": (
        jsonl("g.jsonl", TRIPLET | {"answer": "x" * 10_000_000}),
        [
            'g.jsonl line 1: found 10,000,000 characters in "answer"; expected at most 1,000,000 in a cell. '
            "Shorten the text or remove the row."
        ],
    ),
    "a CSV cell of 10 MB": (
        upload("g.csv", "question,answer\nq," + "x" * 10_000_000 + "\n"),
        [
            "g.csv line 2: found a cell over 1,000,000 characters, or a quote that never closes; "
            'expected quotes in pairs. Write a quote within a text as "".'
        ],
    ),
    "JSON values where text belongs": (
        upload(
            "g.jsonl",
            '{"question": "a", "answer": 42}\n{"question": "b", "answer": "x"}\n{"question": "c", "answer": NaN}\n'
            '{"question": "d", "answer": ["x"]}\n{"question": true, "answer": {"x": 1}}\n',
        ),
        [
            'g.jsonl line 3: found the number NaN in "answer"; expected text. Write "NaN" in quotes.',
            'g.jsonl line 4: found a list in "answer"; expected text. Write one text; join variants by "<OR>".',
            'g.jsonl line 5: found an object in "answer"; expected text. Correct the line.',
        ],
    ),
    "a flag that is none": (
        upload("g.csv", "question,answer,answerable\nq,a,maybe\n"),
        ['g.csv line 2: found "maybe" in "answerable"; expected true or false. Correct the cell, or leave it empty.'],
    ),
    "half a character": (
        upload("g.jsonl", '{"question": "q", "answer": "\\ud800"}'),
        [
            'g.jsonl line 1: found half a character (a lone surrogate) in "answer"; expected whole characters. '
            "Remove it."
        ],
    ),
    "half a character in a key": (
        upload("g.jsonl", '{"question": "q", "\\udc00": "a"}'),
        [
            "g.jsonl line 1: found half a character (a lone surrogate) in a key; expected one JSON object. "
            "Correct the line."
        ],
    ),
    "a NUL in a text": (
        upload("g.jsonl", '{"question": "q", "answer": "a\\u0000b"}'),
        ['g.jsonl line 1: found a NUL character in "answer"; expected text. Remove the character.'],
    ),
    "a NUL in CSV": (
        upload("g.csv", "question,answer\nq,a\n" + "q,a\n" * 20_000 + "q,a\0b\n"),
        ['g.csv line 20003: found a NUL character in "answer"; expected text. Remove the character.'],
    ),
    "a NUL in a key": (
        upload("g.jsonl", '{"question": "q", "\\u0000line": "a"}'),
        ["g.jsonl line 1: found a NUL character in a key; expected one JSON object. Correct the line."],
    ),
    "lines that are no objects": (
        upload("g.jsonl", f'{LINE}\n"x"\nnull\n17\n[1]\n'),
        [
            f'g.jsonl line {line}: found {found}; expected one JSON object. Write the line as {{"question": ..., ...}}.'
            for line, found in [(2, 'the text "x"'), (3, "the value null"), (4, "the number 17"), (5, "a list")]
        ],
    ),
    "a bare null as the only line, which ends the fast parser's process": (
        upload("g.jsonl", "null\n"),
        ['g.jsonl line 1: found the value null; expected one JSON object. Write the line as {"question": ..., ...}.'],
    ),
    "lists in lists, which end the fast parser's process": (
        upload("g.jsonl", f'{{"question": "q", "answer": "a", "x": {"[" * 200_000}{"]" * 200_000}}}\n'),
        ["g.jsonl line 1: found lists or objects nested too deep; expected one JSON object. Correct the line."],
    ),
    "a line without end": (
        upload("g.jsonl", b" " * (65 * 1024**2)),
        ["g.jsonl line 1: found a line without end; expected at most 64 MB in a line. Write one object a line."],
    ),
    "a suffix nobody reads": (
        upload("g.pdf", LINE),
        [f'g.pdf: found the suffix ".pdf"; expected one of {SUFFIXES}. Save it in one of these formats.'],
    ),
    "no suffix": (
        upload("golden", LINE),
        [f"golden: found no suffix; expected one of {SUFFIXES}. Save it in one of these formats."],
    ),
    "not Parquet": (
        upload("g.parquet", b"question,answer\n"),
        [
            "g.parquet: found a broken Parquet file (Parquet magic bytes not found in footer. "
            "Either the file is corrupted or this is not a parquet file.); expected a whole Parquet file. "
            "Export it again."
        ],
    ),
    "not XLSX": (
        upload("g.xlsx", b"question,answer\n"),
        [
            "g.xlsx: found a broken workbook, or one of another format (File is not a zip file); "
            "expected an XLSX workbook. Save it again as XLSX, without a password."
        ],
    ),
}


@pytest.mark.parametrize(("source", "expected"), BAD_GOLDEN_FILES.values(), ids=BAD_GOLDEN_FILES)
def test_a_bad_golden_dataset_is_explained(source: Source, expected: list[str]):
    """Each way a golden dataset can be bad is said with its place, what was found and expected, and what to do."""
    assert problems(source) == expected


NUMBERS = ", ".join(f'"{number}"' for number in range(29))

BAD_RESPONSE_FILES = {
    "no question": (
        jsonl("r.jsonl", {"pipeline": "A", "response": "x"}),
        [
            'r.jsonl: found the columns "pipeline", "response"; expected a column "question_id" or "question". '
            "Rename the column, or map it."
        ],
    ),
    "no response": (
        jsonl("r.jsonl", {"question_id": "q1", "pipeline": "A"}),
        [
            'r.jsonl: found the columns "question_id", "pipeline"; expected a column "response", '
            "or a column for each pipeline. Rename the column, or map it."
        ],
    ),
    "a row without a pipeline": (
        upload("r.csv", "question_id,pipeline,response\nq1,A,x\nq1,,y\n"),
        [
            "r.csv line 3: found a response without a pipeline; expected the pipeline that gave it. "
            "Fill in the cell, or remove the column to have the pipeline named after the file."
        ],
    ),
    "numbers that are none": (
        upload("r.csv", "question_id,pipeline,response,latency_ms,cost\nq1,A,x,fast,1e999\n"),
        [
            'r.csv line 2: found "fast" in "latency_ms"; expected a number. Correct the cell, or leave it empty.',
            'r.csv line 2: found "1e999" in "cost"; expected a number. Correct the cell, or leave it empty.',
        ],
    ),
    "numbers without end, in JSON": (
        upload("r.jsonl", '{"question_id": "q1", "pipeline": "A", "response": "x", "cost": 1e999}\n'),
        ['r.jsonl line 1: found "Infinity" in "cost"; expected a number. Correct the cell, or leave it empty.'],
    ),
    "a NUL in a context": (
        upload("r.jsonl", '{"question_id": "q1", "pipeline": "A", "response": "x", "contexts": ["a", "\\u0000"]}\n'),
        ['r.jsonl line 1: found a NUL character in "contexts"; expected text. Remove the character.'],
    ),
    "responses to something else": (
        jsonl("r.jsonl", RESPONSE | {"question_id": "other"}),
        [
            "r.jsonl: found no response to any question of the golden dataset; "
            "expected question_id or question as in golden.jsonl. "
            "Check that the files belong together and that the right columns are mapped."
        ],
    ),
    "a column a pipeline, thousands of times": (
        upload("r.csv", "question_id," + ",".join(map(str, range(1001))) + "\nq1" + ",x" * 1001 + "\n"),
        [
            f'r.csv: found the columns "question_id", {NUMBERS} and 972 more; '
            'expected a column "response", or at most 1,000 columns that are pipelines. Rename the column, or map it.'
        ],
    ),
    "a response a pipeline": (
        jsonl("r.jsonl", *(RESPONSE | {"pipeline": f"p{number}"} for number in range(1001))),
        [
            "r.jsonl: found 1,001 different pipelines; expected at most 1,000. "
            "Map the column that names the pipeline; each of its repeats counts as one."
        ],
    ),
}


@pytest.mark.parametrize(("source", "expected"), BAD_RESPONSE_FILES.values(), ids=BAD_RESPONSE_FILES)
def test_a_bad_file_of_responses_is_explained(source: Source, expected: list[str]):
    """Each way a file of responses can be bad is said with its place, what was found and expected, and what to do."""
    assert problems(GOLDEN_FILE, source) == expected


def test_problems_of_all_files_are_said_at_once():
    """A person reads the problems of the golden dataset and of each file of responses in one go."""
    said = problems(upload("g.jsonl", b""), RESPONSE_FILE, upload("r.csv", b""), upload("s.pdf", b"x"))

    assert [line.partition(":")[0] for line in said] == ["g.jsonl", "r.csv", "s.pdf"]


def test_problems_beyond_the_limit_are_counted():
    """A file of broken lines spells out the first ones and says how many more there are."""
    *spelled, rest = refusals(upload("g.jsonl", LINE + "\n" + "{\n" * (PROBLEM_LIMIT + 7)))

    assert len(spelled) == PROBLEM_LIMIT
    assert (rest.where, rest.found) == ("g.jsonl", "7 more problems")


def test_bad_cells_beyond_the_limit_are_counted():
    """A column of bad cells spells out the first ones and says how many more there are."""
    rows = "question,answer,answerable\n" + "q,a,perhaps\n" * (PROBLEM_LIMIT + 1)

    *spelled, rest = refusals(upload("g.csv", rows))
    assert len(spelled) == PROBLEM_LIMIT
    assert (rest.where, rest.found) == ("g.csv", "1 more problem")


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
