"""Spans and events of OpenTelemetry's conventions for generative AI, of today and of earlier releases."""

import json

import pytest

from qaviz.loading import Source, load
from tests.loading.files import jsonl, upload

# Attributes and events: open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md and gen-ai-events.md;
# of v1.36 and earlier: open-telemetry/semantic-conventions, docs/gen-ai. Numbered attributes: traceloop/openllmetry.
# OTLP JSON: open-telemetry/opentelemetry-proto, docs/specification.md.

Q, A, R = "How many people live in Graz?", "290,000", "About 290,000 people."
GOLDEN = jsonl("golden.jsonl", {"question": Q, "answer": A})
MODEL = {"gen_ai.request.model": "P"}


def message(role: str, *parts: dict[str, str]) -> dict[str, object]:
    return {"role": role, "parts": list(parts)}


def said(content: str) -> dict[str, str]:
    return {"type": "text", "content": content}


ASKED = [message("system", said("Be brief.")), message("user", said("Hello?")), message("user", said(Q))]
ANSWERED = [message("assistant", {"type": "reasoning", "content": "Hm."}, said(R)) | {"finish_reason": "stop"}]
MESSAGES = {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": ANSWERED}
AS_TEXT = {name: json.dumps(value) for name, value in MESSAGES.items()}


def otlp(value: object) -> dict[str, object]:
    """A value as OTLP writes it."""
    match value:
        case list():
            return {"arrayValue": {"values": [otlp(each) for each in value]}}
        case dict():
            return {"kvlistValue": {"values": listed(value)}}
    return {"stringValue": value}


def listed(attributes: dict[str, object]) -> list[dict[str, object]]:
    return [{"key": key, "value": otlp(value)} for key, value in attributes.items()]


def batch(*spans: dict[str, object]) -> Source:
    return upload("otlp.json", json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))


def event(name: str, attributes: dict[str, object]) -> dict[str, object]:
    return {"name": name, "attributes": attributes}


DETAILS = "gen_ai.client.inference.operation.details"
FILES = {
    "attributes of a span a line": jsonl("s.jsonl", {"name": "chat", "attributes": MODEL | AS_TEXT}),
    "attributes as OTLP writes them": batch({"name": "chat", "attributes": listed(MODEL | AS_TEXT)}),
    "messages that are no text": batch({"name": "chat", "attributes": listed(MODEL | MESSAGES)}),
    "an event of the span": batch(
        {"attributes": listed(MODEL), "events": [{"name": DETAILS, "attributes": listed(MESSAGES)}]}
    ),
    "a log record": upload(
        "otlp.json",
        json.dumps(
            {
                "resourceLogs": [
                    {"scopeLogs": [{"logRecords": [{"eventName": DETAILS, "attributes": listed(MODEL | MESSAGES)}]}]}
                ]
            }
        ),
    ),
    "an event a message, before 1.37": jsonl(
        "s.jsonl",
        {
            "attributes": MODEL,
            "events": [
                event("gen_ai.user.message", {"content": Q}),
                event("gen_ai.choice", {"message": json.dumps({"role": "assistant", "content": R})}),
            ],
        },
    ),
    "prompt and completion as events": jsonl(
        "s.jsonl",
        {
            "attributes": MODEL,
            "events": [
                event("gen_ai.content.prompt", {"gen_ai.prompt": json.dumps([{"role": "user", "content": Q}])}),
                event(
                    "gen_ai.content.completion",
                    {"gen_ai.completion": json.dumps([{"role": "assistant", "content": R}])},
                ),
            ],
        },
    ),
    "numbered attributes": jsonl(
        "s.jsonl",
        {
            "attributes": MODEL
            | {"gen_ai.prompt.0.role": "system", "gen_ai.prompt.0.content": "Be brief."}
            | {"gen_ai.prompt.1.role": "user", "gen_ai.prompt.1.content": Q}
            | {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": R}
        },
    ),
    "OpenInference": jsonl(
        "s.jsonl",
        {"attributes": {"openinference.span.kind": "LLM", "llm.model_name": "P", "input.value": Q, "output.value": R}},
    ),
}


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_spans_are_responses_to_a_golden_dataset(file: Source):
    """What a person asked last and the texts of the answer are read, not the system's words, thoughts or tools."""
    assert load(GOLDEN, [file]).rows.select("pipeline", "response").rows() == [("P", R)]


def test_spans_without_an_answer_are_no_responses():
    """A span of another kind, and one that only called a tool, leave the question to the span that answers it."""
    called = {"gen_ai.output.messages": json.dumps([message("assistant", {"type": "tool_call", "name": "search"})])}
    spans = [MODEL | AS_TEXT | called, {"gen_ai.operation.name": "embeddings"}, MODEL | AS_TEXT]
    loaded = load(GOLDEN, [jsonl("s.jsonl", *({"attributes": each} for each in spans))])
    assert loaded.rows["response"].to_list() == [R]
