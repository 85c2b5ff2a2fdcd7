"""What cannot be done is said: refused.json has commands as a person types them, and what is said of each."""

import json
import shlex
from pathlib import Path

import pytest

from qaviz.cli import COULD_NOT_RUN, main
from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store.audit import whole_audit
from qaviz.store.members import give_role
from qaviz.store.roles import Role
from qaviz.store.workspace import open_workspace
from tests.builders import SAMPLE, save_sample, write_jsonl

CASES = json.loads(Path(__file__).with_name("refused.json").read_text("utf-8"))
OF_SAMPLE = {QUESTION_ID: "cash", PIPELINE: "Pipeline1", LABEL: "correct"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files, and a workspace with the sample as a run, two versions of its golden dataset, and an owner."""
    folder = tmp_path_factory.mktemp("refused")
    home = open_workspace(folder / "workspace")
    run = save_sample(home)
    accept(home, newest_version(home, run.golden_id), edit("cash", FACT, "50.1 billion"), "Ana", "shorter")
    give_role(home, "root", Role.OWNER)
    (folder / "own.jsonl").write_bytes((SAMPLE / "responses.jsonl").read_bytes())
    (folder / "answers.csv").write_text("question,pipeline,response\nHow many?,A,158\n", "utf-8")
    write_jsonl(folder / "elsewhere.jsonl", [{"question_id": "q", "question": "Why?", "answer": "So.", "fact": "So"}])
    write_jsonl(folder / "others.jsonl", [OF_SAMPLE | {QUESTION_ID: "x"}])
    write_jsonl(folder / "maybe.jsonl", [OF_SAMPLE, OF_SAMPLE | {QUESTION_ID: "office", LABEL: "maybe"}])
    files = [str(SAMPLE / name) for name in ("golden.jsonl", "responses.jsonl")]
    assert main(["score", *files, "--out", str(folder / "scored.csv")]) == 0
    return folder


@pytest.mark.parametrize(("command", "said"), CASES, ids=[command for command, _ in CASES])
def test_what_cannot_be_done_is_said(
    command: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Exit code 2, what was found on stderr, each problem on one line, nothing on stdout; and nothing changes."""
    places = {name: str(SAMPLE / f"{name.lower()}.jsonl") for name in ("GOLDEN", "RESPONSES", "LABELS")}
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(folder / "workspace"))
    home = open_workspace(folder / "workspace")
    before = whole_audit(home), {file: file.stat().st_mtime_ns for file in folder.iterdir() if file.is_file()}
    words = [word.replace("FOLDER", str(folder)) for word in shlex.split(command)]

    assert main([places.get(word, word) for word in words]) == COULD_NOT_RUN
    printed = capsys.readouterr()
    assert (printed.out, said in printed.err) == ("", True), printed.err
    assert all(line.startswith("qaviz: ") for line in printed.err.splitlines())
    assert before[0].equals(whole_audit(home))
    assert before[1] == {file: file.stat().st_mtime_ns for file in folder.iterdir() if file.is_file()}
