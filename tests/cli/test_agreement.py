"""`qaviz agreement` as a person runs it: two files in, lines and an exit code out."""

import json

import pytest

from qaviz.cli import main
from tests.builders import SAMPLE, write_jsonl

LABELS = SAMPLE / "labels.jsonl"


@pytest.fixture
def scored(tmp_path, capsys):
    """The scored sample data, in the format that changes most."""
    out = tmp_path / "scored.csv"
    main(["score", str(SAMPLE / "golden.jsonl"), str(SAMPLE / "responses.jsonl"), "--out", str(out)])
    capsys.readouterr()
    return out


def test_agreement_of_the_sample(scored, capsys):
    """28 of the sample's 30 verdicts are the label; of the others, an empty response is unsure."""
    assert main(["agreement", str(scored), str(LABELS)]) == 0

    said = capsys.readouterr().out
    assert "compared: 30\nquestions: 10\n" in said
    rows = [line.split() for line in said.splitlines()]
    assert ["accuracy", "0.93", "0.83", "1.0"] in rows
    assert ["declined", "unsure", "1"] in rows
    assert ["Pipeline3", "10", "9", "0.9", "0.6", "0.98"] in rows
    assert "disagreements: 2\n" in said
    assert ["aws-sales", "Pipeline3", "declined", "unsure"] in [row[:4] for row in rows]


def test_labels_without_a_response_are_said_and_make_the_exit_code_1(scored, tmp_path, capsys):
    """A label for a pipeline that was not scored is counted and not compared."""
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    labels = write_jsonl(tmp_path / "labels.jsonl", [*rows[1:], rows[0] | {"pipeline": "elsewhere"}])

    assert main(["agreement", str(scored), str(labels)]) == 1
    assert "unlabelled: 1\nunmatched: 1\n" in capsys.readouterr().out


def test_pipeline_that_looks_like_a_formula_finds_its_label_again(tmp_path, capsys):
    """The apostrophe that a CSV of scores puts before `=1+1` does not part a response from its label."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [{"question_id": "q", "question": "Why?", "answer": "42"}])
    responses = write_jsonl(tmp_path / "r.jsonl", [{"question_id": "q", "pipeline": "=1+1", "response": "42"}])
    labels = write_jsonl(tmp_path / "l.jsonl", [{"question_id": "q", "pipeline": "=1+1", "label": "correct"}])
    out = tmp_path / "scored.csv"
    main(["score", str(golden), str(responses), "--out", str(out)])

    assert main(["agreement", str(out), str(labels)]) == 0
    assert "compared: 1\n" in capsys.readouterr().out
