"""`--format json`: every command has it, its documents say its fields, and these stay."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.model.columns import FACT
from qaviz.review.statement import state_review
from qaviz.store.workspace import Workspace
from tests.builders import save_sample
from tests.cli.test_commands import commands_of_scripts
from tests.frozen.subjects import read_items

ROOT = Path(__file__).parents[2]
FORMAT_OF_A_FILE = {"export", "golden export", "golden sample"}
SERVERS = {"app", "mcp"}
DOCUMENTED = {
    command: set(re.findall(r"`(\w+)`", fields))
    for commands, fields in re.findall(
        r"^- (`[^:]*`): (`.*)$", (ROOT / "docs/programs.md").read_text("utf-8"), re.MULTILINE
    )
    for command in re.findall(r"`([\w -]+)`", commands)
}
"""Commands and their fields, as the list of docs/programs.md has them."""


def test_every_command_prints_json():
    """Only servers do not, and commands whose `--format` is the format of a file."""
    without = {
        name
        for name, command in commands_of_scripts().items()
        if not any(
            "json" in getattr(option.type, "choices", ()) for option in command.params if option.name == "format"
        )
    }
    assert without == FORMAT_OF_A_FILE | SERVERS


def test_the_document_has_every_command_with_json():
    """No command is missing in the table, and none is in it that is not there."""
    assert set(DOCUMENTED) == set(commands_of_scripts()) - FORMAT_OF_A_FILE - SERVERS


@pytest.mark.parametrize(
    "item", [item for item in read_items("commands") if item["command"].endswith("--format json")], ids=str
)
def test_frozen_fields_are_those_of_the_document(item: dict):
    """What a frozen command prints, or each record of its list, has the fields of the table and no other. An import has
    `run` once one is saved."""
    prints = item["prints"]
    for record in prints if isinstance(prints, list) else [prints]:
        if isinstance(record, dict):
            optional = {"run"} if item["command"].startswith("import") else set()
            assert set(record) | optional == fields_of(item["command"].split())


def fields_of(words: Sequence[str]) -> set[str]:
    """The fields of the table for a command with its arguments."""
    names = (" ".join(words[:length]) for length in (2, 1))
    return next(DOCUMENTED[name] for name in names if name in DOCUMENTED)


def printed(workspace: Workspace, capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    """What the command prints; its fields are those of the document."""
    capsys.readouterr()
    assert main([*words, "--format", "json", "--workspace", str(workspace.folder)]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert set(fields) == fields_of(words)
    return fields


def test_a_review_as_a_program_runs_it(workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """From start to version each step says in JSON what it made."""
    save_sample(workspace)
    file = tmp_path / "ana.jsonl"
    started = printed(workspace, capsys, "review", "start", "--population", "sample", "--readers", "1", "--by", "Lea")
    session = ["--session", started["session"], "--by", "Lea"]
    assert printed(workspace, capsys, "review", "promote", "--level", "critical", *session)["level"] == "critical"
    for reader in ("Ana", "Bo"):  # as many as a critical use takes
        own = ["--session", started["session"], "--by", reader, "--file", str(file)]
        assert printed(workspace, capsys, "review", "export", *own) == {"file": str(file), "items": 10}
        rows = [json.loads(line) | {"action": "accept"} for line in file.read_text("utf-8").splitlines()]
        rows[0] |= {"action": "delete"}
        rows[1] |= {"action": "edit", "new_fact": "50 billion", "findings": "hallucination; outdated"}
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        assert printed(workspace, capsys, "review", "import", *own) == {"kept": 10, "left": 0}
    made = printed(workspace, capsys, "review", "apply", *session)
    assert made["version"] == 2
    golden = workspace.golden(made["golden_id"])
    assert (golden.height, "50 billion" in golden[FACT]) == (9, True)
    assert state_review(workspace, started["session"]).wrong_by_kind["hallucination"] == 1
    assert printed(workspace, capsys, "review", "apply", *session)["version"] is None
