"""What tracing tools export: LangSmith's runs, Phoenix's experiments, Weave's calls, spans of Phoenix and Arize as a
table, and OpenTelemetry's spans and events, as OTLP JSON or an object a line.

By OpenTelemetry's conventions for generative AI, messages are attributes of a span (`gen_ai.input.messages`), of its
event `gen_ai.client.inference.operation.details`, or of a log record; before release 1.37 they were events
(`gen_ai.user.message`, `gen_ai.choice`), and before that texts (`gen_ai.prompt`, `gen_ai.completion`), which some
libraries number (`gen_ai.prompt.0.content`). OpenInference, which Phoenix and Arize read, says `input.value` and
`output.value`.
"""

from collections.abc import Iterator
from typing import Any

from qaviz.loading.adapters.tool import (
    SCORES,
    Record,
    Row,
    Tool,
    fields,
    find_answer,
    find_contexts,
    find_question,
    inside,
    is_number,
    items,
    score,
    scores_of,
    text,
    texts,
)
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.column_values import read_json, read_printed
from qaviz.model import columns as c


def _read_langsmith(record: Record) -> Iterator[Row]:
    """A run, or an example of a dataset, whose outputs are what is expected."""
    asked = _find_part(record, "inputs") or _find_part(record, "input")
    said = _find_part(record, "outputs") or _find_part(record, "output")
    reference = next(filter(None, (_find_part(record, name) for name in _REFERENCES)), None)
    stats = {name: inside(each, "avg") for name, each in fields(record.get("feedback_stats")).items()}
    if "dataset_id" in record and "run_type" not in record:
        said, reference = None, reference or said
    yield {
        "example_id": text(record.get("example_id") or record.get("reference_example_id")),
        "inputs": find_question(asked) if asked else None,
        "reference_outputs": find_answer(reference) if reference else None,
        "session_name": text(record.get("session_name") or record.get("experiment")),
        "outputs": find_answer(said) if said and not record.get("error") else None,
        "contexts": find_contexts(said, asked),
        SCORES: scores_of(stats or fields(_find_part(record, "feedback"))),
    }


_REFERENCES = ("reference_outputs", "reference", "reference_example_outputs")


def _find_part(record: Record, name: str) -> object:
    """The object of this name, or of CSV the columns that begin with it: `inputs.question`."""
    flat = {key.partition(".")[2]: value for key, value in record.items() if key.startswith(f"{name}.")}
    return record.get(name) or flat


def _is_langsmith(record: Record) -> bool:
    names = set(record)
    if {"inputs", "outputs"} <= names:
        return bool({"reference_outputs", "reference_example_id", "feedback_stats", "run_type", "dataset_id"} & names)
    return any(name.startswith(("inputs.", "input.")) for name in names) and any(
        name.startswith(("reference_outputs.", "reference.")) for name in names
    )


LANGSMITH = Tool(
    name="LangSmith runs",
    wrote=_is_langsmith,
    rows=_read_langsmith,
    words={
        "example_id": c.QUESTION_ID,
        "inputs": c.QUESTION,
        "reference_outputs": c.ANSWER,
        "session_name": c.PIPELINE,
        "outputs": c.RESPONSE,
        "contexts": c.CONTEXTS,
        SCORES: c.THEIR_SCORES,
    },
)


def _read_phoenix(record: Record) -> Iterator[Row]:
    flat = {name.removeprefix("annotation_").removesuffix("_score"): value for name, value in record.items()
            if name.startswith("annotation_") and name.endswith("_score")}  # fmt: skip
    given = [score(str(inside(each, "name")), inside(each, "score")) for each in items(record.get("annotations"))]
    yield {
        "example_id": text(record.get("example_id")),
        "input": find_question(record.get("input")),
        "reference_output": find_answer(record.get("reference_output")),
        "output": None if record.get("error") else find_answer(record.get("output")),
        "contexts": find_contexts(record.get("output"), record.get("metadata"), record.get("input")),
        "repetition_number": _read_repeat(record.get("repetition_number")),
        "latency_ms": record.get("latency_ms") if is_number(record.get("latency_ms")) else None,
        SCORES: given or scores_of(flat),
    }


def _read_repeat(number: object) -> str | None:
    return text(number) if isinstance(number, int) and number > 1 else None


