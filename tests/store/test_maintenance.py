import shutil
import threading
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qaviz.model.errors import QavizError
from qaviz.store import maintenance
from qaviz.store.index import DATABASE_VARIABLE
from qaviz.store.labels import keep_labels, kept_labels
from qaviz.store.workspace import Workspace, open_backup, open_workspace
from tests.store.kept import GOLDEN, LISTED, ROWS, contents, everything, keep


def flip(file: Path) -> None:
    """Change one bit in the middle."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def damage(workspace: Workspace) -> list[str]:
    """A run with rows that a bit flipped in, one with a list that is cut off, one that lacks its rows; their files."""
    flipped, cut, gone = (keep(workspace, name) for name in ("flipped", "cut", "gone"))
    runs = workspace.folder / "runs"
    flip(runs / f"{flipped.run_id}.parquet")
    listed = runs / f"{cut.run_id}.listed.parquet"
    listed.write_bytes(listed.read_bytes()[:-1])
    (runs / f"{gone.run_id}.parquet").unlink()
    return [f"{flipped.run_id}.parquet", f"{cut.run_id}.listed.parquet", f"{gone.run_id}.parquet"]


def test_a_sound_workspace_is_said_to_be_sound(workspace: Workspace):
    """Two runs on one golden dataset are five files; none is damaged, and what no run names is listed apart."""
    keep(workspace, "first")
    keep(workspace, "second")
    (workspace.folder / "runs" / "stray.parquet").write_bytes(b"left by a kill")
    before = everything(workspace)
    found = maintenance.check(workspace)
    assert (found.files, found.problems, found.unnamed) == (5, (), ("runs/stray.parquet",))
    assert everything(workspace) == before


def test_every_damaged_file_is_named(workspace: Workspace):
    """A flipped bit, a cut-off end and a missing file are three problems, each with its file, in one look; what is
    damaged is not read, and the other run is."""
    sound = keep(workspace, "sound")
    damaged = damage(workspace)
    flipped, cut, gone = map(workspace.find, ("flipped", "cut", "gone"))
    reads = [(workspace.rows, flipped), (workspace.mapped_rows, flipped), (workspace.read_listed, cut)]
    for read, run in (*reads, (workspace.rows, gone)):
        with pytest.raises(QavizError, match=r"other bytes than were written|no such file"):
            read(run)
    assert_frame_equal(workspace.rows(sound), workspace_rows())
    assert_frame_equal(workspace.read_listed(sound), LISTED)
    problems = maintenance.check(workspace).problems
    assert sorted(Path(problem.where).name for problem in problems) == sorted(damaged)
    assert {problem.found for problem in problems} == {"other bytes than were written", "no such file"}


def test_a_backup_holds_everything(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What is restored from a backup, wherever the index was, is the workspace with its index in a file."""
    run = keep(workspace, "kept")
    label = pl.DataFrame({"question_id": ["1"], "pipeline": ["A"], "label": ["correct"]})
    keep_labels(workspace, run, "Ada", label)
    assert maintenance.backup(workspace, tmp_path / "backup") == 3
    shutil.rmtree(workspace.folder)
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)
    assert maintenance.restore(tmp_path / "backup", tmp_path / "restored") == 3
    restored = open_workspace(tmp_path / "restored")
    assert restored.runs() == [run]
    assert_frame_equal(restored.rows(run), workspace_rows())
    assert_frame_equal(restored.golden(run.golden_id), GOLDEN)
    assert_frame_equal(restored.read_listed(run), LISTED)
    assert kept_labels(restored, run)["label"].to_list() == ["correct"]
    assert maintenance.check(restored).problems == ()


def workspace_rows() -> pl.DataFrame:
    return ROWS.select(*GOLDEN.columns, pl.exclude(GOLDEN.columns))


@pytest.mark.slow
def test_a_backup_is_of_one_moment(workspace: Workspace, tmp_path: Path):
    """While another thread saves runs, each backup holds a prefix of them, whole, and nothing else."""
    ended = threading.Event()
    names = [f"run {number}" for number in range(15)]

    def save_all() -> None:
        for name in names:
            keep(workspace, name)
        ended.set()

    writer = threading.Thread(target=save_all)
    writer.start()
    backups = 0
    while not ended.is_set():
        maintenance.backup(workspace, tmp_path / str(backups))
        backups += 1
    writer.join()
    for number in range(backups):
        copy = open_backup(tmp_path / str(number))
        found = maintenance.check(copy)
        assert (found.problems, found.unnamed) == ((), ())
        saved = [run.name for run in reversed(copy.runs())]
        assert saved == names[: len(saved)]


def test_a_damaged_workspace_is_not_backed_up(workspace: Workspace, tmp_path: Path):
    """All that is damaged is named at once, and nothing is left of the copy."""
    damaged = damage(workspace)
    with pytest.raises(QavizError) as refused:
        maintenance.backup(workspace, tmp_path / "backup")
    assert sorted(Path(problem.where).name for problem in refused.value.problems) == sorted(damaged)
    assert [each.name for each in tmp_path.iterdir() if each != workspace.folder] == []


@pytest.mark.parametrize("there", ["a folder", "a file", "a link to nowhere"])
def test_nothing_is_overwritten(workspace: Workspace, tmp_path: Path, there: str):
    """Neither a backup nor a restored workspace is written where something is."""
    keep(workspace, "first")
    maintenance.backup(workspace, tmp_path / "backup")
    target = tmp_path / "there"
    {"a folder": target.mkdir, "a file": target.touch, "a link to nowhere": lambda: target.symlink_to("nowhere")}[
        there
    ]()
    before = contents(tmp_path)
    for refused in (
        lambda: maintenance.backup(workspace, target),
        lambda: maintenance.restore(tmp_path / "backup", target),
    ):
        with pytest.raises(QavizError, match="something there already"):
            refused()
    assert contents(tmp_path) == before


@pytest.mark.parametrize("source", ["empty", "missing"])
def test_only_a_backup_is_restored(tmp_path: Path, source: str):
    """A folder without an index, or none at all, is refused, and no workspace appears."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(QavizError, match="qaviz workspace backup"):
        maintenance.restore(tmp_path / source, tmp_path / "restored")
    assert not (tmp_path / "restored").exists()
