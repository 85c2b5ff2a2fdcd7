"""What evaluation libraries write: Ragas, DeepEval, Giskard's test sets, LLM Comparator's two models side by side,
TruLens, RAGChecker and LlamaIndex's labelled questions.
"""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import (
    SCORES,
    Record,
    Row,
    Tool,
    add_ordinary,
    fields,
    find_answer,
    find_contexts,
    find_question,
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
from qaviz.loading.column_values import read_printed
from qaviz.model import columns as c

_NO_RAGAS_METRICS = frozenset((
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


def _read_ragas(record: Record) -> Iterator[Row]:
    beside = ordinary(record)
    others = [name for name in record if name not in _NO_RAGAS_METRICS and name not in beside]
    metrics = [name for name in others if record[name] is None or is_number(record[name])]
    truths = read_printed(record.get("ground_truths"), list)
    yield beside | {
        "user_input": _read_conversation(record.get("user_input")),
        **read_fields(record, "question", "reference", "ground_truth"),
        "ground_truths": variants(truths, c.OR_DELIMITER),
        **read_fields(record, "response", "answer"),
        "retrieved_contexts": texts(read_printed(record.get("retrieved_contexts"), list)),
        "contexts": texts(read_printed(record.get("contexts"), list)),
        "reference_contexts": texts(read_printed(record.get("reference_contexts"), list)),
        "retrieved_context_ids": texts(read_printed(record.get("retrieved_context_ids"), list)),
        "reference_context_ids": texts(read_printed(record.get("reference_context_ids"), list)),
        **read_fields(record, "synthesizer_name", "evolution_type"),
        SCORES: [score(name, record[name]) for name in metrics] or None,
    }


def _read_conversation(asked: object) -> str | None:
    """The question, or of a conversation what was said last by a person."""
    said = [text(inside(each, "content")) for each in items(asked) if inside(each, "type") in ("human", None)]
    return said[-1] if said else text(asked)


_RAGAS_WORDS = {
    "user_input": c.QUESTION,
    "question": c.QUESTION,
    "reference": c.ANSWER,
    "ground_truth": c.ANSWER,
    "ground_truths": c.ANSWER,
    "synthesizer_name": c.CATEGORY,
    "evolution_type": c.CATEGORY,
    "response": c.RESPONSE,
    "answer": c.RESPONSE,
    "retrieved_contexts": c.CONTEXTS,
    "contexts": c.CONTEXTS,
    "reference_contexts": c.EVIDENCE,
    "retrieved_context_ids": c.CONTEXT_IDS,
    "reference_context_ids": c.PASSAGE_ID,
    SCORES: c.THEIR_SCORES,
}
"""Its columns, the later release's first."""

RAGAS = Tool(
    name="Ragas results",
    wrote=_is_ragas,
    rows=_read_ragas,
    words=add_ordinary(_RAGAS_WORDS),
)


def _is_deepeval(record: Record) -> bool:
    if any(inside(case, "input") is not None for case in _list_deepeval_cases(record)[:1]):
        return True
    return "input" in record and "actual_output" in record and "expected_output" in record


def _list_deepeval_cases(record: object) -> list[object]:
    """The test cases of a run; none in a dataset."""
    within = inside(record, _RUN) or record
    return next((cases for name in _CASES if (cases := items(inside(within, name)))), [])


def _read_deepeval(record: Record) -> Iterator[Row]:
    yield from map(_read_deepeval_case, _list_deepeval_cases(record) or [record])


def _read_deepeval_case(case: object) -> Row:
    metrics = items(inside(case, "metricsData") or inside(case, "metrics_data"))
    return ordinary(fields(case)) | {
        "input": text(inside(case, "input")),
        "expected_output": _read_either(case, "expected_output", "expectedOutput"),
        "actual_output": _read_either(case, "actual_output", "actualOutput"),
        "retrieval_context": texts(
            _split_contexts(inside(case, "retrieval_context") or inside(case, "retrievalContext"))
        ),
        "source_file": _read_either(case, "source_file", "sourceFile"),
        SCORES: [
            score(text(name) or "", inside(each, "score"), inside(each, "error"))
            for each in metrics
            if (name := inside(each, "name"))
        ],
    }


def _read_either(case: object, *names: str) -> str | None:
    return next((text(inside(case, name)) for name in names if inside(case, name) is not None), None)


def _split_contexts(contexts: object) -> object:
    """CSV holds several contexts in one cell, with a bar between them."""
    return contexts.split("|") if isinstance(contexts, str) else contexts


DEEPEVAL = Tool(
    name="DeepEval test cases",
    wrote=_is_deepeval,
    rows=_read_deepeval,
    words=add_ordinary(
        {
            "input": c.QUESTION,
            "expected_output": c.ANSWER,
            "source_file": c.SOURCE,
            "actual_output": c.RESPONSE,
            "retrieval_context": c.CONTEXTS,
            SCORES: c.THEIR_SCORES,
        }
    ),
)


def _is_giskard(record: Record) -> bool:
    return {"question", "reference_answer", "reference_context"} <= record.keys()


def _read_giskard(record: Record) -> Iterator[Row]:
    beside = ordinary(record)
    numbers = [name for name, value in record.items() if name not in (*_ANSWERS, *beside) and is_number(value)]
    given = next((record[name] for name in _ANSWERS if record.get(name) is not None), None)
    yield beside | {
        **read_fields(record, "metadata.question_type"),
        "agent_answer": text(given),
        "correctness_reason": text(record.get("correctness_reason")),
        SCORES: [score(name, record[name]) for name in numbers],
    }


GISKARD = Tool(
    name="a Giskard test set",
    wrote=_is_giskard,
    rows=_read_giskard,
    words=add_ordinary(
        {
            "question": c.QUESTION,
            "reference_answer": c.ANSWER,
            "metadata.question_type": c.CATEGORY,
            "agent_answer": c.RESPONSE,
            SCORES: c.THEIR_SCORES,
        }
    ),
)


def _is_llm_comparator(record: Record) -> bool:
    return len(items(record.get("models"))) > 1 and "output_text_a" in fields(inside(record, "examples", 0))


def _read_llm_comparator(record: Record) -> Iterator[Row]:
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


_OF_CUSTOM = {f"{_CUSTOM}{alias}": word for word in (c.ANSWER, c.FACT, c.CATEGORY) for alias in GOLDEN_NAMES[word]}

LLM_COMPARATOR = Tool(
    name="an LLM Comparator file",
    wrote=_is_llm_comparator,
    rows=_read_llm_comparator,
    words={
        "input_text": c.QUESTION,
        **_OF_CUSTOM,
        "tags": c.TAGS,
        "models.name": c.PIPELINE,
        "output_text": c.RESPONSE,
        SCORES: c.THEIR_SCORES,
    },
)


def _read_trulens(record: Record) -> Iterator[Row]:
    # A metric stands beside its calls; in exports without them every number is one but those that TruLens counts.
    metrics = {name.removesuffix(_CALLS) for name in record if name.endswith(_CALLS)}
    figures = {name: value for name, value in record.items() if name in metrics or not (metrics or _is_count(name))}
    yield {
        "input": find_question(record.get("input") or record.get("query")),
        "expected_response": find_answer(
            record.get("expected_response") or record.get("ground_truth") or record.get("ground_truth_output")
        ),
        "app_id": _name_app(record),
        "output": find_answer(record.get("output")),
        "contexts": _find_called_contexts(record) or find_contexts(record),
        SCORES: scores_of(figures),
    }


def _find_called_contexts(record: Record) -> list[str] | None:
    """The passages that a metric of contexts was called with, which are those that were retrieved."""
    for name, calls in record.items():
        if name.endswith(_CALLS) and "context" in name.lower():
            found = [inside(call, "args", "context") for call in items(read_printed(calls, list))]
            return texts([context for context in found if context])
    return None


_CALLS = "_calls"

_COUNTS = frozenset(
    ("record_id", "app_id", "app_name", "app_version", "input", "output", "expected_response", "ground_truth", "ts",
     "latency", "total_tokens", "num_events", "sampled", "sample_rate", "is_match", "input_id", "conversation_id")
)  # fmt: skip


def _is_count(name: str) -> bool:
    return name in _COUNTS or "cost" in name


def _name_app(record: Record) -> str | None:
    """The name of the app with its version, which tells two versions of one app apart."""
    name, version = text(record.get("app_name")), text(record.get("app_version"))
    return f"{name} {version}" if name and version else name or text(record.get("app_id"))


TRULENS = Tool(
    name="TruLens records",
    wrote=lambda record: (
        {"record_id", "input", "output"} <= record.keys() and bool({"app_id", "app_name"} & set(record))
    ),
    rows=_read_trulens,
    words={
        "input": c.QUESTION,
        "expected_response": c.ANSWER,
        "app_id": c.PIPELINE,
        "output": c.RESPONSE,
        "contexts": c.CONTEXTS,
        SCORES: c.THEIR_SCORES,
    },
)


def _read_ragchecker(record: Record) -> Iterator[Row]:
    for each in items(record.get("results")) or [record]:
        metrics = {name: value for name, value in fields(inside(each, "metrics")).items() if is_number(value)}
        yield {
            **read_fields(each, "query_id", "query", "gt_answer", "response"),
            "retrieved_context": texts(items(inside(each, "retrieved_context"))),
            SCORES: scores_of(metrics),
        }


RAGCHECKER = Tool(
    name="a RAGChecker file",
    wrote=lambda record: "gt_answer" in fields(inside(record, "results", 0)) or {"query", "gt_answer"} <= record.keys(),
    rows=_read_ragchecker,
    words={
        "query_id": c.QUESTION_ID,
        "query": c.QUESTION,
        "gt_answer": c.ANSWER,
        "response": c.RESPONSE,
        "retrieved_context": c.CONTEXTS,
        SCORES: c.THEIR_SCORES,
    },
)


def _read_llamaindex(record: Record) -> Iterator[Row]:
    for each in items(record.get("examples")):
        yield {
            **read_fields(each, "query", "reference_answer"),
            "reference_contexts": texts(inside(each, "reference_contexts")),
        }


LLAMAINDEX = Tool(
    name="a LlamaIndex RAG dataset",
    wrote=lambda record: {"query", "reference_answer"} <= fields(inside(record, "examples", 0)).keys(),
    rows=_read_llamaindex,
    words={"query": c.QUESTION, "reference_answer": c.ANSWER, "reference_contexts": c.EVIDENCE},
)
