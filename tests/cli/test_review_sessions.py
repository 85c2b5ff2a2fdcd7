"""`qaviz review` from start to one version: items out as a file, decisions in from it."""

import json
from pathlib import Path

import openpyxl
import polars as pl
import pytest

from qaviz.cli import main
from qaviz.review.sample_review import NAME, import_sample_review
from qaviz.store.golden_versions import named_datasets, passages, versions
from qaviz.store.reviews import kept_risks, review_sessions
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE, save_sample


def run(workspace: Workspace, *words: str) -> int:
    return main(["review", *words, "--workspace", str(workspace.folder)])


def start(workspace: Workspace, *words: str) -> str:
    assert run(workspace, "start", "--population", "sample", "--level", "critical", "--by", "Lea", *words) == 0
    return review_sessions(workspace)[0].session


@pytest.fixture
def sampled(workspace: Workspace) -> Workspace:
    save_sample(workspace)
    return workspace


def test_a_review_by_file(sampled: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """JSON Lines out, decisions in: the statement counts them, and what is settled becomes a version."""
    session, file = start(sampled, "--readers", "1"), tmp_path / "ana.jsonl"
    assert run(sampled, "export", "--session", session, "--by", "Ana", "--file", str(file)) == 0
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for row in rows:
        row["action"] = "accept"
    rows[0] |= {"action": "edit", "new_fact": "50 billion", "findings": "hallucination; outdated"}
    rows[1] |= {"action": "delete"}
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert run(sampled, "import", "--session", session, "--by", "Ana", "--file", str(file)) == 0
    capsys.readouterr()
    assert run(sampled, "status", "--session", session, "--format", "json") == 0
    (said,) = json.loads(capsys.readouterr().out)
    assert (said["reviewed"], said["wrong"], said["met"]) == (10, 2, False)
    assert said["wrong_by_kind"]["hallucination"] == 1
    assert run(sampled, "apply", "--session", session, "--by", "Lea") == 0
    newest = versions(sampled, review_sessions(sampled)[0].line)[-1]
    assert sampled.golden(newest.golden_id).height == 9


def test_a_workbook_has_choices_and_comes_back(sampled: Workspace, tmp_path: Path):
    """In the workbook the decision is chosen from a list; filled in, it is read back."""
    session, file = start(sampled, "--readers", "1"), tmp_path / "ana.xlsx"
    assert run(sampled, "export", "--session", session, "--by", "Ana", "--file", str(file)) == 0
    book = openpyxl.load_workbook(file)
    sheet = book.active
    assert any("accept" in each.formula1 for each in sheet.data_validations.dataValidation)
    names = [cell.value for cell in sheet[1]]
    sheet.cell(2, names.index("action") + 1, "accept")
    book.save(file)
    assert run(sampled, "import", "--session", session, "--by", "Ana", "--file", str(file)) == 0
    assert run(sampled, "import", "--session", session, "--by", "Ana", "--file", str(file)) == 0


def test_a_wrong_file_keeps_nothing(sampled: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Every row that is no decision is named; none of the others is kept."""
    session, file = start(sampled), tmp_path / "bad.jsonl"
    pl.DataFrame({"item": ["0", "99"], "action": ["accept", "accept"]}).write_ndjson(file)
    assert run(sampled, "import", "--session", session, "--by", "Ana", "--file", str(file)) == 2
    assert 'item "99"' in capsys.readouterr().err
    pl.DataFrame({"item": ["0", "1"], "action": ["accept", "approve"]}).write_ndjson(file)
    assert run(sampled, "import", "--session", session, "--by", "Ana", "--file", str(file)) == 2
    capsys.readouterr()
    run(sampled, "status", "--session", session, "--format", "json")
    assert json.loads(capsys.readouterr().out)[0]["readers"] == []
    assert not named_datasets(sampled)


def test_a_risk_is_classified_and_the_review_promoted(sampled: Workspace, capsys: pytest.CaptureFixture[str]):
    """Severity, likelihood and a reason give the level and its plan; a promotion enlarges the open review."""
    words = ("--population", "sample", "--severity", "very-low", "--likelihood", "rare", "--reason", "a prototype")
    assert run(sampled, "classify", *words, "--by", "Lea") == 0
    assert "level: very low\n" in capsys.readouterr().out
    (risk,) = kept_risks(sampled, versions(sampled, sampled.runs()[0].golden_id)[0].line)
    assert (risk.level, risk.classified_by, risk.reason) == ("very low", "Lea", "a prototype")
    assert run(sampled, "classify", *words[:-2], "--by", "Lea") == 2

    assert run(sampled, "start", "--population", "sample", "--at-most", "0.5", "--by", "Lea", "--level", "low") == 0
    started = review_sessions(sampled)[0]
    assert run(sampled, "promote", "--session", started.session, "--level", "critical", "--by", "Lea") == 0
    assert review_sessions(sampled)[0].sample == 10 > started.sample


def test_a_corrected_document_brings_its_triplets_back(workspace: Workspace, tmp_path: Path, capsys):
    """The triplets of a wrong source come back with the document's new version, by one command."""
    import_sample_review(SAMPLE, workspace)
    corrected = tmp_path / "harbour-line-fares.md"
    passage = next(each for each in passages(workspace, named_datasets(workspace)[NAME])["passage"] if "2019" in each)
    corrected.write_text(f"# Notice\n\n{passage}\n", "utf-8")
    assert run(workspace, "correct", "--population", NAME, "--file", str(corrected), "--by", "Lea") == 0
    assert "back: 2\n" in capsys.readouterr().out
    assert run(workspace, "correct", "--population", NAME, "--file", str(corrected), "--by", "Lea") == 2
