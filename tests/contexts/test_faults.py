"""Whose fault a response is, as its contexts prove."""

import polars as pl
import pytest

from qaviz.bulk.chunks import score_and_diagnose
from qaviz.contexts.retrieval import find_in_documents
from qaviz.documents import read_folder
from qaviz.loading import silent
from qaviz.model import columns as c
from tests.builders import golden_table

TRIPLET = {c.QUESTION: "How many beds has the hospital in Basel?", c.ANSWER: "240 beds", c.FACT: "240 beds"}
HOSPITAL = "The hospital in Basel has 240 beds and 12 wards."
CASTLE = "The castle hotel near Bern has 120 beds and a golf course."
OTHERS = [f"{name} is a town in Switzerland with a market and a lake." for name in ("Thun", "Chur", "Olten", "Biel")]
RIGHT, WRONG, DECLINES = "It has 240 beds.", "It has 120 beds.", "The documents do not say how many beds it has."


def judge_responses(
    *responses: tuple[str, list[str] | None], in_documents: bool | None = None, **triplet: object
) -> pl.DataFrame:
    """The diagnosed rows of pipelines that answer one question with these contexts."""
    rows = [
        {c.PIPELINE: f"P{place}", c.RESPONSE: response, c.CONTEXTS: contexts, c.IN_DOCUMENTS: in_documents}
        for place, (response, contexts) in enumerate(responses)
    ]
    kinds = {c.CONTEXTS: pl.List(pl.String), c.IN_DOCUMENTS: pl.Boolean}
    golden = golden_table([TRIPLET | triplet])
    loaded = pl.concat([golden] * len(rows)).hstack(pl.DataFrame(rows, schema_overrides=kinds))
    return score_and_diagnose(loaded)


@pytest.mark.parametrize(
    ("response", "contexts", "in_documents", "fault", "words"),
    [
        pytest.param(DECLINES, [CASTLE, *OTHERS], False, "documents", "No document holds", id="not in the documents"),
        pytest.param(WRONG, [CASTLE, *OTHERS], True, "retriever", "None of the 5 passages", id="not retrieved"),
        pytest.param(WRONG, [], None, "retriever", "No passage was retrieved", id="nothing retrieved"),
        pytest.param(DECLINES, [CASTLE, *OTHERS, HOSPITAL], None, "retriever", "sixth of 6", id="retrieved too low"),
        pytest.param(DECLINES, [CASTLE, HOSPITAL], None, "generator", "second of 2", id="in the context, not used"),
        pytest.param(WRONG, [CASTLE, HOSPITAL], None, "generator", "took “120” from the first", id="took another"),
        pytest.param("The hospital has 12 beds.", [HOSPITAL], None, "generator", "draws on it", id="used, wrong"),
        pytest.param(RIGHT, [CASTLE, *OTHERS], None, "generator", "does not rest", id="right but unsupported"),
        pytest.param(RIGHT, [CASTLE, HOSPITAL], None, None, None, id="right and supported"),
        pytest.param(WRONG, None, None, None, None, id="open without contexts"),
        pytest.param(WRONG, None, False, "documents", "No document holds", id="documents known, contexts not"),
    ],
)
def test_contexts_prove_whose_fault_it_is(response, contexts, in_documents, fault, words):
    """The first step that failed is at fault, and a sentence says by what that is known; else the fault is open."""
    row = judge_responses((response, contexts), in_documents=in_documents).row(0, named=True)

    assert row[c.FAULT] == fault
    assert words is None if row[c.FAULT_REASON] is None else words in row[c.FAULT_REASON]


TRUE = "The hospital in Basel has 320 beds."
FOUNDED = "In which year was Harbour Line founded?"
FLEET = "Harbour Line was founded in 1987 by Inga Solberg. In 1994 Harbour Line opened its terminal in Lunde."


@pytest.mark.parametrize(
    ("responses", "given", "fault"),
    [
        pytest.param([("320 beds.", [TRUE])] * 2, {}, "golden dataset", id="two pipelines and their passages agree"),
        pytest.param([("320 beds.", [TRUE])], {}, "retriever", id="one alone proves nothing"),
        pytest.param([("320 beds.", [TRUE])], {"in_documents": True}, "retriever", id="one, and documents have it"),
        pytest.param(
            [("320 beds.", [TRUE])], {"in_documents": False}, "golden dataset", id="no document has the other"
        ),
        pytest.param([("320 beds.", [TRUE])], {c.EVIDENCE: TRUE}, "golden dataset", id="the golden evidence says it"),
        pytest.param(
            [("320 beds.", [TRUE]), ("320 beds.", [HOSPITAL])], {}, "retriever", id="a passage has the golden"
        ),
        pytest.param([("120 beds.", [CASTLE])] * 2, {}, "retriever", id="about something else"),
    ],
)
def test_a_golden_answer_is_wrong_only_with_evidence(responses, given, fault):
    """It is called wrong where contexts and responses agree on another value, and no passage has the golden one."""
    assert judge_responses(*responses, **given)[c.FAULT][0] == fault


@pytest.mark.parametrize(
    ("triplet", "held"),
    [
        pytest.param({}, True, id="states the fact"),
        pytest.param({c.FACT: "520 beds"}, False, id="states another"),
        pytest.param({c.QUESTION: FOUNDED, c.FACT: "1994"}, False, id="another year stands with the question"),
        pytest.param({c.EVIDENCE: HOSPITAL}, True, id="holds the evidence"),
        pytest.param(
            {c.EVIDENCE: "The clinic of Zug has a roof garden and two lifts."}, False, id="lacks the evidence"
        ),
        pytest.param({c.FACT: "yes", c.SOURCE: "basel.pdf"}, True, id="the named document is there"),
        pytest.param({c.FACT: "yes", c.SOURCE: "zug.pdf"}, False, id="the named document is not there"),
        pytest.param({c.FACT: "yes"}, None, id="nothing tells"),
    ],
)
def test_documents_hold_the_fact(triplet, held, tmp_path):
    """The first step: whether any document has what the golden dataset asks for."""
    (tmp_path / "basel.md").write_text(f"# Hospitals\n\n{OTHERS[0]} {HOSPITAL} {FLEET}\n", "utf-8")
    in_documents = find_in_documents(golden_table([TRIPLET | triplet]), read_folder([str(tmp_path)], silent))
    assert in_documents[c.IN_DOCUMENTS].to_list() == [held]


def test_support_comes_with_the_fault():
    """Each diagnosed response has how far it stands in its contexts: null without any, and of a refusal, which claims
    nothing, so that no mean counts it as 0."""
    museum = "The museum shows old clocks."
    rows = judge_responses((RIGHT, [HOSPITAL]), (museum, [HOSPITAL]), (RIGHT, None), (DECLINES, [CASTLE, HOSPITAL]))
    high, low, *none = rows[c.CONTEXT_SUPPORT]
    assert high > 0.5 > low
    assert none == [None, None]
