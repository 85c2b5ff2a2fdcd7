"""qaviz.analysis.sentences: what the overview says, and that it claims no more than was measured."""

import polars as pl
import pytest

from qaviz.analysis import sentences
from qaviz.analysis.tables import GoldenState, fact_matrix, pipeline_summary, ranked
from qaviz.model.classes import Diagnosis, Fault
from qaviz.model.columns import DIAGNOSIS, FACTUAL_KNOWLEDGE, FAULT, PIPELINE, PRECISION, RECALL
from tests.analysis.builders import matrix_rows, response_row, response_rows
from tests.builders import golden_table


def facts_of(stated):
    rows = matrix_rows(stated)
    golden = golden_table({} for _ in range(max(map(len, stated.values()))))
    pipelines = list(stated)
    return sentences.facts_sentences(fact_matrix(rows, golden, pipelines), pipeline_summary(rows, golden, pipelines))


def diagnosed(*diagnoses, pipeline="P1", **other):
    return [
        response_row(f"{pipeline}{place}", pipeline, **{DIAGNOSIS: diagnosis}, **other)
        for place, diagnosis in enumerate(diagnoses)
    ]


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        pytest.param(
            {"P1": "1111111100"},
            ["P1 states 8 of 10 facts; over many questions like these, 49–94% is likely."],
            id="one pipeline gets its interval",
        ),
        pytest.param(
            {"P1": "--"},
            ["No fact is scored: the golden dataset states none for these responses. Closeness still compares them."],
            id="nothing scored",
        ),
        pytest.param(
            {"P1": "1100", "P2": "1111", "P3": "1110"},
            [
                "Too few questions to tell P2 from P3: 4 of 4 facts stated against 3, which may be chance. "
                "About 36 more questions like these may settle it. By chance: p = 1.000.",
                "Too few questions to tell P2 from P1: 4 of 4 facts stated against 2, which may be chance. "
                "About 14 more questions like these may settle it. By chance: p = 0.500; counting all pairs p = 1.000.",
            ],
            id="the leader against each of two, the nearest first",
        ),
    ],
)
def test_facts(stated, said):
    """The leading pipeline is compared with the next ones, on the questions they share."""
    assert facts_of(stated) == said


@pytest.mark.parametrize("pipelines", [["P1", "P2"], ["P2", "P1"]])
def test_of_equals_the_closest_leads(pipelines):
    """Of two that state as many facts the closer one is named first, whichever stands first in the files: every place
    that says it says the same."""
    rows = matrix_rows({"P1": "1100", "P2": "0110"}).with_columns(
        pl.when(pl.col(PIPELINE) == "P2").then(0.9).otherwise(0.5).alias(RECALL)
    )
    golden = golden_table({} for _ in range(4))
    summary = pipeline_summary(rows, golden, pipelines)

    assert ranked(summary)[PIPELINE].to_list() == ["P2", "P1"]
    said = sentences.run_sentences(fact_matrix(rows, golden, pipelines), summary, rows, pipelines)
    assert said[0].startswith("Too few questions to tell P2 from P1: 2 of 4 facts stated against 2.")


def test_closeness_compares_only_what_it_scored():
    """Where no answer is scored either, nothing claims that closeness compares the responses."""
    rows = matrix_rows({"P1": "--"}).with_columns(pl.lit(None, pl.Float64).alias(RECALL))
    golden = golden_table([{}, {}])
    matrix, summary = fact_matrix(rows, golden, ["P1"]), pipeline_summary(rows, golden, ["P1"])
    assert sentences.facts_sentences(matrix, summary) == [sentences.NO_FACT_SCORED]


def test_many_rivals_are_counted_with_a_correction():
    """Beyond two rivals the leader's lead is counted, corrected for the number of comparisons."""
    said = facts_of({"P1": "1" * 10, "P2": "1" * 10, "P3": "0" * 10, "P4": "0" * 10})

    assert len(said) == 3
    assert said[-1] == "P1 is ahead of 2 of 3 others by more than chance, counting all pairs."


