"""Amazon Bedrock's evaluation jobs, of models, automatic or judged, and of RAG: `..._output.jsonl` in the bucket."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import Record, Row, Tool, fields, inside, items, score, text, texts, variants
from qaviz.model.columns import ANSWER, CATEGORY, CONTEXTS, OR_DELIMITER, PIPELINE, QUESTION, RESPONSE, THEIR_SCORES

_TURNS = "conversationTurns"


def _wrote(record: Record) -> bool:
    if isinstance(inside(record, _TURNS, 0), dict):
        return True
    return "prompt" in fields(record.get("inputRecord")) and "modelResponses" in record


def _rows(record: Record) -> Iterator[Row]:
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
    wrote=_wrote,
    rows=_rows,
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
