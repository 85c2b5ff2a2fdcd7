"""A process that has imported everything, and does each deed in a child of its own, which it kills when it is told to.

    python -m tests.store.killed

Reads lines `DEED FOLDER MARK AFTER`: the child is killed so many seconds after the mark, or for the mark STEP before so
many steps on the file system from its first write on. Answers each with a line `CODE WRITING WHOLE`: how the child
ended (-9 if the kill came in time), and the seconds from its first write, and from the deed's beginning, to the deed's
end, nan where it did not come to that.

Forking is safe here because this process never computes anything: polars starts its threads in the child.
"""

import math
import os
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow.compute

from qaviz.cli import main
from qaviz.golden import versions as curation
from qaviz.golden.edits import edit
from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.runs import save_rescored
from qaviz.store.files import GOLDEN_FOLDER, RUNS_FOLDER, UNFINISHED
from qaviz.store.golden_versions import versions
from qaviz.store.labels import keep_labels
from qaviz.store.workspace import open_workspace
from tests.builders import SAMPLE

BEGUN, WRITING, ENDED, STEP = b"b", b"w", b"e", b"s"
NEVER = -1.0
STEPS = ("open", "os.rename", "os.remove", "sqlite3.connect")

_MARK = struct.Struct("cd")
"""What the child tells: which mark, and when it was there (the clock is the machine's, the same in both)."""

# What a child would import each time.
pyarrow.compute.list_functions()


def import_sample(folder: Path) -> None:
    """`qaviz import` of the sample data."""
    files = (str(SAMPLE / name) for name in ("golden.jsonl", "responses.jsonl"))
    main(["import", *files, "--name", "July", "--workspace", str(folder)])


def score_again(folder: Path) -> None:
    """The run June on its golden dataset's newest version, as a run of its own."""
    workspace = open_workspace(folder)
    june = workspace.find("June")
    save_rescored(june, workspace, versions(workspace, june.golden_id)[-1].golden_id, "June again")


def accept(folder: Path) -> None:
    """An edit of the golden dataset of the run June, as Curation and `qaviz golden accept` make it a version."""
    workspace = open_workspace(folder)
    newest = curation.newest_version(workspace, workspace.find("June").golden_id)
    curation.accept(workspace, newest, edit("challenge", FACT, "exchange rates"), "Bo", "one fact")


def label(folder: Path) -> None:
    """A label of each response of two of the run June, as `qaviz labels` and Responses keep them."""
    workspace = open_workspace(folder)
    june = workspace.find("June")
    given = workspace.rows(june, [QUESTION_ID, PIPELINE]).head(2).with_columns(pl.lit("incorrect").alias(LABEL))
    keep_labels(workspace, june, "Cy", given)


DEEDS: dict[str, Callable[[Path], None]] = {
    "import": import_sample,
    "score": score_again,
    "accept": accept,
    "label": label,
}


def _of_the_workspace(path: str) -> bool:
    """Whether it is a file that is to become a golden dataset version's or a run's: drafts are nobody's yet."""
    return path.endswith(UNFINISHED) and Path(path).parent.name in (GOLDEN_FOLDER, RUNS_FOLDER)


def _child(deed: str, folder: Path, tell: int, steps: float) -> None:
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)

    def notice(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal unwritten, steps
        if unwritten and event == "open" and _of_the_workspace(str(arguments[0])):
            unwritten = False
            _tell(tell, WRITING)
        if not unwritten and event in STEPS:
            steps -= 1
            if steps < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    unwritten = deed != "label"
    sys.addaudithook(notice)
    _tell(tell, BEGUN)
    if not unwritten:  # a label is in the database alone
        _tell(tell, WRITING)
    code = 1
    try:
        DEEDS[deed](folder)
        _tell(tell, ENDED)
        code = 0
    finally:
        os._exit(code)


def _tell(tell: int, mark: bytes) -> None:
    os.write(tell, _MARK.pack(mark, time.monotonic()))


def _done(deed: str, folder: Path, mark: bytes, seconds: float) -> tuple[int, float, float]:
    hear, tell = os.pipe()
    child = os.fork()
    if child == 0:
        _child(deed, folder, tell, seconds if mark == STEP else math.inf)
    os.close(tell)
    at: dict[bytes, float] = {}
    while said := os.read(hear, _MARK.size):
        told, when = _MARK.unpack(said)
        at[told] = when
        if told == mark and seconds != NEVER:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)
    os.close(hear)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ended = at.get(ENDED, math.nan)
    return code, ended - at.get(WRITING, math.nan), ended - at[BEGUN]


def serve() -> None:
    """Do and answer what stands on standard input."""
    for line in sys.stdin:
        deed, folder, mark, seconds = line.split()
        print(*_done(deed, Path(folder), mark.encode(), float(seconds)), flush=True)


if __name__ == "__main__":
    serve()
