"""The columns of qaviz's tables, named once: golden datasets, responses, scores, diagnoses; and variants
within a text. They are Final, so that mypy knows their texts as keys of typed rows.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypedDict, TypeVar, cast

import polars as pl

# Columns of a golden dataset. One row a triplet.
QUESTION_ID: Final = "question_id"
QUESTION: Final = "question"
ANSWER: Final = "answer"
FACT: Final = "fact"
CATEGORY: Final = "category"
ANSWERABLE: Final = "answerable"
SOURCE: Final = "source"
TAGS: Final = "tags"
"""Words that a triplet is marked with, such as `critical`: one text, several of them set apart by semicolons."""
PASSAGE_ID: Final = "passage_id"
"""The ids of the passages that hold the fact: one text, several of them as variants."""
EVIDENCE: Final = "evidence"
"""The texts of the passages that hold the fact: one text, several of them as variants."""

# Columns of the responses. One row a response.
PIPELINE: Final = "pipeline"
RESPONSE: Final = "response"
LATENCY_MS: Final = "latency_ms"
COST: Final = "cost"
ERROR: Final = "error"
"""Why a pipeline gave no response, where the response is null."""
CONTEXTS: Final = "contexts"
"""The passages that the pipeline was given, in the order of their ranks: a list of texts."""
CONTEXT_IDS: Final = "context_ids"
"""The ids of the contexts: a list of texts, "" where there is none."""
CONTEXT_DOCUMENTS: Final = "context_documents"
"""The documents that the contexts are from: a list as CONTEXT_IDS."""
CONTEXT_SCORES: Final = "context_scores"
"""How well each context fits, as the retriever says: a list of texts of numbers."""
JUDGE: Final = "judge"
"""What a judge, such as a language model asked to grade, says of a response: `correct`, `incorrect` or `declined`."""
JUDGE_REASON: Final = "judge_reason"
"""Why, in the judge's words."""

REPEAT: Final = "repeat"
"""Which pass of one pipeline over the questions a response comes from: a text, null where a pipeline answers once."""
REPEAT_OF: Final = "repeat_of"
"""The pipeline that a response repeats, where REPEAT says which time: its column PIPELINE names the two together."""

THEIR_SCORES: Final = "their_scores"
"""Scores of a response that another tool computed: a list of name, value, and why there is no value. Never ours."""

# Columns that scoring adds: FMEval's seven word scores under FMEval's names, then our own.
FACTUAL_KNOWLEDGE: Final = "factual_knowledge"
FACTUAL_KNOWLEDGE_QUASI_EXACT: Final = "factual_knowledge_quasi_exact"
EXACT_MATCH: Final = "exact_match_score"
QUASI_EXACT_MATCH: Final = "quasi_exact_match_score"
F1: Final = "f1_score"
PRECISION: Final = "precision_over_words"
RECALL: Final = "recall_over_words"
RECALL_BESIDE_FACT: Final = "recall_beside_fact"
"""Recall over the golden answer's words that are not the fact's. Runs of earlier versions call it `context_recall`."""
BERTSCORE: Final = "bertscore"
"""FMEval's score of meaning, by a language model. Only on demand: rows have it where FMEval's own output brought it."""
REVIEW: Final = "review"
"""What a person says of a response, where `diagnose` is to hear it: `correct`, `incorrect` or `declined`.

Agreement with people is measured without it.
"""
UNSCORED_FACT: Final = "unscored_fact"
UNSCORED_ANSWER: Final = "unscored_answer"
FACT_VARIANT: Final = "fact_variant"
"""The variant of the fact that hit, as it is written in the fact (see `qaviz.scoring.explanation`)."""
FACT_START: Final = "fact_start"
"""Where the hit begins in the response, in characters from 0."""
FACT_END: Final = "fact_end"
"""Where the hit ends in the response: the offset after its last character."""
FACT_INSIDE_TOKEN: Final = "fact_inside_token"
"""Whether the fact is there only as a part of a larger word or number: `12%` in `112%`."""
WARNINGS: Final = "warnings"
"""A list of sentences: why the scores of this response may mislead."""

FACT_SCORES = (FACTUAL_KNOWLEDGE, FACTUAL_KNOWLEDGE_QUASI_EXACT)
ANSWER_SCORES = (RECALL, PRECISION, F1, EXACT_MATCH, QUASI_EXACT_MATCH)
SCORES = FACT_SCORES + ANSWER_SCORES
HIT_COLUMNS = (FACT_VARIANT, FACT_START, FACT_END, FACT_INSIDE_TOKEN)

# Columns that diagnosis adds.
DIAGNOSIS: Final = "diagnosis"
VERDICT: Final = "verdict"
FAULT: Final = "fault"
FAULT_REASON: Final = "fault_reason"
"""What of the contexts proves the fault, in a sentence."""
CONFIDENCE: Final = "confidence"
REASON: Final = "reason"

