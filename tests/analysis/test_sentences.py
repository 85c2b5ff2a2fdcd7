"""qaviz.analysis.sentences: what the overview says, and that it claims no more than was measured."""

import polars as pl
import pytest

from qaviz.analysis import sentences
from qaviz.analysis.tables import GoldenState
from qaviz.model.classes import Diagnosis, Fault
from qaviz.model.columns import (
    ANSWERABLE,
    DIAGNOSIS,
    FACTUAL_KNOWLEDGE,
    FAULT,
    LABEL,
    PIPELINE,
    QUESTION_ID,
    VERDICT,
)
from tests.analysis.builders import figures_in, response_row, response_rows


def diagnosed(*diagnoses, pipeline="P1", **other):
    return [
        response_row(f"{pipeline}{place}", pipeline, **{DIAGNOSIS: diagnosis}, **other)
        for place, diagnosis in enumerate(diagnoses)
    ]


@pytest.mark.parametrize(
    ("diagnoses", "sentence"),
    [
        pytest.param(
            [Diagnosis.REPHRASED, Diagnosis.ACCIDENTAL, Diagnosis.ACCIDENTAL, Diagnosis.CORRECT],
            "Factual Knowledge misreads 3 of 4 responses: 1 right answer in other words, 2 accidental matches.",
            id="both ways",
        ),
        pytest.param(
            [Diagnosis.REPHRASED, Diagnosis.CORRECT],
            "Factual Knowledge misreads 1 of 2 responses: 1 right answer in other words.",
            id="one way",
        ),
        pytest.param([Diagnosis.CORRECT], "Factual Knowledge misreads no response, by the diagnoses.", id="none"),
    ],
)
def test_trust(diagnoses, sentence):
    """The reader learns how often the string match says something else than the diagnosis."""
    assert sentences.trust_sentence(response_rows(diagnosed(*diagnoses))) == sentence


def test_without_a_fact_score_nothing_is_misread():
    """Where Factual Knowledge says nothing, nothing is said of how it reads."""
    rows = response_rows(diagnosed(Diagnosis.CORRECT, **{FACTUAL_KNOWLEDGE: None}))
    assert sentences.trust_sentence(rows) is None


def state(**counts):
    none = dict.fromkeys(("triplets", "without_fact", "without_answer", "never_stated", "always_stated"), 0)
    return GoldenState(**none | counts)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        pytest.param(
            {"triplets": 10, "never_stated": 2},
            ["2 of 10 facts are stated by no pipeline. Check those questions first."],
            id="never stated",
        ),
        pytest.param(
            {"triplets": 10, "without_fact": 1, "without_answer": 2},
            [
                "1 of 10 triplets have no fact, so Factual Knowledge excludes them.",
                "2 of 10 triplets have no golden answer.",
            ],
            id="gaps",
        ),
        pytest.param({"triplets": 3}, ["All 3 triplets have an answer and a fact."], id="sound"),
    ],
)
def test_golden(counts, said):
    """What is wrong with the golden dataset is said, and nothing else."""
    assert sentences.golden_sentences(state(**counts)) == said


def test_listed():
    """What loading listed is said by kind; kinds without rows are not."""
    (said,) = sentences.listed_sentences({"unaligned": 1200, "duplicate": 0, "unanswered": 1})
    assert said.endswith("unaligned (1,200), unanswered (1).")
    assert sentences.listed_sentences({}) == []


def test_a_sample_is_said_first():
    """That FMEval scored its fixed sample alone is a sentence of its own, before what was listed."""
    first, listed = sentences.listed_sentences({"sample": 2})
    assert figures_in(first) == ["100", "300"]
    assert "sample (2)" in listed
    assert len(sentences.listed_sentences({"perhaps a sample": 1})) == 1


def test_steps_are_about_the_pipeline_of_the_decision():
    """A pipeline's faults are counted for the one that the decision is about, however many others have."""
    rows = response_rows(diagnosed(*[Diagnosis.HALLUCINATION] * 3, pipeline="P2") + diagnosed(Diagnosis.HALLUCINATION))

    (step,) = sentences.next_steps(rows, "P1")

    assert (step.pipeline, step.responses, step.diagnosis) == ("P1", 1, Diagnosis.HALLUCINATION)
    assert "P1" in step.title
    assert step.title.endswith(": 1 response")


