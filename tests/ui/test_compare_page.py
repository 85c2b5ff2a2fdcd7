"""The Compare page without a browser: what it says of the picked pair, and acceptance criteria added and removed."""

from collections import Counter

import polars as pl
import pytest

from qaviz.analysis.policy import criteria_in_force, protocol_in_force
from qaviz.model.classes import Measure
from qaviz.model.records import Criterion
from tests.builders import SAMPLE, save_rows, save_sample
from tests.screen import drawn, leads_to, link_of, mentions, open_page, texts


def sample_golden():
    return pl.read_ndjson(SAMPLE / "golden.jsonl").to_dicts()


def sample_rows():
    return pl.read_ndjson(SAMPLE / "responses.jsonl").to_dicts()


def cells_of(app, key):
    """The first line of each cell of a table on the page."""
    return [[cell["text"] for cell in row["cells"]] for row in drawn(app, key)["rows"]]


@pytest.mark.usefixtures("shown")
def test_the_pair_of_a_link_is_in_large_type():
    """A link names the pair and the metric; its sentence leads, the other pairs stand under it. What one pipeline is
    ahead in the matrix, the other is behind; a pipeline is not compared with itself."""
    app = open_page("compare", metric="factual_knowledge", first="Pipeline3", second="Pipeline1")

    said = drawn(app, "pairs")
    assert mentions(said["lead"], "Too few questions", "Pipeline3", "Pipeline1", 5, 8)
    assert len(said["points"]) == 2
    assert [row[0] for row in cells_of(app, "figures")] == [
        *("Right answers", "Facts stated", "Closeness", "Conciseness", "F1")
    ]
    assert [row[1:] for row in cells_of(app, "comparison")] == [
        *(["–", "+40.0", "+30.0"], ["−40.0", "–", "−10.0"], ["−30.0", "+10.0", "–"])
    ]


def test_the_matrix_of_many_pipelines_is_marks_that_lead_to_their_pairs(served):
    """Beyond four pipelines a row and its column share a number, and a cell is a symbol; its title is the sentence of
    the pair that it opens, with the figures."""
    golden = [{"question": str(each), "answer": "a b", "fact": "a"} for each in range(12)]
    responses = [
        {"question": str(each), "pipeline": f"P{pipeline}", "response": "b" if pipeline == 4 else "a"}
        for each in range(12)
        for pipeline in range(5)
    ]
    run = save_rows(served, golden, responses, "many")

    app = open_page("compare", metric="factual_knowledge")
    matrix = drawn(app, "comparison")
    first, last = matrix["rows"][0]["cells"], matrix["rows"][4]["cells"]

    assert matrix["dense"]
    assert [column["label"] for column in matrix["columns"]] == ["Pipeline", *(f"against P{each}" for each in range(5))]
    assert [column["short"] for column in matrix["columns"]] == ["", "1", "2", "3", "4", "5"]
    assert [cell["text"] for cell in first] == ["1 · P0", "–", "?", "?", "?", "▲"]
    assert [cell["text"] for cell in last] == ["5 · P4", *(["▼"] * 4), "–"]
    assert mentions(last[2]["title"], "P4", "worse", "P1", 0, 12, 12)
    assert last[2]["title"].endswith("); 0 won, 12 lost, 0 tied.")
    assert "−100.0 (" in last[2]["title"]
    assert last[2]["href"] == f"compare?metric=factual_knowledge&run={run.run_id}&first=P4&second=P1"
    assert not drawn(app, "figures")["dense"]


@pytest.mark.usefixtures("shown")
def test_the_page_begins_with_what_the_decision_is_about():
    """Without a link the pipeline that the decision is about is compared by right answers, and no other run is offered
    where there is none. The questions that only it has right are listed, each with both diagnoses, the words that
    differ and a link to its question; the table of diagnoses that differ counts them. Another pick stands in the link.
    """
    app = open_page("compare")
    assert mentions(drawn(app, "pairs")["lead"], "Too few questions", "Pipeline1", "Pipeline2", 9, 10, "correctly")
    assert "With another run" not in [box.label for box in app.selectbox]
    rows = drawn(app, "deciding")["rows"]
    diagnoses = [[cell["text"] for cell in row["cells"][1:]] for row in rows]
    right = {"correct", "rephrased-correct", "verbose"}

    assert len(rows) == 4
    assert all(first.endswith(" ▲") and first.removesuffix(" ▲") in right for first, _ in diagnoses)
    assert right.isdisjoint(second for _, second in diagnoses)
    assert all("new" in {word["change"] for word in row["cells"][1]["words"]} for row in rows)
    assert all(leads_to(row)["question"] for row in rows)
    counted = {(second, first): int(number) for second, first, number in cells_of(app, "transitions")}
    of_pair = Counter((second, first.removesuffix(" ▲")) for first, second in diagnoses)
    assert of_pair.items() <= counted.items()

    app.selectbox(key="pick_second").set_value("Pipeline3").run()
    assert link_of(app)["second"] == ["Pipeline3"]
    assert mentions(drawn(app, "pairs")["lead"], "Pipeline1", "Pipeline3")


