"""Downloads: what leaves a workspace by a button of a page is noted in the audit."""

from pathlib import Path

import pytest
import streamlit as st

import qaviz
from qaviz.model.records import Run
from qaviz.store.audit import whole_audit
from qaviz.store.members import give_role
from qaviz.store.roles import Actor, Role
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import person


def test_a_download_is_noted_before_it_is_made(sample: Run, workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    """One function draws the buttons that make files of what a workspace holds; who takes them along is in the audit,
    under the subject that they signed in as."""
    files = (Path(qaviz.__file__).parent / "ui").rglob("*.py")
    assert [file.name for file in files if ".download_button(" in file.read_text("utf-8")] == ["person.py"]

    pressed = []
    monkeypatch.setattr(st, "download_button", lambda _label, make, *_, **__: pressed.append(make))
    give_role(workspace, "vi", Role.OWNER)
    monkeypatch.setattr(person, "workspace", lambda: workspace.as_actor(Actor("vi")))
    person.offer_file("Matrix", "matrix .csv", "m.csv", lambda: "a,b", run=sample.run_id)
    assert pressed[0]() == b"a,b"
    assert whole_audit(workspace).filter(what="export").select("subject", "detail").row(-1) == ("vi", "matrix .csv")