def test_steps_about_the_golden_dataset_count_all_pipelines():
    """A triplet's fault shows in any pipeline's responses, so it is counted over all."""
    rows = response_rows(diagnosed(Diagnosis.REPHRASED) + diagnosed(Diagnosis.REPHRASED, pipeline="P2"))

    (step,) = sentences.next_steps(rows, "P1")

    assert (step.pipeline, step.responses, step.fault) == (None, 2, Fault.GOLDEN)


def test_one_step_is_about_the_golden_dataset():
    """However many faults the pipelines have, a fault of the golden dataset is among the steps."""
    rows = response_rows(
        diagnosed(
            *[Diagnosis.HALLUCINATION] * 4,
            *[Diagnosis.OFF_TARGET] * 4,
            *[Diagnosis.DECLINED] * 4,
            *[Diagnosis.VERBOSE] * 4,
            Diagnosis.REPHRASED,
        )
    )

    steps = sentences.next_steps(rows, "P1")

    assert len(steps) == 3
    assert steps[-1].fault == Fault.GOLDEN


def test_nothing_to_do():
    """Correct responses, and those that decline rightly, ask for no step."""
    right = diagnosed(Diagnosis.CORRECT) + diagnosed(Diagnosis.DECLINED, pipeline="P2", **{ANSWERABLE: False})

    assert sentences.next_steps(response_rows(right), "P1") == []


def test_a_step_that_is_done_is_gone():
    """What a newer version of the golden dataset has edited is no step any more; what pipelines get wrong stays one."""
    rows = response_rows(
        [
            response_row("1", "P1", **{DIAGNOSIS: Diagnosis.REPHRASED, FAULT: Fault.GOLDEN}),
            response_row("2", "P1", **{DIAGNOSIS: Diagnosis.REPHRASED, FAULT: Fault.GOLDEN}),
            response_row("1", "P1", **{DIAGNOSIS: Diagnosis.HALLUCINATION}),
        ]
    )

    def found(*edited):
        return {step.diagnosis: step.responses for step in sentences.next_steps(rows, "P1", edited=edited)}

    assert found() == {Diagnosis.REPHRASED: 2, Diagnosis.HALLUCINATION: 1}
    assert found("1") == {Diagnosis.REPHRASED: 1, Diagnosis.HALLUCINATION: 1}
    assert found("1", "2") == {Diagnosis.HALLUCINATION: 1}


@pytest.mark.parametrize("diagnosis", [each for each in Diagnosis if each is not Diagnosis.CORRECT])
def test_a_step_says_what_it_gains(diagnosis):
    """Only what is not right yet gains right answers, at most as many as there are responses."""
    (step,) = sentences.next_steps(
        response_rows([response_row(str(n), "P1", **{DIAGNOSIS: diagnosis}) for n in range(3)]), "P1"
    )

    wrong = diagnosis in (Diagnosis.HALLUCINATION, Diagnosis.OFF_TARGET, Diagnosis.DECLINED)
    assert ("up to 3 more right answers" in step.gain) is wrong
    assert "3" in step.gain


def test_steps_leave_out_what_people_or_a_judge_overrule():
    """A hallucination that a person or a judge calls right needs no step; one that a person calls wrong still does."""
    rows = response_rows(diagnosed(*[Diagnosis.HALLUCINATION] * 4))
    rows = rows.with_columns(pl.Series(VERDICT, ["correct", *["incorrect"] * 3]))
    labels = rows[1:3].select(QUESTION_ID, PIPELINE, pl.Series(LABEL, ["correct", "incorrect"]))

    (judged,) = sentences.next_steps(rows, "P1")
    (labelled,) = sentences.next_steps(rows, "P1", labels=labels)

    assert (judged.responses, labelled.responses) == (3, 2)
