"""Tools whose exports are small records, by the fields that they document: TruLens, Phoenix, LangSmith, Braintrust,
Weave and RAGChecker."""

from collections.abc import Iterator, Mapping

from qaviz.loading.adapters.opentelemetry import OPENTELEMETRY
from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import (
    Record,
    Row,
    Tool,
    fields,
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
from qaviz.model.columns import (
    ANSWER,
    CONTEXTS,
    LATENCY_MS,
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
    value = read_printed(read_json(value), dict)
    if isinstance(value, list):
        return find_text(value[-1], *wanted) if value else None
    if not isinstance(value, dict):
        return text(value)
    name = next((each for each in value if read_column_name(each).word in wanted), None)
    name = name or next((each for each in (*_CONTENT, "messages", "output", "choices") if each in value), None)
    name = name or (next(iter(value)) if len(value) == 1 else None)
    return find_text(value[name], *wanted) if name else text(value)


def _find_question(value: object) -> str | None:
    return find_text(value, QUESTION)


def _find_answer(value: object) -> str | None:
    return find_text(value, RESPONSE, ANSWER)


def _trulens(record: Record) -> Iterator[Row]:
    # A metric stands beside its calls; in exports without them every number is one but those that TruLens counts.
    metrics = {name.removesuffix(_CALLS) for name in record if name.endswith(_CALLS)}
    figures = {name: value for name, value in record.items() if name in metrics or not (metrics or _is_count(name))}
    yield {
        "input": _find_question(record.get("input") or record.get("query")),
        "expected_response": _find_answer(
            record.get("expected_response") or record.get("ground_truth") or record.get("ground_truth_output")
        ),
        "app_id": _app(record),
        "output": _find_answer(record.get("output")),
        SCORES: scores_of(figures),
    }


_CALLS = "_calls"
_COUNTS = frozenset(
    ("record_id", "app_id", "app_name", "app_version", "input", "output", "expected_response", "ground_truth", "ts",
     "latency", "total_tokens", "num_events", "sampled", "sample_rate", "is_match", "input_id", "conversation_id")
)  # fmt: skip


def _is_count(name: str) -> bool:
    return name in _COUNTS or "cost" in name


def _app(record: Record) -> str | None:
    """The name of the app with its version, which tells two versions of one app apart."""
    name, version = text(record.get("app_name")), text(record.get("app_version"))
    return f"{name} {version}" if name and version else name or text(record.get("app_id"))


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
        "input": _find_question(record.get("input")),
        "reference_output": _find_answer(record.get("reference_output")),
        "output": None if record.get("error") else _find_answer(record.get("output")),
        "repetition_number": _repeat(record.get("repetition_number")),
        "latency_ms": record.get("latency_ms") if is_number(record.get("latency_ms")) else None,
        SCORES: given or scores_of(flat),
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
    """A run, or an example of a dataset, whose outputs are what is expected."""
    asked = _part(record, "inputs") or _part(record, "input")
    said = _part(record, "outputs") or _part(record, "output")
    reference = next(filter(None, (_part(record, name) for name in _REFERENCES)), None)
    stats = {name: inside(each, "avg") for name, each in fields(record.get("feedback_stats")).items()}
    if "dataset_id" in record and "run_type" not in record:
        said, reference = None, reference or said
    yield {
        "example_id": text(record.get("example_id") or record.get("reference_example_id")),
        "inputs": _find_question(asked) if asked else None,
        "reference_outputs": _find_answer(reference) if reference else None,
        "session_name": text(record.get("session_name") or record.get("experiment")),
        "outputs": _find_answer(said) if said and not record.get("error") else None,
        SCORES: scores_of(stats or fields(_part(record, "feedback"))),
    }


_REFERENCES = ("reference_outputs", "reference", "reference_example_outputs")


def _part(record: Record, name: str) -> object:
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
        "input": _find_question(record.get("input")),
        "expected": _find_answer(record.get("expected")),
        "experiment": text(record.get("experiment_name") or record.get("experiment")),
        "output": None if record.get("error") else _find_answer(record.get("output")),
        "metrics.duration": seconds,
        SCORES: scores_of(fields(record.get("scores"))),
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
        "inputs.example": _find_question(example),
        "inputs.example.expected": _find_answer(expected),
        "inputs.model": _model(fields(record.get("inputs")).get("model")),
        "output": _find_answer(inside(output, "model_output") or inside(output, "output") or output),
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


def _ragchecker(record: Record) -> Iterator[Row]:
    for each in items(record.get("results")) or [record]:
        metrics = {name: value for name, value in fields(inside(each, "metrics")).items() if is_number(value)}
        yield {
            "query_id": text(inside(each, "query_id")),
            "query": text(inside(each, "query")),
            "gt_answer": text(inside(each, "gt_answer")),
            "response": text(inside(each, "response")),
            "retrieved_context": texts([inside(one, "text") for one in items(inside(each, "retrieved_context"))]),
            SCORES: scores_of(metrics),
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


EVALUATION_TOOLS = (RAGCHECKER, PHOENIX, LANGSMITH, TRULENS, WEAVE, OPENTELEMETRY, BRAINTRUST)
"""In the order in which they are asked whether a file is theirs."""
