"""Spans of OpenTelemetry's conventions for generative AI."""

import json

import pytest

from qaviz.loading import Source, load
from qaviz.model.errors import QavizError
from tests.loading.files import jsonl, upload

# Attributes: open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md. OTLP JSON:
# open-telemetry/opentelemetry-proto, docs/specification.md.

Q, A, R = "How many people live in Graz?", "290,000", "About 290,000 people."
GOLDEN = jsonl("golden.jsonl", {"question": Q, "answer": A})
MODEL = {"gen_ai.request.model": "P"}


def message(role: str, *parts: dict[str, str]) -> dict[str, object]:
    return {"role": role, "parts": list(parts)}


def said(content: str) -> dict[str, str]:
    return {"type": "text", "content": content}


ASKED = [message("system", said("Be brief.")), message("user", said("Hello?")), message("user", said(Q))]
ANSWERED = [message("assistant", {"type": "reasoning", "content": "Hm."}, said(R)) | {"finish_reason": "stop"}]
MESSAGES = {"gen_ai.input.messages": json.dumps(ASKED), "gen_ai.output.messages": json.dumps(ANSWERED)}
OPENINFERENCE = {"openinference.span.kind": "LLM", "llm.model_name": "P", "input.value": Q, "output.value": R}
RETRIEVER = {"openinference.span.kind": "RETRIEVER", "input.value": Q}


def otlp(*attributes: dict[str, str]) -> Source:
    """A span a table of attributes, as OTLP writes them."""
    spans = [
        {"attributes": [{"key": key, "value": {"stringValue": value}} for key, value in given.items()]}
        for given in attributes
    ]
    return upload("otlp.json", json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))


FILES = {
    "attributes of a span a line": jsonl("s.jsonl", {"name": "chat", "attributes": MODEL | MESSAGES}),
    "attributes as OTLP writes them": otlp(MODEL | MESSAGES),
    "OpenInference": jsonl("s.jsonl", {"attributes": OPENINFERENCE}),
    "OpenInference as OTLP writes it": otlp(RETRIEVER, OPENINFERENCE),
}


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_spans_are_responses_to_a_golden_dataset(file: Source):
    """What a person asked last and the texts of the answer are read, not the system's words, thoughts or retrievers."""
    assert load(GOLDEN, [file]).rows.select("pipeline", "response").rows() == [("P", R)]


def test_spans_without_an_answer_are_no_responses():
    """A span of another kind, and one that only called a tool, leave the question to the span that answers it."""
    called = {"gen_ai.output.messages": json.dumps([message("assistant", {"type": "tool_call", "name": "search"})])}
    spans = [MODEL | MESSAGES | called, {"gen_ai.operation.name": "embeddings"}, MODEL | MESSAGES]
    loaded = load(GOLDEN, [jsonl("s.jsonl", *({"attributes": each} for each in spans))])
    assert loaded.rows["response"].to_list() == [R]


def test_spans_of_other_conventions_are_refused():
    """Numbered attributes and messages that are events, of before 1.37, are not read: what is lacking is said."""
    numbered = MODEL | {"gen_ai.prompt.0.content": Q, "gen_ai.completion.0.content": R}
    events = {"attributes": MODEL, "events": [{"name": "gen_ai.choice", "attributes": {"message": R}}]}
    for span in ({"attributes": numbered}, events):
        with pytest.raises(QavizError, match='expected a column "question"'):
            load(GOLDEN, [jsonl("s.jsonl", span)])