def test_no_lead_over_many_rivals_is_said():
    """Where no lead is more than chance the sentence says so."""
    said = facts_of({"P1": "11", "P2": "10", "P3": "10", "P4": "10"})

    assert said[-1] == "P1 is ahead of none of the 3 others by more than chance."


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
        pytest.param([Diagnosis.CORRECT], "The diagnoses find no response that Factual Knowledge misreads.", id="none"),
    ],
)
def test_trust(diagnoses, sentence):
    """The reader learns how often the string match says something else than the diagnosis."""
    assert sentences.trust_sentence(response_rows(diagnosed(*diagnoses))) == sentence


def test_without_a_fact_score_nothing_is_misread():
    """Where Factual Knowledge says nothing, nothing is said of how it reads."""
    rows = response_rows(diagnosed(Diagnosis.CORRECT, **{FACTUAL_KNOWLEDGE: None}))
    assert sentences.trust_sentence(rows) is None


def test_verdicts_leave_out_what_nobody_could_judge():
    """Pipelines are ranked by correct verdicts among those that could be given."""
    first = diagnosed(Diagnosis.CORRECT, Diagnosis.HALLUCINATION, Diagnosis.UNSCORED)
    second = diagnosed(Diagnosis.REPHRASED, Diagnosis.VERBOSE, pipeline="P2")

    said = sentences.verdict_sentence(response_rows(first + second), ["P1", "P2"])

    assert said == "Judged by diagnosis, P2 answers 2 of 2 correctly, P1 1 of 2."


@pytest.mark.parametrize(
    ("pipelines", "ends"),
    [
        pytest.param(["P1", "P2"], " No response of P2 could be judged.", id="one"),
        pytest.param(["P2", "P1", "P3", "P4"], " No response of P2, P3 and 1 more could be judged.", id="many"),
        pytest.param(["P1"], "is likely.", id="none"),
    ],
)
def test_a_pipeline_that_nobody_could_judge_is_named(pipelines: list[str], ends: str):
    """A pipeline whose responses are all unsure, or which has none, is not left out in silence."""
    first = diagnosed(Diagnosis.CORRECT, Diagnosis.HALLUCINATION)
    second = diagnosed(Diagnosis.UNSCORED, pipeline="P2")

    said = sentences.verdict_sentence(response_rows(first + second), pipelines)

    assert said.startswith("Judged by diagnosis, P1 answers 1 of 2 correctly")
    assert said.endswith(ends)


@pytest.mark.parametrize(
    ("closeness", "sentence"),
    [
        pytest.param(
            {"P1": (0.9, 0.2), "P2": (0.5, 0.8)},
            "P1 is the closest to the golden answers (closeness 0.90), P2 the most concise (conciseness 0.80).",
            id="two winners",
        ),
        pytest.param(
            {"P1": (0.9, 0.9), "P2": (0.5, 0.8)},
            "P1 is the closest to the golden answers (closeness 0.90) and the most concise (conciseness 0.90).",
            id="one winner",
        ),
        pytest.param(
            {"P1": (0.5, 0.2), "P2": (0.9, 0.8), "P3": (0.9001, 0.1)},
            "P2 and P3 are the closest to the golden answers (closeness 0.90), P2 the most concise (conciseness 0.80).",
            id="two are closest, as the scores read",
        ),
        pytest.param(
            {"P1": (0.9, 0.5), "P2": (0.9, 0.8)}, "P2 is the most concise (conciseness 0.80).", id="one differs"
        ),
        pytest.param({"P1": (0.9, 0.5), "P2": (0.9, 0.5)}, None, id="no winner"),
        pytest.param({"P1": (0.9, 0.9)}, None, id="nothing to compare"),
        pytest.param({"P1": (0.9, 0.9), "P2": (None, None)}, None, id="only one is scored"),
    ],
)
def test_style(closeness, sentence):
    """Closeness and conciseness name their best pipelines, all that share the best score, where scores differ."""
    rows = response_rows(
        response_row("1", name, **{RECALL: close, PRECISION: concise}) for name, (close, concise) in closeness.items()
    )

    summary = pipeline_summary(rows, golden_table([{}]), list(closeness))

    assert sentences.style_sentence(summary) == sentence


