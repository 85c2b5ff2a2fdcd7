"""Exports of evaluation services: Azure AI, Vertex AI, Opik, spans of Phoenix and Arize as a table, Amazon Bedrock's
evaluation jobs, and Langfuse.
"""

import json
from collections.abc import Iterator, Mapping

from qaviz.loading.adapters.evaluation_tools import find_text
from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import (
    Record,
    Row,
    Tool,
    and_ordinary,
    fields,
    inside,
    is_number,
    items,
    ordinary,
    score,
    scores_of,
    text,
    texts,
    variants,
)
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.column_values import read_json, read_printed
from qaviz.model.columns import (
    ANSWER,
    CATEGORY,
    CONTEXTS,
    LATENCY_MS,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    RESPONSE,
    THEIR_SCORES,
)

_MS = 1000

_TURNS = "conversationTurns"

_NO_SCORES = ("expectedOutput", "metadata", "createdAt", "updatedAt")
_FIELDS = (*GOLDEN_NAMES[QUESTION], *GOLDEN_NAMES[ANSWER], "content", "text")


def _by_word(given: Mapping[str, object]) -> dict[str, object]:
    """The values of fields whose names say which word of ours they are: of several the first that is filled."""
    found: dict[str, object] = {}
    for name, value in given.items():
        word = read_column_name(name).word
        if word and value is not None:
            found.setdefault(word, value)
    return found


def _inside(record: Record, outer: str) -> dict[str, object]:
    """The fields of the object of this name, or the columns whose names begin with it and a dot."""
    flat = {name.removeprefix(f"{outer}."): value for name, value in record.items() if name.startswith(f"{outer}.")}
    return flat or fields(record.get(outer))


def _azure(record: Record) -> Iterator[Row]:
    """Rows of `evaluate(output_path=...)`: the columns of the data, the target's outputs, and `outputs.metric.name`."""
    for each in items(record.get("rows")) or [record]:
        given, came = _inside(fields(each), "inputs"), _inside(fields(each), "outputs")
        words = _by_word(given)
        said = {name: value for name, value in came.items() if "." not in name}
        yield {
            "inputs.query": find_text(words.get(QUESTION), QUESTION),
            "inputs.ground_truth": text(words.get(ANSWER)),
            "inputs.context": texts(words.get(CONTEXTS)),
            "outputs.response": text(_by_word(said).get(RESPONSE, words.get(RESPONSE))),
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
    rows=_azure,
    words={
        "inputs.query": QUESTION,
        "inputs.ground_truth": ANSWER,
        "inputs.context": CONTEXTS,
        "outputs.response": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)

_VERTEX_SCORE = "/score"
_BASELINE = "baseline_model_response"


def _vertex(record: Record) -> Iterator[Row]:
    """The metrics table of an evaluation task; of a pairwise one both models' responses."""
    given = fields(read_json(record.get("instance"))) or record
    named = {name.removesuffix(_VERTEX_SCORE): value for name, value in record.items() if name.endswith(_VERTEX_SCORE)}
    asked = {"prompt": find_text(given.get("prompt"), QUESTION), "reference": text(given.get("reference"))}
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
    rows=_vertex,
    words={"prompt": QUESTION, "reference": ANSWER, "model": PIPELINE, "response": RESPONSE, SCORES: THEIR_SCORES},
)


def _opik(record: Record) -> Iterator[Row]:
    """A dataset item (`dataset.…`) and what came of it; of several experiments each has its name before its columns."""
    words = _by_word(_inside(record, "dataset"))
    experiments = [name.removesuffix("output") for name in record if name == "output" or name.endswith(".output")]
    for prefix in experiments:
        if prefix.startswith("dataset."):
            continue
        scores = f"{prefix}feedback_scores."
        seconds = record.get(f"{prefix}duration")
        yield {
            "dataset.input": find_text(words.get(QUESTION), QUESTION),
            "dataset.expected_output": find_text(words.get(ANSWER), ANSWER, RESPONSE),
            "experiment": prefix.removesuffix(".") or None,
            "output": find_text(record[f"{prefix}output"], RESPONSE, ANSWER),
            "duration": float(str(seconds)) if is_number(seconds) and seconds is not None else None,
            SCORES: scores_of({name.removeprefix(scores): each for name, each in record.items() if scores in name}),
        }


OPIK = Tool(
    name="an Opik experiment",
    wrote=lambda record: (
        any(name.startswith("dataset.") for name in record)
        and any(name == "output" or (name.endswith(".output") and not name.startswith("dataset.")) for name in record)
    ),
    rows=_opik,
    words={
        "dataset.input": QUESTION,
        "dataset.expected_output": ANSWER,
        "experiment": PIPELINE,
        "output": RESPONSE,
        "duration": LATENCY_MS,
        SCORES: THEIR_SCORES,
    },
)


def _span(record: Record) -> Iterator[Row]:
    """A span of a table as `get_spans_dataframe` has it; only the outermost of a trace is a question's response."""
    if record.get("parent_id"):
        return
    named = {name[len("eval.") : -len(".score")]: value for name, value in record.items() if _is_eval_score(name)}
    yield {
        "attributes.input.value": find_text(_value(record.get("attributes.input.value")), QUESTION),
        "attributes.llm.model_name": text(record.get("attributes.llm.model_name")) or None,
        "attributes.output.value": find_text(_value(record.get("attributes.output.value")), RESPONSE, ANSWER),
        SCORES: scores_of(named),
    }


