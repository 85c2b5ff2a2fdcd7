"""qaviz.golden.edits: what edits would change, before anybody accepts them."""

import polars as pl
import pytest

from qaviz.analysis.tables import pipeline_summary
from qaviz.diagnosis import diagnose
from qaviz.golden.edits import (
    LOST_MATCH,
    WRONG_MATCH,
    Effects,
    apply_edits,
    edit,
    edits_to,
    expected_effects,
    preview,
)
from qaviz.loading import Source, load
from qaviz.model.columns import ANSWER, FACT, FACTUAL_KNOWLEDGE, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.records import Thresholds
from qaviz.scoring import score
from tests.builders import SAMPLE, golden_table

PIPELINES = ["Pipeline1", "Pipeline2", "Pipeline3"]
FACT_OF_CASH = "50.1 billion<OR>50,067 million<OR>50.067 billion"
NO_EDIT = edit("cash", FACT, None).clear()


@pytest.fixture(scope="module")
def loaded():
    return load(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")])


@pytest.fixture(scope="module")
def rows(loaded) -> pl.DataFrame:
    return diagnose(score(loaded.rows))


def effects_of(rows, loaded, *edits: pl.DataFrame, labels: pl.DataFrame | None = None) -> Effects:
    return preview(rows, loaded.golden, edits_to(loaded.golden, pl.concat(edits)), Thresholds(), PIPELINES, labels)


def labelled(question: str, pipeline: str, label: str) -> pl.DataFrame:
    return pl.DataFrame({QUESTION_ID: [question], PIPELINE: [pipeline], LABEL: [label]})


def test_a_missing_variant_shows_whom_it_helps(rows, loaded):
    """The variant that Pipeline2 writes raises its Factual Knowledge by one response, moves that response from
    rephrased-correct to correct, and would match nothing wrongly."""
    effects = effects_of(rows, loaded, edit("cash", FACT, f"{FACT_OF_CASH}<OR>50.07 billion"))

    assert effects.facts.select(PIPELINE, "hits", "hits_after", "scored_after", "before", "after").rows() == [
        ("Pipeline1", 8, 8, 10, 0.8, 0.8),
        ("Pipeline2", 4, 5, 10, 0.4, 0.5),
        ("Pipeline3", 5, 5, 10, 0.5, 0.5),
    ]
    assert effects.diagnoses.select(QUESTION_ID, PIPELINE, "before", "after").rows() == [
        ("cash", "Pipeline2", "rephrased-correct", "correct")
    ]
    assert set(effects.scores["score"]) == {"factual_knowledge", "factual_knowledge_quasi_exact"}
    assert effects.mistakes.is_empty()


def test_a_fact_that_is_too_simple_shows_what_it_would_wrongly_match(rows, loaded):
    """“billion” would make a hit of Pipeline2's made-up figure: the preview names the response and what it was."""
    mistakes = effects_of(rows, loaded, edit("net-sales", FACT, "134.4 billion<OR>134,383 million<OR>billion")).mistakes

    assert mistakes.select(QUESTION_ID, PIPELINE, "kind", "held").rows() == [
        ("net-sales", "Pipeline2", WRONG_MATCH, "diagnosed hallucination")
    ]
    assert "170.0 billion" in mistakes["reason"][0]


def test_a_hit_by_accident_is_a_wrong_match_of_a_right_response():
    """“112” would make a hit of a right response only because of its note 3112: it is named, unless a person says that
    the response is right."""
    golden = golden_table([{QUESTION: "By how much did sales grow?", ANSWER: "Sales grew by 12%.", FACT: "12%"}])
    said = pl.DataFrame({PIPELINE: ["P"], RESPONSE: ["Sales grew by 12 percent (note 3112)."]})
    rows = diagnose(score(golden.join(said, how="cross")))
    edits = edits_to(golden, edit("1", FACT, "112"))

    assert rows["verdict"].to_list() == ["correct"]
    found = preview(rows, golden, edits, Thresholds(), ["P"])
    assert found.mistakes.select("kind", "held").rows() == [(WRONG_MATCH, "diagnosed rephrased-correct")]
    assert preview(rows, golden, edits, Thresholds(), ["P"], labelled("1", "P", "correct")).mistakes.is_empty()


def test_a_label_outranks_the_diagnosis(rows, loaded):
    """A response that a person called incorrect is a wrong match, whatever the diagnosis says, and a hallucination that
    a person called correct is none."""
    variant = edit("cash", FACT, f"{FACT_OF_CASH}<OR>50.07 billion")
    simple = edit("net-sales", FACT, "134.4 billion<OR>134,383 million<OR>billion")

    wrong = effects_of(rows, loaded, variant, labels=labelled("cash", "Pipeline2", "incorrect")).mistakes
    right = effects_of(rows, loaded, simple, labels=labelled("net-sales", "Pipeline2", "correct")).mistakes
    assert wrong.select("kind", "held").rows() == [(WRONG_MATCH, "labelled incorrect")]
    assert right.is_empty()


def test_a_variant_taken_away_shows_what_would_be_lost(rows, loaded):
    """Right responses that would not match any more are named too."""
    mistakes = effects_of(rows, loaded, edit("net-sales", FACT, "134.4 billion")).mistakes

    assert mistakes.select(PIPELINE, "kind", "held").rows() == [("Pipeline1", LOST_MATCH, "diagnosed correct")]


def test_without_any_fact_nothing_is_scored(rows, loaded):
    """Where every fact goes, Factual Knowledge is missing, not 0."""
    facts = effects_of(rows, loaded, *(edit(name, FACT, None) for name in loaded.golden[QUESTION_ID])).facts

    assert facts.select(PIPELINE, "scored_after", "after").rows() == [(name, 0, None) for name in PIPELINES]


def test_an_answer_moves_the_scores_of_all_its_responses(rows, loaded):
    """Another golden answer moves closeness and conciseness of every pipeline, and Factual Knowledge of none."""
    effects = effects_of(rows, loaded, edit("office", ANSWER, "The headquarters of Amazon are in Seattle."))

    assert set(effects.scores[PIPELINE]) == set(PIPELINES)
    assert not effects.scores["score"].is_in([FACTUAL_KNOWLEDGE]).any()
    assert effects.facts["hits"].equals(effects.facts["hits_after"].rename("hits"))


def test_a_fact_taken_away_is_counted_as_not_scored(rows, loaded):
    """Without a fact nothing is scored: the count goes down, no score becomes 0."""
    effects = effects_of(rows, loaded, edit("net-sales", FACT, None))

    assert effects.facts.select("scored", "scored_after").rows() == [(10, 9)] * 3
    assert effects.scores["after"].null_count() == effects.scores.height == 6


def test_the_preview_is_what_scoring_from_scratch_says(rows, loaded):
    """Factual Knowledge after several edits at once is that of the whole run scored on the edited golden dataset."""
    wanted = [edit("cash", FACT, "50"), edit("office", FACT, "Seattle"), edit("challenge", FACT, None)]
    golden = apply_edits(loaded.golden, edits_to(loaded.golden, pl.concat(wanted)))
    scratch = diagnose(score(rows.drop(FACT).join(golden.select(QUESTION_ID, FACT), on=QUESTION_ID)))

    summary = pipeline_summary(scratch, golden, PIPELINES)
    facts = effects_of(rows, loaded, *wanted).facts
    assert facts["after"].to_list() == summary[FACTUAL_KNOWLEDGE].to_list()
    assert facts["scored_after"].to_list() == summary[f"{FACTUAL_KNOWLEDGE}_n"].to_list()


def test_the_next_best_edit_comes_first(rows):
    """Edits are ordered by how many more responses Factual Knowledge would judge rightly: the variant that is missing
    gains one, the word that matches everything loses, and an answer's edit moves no fact."""
    edits = [
        edit("net-sales", FACT, "134.4 billion<OR>134,383 million<OR>billion"),
        edit("office", ANSWER, "Seattle."),
        edit("cash", FACT, f"{FACT_OF_CASH}<OR>50.07 billion"),
    ]
    found = expected_effects(rows, pl.concat(edits))

    assert found.select(QUESTION_ID, "moves", "gain").rows() == [("cash", 1, 1), ("office", 0, 0), ("net-sales", 1, -1)]
    wrong = expected_effects(rows, pl.concat(edits), labelled("cash", "Pipeline2", "incorrect"))
    assert dict(wrong.select(QUESTION_ID, "gain").iter_rows())["cash"] == -1
    assert expected_effects(rows, NO_EDIT).is_empty()
