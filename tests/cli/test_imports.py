"""`qaviz import` of other tools' files, and the Question page of such a run, as a person meets them."""

import json

import pytest

from qaviz.cli import main
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store.workspace import open_workspace
from tests.loading.adapters.files import RAGAS_ROW
from tests.screen import drawn, open_page

SECOND = RAGAS_ROW | {"user_input": "Who?", "response": "Bob", "reference": "Ann", "faithfulness": float("nan")}


@pytest.fixture
def imported(tmp_path, capsys):
    """A workspace with a run from a Ragas file, one of whose metrics failed once, and what importing it said."""
    (tmp_path / "score.json").write_text(json.dumps([RAGAS_ROW, SECOND]))
    folder = tmp_path / "workspace"
    assert main(["import", str(tmp_path / "score.json"), "--name", "June", "--workspace", str(folder)]) == 0
    return folder, capsys.readouterr()


def test_import_says_whose_scores_are_whose(imported):
    """The terminal names the tool and compares its scores with the verdicts; the run keeps them, and none of them is
    among qaviz's own scores."""
    home, said = imported
    assert "score.json: from another tool: Ragas results" in said.err
    assert 'faithfulness, pipeline "score": mean 1 over 1, 1 missing' in said.out
    workspace = open_workspace(home)
    rows = workspace.rows(workspace.find("June"), ["their_scores", "factual_knowledge", "recall_over_words"])
    assert rows["factual_knowledge"].to_list() == [None, None]
    failed, given = rows["their_scores"].to_list()[1]
    assert (failed["name"], failed["value"], bool(failed["error"])) == ("faithfulness", None, True)
    assert given == {"name": "answer_relevancy", "value": 0.75, "error": None}


def test_the_question_page_shows_their_scores_apart(imported, monkeypatch):
    """Under the words stand the scores of the tool, with qaviz's diagnosis, and why one is missing; also where a
    pipeline is called "score"."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(imported[0]))
    app = open_page("responses?tab=Question", question="2")
    assert not app.exception
    table = drawn(app, "their_scores")
    cells = [[cell["text"] for cell in row["cells"]] for row in table["rows"]]
    assert cells[0][0] == "Diagnosis, by qaviz"
    assert cells[1:] == [["faithfulness", "NaN"], ["answer_relevancy", "0.75"]]
