"""The panel on Overview that certifies verdicts by people's own labels."""

import json

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from qaviz.analysis.labels import random_order
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store.labels import DRAWN, keep_labels, kept_labels
from tests.labelled_run import import_harbours
from tests.screen import drawn, open_page


@pytest.fixture
def run(workspace, tmp_path, monkeypatch):
    """A run of 80 responses, the only one of the workspace that the app serves."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    return import_harbours(workspace, tmp_path, "harbours")


def opened(**params: str) -> AppTest:
    """The Overview with the panel open."""
    app = open_page("overview", **params)
    app.button(key="certify").click().run()
    assert not app.exception
    return app


def test_a_label_by_key_is_one_of_the_random_sample(workspace, run):
    """The panel offers the run's random order with the verdict hidden; a label is kept as drawn, progress goes on."""
    app = opened(run=run.run_id)
    next(field for field in app.text_input if field.label == "Your name").set_value("Ana").run()
    app.button(key="label_Correct").click().run()
    kept = kept_labels(workspace, run)

    first = workspace.rows(run).select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String))[random_order(80)[0]]
    assert kept.select(QUESTION_ID, PIPELINE).rows() == first.rows()
    assert kept[DRAWN].to_list() == [True]
    assert [button.disabled for button in app.button if button.key in ("label_Agree", "label_Disagree")] == [True, True]


def test_the_panel_says_what_labels_certify(workspace, run):
    """Without a label none is certified; people who agree with all of 80 verdicts certify all, but no other promise."""
    before = drawn(open_page("overview", run=run.run_id), "certificate")
    label = pl.col(VERDICT).cast(pl.String).alias(LABEL)
    keep_labels(workspace, run, "Ann", workspace.rows(run).select(QUESTION_ID, PIPELINE, label))
    after = opened(run=run.run_id)
    lead = drawn(after, "certificate")["lead"]
    after.number_input(key="certify_wrong").set_value(1).run()

    assert before["lead"].startswith("Not certified")
    assert lead.startswith("100% graded automatically, at most 10% wrong, 90% sure")
    assert drawn(after, "certificate")["lead"].startswith("Not certified yet: at most 1%")


def test_history_names_what_each_run_has_certified(workspace, run):
    """A run whose labels certify its verdicts says so in the history; a run without labels has no such column."""
    before = drawn(open_page("compare?tab=History", run=run.run_id), "steps")
    label = pl.col(VERDICT).cast(pl.String).alias(LABEL)
    keep_labels(workspace, run, "Ann", workspace.rows(run).select(QUESTION_ID, PIPELINE, label))
    after = drawn(open_page("compare?tab=History", run=run.run_id), "steps")

    assert "Certified" not in json.dumps(before)
    assert "100% automatic" in json.dumps(after)
