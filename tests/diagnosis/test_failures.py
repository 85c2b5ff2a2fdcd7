"""A bug in reading a text: the row says so, and the run goes on."""

from pathlib import Path

import polars as pl
import pytest

from qaviz.__main__ import run
from qaviz.cli import BUG, main
from qaviz.diagnosis import diagnose, weigh
from qaviz.diagnosis.weigh import Case, Weighed
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import CONFIDENCE, DIAGNOSIS, QUESTION_ID, REASON, VERDICT
from qaviz.scoring import score
from tests.builders import write_jsonl

MARK = "TRIPWIRE"


@pytest.fixture
def planted_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a response that holds MARK fails, with a message that quotes the text."""

    sound = weigh.weigh

    def fail_at_mark(case: Case) -> Weighed:
        if MARK in case.response:
            raise LookupError(case.response)
        return sound(case)

    monkeypatch.setattr(weigh, "weigh", fail_at_mark)


def asked_rows(responses: list[str]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            QUESTION_ID: [str(place) for place in range(len(responses))],
            "pipeline": "P",
            "question": "Who leads Amazon?",
            "answer": "Andy Jassy leads it.",
            "fact": "Andy Jassy",
            "response": responses,
            "answerable": None,
        },
        schema_overrides={"answerable": pl.Boolean},
    )


@pytest.mark.usefixtures("planted_bug")
def test_a_bug_marks_its_row_and_no_other():
    """The row over which reading fails is unscored, unsure, without confidence, and names the type but not the text;
    every other row is diagnosed as it is without the bug."""
    responses = [f"Jeff Bezos leads it, no. {place}." for place in range(600)]
    responses[300] = f"{MARK} secret words"
    rows = diagnose(score(asked_rows(responses)))
    failed = rows.row(300, named=True)

    assert (failed[DIAGNOSIS], failed[VERDICT], failed[CONFIDENCE]) == (Diagnosis.UNSCORED, Verdict.UNSURE, None)
    assert "LookupError" in failed[REASON]
    assert "secret" not in failed[REASON]
    assert (rows[DIAGNOSIS] == Diagnosis.UNSCORED).sum() == 1


@pytest.mark.usefixtures("planted_bug")
def test_a_bug_in_one_response_is_counted_and_has_its_own_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """`score` writes every row, counts and names the response that could not be diagnosed, and exits with 70."""
    rows = asked_rows([f"{MARK} secret words"]).to_dicts()
    files = [str(write_jsonl(tmp_path / f"{name}.jsonl", rows)) for name in ("golden", "responses")]
    out = tmp_path / "scores.jsonl"

    assert main(["score", *files, "--out", str(out)]) == BUG
    told = capsys.readouterr().err
    assert "not diagnosed" in told
    assert "LookupError" in told
    assert "secret" not in told
    assert pl.read_ndjson(out)[DIAGNOSIS].to_list() == [Diagnosis.UNSCORED]


def test_a_bug_that_ends_a_command_has_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """An unexpected exception ends the command with its traceback and exit code 70, not with Python's 1."""

    def fail() -> int:
        raise LookupError("planted")

    monkeypatch.setattr("qaviz.cli.main", fail)
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == BUG
    assert "LookupError: planted" in capsys.readouterr().err


@pytest.mark.parametrize("mark", ["\uff9e", "\uff9f", "\u3099", "\u0345", "\u1cfa"])
def test_a_mark_without_a_letter_is_read(mark: str):
    """A fact or response that is a combining mark alone is diagnosed; halfwidth katakana's voiced mark is such."""
    rows = asked_rows([f"It is {mark}.", mark, f"{mark} or {mark}"])
    rows = rows.with_columns(pl.lit(f"{mark} Ai {mark}").alias("fact"))
    assert Diagnosis.UNSCORED.value not in diagnose(score(rows))[DIAGNOSIS].to_list()
