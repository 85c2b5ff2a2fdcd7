"""Which questions to ask first: those that tell pipelines apart, with critical and unanswerable ones."""

from collections import Counter

import polars as pl
import pytest

from qaviz.analysis.outcomes import tabulate
from qaviz.analysis.smoke import WHY, choose_smoke_set, collect_outcomes
from qaviz.cli import main
from qaviz.model import columns as c
from tests.builders import golden_table, save_rows

QUESTIONS = 200


@pytest.fixture
def golden():
    """200 questions of two categories: 5 unanswerable (ids 1 to 5), 8 critical (ids 6 to 13)."""
    return golden_table(
        {
            "question": f"question {number}?",
            "answerable": number > 5,
            "tags": "finance; critical" if 5 < number <= 13 else None,
            "category": "even" if number % 2 == 0 else "odd",
        }
        for number in range(1, QUESTIONS + 1)
    )


def rows_of(pipeline: str, wrong: set[int]) -> pl.DataFrame:
    said = ["incorrect" if number in wrong else "correct" for number in range(1, QUESTIONS + 1)]
    ids = [str(number) for number in range(1, QUESTIONS + 1)]
    texts = {c.RESPONSE: ["text"] * QUESTIONS}
    return pl.DataFrame({c.QUESTION_ID: ids, c.PIPELINE: [pipeline] * QUESTIONS, c.VERDICT: said, **texts})


def ids(chosen: pl.DataFrame, why: str) -> set[int]:
    return {int(each) for each in chosen.filter(pl.col(WHY).str.contains(why))[c.QUESTION_ID]}


def test_what_a_smoke_set_takes(golden):
    """Thirty questions hold unanswerable ones, every critical one, every question that told pipelines apart while there
    is room, and others of both categories; each says why."""
    runs = [pl.concat([rows_of("A", {20, 21, 22}), rows_of("B", {21, 30})]), rows_of("C", {40, 41, 42, 43})]
    chosen = choose_smoke_set(
        golden, collect_outcomes(golden, [tabulate(rows, golden[c.QUESTION_ID]) for rows in runs]), 30, seed=1
    )
    assert chosen.height == 30
    assert ids(chosen, "unanswerable") <= {1, 2, 3, 4, 5}
    assert len(ids(chosen, "unanswerable")) == 3
    assert ids(chosen, "critical") == set(range(6, 14))
    assert ids(chosen, "apart") == {20, 21, 22, 30, 40, 41, 42, 43}
    drawn = chosen.filter(pl.col(WHY) == "drawn at random")
    assert drawn.height == 11
    assert {5, 6} == set(Counter(drawn["category"]).values())


@pytest.mark.parametrize("size", [1, 2, 5, 30, 200, 500])
def test_unanswerable_questions_are_always_there(golden, size):
    """Of any size, with nothing known of pipelines, the set has an unanswerable question, no question twice, and as
    many as there are."""
    outcomes = collect_outcomes(golden, [])
    first, again, other = (choose_smoke_set(golden, outcomes, size, seed=seed) for seed in (7, 7, 8))
    assert first.equals(again)
    assert size >= QUESTIONS or not first.equals(other)
    assert ids(first, "unanswerable")
    assert first[c.QUESTION_ID].n_unique() == first.height == min(size, QUESTIONS)


def test_the_command_writes_a_golden_dataset_and_explains(tmp_path, workspace, capsys):
    """`golden sample --smoke` takes the runs of the workspace, writes a golden dataset and gives reasons."""
    facts = [{"question_id": f"q{n}", "question": f"Who is {n}?", "answer": "x", "fact": f"name{n}"} for n in range(9)]
    said = [
        {"question_id": f"q{n}", "pipeline": name, "response": f"It is name{n}." if n != wrong else "It is Bob."}
        for n in range(9)
        for name, wrong in (("A", 4), ("B", 7))
    ]
    save_rows(workspace, facts, said, "first")
    out = tmp_path / "smoke.jsonl"
    command = ["golden", "sample", "first", "--smoke", "3", "--out", str(out), "--workspace", str(workspace.folder)]
    assert main(command) == 0
    said = capsys.readouterr().out
    written = pl.read_ndjson(out)[c.QUESTION_ID].to_list()
    assert {"q4", "q7"} <= set(written)
    assert len(written) == 3
    assert "told 1 of 1 pairs of pipelines apart" in said
