"""`qaviz compare` as a person runs it, and `qaviz gate` with its policy and its exit codes."""

import json
import re
from pathlib import Path

from qaviz.analysis.gate import gate
from qaviz.analysis.policy import as_policy
from qaviz.analysis.run_changes import compare_runs, judge_alike, read_side
from qaviz.cli import COULD_NOT_RUN, main
from qaviz.cli.compare import EXIT_CODES
from qaviz.diagnosis import READER_VERSION
from qaviz.model.classes import Measure
from qaviz.model.columns import CONFIDENCE
from qaviz.model.records import Criterion
from qaviz.runs import save_rescored
from qaviz.store.labels import kept_labels
from qaviz.store.run_records import find_record
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import save_sample
from tests.frozen.subjects import bring_up

ROOT = Path(__file__).parents[2]


def test_verdicts_of_two_readers_are_never_compared(tmp_path, capsys):
    """A run of 0.2.0 against the same responses of today: both are judged by today's reader, in the terminal and in
    Python, and it is said; nothing changes, no label is lost, and the kept verdicts of the old run stay."""
    home = open_workspace(bring_up(tmp_path))
    old, now = home.find("June"), save_sample(home, "now")
    kept = home.rows(old)[CONFIDENCE].to_list()
    labels = kept_labels(home, old).height
    assert kept != home.rows(now)[CONFIDENCE].to_list()

    before, after = read_side(home, old), read_side(home, now)
    assert (before.reader, after.reader) == ("", READER_VERSION)
    for first, second in ((before, after), (after, before)):
        assert set(compare_runs(first, second)["change"]) == {"same"}
        sides = judge_alike(first, second)[:2]
        assert sides[0].rows[CONFIDENCE].to_list() == sides[1].rows[CONFIDENCE].to_list()
    (note,) = [note for note in gate(after, before).notes if '"June" judged again' in note]
    place = ["--workspace", str(home.folder)]
    assert main(["compare", "June", "now", *place]) == 0
    assert capsys.readouterr().out.splitlines()[0] == note
    assert main(["compare", "June", "now", "--format", "json", *place]) == 0
    assert json.loads(capsys.readouterr().out)["readers"] == note
    assert main(["gate", "now", "--baseline", "June", *place]) == 0
    assert note in capsys.readouterr().out
    assert main(["compare", "now", "now", *place]) == 0
    assert "judged again" not in capsys.readouterr().out

    assert home.rows(old)[CONFIDENCE].to_list() == kept
    assert kept_labels(home, old).height == labels > 0


def test_a_run_that_is_scored_again_has_one_reader(tmp_path):
    """A run of 0.2.0 that is scored on its own golden dataset again is judged as a whole, and its record says by
    whom."""
    home = open_workspace(bring_up(tmp_path))
    old = home.find("June")
    again = save_rescored(old, home, old.golden_id, "again")
    assert find_record(home, again.run_id).provenance.reader == READER_VERSION
    assert home.rows(again)[CONFIDENCE].to_list() == home.rows(save_sample(home, "now"))[CONFIDENCE].to_list()
    assert home.rows(old)[CONFIDENCE].to_list() != home.rows(again)[CONFIDENCE].to_list()


def test_the_workspaces_policy_decides_without_one(workspace: Workspace):
    """Criteria that were saved with the workspace are asked where no file is given."""
    save_sample(workspace)
    keep_policy(workspace, as_policy([Criterion(measure=Measure.FACTS_STATED, bound=1.0)]))
    assert main(["gate", "sample", "--baseline", "sample", "--workspace", str(workspace.folder)]) == 1


def test_every_exit_code_is_documented():
    """docs/pipelines.md has a line for each exit code, and for no other."""
    documented = re.findall(r"^\| (\d) \|", (ROOT / "docs" / "pipelines.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(map(int, documented)) == sorted([*EXIT_CODES.values(), COULD_NOT_RUN])
