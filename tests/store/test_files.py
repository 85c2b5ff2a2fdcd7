import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from qaviz.store.files import read_columns, replacing

ROOT = Path(__file__).parents[2]

WRITER = """
import os, signal, sys
from pathlib import Path
from qaviz.store.files import replacing

with replacing(Path(sys.argv[1])) as unfinished:
    unfinished.write_text("theirs")
    print("written", flush=True)
    sys.stdin.readline()
"""

Start = Callable[[Path], subprocess.Popen[str]]


@pytest.fixture
def start_writer() -> Iterator[Start]:
    """Starts a process that has written beside its target, and finishes when it is told to."""
    started: list[subprocess.Popen[str]] = []

    def start(target: Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WRITER, str(target)]
        writer = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(writer)
        assert writer.stdout.readline() == "written\n"
        return writer

    yield start
    for writer in started:
        writer.kill()
        writer.communicate()


def write(target: Path) -> None:
    with replacing(target) as unfinished:
        unfinished.write_text("mine", encoding="utf-8")


def test_what_a_killed_writer_left_goes_with_the_next_one(tmp_path: Path, start_writer: Start):
    """A writer that is killed leaves a file beside its target, which stays as it was; the next writer of the same
    target clears that file away, one of another target does not."""
    target = tmp_path / "out.csv"
    target.write_text("old", encoding="utf-8")
    writer = start_writer(target)
    writer.kill()
    assert writer.wait() == -signal.SIGKILL
    (left,) = tmp_path.glob("*.tmp")
    assert target.read_text(encoding="utf-8") == "old"
    write(tmp_path / "other.csv")
    assert left.exists()
    write(target)
    assert {file.name for file in tmp_path.iterdir()} == {"out.csv", "other.csv"}
    assert target.read_text(encoding="utf-8") == "mine"


def test_a_living_writer_keeps_its_file(tmp_path: Path, start_writer: Start):
    """Another writer of the same target leaves alone what a living one writes: each finishes, the last counts."""
    target = tmp_path / "out.csv"
    writer = start_writer(target)
    write(target)
    assert target.read_text(encoding="utf-8") == "mine"
    writer.communicate("\n")
    assert writer.returncode == 0
    assert target.read_text(encoding="utf-8") == "theirs"
    assert list(tmp_path.glob("*.tmp")) == []


def test_files_of_others_are_left_alone(tmp_path: Path, start_writer: Start):
    """What only looks like an unfinished file, a link or a folder of its name or a file of a user, is not touched."""
    target, users = tmp_path / "out.csv", tmp_path / "users.tmp"
    users.write_text("a user's", encoding="utf-8")
    writer = start_writer(target)
    (name,) = (file.name for file in tmp_path.glob("*.tmp") if file != users)
    writer.communicate("\n")
    mark = name.partition("-")[0]
    (tmp_path / f"{mark}-link.tmp").symlink_to(users)
    (tmp_path / f"{mark}-folder.tmp").mkdir()
    write(target)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(
        [f"{mark}-link.tmp", f"{mark}-folder.tmp", "out.csv", "users.tmp"]
    )
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
