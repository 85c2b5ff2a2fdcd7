"""Load data: what columns are read as, kept under a name and applied to the next file like it; sheets."""

import pytest

from qaviz.store import WORKSPACE_VARIABLE, Workspace
from qaviz.store.profiles import find_profile, keep_profile, kept_profiles
from qaviz.ui.mapping import editor_key
from tests.loading.readers.test_workbook import rows, workbook
from tests.screen import open_page, texts
from tests.test_pages import file, labelled, score_and_save, upload

GOLDEN = file("golden.csv", "Eins,Zwei,Drei\nq,a,n\n")
RESPONSES = file("responses.csv", "question,P1\nq,a\n")
GOLDEN_COLUMNS = ("golden.csv", ("Eins", "Zwei", "Drei"))
COLUMNS = ("Eins", "Zwei", "Drei")
MAPPING = {"Eins": "question", "Zwei": "answer"}


@pytest.fixture(autouse=True)
def served(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The app serves the test's own workspace."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    return workspace


def mapped(app, key, **words):
    """The page after these rows of the mapping's table were edited."""
    edited = {row.removeprefix("row_"): {"Read as": word} for row, word in words.items()}
    app.session_state[editor_key(key, *GOLDEN_COLUMNS)] = {"edited_rows": edited, "added_rows": [], "deleted_rows": []}
    return app.run()


def test_a_mapping_is_saved_and_applied_to_the_next_file(served):
    """A corrected mapping that is saved under a name is applied, without a click, to the next file with the same
    columns, which becomes a run."""
    app = mapped(upload(open_page("load_data"), GOLDEN), "golden_columns", row_0="question", row_1="answer")
    labelled(app.text_input, "Name of the mapping").set_value("Vendor *x*")
    labelled(app.button, "Save").click().run()
    assert find_profile(served, "Vendor *x*").mapping == MAPPING

    other = upload(open_page("load_data"), file("next.csv", "Zwei,Drei,Eins\na,n,q\n"), RESPONSES)
    assert labelled(other.selectbox, "Mapping").value == 1
    assert "to fix" not in texts(other).lower()
    score_and_save(other, "June")
    (run,) = served.runs()
    assert served.golden(run.golden_id).select("question", "answer").rows() == [("q", "a")]


def test_a_mapping_for_other_columns_is_offered_not_applied(served):
    """A file with more columns than the profile's is offered the profile and read as recognised until it is picked."""
    keep_profile(served, "Vendor", "golden", COLUMNS, MAPPING)
    app = upload(open_page("load_data"), file("g.csv", "Eins,Zwei,more\nq,a,n\n"))
    assert 'expected a column "question"' in texts(app)

    labelled(app.selectbox, "Mapping").select_index(1)
    app.run()
    assert 'expected a column "question"' not in texts(app)
    assert app.selectbox[0].options == ["as recognised", "Vendor"]


def test_saved_mappings_are_listed_and_deleted(served):
    """Load data lists each mapping in words, as plain text, and deletes it; a blank name saves nothing and is said."""
    keep_profile(served, "[x](http://y) <b>", "golden", COLUMNS, {"Zwei": "answer", "Drei": ""}, "Ana")
    app = open_page("load_data")
    said = [each.value for each in app.text if each.value.startswith("[x]")]
    assert said[0].startswith("[x](http://y) <b>: Zwei as answer, Drei left out. For golden datasets, saved ")
    assert said[0].endswith(" by Ana.")
    labelled(app.button, "Delete").click().run()
    assert kept_profiles(served) == []

    app = mapped(upload(app, GOLDEN), "golden_columns", row_0="question", row_1="answer")
    labelled(app.button, "Save").click().run()
    assert "name of the mapping: found a blank name" in texts(app)
    assert kept_profiles(served) == []


def test_a_sheet_is_chosen(served):
    """Of a workbook the sheet that fits is shown first; another one can be picked, and is the one that is read."""
    book = workbook(
        "book.xlsx",
        draft=rows(("question", "answer"), ("q", "wrong")),
        final=rows(("question", "answer"), ("q", "right")),
        runs=rows(("question", "P1"), ("q", "right")),
    )
    given = book.name, bytes(book.data), "application/octet-stream"
    app = upload(open_page("load_data"), given, given)
    sheets = [each for each in app.selectbox if each.label == "Sheet"]
    assert [each.value for each in sheets] == ["draft", "draft"]

    sheets[0].set_value("final")
    sheets[1].set_value("runs")
    score_and_save(app.run(), "June")
    (run,) = served.runs()
    assert served.golden(run.golden_id)["answer"].to_list() == ["right"]
    assert (run.pipelines, run.responses) == (("P1",), 1)


def test_edits_are_kept_while_another_file_stands_there():
    """What a person said of a file's columns is there again when the file comes back, and is not said of the other."""
    app = mapped(upload(open_page("load_data"), GOLDEN), "golden_columns", row_0="question", row_1="answer")
    assert "expected a column" not in texts(app)

    app = upload(app, file("other.csv", "Vier,Fünf\nq,a\n"))
    assert 'expected a column "question"' in texts(app)
    app = upload(app, GOLDEN)
    assert "expected a column" not in texts(app)