def state(**counts):
    none = dict.fromkeys(("triplets", "without_fact", "without_answer", "never_stated", "always_stated"), 0)
    return GoldenState(**none | counts)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        pytest.param(
            {"triplets": 10, "never_stated": 2},
            ["No pipeline states the fact of 2 of 10: look at the question first."],
            id="never stated",
        ),
        pytest.param(
            {"triplets": 10, "without_fact": 1, "without_answer": 2},
            [
                "1 of 10 triplets have no fact, so Factual Knowledge leaves them out.",
                "2 of 10 triplets have no golden answer.",
            ],
            id="gaps",
        ),
        pytest.param({"triplets": 3}, ["None of 3 triplets lacks an answer or a fact."], id="sound"),
    ],
)
def test_golden(counts, said):
    """What is wrong with the golden dataset is said, and nothing else."""
    assert sentences.golden_sentences(state(**counts)) == said


def test_listed():
    """What loading listed is said by kind; kinds without rows are not."""
    assert sentences.listed_sentences({"unaligned": 1200, "duplicate": 0, "unanswered": 1}) == [
        "Listed when loading: unaligned (1,200), unanswered (1)."
    ]
    assert sentences.listed_sentences({}) == []


def test_a_sample_is_said_first():
    """That FMEval scored its fixed sample alone is a sentence of its own, before what was listed."""
    assert sentences.listed_sentences({"sample": 2}) == [
        "FMEval scored its fixed sample of 100 or 300 questions, not all: Load data lists which.",
        "Listed when loading: sample (2).",
    ]
    assert len(sentences.listed_sentences({"perhaps a sample": 1})) == 1


def test_steps_name_the_pipeline_that_has_most_to_gain():
    """A pipeline's fault is counted for the pipeline that has it most, and leads to its responses."""
    rows = response_rows(diagnosed(*[Diagnosis.HALLUCINATION] * 3, pipeline="P2") + diagnosed(Diagnosis.HALLUCINATION))

    (step,) = sentences.next_steps(rows)

    assert (step.pipeline, step.responses, step.diagnosis) == ("P2", 3, Diagnosis.HALLUCINATION)
    assert step.title == "Check what P2 retrieved where it states another value: 3 responses"


def test_steps_about_the_golden_dataset_count_all_pipelines():
    """A triplet's fault shows in any pipeline's responses, so it is counted over all."""
    rows = response_rows(diagnosed(Diagnosis.REPHRASED) + diagnosed(Diagnosis.REPHRASED, pipeline="P2"))

    (step,) = sentences.next_steps(rows)

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

    steps = sentences.next_steps(rows)

    assert len(steps) == 3
    assert steps[-1].fault == Fault.GOLDEN


def test_nothing_to_do():
    """Correct responses, and those that decline rightly, ask for no step."""
    right = diagnosed(Diagnosis.CORRECT) + diagnosed(Diagnosis.DECLINED, pipeline="P2", **{FAULT: Fault.NOBODY.value})

    assert sentences.next_steps(response_rows(right)) == []


@pytest.mark.parametrize("name", ["{0}", "{responses}", "%s", "![x](http://127.0.0.1/)"])
def test_names_are_quoted_as_they_are(name):
    """A pipeline's name comes out of a sentence as it went in."""
    rows = response_rows(diagnosed(Diagnosis.HALLUCINATION, pipeline=name))

    assert f"Check what {name} retrieved" in sentences.next_steps(rows)[0].title
    assert facts_of({name: "11"})[0].startswith(f"{name} states 2 of 2 facts")
