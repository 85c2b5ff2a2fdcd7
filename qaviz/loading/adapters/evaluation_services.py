"""Exports of evaluation services: Azure AI, Vertex AI, Opik, Amazon Bedrock's evaluation jobs, Langfuse, Braintrust."""

import json
from collections.abc import Iterator, Mapping

from qaviz.loading.adapters.tool import (
    MS,
    SCORES,
    Record,
    Row,
    Tool,
    add_ordinary,
    fields,
    find_answer,
    find_contexts,
    find_question,
    find_text,
    inside,
    is_number,
    items,
    ordinary,
    read_fields,
    score,
    scores_of,
    text,
    texts,
    variants,
)
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.column_values import read_json
from qaviz.model import columns as c

_TURNS = "conversationTurns"

_NO_LANGFUSE_SCORES = ("expectedOutput", "metadata", "createdAt", "updatedAt")

_LANGFUSE_FIELDS = (*GOLDEN_NAMES[c.QUESTION], *GOLDEN_NAMES[c.ANSWER], "content", "text")


def _find_words(given: Mapping[str, object]) -> dict[str, object]:
    """The values of fields whose names say which word of ours they are: of several the first that is filled."""
    found: dict[str, object] = {}
    for name, value in given.items():
        word = read_column_name(name).word
        if word and value is not None:
            found.setdefault(word, value)
    return found


def _fields_of(record: Record, outer: str) -> dict[str, object]:
    """The fields of the object of this name, or the columns whose names begin with it and a dot."""
    flat = {name.removeprefix(f"{outer}."): value for name, value in record.items() if name.startswith(f"{outer}.")}
    return flat or fields(record.get(outer))


def _read_azure(record: Record) -> Iterator[Row]:
    """Rows of `evaluate(output_path=...)`: the columns of the data, the target's outputs, and `outputs.metric.name`."""
    for each in items(record.get("rows")) or [record]:
        given, came = _fields_of(fields(each), "inputs"), _fields_of(fields(each), "outputs")
        words = _find_words(given)
        said = {name: value for name, value in came.items() if "." not in name}
        yield {
            "inputs.query": find_text(words.get(c.QUESTION), c.QUESTION),
            "inputs.ground_truth": text(words.get(c.ANSWER)),
            "inputs.context": texts(words.get(c.CONTEXTS)),
            "outputs.response": text(_find_words(said).get(c.RESPONSE, words.get(c.RESPONSE))),
            SCORES: scores_of({name.rpartition(".")[2]: value for name, value in came.items() if "." in name}),
        }


def _is_azure(record: Record) -> bool:
    row = fields(next(iter(items(record.get("rows"))), record))
    return any(name.startswith("inputs.") for name in row) and any(
        name.startswith("outputs.") and name.count(".") > 1 for name in row
    )


AZURE = Tool(
    name="an Azure AI evaluation",
    wrote=_is_azure,
    rows=_read_azure,
    words={
        "inputs.query": c.QUESTION,
        "inputs.ground_truth": c.ANSWER,
        "inputs.context": c.CONTEXTS,
        "outputs.response": c.RESPONSE,
        SCORES: c.THEIR_SCORES,
    },
)

_VERTEX_SCORE = "/score"
_BASELINE = "baseline_model_response"


def _read_vertex(record: Record) -> Iterator[Row]:
    """The metrics table of an evaluation task; of a pairwise one both models' responses."""
    given = fields(read_json(record.get("instance"))) or record
    named = {name.removesuffix(_VERTEX_SCORE): value for name, value in record.items() if name.endswith(_VERTEX_SCORE)}
    asked: Row = {
        "prompt": find_text(given.get("prompt"), c.QUESTION),
        "reference": text(given.get("reference")),
        "context": find_contexts(given),
    }
    paired = _BASELINE in given
    model = "candidate" if paired else None
    yield asked | {"model": model, "response": text(given.get("response")), SCORES: scores_of(named)}
    if paired:
        yield asked | {"model": "baseline", "response": text(given[_BASELINE]), SCORES: None}


def _is_vertex(record: Record) -> bool:
    given = fields(read_json(record.get("instance"))) or record
    return {"prompt", "response"} <= given.keys() and any(name.endswith(_VERTEX_SCORE) for name in record)


