"""What many tests start from."""

import gc
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from qaviz import processes
from qaviz.cli import terminal
from qaviz.loading import apart
from qaviz.model.records import WORKSPACE_VARIABLE, Run
from qaviz.store.index import DATABASE_VARIABLE, postgresql_engine
from qaviz.store.workspace import Workspace, open_workspace
from tests import warm
from tests.builders import save_sample
from tests.postgresql import Server, running_server

# A first call reads patterns and fills caches, and two cores are shared: the time of one example says nothing.
settings.register_profile("qaviz", deadline=None)
settings.load_profile("qaviz")


ROOT = Path(__file__).parents[1]
TOGETHER = [
    str(file.relative_to(ROOT)) for file in ROOT.glob("tests/**/test_*.py") if "mark.fmeval" in file.read_text()
]
"""Files whose tests import FMEval: one process does them all, since the import alone takes many seconds."""


class ByFile(LoadFileScheduling):
    """A file is done by one process, and so are those of TOGETHER."""

    def _split_scope(self, nodeid: str) -> str:
        return name_scope(nodeid.split("::", 1)[0])


def name_scope(file: str) -> str:
    """What the file is done with."""
    return "FMEval" if file in TOGETHER else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile | None:
    """In place of `--dist loadfile`."""
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first, so that none is left for the end: as they would by what a test of each mark
    takes, against one without."""
    weights = {"slow": 100, "ray": 100, "browser": 20, "fmeval": 20, "page": 20}
    of_scopes, scopes = Counter[str](), {test: name_scope(test.nodeid.split("::", 1)[0]) for test in items}
    for test, scope in scopes.items():
        own = [weight for mark, weight in weights.items() if test.get_closest_marker(mark)]
        of_scopes[scope] += max(own, default=1)
    items.sort(key=lambda test: (-of_scopes[scopes[test]], test.nodeid.split("::", 1)[0]))
    gc.freeze()  # some hundred thousand objects that stay: no later collection looks at them


@pytest.fixture(scope="session", autouse=True)
def _patient_terminal() -> Iterator[None]:
    """Commands run in the tests' own process never tell their progress, however slow the machine: what they say is
    compared word for word."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal, "QUIET_S", 3600)
        yield


@pytest.fixture(scope="session", autouse=True)
def _warm_processes() -> Iterator[None]:
    """Processes of qaviz are forks of one that has imported it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "subprocess", warm.WARM)
        yield
    warm.end()


@pytest.fixture
def fresh_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes of qaviz are fresh interpreters, as users have them."""
    monkeypatch.setattr(processes, "subprocess", subprocess)


@pytest.fixture(scope="session")
def _empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an empty workspace: to copy its index takes a quarter of what making one does."""
    return open_workspace(tmp_path_factory.mktemp("empty") / "workspace").folder


@pytest.fixture
def workspace(tmp_path: Path, _empty: Path) -> Workspace:
    """An empty workspace."""
    if DATABASE_VARIABLE not in os.environ:
        shutil.copytree(_empty, tmp_path / "workspace")
    return open_workspace(tmp_path / "workspace")


@pytest.fixture
def served(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The test's own workspace, which the app serves and commands work on."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    return workspace


@pytest.fixture
def sample(served: Workspace) -> Run:
    """The sample data as the one run of the test's own workspace."""
    return save_sample(served)


@pytest.fixture(scope="session")
def _of_all(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Run]:
    workspace = open_workspace(tmp_path_factory.mktemp("sample") / "workspace")
    return workspace, save_sample(workspace)


@pytest.fixture
def shown(_of_all: tuple[Workspace, Run], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The sample data as the one run of a workspace of all tests that only read: what was derived of it is kept."""
    workspace, run = _of_all
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(workspace.folder))
    return run


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page shows of small files is read in this process, as the terminal does: a process for each look takes
    most of a test's time. None of the files is FMEval's own."""
    monkeypatch.setattr(apart, "preview", partial(apart.preview, trusted=True))
    monkeypatch.setattr(apart, "is_fmeval_output", lambda _: False)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server."""
    with running_server() as server:
        yield server


@pytest.fixture
def database(postgresql: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an empty database in PostgreSQL, which QAVIZ_DATABASE_URL names during the test."""
    url = postgresql.schema()
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    yield url
    postgresql_engine(url).dispose()
