"""Giskard RAGET: a test set, and the report's rows with the agent's answers."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import Record, Row, Tool, and_ordinary, inside, is_number, ordinary, score, text
from qaviz.model.columns import ANSWER, CATEGORY, QUESTION, RESPONSE, THEIR_SCORES

_ANSWERS = ("agent_answer", "assistant")


def _wrote(record: Record) -> bool:
    return {"question", "reference_answer", "reference_context"} <= record.keys()


def _rows(record: Record) -> Iterator[Row]:
    beside = ordinary(record)
    numbers = [name for name, value in record.items() if name not in (*_ANSWERS, *beside) and is_number(value)]
    given = next((record[name] for name in _ANSWERS if record.get(name) is not None), None)
    yield beside | {
        "metadata.question_type": text(inside(record.get("metadata"), "question_type")),
        "agent_answer": text(given),
        "correctness_reason": text(record.get("correctness_reason")),
        SCORES: [score(name, record[name]) for name in numbers],
    }


GISKARD = Tool(
    name="a Giskard test set",
    wrote=_wrote,
    rows=_rows,
    words=and_ordinary(
        {
            "question": QUESTION,
            "reference_answer": ANSWER,
            "metadata.question_type": CATEGORY,
            "agent_answer": RESPONSE,
            SCORES: THEIR_SCORES,
        }
    ),
)
