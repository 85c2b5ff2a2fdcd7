"""`qaviz review` from start to one version: items out as a file, decisions in from it."""

from pathlib import Path

import openpyxl
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