PHOENIX = Tool(
    name="a Phoenix experiment",
    wrote=lambda record: {"example_id", "input", "reference_output", "output"} <= record.keys(),
    rows=_read_phoenix,
    words={
        "example_id": c.QUESTION_ID,
        "input": c.QUESTION,
        "reference_output": c.ANSWER,
        "output": c.RESPONSE,
        "repetition_number": c.REPEAT,
        "latency_ms": c.LATENCY_MS,
        "contexts": c.CONTEXTS,
        SCORES: c.THEIR_SCORES,
    },
)


def _read_weave(record: Record) -> Iterator[Row]:
    example = fields(record.get("inputs")).get("example") or record.get("example") or record.get("inputs")
    output = record.get("output")
    expected = next((value for name, value in fields(example).items() if read_column_name(name).word == c.ANSWER), None)
    scores = fields(inside(output, "scores"))
    yield {
        "inputs.example": find_question(example),
        "inputs.example.expected": find_answer(expected),
        "inputs.model": _name_model(fields(record.get("inputs")).get("model")),
        "output": find_answer(inside(output, "model_output") or inside(output, "output") or output),
        SCORES: [
            score(f"{name}: {part}", value)
            for name, parts in scores.items()
            for part, value in (fields(parts) or {"score": parts}).items()
            if is_number(value)
        ],
    }


def _name_model(value: object) -> str | None:
    """A model's name; of an address such as `weave:///team/project/object/Model:v3` the last part."""
    return value.rpartition("/")[2] if isinstance(value, str) else text(inside(value, "name"))


WEAVE = Tool(
    name="Weave calls",
    wrote=lambda record: "op_name" in record and "inputs" in record and "output" in record,
    rows=_read_weave,
    words={
        "inputs.example": c.QUESTION,
        "inputs.example.expected": c.ANSWER,
        "inputs.model": c.PIPELINE,
        "output": c.RESPONSE,
        SCORES: c.THEIR_SCORES,
    },
)


_RETRIEVED = "attributes.retrieval.documents"


def _read_span(record: Record) -> Iterator[Row]:
    """A span of a table as `get_spans_dataframe` has it; only the outermost of a trace is a question's response."""
    if record.get("parent_id"):
        return
    named = {name[len("eval.") : -len(".score")]: value for name, value in record.items() if _is_eval_score(name)}
    yield {
        "attributes.input.value": find_question(record.get("attributes.input.value")),
        "attributes.llm.model_name": text(record.get("attributes.llm.model_name")) or None,
        "attributes.output.value": find_answer(record.get("attributes.output.value")),
        _RETRIEVED: texts(read_printed(record.get(_RETRIEVED), list)),
        SCORES: scores_of(named),
    }


def _is_eval_score(name: str) -> bool:
    return name.startswith("eval.") and name.endswith(".score")


SPAN_TABLE = Tool(
    name="spans of Phoenix or Arize",
    wrote=lambda record: {"attributes.input.value", "attributes.output.value"} <= record.keys(),
    rows=_read_span,
    words={
        "attributes.input.value": c.QUESTION,
        "attributes.llm.model_name": c.PIPELINE,
        "attributes.output.value": c.RESPONSE,
        _RETRIEVED: c.CONTEXTS,
        SCORES: c.THEIR_SCORES,
    },
)

_ASKED, _SAID, _MODEL = "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.request.model"

_PROMPTS = (_ASKED, "gen_ai.prompt", "gen_ai.user.message", "input.value")

_COMPLETIONS = (_SAID, "gen_ai.completion", "gen_ai.choice", "output.value")

_MODELS = (_MODEL, "gen_ai.response.model", "llm.model_name")

_BATCHES = (("resourceSpans", "scopeSpans", "spans"), ("resourceLogs", "scopeLogs", "logRecords"))


_DOCUMENTS = "retrieval.documents"


