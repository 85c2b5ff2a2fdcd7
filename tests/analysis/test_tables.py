"""qaviz.analysis.tables: what a run comes to, by pipeline, by question, over the golden dataset, by other tools and
over repeats, counted by question, never by response; and runs searched."""

from dataclasses import replace

import polars as pl
import pytest

from qaviz.analysis.outcomes import read_score, select_asked
from qaviz.analysis.sentences import provenance_lines
from qaviz.analysis.tables import (
    consistency,
    describe_scores,
    golden_sentences,
    matching,
    pipeline_means,
    pipeline_summary,
    rows_with,
    their_scores,
    with_text,
)
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.records import Provenance, SourceFile
from qaviz.stats import wilson
from qaviz.store.run_records import describe, find_record, run_table
from qaviz.store.workspace import Workspace
from tests.analysis.builders import golden_of, matrix_rows, response_row, response_rows
from tests.builders import golden_table
from tests.store.kept import ROWS, keep

PIPELINES = ("P1", "P2")


def test_summary_counts_what_it_measures():
    """Each share and mean comes with how many it counts; what is not scored is in neither."""
    rows = response_rows(
        [
            response_row("1", "P1", 1.0, **{c.RECALL: 0.8}),
            response_row("2", "P1", 0.0, **{c.RECALL: 0.4}),
            response_row("3", "P1", None, **{c.RECALL: None, c.RESPONSE: " ", c.DIAGNOSIS: Diagnosis.UNSCORED}),
        ]
    )

    (summary,) = pipeline_summary(rows, golden_of(4), ["P1"]).to_dicts()

    assert (summary["expected"], summary["answered"]) == (4, 2)
    assert (summary["fact_hits"], summary[c.FACTUAL_KNOWLEDGE], summary[f"{c.FACTUAL_KNOWLEDGE}_n"]) == (1, 0.5, 2)
    assert (summary[c.RECALL], summary[f"{c.RECALL}_n"]) == (pytest.approx(0.6), 2)
    assert [summary[each.value] for each in (Diagnosis.CORRECT, Diagnosis.HALLUCINATION, Diagnosis.UNSCORED)] == [1] * 3


@pytest.mark.parametrize("text", ["net sales", " SALES ", "12.5 (b", "1", "q2", "f", "nowhere", "."])
def test_with_text_finds_what_matching_finds(text):
    """Searching triplets and responses apart finds the rows that searching whole rows finds, in questions, answers,
    facts, ids and responses."""
    golden = golden_table(
        [
            {c.QUESTION: "Which net sales?", c.ANSWER: "a", c.FACT: "134.4"},
            {c.QUESTION: "q2", c.ANSWER: "b", c.FACT: None},
        ]
    )
    responses = pl.DataFrame(
        {
            c.QUESTION_ID: [*golden[c.QUESTION_ID], *golden[c.QUESTION_ID]],
            c.RESPONSE: ["Net sales", None, "f", "About 12.5 (b)"],
        }
    )
    rows = responses.join(golden, on=c.QUESTION_ID, maintain_order="left")

    assert rows.filter(with_text(rows, golden, text)).equals(matching(rows, text))


def test_what_a_run_says_of_its_golden_dataset():
    """Its gaps are counted in triplets, and a single scored pipeline says nothing of a question."""
    golden = golden_table([{c.FACT: "f", c.ANSWER: "a"}, {c.FACT: " "}, {c.ANSWER: "a", c.FACT: "f"}, {c.FACT: "f"}])
    never, always, *gaps = golden_sentences(golden, matrix_rows({"P1": "1-00", "P2": "1-0 "}), PIPELINES)

    assert never == "1 of 3 facts is stated by no pipeline. Check those questions first."
    assert always == "1 of 3 facts is stated by every pipeline, so they tell no pipelines apart."
    assert gaps == [
        "1 of 4 triplets have no fact, so Factual Knowledge excludes them.",
        "2 of 4 triplets have no golden answer.",
    ]
    third = matrix_rows({"P1": "1-00", "P2": "1-0 ", "P3": " -  "})
    assert golden_sentences(golden, third, [*PIPELINES, "P3"]) == [never, *gaps]  # P3 has no response
    sound, silent = (
        golden_sentences(golden_of(2), matrix_rows({"P1": marks, "P2": "00"}), PIPELINES) for marks in ("11", "00")
    )
    assert sound == ["All 2 triplets have an answer and a fact."]
    assert silent == ["2 of 2 facts are stated by no pipeline. Check those questions first."]


