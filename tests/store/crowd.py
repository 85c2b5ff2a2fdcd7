"""Eight processes that write to one workspace at once, each an import, labels and edits: run by test_many_writers.py.

    python -m tests.store.crowd FOLDER RUN

They are children of this process, which has imported everything and computes nothing, so that forking is safe; they
begin together. Ends with the number of those that failed.
"""

import os
import sys
import traceback
from pathlib import Path

import polars as pl

from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.store.labels import keep_labels
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import save_sample

WRITERS = 8
LABELS = 5
EDITS = 3
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
"""Each writer edits the fact of one."""


def write(workspace: Workspace, run_id: str, number: int) -> None:
    """An import in between labels, edits, each built on what was newest, and a policy."""
    run, name = workspace.find(run_id), f"writer {number}"
    for label in range(LABELS):
        pipeline = f"Pipeline{label % 3 + 1}"
        said = {QUESTION_ID: [QUESTIONS[label]], PIPELINE: [pipeline], LABEL: ["correct"]}
        keep_labels(workspace, run, name, pl.DataFrame(said))
    save_sample(workspace, name)
    for time in range(EDITS):
        newest = newest_version(workspace, run.golden_id)
        accept(workspace, newest, edit(QUESTIONS[number], FACT, f"fact {time}"), name, "better")
    keep_policy(workspace, {"criteria": [], "by": name})


def _child(folder: Path, run_id: str, number: int, begin: int) -> None:
    code = 1
    try:
        os.read(begin, 1)
        write(open_workspace(folder), run_id, number)
        code = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(code)


def main(folder: Path, run_id: str) -> int:
    """Let all of them write, and count those that failed."""
    begin, tell = os.pipe()
    children = []
    for number in range(WRITERS):
        child = os.fork()
        if child == 0:
            os.close(tell)
            _child(folder, run_id, number, begin)
        children.append(child)
    os.close(tell)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
