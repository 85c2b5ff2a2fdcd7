"""Whose column is which word: the names people use, and the guess from a file's header."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from qaviz import model
from qaviz.loading.table import Kind
from qaviz.model import Problem, QavizError

IGNORE = ""
"""What a mapping says of a column that is to be left out."""

_QUESTION = {
    model.QUESTION_ID: ("id", "qid", "query_id", "example_id", "instance_id"),
    model.QUESTION: ("query", "user_input", "input", "input_text", "prompt", "model_input"),
}

GOLDEN_NAMES: Mapping[str, Sequence[str]] = _QUESTION | {
    model.ANSWER: (
        "ground_truth_answer", "ground_truth", "golden_answer", "gold_answer", "reference_answer", "reference_answers",
        "reference", "reference_output", "reference_response", "expected_answer", "expected_output",
        "expected_response", "expected", "target_output", "target", "gt_answer", "generation_gt",
    ),
    model.FACT: ("facts", "golden_fact", "ground_truth_fact", "factual_ground_truth", "expected_fact"),
    model.CATEGORY: ("topic", "question_type"),
    model.ANSWERABLE: ("is_answerable",),
    model.SOURCE: ("source_file", "source_doc_id", "doc_id", "document"),
}  # fmt: skip  # a line a name would be a page of names
"""Names of a golden dataset's columns, best first, after our own word for it."""

RESPONSE_NAMES: Mapping[str, Sequence[str]] = _QUESTION | {
    model.PIPELINE: ("pipeline_name", "model", "model_name", "model_id", "model_identifier", "provider", "system"),
    model.RESPONSE: (
        "model_output", "actual_output", "model_response", "generated_answer", "predicted_text", "prediction_text",
        "prediction", "agent_answer", "output", "completion", "answer",
    ),
    model.LATENCY_MS: ("latency",),
    model.COST: (),
    model.CONTEXTS: ("retrieved_contexts", "retrieval_context", "retrieved_context", "context"),
}  # fmt: skip  # as above
"""Names of the columns of responses, best first, after our own word for it."""

KINDS: Mapping[str, Kind] = {
    model.QUESTION_ID: Kind.ID,
    model.ANSWERABLE: Kind.FLAG,
    model.LATENCY_MS: Kind.NUMBER,
    model.COST: Kind.NUMBER,
    model.CONTEXTS: Kind.TEXTS,
}
"""What the cells of each word are; a word that is not here is text."""


@dataclass(frozen=True)
class Layout:
    """How a file's columns are read."""

    words: Mapping[str, str]
    """Their column -> our word."""
    pipelines: tuple[str, ...] = ()
    """Wide form: the columns that each hold one pipeline's responses. Empty in long form."""

    @property
    def form(self) -> str:
        """`wide` or `long`."""
        return "wide" if self.pipelines else "long"

    def kinds(self) -> dict[str, Kind]:
        """What to read, and as what."""
        kinds = {name: kind_of(word) for name, word in self.words.items()}
        return kinds | dict.fromkeys(self.pipelines, Kind.TEXT)


def kind_of(word: str) -> Kind:
    """What the cells of a word are."""
    return KINDS.get(word, Kind.TEXT)


def golden_layout(where: str, columns: Sequence[str], mapping: Mapping[str, str] | None) -> Layout:
    """How to read a golden dataset. Raises QavizError without a question, or without both answer and fact."""
    words = _words(where, columns, GOLDEN_NAMES, mapping or {})
    found = set(words.values())
    _stop_if(where, columns, model.QUESTION not in found, "a column `question`")
    _stop_if(where, columns, not found & {model.ANSWER, model.FACT}, "a column `answer` or `fact`")
    return Layout(words)


