import polars as pl
import pytest

from qaviz.api import EvaluatedRun
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import CATEGORY, DIAGNOSIS, FACTUAL_KNOWLEDGE, PIPELINE, QUESTION_ID, SOURCE, VERDICT
from tests.builders import SAMPLE, draft_sample

PIPELINES = ("Pipeline1", "Pipeline2", "Pipeline3")

FACTS_STATED = {
    "jassy-role": (1, 1, 1),
    "net-sales": (1, 0, 0),
    "office": (0, 0, 0),
    "operating-income": (1, 1, 1),
    "one-medical": (1, 0, 1),
    "challenge": (0, 0, 0),
    "cash": (1, 0, 0),
    "aws-sales": (1, 0, 0),
    "rivian-shares": (1, 1, 1),
    "shares-outstanding": (1, 1, 1),
}
"""The published Factual Knowledge report: question, then what each of the three pipelines scores."""


@pytest.fixture
def sample() -> EvaluatedRun:
    return draft_sample()


@pytest.fixture(scope="module")
def labels() -> pl.DataFrame:
    return pl.read_ndjson(SAMPLE / "labels.jsonl")


def test_the_factual_knowledge_table_is_the_published_one(sample: EvaluatedRun):
    """Scoring the sample gives, question by question, the published report: 8, 4 and 5 facts of 10."""
    table = sample.rows.pivot(PIPELINE, index=QUESTION_ID, values=FACTUAL_KNOWLEDGE).select(QUESTION_ID, *PIPELINES)
    assert {question: tuple(scores) for question, *scores in table.rows()} == FACTS_STATED
    assert table.select(PIPELINES).sum().row(0) == (8, 4, 5)


def test_every_diagnosis_occurs(sample: EvaluatedRun):
    """A person who opens the sample sees each diagnosis at least once."""
    assert set(sample.rows[DIAGNOSIS]) == set(Diagnosis)


def test_all_is_loaded_and_only_the_empty_response_is_listed(sample: EvaluatedRun):
    """Ten triplets with category and source, thirty responses, and one listed row: the empty response."""
    assert (sample.golden.height, sample.rows.height) == (10, 30)
    assert sample.golden.select(CATEGORY, SOURCE).null_count().row(0) == (0, 0)
    assert sample.listed.select("kind", QUESTION_ID).rows() == [("empty response", "aws-sales")]


def test_verdicts_are_those_of_a_person(sample: EvaluatedRun, labels: pl.DataFrame):
    """Wherever qaviz is not unsure, its verdict is the person's label, but for the office: its street is left out."""
    both = sample.rows.join(labels, on=[QUESTION_ID, PIPELINE]).filter(pl.col(VERDICT) != Verdict.UNSURE)
    differ = both.filter(pl.col(VERDICT) != pl.col("label"))
    assert set(differ.select(QUESTION_ID, PIPELINE).rows()) <= {("office", "Pipeline1"), ("office", "Pipeline2")}
    assert both.height >= 27
