"""A server that is stopped or killed amid paid work: what was paid for is kept, and nothing of it is asked again."""

import asyncio
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from qaviz.store.workspace import open_workspace
from tests.browser.served import free_port, started
from tests.builders import save_sample
from tests.generation.model import author
from tests.judging.scripted import by_golden, judge_script
from tests.llm_server import Answer, Call, Server, complete, serve
from tests.protocol import Session

FIRST = 2
"""Replies of each kind of work that come before the server is told to end; others are on their way then."""
MODELS = {"judge": judge_script(by_golden), "author": author, "asked": lambda _: complete("It was 7%.")}
CHAPTERS = "\n\n".join(f"# Chapter {each}\n\n{'Baykal was founded in 1987 in Oslo. ' * 40}" for each in range(8))
JOURNALS = ("judge-*.jsonl", "generate-*.jsonl", "asked-*.*.*.journal")
WITHIN_S = 60


class Models:
    """Three models, each of which answers FIRST questions and holds back the others until they are let go."""

    def __init__(self) -> None:
        self._turn = 0
        self.let_go, self._seen = Event(), Counter[str]()

    def forget(self) -> None:
        """Answer none of those that are held back, and hold back again after FIRST more."""
        self._turn += 1
        self.let_go.set()
        self.let_go, self._seen = Event(), Counter[str]()

    def answer(self, call: Call) -> Answer:
        model, turn = call.body["model"], self._turn
        self._seen[model] += 1
        if self._seen[model] > FIRST:
            self.let_go.wait(WITHIN_S)
        if turn != self._turn:
            raise ConnectionResetError
        return MODELS[model](call)


async def ask_judge(tab: Session) -> None:
    await tab.open("judges")
    await tab.press("Ask", {"Model": "openai:judge", "Responses": "All responses"})


async def ask_pipeline(tab: Session) -> None:
    await tab.open("load")
    await tab.press("Ask all questions", {"Name of the new run": "asked"})


async def ask_author(tab: Session) -> None:
    await tab.open("golden?tab=Generate")
    await tab.choose("Documents", "My documents")
    await tab.upload("Documents", "chapters.md", CHAPTERS.encode())
    await tab.press("Generate", {"Name of the golden dataset": "chapters", "Model": "openai:author"})


async def _start_all(url: str) -> None:
    for start in (ask_judge, ask_pipeline, ask_author):
        async with Session.of(url) as tab:
            await start(tab)


def start_all(url: str) -> None:
    """Each piece of work is started from a tab that is closed then; in a thread, for this one may have a browser's."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, _start_all(url)).result()


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + WITHIN_S
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


def replies(folder: Path) -> list[int]:
    """How many replies each kind of work has in its journal."""
    journals = folder / "journals"
    return [sum(each.read_bytes().count(b"\n") for each in journals.glob(pattern)) for pattern in JOURNALS]


def answered(server: Server) -> Counter[str]:
    """How often each question, whatever the nonce of its fences, was answered to the end, by a model that is named."""
    return Counter(f"{call.body['model']} {re.sub('[0-9a-f]{16}', '', call.prompt)}" for call in server.completed)


@contextmanager
def serving(folder: Path, models: Server) -> Iterator[tuple[str, int]]:
    """The app over the workspace: its address and its process."""
    allowed = folder.parent / "pipelines.toml"
    allowed.write_text('[pipelines.asked]\nopenai = "asked"\n')
    port = free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(folder)]
    command += ["--pipelines", str(allowed)]
    environment = {"OPENAI_BASE_URL": models.url, "OPENAI_API_KEY": "sk-test"}
    with started(command, port, folder.parent, "/healthz", **environment) as app:
        yield app.url, app.pid


@pytest.mark.slow
def test_a_server_that_ends_amid_paid_work_pays_nothing_twice(tmp_path: Path):
    """A judge, a pipeline and a generation are under way when the server is killed. After the next start the same work
    asks only what has no reply; told to stop, the server keeps the replies that were on their way."""
    folder, models = tmp_path / "workspace", Models()
    save_sample(open_workspace(folder))
    with serve(models.answer) as server:
        with serving(folder, server) as (url, pid):
            start_all(url)
            wait_until(lambda: min(replies(folder)) >= FIRST)
            paid = answered(server)
            os.kill(pid, signal.SIGKILL)
        models.forget()
        with serving(folder, server) as (url, pid):
            start_all(url)
            wait_until(lambda: min(replies(folder)) >= 2 * FIRST)
            before = sum(replies(folder))
            os.kill(pid, signal.SIGTERM)
            time.sleep(0.5)
            models.let_go.set()
    times = answered(server)
    assert len(paid) >= FIRST * len(JOURNALS)
    assert {times[question] for question in paid} == {1}
    assert sum(replies(folder)) == len(times) > before
