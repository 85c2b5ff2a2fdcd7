"""Contexts as tools write them, with their ids, documents and scores."""

import json

import polars as pl
import pytest

from qaviz.loading import Source
from qaviz.loading.load import open_files
from qaviz.loading.melt import split_contexts
from qaviz.model.columns import CONTEXT_DOCUMENTS, CONTEXT_IDS, CONTEXT_SCORES, CONTEXTS, RESPONSE

PARTS = (CONTEXTS, CONTEXT_IDS, CONTEXT_DOCUMENTS, CONTEXT_SCORES)


def split_one(*contexts: object, ids: list[str] | None = None) -> tuple[object, ...]:
    """The four columns of one response beside another whose contexts are plain texts."""
    texts = [context if isinstance(context, str) else json.dumps(context) for context in contexts]
    rows = [[["plain"], None, None, None], [texts, ids, None, None]]
    return split_contexts(pl.DataFrame(rows, dict.fromkeys(PARTS, pl.List(pl.String)), orient="row")).row(1)


@pytest.mark.parametrize(
    ("context", "identity", "document", "score"),
    [
        pytest.param(
            {"page_content": "T", "metadata": {"source": "a.pdf"}, "id": "7"}, "7", "a.pdf", None, id="LangChain"
        ),
        pytest.param(
            {"node": {"id_": "n1", "text": "T", "metadata": {"file_name": "a.pdf"}}, "score": 0.5},
            *("n1", "a.pdf", "0.5"),
            id="LlamaIndex",
        ),
        pytest.param(
            {"id": "h", "content": "T", "meta": {"name": "a.pdf"}, "score": 1.5}, "h", "a.pdf", "1.5", id="Haystack"
        ),
        pytest.param(
            {"content": {"text": "T"}, "location": {"type": "S3", "s3Location": {"uri": "s3://b/a.pdf"}}, "score": 0.4},
            *(None, "s3://b/a.pdf", "0.4"),
            id="Bedrock",
        ),
        pytest.param(
            {"retrievedContext": {"uri": "gs://b/a", "title": "a", "text": "T"}}, None, "a", None, id="Vertex"
        ),
        pytest.param(
            {"document.id": "d1", "document.content": "T", "document.score": 2}, "d1", None, "2", id="OpenInference"
        ),
    ],
)
def test_objects_are_read_as_their_tools_write_them(context, identity, document, score):
    """Text, id, document and score of a passage are found where each tool has them."""
    assert split_one(context) == (["T"], *(part and [part] for part in (identity, document, score)))


def test_ranks_order_contexts_and_ids_stay():
    """Contexts stand in the order of their ranks; a text is one context, whatever it numbers; ids of the file stay."""
    assert split_one({"text": "B", "rank": 2}, {"text": "A", "rank": 1})[0] == ["A", "B"]
    assert split_one("[1] One.\n[2] Two.")[0] == ["[1] One.\n[2] Two."]
    assert split_one({"text": "A", "id": "x"}, ids=["y"])[1] == ["y"]
    assert split_one("{no JSON", "[]")[0] == ["{no JSON", "[]"]


TEXT = "The hospital has 240 beds."
ASKED, SAID = "How many beds?", "It has 240 beds."
RUN = {"inputs": {"question": ASKED}, "run_type": "chain", "session_name": "S"}
DOCUMENT = {"page_content": TEXT, "metadata": {"source": "a.pdf"}}
PASSAGE = {"content": {"text": TEXT}, "location": {"s3Location": {"uri": "s3://b/a.pdf"}}, "score": 0.5}
BEDROCK_TURN = {
    "inputRecord": {"prompt": {"content": [{"text": ASKED}]}, "referenceResponses": [{"content": [{"text": "240"}]}]},
    "output": {"text": SAID, "knowledgeBaseIdentifier": "K", "retrievedPassages": {"retrievalResults": [PASSAGE]}},
    "results": [],
}
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
    "Bedrock": ({"conversationTurns": [BEDROCK_TURN]}, (None, ["s3://b/a.pdf"], ["0.5"])),
}


@pytest.mark.parametrize(("record", "beside"), TOOLS.values(), ids=TOOLS)
def test_contexts_come_with_what_the_tool_says_of_them(record, beside):
    """The passages that the response was given, their ids, documents and scores."""
    source = Source("r.jsonl", json.dumps(record).encode() + b"\n")
    (row,) = [row for part in open_files(None, [source], aside=True).parts() for row in part.to_dicts()]

    assert (row[RESPONSE], row[CONTEXTS]) == (SAID, [TEXT])
    assert (row[CONTEXT_IDS], row[CONTEXT_DOCUMENTS], row[CONTEXT_SCORES]) == beside
