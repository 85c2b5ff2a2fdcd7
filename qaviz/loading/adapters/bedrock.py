"""Amazon Bedrock's evaluation jobs, automatic and with a model as judge: `..._output.jsonl` in the bucket."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import Record, Row, Tool, fields, inside, items, score, text
from qaviz.model.columns import ANSWER, CATEGORY, PIPELINE, QUESTION, RESPONSE, THEIR_SCORES


def _wrote(record: Record) -> bool:
    return "prompt" in fields(record.get("inputRecord")) and "modelResponses" in record


def _rows(record: Record) -> Iterator[Row]:
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
    wrote=_wrote,
    rows=_rows,
    words={
        "inputRecord.prompt": QUESTION,
        "inputRecord.referenceResponse": ANSWER,
        "inputRecord.category": CATEGORY,
        "modelIdentifier": PIPELINE,
        "response": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)
