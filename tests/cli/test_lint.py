"""`qaviz lint` as a person or a program runs it: a golden dataset in, lines or JSON and an exit code out."""

import json

import pytest

from qaviz.cli import main
from tests.builders import SAMPLE, write_jsonl

GOLDEN = str(SAMPLE / "golden.jsonl")
QUIET = {
    "question_id": "q",
    "question": "Which country did Napoleon rule?",
    "answer": "Napoleon ruled France.",
    "fact": "France",
}


@pytest.fixture
def sample_run(tmp_path, capsys):
    """The folder of a workspace with the sample as the run `sample`."""
    folder = str(tmp_path / "workspace")
    main(["import", GOLDEN, str(SAMPLE / "responses.jsonl"), "--name", "sample", "--workspace", folder])
    capsys.readouterr()
    return folder


def test_a_finding_is_a_line_and_an_error_makes_the_exit_code_1(capsys):
    """The sample's wrong variant is said with what to write in its place; the last line counts."""
    assert main(["lint", GOLDEN]) == 1

    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("error  net-sales  contradicting-variants: A variant states a different number or date")
    assert first.endswith("Write “134383 million”: “134183 million” looks like a typing error.")
    assert last.startswith("10 triplets: 1 error, 1 warning, ")


def test_a_golden_dataset_without_errors_exits_0(tmp_path, capsys):
    """What has no error is done, and a list without findings is a list."""
    golden = str(write_jsonl(tmp_path / "golden.jsonl", [QUIET]))

    assert main(["lint", golden]) == 0
    assert capsys.readouterr().out == "1 triplet: nothing found\n"
    assert main(["lint", golden, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize("golden", [GOLDEN, "sample"])
def test_a_run_brings_the_rules_that_need_responses(golden, sample_run, capsys):
    """Beside a run lint says which facts nobody states and which variants are missing, of a file or the run's own."""
    assert main(["lint", golden, "--run", "sample", "--workspace", sample_run, "--format", "json"]) == 1

    rules = {finding["rule"] for finding in json.loads(capsys.readouterr().out)}
    assert {"nobody-states-fact", "seen-variant", "accidental-match"} <= rules


def test_a_run_is_scored_again_on_the_file(tmp_path, sample_run, capsys):
    """A variant that the file has and the run's own golden dataset lacks is no longer missing."""
    written = (SAMPLE / "golden.jsonl").read_text(encoding="utf-8")
    lines = written.replace('<OR>February 22, 2023"', '<OR>February 22, 2023<OR>22 February 2023"')
    (tmp_path / "golden.jsonl").write_text(lines, encoding="utf-8")
    main(["lint", str(tmp_path / "golden.jsonl"), "--run", "sample", "--workspace", sample_run, "--format", "json"])

    seen = {each["question_id"] for each in json.loads(capsys.readouterr().out) if each["rule"] == "seen-variant"}
    assert "cash" in seen
    assert "one-medical" not in seen
