"""qaviz.ui.labels: how far people's labels agree with the verdicts, and labels from files."""

import pytest
from streamlit.testing.v1 import AppTest

from qaviz.loading import Source
from qaviz.loading.labels import read_labels
from qaviz.model.records import Run
from qaviz.store.labels import keep_labels, kept_labels
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE
from tests.screen import drawn, leads_to, open_page, texts

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


@pytest.mark.usefixtures("shown")
def test_without_labels_the_panel_says_how_to_get_some():
    """A run that nobody has labelled has no figures, but the way to them."""
    assert "No response of this run is labelled yet" in texts(agreement_view())


@pytest.mark.usefixtures("labelled")
def test_the_figures_are_those_of_the_labels():
    """Share, matrix and list count the same responses: the verdict is the label, or it is listed as another. Of
    pipelines, the one with the verdict that people reject stands first."""
    app = agreement_view()

    rows, columns = (drawn(app, "confusion")[part] for part in ("rows", "columns"))
    verdicts = [column["label"].removeprefix("Verdict: ") for column in columns]
    agreed = sum(int(row["cells"][verdicts.index(row["cells"][0]["text"])]["text"]) for row in rows)
    assert 25 <= agreed < 30
    assert drawn(app, "agreement")["lead"].startswith(f"People agree with {agreed / 30:.0%} (")
    assert drawn(app, "agreement")["points"][0].startswith("30 of 30 responses labelled")
    rows = drawn(app, "disagreements")["rows"]
    assert len(rows) == 30 - agreed
    assert leads_to(rows[0])["question"]
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
