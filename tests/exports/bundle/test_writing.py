"""qaviz.exports.bundle: a run becomes a static site, whole or not at all, and nothing else is overwritten."""

import base64
import hashlib
import json
import re
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from qaviz.exports.bundle import write_bundle
from qaviz.exports.bundle.content import MOST_RESPONSES
from qaviz.loading import Source
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.runs import save
from qaviz.store import Workspace
from tests.builders import SAMPLE, draft_files, save_sample
from tests.store.kept import contents

ROOT = Path(__file__).parents[3]


@pytest.fixture
def run(workspace: Workspace) -> Run:
    return save_sample(workspace)


def write(run: Run, workspace: Workspace, out: Path) -> Path:
    return write_bundle(run, workspace, out, lambda *_: None).page


class Page(HTMLParser):
    """What a browser finds in the page: its policy, scripts, styles and data blocks."""

    def __init__(self, file: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.policy = ""
        self.inline: dict[str, list[str]] = {"script": [], "style": []}
        self.blocks: dict[str, object] = {}
        self.addresses: list[str] = []
        self._inside: tuple[str, str | None] | None = None
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.addresses += [given[name] for name in ("src", "href") if name in given]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        self._inside = (tag, given.get("id")) if tag in self.inline else None

    def handle_data(self, data):
        if self._inside is None:
            return
        tag, block = self._inside
        if block:
            self.blocks[block] = json.loads(data)
        else:
            self.inline[tag].append(data)

    def handle_endtag(self, _):
        self._inside = None


@pytest.mark.parametrize("name", ["report.html", "folder"])
def test_the_page_brings_all_it_needs(name: str, run: Run, workspace: Workspace, tmp_path: Path):
    """One page with its script and style, each allowed by its hash alone, and no address outside of itself."""
    page = Page(write(run, workspace, tmp_path / name))

    for tag in ("script", "style"):
        (text,) = page.inline[tag]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        beside = " 'self'" if (tag, name) == ("script", "folder") else ""
        assert f"{tag}-src 'sha256-{digest}'{beside};" in page.policy
    assert page.policy.startswith("default-src 'none'")
    assert "unsafe" not in page.policy
    assert [address[:15] for address in page.addresses] == ["data:image/svg+x"[:15]]


def test_one_file_and_a_folder_hold_the_same(run: Run, workspace: Workspace, tmp_path: Path):
    """What stands beside a folder's page are the blocks of the one file; both have provenance and thresholds."""
    one = Page(write(run, workspace, tmp_path / "report.html"))
    folder = Page(write(run, workspace, tmp_path / "folder"))

    content = folder.blocks["data-run"]
    (part,) = (tmp_path / "folder" / content["parts"]).iterdir()
    held = re.fullmatch(r'qavizPart\("words-0", (.*)\);\n', part.read_text("utf-8")).group(1)
    assert json.loads(held) == one.blocks["data-words-0"]
    facts = dict(content["about"]["facts"])
    assert facts["Golden dataset's content hash"] == run.golden_id
    assert (facts["Run's id"], facts["Scored by"]) == (run.run_id, run.engine)
    assert [each["value"] for each in content["about"]["thresholds"]] == list(asdict(run.thresholds).values())


@pytest.mark.parametrize("name", ["report.html", "folder"])
def test_writing_again_replaces_what_it_wrote(name: str, run: Run, workspace: Workspace, tmp_path: Path):
    """A second run in the same place leaves its own site and nothing of the first."""
    write(run, workspace, tmp_path / name)
    other = write(replace(run, name="other", pipelines=(*run.pipelines, "silent")), workspace, tmp_path / name)
    fresh = write(replace(run, name="other", pipelines=(*run.pipelines, "silent")), workspace, tmp_path / f"new-{name}")

    assert Page(other).blocks["data-run"]["about"]["run"] == "other"
    if name == "folder":
        assert names_below(other.parent) == names_below(fresh.parent)


def names_below(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))


def test_nothing_else_is_overwritten(run: Run, workspace: Workspace, tmp_path: Path):
    """A file or folder that is no bundle is refused and stays as it is; so is a file where a folder is meant."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "index.html").write_text("<p>mine")
    (tmp_path / "page.html").write_text("<p>mine")
    (tmp_path / "notes").write_text("mine")
    (tmp_path / "dir.html").mkdir()
    before = contents(tmp_path)

    for name, found in [
        ("folder", "a folder with other files"),
        ("page.html", "a file that is no bundle"),
        ("notes", "a file; one that is to hold a bundle ends in .html"),
        ("dir.html", "a folder"),
    ]:
        with pytest.raises(QavizError) as refused:
            write(run, workspace, tmp_path / name)
        assert refused.value.problems[0].found == found
    assert contents(tmp_path) == before


def test_a_run_that_no_browser_holds_is_refused(run: Run, workspace: Workspace, tmp_path: Path):
    """More responses than a browser holds are refused before anything is read or written."""
    with pytest.raises(QavizError, match="in the browser"):
        write(replace(run, responses=MOST_RESPONSES + 1), workspace, tmp_path / "folder")
    assert not (tmp_path / "folder").exists()


def test_a_name_that_cannot_be_a_file_is_said(run: Run, workspace: Workspace, tmp_path: Path):
    """A name that is too long for the disk, or below a file, is a problem and no crash."""
    (tmp_path / "file").write_text("")
    for out in (tmp_path / ("x" * 300), tmp_path / ("x" * 300 + ".html"), tmp_path / "file" / "folder"):
        with pytest.raises(QavizError):
            write(run, workspace, out)


WRITER = """
import os, signal, sys
from pathlib import Path
from qaviz.exports.bundle import write_bundle
from qaviz.runs import save
from tests.builders import draft_files
from qaviz.store import open_workspace

folder, name, out, steps = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
workspace = open_workspace(folder)
run = workspace.find(name)

def die_after_steps(event, arguments):
    global steps
    if event in ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir") and str(out) in str(arguments[0]):
        steps -= 1
        if steps < 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die_after_steps)
write_bundle(run, workspace, out, lambda *_: None)
"""


def intact(folder: Path) -> str | None:
    """The run whose site the folder holds, all parts of it there; None where there is no page yet."""
    if not (folder / "index.html").exists():
        return None
    content = Page(folder / "index.html").blocks["data-run"]
    assert (folder / content["parts"] / "0.js").read_text("utf-8").endswith(");\n")
    return content["about"]["run"]


def save_part(workspace: Workspace) -> Run:
    """The first responses of the sample data as the run `part`."""
    drafted = draft_files(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")])
    return save(replace(drafted, rows=drafted.rows.head(9)), workspace, "part")


@pytest.mark.slow
def test_a_killed_writing_leaves_a_whole_site(workspace: Workspace, tmp_path: Path):
    """Killed at any step, the folder holds the site of before or the new one, and the next call goes through."""
    first, second = save_sample(workspace, "first"), save_part(workspace)
    out = tmp_path / "folder"
    write(first, workspace, out)
    seen = set()
    # Files are looked at, made, synced and renamed, and older parts removed, in some 16 steps.
    for steps in (1, 6, 11, 13, 15):
        killed = subprocess.run([sys.executable, "-c", WRITER, workspace.folder, "part", out, str(steps)], cwd=ROOT)
        seen.add((killed.returncode, intact(out)))
        write(first, workspace, out)
    assert {(-signal.SIGKILL, "first"), (-signal.SIGKILL, "part")} <= seen
    write(second, workspace, out)
    assert intact(out) == "part"
