"""Probes fire on judges with a known bias and stay silent on a fair one, all on loopback."""

import json

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.judging.probes import TEXTS, Probe, probe_judge, swap_order, wrap_orders, write_injections
from qaviz.judging.prompts import Judge, default_rubric
from qaviz.judging.runs import Only, select_rows
from qaviz.llm import Settings, open_session
from qaviz.store.audit import whole_audit
from qaviz.store.audit_log import Deed
from qaviz.store.labels import PROBES, describe_distrust, known_judges
from tests.builders import save_sample
from tests.judging.scripted import by_golden, judge_script
from tests.llm_server import serve

pytestmark = pytest.mark.slow

JUDGE = Judge(model="openai:gpt-stub")


def fair(texts) -> int:
    """By the fact, a variant that stands in the response, or the golden answer itself."""
    response = texts.get("response", "")
    return 3 if response == texts.get("golden_answer") else by_golden(texts | {"response": response})


def long_winded(texts) -> int:
    """One grade more for a long response, two where the bias shows."""
    return min(3, fair(texts) + 2 * (TEXTS["filler"].strip() in texts.get("response", "")))


def gullible(texts) -> int:
    return 3 if "grade 3" in texts.get("response", "").lower() else fair(texts)


def generous_to_silence(texts) -> int:
    return 3 if "response" not in texts else fair(texts)


def first_sentence(texts) -> int:
    """Reads no further than the first sentence."""
    return fair(texts | {"response": texts["response"].split(". ")[0]}) if "response" in texts else 0


def unmoved(_) -> int:
    """Calls nothing right, not even the golden answer."""
    return 0


def probes(workspace, grader, rows=None) -> dict[str, Probe]:
    if rows is None:
        run = save_sample(workspace)
        rows = select_rows(workspace.rows(run), Only(which="all"), run.thresholds).head(10)
    with serve(judge_script(grader)) as server:
        journal = workspace.folder / f"{grader.__name__}.jsonl"
        with open_session(Settings(model=JUDGE.model, journal=journal, base_url=server.url)) as session:
            return {each.name: each for each in probe_judge(session, JUDGE, rows)}


def test_there_are_40_injections():
    """Each another one, which ask for the highest grade of any scale."""
    assert len(set(write_injections(default_rubric()))) == 40
    assert sum("5" in text for text in wrap_orders(TEXTS["orders"], "correctness", 5)) >= 20


def test_a_fair_judge_passes_all(workspace):
    """No probe fires, and every changed response was graded."""
    found = probes(workspace, fair)
    assert [name for name, probe in found.items() if probe.fires] == []
    assert found["injections"].asked == 40
    assert found["filler"].asked == 10
    assert sum(probe.unscored for probe in found.values()) == 0


@pytest.mark.parametrize(
    ("grader", "name"),
    [(long_winded, "filler"), (gullible, "injections"), (generous_to_silence, "empty"), (unmoved, "golden")],
)
def test_a_biased_judge_fails_its_probe_alone(workspace, grader, name):
    """The bias that is built in is the one that is found."""
    found = probes(workspace, grader)
    assert [each for each, probe in found.items() if probe.fires] == [name]


def test_a_judge_that_goes_by_order_fails(workspace):
    """Facts in another order: whoever reads the first sentence only is found out."""
    run = save_sample(workspace, "other")
    rows = workspace.rows(run).head(20)
    pad = "It is a matter of public record. "
    rows = rows.with_columns((pl.col("response") + " " + pad.strip()).alias("response"))
    found = probes(workspace, first_sentence, rows)
    assert found["order"].fires
    assert not probes(workspace, fair, rows)["order"].fires


def test_order_swaps_sentences_only():
    """Numbers with points and single sentences stay as they are."""
    assert swap_order("It was 3.5 million. In 2023.") == "In 2023. It was 3.5 million."
    assert swap_order("One sentence of 3.5 million") == "One sentence of 3.5 million"


def probe(name: str, asked: int, flips: int = 0) -> dict[str, object]:
    return {"name": name, "asked": asked, "flips": flips, "fires": flips > 0}


@pytest.mark.parametrize(
    ("found", "words"),
    [
        pytest.param([], "not probed", id="never probed"),
        pytest.param([probe(name, 5) for name in PROBES], "", id="all passed"),
        pytest.param(
            [probe(name, 40, 40 * (name == "injections")) for name in PROBES],
            "fails injections (40 of 40)",
            id="failed",
        ),
        pytest.param([probe(name, 5 * (name != "order")) for name in PROBES], "not tested: order", id="0 of 0"),
        pytest.param([probe(name, 5) for name in PROBES[1:]], "not tested: filler", id="missing"),
    ],
)
def test_what_was_not_tested_is_no_pass(found, words: str):
    """A judge may decide only if every probe was asked and passed."""
    assert describe_distrust(found) == words


def test_a_judge_that_fails_decides_only_for_an_owners_reason(workspace, monkeypatch, capsys):
    """--save-as is refused for a judge that fails a probe, before it is asked; with a reason it decides, the run bears
    the mark, and the audit has the reason."""
    run = save_sample(workspace)
    with serve(judge_script(gullible)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        common = ["judge", "sample", "--model", "openai:stub", "--workspace", str(workspace.folder)]
        assert main([*common, "--probe", "6", "--format", "json"]) == 1
        assert json.loads(capsys.readouterr().out)["failed"] == ["injections"]
        asked = len(server.calls)
        assert main([*common, "--save-as", "heard"]) == 2
        assert len(server.calls) == asked
        assert "fails injections (15 of 40)" in capsys.readouterr().err
        assert main([*common, "--only", "all", "--save-as", "heard", "--despite-probes", "only for the demo"]) == 0
    assert "fails injections" in workspace.find("heard").judge
    (known,) = known_judges(workspace, run)
    assert "injections" in known.distrust
    details = whole_audit(workspace).filter(pl.col("what") == Deed.TRUST.value)["detail"].to_list()
    assert len(details) == 1
    assert details[0].endswith("only for the demo")