SCORES = pl.List(pl.Struct({"name": pl.String, "value": pl.Float64, "error": pl.String}))
THEIR_ROWS = pl.DataFrame(
    {
        "question_id": ["1", "2", "3", "4"],
        "pipeline": ["A", "A", "A", "B"],
        "diagnosis": ["correct", "off target", "unscored", "correct"],
        "verdict": ["correct", "incorrect", "unsure", "correct"],
        "their_scores": [
            [{"name": "faith", "value": 1.0, "error": None}, {"name": "tone", "value": 4.0, "error": None}],
            [{"name": "faith", "value": 0.25, "error": None}],
            [{"name": "faith", "value": None, "error": "NaN"}],
            None,
        ],
    },
    schema_overrides={"their_scores": SCORES},
)


def test_each_score_has_its_row():
    """A score is a row with its response's verdict; one that is missing has its reason; no score, no row."""
    assert their_scores(THEIR_ROWS).select("question_id", "score", "value", "why_not", "verdict").rows() == [
        ("1", "faith", 1.0, None, "correct"),
        ("1", "tone", 4.0, None, "correct"),
        ("2", "faith", 0.25, None, "incorrect"),
        ("3", "faith", None, "NaN", "unsure"),
    ]
    assert read_score(THEIR_ROWS, "faith").to_list() == [1.0, 0.25, None, None]


def test_a_sample_asked_only_its_own_questions():
    """A run of FMEval's fixed sample asked the questions of its rows, any other run the whole golden dataset."""
    golden = golden_table([{"question": "Who?"}, {"question": "Where?"}])
    rows = golden.select("question_id").tail(1)
    assert [select_asked(golden, rows, counts).height for counts in ({}, {"sample": 1})] == [2, 1]


def test_a_mean_says_how_many_it_counts():
    """Means leave missing scores out and say so."""
    assert list(describe_scores(their_scores(THEIR_ROWS))) == [
        'faith, pipeline "A": mean 0.625 over 2, 1 missing.',
        'tone, pipeline "A": mean 4 over 1.',
    ]


def rows_at(*places, pipeline="P1"):
    """A response at each (closeness, conciseness), with its place in the list as question id."""
    return response_rows(
        response_row(str(number), pipeline, **{c.RECALL: recall, c.PRECISION: precision})
        for number, (recall, precision) in enumerate(places)
    )


def test_means_and_their_intervals():
    """Means and Student's intervals of each pipeline over what is scored, in the run's order."""
    rows = pl.concat([rows_at((0.2, 0.5), (0.4, 0.7), (0.6, 0.9), (None, None)), rows_at((0.5, 0.5), pipeline="P2")])

    second, first = pipeline_means(rows, ["P2", "P1", "silent"]).to_dicts()

    assert (first[c.PIPELINE], first["responses"]) == ("P1", 3)
    assert (first["closeness"], first["conciseness"]) == pytest.approx((0.4, 0.7))
    # t(0.975, 2) = 4.3027; 4.3027 * 0.2 / sqrt(3) = 0.4968
    assert (first["closeness_low"], first["closeness_high"]) == pytest.approx((0.0, 0.8968), abs=1e-3)
    assert (first["conciseness_low"], first["conciseness_high"]) == pytest.approx((0.2032, 1.0), abs=1e-3)
    assert (second["closeness"], second["closeness_low"], second["closeness_high"]) == (0.5, None, None)