VERTEX = Tool(
    name="a Vertex AI evaluation",
    wrote=_is_vertex,
    rows=_read_vertex,
    words={
        "prompt": c.QUESTION,
        "reference": c.ANSWER,
        "context": c.CONTEXTS,
        "model": c.PIPELINE,
        "response": c.RESPONSE,
        SCORES: c.THEIR_SCORES,
    },
)


def _read_opik(record: Record) -> Iterator[Row]:
    """A dataset item (`dataset.…`) and what came of it; of several experiments each has its name before its columns."""
    words = _find_words(_fields_of(record, "dataset"))
    experiments = [name.removesuffix("output") for name in record if name == "output" or name.endswith(".output")]
    for prefix in experiments:
        if prefix.startswith("dataset."):
            continue
        scores = f"{prefix}feedback_scores."
        seconds = record.get(f"{prefix}duration")
        yield {
            "dataset.input": find_text(words.get(c.QUESTION), c.QUESTION),
            "dataset.expected_output": find_text(words.get(c.ANSWER), c.ANSWER, c.RESPONSE),
            "experiment": prefix.removesuffix(".") or None,
            "output": find_text(record[f"{prefix}output"], c.RESPONSE, c.ANSWER),
            "duration": float(str(seconds)) if is_number(seconds) and seconds is not None else None,
            SCORES: scores_of({name.removeprefix(scores): each for name, each in record.items() if scores in name}),
        }


OPIK = Tool(
    name="an Opik experiment",
    wrote=lambda record: (
        any(name.startswith("dataset.") for name in record)
        and any(name == "output" or (name.endswith(".output") and not name.startswith("dataset.")) for name in record)
    ),
    rows=_read_opik,
    words={
        "dataset.input": c.QUESTION,
        "dataset.expected_output": c.ANSWER,
        "experiment": c.PIPELINE,
        "output": c.RESPONSE,
        "duration": c.LATENCY_MS,
        SCORES: c.THEIR_SCORES,
    },
)


def _is_bedrock(record: Record) -> bool:
    if isinstance(inside(record, _TURNS, 0), dict):
        return True
    return "prompt" in fields(record.get("inputRecord")) and "modelResponses" in record


def _read_bedrock(record: Record) -> Iterator[Row]:
    yield from map(_read_bedrock_turn, items(record[_TURNS])) if _TURNS in record else _read_bedrock_models(record)


def _read_bedrock_turn(turn: object) -> Row:
    """A turn of a job on knowledge bases or other RAG sources: what it was given, and in results what came of it."""
    asked, output = inside(turn, "inputRecord") or turn, inside(turn, "output")
    passages = items(inside(output, "retrievedPassages", "retrievalResults"))
    results = items(inside(turn, "results"))
    references = [_read_bedrock_content(each) for each in items(inside(asked, "referenceResponses"))]
    return {
        "inputRecord.prompt": _read_bedrock_content(inside(asked, "prompt")),
        "inputRecord.referenceResponse": variants([each for each in references if each], c.OR_DELIMITER),
        "modelIdentifier": text(inside(output, "knowledgeBaseIdentifier") or inside(output, "modelIdentifier")),
        "response": text(inside(output, "text")),
        "retrievedPassages": texts([_read_bedrock_passage(each) for each in passages]),
        SCORES: [score(str(name), inside(each, "result")) for each in results if (name := inside(each, "metricName"))],
    }


def _read_bedrock_passage(value: object) -> dict[str, object]:
    """A retrieved passage: its text, where it is from, and its score."""
    location = fields(inside(value, "location"))
    uri = next((inside(place, "uri") or inside(place, "url") for place in location.values() if fields(place)), None)
    return {"text": _read_bedrock_content(value) or "", "uri": uri, "score": inside(value, "score")}


def _read_bedrock_content(value: object) -> str | None:
    """The text of a message or a passage, whose content may come in parts."""
    content = inside(value, "content")
    parts = [text(inside(each, "text")) for each in (content if isinstance(content, list) else [content])]
    return "\n".join(filter(None, parts)) or None


