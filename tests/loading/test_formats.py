"""The same rows come out of every format, encoding and form, with every text as it is in the file."""

import codecs
import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence

import polars as pl
import pytest
import xlsxwriter
from polars.testing import assert_frame_equal

from qaviz.loading import load
from qaviz.model import columns as c
from tests.loading.files import entries, load_responses, upload

Rows = Sequence[Mapping[str, str | None]]

TEXTS = ("NA", "null", "None", "1e999", "-3.2", "007", "true", "=1+1", " blank around ", "“curly” é 😀 tỷ", 'a "quote"')
"""Texts that readers like to turn into something else."""

TRIPLETS = [{c.QUESTION_ID: f"q{place}", c.QUESTION: f"{text}?", c.ANSWER: text} for place, text in enumerate(TEXTS)]
TRIPLETS.append({c.QUESTION_ID: "last", c.QUESTION: "two\nlines, one; cell\tonly", c.ANSWER: None})


def as_json(rows: Rows) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def as_csv(rows: Rows, delimiter: str = ",", line_end: str = "\n") -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator=line_end)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def as_parquet(rows: Rows) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(rows).write_parquet(file)
    return file.getvalue()


def as_categories(rows: Rows) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(rows).cast(pl.Categorical).write_parquet(file, row_group_size=5)
    return file.getvalue()


def as_xlsx(rows: Rows, first_sheet: str = "Sheet1") -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"strings_to_formulas": False, "in_memory": True}) as book:
        sheet = book.add_worksheet(first_sheet)
        for column, name in enumerate(rows[0]):
            sheet.write_string(0, column, name)
            for row, cells in enumerate(rows, 1):
                if cells[name] is not None:
                    sheet.write_string(row, column, cells[name])
    return file.getvalue()


FORMATS: dict[str, tuple[str, Callable[[Rows], bytes]]] = {
    "JSON Lines": ("g.jsonl", as_json),
    "NDJSON with a blank line at the end": ("g.ndjson", lambda rows: as_json(rows) + b"\n\n"),
    "JSON Lines with blank lines between": ("g.json", lambda rows: as_json(rows).replace(b"}\n", b"}\n \n")),
    "JSON Lines, CRLF": ("g.jsonl", lambda rows: as_json(rows).replace(b"\n", b"\r\n")),
    "JSON Lines, UTF-8 with byte order mark": ("g.JSONL", lambda rows: codecs.BOM_UTF8 + as_json(rows)),
    "JSON Lines, UTF-16": ("g.jsonl", lambda rows: as_json(rows).decode().encode("utf-16")),
    "CSV, comma": ("g.csv", as_csv),
    "CSV, semicolon": ("g.csv", lambda rows: as_csv(rows, ";")),
    "CSV, tab": ("g.tsv", lambda rows: as_csv(rows, "\t")),
    "CSV, CRLF": ("g.csv", lambda rows: as_csv(rows, line_end="\r\n")),
    "CSV, CR": ("g.csv", lambda rows: as_csv(rows, line_end="\r")),
    "CSV, UTF-8 with byte order mark": ("g.csv", lambda rows: codecs.BOM_UTF8 + as_csv(rows)),
    "CSV, UTF-16": ("g.csv", lambda rows: codecs.BOM_UTF16_BE + as_csv(rows).decode().encode("utf-16-be")),
    "Parquet": ("g.parquet", as_parquet),
    "Parquet with categories, in row groups": ("g.parquet", as_categories),
    "XLSX": ("g.xlsx", as_xlsx),
}


@pytest.mark.parametrize(("name", "write"), FORMATS.values(), ids=FORMATS)
def test_every_format_gives_the_same_texts(name: str, write: Callable[[Rows], bytes]):
    """Whatever a golden dataset is saved as, its texts come out as they were, and only what is missing is null."""
    loaded = load(upload(name, write(TRIPLETS)), [upload("r.csv", "question_id,A\nq0,x\n")])

    assert_frame_equal(loaded.golden.select(c.QUESTION_ID, c.QUESTION, c.ANSWER), pl.DataFrame(TRIPLETS))


