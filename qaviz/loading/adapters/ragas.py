"""Ragas: what `evaluate(...).to_pandas()` holds, written as CSV or JSON, datasets and testsets; 0.1 and later."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import (
    Record,
    Row,
    Tool,
    and_ordinary,
    inside,
    is_number,
    items,
    ordinary,
    score,
    text,
    texts,
    variants,
)
from qaviz.loading.printed_values import read_printed
from qaviz.model.columns import ANSWER, CATEGORY, CONTEXTS, OR_DELIMITER, QUESTION, RESPONSE, THEIR_SCORES

_FIELDS = frozenset((
    "user_input", "response", "reference", "retrieved_contexts", "reference_contexts", "retrieved_context_ids",
    "reference_context_ids", "multi_responses", "rubrics", "rubric", "persona_name", "query_style", "query_length",
    "synthesizer_name", "reference_tool_calls", "reference_topics",
    "question", "answer", "contexts", "ground_truth", "ground_truths", "evolution_type", "metadata", "episode_done",
    "id", "question_id", "index", "Unnamed: 0", "column 1",
))  # fmt: skip  # a line a name would be a page of names
"""What is no metric: a column of any other name is, where it holds numbers."""


def _wrote(record: Record) -> bool:
    names = record.keys()
    later = "user_input" in names and bool({"response", "reference", "retrieved_contexts"} & names)
    if isinstance(record.get("question"), list):
        return False  # columns side by side
    return later or ({"question", "contexts", "answer"} <= names and bool({"ground_truth", "ground_truths"} & names))


def _rows(record: Record) -> Iterator[Row]:
    beside = ordinary(record)
    others = [name for name in record if name not in _FIELDS and name not in beside]
    metrics = [name for name in others if record[name] is None or is_number(record[name])]
    truths = read_printed(record.get("ground_truths"), list)
    yield beside | {
        "user_input": _conversation(record.get("user_input")),
        "question": text(record.get("question")),
        "reference": text(record.get("reference")),
        "ground_truth": text(record.get("ground_truth")),
        "ground_truths": variants(truths, OR_DELIMITER),
        "response": text(record.get("response")),
        "answer": text(record.get("answer")),
        "retrieved_contexts": texts(read_printed(record.get("retrieved_contexts"), list)),
        "contexts": texts(read_printed(record.get("contexts"), list)),
        "reference_contexts": texts(read_printed(record.get("reference_contexts"), list)),
        "synthesizer_name": text(record.get("synthesizer_name")),
        "evolution_type": text(record.get("evolution_type")),
        SCORES: [score(name, record[name]) for name in metrics] or None,
    }


def _conversation(asked: object) -> str | None:
    """The question, or of a conversation what was said last by a person."""
    said = [text(inside(each, "content")) for each in items(asked) if inside(each, "type") in ("human", None)]
    return said[-1] if said else text(asked)


_OWN = {
    "user_input": QUESTION,
    "question": QUESTION,
    "reference": ANSWER,
    "ground_truth": ANSWER,
    "ground_truths": ANSWER,
    "synthesizer_name": CATEGORY,
    "evolution_type": CATEGORY,
    "response": RESPONSE,
    "answer": RESPONSE,
    "retrieved_contexts": CONTEXTS,
    "contexts": CONTEXTS,
    SCORES: THEIR_SCORES,
}
"""Its columns, the later release's first."""

RAGAS = Tool(
    name="Ragas results",
    wrote=_wrote,
    rows=_rows,
    words=and_ordinary(_OWN),
)
