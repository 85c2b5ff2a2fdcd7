"""Scores of whole tables."""

import re
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qaviz.model import columns as c
from qaviz.scoring import score, table, word_scores
from qaviz.scoring.definition import answer_scores, context_recall, fact_scores, normalise
from tests.cases import read_cases
from tests.scoring.hostile import hostile_rows

ADDED = [c.UNSCORED_FACT, c.UNSCORED_ANSWER, *c.SCORES, c.RECALL_BESIDE_FACT, *c.HIT_COLUMNS, c.WARNINGS]


def texts(answer: str | None = "Rome", fact: str | None = "Rome", response: str | None = "Rome") -> pl.DataFrame:
    return pl.DataFrame(
        {c.ANSWER: answer, c.FACT: fact, c.RESPONSE: response},
        schema_overrides=dict.fromkeys((c.ANSWER, c.FACT, c.RESPONSE), pl.String),
    )


def test_columns_equal_the_definition():
    """Scores, context recall and hits of 6,000 hostile rows are those of the readable definition, to the last bit."""
    scored = score(hostile_rows(6_000, seed=2, delimiters=("<OR>", "<OR>", "<AND>")))
    for row in scored.iter_rows(named=True):
        answer, fact, response = row[c.ANSWER], row[c.FACT], row[c.RESPONSE]
        if not row[c.UNSCORED_ANSWER]:
            assert tuple(row[name] for name in c.ANSWER_SCORES) == answer_scores(answer, response), row
        if not row[c.UNSCORED_FACT]:
            assert tuple(row[name] for name in c.FACT_SCORES) == fact_scores(fact, response), row
            assert_hit_is_of_the_fact(row)
        if not row[c.UNSCORED_ANSWER] and not row[c.UNSCORED_FACT]:
            assert row[c.RECALL_BESIDE_FACT] == context_recall(answer, fact, response), row


def assert_hit_is_of_the_fact(row: dict[str, Any]) -> None:
    """There is a hit where FMEval says that the fact is stated; it is a variant, exact or as FMEval normalises it."""
    variant, start, end, _ = (row[name] for name in c.HIT_COLUMNS)
    stated = row[c.FACTUAL_KNOWLEDGE] or row[c.FACTUAL_KNOWLEDGE_QUASI_EXACT]
    assert (variant is not None) == bool(stated), row
    if variant is None:
        return
    hit = row[c.RESPONSE][start:end]
    assert variant in re.split("<OR>|<AND>", row[c.FACT]), row
    assert variant.lower() == hit.lower() or normalise(variant.strip()) == normalise(hit.strip()), row


@pytest.mark.parametrize(("given", "why_no_fact", "why_no_answer"), read_cases(__file__, "missing"))
def test_missing_is_null_with_a_reason(given, why_no_fact, why_no_answer):
    """What there is nothing to score by is null and says why; an empty response is scored as FMEval scores it."""
    row = score(texts(**given)).row(0, named=True)
    assert (row[c.UNSCORED_FACT], row[c.UNSCORED_ANSWER]) == (why_no_fact, why_no_answer)
    assert all((row[name] is None) == (why_no_fact is not None) for name in c.FACT_SCORES)
    assert all((row[name] is None) == (why_no_answer is not None) for name in c.ANSWER_SCORES)


def test_rows_keep_order_and_their_other_columns():
    """Repeated texts are scored once, and each row still has its own scores, in its own place."""
    rows = hostile_rows(200, seed=3)
    repeated = pl.concat([rows, rows.reverse(), rows]).with_row_index("place")
    scored = score(repeated)
    assert scored.columns == [*repeated.columns, *ADDED]
    assert_frame_equal(scored.select(repeated.columns), repeated)
    assert_frame_equal(scored.slice(0, 200).select(ADDED), scored.slice(400).select(ADDED))
    assert_frame_equal(scored.slice(0, 200).select(ADDED), scored.slice(200, 200).reverse().select(ADDED))


def test_an_empty_table_has_all_columns():
    """A table without rows comes back with every column that a longer one gets, in the same types."""
    assert score(texts().clear()).schema == score(texts()).schema


def test_chunks_make_no_difference(monkeypatch):
    """A table scored in many chunks has the scores of the same table scored in one, and says how far it is."""
    rows = hostile_rows(300, seed=4)
    told = []
    whole = score(rows)
    monkeypatch.setattr(table, "CHUNK", 64)
    assert_frame_equal(score(rows, lambda fraction, words: told.append((fraction, words))), whole)
    fractions = [fraction for fraction, _ in told]
    assert len(told) == 5
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


def test_the_seven_scores_alone_are_the_same():
    """`word_scores` adds the seven scores that `score` adds, over hostile rows too, and nothing else."""
    rows = hostile_rows(1_000, seed=3, delimiters=("<OR>", "<AND>"))
    assert_frame_equal(word_scores(rows), score(rows).select(*rows.columns, *c.SCORES))
