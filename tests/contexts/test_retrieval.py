"""Which context holds the golden source, and the measures of retrieval."""

from typing import NamedTuple

import polars as pl
import pytest

from qaviz.contexts.passages import seek, state_fact
from qaviz.contexts.retrieval import BY, Passage, add_retrieval, find_relevant, measure
from qaviz.diagnosis.columns import SAYS, STANCE
from qaviz.model import columns as c

ORACLE = (
    ("p1 p11", "p6 p7 p2 p1 p10", 0.25, 0.2640681225725909, 0.2, 0.5),
    ("p13 p1 p4", "p3 p0 p10", 0.0, 0.0, 0.0, 0.0),
    ("p3 p2 p4", "p4 p10 p11 p5 p1", 1.0, 0.46927872602275644, 0.2, 0.3333333333333333),
    ("p11 p4 p8", "p3 p6 p12 p9 p4 p11 p7 p1 p8 p2", 0.2, 0.4899692203633839, 0.3, 1.0),
    ("p2 p5 p6 p9", "p5 p10 p8 p3 p13", 1.0, 0.3903800499921017, 0.2, 0.25),
    ("p9 p3 p1", "p5 p2 p4 p7 p0 p9 p13 p10 p8 p12", 0.16666666666666666, 0.16716045496620227, 0.1, 0.3333333333333333),
    ("p10 p1 p4 p9", "p3 p7 p4 p2 p11 p6 p10 p12 p9 p0", 0.3333333333333333, 0.4428328130831785, 0.3, 0.75),
)
"""Golden ids, retrieved ids, then RR, nDCG, SetP and SetR as ir_measures 0.4 computes them (RR with pytrec_eval)."""

QUESTION = "How many beds has the hospital in Basel?"
HOSPITAL = "The hospital in Basel has 240 beds and 12 wards."
CASTLE = "The castle hotel near Bern has 120 beds and a golf course."


class Source(NamedTuple):
    """What names a golden source."""

    passage_id: str | None
    source: str | None = None
    evidence: str | None = None


@pytest.mark.parametrize(("golden", "retrieved", "rr", "ndcg", "precision", "recall"), ORACLE)
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
        pytest.param({c.PASSAGE_ID: "p7", c.CONTEXT_IDS: ["p1", "p7"]}, "passage id", 2, id="ids without texts"),
        pytest.param({c.SOURCE: "p7", c.CONTEXT_IDS: ["p1", "p7"]}, "passage id", 2, id="source is a passage's id"),
        pytest.param({c.EVIDENCE: HOSPITAL, c.CONTEXTS: [CASTLE, HOSPITAL]}, "evidence", 2, id="exact text"),
        pytest.param({c.EVIDENCE: HOSPITAL, c.CONTEXTS: [f"2023. {HOSPITAL.upper()} "]}, "evidence", 1, id="contained"),
        pytest.param(
            {
                c.EVIDENCE: f"{HOSPITAL} It was built in 1902.",
                c.CONTEXTS: [HOSPITAL.replace("12", "14") + " Built 1902."],
            },
            "evidence",
            1,
            id="near",
        ),
        pytest.param({c.CONTEXTS: [CASTLE, HOSPITAL]}, "fact", 2, id="states the fact"),
        pytest.param({c.CONTEXTS: ["The castle hotel has 240 beds."]}, "fact", None, id="about something else"),
        pytest.param({c.CONTEXTS: []}, "fact", None, id="nothing retrieved"),
        pytest.param({c.CONTEXTS: [HOSPITAL, HOSPITAL, ""]}, "fact", 1, id="duplicates and empty"),
        pytest.param({c.CONTEXTS: [f"<p>{HOSPITAL}</p>"]}, "fact", 1, id="HTML"),
        pytest.param({c.CONTEXTS: [CASTLE] * 499 + [HOSPITAL]}, "fact", 500, id="500 contexts"),
        pytest.param({c.CONTEXTS: [CASTLE * 17_000, HOSPITAL + CASTLE * 17_000]}, "fact", 2, id="contexts of 1 MB"),
        pytest.param(
            {
                c.SOURCE: "docs/Beds.pdf, page 3",
                c.FACT: "yes",
                c.CONTEXTS: [CASTLE, "x"],
                c.CONTEXT_DOCUMENTS: ["a.pdf", "beds.pdf"],
            },
            "document",
            2,
            id="document, where a passage cannot state the fact",
        ),
        pytest.param({c.FACT: "yes", c.CONTEXTS: [HOSPITAL]}, None, None, id="nothing tells"),
        pytest.param({c.CONTEXTS: None}, None, None, id="no contexts"),
    ],
)
def test_the_first_context_that_holds_the_golden_source(said, by, rank):
    """A context is known by the most exact name that both sides have, else by the fact; else nothing is said."""
    row = add_one(**said)
    assert (row[BY], row[c.RETRIEVAL_RANK], row[c.RETRIEVAL_HIT]) == (by, rank, rank is not None if by else None)


@pytest.mark.parametrize(
    ("question", "golden", "passage", "stated"),
    [
        ("What was the revenue of Amazon in 2023?", "$4.2 billion", "Amazon revenue in 2023: $4,187 million.", True),
        ("What was the revenue of Amazon in 2023?", "$4.2 billion", "Amazon revenue in 2023: $3,187 million.", False),
        ("When was the treaty signed?", "2023-05-01", "The treaty was signed on 1 May 2023.", True),
        ("When was the treaty signed?", "2023-05-01", "The treaty was signed on 2 May 2023.", False),
        (
            "Wer gründete die Stadt Bern?",
            "Berthold V.",
            "Die Stadt Bern gründete Herzog Berthold V. im Jahr 1191.",
            True,
        ),
        ("谁发现了青霉素？", "弗莱明", "青霉素是由弗莱明发现了的。", True),
        ("Who leads the company?", "Jane Doe", "The company is led by John Smith.", False),
    ],
)
def test_a_passage_states_a_fact_in_other_forms(question, golden, passage, stated):
    """Other units, dates and languages count; other values do not."""
    assert (state_fact(seek(question, golden), passage) is not None) is stated
