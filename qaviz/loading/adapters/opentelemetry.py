"""OpenTelemetry's conventions for generative AI: spans and events, as OTLP JSON or an object a line.

Messages are attributes of a span (`gen_ai.input.messages`), of its event `gen_ai.client.inference.operation.details`,
or of a log record; before release 1.37 they were events (`gen_ai.user.message`, `gen_ai.choice`), and before that texts
(`gen_ai.prompt`, `gen_ai.completion`), which some libraries number (`gen_ai.prompt.0.content`). OpenInference, which
Phoenix and Arize read, says `input.value` and `output.value`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from qaviz.loading.adapters.tool import Record, Row, Tool, fields, inside, items, text
from qaviz.loading.column_values import read_json
from qaviz.model.columns import PIPELINE, QUESTION, RESPONSE

_ASKED, _SAID, _MODEL = "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.request.model"
_PROMPTS = (_ASKED, "gen_ai.prompt", "gen_ai.user.message", "input.value")
_COMPLETIONS = (_SAID, "gen_ai.completion", "gen_ai.choice", "output.value")
_MODELS = (_MODEL, "gen_ai.response.model", "llm.model_name")
_BATCHES = (("resourceSpans", "scopeSpans", "spans"), ("resourceLogs", "scopeLogs", "logRecords"))


def _rows(record: Record) -> Iterator[Row]:
    for span in _spans(record):
        given = _attributes_of(span)
        asked = next((said for name in _PROMPTS if (said := _last_text(given.get(name), "user"))), None)
        said = next((said for name in _COMPLETIONS if (said := _last_text(given.get(name), "assistant"))), None)
        if asked and (said or not any(name in given for name in _COMPLETIONS)):
            model = next((given[name] for name in _MODELS if given.get(name)), None)
            yield {_ASKED: asked, _MODEL: text(model), _SAID: said}


def _spans(record: Record) -> Iterator[Mapping[str, Any]]:
    """The spans, or log records, of a batch as OTLP writes it; or the record itself."""
    whole = True
    for outer, scopes, inner in _BATCHES:
        for resource in items(record.get(outer)):
            whole = False
            for scope in items(inside(resource, scopes)):
                yield from (each for each in items(inside(scope, inner)) if isinstance(each, dict))
    if whole:
        yield record


def _attributes_of(span: Mapping[str, Any]) -> dict[str, Any]:
    """A span's own attributes, and those of its events; messages that are events stand under the event's name."""
    given = _read_attributes(span.get("attributes")) | _read_attributes(_plain(span.get("body")))
    for event in items(span.get("events")):
        inner = _read_attributes(inside(event, "attributes")) | _read_attributes(_plain(inside(event, "body")))
        name = str(inside(event, "name"))
        given = inner | given
        if name in (*_PROMPTS, *_COMPLETIONS) and name not in given:
            given[name] = read_json(inner.get("message", inner.get("content")))
    for name, numbered in (("gen_ai.prompt", "gen_ai.prompt."), ("gen_ai.completion", "gen_ai.completion.")):
        messages = _collect_numbered(given, numbered)
        if messages:
            given.setdefault(name, messages)
    return given


def _collect_numbered(given: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """`{"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "…"}` as messages, in order."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in given.items():
        number, _, field = name.removeprefix(prefix).partition(".")
        if name.startswith(prefix) and number.isdecimal() and field:
            found.setdefault(int(number), {})[field] = value
    return [found[number] for number in sorted(found)]


def _read_attributes(given: object) -> dict[str, Any]:
    """Attributes as an object, or as OTLP writes them: a list of key and value."""
    if isinstance(given, dict):
        return {name: read_json(value) for name, value in given.items()}
    pairs = ((inside(each, "key"), _plain(inside(each, "value"))) for each in items(given))
    return {str(key): read_json(value) for key, value in pairs}


def _plain(value: object) -> Any:  # noqa: ANN401 - what an attribute holds
    """An OTLP value (`{"stringValue": "…"}`, `arrayValue`, `kvlistValue`) as JSON has it; anything else as it is."""
    given = fields(value)
    if "arrayValue" in given:
        return [_plain(each) for each in items(inside(given, "arrayValue", "values"))]
    if "kvlistValue" in given:
        pairs = items(inside(given, "kvlistValue", "values"))
        return {str(inside(each, "key")): _plain(inside(each, "value")) for each in pairs}
    return next(iter(given.values())) if len(given) == 1 and next(iter(given)).endswith("Value") else value


def _last_text(value: object, role: str) -> str | None:
    """The text of the last message of this role, or of the last of any if none says its role; None if it has none."""
    value = inside(value, "messages") or value
    if not isinstance(value, list):
        return _message_text(value)
    if not any(inside(each, "role") for each in value):
        return _message_text(value[-1]) if value else None
    messages = [each for each in value if inside(each, "role") in (role, "model" if role == "assistant" else role)]
    return next((said for each in reversed(messages) if (said := _message_text(each))), None)


def _message_text(value: object) -> str | None:
    """What a message says: its texts in order, without what the model thought and the tools it called."""
    if isinstance(value, dict):
        inner = value.get("parts", value.get("content", value.get("message", value.get("text"))))
        return _message_text(inner)
    if isinstance(value, list):
        parts = (each for each in value if isinstance(each, str) or inside(each, "type") in (None, "text"))
        return "\n".join(filter(None, map(_message_text, parts))) or None
    return value if isinstance(value, str) and value.strip() else None


def _wrote(record: Record) -> bool:
    if any(outer in record for outer, *_ in _BATCHES):
        return True
    names = {
        *_read_attributes(record.get("attributes")),
        *(inside(each, "name") for each in items(record.get("events"))),
    }
    return any(str(name).startswith(("gen_ai.", "openinference.", "llm.")) for name in names)


OPENTELEMETRY = Tool(
    name="OpenTelemetry GenAI spans",
    wrote=_wrote,
    rows=_rows,
    words={_ASKED: QUESTION, _MODEL: PIPELINE, _SAID: RESPONSE},
)
