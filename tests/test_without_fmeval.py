"""qaviz where FMEval is not installed, as on Python 3.13."""

import os
import site
import subprocess
import sys
from pathlib import Path

import pytest

from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store.workspace import Workspace
from tests.builders import save_sample

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SAID = "Python environment: found no fmeval; expected fmeval 1.2.3 beside qaviz. Install it with Python 3.11 or 3.12"


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
