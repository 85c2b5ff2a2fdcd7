"""The report page's scripts compute what the app computes: run in V8 alone, without a browser."""

from collections.abc import Callable
from typing import Any

import orjson
import polars as pl
import pytest
from py_mini_racer import MiniRacer

from qaviz.analysis import numbers
from qaviz.exports.decision_pack.html import SITE, pack_table

PAGE = """
const location = { hash: "" };
const blocks = {};
const document = { getElementById: (name) => blocks[name] ? { textContent: blocks[name] } : null };
const window = {};
"""
"""What the scripts ask of a browser before anything is drawn: an address, and the page's blocks of data."""

RUN = {
    "pipelines": [{"name": "a"}, {"name": "b"}],
    "diagnoses": [{"name": "correct"}, {"name": "declined"}],
    "questions_in_part": 2,
    "questions": {
        "question_id": ["q1", "q2"],
        "question": ["Who?", "When?"],
        "answer": ["Ada", None],
        "fact": ["Ada", "1998"],
    }
    | {"category": ["people", None]},
    "responses": {"question": [0, 0, 1], "pipeline": [0, 1, 1], "response": ["Ada", "Bob", "In 1998"]}
    | {"diagnosis": ["correct", "correct", "declined"]},
}

Run = Callable[[str], Any]


def context(*names: str, before: str = "") -> Run:
    """Run these files of the site in one scope, as the page does; returns what evaluates an expression to a value."""
    engine = MiniRacer()
    engine.eval("\n".join([PAGE, before, *((SITE / f"{name}.js").read_text("utf-8") for name in names)]))
    return lambda expression: orjson.loads(engine.eval(f"JSON.stringify({expression})"))


@pytest.fixture(scope="module")
def written() -> Run:
    return context("numbers")


@pytest.mark.parametrize(
    "share", [0.0, 0.001, 0.0049, 0.005, 0.0151, 0.125, 0.3333, 0.375, 0.5, 0.545, 0.994, 0.9951, 0.9999, 1.0]
)
def test_percentages_are_those_of_the_app(written: Run, share: float):
    """Shares near none and near all keep saying so."""
    assert written(f"percent({share})") == numbers.percent(share).replace("\N{NO-BREAK SPACE}", "")


@pytest.mark.parametrize("number", [0, 1, 999, 1_008, 1_000_000])
def test_counts_and_plurals_are_those_of_the_app(written: Run, number: int):
    """Thousands are set apart, and one is singular."""
    assert written(f"count({number})") == numbers.count(number)
    assert written(f'plural({number}, "question")') == numbers.plural(number, "question")


@pytest.mark.parametrize("value", [None, 0.0, 0.005, 0.125, 0.375, 0.545, 0.666, 0.875, 1.0])
def test_scores_are_those_of_the_app(written: Run, value: float | None):
    """A score that is not there is a dash, and never zero."""
    assert written(f"score({orjson.dumps(value).decode()})") == numbers.score(value)


@pytest.mark.parametrize("column", [[], ["a"], ["a", "b", "a", "a", "b"] * 20, [None, 1, None], list(range(300))])
def test_columns_are_unpacked_as_they_were(column: list[Any]):
    """What `pack_table` writes, few distinct values once, the script reads back value by value."""
    read = context("data", before=f"blocks['data-run'] = {orjson.dumps(orjson.dumps(RUN).decode()).decode()};")

    written = pack_table(pl.DataFrame({"column": column}))["column"]

    assert read(f"column({orjson.dumps(written).decode()})") == column


def test_the_run_is_indexed_by_question_and_pipeline():
    """Each question knows the row of each pipeline's response, null where there is none."""
    read = context("data", before=f"blocks['data-run'] = {orjson.dumps(orjson.dumps(RUN).decode()).decode()};")

    assert read("rowsOf()") == [[0, 1], [None, 2]]
    assert read("categories") == ["people"]
    assert read('[responseHolds(2, "1998"), responseHolds(0, "1998")]') == [True, False]


@pytest.mark.parametrize(
    ("hash", "page", "id"),
    [
        ("", "overview", ""),
        ("#/question/a%2Fb", "question", "a/b"),
        ("#/question/%E0%A4%A", "question", "%E0%A4%A"),
        ("#/diagnostics?diagnosis=declined", "diagnostics", ""),
    ],
    ids=["none", "an id with a slash", "a broken escape", "a filter"],
)
def test_addresses_name_page_and_question(hash: str, page: str, id: str):
    """What stands after # is read as page and id, also where its escapes are broken."""
    parameters = "class URLSearchParams { constructor(text) { this.text = text; } }"
    read = context("address", before=f"{parameters}\nlocation.hash = {orjson.dumps(hash).decode()};")

    assert read("[address().page, address().id]") == [page, id]
