"""`qaviz certify` as a script runs it: labels in, JSON and an exit code out."""

import json

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.store.labels import keep_labels, kept_labels
from tests.builders import write_jsonl
from tests.labelled_run import import_harbours

FIELDS = {"automatic", "of", "wrong_at_most", "sure", "labels", "confidence_at_least", "to_read"}


@pytest.fixture
def labels(workspace, tmp_path, monkeypatch):
    """A run of 80 responses in the command's workspace, and what people say who agree with every verdict."""
    monkeypatch.setenv("QAVIZ_WORKSPACE", str(tmp_path / "workspace"))
    run = import_harbours(workspace, tmp_path / "files", "harbours")
    return (
        workspace,
        run,
        workspace.rows(run).select(QUESTION_ID, PIPELINE, pl.col(VERDICT).cast(pl.String).alias(LABEL)),
    )


def certify(capsys, *options):
    """The exit code of the command, and the JSON that it prints."""
    capsys.readouterr()
    code = main(["certify", "harbours", "--wrong", "10%", "--sure", "90%", "--format", "json", *map(str, options)])
    return code, json.loads(capsys.readouterr().out or "null")


def test_labels_of_a_file_certify_verdicts(labels, tmp_path, capsys):
    """People agree with all of 80 verdicts: all are automatic, with every field of the contract, exit code 0; labels
    that the workspace keeps do the same; before there are any it is 3."""
    before, nothing = certify(capsys)
    assert (before, nothing["automatic"], nothing["confidence_at_least"], nothing["to_read"]) == (3, 0, None, 80)
    assert (nothing["labels"], nothing["judged"]) == (0, 0)
    file = write_jsonl(tmp_path / "labels.jsonl", labels[2].to_dicts())
    code, said = certify(capsys, "--labels", file)

    assert code == 0
    assert said.keys() >= FIELDS
    assert (said["automatic"], said["of"], said["to_read"], said["labels"]) == (80, 80, 0, 80)
    assert (said["wrong_at_most"], said["sure"]) == (0.1, 0.9)
    assert 0 < said["confidence_at_least"] <= 1
    keep_labels(labels[0], labels[1], "Ann", labels[2])
    assert certify(capsys) == (code, said)


def test_a_word_that_is_no_label_is_not_kept(labels, tmp_path, capsys):
    """`maybe`, or two labels of one response, end `qaviz labels` with the code 2, and no label of the file is kept."""
    home, run, table = labels
    first, second, *_ = table.to_dicts()
    for wrong in ([second | {LABEL: "maybe"}], [second | {LABEL: "correct"}, second | {LABEL: "incorrect"}]):
        file = write_jsonl(tmp_path / "labels.jsonl", [first, *wrong])
        assert main(["labels", "harbours", str(file)]) == 2
        assert second[QUESTION_ID] in capsys.readouterr().err
    assert kept_labels(home, run).is_empty()


def test_the_gate_asks_for_a_certificate(labels, tmp_path, capsys):
    """With the criterion `certified` a run does not pass before its labels certify it, and passes with them."""
    home, run, table = labels
    policy = tmp_path / "policy.toml"
    policy.write_text('[[criteria]]\nmeasure = "certified"\nat_most = 0.1\n', encoding="utf-8")
    asked = ["gate", "harbours", "--baseline", "harbours", "--policy", str(policy), "--format", "json"]
    capsys.readouterr()
    before = main(asked)
    capsys.readouterr()
    keep_labels(home, run, "Ann", table)
    after = main(asked)

    checks = [each for each in json.loads(capsys.readouterr().out)["checks"] if each["subject"] == "criterion"]
    assert (before, after) == (3, 0)
    assert {each["result"] for each in checks} == {"pass"}
    assert all("certified" in each["name"] for each in checks)
