"""qaviz where FMEval is not installed, as on Python 3.13."""

import os
import site
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from qaviz.model.records import WORKSPACE_VARIABLE, Verified
from qaviz.store.workspace import Workspace
from tests.builders import save_sample

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SAID = "Python environment: found no fmeval; expected fmeval 1.2.3 beside qaviz. Install it with Python 3.11 or 3.12"

OPEN_PAGE = """
from tests.screen import open_page, texts
app = open_page("runs?tab=Verify")
assert not app.exception
assert not [button.label for button in app.button if "erify" in button.label or "FMEval" in button.label]
print(texts(app), *(code.value for code in app.code))
"""


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that this Python has installed, but for FMEval."""
    folder = tmp_path_factory.mktemp("libraries")
    for installed in map(Path, site.getsitepackages()):
        for each in installed.iterdir():
            if not each.name.startswith("fmeval") and not (folder / each.name).exists():
                (folder / each.name).symlink_to(each)
    return folder


def python(libraries: Path, workspace: Workspace, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with those libraries alone."""
    places = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, libraries))), WORKSPACE_VARIABLE: str(workspace.folder)}
    command = [sys.executable, "-S", *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ | places, capture_output=True, text=True, check=False)


def test_the_terminal_says_what_to_install(libraries: Path, workspace: Workspace):
    """`verify` exits with 2 and one line on stderr that says what to install."""
    save_sample(workspace)
    done = python(libraries, workspace, "-m", "qaviz", "verify", "sample")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"qaviz: {SAID}")
    assert done.stderr.count("\n") == 1


def test_the_page_says_what_to_install(libraries: Path, workspace: Workspace):
    """The Verify page opens, says what it would do, gives the command that installs FMEval, shows what was found
    elsewhere, and offers no button."""
    run = save_sample(workspace)
    verified_at = datetime(2026, 11, 20, tzinfo=UTC)
    workspace.keep_verified(run, Verified(verified_at=verified_at, version="1.2.3", compared=30, differences=0))
    done = python(libraries, workspace, "-c", OPEN_PAGE)
    assert done.returncode == 0, done.stderr
    assert "FMEval is not installed here" in done.stdout
    assert "pip install fmeval==1.2.3" in done.stdout
    assert all(fact in done.stdout for fact in ("FMEval 1.2.3", "20 Nov 2026", "30 responses", "no difference"))
