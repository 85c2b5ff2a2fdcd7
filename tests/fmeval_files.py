"""Files as FMEval writes them with `save=True`, made in a line."""

import json
from collections.abc import Mapping

from qaviz.loading import Source

FACT_SCORES = ("factual_knowledge", "factual_knowledge_quasi_exact")
ANSWER_SCORES = (
    *("f1_score", "exact_match_score", "quasi_exact_match_score", "precision_over_words", "recall_over_words"),
    "bertscore",
)
ALL_RIGHT = {"f1_score": 1.0, "exact_match_score": 1.0, "quasi_exact_match_score": 1.0}
ALL_RIGHT |= {"precision_over_words": 1.0, "recall_over_words": 1.0, "bertscore": 0.75}


def fact_row(question: str | None, response: str | None, fact: str | None, score: float = 1.0) -> dict[str, object]:
    """One line of a Factual Knowledge file."""
    return output_row(question, response, fact, dict.fromkeys(FACT_SCORES, score))


def answer_row(question: str | None, response: str | None, answer: str | None, **scores: float) -> dict[str, object]:
    """One line of a QA Accuracy file; every score is the best, but those that are given."""
    return output_row(question, response, answer, ALL_RIGHT | scores)


def failed_row(question: str, response: str | None, target: str, error: str, *names: str) -> dict[str, object]:
    """A line whose scores FMEval could not compute."""
    return output_row(question, response, target, dict.fromkeys(names, error), error=error)


def output_row(
    question: str | None, response: str | None, target: str | None, scores: Mapping[str, float | str], **fields: object
) -> dict[str, object]:
    """One line: a text among the scores is the error that stands in place of the value."""
    told = [{"name": name, "error" if isinstance(said, str) else "value": said} for name, said in scores.items()]
    return {"model_input": question, "model_output": response, "target_output": target, **fields, "scores": told}


def fmeval_file(name: str, *rows: Mapping[str, object]) -> Source:
    """An upload with these lines, none of them ended after the last: so FMEval writes them."""
    return Source(name, "\n".join(map(json.dumps, rows)).encode())
