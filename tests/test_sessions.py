"""A session is its subject's alone: against the real server, by Streamlit's own protocol."""

import asyncio
import sys
from collections.abc import Iterator

import pytest

from qaviz.store.members import give_role
from qaviz.store.roles import Role
from qaviz.store.workspace import open_workspace
from tests.browser.served import Served, free_port, started
from tests.builders import save_sample
from tests.protocol import Session

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a run, behind a proxy that names people."""
    folder = tmp_path_factory.mktemp("sessions")
    home = open_workspace(folder / "workspace")
    save_sample(home)
    for subject in ("ada", "bo"):
        give_role(home, subject, Role.OWNER)
    port = free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(home.folder)]
    settings = {"QAVIZ_SIGN_IN": "header", "FORWARDED_ALLOW_IPS": "127.0.0.1"}
    with started(command, port, folder, "/healthz", **settings) as running:
        yield running


async def open_page(app: Served, person: str, resume: str = "") -> str:
    """The id of the session of a page that this person opens, and leaves."""
    async with Session.of(app.url, person=person, resume=resume) as tab:
        await tab.open("")
        return tab.session_id


def test_nobody_resumes_a_session(app: Served):
    """Where people sign in each web socket begins a session: whoever knows an id gets a new one, while it is open and
    after."""

    async def visit() -> None:
        async with Session.of(app.url, person="ada") as tab:
            await tab.open("")
            mine = tab.session_id
            assert mine
            assert await open_page(app, "bo", resume=mine) != mine
        assert await open_page(app, "bo", resume=mine) != mine
        assert await open_page(app, "ada", resume=mine) != mine

    asyncio.run(visit())
