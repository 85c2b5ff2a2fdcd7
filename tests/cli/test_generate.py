"""`qaviz generate`: what it prints, what it asks, and what is in the workspace afterwards."""

import json
from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.generation.pipeline import payable
from qaviz.llm import Settings, parse_caps
from qaviz.model.columns import QUESTION_ID
from qaviz.store.golden_versions import named_datasets, passages
from qaviz.store.workspace import open_workspace
from tests.generation.model import OTHER, REPORT, author, form_of, passage_of, saying
from tests.llm_server import Answer, Call, complete, fail, serve

pytestmark = pytest.mark.slow

COUNTS = ("documents", "chunks", "calls", "produced", "accepted", "to_review", "refuted", "failed", "flagged", "cost")
OPTIONS = ("--model", "openai:stub", "--review", "20%", "--cap", "5USD", "--format", "json", "--by", "Ada")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "alder.md").write_text(REPORT)
    (folder / "baykal.md").write_text(OTHER)
    return folder


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


class Qaviz:
    """The command, on one workspace."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.workspace, self._capsys = folder / "workspace", capsys
        self.errors = ""

    def run(self, *arguments: object) -> tuple[int, str]:
        code = main([*map(str, arguments), "--workspace", str(self.workspace)])
        out, self.errors = self._capsys.readouterr()
        return code, out

    def generate(self, docs: Path, *more: object) -> tuple[int, dict[str, object]]:
        code, out = self.run("generate", docs, "--dataset", "alder", *OPTIONS, *more)
        return code, json.loads(out)

    def export(self, name: str = "alder") -> list[dict[str, object]]:
        file = self.workspace.parent / "golden.jsonl"
        assert self.run("golden", "export", name, "--out", file)[0] == 0
        return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.fixture
def qaviz(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Qaviz:
    return Qaviz(tmp_path, capsys)


def test_documents_become_a_golden_dataset(qaviz: Qaviz, docs: Path, monkeypatch: pytest.MonkeyPatch):
    """The counts add up, the wrong figure is refuted, ceil(p·N) are flagged, a second run asks nothing, and the
    dataset exports with its variants; each triplet's passage is kept with its place. Coverage counts documents and
    sections, one without a triplet with none, and asks nothing."""
    (docs / "quiet.md").write_text("# Quiet\n\nNothing of note happened in the quiet valley that year.\n")

    def script(call: Call) -> Answer:
        return complete("NONE") if "quiet valley" in passage_of(call) else author(call)

    with serve(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code, said = qaviz.generate(docs)
        again, said_again = qaviz.generate(docs)
        _, coverage = qaviz.generate(docs, "--coverage")

        assert (code, again) == (0, 0)
        assert [name for name in COUNTS if name not in said] == []
        assert (said["documents"], said["produced"], said["failed"]) == (3, 7, 0)
        assert (said["accepted"], said["to_review"], said["refuted"], said["flagged"]) == (6, 0, 1, 2)
        assert said["calls"] == len(server.calls) == 2 * said["chunks"] - 1
        assert said_again["calls"] == 0
        assert {name: said[name] for name in COUNTS[2:-1] if name != "calls"}.items() <= said_again.items()
        assert said["golden_id"] == said_again["golden_id"]
        assert server.calls[0].headers["authorization"] == "Bearer sk-test"
    covered = {(row["dimension"], row["value"]): row["triplets"] for row in coverage}
    assert {dimension for dimension, _ in covered} == {"document", "section"}
    assert covered["document", "quiet.md"] == 0
    assert covered["document", "alder.md"] + covered["document", "baykal.md"] == said["accepted"]
    assert min(covered["document", "alder.md"], covered["document", "baykal.md"]) > 0
    rows = qaviz.export()
    assert len(rows) == 6
    assert sum(row.get("tags") == "review" for row in rows) == 2
    assert "12 percent" in next(row["fact"] for row in rows if "revenue" in row["question"])
    workspace = open_workspace(qaviz.workspace)
    made_of = passages(workspace, str(said["golden_id"]))
    assert set(made_of[QUESTION_ID]) == {row["question_id"] for row in rows}
    for row in made_of.iter_rows(named=True):
        text = (docs / row["document"]).read_text()
        assert row["passage"].split("\n")[0] in text
        assert row["model"] == "openai:stub"
        assert row["evidence"] in row["passage"]
    exported = {row["question_id"]: row for row in rows}
    for row in made_of.iter_rows(named=True):
        places = (exported[row[QUESTION_ID]][name] for name in ("passage_id", "evidence", "document"))
        assert (*places,) == (row["chunk"], row["evidence"], row["document"])
    assert named_datasets(workspace) == {"alder": said["golden_id"]}


def test_only_changed_chunks_are_asked_again(qaviz: Qaviz, docs: Path, monkeypatch: pytest.MonkeyPatch):
    """Of a changed document only the changed chunk is asked; what it brings is a new version, and the triplet whose
    passage is gone is named."""
    with serve(author) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        qaviz.generate(docs, "--chunk-size", 50, "--chunk-overlap", 0)
        before = len(server.calls)
        (docs / "baykal.md").write_text(OTHER.replace("Baykal was founded", "It has 12 stores. Baykal was founded"))
        _, said = qaviz.generate(docs, "--chunk-size", 50, "--chunk-overlap", 0)

        assert said["calls"] == len(server.calls) - before == 2
        assert all("Baykal" in passage_of(call) for call in server.calls[-2:])
    assert said["version"] == 2
    assert "no longer exists" in qaviz.errors


HOSTILE = {
    "empty": complete(""),
    "refusal": complete(None, refusal="I cannot help with that."),
    "prose": complete("Here you are. There are no triplets."),
    "html": Answer(body=b"<html>Bad gateway</html>", headers={"content-type": "text/html"}),
    "cut": complete('{"question": "What is', finish="length"),
    "megabyte": complete("x" * 1_000_000),
    "keys": complete('{"question": "a", "question": "b", "answer": "c", "fact": "d"}'),
    "error": fail(400, "no such thing"),
}


def test_replies_that_are_none_are_failures_with_a_reason(
    qaviz: Qaviz, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Whatever comes back for some documents, the other's triplets are there, and each failure has its reason."""
    (docs / "baykal.md").unlink()
    for kind in HOSTILE:
        (docs / f"{kind}.md").write_text(OTHER.replace("Baykal", f"Baykal-{kind}"))

    def script(call: Call) -> Answer:
        kind = next((name for name in HOSTILE if f"Baykal-{name}" in passage_of(call)), "")
        return HOSTILE[kind] if kind and not form_of(call) else author(call)

    with serve(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code, said = qaviz.generate(docs, "--listed", tmp_path / "all.jsonl")
    listed = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    failed = [row for row in listed if row["status"] == "failed"]
    assert code == 1
    assert said["accepted"] == 4
    assert said["failed"] == len(failed) == len(HOSTILE)
    assert len({row["chunk"] for row in failed}) == len({row["reason"] for row in failed}) == len(HOSTILE)
    assert said["accepted"] + said["refuted"] + said["failed"] == said["produced"] == len(listed)
    assert all(row["reason"] for row in failed)


def test_a_money_cap_without_a_price_becomes_one_in_tokens(docs: Path, monkeypatch: pytest.MonkeyPatch):
    """Where the price of a model elsewhere is unknown, a cap in money is said to be counted in tokens."""
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example/v1")
    settings, notice = payable(Settings(model="openai:x", journal=docs / "j", caps=parse_caps(["5USD"])))
    assert (settings.caps.money, settings.caps.tokens) == (None, 500_000)
    assert "500,000 tokens" in str(notice)


def test_a_cap_stops_and_the_same_command_goes_on(qaviz: Qaviz, docs: Path, monkeypatch: pytest.MonkeyPatch):
    """A cap of one call asks one chunk and says so; without it the rest is asked and read, nothing twice. A document
    that cannot be read is one line and exit code 1; nothing readable at all is exit code 2."""
    with serve(author) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code, said = qaviz.generate(docs, "--cap", "1calls", "--in-flight", 1)
        assert (code, said["calls"]) == (1, 1)
        assert said["not_asked"] == said["chunks"] - 1 + said["to_review"]
        assert said["produced"] == sum(said[name] for name in ("accepted", "to_review", "refuted", "failed"))
        (docs / "broken.pdf").write_bytes(b"nothing")
        code, said = qaviz.generate(docs)
        assert len(server.calls) == 2 * said["chunks"]
    assert (code, said["accepted"], said["not_asked"]) == (1, 6, 0)
    assert "broken.pdf" in qaviz.errors
    assert qaviz.run("generate", docs / "broken.pdf", "--dataset", "x", *OPTIONS)[0] == 2


def test_facts_worth_asking_without_a_model(qaviz: Qaviz, docs: Path, tmp_path: Path):
    """--by-hand writes answer, fact, document, start, end and kind of each fact; the answer stands at its offsets."""
    out = tmp_path / "drafts.jsonl"
    assert qaviz.run("generate", docs, "--by-hand", "--out", out)[0] == 0
    drafts = [json.loads(line) for line in out.read_text().splitlines()]
    assert {"answer", "fact", "document", "start", "end", "kind"} <= set(drafts[0])
    assert {"amount", "date", "name"} == {each["kind"] for each in drafts}
    assert "Maria Keller" in {each["fact"] for each in drafts}
    text = {file.name: file.read_text().replace("# ", "").strip() for file in docs.iterdir()}
    assert all(text[each["document"]][each["start"] : each["end"]] == each["answer"] for each in drafts)


def test_settings_come_from_a_file(qaviz: Qaviz, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A TOML file sets prompt, sizes and shares; what is wrong in it is named at once and nothing is asked."""
    (tmp_path / "ask.txt").write_text("Only {per_chunk} please. {language}{examples}")
    config = tmp_path / "g.toml"
    config.write_text('[prompt]\nfile = "ask.txt"\nper_chunk = 3\nlanguage = "English"\n[review]\nshare = 1.0\n')
    with serve(saying("NONE")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code, said = qaviz.generate(docs, "--config", config)
        assert (code, said["produced"], said["flagged"]) == (0, 0, 0)
        assert server.calls[0].system.startswith("Only 3 please. Write in English.")
        config.write_text('[prompt]\ntypes = ["riddle"]\n[chunks]\nsize = "big"\n')
        assert qaviz.run("generate", docs, "--dataset", "x", *OPTIONS, "--config", config)[0] == 2
    assert "chunking.size" in qaviz.errors
    assert "types" in qaviz.errors
