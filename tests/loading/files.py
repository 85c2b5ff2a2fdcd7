"""Files to load, made in a line: as uploads, so that a test needs no folder."""

import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

import polars as pl
import pytest
import xlsxwriter

from qaviz.loading import Chunk, Source, load, preview
from qaviz.loading.doubts import Tally, find_doubts
from qaviz.model.errors import Problem, QavizError

Row = TypeVar("Row")

Q = ("How many people live in Graz?", "When was Graz founded?", "Which river crosses Graz?", "Who leads the city?")
A = ("Graz has 290,000 inhabitants.", "It was named in 1128.", "The Mur crosses Graz.", "Elke Kahr leads the city.")
R = ("About 290,000 people live there.", "It was founded in 1240.", "The Mur.", "I found nothing on the city.")
S = ("290,000.", "In 1128, as far as documents tell.", "The Enns crosses the city.", "The mayor is Elke Kahr.")
"""Questions, golden answers, and responses of two pipelines."""
TRIPLET = {"question_id": "q1", "question": "How many?", "answer": "158 in all", "fact": "158"}
RESPONSE = {"question_id": "q1", "pipeline": "A", "response": "158"}


def upload(name: str, content: str | bytes) -> Source:
    """A file of this name and content; text is UTF-8."""
    return Source(name, content if isinstance(content, bytes) else content.encode())


def jsonl(name: str, *rows: Mapping[str, object]) -> Source:
    """A JSON Lines file with these rows."""
    return upload(name, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


GOLDEN_FILE = jsonl("golden.jsonl", TRIPLET)
RESPONSE_FILE = jsonl("responses.jsonl", RESPONSE)


def load_golden(source: Source) -> Chunk:
    """A golden dataset from a file, beside one response: to the question q1, or else `How many?`."""
    return load(source, [jsonl("responses.jsonl", RESPONSE | {"question": "How many?"})])


def load_responses(*sources: Source) -> Chunk:
    """Responses from files, to the one question there is."""
    return load(GOLDEN_FILE, sources)


def refusals(golden: Source, *responses: Source) -> list[Problem]:
    """The problems of files that cannot be loaded."""
    with pytest.raises(QavizError) as caught:
        load(golden, responses or [RESPONSE_FILE])
    return list(caught.value.problems)


def problems(golden: Source, *responses: Source) -> list[str]:
    """What a person reads of files that cannot be loaded: a sentence a problem."""
    return list(map(str, refusals(golden, *responses)))


def ask(files: Sequence[Source], golden: Source | None = None) -> list[str]:
    """What is asked about the files; nothing where they can be saved."""
    others = [source for source in files if source != golden]
    try:
        loaded = load(golden, others)
    except QavizError as error:
        return list(map(str, error.problems))
    tally = Tally()
    tally.add(loaded)
    return list(map(str, find_doubts(tally, golden, others, preview)))


def facts(said: Problem | str | None) -> set[str]:
    """What a sentence quotes, in quotes, and counts: `{'"fact"', "1,001"}`; of a problem, of what was found."""
    return set(re.findall(r'"[^"]*"|\d[\d,.]*\d|\d', said.found if isinstance(said, Problem) else said or ""))


def entries(loaded: Chunk, kind: str) -> list[tuple[str | None, ...]]:
    """What is listed of one kind: where, question_id, pipeline, detail."""
    return loaded.listed.filter(loaded.listed["kind"] == kind).drop("kind").rows()


def fill_row(row: Row, **texts: Sequence[str]) -> list[Row]:
    """The row once for each text, with the texts in place of `{name}`, and its number in place of `{n}`."""
    given = json.dumps(row)
    filled = []
    for number, values in enumerate(zip(*texts.values(), strict=True)):
        known = {"n": str(number), **dict(zip(texts, values, strict=True))}
        filled.append(json.loads(re.sub(r"\{(\w)\}", lambda match, known=known: known[match[1]], given)))
    return filled


def fill(row: Row) -> list[Row]:
    """The row of each question, with its texts in place of `{q}`, `{a}` (golden), `{r}` and `{s}` (responses)."""
    return fill_row(row, q=Q, a=A, r=R, s=S)


def parquet(name: str, frame: pl.DataFrame, **options: object) -> Source:
    """A Parquet file with this content."""
    file = io.BytesIO()
    frame.write_parquet(file, **options)
    return Source(name, file.getvalue())


def workbook(name: str, sheets: Mapping[str, Sequence[Mapping[str, object]]]) -> Source:
    """An XLSX file with these rows in sheets."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        for title, rows in sheets.items():
            sheet = book.add_worksheet(title)
            sheet.write_row(0, 0, list(rows[0]))
            for number, row in enumerate(rows, 1):
                sheet.write_row(number, 0, list(row.values()))
    return Source(name, file.getvalue())
