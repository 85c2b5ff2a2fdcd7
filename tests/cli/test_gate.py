"""`qaviz gate`: its policy and its exit codes."""

import re
from pathlib import Path

from qaviz.analysis.policy import as_policy
from qaviz.cli import COULD_NOT_RUN, main
from qaviz.cli.compare import EXIT_CODES
from qaviz.model.classes import Measure
from qaviz.model.records import Criterion
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace
from tests.builders import save_sample

ROOT = Path(__file__).parents[2]


def test_the_workspaces_policy_decides_without_one(workspace: Workspace):
    """Criteria that were saved with the workspace are asked where no file is given."""
    save_sample(workspace)
    keep_policy(workspace, as_policy([Criterion(measure=Measure.FACTS_STATED, bound=1.0)]))
    assert main(["gate", "sample", "--baseline", "sample", "--workspace", str(workspace.folder)]) == 1


def test_every_exit_code_is_documented():
    """docs/pipelines.md has a line for each exit code, and for no other."""
    documented = re.findall(r"^\| (\d) \|", (ROOT / "docs" / "pipelines.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(map(int, documented)) == sorted([*EXIT_CODES.values(), COULD_NOT_RUN])
