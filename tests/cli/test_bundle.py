"""`qaviz bundle`: the command."""

import pytest

from qaviz.cli import main
from tests.builders import save_sample


@pytest.mark.parametrize("name", ["report.html", "folder"])
def test_bundle_says_what_to_open(workspace, tmp_path, capsys, name: str):
    """The command names the page that it wrote, which is there, with the run and the size."""
    save_sample(workspace, "June")
    out = tmp_path / "deep" / name

    assert main(["bundle", "June", "--out", str(out), "--workspace", str(workspace.folder)]) == 0

    page = out if name == "report.html" else out / "index.html"
    assert page.is_file()
    size = sum(file.stat().st_size for file in (tmp_path / "deep").rglob("*") if file.is_file())
    said = f'30 responses of the run "June" in {page}, {size / 1e6:.1f} MB'
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("run", "out", "message"),
    [
        pytest.param("nothing", "folder", 'found no run "nothing"', id="no such run"),
        pytest.param("June", "mine", "found a folder with other files", id="somebody else's folder"),
        pytest.param("June", "mine/notes.html", "found a file that is no bundle", id="somebody else's file"),
    ],
)
def test_what_cannot_be_written_is_said(workspace, tmp_path, capsys, run: str, out: str, message: str):
    """Exit code 2 with one line; what was there stays, and nothing new is there."""
    save_sample(workspace, "June")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.html").write_text("mine")

    assert main(["bundle", run, "--out", str(tmp_path / out), "--workspace", str(workspace.folder)]) == 2

    assert message in capsys.readouterr().err
    assert (tmp_path / "mine" / "notes.html").read_text() == "mine"
    assert {each.name for each in tmp_path.iterdir()} == {"mine", "workspace"}