def response_layout(where: str, columns: Sequence[str], mapping: Mapping[str, str] | None) -> Layout:
    """How to read responses: long form (a column `response`) or wide form (a column a pipeline)."""
    words = _words(where, columns, RESPONSE_NAMES, mapping or {})
    mapped = [name for name, word in (mapping or {}).items() if word == model.RESPONSE and name in columns]
    if len(mapped) > 1:
        return Layout(_without(words, {model.RESPONSE, model.PIPELINE}), tuple(mapped))
    golden = _words(where, columns, GOLDEN_NAMES, {})
    others = tuple(name for name in columns if name not in words and name not in golden and name not in (mapping or {}))
    if _answer_is_golden(words, others, mapping or {}):
        words = _without(words, {model.RESPONSE})
    found = set(words.values())
    _stop_if(where, columns, not found & {model.QUESTION_ID, model.QUESTION}, "a column `question_id` or `question`")
    if model.RESPONSE in found:
        return Layout(words)
    _stop_if(where, columns, not others, "a column `response`, or a column a pipeline")
    return Layout(_without(words, {model.PIPELINE}), others)


def later_names(names: Mapping[str, Sequence[str]], layout: Layout) -> dict[str, Kind]:
    """Columns that a file may bring later than its header, for words the header lacks."""
    missing = [word for word in names if word not in set(layout.words.values())]
    return {name: kind_of(word) for word in missing for name in (word, *names[word])}


def _words(
    where: str, columns: Sequence[str], names: Mapping[str, Sequence[str]], mapping: Mapping[str, str]
) -> dict[str, str]:
    """Their column -> our word: the mapping's, then for the other words the best name that is there."""
    _check_mapping(where, columns, names, mapping)
    words = {name: word for name, word in mapping.items() if word != IGNORE}
    free = {_plain(name): name for name in reversed(columns) if name not in mapping}
    for word, aliases in names.items():
        alias = next((alias for alias in (word, *aliases) if alias in free), None)
        if alias is not None and word not in words.values():
            words[free.pop(alias)] = word
    return words


def _check_mapping(
    where: str, columns: Sequence[str], names: Mapping[str, Sequence[str]], mapping: Mapping[str, str]
) -> None:
    problems = [
        Problem(where=where, found=f"no column {name!r}", expected=_listed(columns), fix="Correct the mapping.")
        for name in mapping
        if name not in columns
    ] + [
        Problem(where=where, found=f"{name!r} mapped to {word!r}", expected=_listed(names), fix="Correct the mapping.")
        for name, word in mapping.items()
        if word != IGNORE and word not in names
    ]
    for word in names:
        claims = [name for name, mapped in mapping.items() if mapped == word]
        if len(claims) > 1 and word != model.RESPONSE:
            found = f"{_listed(claims)} all mapped to {word!r}"
            problems.append(Problem(where=where, found=found, expected="one column a word", fix="Correct the mapping."))
    if problems:
        raise QavizError(*problems)


def _answer_is_golden(words: Mapping[str, str], others: Sequence[str], mapping: Mapping[str, str]) -> bool:
    """Whether a column `answer` is the golden one: beside columns that look like pipelines'."""
    claimed = next((name for name, word in words.items() if word == model.RESPONSE), None)
    if claimed is None or claimed in mapping or _plain(claimed) != model.ANSWER:
        return False
    return model.PIPELINE not in words.values() and bool(others)


def _without(words: Mapping[str, str], dropped: Iterable[str]) -> dict[str, str]:
    return {name: word for name, word in words.items() if word not in dropped}


def _plain(name: str) -> str:
    """`Reference Answer(s)` and `referenceAnswers` as `reference_answers`."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return re.sub(r"[^\w]+", "_", split.replace("(s)", "s")).strip("_")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names)) or "none"


def _stop_if(where: str, columns: Sequence[str], missing: bool, expected: str) -> None:
    if missing:
        raise QavizError(
            Problem(
                where=where,
                found=f"the columns {_listed(columns)}",
                expected=expected,
                fix="Rename the column or map it.",
            )
        )
