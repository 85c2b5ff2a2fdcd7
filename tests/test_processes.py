"""qaviz.processes: what is started in another process tells, fails in its own words, and leaves nothing behind."""

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from qaviz.processes import CancelledError, run_module


def is_running(pid: int) -> bool:
    """Whether the process is there and no zombie, which waits for its parent."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
@pytest.mark.parametrize("how", ["sleep", "deaf"])
def test_cancelled_work_goes_with_all_that_it_started(tmp_path: Path, how: str):
    """Cancelled as soon as it says that it has a child, neither it nor the child is there any more, also where it does
    not listen."""
    said: list[tuple[float, str]] = []
    with pytest.raises(CancelledError):
        run_module(
            "tests.work",
            tmp_path,
            how,
            environment=os.environ,
            progress=lambda fraction, words: said.append((fraction, words)),
            cancelled=lambda: bool(said),
        )
    ((fraction, child),) = said
    assert fraction == 0.5
    until = time.monotonic() + 5
    while is_running(int(child)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(int(child))


def test_work_that_fails_says_its_last_words(tmp_path: Path):
    """Of a megabyte that a failing process wrote the end is told, with its code, and not all of it."""
    with pytest.raises(RuntimeError, match=r"tests\.work ended with 3") as failed:
        run_module("tests.work", tmp_path, "fail", environment=os.environ)
    assert str(failed.value).endswith("the last words")
    assert len(str(failed.value)) < 200_000