def _is_eval_score(name: str) -> bool:
    return name.startswith("eval.") and name.endswith(".score")


def _value(cell: object) -> object:
    return read_printed(read_json(cell), dict)


SPAN_TABLE = Tool(
    name="spans of Phoenix or Arize",
    wrote=lambda record: {"attributes.input.value", "attributes.output.value"} <= record.keys(),
    rows=_span,
    words={
        "attributes.input.value": QUESTION,
        "attributes.llm.model_name": PIPELINE,
        "attributes.output.value": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)

EVALUATION_SERVICES = (AZURE, VERTEX, OPIK, SPAN_TABLE)
"""In the order in which they are asked whether a file is theirs."""


def _is_bedrock(record: Record) -> bool:
    if isinstance(inside(record, _TURNS, 0), dict):
        return True
    return "prompt" in fields(record.get("inputRecord")) and "modelResponses" in record


def _bedrock(record: Record) -> Iterator[Row]:
    yield from map(_of_turn, items(record[_TURNS])) if _TURNS in record else _of_model(record)


def _of_turn(turn: object) -> Row:
    """A turn of a job on knowledge bases or other RAG sources: what it was given, and in results what came of it."""
    asked, output = inside(turn, "inputRecord") or turn, inside(turn, "output")
    passages = items(inside(output, "retrievedPassages", "retrievalResults"))
    results = items(inside(turn, "results"))
    references = [_content(each) for each in items(inside(asked, "referenceResponses"))]
    return {
        "inputRecord.prompt": _content(inside(asked, "prompt")),
        "inputRecord.referenceResponse": variants([each for each in references if each], OR_DELIMITER),
        "modelIdentifier": text(inside(output, "knowledgeBaseIdentifier") or inside(output, "modelIdentifier")),
        "response": text(inside(output, "text")),
        "retrievedPassages": texts([_content(each) or "" for each in passages]),
        SCORES: [score(str(name), inside(each, "result")) for each in results if (name := inside(each, "metricName"))],
    }


def _content(value: object) -> str | None:
    """The text of a message or a passage, whose content may come in parts."""
    content = inside(value, "content")
    parts = [text(inside(each, "text")) for each in (content if isinstance(content, list) else [content])]
    return "\n".join(filter(None, parts)) or None


def _of_model(record: Record) -> Iterator[Row]:
    asked = record["inputRecord"]
    results = items(inside(record, "automatedEvaluationResult", "scores"))
    # A metric without a name stands in some files: there is no telling which it is.
    scores = [score(str(name), inside(each, "result")) for each in results if (name := inside(each, "metricName"))]
    explained = [text(inside(each, "evaluatorDetails", 0, "explanation")) for each in results]
    for given in items(record["modelResponses"]):
        yield {
            "inputRecord.prompt": text(inside(asked, "prompt")),
            "inputRecord.referenceResponse": text(inside(asked, "referenceResponse")),
            "inputRecord.category": text(inside(asked, "category")),
            "modelIdentifier": text(inside(given, "modelIdentifier")),
            "response": text(inside(given, "response")),
            "explanation": "\n".join(filter(None, explained)) or None,
            SCORES: scores,
        }


BEDROCK = Tool(
    name="Bedrock evaluation output",
    wrote=_is_bedrock,
    rows=_bedrock,
    words={
        "inputRecord.prompt": QUESTION,
        "inputRecord.referenceResponse": ANSWER,
        "inputRecord.category": CATEGORY,
        "modelIdentifier": PIPELINE,
        "response": RESPONSE,
        "retrievedPassages": CONTEXTS,
        SCORES: THEIR_SCORES,
    },
)


def _is_langfuse(record: Record) -> bool:
    return {"input", "expectedOutput"} <= record.keys()


def _langfuse(record: Record) -> Iterator[Row]:
    beside = ordinary(record)
    numbers = [name for name, value in record.items() if name not in (*_NO_SCORES, *beside) and is_number(value)]
    seconds = record.get("latency")
    yield beside | {
        "input": _bare(record["input"]),
        "expectedOutput": _bare(record["expectedOutput"]),
        "output": _bare(record.get("output")),
        "latency": float(seconds) * _MS if seconds is not None and is_number(seconds) else None,
        SCORES: [score(name, record[name]) for name in numbers],
    }


def _bare(cell: object) -> str | None:
    """The text in a cell of JSON: of an object the field that is called like a question or an answer, or its only one.

    Any other cell is as it stands.
    """
    try:
        value = json.loads(cell) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        return text(cell)
    if isinstance(value, dict) and value:
        name = next((each for each in _FIELDS if each in value), next(iter(value)) if len(value) == 1 else None)
        return text(value[name]) if name is not None else text(cell)
    return value if isinstance(value, str) else text(cell)


LANGFUSE = Tool(
    name="a Langfuse CSV",
    wrote=_is_langfuse,
    rows=_langfuse,
    words=and_ordinary(
        {
            "input": QUESTION,
            "expectedOutput": ANSWER,
            "output": RESPONSE,
            "latency": LATENCY_MS,
            SCORES: THEIR_SCORES,
        }
    ),
)
