"""`qaviz gate` in a terminal: its exit codes, its policy, its formats."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from qaviz.analysis.policy import as_policy
from qaviz.cli import COULD_NOT_RUN, main
from qaviz.cli.compare import EXIT_CODES
from qaviz.loading import Source
from qaviz.model.classes import Measure
from qaviz.model.records import Criterion, Run
from qaviz.runs import save
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE, draft_files, save_sample, write_jsonl

ROOT = Path(__file__).parents[2]


def save_changed(workspace: Workspace, folder: Path, name: str, **renamed: str) -> Run:
    """The sample run with pipelines that gave another one's responses; a pipeline given as "" gives none to `cash`."""
    rows = pl.read_ndjson(SAMPLE / "responses.jsonl").to_dicts()
    silent = [pipeline for pipeline, by in renamed.items() if not by]
    given = {(row["pipeline"], row["question_id"]): row["response"] for row in rows}
    changed = [
        row | {"response": given[renamed.get(row["pipeline"]) or row["pipeline"], row["question_id"]]}
        for row in rows
        if not (row["pipeline"] in silent and row["question_id"] == "cash")
    ]
    file = write_jsonl(folder / f"{name}.jsonl", changed)
    return save(draft_files(Source.of(SAMPLE / "golden.jsonl"), [Source.of(file)]), workspace, name)


@pytest.fixture
def gated(workspace: Workspace, tmp_path: Path):
    """Runs the gate of a run against the sample run; returns the exit code."""
    save_sample(workspace, "before")

    def run(name: str, *options: str, **renamed: str) -> int:
        save_changed(workspace, tmp_path, name, **renamed)
        return main(["gate", name, "--baseline", "before", *options, "--workspace", str(workspace.folder)])

    return run


def test_what_did_not_change_passes(gated, capsys):
    """The same responses pass with exit code 0, however few they are."""
    assert gated("same") == 0
    assert "✓ drop: Pipeline1, right answers: none of 10 questions broke." in capsys.readouterr().out


def test_a_missing_response_fails(gated, capsys):
    """A question without a response is exit code 1, and named."""
    assert gated("silent", "--broken", "1", Pipeline1="") == 1
    assert "✗ missing responses: Pipeline1: a response to 9 of 10 questions; missing: cash." in capsys.readouterr().out


@pytest.mark.parametrize(("options", "code"), [([], 1), (["--broken", "4"], 3)])
def test_how_many_may_break(gated, capsys, options: list[str], code: int):
    """Of ten questions none may break unless --broken says so: then nobody can tell, and the broken ones are named."""
    assert gated("worse", *options, Pipeline1="Pipeline2") == code
    assert "(broken: net-sales" in capsys.readouterr().out


def test_the_workspaces_policy_decides_without_one(gated, workspace, tmp_path):
    """Criteria that were saved with the workspace are asked unless a file is given instead."""
    keep_policy(workspace, as_policy([Criterion(measure=Measure.FACTS_STATED, bound=1.0)]))
    lenient = tmp_path / "policy.json"
    lenient.write_text(json.dumps({"criteria": [{"measure": "closeness", "at_least": 0}]}), "utf-8")

    assert gated("same") == 1
    assert gated("same again", "--policy", str(lenient)) == 0


def test_the_documented_policy_is_one(gated, tmp_path):
    """The policy in docs/pipelines.md is read as it stands there."""
    documented = re.search(
        r"```toml\n(\[\[criteria.+?)```", (ROOT / "docs" / "pipelines.md").read_text("utf-8"), re.DOTALL
    )
    policy = tmp_path / "policy.toml"
    policy.write_text(documented[1], "utf-8")

    assert gated("same", "--policy", str(policy)) == 1


def test_every_exit_code_is_documented():
    """docs/pipelines.md has a line for each exit code, and for no other."""
    documented = re.findall(r"^\| (\d) \|", (ROOT / "docs" / "pipelines.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(map(int, documented)) == sorted([*EXIT_CODES.values(), COULD_NOT_RUN])
