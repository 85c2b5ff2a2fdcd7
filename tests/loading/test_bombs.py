"""Small files that would fill the machine, and lists without end: each is refused with a sentence, and soon."""

from collections.abc import Callable

import pytest

from qaviz.loading import Source
from qaviz.loading.formats import cells, read_batches
from qaviz.loading.formats.cells import COLUMN_LIMIT
from qaviz.model.errors import QavizError
from tests.loading.files import GOLDEN_FILE, problems, upload

pytestmark = pytest.mark.slow


MANY_COLUMNS = ",".join(f"c{number}" for number in range(COLUMN_LIMIT + 1))
TOO_MANY = f"{COLUMN_LIMIT + 1:,} columns; expected at most {COLUMN_LIMIT:,}"

BOMBS: dict[str, tuple[Callable[[], Source], str]] = {
    "CSV of nothing but commas": (
        lambda: upload("g.csv", b"," * 5_000_000),
        "a first line of more than 4,000,000 characters",
    ),
    "CSV with very many columns": (lambda: upload("g.csv", MANY_COLUMNS + "\n"), TOO_MANY),
    "JSON Lines with very many keys": (
        lambda: upload("g.jsonl", "{" + ",".join(f'"c{number}": 1' for number in range(COLUMN_LIMIT + 1)) + "}"),
        TOO_MANY,
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


def test_another_key_on_every_line_is_too_many(monkeypatch: pytest.MonkeyPatch):
    """Columns are counted over all lines, also of a file of which no line has many."""
    monkeypatch.setattr(cells, "COLUMN_LIMIT", 2_000)
    lines = "".join(f'{{"question": "q", "answer": "a", "c{n}": 1}}\n' for n in range(4_000))
    source = upload("g.jsonl", lines)

    with pytest.raises(QavizError, match=r"2,\d+ columns; expected at most 2,000"):
        list(read_batches(source))


def test_a_row_of_very_many_cells_is_one_problem():
    """A row of millions of cells among good ones is named by its line, and costs no more than its own bytes."""
    rows = "question_id,A\nq1,x\n" + "," * 3_000_000 + "y\n"

    assert problems(GOLDEN_FILE, upload("r.csv", rows))[0].startswith("r.csv line 3: found a row of 3000001")
