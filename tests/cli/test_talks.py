"""Commands as a person types them: talks.json has what each does and says, refused.json what cannot be done."""

import json
import re
import shlex
from pathlib import Path

import polars as pl
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

HERE = Path(__file__).parent
TALKS, REFUSED = (json.loads((HERE / f"{name}.json").read_text("utf-8")) for name in ("talks", "refused"))
POLICIES = {
    "strict.json": '{"criteria": [{"measure": "facts stated", "at_least": 1}]}',
    "lenient.json": '{"criteria": [{"measure": "closeness", "at_least": 0}]}',
    "certified.toml": '[[criteria]]\nmeasure = "certified"\nat_most = 0.1\n',
}


def write_files(folder: Path) -> Path:
    """The files that commands name, and a workspace with the sample as a run."""
    save_sample(open_workspace(folder / "workspace"))
    responses, labels = (pl.read_ndjson(SAMPLE / f"{name}.jsonl").to_dicts() for name in ("responses", "labels"))
    silent = [row for row in responses if (row[PIPELINE], row[QUESTION_ID]) != ("Pipeline1", "cash")]
    quiet = {"question_id": "q", "question": "Which country did Napoleon rule?", "fact": "France"}
    rows = {
        "own": responses,
        "fewer": silent,
        "quiet": [quiet | {"answer": "Napoleon ruled France."}],
        "strange": [*labels[1:], labels[0] | {PIPELINE: "elsewhere"}],
        "others": [labels[0] | {QUESTION_ID: "x"}],
        "maybe": [labels[0], labels[1] | {LABEL: "maybe"}],
        "twice": [labels[0] | {LABEL: label} for label in ("correct", "incorrect")],
    }
    for name, own in rows.items():
        write_jsonl(folder / f"{name}.jsonl", own)
    documented = (HERE.parents[1] / "docs" / "pipelines.md").read_text("utf-8")
    (policy,) = re.findall(r"```toml\n(\[\[criteria.+?)```", documented, re.DOTALL)
    for name, text in (POLICIES | {"documented.toml": policy}).items():
        (folder / name).write_text(text, "utf-8")
    golden = (SAMPLE / "golden.jsonl").read_text("utf-8")
    mended = golden.replace('<OR>February 22, 2023"', '<OR>February 22, 2023<OR>22 February 2023"')
    (folder / "mended.jsonl").write_text(mended, "utf-8")
    (folder / "answers.csv").write_text("question,pipeline,response\nHow many?,A,158\n", "utf-8")
    return folder


def call(command: str, folder: Path) -> int:
    """The exit code of the command; `cat FILE` prints a file that one wrote."""
    places = {name: str(SAMPLE / f"{name.lower()}.jsonl") for name in ("GOLDEN", "RESPONSES", "LABELS")}
    words = [places.get(word, word.replace("FOLDER", str(folder))) for word in shlex.split(command)]
    if words[:1] != ["cat"]:
        return main(words)
    print(Path(words[1]).read_text("utf-8", "replace"))
    return 0


@pytest.mark.parametrize("talk", TALKS)
def test_each_command_does_and_says_what_it_is_for(
    talk: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Exit code and words of each command, in turn; a text behind `!` is not said."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(tmp_path / "workspace"))
    write_files(tmp_path)
    for command, code, texts in TALKS[talk]:
        capsys.readouterr()
        ended, printed = call(command, tmp_path), capsys.readouterr()
        said = f"{printed.out}{printed.err}".replace(str(tmp_path), "FOLDER")
        assert ended == code, (command, said)
        assert [text for text in texts if (text.removeprefix("!") in said) == text.startswith("!")] == [], (
            command,
            said,
        )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, with a second version of the golden dataset, an owner, and scores."""
    folder = write_files(tmp_path_factory.mktemp("refused"))
    home = open_workspace(folder / "workspace")
    newest = newest_version(home, home.find("sample").golden_id)
    accept(home, newest, edit("cash", FACT, "50.1 billion"), "Ana", "shorter")
    give_role(home, "root", Role.OWNER)
    assert call("score GOLDEN RESPONSES --out FOLDER/scored.csv", folder) == 0
    return folder


@pytest.mark.parametrize(("command", "text"), REFUSED, ids=[command for command, _ in REFUSED])
def test_what_cannot_be_done_is_said(
    command: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Exit code 2, what was found on stderr, each problem on one line, nothing on stdout; and nothing changes."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(folder / "workspace"))
    home = open_workspace(folder / "workspace")
    before = whole_audit(home), {file: file.stat().st_mtime_ns for file in folder.iterdir() if file.is_file()}

    assert call(command, folder) == COULD_NOT_RUN
    printed = capsys.readouterr()
    assert (printed.out, text in printed.err) == ("", True), printed.err
    assert all(line.startswith("qaviz: ") for line in printed.err.splitlines())
    assert before[0].equals(whole_audit(home))
    assert before[1] == {file: file.stat().st_mtime_ns for file in folder.iterdir() if file.is_file()}
