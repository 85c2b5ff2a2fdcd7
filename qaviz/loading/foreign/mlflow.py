"""MLflow: the table of `mlflow.evaluate`, and records of its newer evaluation with inputs, outputs and expectations."""

from collections.abc import Iterator

from qaviz.loading.foreign.tool import THEIR_SCORES as SCORES
from qaviz.loading.foreign.tool import (
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
    text,
    texts,
)
from qaviz.loading.names import GOLDEN_NAMES
from qaviz.model import ANSWER, CONTEXTS, FACT, QUESTION, RESPONSE, THEIR_SCORES

_SCORE_ENDS = ("/score", "/value")
_ASSESSMENTS = "assessments"
_SAID = ("response", "output", "answer", "content", "text")
"""What a field of outputs that holds the response may be called."""


def _wrote(record: Record) -> bool:
    if isinstance(record.get("columns"), list) and isinstance(record.get("data"), list):
        return {"inputs", "outputs"} <= {text(name) for name in record["columns"]}
    if {"inputs", "outputs"} <= record.keys():
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
    expected = fields(record.get("expectations"))
    facts = expected.get("expected_facts")
    own = {
        "inputs": _asked(record.get("inputs")),
        "expectations": text(expected.get("expected_response", expected.get("expected_answer"))),
        "expectations.expected_facts": text(facts[0]) if isinstance(facts, list) and len(facts) == 1 else text(facts),
        "outputs": _said(record.get("outputs")),
        "retrieved_context": texts(record.get("retrieved_context")),
    }
    beside = ordinary(record)
    scores = [
        score(name.removesuffix("/score").removesuffix("/value"), value)
        for name, value in record.items()
        if name not in own and name not in beside and (name.endswith(_SCORE_ENDS) or is_number(value))
    ]
    scores += [
        score(text(name) or "", inside(each, "feedback", "value"), inside(each, "feedback", "error"))
        for each in items(record.get(_ASSESSMENTS))
        if (name := inside(each, "assessment_name") or inside(each, "name"))
    ]
    return beside | own | {SCORES: [_verdict(each) for each in scores]}


def _verdict(given: Row) -> Row:
    """A judge's yes and no are 1 and 0."""
    said = {"yes": True, "no": False}.get(str(given["error"]).lower())
    return given if said is None else score(given["name"], said)


def _asked(inputs: object) -> str | None:
    """The question among the inputs: the field that is called so, or the only one."""
    if not isinstance(inputs, dict):
        return text(inputs)
    name = next((each for each in GOLDEN_NAMES[QUESTION] if each in inputs), None)
    messages = items(inputs.get("messages"))
    if name is None and messages:
        return text(inside(messages, -1, "content"))
    return text(inputs[name] if name else next(iter(inputs.values())) if len(inputs) == 1 else inputs)


def _said(outputs: object) -> str | None:
    name = next((each for each in _SAID if each in fields(outputs)), None)
    return text(inside(outputs, name) if name else outputs)


MLFLOW = Tool(
    name="an MLflow evaluation table",
    wrote=_wrote,
    rows=_rows,
    words=and_ordinary(
        {
            "inputs": QUESTION,
            "expectations": ANSWER,
            "expectations.expected_facts": FACT,
            "outputs": RESPONSE,
            "retrieved_context": CONTEXTS,
            SCORES: THEIR_SCORES,
        }
    ),
)
