"""What uploads may hold of the server's memory and disk, by visitor and in all."""

import asyncio
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from qaviz.serving.checks import (
    GB,
    MEMORY_IN_ALL,
    MEMORY_PER_VISITOR,
    UPLOADS_IN_ALL,
    UPLOADS_PER_VISITOR,
    Check,
    Front,
    limit_uploads,
)
from qaviz.uploads import held_on_disk, keep_upload, upload_folder

MB = 1024**2
ROOT = Path(__file__).parents[1]


def put(
    length: int | None,
    memory: Mapping[str, int] | None = None,
    disk: Mapping[str, int] | None = None,
    *,
    session: str = "mine",
    limit: Check | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> int:
    """The status that an upload of this length is answered with; `meanwhile` happens while it is on its way."""
    sent = []

    async def app(_scope, _receive, send):
        meanwhile()
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def send(message):
        sent.append(message)

    limit = limit or limit_uploads(lambda: memory or {}, lambda: disk or {}, {})
    headers = [] if length is None else [(b"content-length", str(length).encode())]
    path = f"/_stcore/upload_file/{session}/file"
    request = {"type": "http", "method": "PUT", "path": path, "headers": headers}
    asyncio.run(Front(app, [limit])(request, None, send))
    return sent[0]["status"]


@pytest.mark.parametrize(
    ("length", "memory", "disk", "status"),
    [
        (500 * MB, {}, {}, 204),
        (500 * MB, {"mine": MEMORY_PER_VISITOR - 500 * MB}, {}, 204),
        (500 * MB, {"mine": MEMORY_PER_VISITOR - 499 * MB}, {}, 413),
        (MEMORY_PER_VISITOR + 1, {}, {}, 413),
        (500 * MB, {"a": 1 * GB, "b": 900 * MB}, {}, 413),
        (500 * MB, {}, {"mine": UPLOADS_PER_VISITOR - 500 * MB}, 204),
        (500 * MB, {}, {"mine": UPLOADS_PER_VISITOR}, 413),
        (500 * MB, {}, {str(number): 2 * GB for number in range(8)}, 413),
        (0, {"a": MEMORY_IN_ALL + 1}, {}, 413),
        (0, {}, {"a": UPLOADS_IN_ALL + 1}, 413),
    ],
)
def test_an_upload_over_what_visitors_may_hold_is_refused(length, memory, disk, status):
    """One visitor, and all together, hold at most so much in memory, and in memory and on the disk together."""
    assert put(length, memory, disk) == status


def test_an_upload_says_how_long_it_is():
    """An upload without a length, which could be any, is refused before it is read."""
    assert put(None) == 411


def test_uploads_on_their_way_count():
    """Uploads that have begun count before they are there, and no more once they are over."""
    limit = limit_uploads(dict, dict, {})
    inner = []
    outer = put(700 * MB, limit=limit, meanwhile=lambda: inner.append(_in_a_thread(limit)))
    assert (outer, inner) == (204, [413])
    assert put(700 * MB, limit=limit) == 204


def _in_a_thread(limit: Check) -> int:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(put, 700 * MB, limit=limit).result()


def test_the_disk_knows_whose_an_upload_is():
    """What a visitor's page moved to the disk counts for that visitor until the page lets go of it."""
    source = keep_upload("a.csv", b"x" * 1_000, "visitor")
    assert held_on_disk()["visitor"] == 1_000
    del source
    gc.collect()
    assert "visitor" not in held_on_disk()


def test_each_page_takes_its_uploads():
    """A module that draws an upload field moves what is in it to the disk: it would stay in the server's memory."""
    texts = {file: file.read_text("utf-8") for place in ("qaviz", "pages") for file in (ROOT / place).rglob("*.py")}
    drawing = {file for file, text in texts.items() if "file_uploader(" in text}
    assert drawing
    assert {file for file in drawing if "on_disk(" not in texts[file]} == set()


def test_an_upload_is_there_as_long_as_somebody_has_it():
    """It is ours alone to read, stays while any copy of the source is there, and goes with the last."""
    source = keep_upload("golden.jsonl", b"{}")
    file = Path(str(source.data))
    sheet = replace(source, sheet="June")
    assert file.read_bytes() == b"{}"
    assert file.stat().st_mode & 0o077 == 0

    del source
    gc.collect()
    assert file.exists()
    del sheet
    gc.collect()
    assert not file.exists()


def test_uploads_of_a_process_that_was_killed_go_with_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The folder of a process that is gone is removed when another one makes its own; that of one that runs stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    for process in (gone.pid, os.getppid()):
        (tmp_path / f"qaviz-uploads-{process}-x").mkdir()

    made = upload_folder.__wrapped__()

    assert set(tmp_path.iterdir()) == {made, tmp_path / f"qaviz-uploads-{os.getppid()}-x"}
