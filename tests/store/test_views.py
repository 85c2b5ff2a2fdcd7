"""Saved views that the workspace keeps beside a run."""

from qaviz.store.settings import keep_view, kept_views, remove_view
from qaviz.store.workspace import Workspace, open_workspace
from tests.store.kept import keep

WRONG = {"verdict": ["incorrect"], "pipeline": ["A", "B é"]}


def test_a_view_is_kept_beside_its_run(workspace: Workspace):
    """Another process finds the page, what its address said, and who saved it; another run has none."""
    run, other = keep(workspace, "first"), keep(workspace, "second")
    keep_view(workspace, run, "wrong ones", "Diagnostics", WRONG, "Ana")

    (view,) = kept_views(open_workspace(workspace.folder), run)
    assert (view.name, view.page, view.parameters, view.saved_by) == ("wrong ones", "Diagnostics", WRONG, "Ana")
    assert kept_views(workspace, other) == []


def test_the_newest_view_of_a_name_counts(workspace: Workspace):
    """Saved again under its name a view is replaced; the one saved last comes first; a deleted one is gone."""
    run = keep(workspace, "first")
    for name, page in (("one", "Overview"), ("two", "Compare"), ("one", "Diagnostics")):
        keep_view(workspace, run, name, page, {})
    assert [(view.name, view.page) for view in kept_views(workspace, run)] == [
        ("one", "Diagnostics"),
        ("two", "Compare"),
    ]

    remove_view(workspace, run, "one", "Bo")
    remove_view(workspace, run, "never saved")
    assert [view.name for view in kept_views(workspace, run)] == ["two"]
