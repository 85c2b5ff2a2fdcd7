"""What columns may be: the names of each of our words, how a table is read by them, and mappings that a person gave."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from qaviz.loading.load_log import quote_text
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError

IGNORE = ""
"""What a mapping says of a column that is to be left out."""

GOLDEN_NAMES: Mapping[str, Sequence[str]] = {
    c.QUESTION_ID: (c.QUESTION_ID, "id", "qid", "query_id", "example_id", "instance_id"),
    c.QUESTION: (c.QUESTION, "query", "user_input", "input", "input_text", "prompt", "model_input"),
    c.ANSWER: (
        "ground_truth_answer", "ground_truth", "golden_answer", "gold_answer", "reference_answer", "reference_answers",
        "reference_response", "expected_answer", "expected_output", "expected_response", "expected", "target_output",
        "gt_answer", "generation_gt", "best_answer", "ideal", c.ANSWER, "reference", "reference_output", "target",
    ),
    c.FACT: (c.FACT, "facts", "golden_fact", "ground_truth_fact", "factual_ground_truth", "expected_fact"),
    c.CATEGORY: (c.CATEGORY, "topic", "question_type"),
    c.ANSWERABLE: (c.ANSWERABLE, "is_answerable"),
    c.SOURCE: (c.SOURCE, "source_file", "source_doc_id", "doc_id", "document"),
    c.TAGS: (c.TAGS, "tag"),
    c.PASSAGE_ID: (
        c.PASSAGE_ID, "passage_ids", "golden_passage_id", "gold_passage_id", "relevant_ids", "reference_context_ids",
        "retrieval_gt",
    ),
    c.EVIDENCE: (
        c.EVIDENCE, "evidence_text", "evidences", "golden_passage", "gold_passage", "golden_context",
        "reference_contexts", "reference_context",
    ),
}  # fmt: skip  # a line a name would be a page of names
"""The names of what tables say of questions, for each word the best first."""

RESPONSE_NAMES: Mapping[str, Sequence[str]] = {
    c.PIPELINE: (
        c.PIPELINE, "pipeline_name", "model", "model_name", "model_id", "model_identifier", "provider", "system",
    ),
    c.RESPONSE: (
        c.RESPONSE, "model_output", "actual_output", "model_response", "generated_answer", "predicted_text",
        "prediction_text", "prediction", "agent_answer", "output", "completion", c.ANSWER,
    ),
    c.REPEAT: (c.REPEAT, "repeat_id", "repetition", "epoch", "trial"),
    c.LATENCY_MS: (c.LATENCY_MS, "latency"),
    c.COST: (c.COST,),
    c.ERROR: (c.ERROR,),
    c.JUDGE: (c.JUDGE,),
    c.JUDGE_REASON: (c.JUDGE_REASON,),
    c.THEIR_SCORES: (c.THEIR_SCORES,),
    c.CONTEXTS: (c.CONTEXTS, "retrieved_contexts", "retrieval_context", "retrieved_context", "context"),
    c.CONTEXT_IDS: (c.CONTEXT_IDS, "retrieved_context_ids", "retrieved_ids", "retrieved_doc_ids"),
    c.CONTEXT_DOCUMENTS: (c.CONTEXT_DOCUMENTS, "context_sources", "retrieved_documents", "context_titles"),
    c.CONTEXT_SCORES: (c.CONTEXT_SCORES, "retrieval_scores"),
}  # fmt: skip  # as above
"""The names of what tables say of pipelines."""

NAMES: Mapping[str, Sequence[str]] = {**GOLDEN_NAMES, **RESPONSE_NAMES}
PIPELINE_LIMIT = 1000
"""Most pipelines of one run. More of them mean that the wrong columns were taken for pipelines."""

_NAMED = 30
"""Columns that a problem names."""


@dataclass(frozen=True)
class Guess:
    """What one column is taken for."""

    column: str
    word: str
    """One of our words; empty where it is left out."""
    why: str
    """The evidence, as part of a sentence."""
    certain: bool = True
    """Whether it is applied without a person's yes."""


@dataclass(frozen=True)
class Reading:
    """One of two ways to read a table that is in doubt."""

    label: str
    """In words: `"Reply" holds the responses`."""
    mapping: Mapping[str, str]
    """The columns that it settles -> our word, "" for one that is left out."""

    def flags(self) -> str:
        """What a person copies to have it read so."""
        return " ".join(f"--map {_in_quotes(f'{name}={word}')}" for name, word in self.mapping.items())


