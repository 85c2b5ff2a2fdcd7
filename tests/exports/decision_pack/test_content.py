"""qaviz.exports.decision_pack.content: what a pack says, gathered from a run."""

from dataclasses import replace

import polars as pl
import pytest

from qaviz.exports.decision_pack import name_file
from qaviz.exports.decision_pack.content import gather
from qaviz.exports.decision_pack.tables import (
    comparisons_table,
    diagnoses_table,
    normalised_table,
    pipelines_table,
)
from qaviz.model.columns import PIPELINE, REPEAT_OF
from qaviz.model.records import Verified
from qaviz.store.labels import keep_labels, kept_labels
from tests.builders import save_sample
from tests.exports.decision_pack.packs import CRITERIA, MADE_AT, pack_from, pack_of, written

TRIPLET = {"question": "How much?", "answer": "It was 5 euros", "fact": "5 euros"}


def test_criteria_take_repeats_as_one_pipeline(workspace):
    """Repeats share a row of a criterion, in the place of the one that ranks first; each question counts once."""
    run = save_sample(workspace)
    again = pl.when(pl.col(PIPELINE) != "Pipeline2").then(pl.lit("RAG")).alias(REPEAT_OF)
    rows = workspace.rows(run).with_columns(again)
    given = {"made_at": MADE_AT, "verified": None, "labels": kept_labels(workspace, run)}
    content = gather(run, workspace.golden(run.golden_id), rows, **given, criteria=CRITERIA[:1], made_of=())

    assert content.criteria.select(PIPELINE, "scored", "value").rows() == [("RAG", 10, 0.65), ("Pipeline2", 10, 0.4)]


def test_without_criteria_that_is_said(workspace):
    """A workspace without acceptance criteria leaves open what is good enough, and its pack has no table of them."""
    content = pack_from(workspace, [TRIPLET], {"only": ["5 euros"]})

    assert any("no acceptance criteria" in sentence for sentence in content.unknown)
    assert b"Acceptance criteria" not in written(content, ".md")


def test_what_is_known_meanwhile_is_no_longer_unknown(workspace):
    """With a label and a verification the pack says what they came to instead."""
    run = save_sample(workspace)
    keep_labels(workspace, run, "Kim", sample_labels(workspace, run))
    workspace.keep_verified(run, Verified(verified_at=MADE_AT, version="1.2.3", compared=30, differences=0))

    content = pack_of(workspace, run)

    said = "\n".join(content.unknown)
    assert "is labelled" not in said
    assert "not verified" not in said
    assert "People agree with" in said
    assert "FMEval 1.2.3" in dict(content.measured)["Scores verified"]


def sample_labels(workspace, run):
    return workspace.rows(run).select("question_id", "pipeline", label="verdict").head(5)


@pytest.mark.parametrize(
    ("triplet", "said"),
    [
        ({"fact": None}, "1 of 1 right"),
        ({"fact": None, "answer": None}, "no decision"),
        ({"answer": None}, "1 of 1 right"),
    ],
)
def test_one_pipeline_and_missing_texts_make_a_pack(workspace, triplet, said):
    """Without facts, answers or rivals the pack says so; what is missing is a dash, never a zero."""
    content = pack_from(workspace, [TRIPLET | triplet], {"only": ["It was 5 euros."]})

    assert said in content.lead.lower()
    assert content.question == "Is only good enough, judged by 1 question?"
    assert comparisons_table(content, most=10).rows == ()
    assert ("–" in pipelines_table(content).rows[0]) == (None in triplet.values())
    assert diagnoses_table(content).rows[0][0] == "only"


def test_normalised_scores_stand_beside_fmevals(workspace, monkeypatch):
    """Who restates the question and cites gains without both, FMEval's figures stay; large runs have no such table."""
    triplet = {"question": "What form do the integers have?", "answer": "a + bi", "fact": "a + bi"}
    said = {"plain": ["a + bi"], "wordy": ["The integers have the form a + bi [1]"]}
    content = pack_from(workspace, [triplet], said)

    gains = dict(content.normalised.select(PIPELINE, "gain").iter_rows())
    assert gains["plain"] == 0
    assert gains["wordy"] > 0.3
    f1 = dict(content.summary.select(PIPELINE, "f1").iter_rows())
    assert dict(content.normalised.select(PIPELINE, "f1_score").iter_rows()) == pytest.approx(f1)
    table = normalised_table(content)
    assert [row[0] for row in table.rows] == content.summary[PIPELINE].to_list()
    assert table.heads[-1] == "Gain in F1"
    assert table.title in written(content, ".md").decode("utf-8")

    monkeypatch.setattr("qaviz.exports.decision_pack.content.NORMALISED_UP_TO", 1)
    large = pack_from(workspace, [triplet], said, name="large")
    assert large.normalised.is_empty()
    assert any("--normalised" in each for each in large.unknown)
    assert not any("--normalised" in each for each in content.unknown)
    assert pack_from(workspace, [triplet | {"answer": None}], said, name="no answer").normalised.is_empty()


def test_of_many_comparisons_those_with_the_first_pipeline_are_shown(workspace):
    """A table with room for fewer rows than there are pairs says how many it leaves out and where they are."""
    content = pack_from(workspace, [TRIPLET], {f"p{number}": ["5 euros"] for number in range(6)})

    table = comparisons_table(content, most=10)

    assert len(table.rows) == 5
    assert {row[1] for row in table.rows} == {content.summary[PIPELINE][0]}
    assert "5 of 75 comparisons" in table.note


@pytest.mark.parametrize(
    ("run", "name"),
    [
        ("Release 12", "decision-pack-release-12-2026-11-20.pptx"),
        ("../../etc/passwd", "decision-pack-etc-passwd-2026-11-20.pptx"),
        ("日本語", "decision-pack-20261119-160500-c0ffee-2026-11-20.pptx"),
    ],
)
def test_the_file_is_named_after_run_and_day(sample, run, name):
    """Letters, digits and hyphens only; a run whose name has none gives its id."""
    assert name_file(replace(sample.run, name=run), MADE_AT, ".pptx") == name
