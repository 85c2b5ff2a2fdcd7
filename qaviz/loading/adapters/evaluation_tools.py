"""Tools whose exports are small records, by the fields that they document: TruLens, Phoenix, LangSmith, Braintrust,
Weave, OpenTelemetry, RAGChecker, BEIR and KILT."""

from collections.abc import Iterator, Mapping

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import (
    Record,
    Row,
    Tool,
    as_python_wrote,
    fields,
    inside,
    is_number,
    items,
    score,
    text,
    texts,
    variants,
)
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.readers import strict_json
from qaviz.model.columns import (
    ANSWER,
    CONTEXTS,
    LATENCY_MS,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REPEAT,
    RESPONSE,
    THEIR_SCORES,
)

_CONTENT = ("content", "text", "message", "value", "parts")
_MS = 1000


def find_text(value: object, *wanted: str) -> str | None:
    """The text of a question, an answer or a response: a text itself, the last of several messages, or the field of an
    object that is named as one of the `wanted` words, or its only one."""
    value = as_python_wrote(value, dict)
    if isinstance(value, list):
        return find_text(value[-1], *wanted) if value else None
    if not isinstance(value, dict):
        return text(value)
    name = next((each for each in value if read_column_name(each).word in wanted), None)
    name = name or next((each for each in (*_CONTENT, "messages", "output", "choices") if each in value), None)
    name = name or (next(iter(value)) if len(value) == 1 else None)
    return find_text(value[name], *wanted) if name else text(value)


def _asked(value: object) -> str | None:
    return find_text(value, QUESTION)


def _said(value: object) -> str | None:
    return find_text(value, RESPONSE, ANSWER)


def _figures(values: Mapping[str, object]) -> list[dict[str, object]]:
    return [score(name, value) for name, value in values.items() if is_number(value)]


def _trulens(record: Record) -> Iterator[Row]:
    own = ("record_id", "app_id", "app_name", "app_version", "input", "output", "expected_response", "ground_truth")
    figures = {name: value for name, value in record.items() if name not in own and "cost" not in name}
    yield {
        "input": _asked(record.get("input") or record.get("query")),
        "expected_response": _said(record.get("expected_response") or record.get("ground_truth")),
        "app_id": text(record.get("app_name") or record.get("app_id")),
        "output": _said(record.get("output")),
        SCORES: _figures({name: value for name, value in figures.items() if name not in ("latency", "total_tokens")}),
    }


