"""qaviz.report.decision: what the report of a run says."""

import polars as pl
import pytest

from qaviz.model.columns import PIPELINE, REPEAT_OF
from qaviz.model.records import Verified
from qaviz.report import Column, Kind, Scatter, Table, write_cells
from qaviz.report.decision import report_rows
from qaviz.store.labels import keep_labels, kept_labels
from tests.builders import save_sample
from tests.exports.decision_pack.packs import CRITERIA, MADE_AT, pack_from, pack_of, tables_of

TRIPLET = {"question": "How much?", "answer": "It was 5 euros", "fact": "5 euros"}


def test_repeats_are_one_pipeline(workspace):
    """Repeats share a row of each table, in the place of the one that ranks first, and are not compared with one
    another; each question counts once."""
    run = save_sample(workspace)
    again = pl.when(pl.col(PIPELINE) != "Pipeline2").then(pl.lit("RAG")).alias(REPEAT_OF)
    rows = workspace.rows(run).with_columns(again)
    given = {"made_at": MADE_AT, "labels": kept_labels(workspace, run), "criteria": CRITERIA[:1]}
    report = report_rows(run, workspace.golden(run.golden_id), rows, **given)

    criteria = pl.DataFrame(report.record["criteria"])
    assert criteria.select(PIPELINE, "scored", "value").rows() == [("RAG", 10, 0.65), ("Pipeline2", 10, 0.4)]
    assert [row[0] for row in write_cells(tables_of(report)["Pipelines"])] == ["RAG", "Pipeline2"]
    assert {(row["first"], row["second"]) for row in report.record["comparisons"]} == {("RAG", "Pipeline2")}
    assert sorted(report.record["run"]["pipelines"]) == ["Pipeline2", "RAG"]


def test_what_is_known_meanwhile_is_no_longer_unknown(workspace):
    """With a label and a verification the report says what they came to instead."""
    run = save_sample(workspace)
    labels = workspace.rows(run).select("question_id", "pipeline", label="verdict").head(5)
    keep_labels(workspace, run, "Kim", labels)
    workspace.keep_verified(run, Verified(verified_at=MADE_AT, version="1.2.3", compared=30, differences=0))

    record = pack_of(workspace, run).record

    unknown = "\n".join(record["not_known"])
    assert "is labelled" not in unknown
    assert "not verified" not in unknown
    assert "People agree with" in unknown
    assert "FMEval 1.2.3" in record["measured"]["Scores verified"]


@pytest.mark.parametrize(
    ("triplet", "lead"),
    [
        ({"fact": None}, "1 of 1 right"),
        ({"fact": None, "answer": None}, "no decision"),
        ({"answer": None}, "1 of 1 right"),
    ],
)
def test_one_pipeline_and_missing_texts_make_a_report(workspace, triplet, lead):
    """Without facts, answers or rivals the report says so; what is missing is a dash, never a zero."""
    report = pack_from(workspace, [TRIPLET | triplet], {"only": ["It was 5 euros."]})

    tables = tables_of(report)
    assert lead in report.sections[0].title.lower()
    assert report.title == "Is only good enough, judged by 1 question?"
    assert "Differences" not in tables
    assert ("–" in next(write_cells(tables["Pipelines"]))) == (None in triplet.values())


def test_of_many_pairs_those_with_the_first_pipeline_are_shown(workspace):
    """A table with room for fewer rows than there are pairs says how many it leaves out and where they are."""
    report = pack_from(workspace, [TRIPLET], {f"p{number}": ["5 euros"] for number in range(10)})

    differences = tables_of(report)["Differences"]

    assert differences.frame["first"].unique().to_list() == [report.record["pipelines"][0]["pipeline"]]
    assert "9 of 45 pairs" in differences.note


@pytest.mark.parametrize(("triplet", "drawn"), [({"fact": "so"}, False), ({"answer": "so"}, True)])
def test_a_scatter_needs_golden_answers(workspace, triplet, drawn):
    """Without a golden answer there is no closeness, and no scatter."""
    report = pack_from(workspace, [{"question": "Why?"} | triplet], {"a": ["so"]})

    blocks = [block for section in report.sections for block in section.blocks]
    assert any(isinstance(block, Scatter) for block in blocks) is drawn


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (Column(name="n", heading="", kind=Kind.COUNT), "1,234"),
        (Column(name="n", heading="", kind=Kind.PART, of="m"), "1,234 of 2,000"),
        (Column(name="s", heading="", kind=Kind.SHARE, ends=("l", "h")), "62% (58–66%)"),
        (Column(name="s", heading="", kind=Kind.SHARE), "62%"),
        (Column(name="s", heading="", kind=Kind.SCORE), "0.62"),
        (Column(name="l", heading="", kind=Kind.DIFFERENCE, ends=("d", "h")), "+58.0 (−1.0 to +66.0)"),
        (Column(name="p", heading="", kind=Kind.P), "<0.001"),
        (Column(name="mark", heading="", kind=Kind.CELL), "✗"),
        (Column(name="text", heading=""), "a"),
        (Column(name="none", heading="", kind=Kind.SCORE), "–"),
    ],
)
def test_a_cell_is_written_by_its_kind(column, text):
    """Each kind of column has one way to be read; null is a dash."""
    row = {"n": 1234, "m": 2000, "s": 0.62, "l": 0.58, "h": 0.66, "d": -0.01, "p": 0.0001, "none": None}
    frame = pl.DataFrame([row | {"mark": "hallucination", "text": "a"}])

    assert list(write_cells(Table(title="", frame=frame, columns=(column,)))) == [(text,)]