def repeats(stated: dict[str, str]) -> pl.DataFrame:
    """The rows of `matrix_rows`; what stands before ` · ` is the pipeline that a column repeats."""
    parts = pl.col(c.PIPELINE).str.split(" · ")
    return matrix_rows(stated).with_columns(pl.when(parts.list.len() > 1).then(parts.list.first()).alias(c.REPEAT_OF))


THREE = repeats({"A · 1": "1100", "A · 2": "1010", "A · 3": "1000", "B": "1111"})


def test_a_run_without_repeats_has_no_consistency():
    """Rows from before there were repeats, and pipelines that answer once, have none."""
    assert consistency(matrix_rows({"A": "10"})).is_empty()
    assert consistency(repeats({"A · 1": "10", "B": "11"})).is_empty()


def test_agreement_is_counted_by_question():
    """Of four questions one is right three times, one never, two sometimes: shares of four, however many repeats."""
    row = consistency(THREE).row(0, named=True)
    assert (row[c.PIPELINE], row["repeats"], row["same"], row["same_n"]) == ("A", 3, 0.5, 4)
    assert row["in_all"] == 0.25
    assert (row["same_low"], row["same_high"]) == wilson(2, 4)


def test_only_questions_that_every_repeat_answers_count():
    """A question that one repeat lacks, or is not scored on, is left out, and the number of questions says so."""
    row = consistency(repeats({"A · 1": "11-1", "A · 2": "110 "})).row(0, named=True)
    assert (row["in_all"], row["in_all_n"], row["same_n"]) == (1.0, 2, 3)


@pytest.fixture
def three(workspace: Workspace) -> Workspace:
    """Three runs: one by Zoë with tags and notes, one by bo that has fewer responses, one that nobody owns."""
    keep(workspace, "Beta", by="Zoe\u0308")
    keep(workspace, "alpha", rows=ROWS.head(2), by="bo")
    keep(workspace, "Gamma 100%")
    describe(
        workspace, find_record(workspace, "Beta").run.run_id, "Ana", notes="kept as .* baseline", add_tags=["Tag A"]
    )
    return workspace


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", ["Gamma 100%", "alpha", "Beta"]),
        ("ALPHA", ["alpha"]),
        ("zoë", ["Beta"]),
        ("tag  BASELINE", ["Beta"]),
        (".*", ["Beta"]),
        ("100%", ["Gamma 100%"]),
        ("baseline alpha", []),
    ],
)
def test_a_search_looks_everywhere_for_every_word(three: Workspace, search: str, found: list[str]):
    """Words are found in name, owner, tags and notes, in whatever case and however accents are written, as they stand;
    a run has to have them all."""
    assert rows_with(run_table(three), search)["name"].to_list() == found


def test_a_runs_provenance_in_words(three: Workspace):
    """Files with size and hash, columns, versions and what it was scored again from are said; what is not known too."""
    record = find_record(three, "Beta")
    said = dict(provenance_lines(record, 2))
    assert said["Golden dataset"] == f"version 2, {record.run.golden_id}"
    assert said["Thresholds"].startswith("Close from 0.65")
    assert "not recorded" in said["Files"]
    made_of = Provenance(
        files=(SourceFile(name="g.csv", sha256="ab", size=1234),),
        mappings={"g.csv": {"prompt": "question", "x": ""}},
        versions={"qaviz": "1", "polars": "2"},
        rescored_from="20260101-000000-abcdef",
    )
    said = dict(provenance_lines(replace(record, provenance=made_of), 2))
    assert said["File"] == "g.csv\n1,234 bytes, SHA-256 ab"
    assert said["Columns"] == 'g.csv: "prompt" read as question, "x" ignored'
    assert said["Versions"] == "qaviz 1, polars 2"
    assert "20260101-000000-abcdef" in said["Responses"]
    assert "Files" not in said
