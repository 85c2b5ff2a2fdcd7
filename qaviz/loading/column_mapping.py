"""Whose column is which word: the names that people use, and the guess from a file's header."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from qaviz.loading.problems import quoted
from qaviz.loading.readers.table import Kind
from qaviz.model.columns import (
    ANSWER,
    ANSWERABLE,
    CATEGORY,
    CONFIDENCE,
    CONTEXTS,
    COST,
    FACT,
    JUDGE,
    JUDGE_REASON,
    LATENCY_MS,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REPEAT,
    RESPONSE,
    SOURCE,
    TAGS,
    THEIR_SCORES,
)
from qaviz.model.errors import Problem, QavizError

SCORES = "scores"
"""What FMEval's own output calls the scores of a response."""

IGNORE = ""
"""What a mapping says of a column that is to be left out."""

_QUESTION = {
    QUESTION_ID: (QUESTION_ID, "id", "qid", "query_id", "example_id", "instance_id"),
    QUESTION: (
        QUESTION,
        "query",
        "user_input",
        "input",
        "input_text",
        "prompt",
        "model_input",
    ),
}

GOLDEN_NAMES: Mapping[str, Sequence[str]] = _QUESTION | {
    ANSWER: (
        # Beside these, a column `answer` is rather what a pipeline answered.
        "ground_truth_answer", "ground_truth", "golden_answer", "gold_answer",
        ANSWER, "reference_answer", "reference_answers", "reference", "reference_output", "reference_response",
        "expected_answer", "expected_output", "expected_response", "expected", "target_output", "target", "gt_answer",
        "generation_gt",
    ),
    FACT: (FACT, "facts", "golden_fact", "ground_truth_fact", "factual_ground_truth", "expected_fact"),
    CATEGORY: (CATEGORY, "topic", "question_type"),
    ANSWERABLE: (ANSWERABLE, "is_answerable"),
    SOURCE: (SOURCE, "source_file", "source_doc_id", "doc_id", "document"),
    TAGS: (TAGS, "tag"),
}  # fmt: skip  # a line a name would be a page of names
"""The names of a golden dataset's columns, for each word the best first."""

RESPONSE_NAMES: Mapping[str, Sequence[str]] = _QUESTION | {
    PIPELINE: (
        PIPELINE, "pipeline_name", "model", "model_name", "model_id", "model_identifier", "provider", "system",
    ),
    RESPONSE: (
        RESPONSE, "model_output", "actual_output", "model_response", "generated_answer", "predicted_text",
        "prediction_text", "prediction", "agent_answer", "output", "completion", ANSWER,
    ),
    REPEAT: (REPEAT, "repeat_id", "repetition", "epoch", "trial"),
    LATENCY_MS: (LATENCY_MS, "latency"),
    COST: (COST,),
    JUDGE: (JUDGE,),
    JUDGE_REASON: (JUDGE_REASON,),
    THEIR_SCORES: (THEIR_SCORES,),
    CONTEXTS: (CONTEXTS, "retrieved_contexts", "retrieval_context", "retrieved_context", "context"),
}  # fmt: skip  # as above
"""The names of the columns of responses, for each word the best first."""

_KINDS: Mapping[str, Kind] = {
    QUESTION_ID: Kind.ID,
    REPEAT: Kind.ID,
    ANSWERABLE: Kind.FLAG,
    LATENCY_MS: Kind.NUMBER,
    COST: Kind.NUMBER,
    CONFIDENCE: Kind.NUMBER,
    CONTEXTS: Kind.TEXTS,
    SCORES: Kind.SCORES,
    THEIR_SCORES: Kind.SCORES,
}

PIPELINE_LIMIT = 1000
"""Most pipelines of one run. More of them mean that the wrong columns were taken for pipelines."""

_NAMED = 30
"""Columns that a problem names."""


def kind_of(word: str) -> Kind:
    """What the cells of one of our words are."""
    return _KINDS.get(word, Kind.TEXT)


@dataclass(frozen=True)
class Layout:
    """How a file's columns are read."""

    words: Mapping[str, str]
    """Their column -> our word."""
    pipelines: tuple[str, ...] = ()
    """Wide form: the columns that each hold the responses of one pipeline. Empty in long form."""
    lacking: tuple[str, ...] = ()
    """What has to be there and is not: `a column "question"`."""

    @property
    def form(self) -> str:
        """`wide` or `long`."""
        return "wide" if self.pipelines else "long"

    def kinds(self) -> dict[str, Kind]:
        """Which columns to read, and as what."""
        return {name: kind_of(word) for name, word in self.words.items()} | dict.fromkeys(self.pipelines, Kind.TEXT)

    def problems(self, where: str, columns: Sequence[str]) -> tuple[Problem, ...]:
        """One for each thing that is lacking."""
        found, fix = f"the columns {_listed(columns)}", "Rename the column, or map it."
        return tuple(Problem(where=where, found=found, expected=expected, fix=fix) for expected in self.lacking)


