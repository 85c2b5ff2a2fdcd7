"""Every page for every role: nobody who signs in gets a crash. An owner sees what a local user does."""

from collections.abc import Iterator

import pytest
from streamlit.runtime.context import ContextProxy, StreamlitHeaders

from qaviz.access import HEADER_VARIABLE, IDENTITY_HEADER, PROXIES_VARIABLE, SIGN_IN_VARIABLE, seal_subject
from qaviz.background import MOST_JOBS, Job
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store.members import give_role, map_identity, take_role
from qaviz.store.roles import Role
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import person
from qaviz.ui.widgets.jobs import jobs
from tests.builders import save_sample
from tests.screen import PAGES, open_page, texts
from tests.test_background import until_told


@pytest.fixture
def signs_in(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """The workspace as a team's server serves it to ada, whom a proxy names."""
    header = StreamlitHeaders([(IDENTITY_HEADER, seal_subject("ada"))])
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


@pytest.mark.parametrize(("role", "reviews"), [(Role.VIEWER, False), (Role.VIEWER, True), (Role.EDITOR, False)])
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


def test_too_much_work_is_refused_in_words(signs_in: Workspace):
    """Who has as much work running as one person may reads so under the form, and no judge is asked."""
    run = save_sample(signs_in)
    give_role(signs_in, "ada", Role.OWNER)
    running = [Job(until_told, "ada") for _ in range(MOST_JOBS)]
    app = open_page("judges")
    next(field for field in app.text_input if field.label == "Model").set_value("openai:stub")
    next(button for button in app.button if button.label == "Ask").click().run()
    assert f"{MOST_JOBS} pieces of yours that are running" in texts(app)
    assert jobs().newest(("judge", run.run_id)) is None
    for job in running:
        job.cancel()
        job.wait(10)


def test_without_a_role_no_page_opens(signs_in: Workspace):
    """A role taken while a page is open counts at the next click: that page, and one opened anew, say that there is no
    role, and show nothing of the run."""
    save_sample(signs_in)
    for name, role in (("root", Role.OWNER), ("ada", Role.EDITOR)):
        give_role(signs_in, name, role)
    app = open_page()
    assert "30 responses" in texts(app)
    take_role(signs_in, "ada")
    for page in (app.run(), open_page()):
        assert "no role" in "".join(each.value for each in page.error) + texts(page)
        assert "30 responses" not in texts(page)


def test_labels_go_on_under_the_name_of_before(signs_in: Workspace):
    """Whom a provider called otherwise is called by the name that stands at their labels."""
    save_sample(signs_in)
    give_role(signs_in, "root", Role.OWNER)
    give_role(signs_in, "0af3", Role.EDITOR)
    map_identity(signs_in, "0af3", "ada", "Ada Lovelace")
    app = open_page("golden")
    assert not app.exception
    assert app.session_state[person.FORMER_NAME] == "Ada Lovelace"
