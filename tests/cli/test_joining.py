"""Files that meet in the terminal: near questions, several files of responses, a pipeline added to a run."""

from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.store.run_records import find_record
from qaviz.store.workspace import Workspace
from tests.builders import write_jsonl

TRIPLETS = [
    {"question_id": "a", "question": "Where is the office?", "answer": "It is in Seattle.", "fact": "Seattle"},
    {"question_id": "b", "question": "Who leads the company?", "answer": "Andy does.", "fact": "Andy"},
]


def responses(file: Path, pipeline: str, **more: object) -> str:
    rows = [{"question_id": each["question_id"], "pipeline": pipeline, "response": each["answer"]} for each in TRIPLETS]
    return str(write_jsonl(file, [row | more for row in rows]))


@pytest.fixture
def golden(tmp_path: Path) -> str:
    """A golden dataset of two triplets."""
    return str(write_jsonl(tmp_path / "golden.jsonl", TRIPLETS))


def imported(workspace: Workspace, *arguments: str, name: str = "June") -> int:
    return main(["import", *arguments, "--name", name, "--workspace", str(workspace.folder)])


def test_a_later_file_adds_a_pipeline_to_a_run(workspace: Workspace, golden: str, tmp_path: Path):
    """`--add-to` makes a new run of the same golden dataset with the old responses, as they were, and the new ones; the
    old run stays, and the new one says where its responses come from."""
    repeated = responses(tmp_path / "a.jsonl", "A", repeat="2", contexts=["Seattle"], latency_ms=5)
    assert imported(workspace, golden, repeated) == 0
    later = responses(tmp_path / "b.jsonl", "B")
    assert imported(workspace, later, "--add-to", "June", name="both") == 0

    old, new = workspace.find("June"), workspace.find("both")
    assert (new.golden_id, new.pipelines) == (old.golden_id, (*old.pipelines, "B"))
    assert workspace.rows(new).head(2).equals(workspace.rows(old))
    made_of = find_record(workspace, new.run_id).provenance
    assert made_of is not None
    assert made_of.added_to == old.run_id
    assert [file.name for file in made_of.files] == ["golden.jsonl", "a.jsonl", "b.jsonl"]
    assert new.sources == ("golden.jsonl", "a.jsonl", "b.jsonl")


def test_near_questions_are_named_and_joined(workspace: Workspace, golden: str, tmp_path: Path, capsys):
    """Without `--join near` a question in other words is not scored; with it, it is, and both texts are said."""
    near = {"question": "Where is the new office?", "pipeline": "A", "response": "Seattle"}
    exact = {"question": "Who leads the company?", "pipeline": "A", "response": "Andy"}
    file = str(write_jsonl(tmp_path / "r.jsonl", [near, exact]))
    assert imported(workspace, golden, file) == 1
    capsys.readouterr()
    assert imported(workspace, golden, file, "--join", "near", name="joined") == 0
    said = capsys.readouterr().err
    assert "Where is the new office?" in said
    assert "Where is the office?" in said
    assert [workspace.find(name).responses for name in ("June", "joined")] == [1, 2]
    scored = tmp_path / "scored.jsonl"
    for flags, rows in (((), 1), (("--join", "near"), 2)):
        main(["score", golden, file, *flags, "--out", str(scored)])
        assert len(scored.read_text("utf-8").splitlines()) == rows
