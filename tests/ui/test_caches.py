"""The caches of the app: nobody gets what was made of another content, or of what only others may see."""

import ast
import inspect
import os
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import get_args, get_type_hints

import polars as pl
import pytest
from plotly import graph_objects

import qaviz.ui
from qaviz.documents import Chunking
from qaviz.loading import Source
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.store.labels import keep_labels
from qaviz.store.members import give_role
from qaviz.store.roles import Actor, Role
from qaviz.store.workspace import Workspace, open_workspace
from qaviz.ui.generating import read_sources
from qaviz.ui.widgets.cached import counted_state
from qaviz.ui.widgets.keeping import Permission, kept
from qaviz.ui.widgets.person import permission_of

ROOT = Path(__file__).parents[2]
OF_STREAMLIT = ("cache_resource", "cache_data", "experimental_memo", "experimental_singleton")
WITHOUT_RESULTS = {
    "jobs.jobs": "the register of jobs, by what they do and for whom",
    "keeping.keep": "the one door",
    "page_setup._spare_modules": "returns nothing",
    "person._workspace": "the folder, before anybody's rights narrow it",
}
"""What uses Streamlit's caches itself, and why no text of a file or a person is in it."""
OF_A_PROCESS = {"person._settings": "the environment of the server"}
"""Functions of the pages that are called once a process."""


def _users_of(names: tuple[str, ...]) -> set[str]:
    """The functions of the pages that use one of these names, as `module.function`."""
    users = set()
    for file in (*ROOT.glob("qaviz/ui/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            used = [part for part in ast.walk(node) if isinstance(part, ast.Attribute | ast.Name)]
            if any((part.attr if isinstance(part, ast.Attribute) else part.id) in names for part in used):
                users.add(f"{file.stem}.{node.name}")
    return {user for user in users if not user.endswith(".keep_results")}


def _types_in(annotation: object) -> set[object]:
    """The type, and those that it is made of: `Sequence[Source]` has Source."""
    return {annotation}.union(*map(_types_in, get_args(annotation)))


def _is_keyed(function: object, identities: dict[object, object]) -> bool:
    """Whether an argument that counts is a content or a permission."""
    hints = get_type_hints(function, localns={"go": graph_objects})  # charts import plotly where they draw
    counted = [name for name in inspect.signature(function).parameters if not name.startswith("_")]
    return any(_types_in(hints[name]) & {*identities, Permission} for name in counted)


def test_every_cache_has_content_or_permission_in_its_key():
    """All results that pages keep are listed, each with a content or a permission among its arguments; no page uses
    another cache than that, but for registers without results."""
    for module in walk_packages(qaviz.ui.__path__, "qaviz.ui."):
        import_module(module.name)
    assert len(kept) > 30
    assert [name for name, (function, identities) in kept.items() if not _is_keyed(function, identities)] == []
    assert _users_of(OF_STREAMLIT) == set(WITHOUT_RESULTS)
    assert _users_of(("cache", "lru_cache")) == set(OF_A_PROCESS)


EVERYTHING = Permission("a workspace")


def _read(text: str, sight: Permission = EVERYTHING) -> str:
    return read_sources([Source("facts.txt", text.encode())], Chunking(), sight).documents[0].text


def test_a_document_is_read_again_when_its_content_changes():
    """A correction of the same name and size, and another person's document of the same name and size, are read."""
    assert "17 euros" in _read("A ticket costs 17 euros.")
    assert "71 euros" in _read("A ticket costs 71 euros.")
    assert "17 euros" in _read("A ticket costs 17 euros.", Permission("another"))


def test_a_path_is_read_again_when_its_file_changes(tmp_path: Path):
    """The same holds for a file on the disk whose path, size and time stay."""
    file = tmp_path / "facts.txt"
    texts = []
    for price in ("17", "71"):
        file.write_text(f"A ticket costs {price} euros.")
        os.utime(file, (1, 1))
        texts.append(read_sources([Source("facts.txt", file)], Chunking(), EVERYTHING).documents[0].text)
    assert texts == ["A ticket costs 17 euros.", "A ticket costs 71 euros."]


def test_permissions_tell_apart_workspaces(workspace: Workspace, tmp_path: Path):
    """Two people with a role in a workspace share, whatever their roles; who has none gets nothing, and what was made
    of another workspace is another's."""
    for subject, role in (("ada", Role.OWNER), ("vi", Role.VIEWER)):
        give_role(workspace, subject, role)
    ada, vi = (permission_of(workspace.as_actor(Actor(subject))) for subject in ("ada", "vi"))
    assert ada == vi == permission_of(workspace)
    assert ada != permission_of(open_workspace(tmp_path / "another"))
    with pytest.raises(QavizError, match="no role"):
        permission_of(workspace.as_actor(Actor("bo")))


def test_many_labels_do_not_have_a_large_run_derived_anew_each_time(sample, served):
    """In a small run each label counts at once; in a large one the first does, those that follow some time later."""
    labels = pl.DataFrame({QUESTION_ID: ["cash"], PIPELINE: ["Pipeline1"], LABEL: ["correct"]})
    large = replace(sample, run_id="large", responses=10**9)
    states = []
    for _ in range(3):
        keep_labels(served, sample, "Ana", labels)
        states.append((counted_state(sample), counted_state(large)))

    of_small, of_large = zip(*states, strict=True)
    assert len(set(of_small)) == 3
    assert set(of_large) == {of_small[0]}
