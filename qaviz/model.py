"""The words of qaviz: columns, diagnoses, verdicts, thresholds, and the one error a user can fix."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

# Columns of a golden dataset. One row a triplet.
QUESTION_ID = "question_id"
QUESTION = "question"
ANSWER = "answer"
FACT = "fact"
CATEGORY = "category"
ANSWERABLE = "answerable"
SOURCE = "source"
TAGS = "tags"
"""Words that a triplet is marked with, such as `critical`: one text, several of them set apart by semicolons."""

# Columns of the responses. One row a response.
PIPELINE = "pipeline"
RESPONSE = "response"
LATENCY_MS = "latency_ms"
COST = "cost"
CONTEXTS = "contexts"
JUDGE = "judge"
"""What a judge, such as a language model asked to grade, says of a response: `correct`, `incorrect` or `declined`."""
JUDGE_REASON = "judge_reason"
"""Why, in the judge's words."""

REPEAT = "repeat"
"""Which pass of one pipeline over the questions a response comes from: a text, null where a pipeline answers once."""
REPEAT_OF = "repeat_of"
"""The pipeline that a response repeats, where REPEAT says which time: its column PIPELINE names the two together."""

THEIR_SCORES = "their_scores"
"""Scores of a response that another tool computed: a list of name, value, and why there is no value. Never ours."""

# Columns that scoring adds: FMEval's seven word scores under FMEval's names, then our own.
FACTUAL_KNOWLEDGE = "factual_knowledge"
FACTUAL_KNOWLEDGE_QUASI_EXACT = "factual_knowledge_quasi_exact"
EXACT_MATCH = "exact_match_score"
QUASI_EXACT_MATCH = "quasi_exact_match_score"
F1 = "f1_score"
PRECISION = "precision_over_words"
RECALL = "recall_over_words"
CONTEXT_RECALL = "context_recall"
BERTSCORE = "bertscore"
"""FMEval's score of meaning, by a language model. Only on demand: rows have it where FMEval's own output brought it."""
REVIEW = "review"
"""What a person says of a response, where `diagnose` is to hear it: `correct`, `incorrect` or `declined`.

Agreement with people is measured without it.
"""
UNSCORED_FACT = "unscored_fact"
UNSCORED_ANSWER = "unscored_answer"
FACT_VARIANT = "fact_variant"
"""The variant of the fact that hit, as it is written in the fact (see `qaviz.scoring.hits`)."""
FACT_START = "fact_start"
"""Where the hit begins in the response, in characters from 0."""
FACT_END = "fact_end"
"""Where the hit ends in the response: the offset after its last character."""
FACT_INSIDE_TOKEN = "fact_inside_token"
"""Whether the fact is there only as a part of a larger word or number: `12%` in `112%`."""
WARNINGS = "warnings"
"""A list of sentences: why the scores of this response may mislead."""

FACT_SCORES = (FACTUAL_KNOWLEDGE, FACTUAL_KNOWLEDGE_QUASI_EXACT)
ANSWER_SCORES = (RECALL, PRECISION, F1, EXACT_MATCH, QUASI_EXACT_MATCH)
SCORES = FACT_SCORES + ANSWER_SCORES
HIT_COLUMNS = (FACT_VARIANT, FACT_START, FACT_END, FACT_INSIDE_TOKEN)

# Columns that diagnosis adds.
DIAGNOSIS = "diagnosis"
VERDICT = "verdict"
FAULT = "fault"
CONFIDENCE = "confidence"
REASON = "reason"

LABEL = "label"
"""What a person says of a response: `correct`, `incorrect` or `declined`."""

GOLDEN_COLUMNS = (QUESTION_ID, QUESTION, ANSWER, FACT, CATEGORY, ANSWERABLE, SOURCE, TAGS)
RESPONSE_COLUMNS = (
    *(QUESTION_ID, PIPELINE, RESPONSE, LATENCY_MS, COST, CONTEXTS, JUDGE, JUDGE_REASON, THEIR_SCORES),
    *(REPEAT, REPEAT_OF),
)

OR_DELIMITER = "<OR>"
AND_DELIMITER = "<AND>"

Progress = Callable[[float, str], None]
"""What long work calls with the fraction done (0 to 1) and what it is doing, in words."""


class Diagnosis(StrEnum):
    """The class of one response."""

    CORRECT = "correct"
    VERBOSE = "verbose"
    REPHRASED = "rephrased-correct"
    HALLUCINATION = "hallucination"
    ACCIDENTAL = "accidental match"
    OFF_TARGET = "off target"
    DECLINED = "declined"
    UNSCORED = "unscored"


