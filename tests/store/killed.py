"""Deeds in processes of their own, forks of one that has imported everything: killed at a step, or many at once.

Forking is safe, since that process computes nothing: polars starts its threads in the child.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import polars as pl
import pyarrow.compute
import sqlalchemy as sa

from qaviz.api import EvaluatedRun
from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.store.files import replacing
from qaviz.store.labels import keep_labels
from qaviz.store.maintenance import purge
from qaviz.store.run_records import find_record
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import open_workspace

Deed = Callable[..., object]
KILLED = -signal.SIGKILL
STEPS = ("open", "os.rename", "os.remove", "fcntl.flock")

# What a child would import each time.
pyarrow.compute.list_functions()
_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload([__name__])


def do(deed: Deed, *given: object, step: int | None = None) -> int:
    """Do the deed in a process, killed before this step: of those on the file system and in the index, from where the
    deed takes the writer's lock on. Returns how the process ended, KILLED if it was."""
    (code,) = do_at_once([(deed, given)], step)
    return code


def do_at_once(deeds: Sequence[tuple[Deed, tuple[object, ...]]], step: int | None = None) -> list[int]:
    """Do these deeds, a process each, all at the same time."""
    environment = {name: value for name, value in os.environ.items() if name.startswith("QAVIZ")}
    begin = _forks.Barrier(len(deeds))
    processes = [_forks.Process(target=_do, args=(begin, environment, step, *deed)) for deed in deeds]
    # A test of a page leaves app.py as the main module, which each process would run again.
    with patch.dict(sys.modules, {"__main__": ModuleType("__main__")}):
        for process in processes:
            process.start()
    for process in processes:
        process.join()
    return [int(process.exitcode or 0) for process in processes]


def _do(begin: object, environment: dict[str, str], step: int | None, deed: Deed, given: tuple[object, ...]) -> None:
    def count(*event: object) -> None:
        nonlocal left, writes
        writes = writes or "BEGIN IMMEDIATE" in event
        if writes and (event[0] in STEPS or isinstance(event[0], sa.Connection)):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    for name in [name for name in os.environ if name.startswith("QAVIZ")]:  # of the test that began the fork server
        del os.environ[name]
    os.environ.update(environment)
    if step is not None:
        left, writes = step, False
        sys.addaudithook(count)
        sa.event.listen(sa.Engine, "before_cursor_execute", count)
        sa.event.listen(sa.Engine, "commit", count)
    begin.wait()
    deed(*given)


def import_run(folder: Path) -> None:
    """The small run as July."""
    from tests.store.kept import keep  # which computes its tables

    keep(open_workspace(folder), "July")


def accept_edit(folder: Path) -> None:
    """An edit of the golden dataset of the run June, as Curation and `qaviz golden accept` make it a version."""
    workspace = open_workspace(folder)
    newest = newest_version(workspace, workspace.find("June").golden_id)
    accept(workspace, newest, edit("1", FACT, "WA"), "Bo", "one fact")


def label(folder: Path) -> None:
    """A label of two responses of the run June, as `qaviz labels` and Responses keep them."""
    workspace = open_workspace(folder)
    june = workspace.find("June")
    given = workspace.rows(june, [QUESTION_ID, PIPELINE]).head(2).with_columns(pl.lit("incorrect").alias(LABEL))
    keep_labels(workspace, june, "Cy", given)


def purge_run(folder: Path) -> None:
    """The deleted run, with a golden dataset of its own, goes for good."""
    workspace = open_workspace(folder)
    purge(workspace, [find_record(workspace, "gone")], "Ana")


LABELS, EDITS = 5, 3
QUESTIONS = (
    "net-sales",
    "office",
    "operating-income",
    "one-medical",
    "challenge",
    "cash",
    "aws-sales",
    "rivian-shares",
)
"""Of several who write at once each edits the fact of one."""


def write_all(folder: Path, draft: EvaluatedRun, number: int) -> None:
    """An import in between labels, edits, each built on what was newest, and a policy."""
    workspace, name = open_workspace(folder), f"writer {number}"
    run = workspace.find("first")
    for place in range(LABELS):
        given = {QUESTION_ID: [QUESTIONS[place]], PIPELINE: [f"Pipeline{place % 3 + 1}"], LABEL: ["correct"]}
        keep_labels(workspace, run, name, pl.DataFrame(given))
    draft.save(name, workspace)
    for time in range(EDITS):
        newest = newest_version(workspace, run.golden_id)
        accept(workspace, newest, edit(QUESTIONS[number], FACT, f"fact {time}"), name, "better")
    keep_policy(workspace, {"criteria": [], "by": name})


def die_amid_a_file(target: Path) -> None:
    """Killed once it has written beside the target."""
    with replacing(target) as unfinished:
        unfinished.write_text("theirs", "utf-8")
        os.kill(os.getpid(), signal.SIGKILL)


def die_under_the_lock(folder: Path) -> None:
    """Killed amid a write to the workspace."""
    with open_workspace(folder).locking():
        (folder / "runs" / "half.tmp").write_bytes(b"half")
        os.kill(os.getpid(), signal.SIGKILL)
