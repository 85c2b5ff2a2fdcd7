"""MLflow: the table of `mlflow.evaluate`, and traces and records of `mlflow.genai` with what was expected of them."""

import json
from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import (
    Record,
    Row,
    Score,
    Tool,
    and_ordinary,
    fields,
    inside,
    is_number,
    items,
    ordinary,
    score,
    text,
    texts,
    variants,
)
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.loading.column_values import read_printed
from qaviz.model.columns import AND_DELIMITER, ANSWER, CONTEXTS, FACT, LATENCY_MS, QUESTION, RESPONSE, THEIR_SCORES

_SCORE = "/score"
"""How a score's column ends in the table of `mlflow.evaluate`."""
_VALUE = "/value"
"""How an assessment's column ends in a table of traces; what was expected is one too."""
_TRACE = frozenset(("trace_id", "request", "response"))
_EXPECTED = ("expected_response", "expected_answer", "ground_truth")
_FACTS = "expected_facts"
_SAID = ("response", "output", "answer", "content", "text")
"""What a field of outputs that holds the response may be called."""
_S = 1000
"""Milliseconds of a second."""


def _wrote(record: Record) -> bool:
    if isinstance(record.get("columns"), list) and isinstance(record.get("data"), list):
        names = {text(name) or "" for name in record["columns"]}
    else:
        names = set(record)
    if {"inputs", "outputs"} <= names or names >= _TRACE or any(name.endswith(_SCORE) for name in names):
        return True
    return isinstance(record.get("inputs"), dict) and isinstance(record.get("expectations"), dict)


def _rows(record: Record) -> Iterator[Row]:
    if "columns" in record and "data" in record:
        names = [text(name) or "" for name in items(record["columns"])]
        for cells in items(record["data"]):
            yield _row(dict(zip(names, items(cells), strict=False)))
    else:
        yield _row(record)


def _row(record: Record) -> Row:
    return _of_trace(record) if record.keys() >= _TRACE else _of_table(record)


def _of_table(record: Record) -> Row:
    expected = fields(record.get("expectations"))
    own = {
        "inputs": _find_question(record.get("inputs")),
        "expectations": _answer(expected),
        "expectations.expected_facts": _facts(expected.get(_FACTS)),
        "outputs": _read_output(record.get("outputs")),
        "predictions": _read_output(record.get("predictions")),
        "latency": _ms(record.get("latency"), _S),
        "retrieved_context": texts(record.get("retrieved_context")),
    }
    beside = ordinary(record)
    scores = [
        score(name.removesuffix(_SCORE).removesuffix(_VALUE), value)
        for name, value in record.items()
        if name not in own and name not in beside and (name.endswith((_SCORE, _VALUE)) or is_number(value))
    ]
    return beside | own | {SCORES: [_verdict(each) for each in scores] + _feedback(items(record.get("assessments")))}


def _of_trace(record: Record) -> Row:
    """A row of `EvaluationResult.result_df`, or of `search_traces` after an evaluation."""
    assessments = items(read_printed(record.get("assessments"), list))
    values = {name.removesuffix(_VALUE): value for name, value in record.items() if name.endswith(_VALUE)}
    expected = values | {_name(each): _expectation(each) for each in assessments if inside(each, "expectation")}
    scores = [score(name, value) for name, value in values.items() if name not in (*_EXPECTED, _FACTS)]
    return ordinary(record) | {
        "request": _find_question(record["request"]),
        "expected_response/value": _answer(expected),
        "expected_facts/value": _facts(expected.get(_FACTS)),
        "response": _read_output(record["response"]),
        "execution_duration": _ms(record.get("execution_duration")),
        SCORES: _feedback(assessments) or [_verdict(each) for each in scores],
    }


def _name(assessment: object) -> str:
    return text(inside(assessment, "assessment_name") or inside(assessment, "name")) or ""


def _expectation(assessment: object) -> object:
    value = inside(assessment, "expectation", "value")
    return _object(inside(assessment, "expectation", "serialized_value", "value")) if value is None else value


def _feedback(assessments: list[object]) -> list[Score]:
    """The scores among the assessments; of one that failed, why."""
    given = [(_name(each), inside(each, "feedback")) for each in assessments if inside(each, "expectation") is None]
    return [
        _verdict(score(name, inside(each, "value"), inside(each, "error", "error_message") or inside(each, "error")))
        for name, each in given
        if name
    ]


def _verdict(given: Score) -> Score:
    """A judge's yes and no are 1 and 0."""
    said = {"yes": True, "no": False}.get(str(given["error"]).lower())
    return given if said is None else score(given["name"], said)


def _ms(time: object, unit: int = 1) -> float | None:
    """The time in milliseconds. Responses that were there before the evaluation took none in it."""
    found = score("time", time)["value"]
    return found * unit if found else None


def _answer(expected: Record) -> str | None:
    return next((text(expected[name]) for name in _EXPECTED if expected.get(name) is not None), None)


def _facts(expected: object) -> str | None:
    """All of them have to be stated."""
    return variants(read_printed(expected, list), AND_DELIMITER)


def _find_question(inputs: object) -> str | None:
    """The question among the inputs: the field that is called so, or the only one."""
    inputs = _object(inputs)
    if not isinstance(inputs, dict):
        return text(inputs)
    name = next((each for each in GOLDEN_NAMES[QUESTION] if each in inputs), None)
    messages = items(inputs.get("messages"))
    if name is None and messages:
        return text(inside(messages, -1, "content"))
    return text(inputs[name] if name else next(iter(inputs.values())) if len(inputs) == 1 else inputs)


def _object(cell: object) -> object:
    """The object or list in a cell of JSON, or as Python prints it; any other cell as it is."""
    try:
        value = json.loads(cell) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        return read_printed(cell, dict)
    return value if isinstance(value, dict | list) else cell


def _read_output(outputs: object) -> str | None:
    outputs = read_printed(outputs, dict) if text(outputs) and str(outputs).startswith("{'") else outputs
    name = next((each for each in _SAID if each in fields(outputs)), None)
    return text(inside(outputs, name) if name else outputs)


MLFLOW = Tool(
    name="an MLflow evaluation table",
    wrote=_wrote,
    rows=_rows,
    words=and_ordinary(
        {
            "inputs": QUESTION,
            "request": QUESTION,
            "expectations": ANSWER,
            "expected_response/value": ANSWER,
            "expectations.expected_facts": FACT,
            "expected_facts/value": FACT,
            "outputs": RESPONSE,
            "predictions": RESPONSE,
            "response": RESPONSE,
            "latency": LATENCY_MS,
            "execution_duration": LATENCY_MS,
            "retrieved_context": CONTEXTS,
            SCORES: THEIR_SCORES,
        }
    ),
)