def _read_bedrock_models(record: Record) -> Iterator[Row]:
    results = items(inside(record, "automatedEvaluationResult", "scores"))
    # A metric without a name stands in some files: there is no telling which it is.
    scores = [score(str(name), inside(each, "result")) for each in results if (name := inside(each, "metricName"))]
    explained = [text(inside(each, "evaluatorDetails", 0, "explanation")) for each in results]
    for given in items(record["modelResponses"]):
        yield {
            **read_fields(record, "inputRecord.prompt", "inputRecord.referenceResponse", "inputRecord.category"),
            **read_fields(given, "modelIdentifier", "response"),
            "explanation": "\n".join(filter(None, explained)) or None,
            SCORES: scores,
        }


BEDROCK = Tool(
    name="Bedrock evaluation output",
    wrote=_is_bedrock,
    rows=_read_bedrock,
    words={
        "inputRecord.prompt": c.QUESTION,
        "inputRecord.referenceResponse": c.ANSWER,
        "inputRecord.category": c.CATEGORY,
        "modelIdentifier": c.PIPELINE,
        "response": c.RESPONSE,
        "retrievedPassages": c.CONTEXTS,
        SCORES: c.THEIR_SCORES,
    },
)


def _is_langfuse(record: Record) -> bool:
    return {"input", "expectedOutput"} <= record.keys()


def _read_langfuse(record: Record) -> Iterator[Row]:
    beside = ordinary(record)
    numbers = [
        name for name, value in record.items() if name not in (*_NO_LANGFUSE_SCORES, *beside) and is_number(value)
    ]
    seconds = record.get("latency")
    yield beside | {
        "input": _read_langfuse_cell(record["input"]),
        "expectedOutput": _read_langfuse_cell(record["expectedOutput"]),
        "output": _read_langfuse_cell(record.get("output")),
        "contexts": find_contexts(record.get("output"), record.get("input"), record.get("metadata")),
        "latency": float(seconds) * MS if seconds is not None and is_number(seconds) else None,
        SCORES: [score(name, record[name]) for name in numbers],
    }


def _read_langfuse_cell(cell: object) -> str | None:
    """The text in a cell of JSON: of an object the field that is called like a question or an answer, or its only one.

    Any other cell is as it stands.
    """
    try:
        value = json.loads(cell) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        return text(cell)
    if isinstance(value, dict) and value:
        name = next(
            (each for each in _LANGFUSE_FIELDS if each in value), next(iter(value)) if len(value) == 1 else None
        )
        return text(value[name]) if name is not None else text(cell)
    return value if isinstance(value, str) else text(cell)


LANGFUSE = Tool(
    name="a Langfuse CSV",
    wrote=_is_langfuse,
    rows=_read_langfuse,
    words=add_ordinary(
        {
            "input": c.QUESTION,
            "expectedOutput": c.ANSWER,
            "output": c.RESPONSE,
            "latency": c.LATENCY_MS,
            "contexts": c.CONTEXTS,
            SCORES: c.THEIR_SCORES,
        }
    ),
)


def _read_braintrust(record: Record) -> Iterator[Row]:
    metrics = fields(record.get("metrics"))
    seconds = _measure_duration(metrics)
    yield {
        "input": find_question(record.get("input")),
        "expected": find_answer(record.get("expected")),
        "experiment": text(record.get("experiment_name") or record.get("experiment")),
        "output": None if record.get("error") else find_answer(record.get("output")),
        "metrics.duration": seconds,
        SCORES: scores_of(fields(record.get("scores"))),
    }


def _measure_duration(metrics: Mapping[str, object]) -> float | None:
    start, end = metrics.get("start"), metrics.get("end")
    return (end - start) * MS if isinstance(start, int | float) and isinstance(end, int | float) else None


BRAINTRUST = Tool(
    name="a Braintrust experiment",
    wrote=lambda record: {"input", "expected", "output", "scores"} <= record.keys() and not {"models"} & record.keys(),
    rows=_read_braintrust,
    words={
        "input": c.QUESTION,
        "expected": c.ANSWER,
        "experiment": c.PIPELINE,
        "output": c.RESPONSE,
        "metrics.duration": c.LATENCY_MS,
        SCORES: c.THEIR_SCORES,
    },
)
