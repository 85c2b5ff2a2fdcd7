"""What evaluation libraries write: Ragas, DeepEval, Giskard's test sets, and LLM Comparator's two models side
by side.
"""

from collections.abc import Iterator

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
    text,
    texts,
    variants,
)
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.loading.column_values import read_printed
from qaviz.model.columns import (
    ANSWER,
    CATEGORY,
    CONTEXTS,
    FACT,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    RESPONSE,
    SOURCE,
    TAGS,
    THEIR_SCORES,
)

_FIELDS = frozenset((
    "user_input", "response", "reference", "retrieved_contexts", "reference_contexts", "retrieved_context_ids",
    "reference_context_ids", "multi_responses", "rubrics", "rubric", "persona_name", "query_style", "query_length",
    "synthesizer_name", "reference_tool_calls", "reference_topics",
    "question", "answer", "contexts", "ground_truth", "ground_truths", "evolution_type", "metadata", "episode_done",
    "id", "question_id", "index", "Unnamed: 0", "column 1",
))  # fmt: skip  # a line a name would be a page of names
"""What is no metric: a column of any other name is, where it holds numbers."""

_CASES = ("testCases", "test_cases")
_RUN = "testRunData"

_ANSWERS = ("agent_answer", "assistant")

_SIDES = (("output_text_a", 1), ("output_text_b", -1))
"""Each model's output, and the sign of a score in its favour: the file's scores are above 0 where A is better."""
_CUSTOM = "custom_fields."
_SIDE_BY_SIDE = "side by side"


def _is_ragas(record: Record) -> bool:
    names = record.keys()
    later = "user_input" in names and bool({"response", "reference", "retrieved_contexts"} & names)
    if isinstance(record.get("question"), list):
        return False  # columns side by side
    return later or ({"question", "contexts", "answer"} <= names and bool({"ground_truth", "ground_truths"} & names))


def _ragas(record: Record) -> Iterator[Row]:
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
    wrote=_is_ragas,
    rows=_ragas,
    words=and_ordinary(_OWN),
)


def _is_deepeval(record: Record) -> bool:
    if any(inside(case, "input") is not None for case in _cases(record)[:1]):
        return True
    return "input" in record and "actual_output" in record and "expected_output" in record


def _cases(record: object) -> list[object]:
    """The test cases of a run; none in a dataset."""
    within = inside(record, _RUN) or record
    return next((cases for name in _CASES if (cases := items(inside(within, name)))), [])


def _deepeval(record: Record) -> Iterator[Row]:
    yield from map(_row, _cases(record) or [record])


def _row(case: object) -> Row:
    metrics = items(inside(case, "metricsData") or inside(case, "metrics_data"))
    return ordinary(fields(case)) | {
        "input": text(inside(case, "input")),
        "expected_output": _either(case, "expected_output", "expectedOutput"),
        "actual_output": _either(case, "actual_output", "actualOutput"),
        "retrieval_context": texts(
            _split_contexts(inside(case, "retrieval_context") or inside(case, "retrievalContext"))
        ),
        "source_file": _either(case, "source_file", "sourceFile"),
        SCORES: [
            score(text(name) or "", inside(each, "score"), inside(each, "error"))
            for each in metrics
            if (name := inside(each, "name"))
        ],
    }


def _either(case: object, *names: str) -> str | None:
    return next((text(inside(case, name)) for name in names if inside(case, name) is not None), None)


def _split_contexts(contexts: object) -> object:
    """CSV holds several contexts in one cell, with a bar between them."""
    return contexts.split("|") if isinstance(contexts, str) else contexts


DEEPEVAL = Tool(
    name="DeepEval test cases",
    wrote=_is_deepeval,
    rows=_deepeval,
    words=and_ordinary(
        {
            "input": QUESTION,
            "expected_output": ANSWER,
            "source_file": SOURCE,
            "actual_output": RESPONSE,
            "retrieval_context": CONTEXTS,
            SCORES: THEIR_SCORES,
        }
    ),
)


def _is_giskard(record: Record) -> bool:
    return {"question", "reference_answer", "reference_context"} <= record.keys()


def _giskard(record: Record) -> Iterator[Row]:
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
    wrote=_is_giskard,
    rows=_giskard,
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


def _is_llm_comparator(record: Record) -> bool:
    return len(items(record.get("models"))) > 1 and "output_text_a" in fields(inside(record, "examples", 0))


def _llm_comparator(record: Record) -> Iterator[Row]:
    models = [text(inside(model, "name")) for model in items(record["models"])]
    for example in items(record["examples"]):
        custom = {f"{_CUSTOM}{name}": text(value) for name, value in fields(inside(example, "custom_fields")).items()}
        tags = [text(tag) or "" for tag in items(inside(example, "tags"))]
        given = inside(example, "score")
        for (side, sign), model in zip(_SIDES, models, strict=False):
            yield custom | {
                "input_text": text(inside(example, "input_text")),
                "tags": "; ".join(tags) or None,
                "models.name": model,
                side[:-2]: text(inside(example, side)),
                SCORES: [score(_SIDE_BY_SIDE, float(given) * sign)] if is_number(given) else None,
            }


_OF_CUSTOM = {f"{_CUSTOM}{alias}": word for word in (ANSWER, FACT, CATEGORY) for alias in GOLDEN_NAMES[word]}

LLM_COMPARATOR = Tool(
    name="an LLM Comparator file",
    wrote=_is_llm_comparator,
    rows=_llm_comparator,
    words={
        "input_text": QUESTION,
        **_OF_CUSTOM,
        "tags": TAGS,
        "models.name": PIPELINE,
        "output_text": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)
