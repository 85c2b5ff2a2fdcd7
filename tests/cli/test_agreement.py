"""`qaviz agreement` as a person runs it: two files in, lines and an exit code out."""

from qaviz.cli import main
from tests.builders import SAMPLE, write_jsonl

LABELS = SAMPLE / "labels.jsonl"


def test_pipeline_that_looks_like_a_formula_finds_its_label_again(tmp_path, capsys):
    """The apostrophe that a CSV of scores puts before `=1+1` does not part a response from its label."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [{"question_id": "q", "question": "Why?", "answer": "42"}])
    responses = write_jsonl(tmp_path / "r.jsonl", [{"question_id": "q", "pipeline": "=1+1", "response": "42"}])
    labels = write_jsonl(tmp_path / "l.jsonl", [{"question_id": "q", "pipeline": "=1+1", "label": "correct"}])
    out = tmp_path / "scored.csv"
    main(["score", str(golden), str(responses), "--out", str(out)])

    assert main(["agreement", str(out), str(labels)]) == 0
    assert "compared: 1\n" in capsys.readouterr().out
