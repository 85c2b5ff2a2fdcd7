"""FMEval in a process of its own."""

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qaviz.model import F1, FACTUAL_KNOWLEDGE
from qaviz.scoring import score
from qaviz.scoring.bridge import CancelledError, score_in_process, verify
from tests.scoring.hostile import hostile_rows
from tests.scoring.processes import scoring_processes

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.fmeval,
    pytest.mark.skipif(importlib.util.find_spec("fmeval") is None, reason="FMEval has no release for this Python"),
]


def test_verify_finds_what_differs(tmp_path, monkeypatch):
    """A sample is scored again outside this process, whatever the current folder holds; changed scores are found."""
    for library in ("fmeval", "ray", "json", "polars"):
        (tmp_path / f"{library}.py").write_text("raise SystemExit('ran')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    scored = score(hostile_rows(200, seed=6))
    changed = scored.with_columns(pl.when(pl.int_range(pl.len()) % 2 == 1).then(0.123).otherwise(F1).alias(F1))
    told = []
    verification = verify(changed, sample=150, progress=lambda _, words: told.append(words))
    assert verification.compared == 150
    assert verification.version == "1.2.3"
    assert told[0] == "loading FMEval"
    found = verification.differences
    assert 50 < found.height < 100
    assert set(found["score"]) == {F1}
    assert set(found["here"]) == {0.123}
    assert all(row % 2 for row in found["row"])
    assert found["fmeval"].to_list() == [scored[F1][row] for row in found["row"]]


def test_what_a_table_lacks_is_no_difference():
    """A score that FMEval gives and the table does not have is counted apart; one that FMEval does not give differs."""
    scored = score(hostile_rows(20, seed=6).with_columns(fact=pl.lit(None, pl.String)))
    there = scored[F1].is_not_null()
    assert there.any()
    changed = scored.with_columns(pl.lit(None, pl.Float64).alias(F1), pl.lit(1.0).alias(FACTUAL_KNOWLEDGE))
    verification = verify(changed)
    assert verification.lacking == there.sum()
    assert set(verification.differences["score"]) == {FACTUAL_KNOWLEDGE}
    assert verification.differences["fmeval"].to_list() == [None] * 20


def test_cancel_ends_the_process_soon():
    """Cancelling raises CancelledError within seconds, and the other process is gone by then."""
    asked: list[float] = []

    def cancelled() -> bool:
        asked.append(time.monotonic())
        return len(asked) > 5

    with pytest.raises(CancelledError):
        score_in_process(hostile_rows(50_000, seed=8), cancelled=cancelled)
    assert len(asked) == 6
    assert time.monotonic() - asked[-1] < 5
    assert scoring_processes() == []


def test_scores_come_back_in_order():
    """The other process returns what this one returns, row by row, with the rows' other columns."""
    rows = hostile_rows(100, seed=9).with_row_index("place")
    assert_frame_equal(score_in_process(rows), score(rows), check_exact=True)


ASKER = """
import sys
from qaviz.scoring.bridge import score_in_process
from tests.scoring.hostile import hostile_rows
from tests.scoring.processes import scoring_processes
score_in_process(hostile_rows(100_000, seed=3), lambda _, words: print(words, flush=True))
"""


def test_a_worker_does_not_outlive_its_asker(tmp_path):
    """Where the process that asked is killed, FMEval's ends soon after, and the texts it was given are removed."""
    asker = subprocess.Popen(
        [sys.executable, "-c", ASKER],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    while not asker.stdout.readline().startswith("FMEval scored"):
        assert asker.poll() is None
    (folder,) = tmp_path.glob("qaviz-*")
    asker.kill()
    asker.communicate()
    give_up = time.monotonic() + 30
    while folder.exists():
        assert time.monotonic() < give_up
        time.sleep(0.1)