LINES = {
    "JSON Lines": ("g.jsonl", b'{"question": "a", "answer": "b"}\n\n\n{"question": "c"}\n', "g.jsonl line 4"),
    "CSV": ("g.csv", b'question,answer\n"two\nlines",b\n\nc?,\n', "g.csv line 5"),
    "Parquet": (
        "g.parquet",
        as_parquet([{c.QUESTION: "a", c.ANSWER: "b"}, {c.QUESTION: "c", c.ANSWER: None}]),
        "g.parquet row 2",
    ),
    "XLSX": (
        "g.xlsx",
        as_xlsx(
            [{c.QUESTION: "a", c.ANSWER: "b"}, {c.QUESTION: None, c.ANSWER: None}, {c.QUESTION: "c?", c.ANSWER: None}],
            "Data",
        ),
        'g.xlsx sheet "Data" row 4',
    ),
}


@pytest.mark.parametrize(("name", "content", "where"), LINES.values(), ids=LINES)
def test_places_are_those_a_person_finds(name: str, content: bytes, where: str):
    """What is listed of a row names its line in a text editor, or its row in a spreadsheet or Parquet viewer."""
    loaded = load(upload(name, content), [upload("r.csv", 'question,A\na,x\n"two\nlines",y\n')])

    assert [where for where, *_ in entries(loaded, "no answer")] == [where]


def test_ids_may_be_numbers():
    """A whole number in JSON or Parquet is an id like its text, so that files of different makers align."""
    numbers = io.BytesIO()
    pl.DataFrame({c.QUESTION_ID: [7], c.PIPELINE: ["B"], c.RESPONSE: ["y"]}).write_parquet(numbers)
    loaded = load(
        upload("g.jsonl", '{"id": 7, "question": "q", "answer": "a"}\n{"id": "x", "question": "r", "answer": "a"}\n'),
        [upload("a.jsonl", '{"id": 7, "pipeline": "A", "response": "x"}\n'), upload("b.parquet", numbers.getvalue())],
    )

    assert loaded.rows.select(c.QUESTION_ID, c.PIPELINE).rows() == [("7", "A"), ("7", "B")]


MEASURED = [
    {"question_id": "q1", "pipeline": "A", "response": "x", "latency_ms": 12, "cost": 1e-5, "contexts": ["a"]},
    {"question_id": "q1", "pipeline": "B", "response": "y", "latency_ms": None, "cost": None, "contexts": []},
]
AS_TEXT = [
    {"question_id": "q1", "pipeline": "A", "response": "x", "latency_ms": " 12", "cost": "1e-5", "contexts": '["a"]'},
    {"question_id": "q1", "pipeline": "B", "response": "y", "latency_ms": None, "cost": "", "contexts": "[]"},
]
MEASURES = {
    "JSON Lines": ("r.jsonl", as_json(MEASURED)),
    "JSON Lines with numbers and lists in quotes": ("r.jsonl", as_json(AS_TEXT)),
    "CSV": ("r.csv", as_csv(AS_TEXT)),
    "XLSX": ("r.xlsx", as_xlsx(AS_TEXT)),
    "Parquet": ("r.parquet", as_parquet(MEASURED)),
    "Parquet with numbers and lists as text": ("r.parquet", as_parquet(AS_TEXT)),
}


@pytest.mark.parametrize(("name", "content"), MEASURES.values(), ids=MEASURES)
def test_measures_have_their_types(name: str, content: bytes):
    """Latency, cost and contexts come out as numbers and lists of texts from every format, null where missing."""
    loaded = load_responses(upload(name, content))

    assert loaded.rows.select(c.LATENCY_MS, c.COST, c.CONTEXTS).rows() == [(12.0, 1e-05, ["a"]), (None, None, [])]


def test_empty_and_missing_responses_are_told_apart():
    """A null says that there is no response; an empty text, or an empty CSV cell in long form, is an empty response."""
    loaded = load_responses(
        upload("a.jsonl", '{"question_id": "q1", "pipeline": "null", "response": null}\n'),
        upload("b.jsonl", '{"question_id": "q1", "pipeline": "empty", "response": ""}\n'),
        upload("c.csv", "question_id,pipeline,response\nq1,CSV,\n"),
        upload("d.csv", "question_id,gpt-4,llama-3\nq1,,x\n"),
    )

    assert loaded.rows.select(c.PIPELINE, c.RESPONSE).rows() == [("empty", ""), ("CSV", ""), ("llama-3", "x")]
    assert [pipeline for _, _, pipeline, _ in entries(loaded, "empty response")] == ["empty", "CSV"]
    assert [pipeline for _, _, pipeline, _ in entries(loaded, "unanswered")] == ["null", "gpt-4"]