def _in_quotes(text: str) -> str:
    """The text whole, as a shell takes it."""
    return "'" + text.replace("'", "'\\''") + "'" if set(text) & set('"$`\\!') else f'"{text}"'


@dataclass(frozen=True)
class Layout:
    """How a table's columns are read."""

    words: Mapping[str, str]
    """Their column -> our word."""
    pipelines: Mapping[str, str] = field(default_factory=dict)
    """Wide form: the columns that each hold the responses of one pipeline, and its name. Empty in long form."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Of multiple choice the columns of the options, by their labels."""
    bare: str = ""
    """A column of answers of which the table does not say whose they are: the other tables may."""
    guesses: tuple[Guess, ...] = ()
    """Why columns are read as they are, and what others may be."""
    doubt: str = ""
    """What the two readings differ in, in words."""
    readings: tuple[Reading, ...] = ()
    """What a person may choose from; empty where nothing is in doubt."""
    ignored: tuple[str, ...] = ()
    """Columns that are left out and look like answers."""
    separating: tuple[str, ...] = ()
    """The column that tells apart responses of one pipeline to one question."""

    @property
    def has_golden(self) -> bool:
        """Whether it says what is right."""
        return bool({c.ANSWER, c.FACT} & set(self.words.values()))

    @property
    def has_responses(self) -> bool:
        """Whether it says what pipelines answered."""
        return bool(self.pipelines) or c.RESPONSE in self.words.values()

    @property
    def asks(self) -> bool:
        """Whether it says which question a row is about."""
        return bool({c.QUESTION, c.QUESTION_ID} & set(self.words.values()))

    def settle_bare(self, word: str) -> "Layout":
        """The layout with its bare answers as this word."""
        return replace(self, words={**self.words, self.bare: word}, bare="")


def check_mapping(columns: Sequence[str], mapping: Mapping[str, str], where: str) -> None:
    """Raise QavizError for columns that are not there, words that are none, and words of several columns."""
    faults = [(f"no column {quote_text(name)}", columns) for name in mapping if name not in columns]
    faults += [
        (f"{quote_text(name)} mapped to {quote_text(word)}", list(NAMES))
        for name, word in mapping.items()
        if word not in {*NAMES, IGNORE}
    ]
    problems = [_describe_fault(where, fault, f"one of {list_names(there)}") for fault, there in faults]
    for word in NAMES:
        names = [name for name, mapped in mapping.items() if mapped == word]
        if len(names) > 1 and word not in (c.RESPONSE, c.PIPELINE):
            problems.append(
                _describe_fault(where, f"{list_names(names)} mapped to {quote_text(word)}", "one column a word")
            )
    if problems:
        raise QavizError(*problems)


def assign_pairs(pairs: Mapping[str, str], columns: Sequence[Sequence[str]], where: str) -> list[dict[str, str]]:
    """For each file with these columns the pairs (their column -> our word) that apply to it.

    Raises QavizError, `where` in front, for a pair that applies to none, or has no word of ours.
    """
    there = list(dict.fromkeys(name for present in columns for name in present))
    problems = []
    for theirs, ours in pairs.items():
        flag = f"{where} {theirs}={ours}"
        if theirs not in there:
            fault = f"no column {quote_text(theirs)} in the files"
            problems.append(_describe_fault(flag, fault, f"one of {list_names(there)}"))
        elif ours not in {*NAMES, IGNORE}:
            problems.append(_describe_fault(flag, f"the word {quote_text(ours)}", f"one of {list_names(NAMES)}"))
    if problems:
        raise QavizError(*problems)
    return [{theirs: ours for theirs, ours in pairs.items() if theirs in present} for present in columns]


def _describe_fault(where: str, fault: str, expected: str) -> Problem:
    return Problem(where=where, found=fault, expected=expected, fix="Correct the mapping.")


def list_names(names: Iterable[str]) -> str:
    """The names in quotes, the first of many."""
    all_names = list(names)
    rest = len(all_names) - _NAMED
    return ", ".join(map(quote_text, all_names[:_NAMED])) + (f" and {rest:,} more" if rest > 0 else "") or "none"


def find_question(words: Mapping[str, str]) -> str:
    """The column that says what was asked; empty if there is none."""
    return next((name for wanted in (c.QUESTION, c.QUESTION_ID) for name, word in words.items() if word == wanted), "")
