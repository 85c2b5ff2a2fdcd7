"""The page Runs: find a run, say what it is, archive and delete it with undo; the audit."""

from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from qaviz.store.audit import whole_audit
from qaviz.store.audit_log import Deed
from qaviz.store.run_records import RunState, archive, delete, describe, find_record
from tests.builders import save_sample
from tests.screen import drawn, link_of, open_named, open_page, press, texts
from tests.store.kept import keep

runs_page = partial(open_named, "runs")


def listed(app: AppTest) -> list[str]:
    if not [each for each in app.get("bidi_component") if each.key == "runs"]:
        return []
    return [row["cells"][0]["text"] for row in drawn(app, "runs")["rows"]]


def field(app: AppTest, kind: str, name: str):
    """The field of the card's form."""
    return next(each for each in app.get(kind) if each.key and each.key.startswith(f"{name}_2"))


def save(app: AppTest) -> None:
    next(button for button in app.button if button.label == "Save").click().run()
    assert not app.exception


def test_an_empty_workspace_says_what_to_do(workspace, monkeypatch):
    """Without a run the page says what one is, and that nothing was done yet."""
    monkeypatch.setenv("QAVIZ_WORKSPACE", str(workspace.folder))
    app = runs_page("")
    assert "No run yet. A run is a golden dataset" in texts(app)
    assert "No entries yet." in texts(runs_page("", view="Audit"))
    assert "No run is archived" in texts(runs_page("", view="Archived"))


def test_a_run_is_found_by_search_and_link(sample, workspace):
    """A search, in the URL, leaves the runs that have all its words; a link opens the run's card."""
    describe(workspace, save_sample(workspace, "June").run_id, "Bo", owner="Bo", add_tags=["baseline"])
    assert listed(runs_page("")) == ["June", "sample"]
    app = runs_page("", search="BO baseline")
    assert listed(app) == ["June"]
    app.text_input(key="runs_search").set_value("nowhere").run()
    assert link_of(app)["search"] == ["nowhere"]
    assert "No run contains all these words" in texts(app)
    assert "30 responses" in texts(runs_page("", chosen=sample.run_id))


def test_what_is_changed_on_the_card_is_kept(sample, workspace):
    """Name, owner, tags and notes are saved in the reader's name; the run picker and the list show the new name."""
    app = runs_page(chosen=sample.run_id)
    field(app, "text_input", "name").set_value("July")
    field(app, "multiselect", "tags").set_value(["critical"])
    field(app, "text_area", "notes").set_value("two\nlines")
    save(app)
    record = find_record(workspace, sample.run_id)
    assert (record.run.name, record.tags, record.notes) == ("July", ("critical",), "two\nlines")
    assert set(whole_audit(workspace)["who"][1:]) == {"Ana"}
    assert listed(app) == ["July"]
    assert app.selectbox(key="run_picker").options == ["July"]


def test_two_people_on_one_card_both_keep_what_they_changed(sample, workspace):
    """Who saves after somebody else writes only what they changed themselves: owner and tag of the other stay."""
    app = runs_page(chosen=sample.run_id)
    describe(workspace, sample.run_id, "Bo", owner="Bo", add_tags=["his"])
    field(app, "multiselect", "tags").set_value(["hers"])
    field(app, "text_area", "notes").set_value("hers too")
    save(app)
    record = find_record(workspace, sample.run_id)
    assert (record.owner, set(record.tags), record.notes) == ("Bo", {"his", "hers"}, "hers too")


@pytest.mark.parametrize(
    ("button", "view", "state"),
    [("run_archive", "Archived", RunState.ARCHIVED), ("run_delete", "Deleted", RunState.DELETED)],
)
def test_an_archived_or_deleted_run_is_restored_from_its_list(sample, workspace, button, view, state):
    """The run leaves the list at once, and comes back from the list of archived or deleted ones."""
    app = runs_page(chosen=sample.run_id)
    press(app, button)
    assert find_record(workspace, sample.run_id).state == state
    assert listed(app) == []
    press(runs_page(view=view, chosen=sample.run_id), "run_restore")
    assert find_record(workspace, sample.run_id).state == RunState.CURRENT


def test_a_deleted_run_whose_name_is_taken_comes_back_under_another(sample, workspace):
    """Under its own name the page says who has it; the card takes another name."""
    delete(workspace, sample.run_id, "Bo")
    keep(workspace, "sample")
    app = runs_page(view="Deleted", chosen=sample.run_id)
    assert "Deleted by Bo" in texts(app)
    press(app, "run_restore")
    assert "Choose another name" in texts(app)
    field(app, "text_input", "return").set_value("sample 2").run()
    press(app, "run_restore")
    assert {run.name for run in workspace.runs()} == {"sample", "sample 2"}


def test_pages_open_an_archived_run(sample, workspace):
    """A link to an archived run opens, though no list has it, on a page that has a list of runs too."""
    archive(workspace, sample.run_id, "Bo")
    app = open_page("compare?tab=History", run=sample.run_id)
    assert not app.exception
    assert app.selectbox(key="run_picker").value == sample.run_id


def test_other_pages_say_that_a_run_is_deleted(sample, workspace):
    """A link to a deleted run says who deleted it and how it comes back."""
    delete(workspace, sample.run_id, "Bo")
    app = open_page("board", run=sample.run_id)
    assert not app.exception
    assert "found that Bo deleted it" in texts(app)


def test_the_audit_is_searched(sample, workspace):
    """The newest deed stands first; a search leaves the entries with its words."""
    archive(workspace, sample.run_id, "Bo")
    app = runs_page("", view="Audit")
    assert [row["cells"][4]["text"] for row in drawn(app, "audit")["rows"]] == [Deed.ARCHIVE, Deed.IMPORT]
    app.text_input(key="runs_search").set_value("bo").run()
    assert len(drawn(app, "audit")["rows"]) == 1
