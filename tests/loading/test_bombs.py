"""Small files that would fill the machine, and lists without end: each is refused with a sentence, and soon."""

import json
from collections.abc import Callable

import pytest

from qaviz.loading import Source
from qaviz.loading.formats import cells, read_batches
from qaviz.loading.formats.cells import COLUMN_LIMIT
from qaviz.loading.load import load_golden, silent
from qaviz.model.errors import QavizError
from tests.loading.files import GOLDEN_FILE, problems, upload

pytestmark = pytest.mark.slow


MANY_COLUMNS = ",".join(f"c{number}" for number in range(COLUMN_LIMIT + 1))
MANY_KEYS = "{" + ",".join(f'"c{number}": 1' for number in range(COLUMN_LIMIT + 1)) + "}"
TOO_MANY = f"{COLUMN_LIMIT + 1:,} columns; expected at most {COLUMN_LIMIT:,}"

BOMBS: dict[str, tuple[Callable[[], Source], str]] = {
    "CSV of nothing but commas": (
        lambda: upload("g.csv", b"," * 5_000_000),
        "a first line of more than 4,000,000 characters",
    ),
    "CSV with very many columns": (lambda: upload("g.csv", MANY_COLUMNS + "\n"), TOO_MANY),
    "JSON Lines with very many keys": (lambda: upload("g.jsonl", MANY_KEYS), TOO_MANY),
    "a JSON list with very many keys": (lambda: upload("g.json", f"[{MANY_KEYS}]"), TOO_MANY),
    "a JSON document with very many keys in its list": (
        lambda: upload("g.json", f'{{"rows": [{{"question": "q", "answer": "a"}}, {MANY_KEYS}]}}'),
        f"{COLUMN_LIMIT + 3:,} columns",
    ),
    "JSON Lines with millions of keys": (
        lambda: upload("g.jsonl", "{" + ",".join(f'"c{number}":1' for number in range(3_000_000)) + "}"),
        "3,000,000 keys",
    ),
    "JSON Lines with millions of keys in a cell, behind blanks": (
        lambda: upload("g.jsonl", '{"question": {' + ",".join(f'"{number}"  : 1' for number in range(300_000)) + "}}"),
        "300,001 keys",
    ),
    "a CSV cell without end": (
        lambda: upload("g.csv", 'question,answer\nq,"' + "x\n" * 600_000),
        "a quote that never closes",
    ),
    "a list of a million lists": (
        lambda: upload("g.json", "[" + "[]," * 1_000_000 + "[]]"),
        "something else than an object",
    ),
    "an integer of a million digits": (
        lambda: upload("g.jsonl", '{"question": "q", "answer": ' + "9" * 1_000_000 + "}"),
        'the number Infinity in "answer"',
    ),
}
"""Each is made when its test begins: not by every worker that collects."""


@pytest.mark.parametrize(("source", "found"), BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_refused(source: Callable[[], Source], found: str):
    """What would take gigabytes or minutes to lay out is stopped at a budget, and the budget is said."""
    assert found in problems(source())[0]


@pytest.mark.parametrize(("name", "form", "between"), [("g.jsonl", "%s", "\n"), ("g.json", "[%s]", ",")])
def test_another_key_in_every_object_is_too_many(monkeypatch: pytest.MonkeyPatch, name: str, form: str, between: str):
    """Columns are counted over all lines, or all elements of a list, also where none has many."""
    monkeypatch.setattr(cells, "COLUMN_LIMIT", 2_000)
    objects = between.join(f'{{"question": "q", "answer": "a", "c{n}": 1}}' for n in range(4_000))
    source = upload(name, form % objects)

    with pytest.raises(QavizError, match=r"2,\d+ columns; expected at most 2,000"):
        list(read_batches(source))


@pytest.mark.parametrize("indent", [None, 1])
def test_ids_as_keys_are_no_columns(monkeypatch: pytest.MonkeyPatch, indent: int | None):
    """A document of triplets by their ids has as many as it likes, in one line too."""
    monkeypatch.setattr(cells, "COLUMN_LIMIT", 20)
    by_id = {f"q{n}": {"question": f"Where is {n}?", "answer": f"in {n}"} for n in range(30)}

    assert len(load_golden(upload("g.json", json.dumps(by_id, indent=indent)), silent)[0]) == 30


def test_a_row_of_very_many_cells_is_one_problem():
    """A row of millions of cells among good ones is named by its line, and costs no more than its own bytes."""
    rows = "question_id,A\nq1,x\n" + "," * 3_000_000 + "y\n"

    assert problems(GOLDEN_FILE, upload("r.csv", rows))[0].startswith("r.csv line 3: found a row of 3000001")
