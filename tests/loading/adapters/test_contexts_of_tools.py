"""Contexts, with their ids, documents and scores, of the tools that write them."""

import json

import pytest

from qaviz.loading import Source
from qaviz.loading.load import open_files
from qaviz.model import columns as c

TEXT = "The hospital has 240 beds."
ASKED, SAID = "How many beds?", "It has 240 beds."
RUN = {"inputs": {"question": ASKED}, "run_type": "chain", "session_name": "S"}
DOCUMENT = {"page_content": TEXT, "metadata": {"source": "a.pdf"}}
PASSAGE = {"content": {"text": TEXT}, "location": {"s3Location": {"uri": "s3://b/a.pdf"}}, "score": 0.5}
OUTPUT = {"answer": SAID, "contexts": [TEXT]}
META = {"meta": {"name": "a.pdf"}, "score": 0.5}
TOOLS = {
    "Ragas": (
        {"user_input": ASKED, "response": SAID, "retrieved_contexts": [TEXT], "retrieved_context_ids": ["d1"]},
        (["d1"], None, None),
    ),
    "LangSmith": ({**RUN, "outputs": {"answer": SAID, "documents": [DOCUMENT]}}, (None, ["a.pdf"], None)),
    "Langfuse": (
        {"input": json.dumps({"question": ASKED}), "expectedOutput": "240", "output": json.dumps(OUTPUT)},
        (None, None, None),
    ),
    "Haystack": (
        {"question": ASKED, "response": SAID, "documents": [{**META, "id": "d1", "content": TEXT}]},
        (["d1"], ["a.pdf"], ["0.5"]),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("record", "beside"), TOOLS.values(), ids=TOOLS)
def test_contexts_come_with_what_the_tool_says_of_them(record, beside):
    """The passages that the response was given, their ids, documents and scores."""
    source = Source("r.jsonl", json.dumps(record).encode() + b"\n")
    (row,) = [row for part in open_files(None, [source], aside=True).parts() for row in part.to_dicts()]

    assert (row[c.RESPONSE], row[c.CONTEXTS]) == (SAID, [TEXT])
    assert (row[c.CONTEXT_IDS], row[c.CONTEXT_DOCUMENTS], row[c.CONTEXT_SCORES]) == beside


def test_bedrock_passages_name_their_documents():
    """Bedrock's passages have a place and a score."""
    turn = {
        "inputRecord": {
            "prompt": {"content": [{"text": ASKED}]},
            "referenceResponses": [{"content": [{"text": "240"}]}],
        },
        "output": {"text": SAID, "knowledgeBaseIdentifier": "K", "retrievedPassages": {"retrievalResults": [PASSAGE]}},
        "results": [],
    }
    source = Source("r.jsonl", json.dumps({"conversationTurns": [turn]}).encode() + b"\n")
    (row,) = [row for part in open_files(None, [source], aside=True).parts() for row in part.to_dicts()]

    assert (row[c.CONTEXTS], row[c.CONTEXT_DOCUMENTS], row[c.CONTEXT_SCORES]) == ([TEXT], ["s3://b/a.pdf"], ["0.5"])
