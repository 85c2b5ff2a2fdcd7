"""A disk that is full, and a folder that may only be read: said in words, nothing half, the old state intact."""

import resource
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

from qaviz.analysis.policy import as_policy
from qaviz.cli.compare import write_pack
from qaviz.exports.tool_files import FMEVAL, write_run
from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.store import maintenance
from qaviz.store.labels import keep_labels
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import save_sample
from tests.store.kept import contents
from tests.store.states import keep_june, state_of

pytestmark = pytest.mark.slow

PAGE_OF_INDEX = 4096


def june(workspace: Workspace):
    return workspace.find("June")


def accept_an_edit(workspace: Workspace, _out: Path) -> None:
    newest = newest_version(workspace, june(workspace).golden_id)
    accept(workspace, newest, edit("challenge", FACT, "exchange rates"), "Bo", "one fact")


def label(workspace: Workspace, _out: Path) -> None:
    labels = pl.DataFrame({QUESTION_ID: ["cash"], PIPELINE: ["Pipeline1"], LABEL: ["incorrect"]})
    keep_labels(workspace, june(workspace), "Bo", labels)


INTO_THE_WORKSPACE: dict[str, Callable[[Workspace, Path], object]] = {
    "import": lambda workspace, _out: save_sample(workspace, "July"),
    "accept": accept_an_edit,
    "label": label,
    "policy": lambda workspace, _out: keep_policy(workspace, as_policy(())),
}
BESIDE_IT: dict[str, Callable[[Workspace, Path], object]] = {
    "backup": lambda workspace, out: maintenance.backup(workspace, out / "copy"),
    "export": lambda workspace, out: write_run(
        workspace.rows(june(workspace)), june(workspace), FMEVAL, out / "folder"
    ),
    "decision pack": lambda workspace, out: write_pack(june(workspace), workspace, out / "decision.pptx"),
}
DEEDS = INTO_THE_WORKSPACE | BESIDE_IT


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Counter[str]]:
    """A workspace with something of everything, and its state."""
    workspace = open_workspace(tmp_path_factory.mktemp("kept") / "workspace")
    keep_june(workspace)
    return workspace.folder, state_of(workspace)


@contextmanager
def full_above(limit: int) -> Iterator[None]:
    """No file grows above so many bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("limit", [0, 5 * PAGE_OF_INDEX])
@pytest.mark.parametrize("deed", DEEDS)
def test_a_full_disk_is_said_and_leaves_the_old_state(deed: str, limit: int, kept, tmp_path: Path):
    """Where files may not grow a deed is refused in words, the workspace is as it was, and nothing half lies beside it;
    with room again the same deed is done."""
    if (deed, limit) == ("export", 5 * PAGE_OF_INDEX):
        pytest.skip("each file of this export has room there, and reading a workspace writes nothing")
    folder, old = kept
    workspace = open_workspace(shutil.copytree(folder, tmp_path / "workspace"))
    out = tmp_path / "out"
    out.mkdir()
    with full_above(limit), pytest.raises(QavizError, match=r"(?i)file too large|full|disk I/O error|unable to open"):
        DEEDS[deed](workspace, out)
    assert state_of(open_workspace(workspace.folder)) == old
    assert contents(out) == {}

    DEEDS[deed](workspace, out)
    assert (state_of(workspace) > old, bool(contents(out))) == (deed in INTO_THE_WORKSPACE, deed in BESIDE_IT)


@pytest.fixture
def read_only(kept, tmp_path: Path) -> Iterator[Path]:
    """A place at which a copy of the workspace, in the folder `workspace` beside it, may only be read, even by root."""
    copy, place = tmp_path / "workspace", tmp_path / "read-only"
    shutil.copytree(kept[0], copy)
    place.mkdir()
    mounted = subprocess.run(["mount", "--bind", copy, place], capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"no right to mount a folder read-only: {mounted.stderr.strip()}")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def test_a_read_only_workspace_is_refused(read_only: Path, tmp_path: Path, kept):
    """In a folder that may only be read a workspace does not open, in words, and nothing changes."""
    with pytest.raises(QavizError, match=r"readonly database|unable to open|disk I/O error"):
        open_workspace(read_only)
    assert state_of(open_workspace(tmp_path / "workspace")) == kept[1]
