"""A disk that is full, and a folder that may only be read: said in words, nothing half, the old state intact."""

import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
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
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store import maintenance
from qaviz.store.golden_versions import versions
from qaviz.store.index import INDEX_FILE
from qaviz.store.labels import keep_labels, kept_labels
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import save_sample
from tests.screen import open_page, texts
from tests.store.kept import contents
from tests.store.states import State, keep_june

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
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, State]:
    """A workspace with something of everything, and its state."""
    workspace = open_workspace(tmp_path_factory.mktemp("kept") / "workspace")
    keep_june(workspace)
    return workspace.folder, State.of(workspace)


@contextmanager
def full_above(limit: int) -> Iterator[None]:
    """No file grows above so many bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("limit", [0, PAGE_OF_INDEX - 1, 5 * PAGE_OF_INDEX])
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
    with (
        full_above(limit),
        pytest.raises(QavizError, match=r"(?i)file too large|full disk|disk error|cannot be opened"),
    ):
        DEEDS[deed](workspace, out)
    assert State.of(open_workspace(workspace.folder)) == old
    assert contents(out) == {}

    DEEDS[deed](workspace, out)
    new = State.of(workspace).added_to(old)
    assert (bool(new.rows), bool(contents(out))) == (deed in INTO_THE_WORKSPACE, deed in BESIDE_IT)


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


def test_a_read_only_workspace_is_read(read_only: Path):
    """All that is kept can be read where nothing may be written: runs, rows, labels, versions, every file by its
    checksum; what a killed process left there is no hindrance."""
    (read_only.parent / "workspace" / "runs" / "0123.tmp").write_bytes(b"half")
    workspace = open_workspace(read_only)
    (run,) = workspace.runs()
    assert workspace.rows(run).equals(workspace.mapped_rows(run).rows)
    assert kept_labels(workspace, run).height == run.responses
    assert len(versions(workspace, run.golden_id)) == 2
    assert maintenance.check(workspace).problems == ()


@pytest.mark.parametrize("deed", INTO_THE_WORKSPACE)
def test_what_cannot_be_written_is_said(deed: str, read_only: Path, tmp_path: Path, kept):
    """In a read-only folder every deed is refused in words, and nothing changes."""
    with pytest.raises(QavizError, match=r"no right to write to it|Read-only file system"):
        DEEDS[deed](open_workspace(read_only), tmp_path)
    assert State.of(open_workspace(tmp_path / "workspace")) == kept[1]


def test_a_read_only_place_shows_what_others_write(read_only: Path, tmp_path: Path):
    """While somebody else writes to the folder, who may only read sees each run as soon as it is saved."""
    writer, reader = open_workspace(tmp_path / "workspace"), open_workspace(read_only)
    save_sample(writer, "July")
    assert [run.name for run in reader.runs()] == ["July", "June"]
    with writer.index.connect():
        assert [run.name for run in reader.runs()] == ["July", "June"]


def test_a_log_that_only_a_writer_can_take_over_is_said(read_only: Path, tmp_path: Path):
    """A process was killed with changes in SQLite's log, and the folder may only be read: the reader is told to have it
    opened by who may write, and then reads all of it."""
    folder = tmp_path / "workspace"
    with closing(sqlite3.connect(folder / INDEX_FILE)) as writer:
        writer.execute("CREATE TABLE filler (text)")
        log = (folder / f"{INDEX_FILE}-wal").read_bytes()
    (folder / f"{INDEX_FILE}-wal").write_bytes(log)
    with pytest.raises(QavizError, match="Open the workspace once with the right to write"):
        open_workspace(read_only)
    open_workspace(folder)
    assert [run.name for run in open_workspace(read_only).runs()] == ["June"]


def test_the_pages_show_a_read_only_workspace(read_only: Path, monkeypatch: pytest.MonkeyPatch):
    """Pages over a read-only workspace draw the run, and a label is refused there in words."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(read_only))
    for page in ("board", "golden"):
        app = open_page(page)
        assert not app.exception
        assert "Problem to fix" not in texts(app)
    app = open_page("responses", labels="Label responses")
    next(field for field in app.text_input if field.label == "Your name").set_value("Bo").run()
    app.button(key="label_Correct").click().run()
    assert not app.exception
    assert "no right to write to it" in texts(app)
