"""Which context holds the golden source, and the measures of retrieval."""

import json
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from qaviz.contexts.passages import seek, state_fact
from qaviz.contexts.retrieval import BY, Passage, add_retrieval, find_relevant, measure
from qaviz.diagnosis.columns import SAYS, STANCE
from qaviz.model import columns as c

CASES = json.loads(Path(__file__).with_name("retrieval.json").read_text("utf-8"))
"""Golden ids, retrieved ids, then RR, nDCG, SetP and SetR as ir_measures 0.4 computes them (RR with pytrec_eval); what
a row says, with what the golden source is known by and its rank; facts that passages state."""

QUESTION = "How many beds has the hospital in Basel?"
HOSPITAL = "The hospital in Basel has 240 beds and 12 wards."
CASTLE = "The castle hotel near Bern has 120 beds and a golf course."


class Source(NamedTuple):
    """What names a golden source."""

    passage_id: str | None
    source: str | None = None
    evidence: str | None = None


@pytest.mark.parametrize(("golden", "retrieved", "rr", "ndcg", "precision", "recall"), CASES["measures"])
def test_measures_are_those_of_ir_measures(golden, retrieved, rr, ndcg, precision, recall):
    """By id, each measure is that of ir_measures to 1e-12."""
    passages = [Passage("", identity) for identity in retrieved.split()]
    relevance = find_relevant(Source(golden.replace(" ", "<OR>")), passages, None)
    measured = measure(relevance.held, relevance.items)

    assert measured[1:] == pytest.approx((rr > 0, rr, ndcg, precision, recall), abs=1e-12)
    assert measured[0] == (round(1 / rr) if rr else None)


def add_one(**said: object) -> dict[str, object]:
    """The retrieval columns of one row."""
    beside = {c.QUESTION_ID: "1", c.PIPELINE: "P", c.RESPONSE: "120 beds", SAYS: None, STANCE: None}
    row = {**beside, c.QUESTION: QUESTION, c.ANSWER: "240 beds", c.FACT: "240 beds", c.SOURCE: None, **said}
    lists = dict.fromkeys((c.CONTEXTS, c.CONTEXT_IDS, c.CONTEXT_DOCUMENTS), pl.List(pl.String))
    return add_retrieval(pl.DataFrame([row], schema_overrides={**lists, SAYS: pl.String, STANCE: pl.String})).row(
        0, named=True
    )


@pytest.mark.parametrize(
    ("said", "by", "rank"),
    [
        *(pytest.param(*case, id=name) for name, case in CASES["held"].items()),
        pytest.param({c.CONTEXTS: [CASTLE] * 499 + [HOSPITAL]}, "fact", 500, id="500 contexts"),
        pytest.param({c.CONTEXTS: [CASTLE * 17_000, HOSPITAL + CASTLE * 17_000]}, "fact", 2, id="contexts of 1 MB"),
    ],
)
def test_the_first_context_that_holds_the_golden_source(said, by, rank):
    """A context is known by the most exact name that both sides have, else by the fact; else nothing is said."""
    row = add_one(**said)
    assert (row[BY], row[c.RETRIEVAL_RANK], row[c.RETRIEVAL_HIT]) == (by, rank, rank is not None if by else None)


@pytest.mark.parametrize(("question", "golden", "passage", "stated"), CASES["stated"])
def test_a_passage_states_a_fact_in_other_forms(question, golden, passage, stated):
    """Other units, dates and languages count; other values do not."""
    assert (state_fact(seek(question, golden), passage) is not None) is stated
