"""The judge of triplets: what it says counts only with a quotation that stands in the passage."""

import json

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.golden.lint import lint
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.store.golden_versions import PASSAGES, keep_generated
from qaviz.store.labels import NOT_REFUTED, kept_triplet_findings
from qaviz.store.workspace import open_workspace
from tests.builders import golden_table, write_jsonl
from tests.judging.scripted import nonce_of, texts_of
from tests.llm_server import Answer, Call, complete, serve

PASSAGE = "In 2023 Amazon had a stake of 17 % in Rivian.\nIts net sales came to $134.4 billion in the second quarter."
GOLDEN = [
    {"question_id": "good", "question": "What were net sales?", "answer": "$134.4 billion.", "fact": "134.4 billion"},
    {"question_id": "bad", "question": "What stake of Rivian?", "answer": "A stake of 19 %.", "fact": "19 %"},
    {"question_id": "made", "question": "Who leads Rivian?", "answer": "Ann Lee.", "fact": "Ann Lee"},
]
SAID = {
    "good": {"finding": "supported", "quotation": "net sales came to  $134.4 billion"},
    "bad": {
        "finding": "hallucinated",
        "quotation": "a stake of 17 % in Rivian",
        "repaired_answer": "In 2023 Amazon had a stake of 17 % in Rivian.",
        "repaired_fact": "17 %",
    },
    "made": {"finding": "irrelevant", "quotation": "Rivian is led by Ann Lee"},
}


def script(call: Call) -> Answer:
    asked = texts_of(call)
    (name,) = (each["question_id"] for each in GOLDEN if each["question"] == asked["question"])
    assert asked["passage"] == PASSAGE
    return complete(None, arguments=json.dumps({"nonce": nonce_of(call), "reason": "r"} | SAID[name]))


@pytest.fixture
def files(tmp_path):
    passages = [{"question_id": each["question_id"], "passage": PASSAGE} for each in GOLDEN]
    return write_jsonl(tmp_path / "golden.jsonl", GOLDEN), write_jsonl(tmp_path / "passages.jsonl", passages)


def run(files, tmp_path, url, monkeypatch, *options: str) -> int:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    golden, passages = files
    common = ["judge-golden", str(golden), "--passages", str(passages), "--model", "openai:stub"]
    return main([*common, "--workspace", str(tmp_path / "w"), "--out", str(tmp_path / "out.jsonl"), *options])


def test_findings_with_their_quotations(files, tmp_path, monkeypatch, capsys):
    """A quotation that stands in the passage makes a finding, one that does not is void; a second run asks nothing."""
    with serve(script) as server:
        assert run(files, tmp_path, server.url, monkeypatch, "--format", "json") == 1
        first = json.loads(capsys.readouterr().out)
        run(files, tmp_path, server.url, monkeypatch, "--format", "json")
        assert json.loads(capsys.readouterr().out)["calls"] == 0
    assert (first["asked"], first["judged"], first["void"], first["calls"]) == (3, 2, 1, 3)
    assert (first["findings"]["supported"], first["findings"]["hallucinated"]) == (1, 1)
    rows = {row["question_id"]: row for row in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())}
    assert "does not stand" in rows["made"]["void"]
    assert rows["made"]["finding"] is None
    assert rows["bad"]["gate"]
    assert rows["good"]["gate"] is None


def test_a_proposed_repair_goes_through_the_gate(files, tmp_path, monkeypatch):
    """A repair that the passage does not prove is refused by the gate, whatever the judge says."""
    monkeypatch.setitem(
        SAID, "bad", SAID["bad"] | {"repaired_answer": "Amazon had a stake of 23 % in Rivian.", "repaired_fact": "23 %"}
    )
    with serve(script) as server:
        run(files, tmp_path, server.url, monkeypatch)
    written = (tmp_path / "out.jsonl").read_text()
    assert "23 %" in written
    assert '"gate":"not refuted"' not in written


def test_a_repair_that_words_do_not_refute_is_a_suggestion_and_no_edit(tmp_path, monkeypatch):
    """Findings on a generated dataset are kept; lint offers the repair that words do not refute, until the text
    changes."""
    workspace = open_workspace(tmp_path / "w")
    golden = golden_table([dict(each) for each in GOLDEN])
    named = {"passage": PASSAGE, "chunk": "c", "document": "a.md", "document_hash": "d", "heading": "", "kind": "fact"}
    made = {"start_at": 0, "end_at": 9, "flagged": False, "model": "m", "prompt": "p"} | named
    rows = pl.DataFrame([{QUESTION_ID: each} | made for each in golden[QUESTION_ID]], schema=PASSAGES)
    version = keep_generated(workspace, "rivian", golden, rows, "Ana")
    command = ["judge-golden", "rivian", "--model", "openai:stub", "--workspace", str(tmp_path / "w"), "--by", "Ana"]
    with serve(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert main(command) == 1

    assert workspace.golden(version.golden_id).equals(golden)
    judged = kept_triplet_findings(workspace, version.golden_id)
    assert dict(judged.select(QUESTION_ID, "finding").iter_rows()) == {"good": "supported", "bad": "hallucinated"}
    found = lint(golden, judged=judged).filter(pl.col("rule") == "judge-finding")
    assert found.select(QUESTION_ID, "field", "proposed").rows() == [
        ("bad", "answer", "In 2023 Amazon had a stake of 17 % in Rivian."),
        ("bad", "fact", "17 %"),
    ]
    assert "17 % in Rivian" in found["evidence"][0]
    mended = golden.with_columns(pl.col(FACT).replace("19 %", "17 %"))
    assert "judge-finding" not in lint(mended, judged=judged)["rule"].to_list()


def test_a_repair_that_is_not_proved_is_named_without_an_edit():
    """What the gate refused is a finding without a proposal; what the judge supports is none."""
    golden = golden_table([dict(each) for each in GOLDEN])
    said = {"quotation": "q", "why": None, "repaired_answer": "x", "repaired_fact": "y", "model": "m"}
    judged = golden.select(QUESTION_ID, QUESTION, ANSWER, FACT).with_columns(
        *(pl.lit(value, pl.String).alias(name) for name, value in said.items()),
        finding=pl.Series(["incomplete", "supported", "supported"]),
        gate=pl.Series(["unproved", None, NOT_REFUTED]),
    )

    found = lint(golden, judged=judged).filter(pl.col("rule") == "judge-finding")

    assert found.select(QUESTION_ID, "field", "proposed").rows() == [("good", None, None)]
