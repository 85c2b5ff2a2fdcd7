"""The journal: what is kept survives kills, torn lines, full disks and a second process."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qaviz.llm import Request
from qaviz.llm.journal import Entry, entry_of, open_journal, open_recording
from qaviz.model.errors import QavizError
from tests.llm_server import Call, complete, serve

ENTRY = Entry(key="k", model="openai:m", at="2026-01-01", seconds=0.5, format="openai", raw="{}", usage=(1, 2))
KILLS = 4
REQUESTS = 120
IN_FLIGHT = 4

CLIENT = """
import sys
from pathlib import Path
from qaviz.llm import Limits, Request, Settings, open_session
settings = Settings(model="openai:stub", journal=Path(sys.argv[1]), base_url=sys.argv[2], limits=Limits(in_flight=4))
with open_session(settings) as session:
    replies = session.ask([Request(prompt=f"question {i}") for i in range(120)])
Path(sys.argv[3]).write_text("".join(reply.text + chr(10) for reply in replies))
"""


def keys_of(path: Path) -> set[str]:
    """The keys of the entries of a journal; none where there is no file."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return {entry.key for entry in map(entry_of, lines) if entry}


def test_a_torn_last_line_is_left_alone(tmp_path):
    """A line that a kill cut is no entry; those before it and after it are, and nothing is written over."""
    path = tmp_path / "j.jsonl"
    with open_journal(path) as journal:
        journal.append([ENTRY])
    torn = path.read_bytes() + ENTRY.line()[:20]
    path.write_bytes(torn)
    with open_journal(path) as journal:
        journal.append([Entry(**{**vars(ENTRY), "key": "other"})])
        assert journal.find("other").key == "other"
    assert path.read_bytes().startswith(torn)
    assert keys_of(path) == {"k", "other"}


@pytest.mark.parametrize(
    "line", [b"null", b"[]", b'{"key": 1}', b"\xff\xfe", b'{"key": "k", "usage": {}}', b"{" * 5000]
)
def test_lines_that_are_no_entries_are_passed_over(tmp_path, line):
    """Whatever stands in the file, what is an entry is found."""
    path = tmp_path / "j.jsonl"
    path.write_bytes(line + b"\n" + ENTRY.line())
    with open_recording(path) as journal:
        assert journal.find("k") == ENTRY


def test_one_session_at_a_time(tmp_path):
    """A second session on the same journal is refused, so that nothing is paid twice; after the first it may."""
    path = tmp_path / "j.jsonl"
    with open_journal(path), pytest.raises(QavizError, match="another session"), open_journal(path):
        pass
    with open_journal(path):
        pass


def test_a_full_disk_loses_no_earlier_reply(tmp_path, monkeypatch):
    """A disk that takes half a line and then no more is one error; what was kept stays, and later entries are whole."""
    path, write = tmp_path / "j.jsonl", os.write

    def half(descriptor: int, content: bytes) -> int:
        if len(content) <= 1:
            return write(descriptor, content)
        monkeypatch.setattr(os, "write", full)
        return write(descriptor, content[: len(content) // 2])

    def full(_descriptor: int, _content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with open_journal(path) as journal:
        journal.append([ENTRY])
        monkeypatch.setattr(os, "write", half)
        with pytest.raises(QavizError, match="No space left"):
            journal.append([Entry(**{**vars(ENTRY), "key": "lost"})])
        monkeypatch.setattr(os, "write", write)
        journal.append([Entry(**{**vars(ENTRY), "key": "later"})])
        assert journal.find("later").key == "later"
    assert keys_of(path) == {"k", "later"}


def test_a_journal_that_cannot_be_made_is_said(tmp_path):
    """A path that no file can have is a problem with what to do."""
    (tmp_path / "file").write_text("")
    with pytest.raises(QavizError, match="Name another file"), open_journal(tmp_path / "file" / "j.jsonl"):
        pass
    with pytest.raises(QavizError), open_recording(tmp_path / "absent.jsonl"):
        pass


@pytest.mark.slow
def test_kills_lose_at_most_what_is_in_flight(tmp_path):
    """Killed at moments spread over the work, no reply that was kept is asked again, and the end is the same
    as without any kill."""

    def script(call: Call):
        return complete(f"reply to {call.prompt}", delay_s=0.02)

    def start(journal: Path, url: str, out: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", CLIENT, str(journal), url, str(out)])

    journal, out = tmp_path / "j.jsonl", tmp_path / "killed.txt"
    asked_again = 0
    with serve(script) as server:
        for kill in range(KILLS):
            kept, begun = keys_of(journal), len(server.calls)
            process = start(journal, server.url, out)
            _wait_until(lambda begun=begun: len(server.calls) > begun, process)
            time.sleep(kill % 5 * 0.011)
            process.send_signal(signal.SIGKILL)
            process.wait()
            time.sleep(0.05)
            asked = {Request(prompt=call.prompt, max_tokens=1024).key("openai:stub") for call in server.calls[begun:]}
            asked_again += len(asked & kept)
        assert start(journal, server.url, out).wait() == 0
        lost = len(server.calls) - REQUESTS
    assert asked_again == 0
    assert lost <= KILLS * 2 * IN_FLIGHT
    assert out.read_text() == "".join(f"reply to question {i}\n" for i in range(REQUESTS))


def _wait_until(true, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while not true() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
