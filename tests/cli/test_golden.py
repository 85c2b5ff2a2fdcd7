"""The command `golden`: versions in a terminal."""

import json

import pytest

from qaviz.cli import main
from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT
from qaviz.store.golden_versions import versions
from tests.builders import save_sample


@pytest.fixture
def run(workspace):
    """The sample as the run `sample`, its golden dataset with a second version."""
    saved = save_sample(workspace)
    accept(workspace, newest_version(workspace, saved.golden_id), edit("cash", FACT, "50.1 billion"), "Ana", "shorter")
    return saved


def qaviz(workspace, capsys, *arguments: str) -> tuple[int, str, str]:
    """Exit code, output, and what is said on stderr."""
    code = main(["golden", *arguments, "--workspace", str(workspace.folder)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.usefixtures("run")
def test_history_names_every_edit(workspace, capsys):
    """Each version with who, why and what: before and after of every text."""
    code, out, _ = qaviz(workspace, capsys, "history", "sample")

    assert code == 0
    assert all(
        words in out for words in ("imported", "Ana", "shorter", "50.1 billion<OR>50,067 million<OR>50.067 billion")
    )


@pytest.mark.parametrize(("first", "second", "found"), [("@1", "", "cash"), ("@2", "@2", "none")])
def test_diff_compares_two_versions(workspace, run, capsys, first, second, found):
    """Versions are named by run and number, or by the run alone for the newest, or by a golden dataset's id."""
    code, out, _ = qaviz(workspace, capsys, "diff", f"sample{first}", f"{run.run_id}{second}")

    assert code == 0
    assert found in out
    assert qaviz(workspace, capsys, "diff", "sample@1", run.golden_id)[1] == "none\n"


@pytest.mark.usefixtures("run")
def test_export_writes_the_version_that_is_named(workspace, capsys, tmp_path):
    """The file holds the facts of that version, in the format of its suffix or of --format."""
    for name in ("sample@1", "sample"):
        assert qaviz(workspace, capsys, "export", name, "--out", str(tmp_path / f"{name}.jsonl"))[0] == 0
    fmeval = ("export", "sample", "--format", "fmeval-facts", "--out", str(tmp_path / "fmeval.jsonl"))
    assert qaviz(workspace, capsys, *fmeval)[0] == 0

    old, new, targets = (
        [json.loads(line) for line in (tmp_path / file).read_text("utf-8").splitlines()]
        for file in ("sample@1.jsonl", "sample.jsonl", "fmeval.jsonl")
    )
    assert [old[6]["fact"], new[6]["fact"], targets[6]["target_output"]] == [
        "50.1 billion<OR>50,067 million<OR>50.067 billion",
        "50.1 billion",
        "50.1 billion",
    ]


def test_accept_makes_a_version_of_all_that_a_rule_suggests(workspace, run, capsys):
    """The typing error goes: the version says who, why and the rule, and the terminal what it changes; a second time
    there is nothing to do."""
    asked = ("accept", "sample", "--rule", "contradicting-variants", "--by", "Bo")
    code, out, _ = qaviz(workspace, capsys, *asked)

    assert code == 0
    assert out.splitlines()[0::2][:2] == ["version: 3", "edits: 1"]
    newest = versions(workspace, run.golden_id)[-1]
    assert (newest.made_by, newest.why) == ("Bo", "all suggestions of the rule contradicting-variants")
    assert "edits: 0\n" in qaviz(workspace, capsys, *asked)[1]
