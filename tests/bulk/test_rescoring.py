"""qaviz.bulk.chunks: a run's rows on another version of the golden dataset."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qaviz.bulk.chunks import rescore, score_and_diagnose
from qaviz.diagnosis import diagnose, judge, open_rows
from qaviz.diagnosis.columns import EVIDENCE_SCHEMA
from qaviz.diagnosis.judging import JUDGED
from qaviz.diagnosis.model import DOUBTS, PROBABILITY_SCHEMA
from qaviz.loading import Source, load
from qaviz.model import columns as c
from qaviz.model.records import Thresholds
from qaviz.scoring import score
from tests.builders import SAMPLE, golden_table

THRESHOLDS = Thresholds(low_conciseness=0.4)


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    """The sample's diagnosed rows."""
    return diagnose(
        score(load(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")]).rows), THRESHOLDS
    )


def golden_of(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.unique(c.QUESTION_ID, maintain_order=True).select(c.GOLDEN_COLUMNS)


def said(golden: pl.DataFrame, question: str, column: str, text: str | None) -> pl.DataFrame:
    """The golden dataset with this text in one triplet."""
    return golden.with_columns(
        pl.when(pl.col(c.QUESTION_ID) == question).then(pl.lit(text)).otherwise(column).alias(column)
    )


def test_other_triplets_give_what_scoring_from_scratch_gives(rows):
    """A changed fact, answer and question, and a fact taken away: every column is as if all had been scored anew."""
    golden = said(golden_of(rows), "cash", c.FACT, "50.1 billion<OR>50.07 billion")
    golden = said(said(golden, "office", c.ANSWER, "In Seattle."), "challenge", c.FACT, None)
    golden = said(golden, "aws-sales", "question", "How much of it is AWS?")

    found = rescore(rows, golden, THRESHOLDS)
    derived = [*c.SCORES, *EVIDENCE_SCHEMA, *PROBABILITY_SCHEMA, c.DIAGNOSIS, c.VERDICT, c.REASON]
    fresh = rows.drop([*(column for column in c.GOLDEN_COLUMNS if column != c.QUESTION_ID), *derived])
    scratch = diagnose(score(fresh.join(golden, on=c.QUESTION_ID, maintain_order="left")), THRESHOLDS)
    assert_frame_equal(found, scratch.select(found.columns))
    assert found.columns == rows.columns
    assert not found.equals(rows)


def test_a_run_saved_before_there_was_a_model_is_judged_by_it(rows):
    """Rows without probabilities are judged from the evidence that they hold: as new ones, if nothing is doubtful."""
    earlier = rows.drop(*PROBABILITY_SCHEMA.names(), *JUDGED)
    undoubted = rows[DOUBTS].is_null()
    assert undoubted.sum() >= 20

    judged = judge(earlier, THRESHOLDS).with_columns(open_rows(earlier, THRESHOLDS))
    again = rows.with_columns(open_rows(rows, THRESHOLDS))
    compared = [*JUDGED, "open"]
    assert_frame_equal(judged.filter(undoubted).select(compared), again.filter(undoubted).select(compared))


def test_the_same_triplets_change_nothing(rows):
    """On its own golden dataset, in whatever order, a run is as it was: what is kept is not computed again."""
    kept = rows.with_columns(pl.lit(0.25).alias(c.RECALL), pl.lit(0.5).alias(c.BERTSCORE))

    assert_frame_equal(rescore(kept, golden_of(rows).reverse(), THRESHOLDS), kept)


def test_a_category_changes_beside_the_scores(rows):
    """Another category or source is taken over without scoring anything again."""
    kept = rows.with_columns(pl.lit(0.25).alias(c.RECALL))
    found = rescore(kept, said(golden_of(rows), "cash", c.CATEGORY, "money"), THRESHOLDS)

    assert set(found.filter(pl.col(c.QUESTION_ID) == "cash")[c.CATEGORY]) == {"money"}
    assert_frame_equal(found.drop(c.CATEGORY), kept.drop(c.CATEGORY))


def test_a_given_bertscore_goes_with_its_triplet(rows):
    """A BERTScore that came with the responses is missing where the golden answer is another, never that of the old."""
    found = rescore(
        rows.with_columns(pl.lit(0.5).alias(c.BERTSCORE)), said(golden_of(rows), "cash", c.ANSWER, "x"), THRESHOLDS
    )

    assert found.filter(pl.col(c.BERTSCORE).is_null())[c.QUESTION_ID].to_list() == ["cash"] * 3


def test_questions_that_are_gone_are_left_out(rows):
    """Responses to a question that the version does not have are not there; all gone, nothing is left."""
    assert rescore(rows, golden_of(rows).head(1), THRESHOLDS)[c.QUESTION_ID].unique().to_list() == ["jassy-role"]
    assert rescore(rows, golden_of(rows).clear(), THRESHOLDS).is_empty()
    assert rescore(rows.clear(), golden_of(rows), THRESHOLDS).columns == rows.columns


def test_contexts_are_read_anew_for_another_fact():
    """Where a fact changes, so does what the contexts hold of it, and whose fault the response is."""
    question = "How many beds has the hospital in Basel?"
    golden = golden_table([{c.QUESTION: question, c.ANSWER: "240 beds", c.FACT: "240 beds"}])
    contexts = pl.Series(c.CONTEXTS, [["The hospital in Basel has 320 beds."]])
    response = pl.DataFrame({c.PIPELINE: ["P"], c.RESPONSE: ["It has 120 beds."]}).with_columns(contexts)
    rows = score_and_diagnose(golden.hstack(response))
    other = golden.with_columns(pl.lit("320 beds").alias(c.FACT))

    assert (rows[c.FAULT].item(), rows[c.RETRIEVAL_HIT].item()) == ("retriever", False)
    again = rescore(rows, other, THRESHOLDS)
    assert (again[c.FAULT].item(), again[c.RETRIEVAL_HIT].item()) == ("generator", True)
