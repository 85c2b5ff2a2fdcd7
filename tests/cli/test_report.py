"""`qaviz report` as a person runs it: a run in, a decision pack out."""

import pytest

from qaviz.cli import main
from qaviz.exports.decision_pack import exporters
from tests.builders import save_sample

BEGINNINGS = {".pptx": b"PK", ".xlsx": b"PK", ".html": b"<!doctype html>", ".md": b"# Which is best", ".json": b"{"}


@pytest.fixture
def report(workspace, capsys):
    """Run `qaviz report sample --out FILE`; returns exit code, what was printed, and what went to stderr."""
    save_sample(workspace)

    def run(out, name="sample"):
        code = main(["report", name, "--out", str(out), "--workspace", str(workspace.folder)])
        return code, *capsys.readouterr()

    return run


def test_each_format_is_written(report, tmp_path):
    """The suffix says the format, in any case of letters; the file is there, and nothing is left beside it."""
    for suffix in exporters():
        out = tmp_path / f"pack{suffix.upper()}"
        code, said, _ = report(out)

        assert (code, f"file: {out}\n" in said) == (0, True)
        assert out.read_bytes().startswith(BEGINNINGS[suffix])
        out.unlink()
        assert [each.name for each in tmp_path.iterdir()] == ["workspace"]


def test_a_damaged_run_leaves_the_last_pack_as_it_was(report, workspace, tmp_path):
    """Where the run cannot be read the pack that is already there stays, byte for byte."""
    out = tmp_path / "pack.md"
    out.write_text("the pack of last week", "utf-8")
    for file in (workspace.folder / "runs").glob("*.parquet"):
        file.write_bytes(b"damaged")

    code, _, said = report(out)

    assert code == 2
    assert "other bytes than were written" in said
    assert out.read_text("utf-8") == "the pack of last week"
