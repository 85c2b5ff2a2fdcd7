import polars as pl
import pytest

from qaviz.loading import Source
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import CATEGORY, DIAGNOSIS, FACT, FACTUAL_KNOWLEDGE, PIPELINE, QUESTION_ID, SOURCE, VERDICT
from qaviz.runs import DraftRun
from tests.builders import SAMPLE, draft_files

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

EXAMPLES = [
    ("net-sales", "Pipeline2", Diagnosis.HALLUCINATION),
    ("cash", "Pipeline3", Diagnosis.HALLUCINATION),
    ("net-sales", "Pipeline3", Diagnosis.DECLINED),
    ("challenge", "Pipeline3", Diagnosis.DECLINED),
    ("challenge", "Pipeline1", Diagnosis.OFF_TARGET),
    ("challenge", "Pipeline2", Diagnosis.OFF_TARGET),
    ("one-medical", "Pipeline2", Diagnosis.REPHRASED),
    ("cash", "Pipeline2", Diagnosis.REPHRASED),
    ("aws-sales", "Pipeline2", Diagnosis.REPHRASED),
    ("shares-outstanding", "Pipeline2", Diagnosis.ACCIDENTAL),
    ("rivian-shares", "Pipeline2", Diagnosis.ACCIDENTAL),
    ("jassy-role", "Pipeline2", Diagnosis.VERBOSE),
    ("operating-income", "Pipeline3", Diagnosis.VERBOSE),
    ("aws-sales", "Pipeline3", Diagnosis.UNSCORED),
    ("shares-outstanding", "Pipeline1", Diagnosis.CORRECT),
]
"""What the sample's README says is to be seen where."""


@pytest.fixture(scope="module")
def sample() -> DraftRun:
    return draft_files(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")])


@pytest.fixture(scope="module")
def labels() -> pl.DataFrame:
    return pl.read_ndjson(SAMPLE / "labels.jsonl")


def test_the_factual_knowledge_table_is_the_published_one(sample: DraftRun):
    """Scoring the sample gives, question by question, the published report: 8, 4 and 5 facts of 10."""
    table = sample.rows.pivot(PIPELINE, index=QUESTION_ID, values=FACTUAL_KNOWLEDGE).select(QUESTION_ID, *PIPELINES)
    assert {question: tuple(scores) for question, *scores in table.rows()} == FACTS_STATED
    assert table.select(PIPELINES).sum().row(0) == (8, 4, 5)


def test_every_diagnosis_occurs(sample: DraftRun):
    """A person who opens the sample sees each diagnosis at least once."""
    assert set(sample.rows[DIAGNOSIS]) == set(Diagnosis)


@pytest.mark.parametrize(("question", "pipeline", "diagnosis"), EXAMPLES)
def test_the_examples_show_what_the_readme_says(sample: DraftRun, question: str, pipeline: str, diagnosis: Diagnosis):
    """Each response that the README names as an example has the diagnosis that it is an example of."""
    row = sample.rows.row(by_predicate=(pl.col(QUESTION_ID) == question) & (pl.col(PIPELINE) == pipeline), named=True)
    assert row[DIAGNOSIS] == diagnosis, row["reason"]


def test_all_is_loaded_and_only_the_empty_response_is_listed(sample: DraftRun):
    """Ten triplets with category and source, thirty responses, and one listed row: the empty response."""
    assert (sample.loaded.golden.height, sample.rows.height) == (10, 30)
    assert sample.loaded.golden.select(CATEGORY, SOURCE).null_count().row(0) == (0, 0)
    assert sample.loaded.listed.select("kind", QUESTION_ID).rows() == [("empty response", "aws-sales")]


def test_the_typo_is_kept(sample: DraftRun):
    """The fact of the net sales holds the figure and, beside it, the variant with the swapped digit."""
    (fact,) = sample.loaded.golden.filter(pl.col(QUESTION_ID) == "net-sales")[FACT]
    assert {"134,383 million", "134183 million"} <= set(fact.split("<OR>"))


def test_each_response_has_a_label(sample: DraftRun, labels: pl.DataFrame):
    """labels.jsonl labels each response once, with one of the three labels."""
    key = [QUESTION_ID, PIPELINE]
    assert sorted(labels.select(key).rows()) == sorted(sample.rows.select(key).rows())
    assert set(labels["label"]) == {Verdict.CORRECT, Verdict.INCORRECT, Verdict.DECLINED}


def test_verdicts_are_those_of_a_person(sample: DraftRun, labels: pl.DataFrame):
    """Wherever qaviz is not unsure, its verdict is the person's label, but for the office: its street is left out."""
    both = sample.rows.join(labels, on=[QUESTION_ID, PIPELINE]).filter(pl.col(VERDICT) != Verdict.UNSURE)
    differ = both.filter(pl.col(VERDICT) != pl.col("label"))
    assert set(differ.select(QUESTION_ID, PIPELINE).rows()) <= {("office", "Pipeline1"), ("office", "Pipeline2")}
    assert both.height >= 27