# Columns about what a pipeline retrieved (`qaviz.contexts`); null where nothing tells.
RETRIEVAL_RANK: Final = "retrieval_rank"
"""The place, from 1, of the first context that holds the golden source or states the fact."""
RETRIEVAL_HIT: Final = "retrieval_hit"
"""Whether any context does."""
RECIPROCAL_RANK: Final = "retrieval_reciprocal_rank"
NDCG: Final = "retrieval_ndcg"
RETRIEVAL_PRECISION: Final = "retrieval_precision"
RETRIEVAL_RECALL: Final = "retrieval_recall"
CONTEXT_COUNT: Final = "context_count"
CONTEXTS_STATE: Final = "contexts_state_fact"
"""Whether any context states the fact, whatever its source."""
IN_DOCUMENTS: Final = "in_documents"
"""Whether the documents hold the golden source or state the fact; true too where any pipeline retrieved it.

Null without documents."""
CONTEXT_USED: Final = "context_used"
"""Whether the response draws on the context that holds the golden source."""
TAKEN: Final = "taken_value"
"""What the response says in place of the fact and a context holds: a figure, a name."""
TAKEN_FROM: Final = "taken_from"
"""The place, from 1, of the context that the response draws on."""
GOLDEN_OTHERWISE: Final = "golden_otherwise"
"""What contexts and responses say where the golden dataset seems to be wrong."""
CONTEXT_SUPPORT: Final = "context_support"
"""The share of the response's words, 0 to 1, that stand in its contexts."""
SENTENCE_STATES: Final = "sentence_states"
"""Of each sentence of the response, whether its words stand in one context: `found; partly; not found`."""
CITATIONS_WRONG: Final = "citations_wrong"
"""Citations of the response that point to none of its contexts."""
RETRIEVAL_SCORES = (RECIPROCAL_RANK, NDCG, RETRIEVAL_PRECISION, RETRIEVAL_RECALL)

LABEL: Final = "label"
"""What a person says of a response: `correct`, `incorrect` or `declined`."""

MOVED: Final = "confidence_beside_judge"
"""How sure a verdict by words is, once it is known how often a judge agrees with verdicts of its kind."""

GRADE: Final = "grade"
"""What a grader gives a response: an integer of a scale, or a label."""

GOLDEN_COLUMNS = (QUESTION_ID, QUESTION, ANSWER, FACT, CATEGORY, ANSWERABLE, SOURCE, TAGS, PASSAGE_ID, EVIDENCE)
LATER_GOLDEN = (TAGS, PASSAGE_ID, EVIDENCE)
"""Columns that a golden dataset of an earlier version lacks."""
PLACES = ("document", "page")
"""Columns that an export adds: where the passage of a generated triplet stands."""
RESPONSE_COLUMNS = (
    *(QUESTION_ID, PIPELINE, RESPONSE, LATENCY_MS, COST, CONTEXTS, JUDGE, JUDGE_REASON, THEIR_SCORES),
    *(REPEAT, REPEAT_OF, CONTEXT_IDS, CONTEXT_DOCUMENTS, CONTEXT_SCORES),
)

OR_DELIMITER: Final = "<OR>"
AND_DELIMITER: Final = "<AND>"

VARIANT_LIMIT = 1_000
"""Most variants of one fact or answer. Each is looked for in each response to the question."""

DELIMITERS = {FACT: (OR_DELIMITER, AND_DELIMITER), ANSWER: (OR_DELIMITER,)}
"""What joins the variants of a fact, and of an answer."""


def variant_count(field: str, column: str = "") -> pl.Expr:
    """How many variants stand in each text of `field`, `fact` or `answer`, or of `column`; 1 where there is none."""
    texts = pl.col(column or field)
    marks = [texts.str.count_matches(mark, literal=True).fill_null(0) for mark in DELIMITERS[field]]
    return pl.max_horizontal(marks) + 1


def join_pipelines(pipelines: Sequence[str], table: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table with a row a pipeline, in the order of these; nulls for those that it lacks."""
    names = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String})
    return names.join(table, on=PIPELINE, how="left", maintain_order="left")


class Triplet(TypedDict):
    """A row of a golden dataset."""

    question_id: str
    question: str | None
    answer: str | None
    fact: str | None
    category: str | None
    answerable: bool | None
    """None where it is not marked, which counts as answerable."""
    source: str | None
    tags: str | None
    passage_id: str | None
    evidence: str | None


class ScoredRow(TypedDict):
    """What rows of scored responses have beside the scores: a response and the texts of its triplet."""

    question: str | None
    answer: str | None
    fact: str | None
    response: str | None
    unscored_fact: str | None
    """Why no fact score; None where it is scored."""
    unscored_answer: str | None
    warnings: list[str] | None


Row = TypeVar("Row")


def typed_rows(table: pl.DataFrame, row: type[Row]) -> Iterator[Row]:  # noqa: ARG001 - only mypy reads `row`
    """The table's rows as dicts by column; `row` is the TypedDict that declares the columns."""
    return cast("Iterator[Row]", table.iter_rows(named=True))