def _read_opentelemetry(record: Record) -> Iterator[Row]:
    """Spans of questions and responses, with the passages that retriever spans of the same trace and file brought."""
    spans = [(span, _collect_attributes(span)) for span in _list_spans(record)]
    retrieved: dict[str, list[object]] = {}
    for span, given in spans:
        retrieved.setdefault(str(span.get("traceId")), []).extend(_list_retrieved(given))
    for span, given in spans:
        if given.get("openinference.span.kind") == "RETRIEVER":
            continue
        asked = next((said for name in _PROMPTS if (said := _find_last_text(given.get(name), "user"))), None)
        said = next((said for name in _COMPLETIONS if (said := _find_last_text(given.get(name), "assistant"))), None)
        if asked and (said or not any(name in given for name in _COMPLETIONS)):
            model = next((given[name] for name in _MODELS if given.get(name)), None)
            contexts = texts(retrieved[str(span.get("traceId"))])
            yield {_ASKED: asked, _MODEL: text(model), _SAID: said, _DOCUMENTS: contexts}


def _list_retrieved(given: Record) -> list[object]:
    """The documents of a retriever span, each an object: numbered attributes, or one that lists them."""
    return [*_collect_numbered(given, f"{_DOCUMENTS}."), *items(given.get(_DOCUMENTS))]


def _list_spans(record: Record) -> Iterator[Record]:
    """The spans, or log records, of a batch as OTLP writes it; or the record itself."""
    whole = True
    for outer, scopes, inner in _BATCHES:
        for resource in items(record.get(outer)):
            whole = False
            for scope in items(inside(resource, scopes)):
                yield from (each for each in items(inside(scope, inner)) if isinstance(each, dict))
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
    found: dict[int, Record] = {}
    for name, value in given.items():
        number, _, field = name.removeprefix(prefix).partition(".")
        if name.startswith(prefix) and number.isdecimal() and field:
            found.setdefault(int(number), {})[field] = value
    return [found[number] for number in sorted(found)]


def _read_attributes(given: object) -> Record:
    """Attributes as an object, or as OTLP writes them: a list of key and value."""
    if isinstance(given, dict):
        return {name: read_json(value) for name, value in given.items()}
    pairs = ((inside(each, "key"), _read_value(inside(each, "value"))) for each in items(given))
    return {str(key): read_json(value) for key, value in pairs}


def _read_value(value: object) -> Any:  # noqa: ANN401 - what an attribute holds
    """An OTLP value (`{"stringValue": "…"}`, `arrayValue`, `kvlistValue`) as JSON has it; anything else as it is."""
    given = fields(value)
    if "arrayValue" in given:
        return [_read_value(each) for each in items(inside(given, "arrayValue", "values"))]
    if "kvlistValue" in given:
        pairs = items(inside(given, "kvlistValue", "values"))
        return {str(inside(each, "key")): _read_value(inside(each, "value")) for each in pairs}
    return next(iter(given.values())) if len(given) == 1 and next(iter(given)).endswith("Value") else value


def _find_last_text(value: object, role: str) -> str | None:
    """The text of the last message of this role, or of the last of any if none says its role; None if it has none."""
    value = inside(value, "messages") or value
    if not isinstance(value, list):
        return _read_message(value)
    if not any(inside(each, "role") for each in value):
        return _read_message(value[-1]) if value else None
    messages = [each for each in value if inside(each, "role") in (role, "model" if role == "assistant" else role)]
    return next((said for each in reversed(messages) if (said := _read_message(each))), None)


def _read_message(value: object) -> str | None:
    """What a message says: its texts in order, without what the model thought and the tools it called."""
    if isinstance(value, dict):
        inner = value.get("parts", value.get("content", value.get("message", value.get("text"))))
        return _read_message(inner)
    if isinstance(value, list):
        parts = (each for each in value if isinstance(each, str) or inside(each, "type") in (None, "text"))
        return "\n".join(filter(None, map(_read_message, parts))) or None
    return value if isinstance(value, str) and value.strip() else None


def _is_opentelemetry(record: Record) -> bool:
    if any(outer in record for outer, *_ in _BATCHES):
        return True
    names = {
        *_read_attributes(record.get("attributes")),
        *(inside(each, "name") for each in items(record.get("events"))),
    }
    return any(str(name).startswith(("gen_ai.", "openinference.", "llm.")) for name in names)


OPENTELEMETRY = Tool(
    name="OpenTelemetry GenAI spans",
    wrote=_is_opentelemetry,
    rows=_read_opentelemetry,
    words={_ASKED: c.QUESTION, _MODEL: c.PIPELINE, _SAID: c.RESPONSE, _DOCUMENTS: c.CONTEXTS},
)