TRULENS = Tool(
    name="TruLens records",
    wrote=lambda record: (
        {"record_id", "input", "output"} <= record.keys() and bool({"app_id", "app_name"} & set(record))
    ),
    rows=_trulens,
    words={
        "input": QUESTION,
        "expected_response": ANSWER,
        "app_id": PIPELINE,
        "output": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)


def _phoenix(record: Record) -> Iterator[Row]:
    flat = {name.removeprefix("annotation_").removesuffix("_score"): value for name, value in record.items()
            if name.startswith("annotation_") and name.endswith("_score")}  # fmt: skip
    given = [score(str(inside(each, "name")), inside(each, "score")) for each in items(record.get("annotations"))]
    yield {
        "example_id": text(record.get("example_id")),
        "input": _asked(record.get("input")),
        "reference_output": _said(record.get("reference_output")),
        "output": None if record.get("error") else _said(record.get("output")),
        "repetition_number": _repeat(record.get("repetition_number")),
        "latency_ms": record.get("latency_ms") if is_number(record.get("latency_ms")) else None,
        SCORES: given or _figures(flat),
    }


def _repeat(number: object) -> str | None:
    return text(number) if isinstance(number, int) and number > 1 else None


PHOENIX = Tool(
    name="a Phoenix experiment",
    wrote=lambda record: {"example_id", "input", "reference_output", "output"} <= record.keys(),
    rows=_phoenix,
    words={
        "example_id": QUESTION_ID,
        "input": QUESTION,
        "reference_output": ANSWER,
        "output": RESPONSE,
        "repetition_number": REPEAT,
        "latency_ms": LATENCY_MS,
        SCORES: THEIR_SCORES,
    },
)


def _langsmith(record: Record) -> Iterator[Row]:
    asked = _part(record, "inputs") or _part(record, "input")
    said = _part(record, "outputs") or _part(record, "output")
    reference = next(filter(None, (_part(record, name) for name in _REFERENCES)), None)
    stats = {name: inside(each, "avg") for name, each in fields(record.get("feedback_stats")).items()}
    yield {
        "example_id": text(record.get("example_id") or record.get("reference_example_id")),
        "inputs": _asked(asked) if asked else None,
        "reference_outputs": _said(reference) if reference else None,
        "session_name": text(record.get("session_name") or record.get("experiment")),
        "outputs": _said(said) if said and not record.get("error") else None,
        SCORES: _figures(stats or fields(_part(record, "feedback"))),
    }


_REFERENCES = ("reference_outputs", "reference", "reference_example_outputs")


def _part(record: Record, name: str) -> object:
    """The object of this name, or of CSV the columns that begin with it: `inputs.question`."""
    flat = {key.partition(".")[2]: value for key, value in record.items() if key.startswith(f"{name}.")}
    return record.get(name) or flat


def _is_langsmith(record: Record) -> bool:
    names = set(record)
    if {"inputs", "outputs"} <= names:
        return bool({"reference_outputs", "reference_example_id", "feedback_stats", "run_type"} & names)
    return any(name.startswith(("inputs.", "input.")) for name in names) and any(
        name.startswith(("reference_outputs.", "reference.")) for name in names
    )


LANGSMITH = Tool(
    name="LangSmith runs",
    wrote=_is_langsmith,
    rows=_langsmith,
    words={
        "example_id": QUESTION_ID,
        "inputs": QUESTION,
        "reference_outputs": ANSWER,
        "session_name": PIPELINE,
        "outputs": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)


def _braintrust(record: Record) -> Iterator[Row]:
    metrics = fields(record.get("metrics"))
    seconds = _duration(metrics)
    yield {
        "input": _asked(record.get("input")),
        "expected": _said(record.get("expected")),
        "experiment": text(record.get("experiment_name") or record.get("experiment")),
        "output": None if record.get("error") else _said(record.get("output")),
        "metrics.duration": seconds,
        SCORES: _figures(fields(record.get("scores"))),
    }


def _duration(metrics: Mapping[str, object]) -> float | None:
    start, end = metrics.get("start"), metrics.get("end")
    return (end - start) * _MS if isinstance(start, int | float) and isinstance(end, int | float) else None


BRAINTRUST = Tool(
    name="a Braintrust experiment",
    wrote=lambda record: {"input", "expected", "output", "scores"} <= record.keys() and not {"models"} & record.keys(),
    rows=_braintrust,
    words={
        "input": QUESTION,
        "expected": ANSWER,
        "experiment": PIPELINE,
        "output": RESPONSE,
        "metrics.duration": LATENCY_MS,
        SCORES: THEIR_SCORES,
    },
)


def _weave(record: Record) -> Iterator[Row]:
    example = fields(record.get("inputs")).get("example") or record.get("example") or record.get("inputs")
    output = record.get("output")
    expected = next((value for name, value in fields(example).items() if read_column_name(name).word == ANSWER), None)
    scores = fields(inside(output, "scores"))
    yield {
        "inputs.example": _asked(example),
        "inputs.example.expected": _said(expected),
        "inputs.model": _model(fields(record.get("inputs")).get("model")),
        "output": _said(inside(output, "model_output") or inside(output, "output") or output),
        SCORES: [
            score(f"{name}: {part}", value)
            for name, parts in scores.items()
            for part, value in (fields(parts) or {"score": parts}).items()
            if is_number(value)
        ],
    }


def _model(value: object) -> str | None:
    """A model's name; of an address such as `weave:///team/project/object/Model:v3` the last part."""
    return value.rpartition("/")[2] if isinstance(value, str) else text(inside(value, "name"))


WEAVE = Tool(
    name="Weave calls",
    wrote=lambda record: "op_name" in record and "inputs" in record and "output" in record,
    rows=_weave,
    words={
        "inputs.example": QUESTION,
        "inputs.example.expected": ANSWER,
        "inputs.model": PIPELINE,
        "output": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)


def _spans(record: Record) -> Iterator[Row]:
    found = [
        span
        for resource in items(record.get("resourceSpans"))
        for scope in items(inside(resource, "scopeSpans"))
        for span in items(inside(scope, "spans"))
    ] or [record]
    for span in found:
        given = _attributes(inside(span, "attributes"))
        asked = given.get("gen_ai.input.messages") or given.get("gen_ai.prompt") or given.get("gen_ai.prompt.0.content")
        said = (
            given.get("gen_ai.output.messages")
            or given.get("gen_ai.completion")
            or given.get("gen_ai.completion.0.content")
        )
        if asked is not None:
            yield {
                "gen_ai.input.messages": _asked(as_python_wrote(_json(asked), list)),
                "gen_ai.request.model": text(given.get("gen_ai.request.model") or given.get("gen_ai.response.model")),
                "gen_ai.output.messages": _said(as_python_wrote(_json(said), list)),
            }


def _attributes(given: object) -> dict[str, object]:
    """Attributes as an object, or as OTLP writes them: a list of key and value."""
    if isinstance(given, dict):
        return given
    values = ((inside(each, "key"), fields(inside(each, "value"))) for each in items(given))
    return {str(key): next(iter(value.values()), None) for key, value in values}


def _json(cell: object) -> object:
    if not isinstance(cell, str) or not cell.startswith(("[", "{")):
        return cell
    try:
        return strict_json.value(cell.encode())
    except (ValueError, RecursionError):
        return cell


def _is_traced(record: Record) -> bool:
    attributes = _attributes(record.get("attributes"))
    return "resourceSpans" in record or any(name.startswith("gen_ai.") for name in attributes)


OPENTELEMETRY = Tool(
    name="OpenTelemetry GenAI spans",
    wrote=_is_traced,
    rows=_spans,
    words={
        "gen_ai.input.messages": QUESTION,
        "gen_ai.request.model": PIPELINE,
        "gen_ai.output.messages": RESPONSE,
    },
)


def _ragchecker(record: Record) -> Iterator[Row]:
    for each in items(record.get("results")) or [record]:
        metrics = {name: value for name, value in fields(inside(each, "metrics")).items() if is_number(value)}
        yield {
            "query_id": text(inside(each, "query_id")),
            "query": text(inside(each, "query")),
            "gt_answer": text(inside(each, "gt_answer")),
            "response": text(inside(each, "response")),
            "retrieved_context": texts([inside(one, "text") for one in items(inside(each, "retrieved_context"))]),
            SCORES: _figures(metrics),
        }


RAGCHECKER = Tool(
    name="a RAGChecker file",
    wrote=lambda record: "gt_answer" in fields(inside(record, "results", 0)) or {"query", "gt_answer"} <= record.keys(),
    rows=_ragchecker,
    words={
        "query_id": QUESTION_ID,
        "query": QUESTION,
        "gt_answer": ANSWER,
        "response": RESPONSE,
        "retrieved_context": CONTEXTS,
        SCORES: THEIR_SCORES,
    },
)


def _kilt(record: Record) -> Iterator[Row]:
    answers = [inside(each, "answer") for each in items(record.get("output"))]
    yield {
        "id": text(record.get("id") or record.get("_id")),
        "input": text(record.get("input")),
        "output.answer": variants([each for each in answers if each], OR_DELIMITER),
    }


KILT = Tool(
    name="a KILT file",
    wrote=lambda record: "input" in record and "answer" in fields(inside(record, "output", 0)),
    rows=_kilt,
    words={"id": QUESTION_ID, "input": QUESTION, "output.answer": ANSWER},
)


def _beir(record: Record) -> Iterator[Row]:
    metadata = fields(record.get("metadata"))
    answers = next(
        (value for name, value in metadata.items() if read_column_name(name).word in (ANSWER, RESPONSE)), None
    )
    yield {
        "_id": text(record.get("_id")),
        "text": text(record.get("text")),
        "metadata": variants(answers, OR_DELIMITER),
    }


BEIR = Tool(
    name="BEIR queries",
    wrote=lambda record: {"_id", "text"} <= record.keys() and "title" not in record,
    rows=_beir,
    words={"_id": QUESTION_ID, "text": QUESTION, "metadata": ANSWER},
)

EVALUATION_TOOLS = (RAGCHECKER, PHOENIX, LANGSMITH, TRULENS, WEAVE, OPENTELEMETRY, BRAINTRUST, KILT, BEIR)
"""In the order in which they are asked whether a file is theirs."""
