"""Callables and commands: each in its own process, which may print, hang, die or answer only at the end."""

import json
import sys
from pathlib import Path
from threading import Event

import pytest

from qaviz.model.errors import QavizError
from tests.llm_server import Answer, serve

MODULE = """
import asyncio, os, time

def ask(question):
    print("noise on stdout")
    if question == "question 2?":
        raise ValueError("boom")
    if question == "question 3?":
        os._exit(7)
    if question == "question 4?":
        time.sleep(60)
    return {"response": "answer to " + question, "contexts": ["c"], "cost": 1}

async def later(question):
    await asyncio.sleep(0.001)
    return "later " + question

class Runner:
    def predict(self, prompt):
        return "predicted " + prompt, None

runner = Runner()

def leak(question):
    if question == "question 1?":
        os.environ["LOADED_TOKEN"] = "loaded-in-the-process-8d1"
        raise ValueError("401 for " + os.environ["LOADED_TOKEN"] + " at the retriever")
    if question == "question 2?":
        raise RuntimeError("request failed, headers {'authorization': 'Bearer header-of-a-request-5c2', 'n': 3}")
    if question == "question 3?":
        return {"error": "no access to https://ann:url-password-77@host/ with api_key=query-key-31"}
    if question == "question 4?":
        print("key is " + os.environ["RETRIEVER_API_KEY"], file=__import__("sys").stderr, flush=True)
        os._exit(3)
    if question == "question 5?":
        raise KeyError("sk-proj-abcdefgh12345678")
    return "fine"
"""
LOOP = """
import json, sys
for line in {lines}:
    asked = json.loads(line)
    print(json.dumps({{"question_id": asked["question_id"], "response": "answer to " + asked["question"]}}))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, with a module of callables and two programs."""
    (tmp_path / "callables_of_a_test.py").write_text(MODULE)
    (tmp_path / "stream.py").write_text(LOOP.format(lines="sys.stdin"))
    (tmp_path / "batch.py").write_text(LOOP.format(lines="sys.stdin.read().splitlines()"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_callable_that_raises_dies_and_hangs(ask):
    """Each is the error of its own question; the others are answered, and what it prints is no answer."""
    _, rows = ask("P=python:callables_of_a_test:ask", timeout_s=3, attempts=1)
    assert {each for each in rows if rows[each]["response"] is None} == {"2", "3", "4"}
    assert "boom" in rows["2"]["error"]
    assert "code 7" in rows["3"]["error"]
    assert "within" in rows["4"]["error"]
    assert (rows["5"]["response"], rows["5"]["contexts"], rows["5"]["cost"]) == ("answer to question 5?", ["c"], 1.0)


SECRETS = ("loaded-in-the-process", "header-of-a-request", "url-password", "query-key", "given-by-the", "abcdefgh1234")


def test_what_a_callable_raises_is_kept_without_secrets(ask, folder, monkeypatch):
    """An error keeps its kind and its words; keys of the environment, of headers, addresses and of well-known forms are
    in no file, whether they are raised, returned or written to stderr by a process that dies."""
    monkeypatch.setenv("RETRIEVER_API_KEY", "given-by-the-environment-90")
    _, rows = ask("P=python:callables_of_a_test:leak", attempts=1)
    assert rows["1"]["error"] == "the pipeline says: ValueError: 401 for [key removed] at the retriever"
    assert "RuntimeError: request failed" in rows["2"]["error"]
    assert "'n': 3" in rows["2"]["error"]
    assert "no access to https://" in rows["3"]["error"]
    assert "key is [key removed]" in rows["4"]["error"]
    assert "KeyError" in rows["5"]["error"]
    assert rows["6"]["response"] == "fine"
    written = "".join(each.read_text() for each in folder.glob("responses*"))
    assert [each for each in SECRETS if each in written] == []


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_imported_is_said_without_secrets(folder, ask, monkeypatch):
    """Where importing a callable fails, the error quotes the traceback's last line without the key in it."""
    monkeypatch.setenv("RETRIEVER_API_KEY", "given-by-the-environment-90")
    lines = "import os\nraise RuntimeError('wrong key ' + os.environ['RETRIEVER_API_KEY'])\n"
    (folder / "refuses_to_start.py").write_text(lines)
    with pytest.raises(QavizError, match="wrong key") as refused:
        ask("P=python:refuses_to_start:ask")
    assert "given-by-the" not in str(refused.value)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("spec", "response"),
    [
        ("python:callables_of_a_test:later", "later question 1?"),
        ("python:callables_of_a_test:runner", "predicted question 1?"),
        (f"command:{sys.executable} stream.py", "answer to question 1?"),
        (f"command:{sys.executable} batch.py", "answer to question 1?"),
    ],
)
def test_kinds_of_programs(ask, spec, response):
    """Async callables, FMEval's model runners, programs that answer line after line or at the end of their input."""
    found, rows = ask(f"P={spec}")
    assert found.errors == 0
    assert rows["1"]["response"] == response


def test_a_command_that_hangs_is_the_error_of_each_question(ask, folder):
    """Where no question is answered in time, each has that as its error, and one attempt starts the command once."""
    (folder / "hang.py").write_text("import time\nopen('starts', 'a').write('.')\ntime.sleep(60)\n")
    _, rows = ask(f"P=command:{sys.executable} hang.py", timeout_s=3, attempts=1, in_flight=8)
    assert len(rows) == 12
    assert all("within 3 s" in row["error"] or "not asked" in row["error"] for row in rows.values())
    assert (folder / "starts").read_text() == "."


def test_a_line_without_end_is_the_error_of_its_question(ask, folder):
    """A program that writes 3 MB for one question is ended at once: what it still has to write holds nobody up."""
    lines = LOOP.format(lines="sys.stdin").replace('"answer to "', '"x" * 3_000_000 * (asked["question_id"] == "3")')
    (folder / "long.py").write_text(lines)
    found, rows = ask(f"P=command:{sys.executable} long.py", timeout_s=20.0)
    assert found.errors == 1
    assert "2,000,000 bytes" in rows["3"]["error"]


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_started(ask):
    """A program or a callable that is not there is said once, before anything is asked."""
    for spec in ("command:./nothing_there", "python:no_such_module_at_all:f", "python:callables_of_a_test:nothing"):
        with pytest.raises(QavizError, match="pipeline P"):
            ask(f"P={spec}")


@pytest.mark.usefixtures("folder")
def test_changed_asks_only_what_is_new(ask, golden):
    """With `changed` only a question that failed, is new or has another text is asked."""
    ask("P=python:callables_of_a_test:later", golden=golden.head(10))
    found, _ = ask("P=python:callables_of_a_test:later", changed=True)
    assert (found.asked, found.rows, found.errors) == (2, 12, 0)
    again, _ = ask("P=python:callables_of_a_test:later")
    assert again.asked == 12


@pytest.mark.usefixtures("folder")
def test_repeats(ask, golden):
    """Each repeat is asked, and is a row that says which it is."""
    found, _ = ask("P=python:callables_of_a_test:later", golden=golden.head(2), repeat=3)
    rows = [json.loads(line) for line in Path("responses.jsonl").read_text().splitlines()]
    assert (found.rows, [row["repeat"] for row in rows]) == (6, ["1", "2", "3"] * 2)


def test_what_was_kept_is_not_asked_again(ask, tmp_path):
    """Cancelled in the middle, the same call asks the rest alone and writes the same file; the journal then goes."""
    asked, enough = list[str](), Event()

    def script(call):
        asked.append(call.body["question_id"])
        if len(asked) == 5:
            enough.set()
        return Answer(body=json.dumps({"response": f"answer to {call.body['question']}"}).encode())

    with serve(script) as server:
        broken_off, _ = ask(f"P={server.origin}", in_flight=2, cancelled=enough.is_set)
        assert (broken_off.stopped, (tmp_path / "responses.jsonl.journal").exists()) == ("cancelled", True)
        _, rows = ask(f"P={server.origin}", in_flight=2)
    assert sorted(map(int, asked)) == list(range(1, 13))
    assert [row["response"] for row in rows.values()] == [f"answer to question {n}?" for n in range(1, 13)]
    assert not (tmp_path / "responses.jsonl.journal").exists()
