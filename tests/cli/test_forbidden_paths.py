"""Files and folders that the system does not let qaviz read: each command ends in a sentence that names them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import SAMPLE

ROOT = Path(__file__).parents[2]

RIGHTS = "-dac_override,-dac_read_search"
"""What lets root read everything. A process that gave these up is refused as anybody is."""
COULD_NOT_RUN = 2
GOLDEN, RESPONSES = str(SAMPLE / "golden.jsonl"), str(SAMPLE / "responses.jsonl")

pytestmark = pytest.mark.skipif(
    os.geteuid() == 0 and not shutil.which("setpriv"), reason="root reads everything, and setpriv is not installed"
)


@pytest.fixture
def forbidden(tmp_path: Path) -> Iterator[Path]:
    """A folder that nobody may read, with a workspace and a file in it."""
    folder = tmp_path / "forbidden"
    (folder / "workspace").mkdir(parents=True)
    shutil.copy(GOLDEN, folder / "golden.jsonl")
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        "runs list --workspace {forbidden}/workspace",
        "import {golden} {forbidden}/golden.jsonl --name June --workspace {folder}/workspace",
    ],
    ids=lambda asked: " ".join(asked.split()[:2]),
)
def test_what_may_not_be_read_is_named(asked: str, forbidden: Path, tmp_path: Path):
    """A file, a folder, a workspace or a target behind a closed folder is a sentence and exit code 2, no traceback."""
    words = asked.format(forbidden=forbidden, folder=tmp_path, golden=GOLDEN, responses=RESPONSES)
    command = [sys.executable, "-m", "qaviz", *words.split()]
    if os.geteuid() == 0:
        command = ["setpriv", f"--bounding-set={RIGHTS}", f"--inh-caps={RIGHTS}", *command]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == COULD_NOT_RUN, done.stderr
    assert "Traceback" not in done.stderr
    assert str(forbidden) in done.stderr
    assert "permission denied" in done.stderr.lower()
    assert not list(tmp_path.glob("out*"))
