"""`--map` and sheets: what a file's columns are, said in the terminal."""

from contextlib import chdir
from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.store.workspace import Workspace
from tests.loading.formats.test_xlsx import rows, workbook


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A golden dataset and responses whose columns nobody could guess."""
    (tmp_path / "golden.csv").write_text("Frage,gold,alt\nq,a,other\n")
    (tmp_path / "responses.csv").write_text("Frage,P1\nq,a\n")
    return [str(tmp_path / name) for name in ("golden.csv", "responses.csv")]


def imported(workspace: Workspace, *arguments: str) -> int:
    return main(["import", *arguments, "--name", "June", "--workspace", str(workspace.folder)])


def test_columns_are_renamed_and_left_out(workspace: Workspace, files: list[str]):
    """Pairs of `--map` hold for every file that has their column; a column without a new name is left out."""
    assert imported(workspace, *files, "--map", "Frage=question", "--map", "gold=", "--map", "alt=answer") == 0
    (run,) = workspace.runs()
    assert workspace.golden(run.golden_id).select("question", "answer").rows() == [("q", "other")]


def test_a_golden_file_is_named_as_it_is_listed(workspace: Workspace, files: list[str]):
    """`--golden` takes a file's bare name, as questions print it, for the one of the files elsewhere."""
    mapping = ("--map", "Frage=question", "--map", "gold=answer", "--map", "alt=")
    assert imported(workspace, *files, "--golden", "golden.csv", *mapping) == 0
    assert [run.responses for run in workspace.runs()] == [1]


@pytest.fixture
def book(tmp_path: Path) -> str:
    """A workbook with a draft and the final golden dataset, and responses on a third sheet."""
    source = workbook(
        draft=rows(("question", "answer"), ("q", "wrong")),
        final=rows(("question", "answer"), ("q", "right")),
        runs=rows(("question", "P1", "P2"), ("q", "right", "no")),
    )
    file = tmp_path / "book.xlsx"
    file.write_bytes(bytes(source.data))
    return str(file)


def test_a_sheet_is_named_after_the_file(workspace: Workspace, book: str):
    """`book.xlsx#Sheet` reads that sheet; golden dataset and responses may stand in one workbook."""
    assert imported(workspace, f"{book}#final", f"{book}#runs") == 0
    (run,) = workspace.runs()
    assert workspace.golden(run.golden_id)["answer"].to_list() == ["right"]
    assert (run.sources, run.pipelines) == (("book.xlsx",), ("P1", "P2"))


def test_a_sheet_that_counts_is_named_by_a_command_that_works(workspace: Workspace, tmp_path: Path, capsys):
    """Sheets of answers of which none says whose they are: the command that is printed makes one the golden answers."""
    of = {
        name: rows(("question", "answer"), ("q", answer))
        for name, answer in (("A", "no"), ("truth", "right"), ("B", ""))
    }
    file = tmp_path / "book.xlsx"
    file.write_bytes(bytes(workbook(**of).data))
    assert imported(workspace, str(file)) == 2
    assert '--golden "book.xlsx#truth"' in capsys.readouterr().err
    with chdir(tmp_path):
        assert imported(workspace, "book.xlsx", "--golden", "book.xlsx#truth") == 0
    (run,) = workspace.runs()
    assert (run.pipelines, workspace.golden(run.golden_id)["answer"].to_list()) == (("A", "B"), ["right"])


def test_a_sheet_that_is_not_there_is_said(workspace: Workspace, book: str, capsys):
    """A wrong sheet names those that there are; a file that is called so is taken as it is."""
    assert imported(workspace, f"{book}#x") == 2
    assert 'book.xlsx: found no sheet "x"; expected one of "draft", "final", "runs". Name one of them.' in (
        capsys.readouterr().err
    )
    Path(book).rename(f"{book}#x.xlsx")
    assert imported(workspace, f"{book}#x.xlsx#final", f"{book}#x.xlsx#runs") == 0
