from functools import partial
from pathlib import Path

import polars as pl
import pytest

from qaviz.store.files import read_columns, replacing
from tests.store.killed import KILLED, die_amid_a_file, do


def write(target: Path) -> None:
    with replacing(target) as unfinished:
        unfinished.write_text("mine", encoding="utf-8")


def test_what_a_killed_writer_left_goes_with_the_next_one(tmp_path: Path):
    """A writer that is killed leaves a file beside its target, which stays as it was; the next writer of the same
    target clears that file away, one of another target does not."""
    target = tmp_path / "out.csv"
    target.write_text("old", encoding="utf-8")
    assert do(die_amid_a_file, target) == KILLED
    (left,) = tmp_path.glob("*.tmp")
    assert target.read_text(encoding="utf-8") == "old"
    write(tmp_path / "other.csv")
    assert left.exists()
    write(target)
    assert {file.name for file in tmp_path.iterdir()} == {"out.csv", "other.csv"}
    assert target.read_text(encoding="utf-8") == "mine"


def test_a_living_writer_and_files_of_others_are_left_alone(tmp_path: Path):
    """Another writer of the same target leaves alone what a living one writes, and what only looks like an unfinished
    file: a link or a folder of its name, a file of a user. Each finishes, the last counts."""
    target, users = tmp_path / "out.csv", tmp_path / "users.tmp"
    users.write_text("a user's", encoding="utf-8")
    with replacing(target) as unfinished:
        unfinished.write_text("theirs", encoding="utf-8")
        mark = unfinished.name.partition("-")[0]
        link, folder = tmp_path / f"{mark}-link.tmp", tmp_path / f"{mark}-folder.tmp"
        link.symlink_to(users)
        folder.mkdir()
        write(target)
        assert target.read_text(encoding="utf-8") == "mine"
    assert target.read_text(encoding="utf-8") == "theirs"
    assert {*tmp_path.iterdir()} == {link, folder, target, users}
    assert users.read_text(encoding="utf-8") == "a user's"


def test_a_name_of_any_length_will_do(tmp_path: Path):
    """The name of the unfinished file is short however long the target's is, and the target gets the usual rights."""
    target = tmp_path / ("x" * 251 + ".csv")
    write(target)
    usual = tmp_path / "usual"
    usual.touch()
    assert target.stat().st_mode == usual.stat().st_mode


def test_columns_from_later_times_are_null(tmp_path: Path):
    """A run from before there were repeats has none; a column that never was is still missed."""
    rows = pl.DataFrame({"question_id": ["1"], "response": ["here"]})
    rows.write_parquet(tmp_path / "rows.parquet")
    read = partial(read_columns, tmp_path / "rows.parquet")
    assert read(["repeat_of", "response"]).rows() == [(None, "here")]
    assert read(["response"]).rows() == [("here",)]
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        read(["repeat_off"])
