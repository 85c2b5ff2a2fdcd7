"""Every page for every role, however many projects the workspace has: nobody who signs in gets a crash."""

from collections.abc import Iterator

import pytest
from streamlit.runtime.context import ContextProxy, StreamlitHeaders

from qaviz.access.identity import (
    HEADER_VARIABLE,
    IDENTITY_HEADER,
    PROXIES_VARIABLE,
    SIGN_IN_VARIABLE,
    Identity,
    seal_identity,
)
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store.members import give_role, make_project, move_run
from qaviz.store.visibility import Role
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import person
from tests.builders import save_sample
from tests.screen import PAGES, open_page, texts

PROJECTS = ("alpha", "beta")


@pytest.fixture
def signs_in(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """The workspace as a team's server serves it to ada, whom a proxy names."""
    header = StreamlitHeaders([(IDENTITY_HEADER, seal_identity(Identity(subject="ada", name="Ada")))])
    monkeypatch.setattr(ContextProxy, "headers", header)
    for name, setting in {
        WORKSPACE_VARIABLE: str(workspace.folder),
        SIGN_IN_VARIABLE: "header",
        HEADER_VARIABLE: "X-Forwarded-Email",
        PROXIES_VARIABLE: "127.0.0.1",
    }.items():
        monkeypatch.setenv(name, setting)
    person._settings.cache_clear()
    yield workspace
    person._settings.cache_clear()


def _make_projects(home: Workspace, number: int) -> None:
    """So many projects, the sample run in the first."""
    run = save_sample(home)
    for project in PROJECTS[:number]:
        make_project(home, project)
    if number:
        move_run(home, run.run_id, PROJECTS[0])


@pytest.mark.parametrize(("role", "number"), [(Role.VIEWER, 2), (Role.EDITOR, 1), (Role.OWNER, 0), (Role.OWNER, 2)])
def test_every_page_opens_for_a_role_in_the_workspace(signs_in: Workspace, role: Role, number: int):
    """With no project, one and two, each page draws without an error; editors choose where new runs go."""
    _make_projects(signs_in, number)
    give_role(signs_in, "root", Role.OWNER)
    give_role(signs_in, "ada", role)
    for page in PAGES:
        if page in ("golden?tab=Generate", "load") and role < Role.EDITOR:
            continue  # not in their menu
        app = open_page(page)
        assert not app.exception, (page, app.exception)
        assert app.title[0].value == PAGES[page]
        if page == "board":  # in this test without a browser, only the first page has the menu
            offered = [box.options for box in app.sidebar.selectbox if box.label == "New runs go into"]
            assert offered == ([["no project", *PROJECTS[:number]]] if number and role >= Role.EDITOR else [])


@pytest.mark.parametrize(("role", "number"), [(Role.VIEWER, 0), (Role.REVIEWER, 2), (Role.EDITOR, 1)])
def test_every_page_opens_for_a_role_in_projects(signs_in: Workspace, role: Role, number: int):
    """A role in no project opens no page, and says so; in one or two, each page draws without an error."""
    _make_projects(signs_in, number)
    for project in PROJECTS[:number]:
        give_role(signs_in, "ada", role, project)
    for page in PAGES:
        if page in ("golden?tab=Generate", "load") and role < Role.EDITOR:
            continue
        app = open_page(page) if number else open_page()
        assert not app.exception, (page, app.exception)
        if not number:
            assert "no role" in "".join(each.value for each in app.error) + texts(app)
            break
        assert app.title[0].value == PAGES[page]


def test_the_project_of_new_runs_stays_and_goes_with_the_role(signs_in: Workspace):
    """A choice is kept; where the role in it is taken, the visitor gets another, never a crash."""
    _make_projects(signs_in, 2)
    give_role(signs_in, "root", Role.OWNER)
    give_role(signs_in, "ada", Role.OWNER)
    app = open_page()
    choice = next(box for box in app.sidebar.selectbox if box.label == "New runs go into")
    choice.set_value("beta").run()
    app.run()
    assert next(box for box in app.sidebar.selectbox if box.label == "New runs go into").value == "beta"
    give_role(signs_in, "ada", Role.EDITOR, "alpha")
    give_role(signs_in, "ada", Role.VIEWER)
    app.run()
    assert not app.exception
