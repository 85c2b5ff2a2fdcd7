"""Twenty rows of known fault over six documents, written by hand before they were run."""

import json
from pathlib import Path

import polars as pl
import pytest

from qaviz.bulk.chunks import score_and_diagnose
from qaviz.contexts.retrieval import find_in_documents
from qaviz.diagnosis.judging import OR_ELSE
from qaviz.documents import read_folder
from qaviz.loading import silent
from qaviz.model import columns as c
from tests.builders import golden_table

KNOWN = json.loads(Path(__file__).with_name("known_faults.json").read_text("utf-8"))
DOCUMENTS, ROWS = KNOWN["documents"], KNOWN["rows"]
"""By name their texts; fault, question, golden fact, response and the documents that were its passages."""


@pytest.fixture(scope="module")
def faults(tmp_path_factory) -> dict[bool, pl.DataFrame]:
    """The diagnosed rows, by whether the documents are known."""
    folder = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(f"# {name.partition('.')[0].capitalize()}\n\n{text}\n", "utf-8")
    golden = golden_table(
        {c.QUESTION_ID: str(place), c.QUESTION: question, c.ANSWER: fact, c.FACT: fact}
        for place, (_, question, fact, _, _) in enumerate(ROWS)
    )
    given = {
        c.PIPELINE: ["P"] * len(ROWS),
        c.RESPONSE: [row[3] for row in ROWS],
        c.CONTEXTS: [[DOCUMENTS[name] for name in row[4]] for row in ROWS],
    }
    loaded = golden.hstack(pl.DataFrame(given))
    held = find_in_documents(golden, read_folder([str(folder)], silent))
    known = loaded.join(held, on=c.QUESTION_ID, maintain_order="left")
    return {True: score_and_diagnose(known), False: score_and_diagnose(loaded)}


def test_with_documents_eighteen_of_twenty_are_named(faults):
    """The fault of at least eighteen rows is the planted one."""
    named = zip(faults[True][c.FAULT], (row[0] for row in ROWS), strict=True)
    assert sum(fault == planted for fault, planted in named) >= 18


def test_without_documents_no_fault_is_wrong_of_the_retriever(faults):
    """Where the retriever is not at fault and only documents would tell, the reason says what else it may be."""
    wrong = [
        reason
        for fault, reason, (planted, *_) in zip(
            faults[False][c.FAULT], faults[False][c.FAULT_REASON], ROWS, strict=True
        )
        if fault == "retriever" and planted != "retriever" and OR_ELSE not in reason
    ]
    assert wrong == []
