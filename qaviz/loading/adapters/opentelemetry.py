"""OpenTelemetry's spans and events of generative AI, as OTLP JSON or an object a line.

By OpenTelemetry's conventions for generative AI, messages are attributes of a span (`gen_ai.input.messages`), of its
event `gen_ai.client.inference.operation.details`, or of a log record; before release 1.37 they were events
(`gen_ai.user.message`, `gen_ai.choice`), and before that texts (`gen_ai.prompt`, `gen_ai.completion`), which some
libraries number (`gen_ai.prompt.0.content`). OpenInference, which Phoenix and Arize read, says `input.value` and
`output.value`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from qaviz.loading.adapters.tool import Column, Record, Row, Tool, fields, inside, items, text, texts
from qaviz.loading.column_values import read_json
from qaviz.model import columns as c

_PROMPT, _COMPLETION, _MODEL = "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.request.model"

_PROMPTS = (_PROMPT, "gen_ai.prompt", "gen_ai.user.message", "input.value")

_COMPLETIONS = (_COMPLETION, "gen_ai.completion", "gen_ai.choice", "output.value")

_MODELS = (_MODEL, "gen_ai.response.model", "llm.model_name")

_BATCHES = (("resourceSpans", "scopeSpans", "spans"), ("resourceLogs", "scopeLogs", "logRecords"))


_DOCUMENTS = "retrieval.documents"


def _read_opentelemetry(record: Record) -> Iterator[Row]:
    """Spans of questions and responses, with the passages that retriever spans of the same trace and file brought."""
    spans = [(span, _collect_attributes(span)) for span in _list_spans(record)]
    retrieved: dict[str, list[object]] = {}
    for span, attributes in spans:
        retrieved.setdefault(str(span.get("traceId")), []).extend(_list_retrieved(attributes))
    for span, attributes in spans:
        if attributes.get("openinference.span.kind") == "RETRIEVER":
            continue
        prompt = _find_first_text(attributes, _PROMPTS, "user")
        completion = _find_first_text(attributes, _COMPLETIONS, "assistant")
        if prompt and (completion or not any(name in attributes for name in _COMPLETIONS)):
            model = next((attributes[name] for name in _MODELS if attributes.get(name)), None)
            contexts = texts(retrieved[str(span.get("traceId"))])
            yield {_PROMPT: prompt, _MODEL: text(model), _COMPLETION: completion, _DOCUMENTS: contexts}


def _find_first_text(attributes: Record, names: Sequence[str], role: str) -> str | None:
    return next((words for name in names if (words := _find_last_text(attributes.get(name), role))), None)


def _list_retrieved(attributes: Record) -> list[object]:
    """The documents of a retriever span, each an object: numbered attributes, or one that lists them."""
    return [*_collect_numbered(attributes, f"{_DOCUMENTS}."), *items(attributes.get(_DOCUMENTS))]


def _list_spans(record: Record) -> Iterator[Record]:
    """The spans, or log records, of a batch as OTLP writes it; or the record itself."""
    whole = True
    for outer, scopes, inner in _BATCHES:
        for resource in items(record.get(outer)):
            whole = False
            for scope in items(inside(resource, scopes)):
                yield from (span for span in items(inside(scope, inner)) if isinstance(span, dict))
    if whole:
        yield record


def _collect_attributes(span: Record) -> Record:
    """A span's own attributes, and those of its events; messages that are events stand under the event's name."""
    given = _read_attributes(span.get("attributes")) | _read_attributes(_read_value(span.get("body")))
    for event in items(span.get("events")):
        inner = _read_attributes(inside(event, "attributes")) | _read_attributes(_read_value(inside(event, "body")))
        name = str(inside(event, "name"))
        given = inner | given
        if name in (*_PROMPTS, *_COMPLETIONS) and name not in given:
            given[name] = read_json(inner.get("message", inner.get("content")))
    for name, numbered in (("gen_ai.prompt", "gen_ai.prompt."), ("gen_ai.completion", "gen_ai.completion.")):
        messages = _collect_numbered(given, numbered)
        if messages:
            given.setdefault(name, messages)
    return given


def _collect_numbered(given: Record, prefix: str) -> list[Record]:
    """`{"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "…"}` as messages, in order."""
    messages: dict[int, Record] = {}
    for name, value in given.items():
        number, _, field = name.removeprefix(prefix).partition(".")
        if name.startswith(prefix) and number.isdecimal() and field:
            messages.setdefault(int(number), {})[field] = value
    return [messages[number] for number in sorted(messages)]


def _read_attributes(given: object) -> Record:
    """Attributes as an object, or as OTLP writes them: a list of key and value."""
    if isinstance(given, dict):
        return {name: read_json(value) for name, value in given.items()}
    pairs = ((inside(pair, "key"), _read_value(inside(pair, "value"))) for pair in items(given))
    return {str(key): read_json(value) for key, value in pairs}


def _read_value(value: object) -> Any:  # noqa: ANN401 - what an attribute holds
    """An OTLP value (`{"stringValue": "…"}`, `arrayValue`, `kvlistValue`) as JSON has it; anything else as it is."""
    given = fields(value)
    if "arrayValue" in given:
        return [_read_value(pair) for pair in items(inside(given, "arrayValue", "values"))]
    if "kvlistValue" in given:
        pairs = items(inside(given, "kvlistValue", "values"))
        return {str(inside(pair, "key")): _read_value(inside(pair, "value")) for pair in pairs}
    return next(iter(given.values())) if len(given) == 1 and next(iter(given)).endswith("Value") else value


def _find_last_text(value: object, role: str) -> str | None:
    """The text of the last message of this role, or of the last of any if none says its role; None if it has none."""
    value = inside(value, "messages") or value
    if not isinstance(value, list):
        return _read_message(value)
    if not any(inside(message, "role") for message in value):
        return _read_message(value[-1]) if value else None
    messages = [
        message for message in value if inside(message, "role") in (role, "model" if role == "assistant" else role)
    ]
    return next((words for message in reversed(messages) if (words := _read_message(message))), None)


def _read_message(value: object) -> str | None:
    """What a message says: its texts in order, without what the model thought and the tools it called."""
    if isinstance(value, dict):
        inner = value.get("parts", value.get("content", value.get("message", value.get("text"))))
        return _read_message(inner)
    if isinstance(value, list):
        parts = (part for part in value if isinstance(part, str) or inside(part, "type") in (None, "text"))
        return "\n".join(filter(None, map(_read_message, parts))) or None
    return value if isinstance(value, str) and value.strip() else None


def _is_opentelemetry(record: Record) -> bool:
    if any(outer in record for outer, *_ in _BATCHES):
        return True
    names = {
        *_read_attributes(record.get("attributes")),
        *(inside(event, "name") for event in items(record.get("events"))),
    }
    return any(str(name).startswith(("gen_ai.", "openinference.", "llm.")) for name in names)


OPENTELEMETRY = Tool(
    name="OpenTelemetry GenAI spans",
    wrote=_is_opentelemetry,
    rows=_read_opentelemetry,
    columns=(
        Column(c.QUESTION, _PROMPT),
        Column(c.PIPELINE, _MODEL),
        Column(c.RESPONSE, _COMPLETION),
        Column(c.CONTEXTS, _DOCUMENTS),
    ),
)
