"""The clock goes back: what came last is what was done last, not what bears the latest time."""

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.store.golden_versions import EDITS, keep_version, line_of, versions
from qaviz.store.labels import keep_labels, kept_labels, take_back_labels
from qaviz.store.run_records import run_table
from qaviz.store.tables import TABLES
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import golden_table
from tests.store.kept import GOLDEN, keep

FUTURE = "2999-01-01T00:00:00.000000+00:00"
MOMENTS = ("created_at", "made_at", "labelled_at", "set_at", "verified_at", "rejected_at")


def while_the_clock_was_ahead(workspace: Workspace) -> None:
    """What there is so far was done under a clock that ran centuries ahead."""
    with workspace.index.begin() as transaction:
        for table in TABLES.sorted_tables:
            ahead = {name: FUTURE for name in MOMENTS if name in table.c}
            if ahead:
                transaction.execute(sa.update(table).values(ahead))


def label(workspace: Workspace, run, said: str) -> None:
    keep_labels(workspace, run, "Ana", pl.DataFrame({QUESTION_ID: ["1"], PIPELINE: ["A"], LABEL: [said]}))


def test_the_newest_run_is_the_one_saved_last(workspace: Workspace):
    """A run saved after the clock was put right comes first, in every list and for every new reader."""
    keep(workspace, "first")
    while_the_clock_was_ahead(workspace)
    keep(workspace, "second")
    keep(workspace, "third")

    assert [run.name for run in open_workspace(workspace.folder).runs()] == ["third", "second", "first"]
    table = run_table(workspace)
    assert table["name"].to_list() == ["third", "second", "first"]


def test_the_newest_label_counts_and_is_taken_back(workspace: Workspace):
    """Of two labels of one response the one given last is in force; taking back brings the earlier one back."""
    run = keep(workspace, "run")
    label(workspace, run, "correct")
    while_the_clock_was_ahead(workspace)
    label(workspace, run, "incorrect")

    assert kept_labels(workspace, run)[LABEL].to_list() == ["incorrect"]
    assert take_back_labels(workspace, run, "Ana")[LABEL].to_list() == ["incorrect"]
    assert kept_labels(workspace, run)[LABEL].to_list() == ["correct"]


def test_the_newest_version_and_line_are_those_made_last(workspace: Workspace):
    """A version's successor is made on the newest one by number, and a golden dataset that two lines have come to
    belongs to the one that came to it last."""
    other = golden_table([{"question": "When?", "answer": "In May.", "fact": "May"}])
    both = golden_table([{"question": "Who?", "answer": "Ada.", "fact": "Ada"}])
    lines = [keep(workspace, name, golden).golden_id for name, golden in (("a", GOLDEN), ("b", other))]
    edits = pl.DataFrame([("1", "fact", "x", "y", None)], schema=EDITS, orient="row")
    for line in lines:
        made = keep_version(workspace, versions(workspace, line)[0], both, edits, "Ana", "why")
        while_the_clock_was_ahead(workspace)
    assert line_of(workspace, made.golden_id) == lines[1]

    third = keep_version(workspace, versions(workspace, lines[0])[-1], GOLDEN, edits, "Ana", "back")
    assert [version.number for version in versions(workspace, lines[0])] == [1, 2, third.number]