class Verdict(StrEnum):
    """What a diagnosis says of the answer."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    DECLINED = "declined"
    UNSURE = "unsure"


class Fault(StrEnum):
    """Where a diagnosis looks for the cause."""

    NOBODY = "nobody"
    STYLE = "style"
    PIPELINE = "pipeline"
    RETRIEVAL = "retrieval"
    METRIC = "metric"
    GOLDEN = "golden dataset"
    DATA = "data"


VERDICT_OF = {
    Diagnosis.CORRECT: Verdict.CORRECT,
    Diagnosis.VERBOSE: Verdict.CORRECT,
    Diagnosis.REPHRASED: Verdict.CORRECT,
    Diagnosis.HALLUCINATION: Verdict.INCORRECT,
    Diagnosis.ACCIDENTAL: Verdict.INCORRECT,
    Diagnosis.OFF_TARGET: Verdict.INCORRECT,
    Diagnosis.DECLINED: Verdict.DECLINED,
    Diagnosis.UNSCORED: Verdict.UNSURE,
}
"""The verdict of each diagnosis, unless its rule says `unsure`."""


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Where scores turn into diagnoses. Saved with the run; the user may move them."""

    high_closeness: float = 0.7
    """Recall from which an answer without the fact reads as a hallucination: all the golden words are there but it."""
    low_conciseness: float = 0.3
    """Precision below which a correct response is verbose."""
    accidental_context: float = 0.0
    """Context recall up to which a stated fact counts as an accidental match."""
    same_meaning: float = 0.9
    """BERTScore from which a response whose words leave it open counts as right. No labels to choose it by."""


class Measure(StrEnum):
    """What an acceptance criterion is about: a share of a pipeline's responses, or a mean of their scores."""

    FACTS_STATED = "facts stated"
    CORRECT = "correct"
    CLOSENESS = "closeness"
    CONCISENESS = "conciseness"
    HALLUCINATIONS = "hallucinations"
    DECLINED = "declined"

    @property
    def more_is_better(self) -> bool:
        """Whether a criterion asks for at least so much, rather than at most."""
        return self not in (Measure.HALLUCINATIONS, Measure.DECLINED)


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """What a pipeline has to reach on the questions of a category, of a tag, or on all of them."""

    measure: Measure
    bound: float
    """From 0 to 1: the least that will do, or the most where less is better."""
    category: str | None = None
    tag: str | None = None


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing in a file that a person can mend."""

    where: str
    """File, and line or row where there is one: `golden.csv line 7`."""
    found: str
    expected: str
    fix: str

    def __str__(self) -> str:
        return f"{self.where}: found {self.found}; expected {self.expected}. {self.fix}"


class QavizError(Exception):
    """Something a user can fix, with every problem that was found. Shown as it is; anything else is a bug."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


@dataclass(frozen=True, kw_only=True)
class Run:
    """A golden dataset version and the responses of its pipelines, scored. What the index knows without its rows."""

    run_id: str
    name: str
    created_at: datetime
    golden_id: str
    """Content hash of the golden dataset version."""
    pipelines: tuple[str, ...]
    """In the order in which the files first name them."""
    questions: int
    responses: int
    thresholds: Thresholds
    engine: str
    """What scored it, with its version: `qaviz 0.1.0`."""
    sources: tuple[str, ...]
    """Names of the files it came from."""
    listed_counts: dict[str, int]
    """How many entries loading listed, by kind (see `qaviz.loading.listing`)."""


@dataclass(frozen=True, kw_only=True)
class Verified:
    """That the installed FMEval scored responses of a run again, and what came of it."""

    verified_at: datetime
    version: str
    """FMEval's: `1.2.3`."""
    compared: int
    """How many responses were scored again."""
    differences: int
    """How many scores of theirs differ from the run's."""


@dataclass(frozen=True, kw_only=True)
class SourceFile:
    """A file that a run came from, as it was when it was read."""

    name: str
    sha256: str
    """Of its bytes, in hexadecimal."""
    size: int
    """Bytes."""


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """What a run was made of, and with what."""

    files: tuple[SourceFile, ...]
    mappings: dict[str, dict[str, str]]
    """By a file's name: what a person said its columns are, theirs to ours. Other columns were known by their names."""
    versions: dict[str, str]
    """By name: of qaviz, of polars, and of the FMEval whose definitions its scores follow."""
    rescored_from: str | None = None
    """The id of the run whose responses it has, where it is one scored again on another golden dataset version."""
