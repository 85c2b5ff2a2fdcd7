"""DeepEval: datasets as `save_as` writes them, and the test cases of a test run."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import (
    Record,
    Row,
    Tool,
    and_ordinary,
    fields,
    inside,
    items,
    ordinary,
    score,
    text,
    texts,
)
from qaviz.model.columns import ANSWER, CONTEXTS, QUESTION, RESPONSE, SOURCE, THEIR_SCORES

_CASES = ("testCases", "test_cases")
_RUN = "testRunData"


def _wrote(record: Record) -> bool:
    if any(inside(case, "input") is not None for case in _cases(record)[:1]):
        return True
    return "input" in record and "actual_output" in record and "expected_output" in record


def _cases(record: object) -> list[object]:
    """The test cases of a run; none in a dataset."""
    within = inside(record, _RUN) or record
    return next((cases for name in _CASES if (cases := items(inside(within, name)))), [])


def _rows(record: Record) -> Iterator[Row]:
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
    wrote=_wrote,
    rows=_rows,
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
