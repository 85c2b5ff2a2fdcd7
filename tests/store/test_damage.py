"""Bits that flip in the index, and where it is cut off, at random places: said, and never wrong rows."""

import random
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from qaviz.model.errors import QavizError
from qaviz.store import maintenance
from qaviz.store.audit import check_audit
from qaviz.store.golden_versions import versions
from qaviz.store.index import INDEX_FILE
from qaviz.store.labels import kept_labels
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import golden_table
from tests.store.kept import ROWS, keep
from tests.store.states import keep_june

pytestmark = pytest.mark.slow

SEED = 20231120
OF_THE_INDEX = 40
OTHER = golden_table([{"question": "When?", "answer": "In May.", "fact": "May"}])


def damaged(content: bytes, moments: random.Random) -> bytes:
    """The content with a flipped bit, with some of them, or cut off: never as it was."""
    if moments.random() < 0.2:
        return content[: moments.randrange(len(content))]
    flipped = bytearray(content)
    for place in moments.sample(range(len(content)), moments.choice((1, 1, 8))):
        flipped[place] ^= 1 << moments.randrange(8)
    return bytes(flipped)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the runs hit and spared, whose golden datasets differ."""
    workspace = open_workspace(tmp_path_factory.mktemp("kept") / "workspace")
    keep(workspace, "hit")
    keep(workspace, "spared", OTHER, OTHER.join(ROWS.drop(OTHER.columns), how="cross").head(2))
    return workspace.folder


def look_at_everything(workspace: Workspace) -> list[tuple[object, ...]]:
    """All that pages read of the workspace. QavizError where something is damaged."""
    seen = []
    for run in workspace.runs():
        rows, line = workspace.rows(run), versions(workspace, run.golden_id)
        seen.append((run.name, rows.hash_rows().sum(), kept_labels(workspace, run).height, len(line)))
    checked = maintenance.check(workspace)
    audit = check_audit(workspace).problem
    if checked.problems or audit:
        raise QavizError(*checked.problems, *([audit] if audit else []))
    return seen


def test_a_damaged_index_is_said_and_never_gives_wrong_rows(kept: Path, tmp_path: Path):
    """Whatever bits of the index flip, and wherever it is cut off: it is refused in words, or what it leads to is as it
    was, but for a letter in a name that nobody can know to be wrong; rows are those of the run, or none."""
    june = open_workspace(shutil.copytree(kept, tmp_path / "june"))
    keep_june(june)
    with closing(sqlite3.connect(june.folder / INDEX_FILE)) as index:
        index.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    sound = {said[1:] for said in look_at_everything(june)}
    content = (june.folder / INDEX_FILE).read_bytes()
    moments = random.Random(SEED)
    ends: Counter[str] = Counter()
    for number in range(OF_THE_INDEX):
        for left in june.folder.glob(f"{INDEX_FILE}*"):
            left.unlink()
        (june.folder / INDEX_FILE).write_bytes(damaged(content, moments))
        try:
            seen = look_at_everything(open_workspace(june.folder))
        except QavizError:
            ends["said"] += 1
        else:
            ends["as it was"] += 1
            assert {said[1:] for said in seen} <= sound, (SEED, number)
    print(f"seed {SEED}: {dict(ends)}")
    assert ends["said"] > OF_THE_INDEX / 10
