"""`qaviz score`: where responses may be, and what may score them; `qaviz agreement` finds them again."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from qaviz.cli import main
from tests.builders import SAMPLE, write_jsonl

GOLDEN, RESPONSES = SAMPLE / "golden.jsonl", SAMPLE / "responses.jsonl"
LABELS = SAMPLE / "labels.jsonl"


def score(out: Path, *arguments: str) -> int:
    return main(["score", str(GOLDEN), *arguments, "--out", str(out)])


@pytest.mark.parametrize("pattern", ["", "/*.jsonl"])
def test_a_folder_or_a_pattern_stands_for_its_files(tmp_path: Path, pattern: str):
    """A folder or a pattern of shards gives what naming each of its files gives."""
    lines = RESPONSES.read_text(encoding="utf-8").splitlines(keepends=True)
    shards = tmp_path / "shards"
    shards.mkdir()
    for number in range(3):
        (shards / f"part-{number}.jsonl").write_text("".join(lines[number * 10 : number * 10 + 10]), encoding="utf-8")
    whole, parts = tmp_path / "whole.parquet", tmp_path / "parts.parquet"

    assert score(whole, str(RESPONSES)) == score(parts, f"{shards}{pattern}")
    assert pl.read_parquet(parts).equals(pl.read_parquet(whole))


def test_small_files_are_scored_without_what_takes_long_to_import(tmp_path: Path):
    """No database, client of a model, reader of documents, writer of workbooks or drawer of charts is loaded."""
    heavy = {"sqlalchemy", "httpx", "boto3", "lxml", "xlsxwriter", "streamlit", "plotly", "scipy"}
    arguments = ["score", str(GOLDEN), str(RESPONSES), "--out", str(tmp_path / "scores.jsonl")]
    code = f"import sys, qaviz.cli; qaviz.cli.main({arguments}); print(*({heavy} & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == ""


def test_a_judge_decides_what_words_leave_open(tmp_path: Path):
    """A file's columns `judge` and `judge_reason` decide a response that shares no word with its answer, and the reason
    quotes the judge; a response that states the fact stays correct against the judge, and the reason says that too."""
    golden = write_jsonl(
        tmp_path / "golden.jsonl",
        [
            {"question_id": "1", "question": "What does a capacitor do?", "answer": "It stores electric charge"},
            {"question_id": "2", "question": "Which town?", "answer": "It is Ulm.", "fact": "Ulm"},
        ],
    )
    responses = write_jsonl(
        tmp_path / "responses.jsonl",
        [
            {"question_id": "1", "pipeline": "A", "response": "It keeps energy for later use.", "judge": "correct",
             "judge_reason": "the same idea"},
            {"question_id": "2", "pipeline": "A", "response": "It is Ulm.", "judge": "incorrect"},
        ],
    )  # fmt: skip  # a line a response
    out = tmp_path / "scored.parquet"
    assert main(["score", str(golden), str(responses), "--out", str(out)]) == 0
    scored = pl.read_parquet(out)
    assert scored["verdict"].to_list() == ["correct", "correct"]
    assert "The judge says that it is correct (“the same idea”)" in scored["reason"][0]
    assert "The judge disagrees: incorrect" in scored["reason"][1]


def test_pipeline_that_looks_like_a_formula_finds_its_label_again(tmp_path, capsys):
    """The apostrophe that a CSV of scores puts before `=1+1` does not part a response from its label."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [{"question_id": "q", "question": "Why?", "answer": "42"}])
    responses = write_jsonl(tmp_path / "r.jsonl", [{"question_id": "q", "pipeline": "=1+1", "response": "42"}])
    labels = write_jsonl(tmp_path / "l.jsonl", [{"question_id": "q", "pipeline": "=1+1", "label": "correct"}])
    out = tmp_path / "scored.csv"
    main(["score", str(golden), str(responses), "--out", str(out)])

    assert main(["agreement", str(out), str(labels)]) == 0
    assert "compared: 1\n" in capsys.readouterr().out
