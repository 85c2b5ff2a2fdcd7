"""FMEval in a process of its own."""

import importlib.util
from contextlib import suppress
from pathlib import Path

import polars as pl
import psutil
import pytest

from qaviz.model.columns import F1, FACTUAL_KNOWLEDGE
from qaviz.processes import CancelledError
from qaviz.scoring import score
from qaviz.scoring.bridge import draw_sample, score_in_process, verify
from tests.scoring.hostile import hostile_rows

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.fmeval,
    pytest.mark.skipif(importlib.util.find_spec("fmeval") is None, reason="FMEval has no release for this Python"),
]


def test_verify_finds_what_differs(tmp_path, monkeypatch):
    """A sample is scored again outside this process, whatever the current folder holds. Changed scores are found, also
    one that FMEval does not give; a score that FMEval gives and the table does not have is counted apart."""
    (tmp_path / "bertscore").mkdir()  # which `evaluate.load` would prefer to the network
    for library in ("fmeval", "ray", "json", "polars", "bertscore/bertscore"):
        (tmp_path / f"{library}.py").write_text("raise SystemExit('ran')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    without_fact = pl.int_range(pl.len()) < 20
    rows = hostile_rows(200, seed=6).with_columns(fact=pl.when(~without_fact).then("fact"))
    scored = score(rows)
    number = pl.int_range(pl.len())
    changed = scored.with_columns(
        pl.when(number >= 190).then(None).when(number % 2 == 1).then(0.123).otherwise(F1).alias(F1),
        pl.when(without_fact).then(1.0).otherwise(FACTUAL_KNOWLEDGE).alias(FACTUAL_KNOWLEDGE),
    )
    told = []
    verification = verify(changed, progress=lambda _, words: told.append(words))
    assert (verification.compared, verification.version) == (200, "1.2.3")
    assert list(dict.fromkeys(told))[:2] == ["starting", "loading FMEval"]  # told several times a second
    assert verification.lacking == scored[F1][190:].count() > 0
    of_facts, of_f1 = verification.differences.partition_by("score", maintain_order=True)
    assert set(of_facts["score"]) == {FACTUAL_KNOWLEDGE}
    assert of_facts["row"].to_list() == list(range(20))
    assert of_facts["fmeval"].to_list() == [None] * 20
    assert of_f1["row"].to_list() == list(range(1, 190, 2))
    assert set(of_f1["here"]) == {0.123}
    assert of_f1["fmeval"].to_list() == [scored[F1][row] for row in of_f1["row"]]


def test_a_seed_draws_its_sample():
    """The same seed draws the same rows, another seed others; each row keeps its number and its place."""
    table = pl.DataFrame({"text": [f"t{number}" for number in range(50)]})
    first, again, other = (draw_sample(table, 7, seed) for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)
    assert first.height == 7
    assert first["text"].to_list() == [f"t{number}" for number in first["row"]]
    assert first["row"].is_sorted()
    assert draw_sample(table, 50, 1)["row"].to_list() == draw_sample(table, None, 1)["row"].to_list() == list(range(50))


@pytest.mark.usefixtures("fresh_processes")
def test_cancel_ends_the_process_soon():
    """Progress that raises ends the work at once, and the other process is gone by then."""
    told: list[float] = []

    def progress(fraction: float, _words: str) -> None:
        told.append(fraction)
        if len(told) > 5:
            raise CancelledError

    with pytest.raises(CancelledError):
        score_in_process(pl.concat([hostile_rows(1_000, seed=8)] * 50), progress)
    assert len(told) == 6
    commands = []
    for child in psutil.Process().children():
        with suppress(psutil.ZombieProcess, psutil.NoSuchProcess):  # It ended since it was listed.
            commands += child.cmdline()
    assert not any("qaviz.processes" in part for part in commands)