def golden_layout(where: str, columns: Sequence[str], mapping: Mapping[str, str]) -> Layout:
    """How to read a golden dataset. Raises QavizError for a mapping that does not fit the columns."""
    words = _guess(where, columns, GOLDEN_NAMES, mapping)
    found = set(words.values())
    lacking = []
    if QUESTION not in found:
        lacking.append(f'a column "{QUESTION}"')
    if not found & {ANSWER, FACT}:
        lacking.append(f'a column "{ANSWER}" or "{FACT}"')
    return Layout(words, lacking=tuple(lacking))


def response_layout(where: str, columns: Sequence[str], mapping: Mapping[str, str]) -> Layout:
    """How to read responses. Raises QavizError for a mapping that does not fit the columns.

    A file without a column for the response is in wide form: every column that is no word of ours is a pipeline. So
    are the columns of a mapping that names several as the response.
    """
    words = _guess(where, columns, RESPONSE_NAMES, mapping)
    mapped = tuple(name for name, word in mapping.items() if word == RESPONSE)
    golden = _guess(where, columns, GOLDEN_NAMES, {})
    known = {*words, *golden, *mapping}
    others = tuple(name for name in columns if name not in known)
    if not mapped and _answer_is_golden(words, golden, others):
        words = _without(words, RESPONSE)
    pipelines = mapped if len(mapped) > 1 else ()
    lacking = []
    if not {QUESTION_ID, QUESTION} & set(words.values()):
        lacking.append(f'a column "{QUESTION_ID}" or "{QUESTION}"')
    if RESPONSE not in words.values():
        pipelines = others
    if not pipelines and RESPONSE not in words.values():
        elsewhere = ", here or in a file of responses" if FACT in golden.values() else ""
        lacking.append(f'a column "{RESPONSE}", or a column for each pipeline{elsewhere}')
    if len(pipelines) > PIPELINE_LIMIT:
        lacking.append(f'a column "{RESPONSE}", or at most {PIPELINE_LIMIT:,} columns that are pipelines')
    if pipelines:
        words = _without(words, RESPONSE, PIPELINE)
    return Layout(words, pipelines, tuple(lacking))


def later_kinds(names: Mapping[str, Sequence[str]], layout: Layout, mapping: Mapping[str, str]) -> dict[str, Kind]:
    """What a file may bring after its header: columns whose names say that they are a word the header lacks."""
    lacking = [word for word in names if word not in layout.words.values()]
    return {name: kind_of(word) for word in lacking for name in names[word] if name not in mapping}


def _guess(
    where: str, columns: Sequence[str], names: Mapping[str, Sequence[str]], mapping: Mapping[str, str]
) -> dict[str, str]:
    """Their column -> our word: what the mapping says, and for the other words the best name among the columns."""
    _check(where, columns, names, mapping)
    words = {name: word for name, word in mapping.items() if word != IGNORE}
    free = {_plain(name): name for name in reversed(columns) if name not in mapping}
    for word, aliases in names.items():
        alias = next((alias for alias in aliases if alias in free), None)
        if alias is not None and word not in words.values():
            words[free.pop(alias)] = word
    return words


def _check(where: str, columns: Sequence[str], names: Mapping[str, Sequence[str]], mapping: Mapping[str, str]) -> None:
    claims = {word: [name for name, mapped in mapping.items() if mapped == word] for word in names}
    faults = [
        *((f"no column {quoted(name)}", f"one of {_listed(columns)}") for name in mapping if name not in columns),
        *(
            (f"{quoted(name)} mapped to {quoted(word)}", f"one of {_listed(names)}")
            for name, word in mapping.items()
            if word not in {*names, IGNORE}
        ),
        *(
            (f"{_listed(claims[word])} mapped to {quoted(word)}", "one column a word")
            for word in names
            if len(claims[word]) > 1 and word != RESPONSE
        ),
    ]
    if faults:
        fix = "Correct the mapping."
        raise QavizError(*(Problem(where=where, found=found, expected=expected, fix=fix) for found, expected in faults))


def _answer_is_golden(words: Mapping[str, str], golden: Mapping[str, str], others: Sequence[str]) -> bool:
    """Whether a column `answer` is the golden answer, not the response: it stands beside a fact or beside pipelines."""
    responses = [name for name, word in words.items() if word == RESPONSE]
    if [_plain(name) for name in responses] != [ANSWER] or PIPELINE in words.values():
        return False
    return FACT in golden.values() or bool(others)


def _without(words: Mapping[str, str], *dropped: str) -> dict[str, str]:
    return {name: word for name, word in words.items() if word not in dropped}


def _plain(name: str) -> str:
    """`Reference Answer(s)` and `referenceAnswers` as `reference_answers`."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.replace("(s)", "s"))
    return re.sub(r"\W+", "_", spaced).strip("_").lower()


def _listed(names: Iterable[str]) -> str:
    all_names = list(names)
    rest = len(all_names) - _NAMED
    return ", ".join(map(quoted, all_names[:_NAMED])) + (f" and {rest:,} more" if rest > 0 else "") or "none"


@dataclass(frozen=True)
class Role:
    """What a file is read as."""

    names: Mapping[str, Sequence[str]]
    """Our words, each with the names it goes by."""
    layout: Callable[[str, Sequence[str], Mapping[str, str]], Layout]
    """From a file's name, columns and mapping, how to read it."""


GOLDEN = Role(GOLDEN_NAMES, golden_layout)
RESPONSES = Role(RESPONSE_NAMES, response_layout)
