"""Every page for every role: nobody who signs in gets a crash."""

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
from qaviz.store.members import give_role, map_identity
from qaviz.store.roles import Role
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import person
from tests.builders import save_sample
from tests.screen import PAGES, open_page, texts


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


@pytest.mark.parametrize(
    ("role", "reviews"), [(Role.VIEWER, False), (Role.VIEWER, True), (Role.EDITOR, False), (Role.OWNER, False)]
)
def test_every_page_opens_for_a_role(signs_in: Workspace, role: Role, reviews: bool):
    """Each page that is in their menu draws without an error; who may also review, those on which that counts."""
    save_sample(signs_in)
    give_role(signs_in, "root", Role.OWNER)
    give_role(signs_in, "ada", role, reviews=reviews)
    for page in (page for page in PAGES if not reviews or page.startswith("golden")):
        if page in ("golden?tab=Generate", "load") and role < Role.EDITOR:
            continue  # not in their menu
        app = open_page(page)
        assert not app.exception, (page, app.exception)
        assert app.title[0].value == PAGES[page]


def test_without_a_role_no_page_opens(signs_in: Workspace):
    """The first page says that there is no role, and shows nothing of the run."""
    save_sample(signs_in)
    give_role(signs_in, "root", Role.OWNER)
    app = open_page()
    assert "no role" in "".join(each.value for each in app.error) + texts(app)
    assert "Pipeline1" not in texts(app)


def test_labels_go_on_under_the_name_of_before(signs_in: Workspace):
    """Whom a provider called otherwise is called by the name that stands at their labels."""
    save_sample(signs_in)
    give_role(signs_in, "root", Role.OWNER)
    give_role(signs_in, "0af3", Role.EDITOR)
    map_identity(signs_in, "0af3", "ada", "Ada Lovelace")
    app = open_page("golden")
    assert not app.exception
    assert app.session_state[person.FORMER_NAME] == "Ada Lovelace"
