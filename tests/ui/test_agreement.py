"""qaviz.ui.agreement: how far people's labels agree with the verdicts, and labels from files."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from qaviz.diagnosis.calibration import IN_PLACE_OF_SHIPPED
from qaviz.diagnosis.recalibration import refit_in_force
from qaviz.loading import Source
from qaviz.loading.labels import read_labels
from qaviz.model.columns import LABEL
from qaviz.model.records import WORKSPACE_VARIABLE, Run
from qaviz.store.labels import keep_labels, kept_labels
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE
from tests.labelled_run import import_harbours, label_harbours
from tests.screen import drawn, leads_to, line_with, numbers_in, open_page, texts

LABELS = SAMPLE / "labels.jsonl"


def sample_labels():
    return read_labels(Source.of(LABELS), lambda *_: None)


@pytest.fixture
def labelled(sample: Run, workspace: Workspace) -> Run:
    """The sample run with the sample's labels, as a file brings them."""
    keep_labels(workspace, sample, "labels.jsonl", sample_labels())
    return sample


def agreement_view(**params: str) -> AppTest:
    app = open_page("responses", labels="Agreement", **params)
    assert not app.exception
    return app


@pytest.mark.usefixtures("sample")
def test_without_labels_the_panel_says_how_to_get_some():
    """A run that nobody has labelled has no figures, but the way to them."""
    assert "No response of this run is labelled yet" in texts(agreement_view())


@pytest.mark.usefixtures("labelled")
def test_the_figures_are_those_of_the_labels():
    """Share, matrix and list count the same responses: the verdict is the label, or it is listed as another."""
    app = agreement_view()

    cells = [cell["text"] for row in drawn(app, "confusion")["rows"] for cell in row["cells"][1:]]
    agreed = sum(int(cell.split()[1]) for cell in cells if cell.startswith("✓"))
    assert 25 <= agreed < 30
    assert drawn(app, "agreement")["lead"].startswith(f"People agree with {agreed / 30:.0%} (")
    assert drawn(app, "agreement")["points"][0].startswith("30 of 30 responses labelled")
    rows = drawn(app, "disagreements")["rows"]
    assert len(rows) == 30 - agreed
    assert leads_to(rows[0])["question"]


@pytest.mark.usefixtures("labelled")
def test_groups_come_the_worst_first():
    """Agreement by pipeline and by category: the pipeline with the verdict that people reject stands first."""
    app = agreement_view()

    counts = [row["cells"][1]["text"] for row in drawn(app, "agreement_pipeline")["rows"]]
    assert len(counts) == 3
    assert counts == sorted(counts, key=lambda text: int(text.split(" of ")[0]))
    assert drawn(app, "agreement_category")["rows"]


def test_labels_of_one_person(labelled, workspace):
    """Picking a person shows the agreement with their labels alone; taking back removes what they said last."""
    keep_labels(workspace, labelled, "Ana", sample_labels().head(4))
    app = agreement_view()
    people = app.selectbox(key=f"labels_by_{labelled.run_id}")
    assert people.options == ["Everybody · 34", "labels.jsonl · 30", "Ana · 4"]

    people.set_value("Ana").run()
    assert drawn(app, "agreement")["points"][0].startswith("4 of 30 responses labelled")

    app.button(key="labels_undo").click().run()
    assert not app.exception
    assert kept_labels(workspace, labelled)["labelled_by"].unique().to_list() == ["labels.jsonl"]
    assert drawn(app, "agreement")["points"][0].startswith("30 of 30 responses labelled")


def take(content: str, name: str = "labels.jsonl") -> AppTest:
    app = open_page("responses", labels="Labels from a file")
    app.file_uploader[0].set_value((name, content.encode(), "text/plain")).run()
    next(button for button in app.button if button.label == "Import these labels").click().run()
    assert not app.exception
    return app


def test_labels_from_a_file_are_kept_under_its_name(sample, workspace):
    """A file's labels are taken in, what belongs to no response is counted, and the agreement is shown."""
    stray = json.dumps({"question_id": "no such", "pipeline": "Pipeline1", "label": "correct"}) + "\n"
    app = take(LABELS.read_text("utf-8") + stray)

    assert numbers_in(line_with(app, "labels.jsonl")) == {"30", "1"}
    assert drawn(app, "agreement")["points"][0].startswith("30 of 30 responses labelled")
    kept = kept_labels(workspace, sample)
    assert kept["labelled_by"].unique().to_list() == ["labels.jsonl"]
    assert kept[LABEL].value_counts().sort(LABEL).rows() == [("correct", 20), ("declined", 3), ("incorrect", 7)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param('{"question_id": "cash"}\n', 'expected a column "pipeline"', id="a column is missing"),
        pytest.param(
            '{"question_id": "cash", "pipeline": "Pipeline1", "label": "fine"}\n',
            "found “fine”; expected correct, incorrect or declined",
            id="no such label",
        ),
        pytest.param(
            '{"question_id": "x", "pipeline": "y", "label": "correct"}\n',
            "none for a response of these 30",
            id="labels of another run",
        ),
    ],
)
def test_a_file_that_will_not_do_keeps_nothing(sample, workspace, content, said):
    """What is wrong with the labels is said, and none is kept."""
    assert said in texts(take(content))
    assert kept_labels(workspace, sample).is_empty()


def of_refit(app: AppTest, key: str):
    return next((button for button in app.button if button.key == key), None)


@pytest.mark.usefixtures("labelled")
def test_too_few_labels_refit_no_confidence():
    """Where a fit takes more labels the button is there, cannot be pressed, and says how many there are."""
    app = agreement_view()

    use = of_refit(app, "refit_use")
    assert use is not None
    assert use.disabled
    assert "a fit takes at least 30" in texts(app)


@pytest.fixture
def harbours(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run with 80 labels, the only one of the workspace that the app serves."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    monkeypatch.setenv(IN_PLACE_OF_SHIPPED, "")
    run = import_harbours(workspace, tmp_path, "harbours")
    label_harbours(workspace, run)
    return run


@pytest.mark.usefixtures("harbours")
def test_labels_refit_confidence_and_the_shipped_map_comes_back(workspace: Workspace):
    """The page shows the error before and after, one click puts the fit in force, another one the shipped map."""
    app = agreement_view()
    assert "80 labels to 40 questions" in texts(app)
    assert {row["cells"][0]["text"] for row in drawn(app, "reliability")["rows"]} == {
        "Shipped",
        "Fitted, on labels kept out",
    }
    assert of_refit(app, "refit_undo") is None

    app.button(key="refit_use").click().run()
    assert not app.exception
    used = line_with(app, "In use: fitted")
    assert "“harbours”" in used
    assert "80" in numbers_in(used)
    assert refit_in_force(workspace) is not None

    app.button(key="refit_undo").click().run()
    assert not app.exception
    assert "In use: the shipped map" in texts(app)
    assert refit_in_force(workspace) is None
