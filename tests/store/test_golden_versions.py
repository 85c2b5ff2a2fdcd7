"""Versions of a golden dataset that the workspace keeps."""

import polars as pl
import pytest

from qaviz.model.columns import FACT, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.store.golden_versions import (
    EDITS,
    keep_rejections,
    keep_version,
    kept_edits,
    kept_rejections,
    line_of,
    take_back_rejection,
    versions,
)
from qaviz.store.workspace import Workspace, golden_id, open_workspace
from tests.store.kept import GOLDEN, contents, keep


def with_fact(fact: str | None) -> pl.DataFrame:
    """The small golden dataset with this fact in its first triplet."""
    return GOLDEN.with_columns(pl.when(pl.col(QUESTION_ID) == "1").then(pl.lit(fact)).otherwise(FACT).alias(FACT))


def edit(before: str | None, after: str | None, rule: str | None = None) -> pl.DataFrame:
    """The edit of the first triplet's fact."""
    return pl.DataFrame([("1", "fact", before, after, rule)], schema=EDITS, orient="row")


def make(workspace: Workspace, fact: str, by: str = "Ana", why: str = "it said so"):
    """The next version of the line of the small golden dataset: this fact instead."""
    parent = versions(workspace, golden_id(GOLDEN))[-1]
    before = workspace.golden(parent.golden_id)[FACT][0]
    return keep_version(workspace, parent, with_fact(fact), edit(before, fact, "a-rule"), by, why)


def suggestion(proposed: str) -> pl.DataFrame:
    return pl.DataFrame({"question_id": ["1"], "rule": ["a-rule"], "proposed": [proposed]})


def test_a_line_begins_with_what_was_imported(workspace: Workspace):
    """The golden dataset of a run is version 1 of its line, made by nobody; one that is not there has no versions."""
    run = keep(workspace, "first")
    (first,) = versions(workspace, line_of(workspace, run.golden_id))

    assert (first.line, first.number, first.golden_id, first.parent) == (run.golden_id, 1, run.golden_id, None)
    assert (first.made_by, first.edits) == (None, 0)
    assert versions(workspace, "0123456789abcdef") == []


def test_a_version_says_who_when_why_and_what(workspace: Workspace):
    """Another process reads the new version: its content, its parent, who made it, why, and each edit with its rule."""
    run = keep(workspace, "first")
    made = make(workspace, "Seattle, Washington", why=" the state\nbelongs to it ")

    again = open_workspace(workspace.folder)
    first, second = versions(again, run.golden_id)
    assert second == made
    assert (second.number, second.parent, second.made_by) == (2, first.golden_id, "Ana")
    assert second.why == "the state belongs to it"
    assert second.made_at > first.made_at
    assert again.golden(second.golden_id).equals(with_fact("Seattle, Washington"), null_equal=True)
    assert again.golden(first.golden_id).equals(GOLDEN, null_equal=True)
    assert kept_edits(again, run.golden_id).rows() == [(2, "1", "fact", "Seattle", "Seattle, Washington", "a-rule")]


def test_what_begins_a_line_stays_in_it(workspace: Workspace):
    """A golden dataset that people made versions of keeps its own line when another line arrives at the same texts."""
    keep(workspace, "other", with_fact("WA"))
    (begun,) = versions(workspace, golden_id(with_fact("WA")))
    keep_version(workspace, begun, with_fact("Washington"), edit("WA", "Washington"), "Ana", "in full")
    keep(workspace, "first")
    assert make(workspace, "WA").golden_id == begun.golden_id

    assert line_of(workspace, begun.golden_id) == begun.line
    assert line_of(workspace, golden_id(GOLDEN)) == golden_id(GOLDEN)


def test_only_the_newest_version_has_a_successor(workspace: Workspace):
    """Who builds on a version that has a successor gets none, and nothing is kept."""
    keep(workspace, "first")
    (first,) = versions(workspace, golden_id(GOLDEN))
    make(workspace, "in Seattle")
    before = contents(workspace.folder / "golden")

    late = keep_version(workspace, first, with_fact("Bellevue"), edit("Seattle", "Bellevue"), "Bo", "moved")

    assert late is None
    assert contents(workspace.folder / "golden") == before
    assert [each.made_by for each in versions(workspace, first.line)] == [None, "Ana"]


def test_a_golden_dataset_finds_the_line_it_has_become_part_of(workspace: Workspace):
    """Every version leads to its line, one that equals an earlier one as well; a stranger is a line of its own."""
    run = keep(workspace, "first")
    second = make(workspace, "in Seattle")
    third = make(workspace, "Seattle")

    assert third.golden_id == run.golden_id
    assert {line_of(workspace, each.golden_id) for each in (second, third)} == {run.golden_id}
    assert line_of(workspace, "0123456789abcdef") == "0123456789abcdef"


@pytest.mark.parametrize(
    ("by", "why", "refused"),
    [
        ("", "so", "name of who changes the golden dataset: found no text"),
        ("A\u202ena", "so", "control character"),
        ("Ana", " \n", "reason of the change: found no text"),
        ("Ana", "x" * 1001, "found 1,001 characters; expected 1 to 1,000"),
    ],
)
def test_a_version_without_a_name_or_a_reason_is_refused(workspace: Workspace, by: str, why: str, refused: str):
    """Who and why are part of a version: without them nothing is kept."""
    run = keep(workspace, "first")
    before = contents(workspace.folder / "golden")

    with pytest.raises(QavizError, match=refused):
        make(workspace, "in Seattle", by, why)
    assert contents(workspace.folder / "golden") == before
    assert len(versions(workspace, run.golden_id)) == 1


def test_rejections_are_remembered_and_can_be_taken_back(workspace: Workspace):
    """What was rejected is kept with who and when, for the line, not the run; a second rejection changes nothing."""
    run = keep(workspace, "first")
    keep_rejections(workspace, run.golden_id, suggestion("Seattle<OR>WA"), "Ana")
    keep_rejections(workspace, run.golden_id, suggestion("Seattle<OR>WA"), "Bo")
    keep_rejections(workspace, run.golden_id, suggestion("WA"), "Bo")

    rejected = kept_rejections(open_workspace(workspace.folder), run.golden_id)
    assert rejected.select("question_id", "rule", "proposed", "rejected_by").rows() == [
        ("1", "a-rule", "WA", "Bo"),
        ("1", "a-rule", "Seattle<OR>WA", "Ana"),
    ]
    take_back_rejection(workspace, run.golden_id, "1", "a-rule", "WA")
    assert kept_rejections(workspace, run.golden_id)["proposed"].to_list() == ["Seattle<OR>WA"]