@pytest.mark.usefixtures("shown")
def test_the_other_pipeline_is_never_the_same():
    """Where a link asks for a pipeline against itself, the page compares it with another one."""
    app = open_page("compare", first="Pipeline2", second="Pipeline2")

    assert app.selectbox(key="pick_second").options == ["Pipeline1", "Pipeline3"]
    assert mentions(drawn(app, "pairs")["lead"], "Pipeline2", "Pipeline1")


def test_a_run_of_one_pipeline_says_so(served):
    """With one pipeline there is nothing to compare, and the rest of the page still stands."""
    save_rows(served, sample_golden(), [row for row in sample_rows() if row["pipeline"] == "Pipeline2"])
    app = open_page("compare")

    assert not app.exception
    assert mentions(texts(app), "one pipeline", "Pipeline2", "nothing to compare")
    assert [each.key for each in app.selectbox] == ["run_picker"]


def test_a_criterion_and_a_protocol_are_kept(served, sample):
    """A criterion that the reader adds is kept with the workspace, judged for each pipeline, and can be removed; the
    empty response of the third pipeline is no pass. The smallest difference that matters and the questions a day are
    kept; what is set now is after the result."""
    app = open_page("compare")
    app.session_state["policy"] = True
    app.run()
    app.selectbox(key="criterion_measure").set_value(Measure.HALLUCINATIONS)
    app.number_input(key="criterion_bound").set_value(0.0)
    app.selectbox(key="criterion_category").set_value("income")
    next(button for button in app.button if button.label == "Add").click().run()

    assert criteria_in_force(served) == (Criterion(measure=Measure.HALLUCINATIONS, bound=0.0, category="income"),)
    assert [row[-1] for row in cells_of(app, "criteria")] == ["✓ met", "✗ not met", "? not shown"]

    app.button(key="remove_criterion_0").click().run()
    assert criteria_in_force(served) == ()
    assert "No criterion yet." in texts(app)

    smallest, a_day = (
        next(field for field in app.number_input if field.label.startswith(start))
        for start in ("Smallest", "Questions")
    )
    smallest.set_value(3.0)
    a_day.set_value(20)
    next(button for button in app.button if button.label == "Save").click().run()

    protocol = protocol_in_force(served, sample)
    assert (protocol.smallest_difference, protocol.questions_a_day, protocol.before) == (0.03, 20, False)
    assert "after the result" in texts(app)


def test_a_run_against_another_one(served):
    """With another run in the link its questions stand by what became of them."""
    before = save_sample(served, "before")
    better = [row | ({"response": "No idea."} if row["pipeline"] == "Pipeline1" else {}) for row in sample_rows()]
    save_rows(served, sample_golden(), better, "now")
    app = open_page("compare", against=before.run_id, change="broken")

    rows = drawn(app, "changes")["rows"]
    assert len(rows) == 9
    assert {row["cells"][1]["text"] for row in rows} == {"Pipeline1"}
    assert {tuple((each["text"], each["change"]) for each in row["cells"][3]["words"]) for row in rows} == {
        (("No idea.", "new"),)
    }
    assert all({each["change"] for each in row["cells"][2]["words"]} == {"gone"} for row in rows)


def test_a_category_of_few_questions_is_counted_and_not_compared(served):
    """Of a category of six questions and one of four the first alone is compared; the other one is counted."""
    golden = [
        {"question": str(each), "answer": "a b", "fact": "a", "category": "six" if each < 6 else "four"}
        for each in range(10)
    ]
    responses = [
        {"question": str(each), "pipeline": name, "response": "a" if name == "A" else "b"}
        for each in range(10)
        for name in ("A", "B")
    ]
    save_rows(served, golden, responses, "two")
    app = open_page("compare")

    assert [row["cells"][0]["text"] for row in drawn(app, "categories")["rows"]] == ["six"]
    assert "fewer than 5 questions: 1." in texts(app)
