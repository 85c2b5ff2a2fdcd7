"""`qaviz check` on the demonstration RAG: the three ways to ask agree, and a planted regression is found."""

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qaviz.cli import main
from tests.builders import write_jsonl
from tests.judging.scripted import judge_script
from tests.llm_server import serve

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
CALLABLE = "demo=python:demo_rag:answer"


@pytest.fixture(autouse=True)
def _in_examples(monkeypatch):
    """Commands and callables of the demonstration are found."""
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.delenv("TOP_K", raising=False)


def _rows(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _responses(file: Path) -> dict[str, str]:
    return {row["question_id"]: row["response"] for row in _rows(file)}


@pytest.fixture
def endpoint():
    """The demonstration as a server; its address."""
    command = [sys.executable, "demo_rag.py", "serve", "0"]
    with subprocess.Popen(
        command, cwd=EXAMPLES, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}/ask"
        server.kill()


def test_three_ways_to_ask_give_the_same_responses(tmp_path, endpoint):
    """HTTP, callable and command answer alike, by the command line as a user types it."""
    found = []
    for number, spec in enumerate([f"demo={endpoint}", CALLABLE, f"demo=command:{sys.executable} demo_rag.py"]):
        out = tmp_path / f"{number}.jsonl"
        assert main(["ask", "golden.jsonl", "--pipeline", spec, "--out", str(out)]) == 0
        found.append(_responses(out))
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 18


def _check(capsys, tmp_path, *arguments):
    code = main(["check", "golden.jsonl", "--pipeline", CALLABLE, "--workspace", str(tmp_path / "w"), *arguments])
    return code, capsys.readouterr().out


def test_a_planted_regression_is_broken_with_the_right_questions(tmp_path, monkeypatch, capsys):
    """A retriever that finds one sentence in place of five breaks the questions whose fact only five hold; the gate
    fails by the critical one, and the comment strikes out what went."""
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    main(["ask", "golden.jsonl", "--pipeline", CALLABLE, "--out", str(before)])
    monkeypatch.setitem(os.environ, "TOP_K", "1")
    code, out = _check(capsys, tmp_path, "--baseline", str(before), "--format", "json", "--out", str(after))
    found = json.loads(out[out.index("{") :])
    broken = {each["question_id"] for each in found["changes"]["broken"]}
    facts = {row["question_id"]: row["fact"] for row in _rows(EXAMPLES / "golden.jsonl")}
    five, one = _responses(before), _responses(after)
    lost = {each for each, fact in facts.items() if fact in five[each] and fact not in one[each]}
    assert lost
    assert lost <= broken
    assert broken <= {each for each in facts if five[each] != one[each]}
    assert found["changes"]["fixed"] == []
    assert (code, found["result"]) == (1, "fail")
    code, comment = _check(capsys, tmp_path, "--baseline", str(before))
    assert code == 1
    assert "~~" in comment
    assert "leader" in comment


def test_no_change_passes(tmp_path, capsys):
    """The same pipeline against its own run passes, and nothing is fixed or broken."""
    before = tmp_path / "before.jsonl"
    main(["ask", "golden.jsonl", "--pipeline", CALLABLE, "--out", str(before)])
    _check(capsys, tmp_path, "--baseline", str(before), "--name", "first")
    code, out = _check(capsys, tmp_path, "--baseline", "first", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["changes"]["counts"] == {"fixed": 0, "broken": 0, "changed": 0, "same": 18}
    latencies = [row for row in found["expenses"] if row["measure"].startswith("latency")]
    assert [row["now"] is not None for row in latencies] == [True, True]


@pytest.mark.parametrize("more", [[], ["--fast"]])
def test_a_dead_pipeline_is_named_and_leaves_no_run(tmp_path, capsys, more):
    """A server that is down, asked first or as the baseline: exit code 2, its name with the first error's text, and no
    run of no response."""
    before = tmp_path / "before.jsonl"
    main(["ask", "golden.jsonl", "--pipeline", CALLABLE, "--out", str(before)])
    dead = ["--pipeline", "dead=http://127.0.0.1:1/ask", "--attempts", "1", "--pair", "dead=demo"]
    command = ["check", "golden.jsonl", *dead, "--baseline", str(before), *more, "--workspace", str(tmp_path / "w")]
    capsys.readouterr()
    assert main(command) == 2
    said = capsys.readouterr().err
    assert '"dead": found no response to any of' in said
    assert "onnect" in said.partition("no response to any of")[2]
    main(["runs", "list", "--format", "json", "--workspace", str(tmp_path / "w")])
    assert [run["name"] for run in json.loads(capsys.readouterr().out) if not run["name"].startswith("baseline")] == []


def test_the_comment_links_to_a_report(tmp_path, capsys):
    """`--report` writes the new run as a page, and the comment names it or links to where `--link` says it is; an
    address that could break out of the link is refused."""
    before, site = tmp_path / "before.jsonl", tmp_path / "site.html"
    main(["ask", "golden.jsonl", "--pipeline", CALLABLE, "--out", str(before)])
    arguments = ("--baseline", str(before), "--report", str(site))
    _, comment = _check(capsys, tmp_path, *arguments, "--link", "https://ci.example/run/1?a=b")
    assert "(https://ci.example/run/1?a=b)" in comment
    assert "<html" in site.read_text(encoding="utf-8")
    assert _check(capsys, tmp_path, *arguments, "--link", "https://x/) [y](javascript:alert(1)")[0] == 2


def test_the_baseline_may_be_another_pipeline(tmp_path, capsys, endpoint, monkeypatch):
    """A SPEC as baseline, with a name or without, is asked too: here as it is deployed, with five sentences."""
    monkeypatch.setenv("TOP_K", "1")
    for text in (endpoint, f"deployed={endpoint}"):
        code, out = _check(capsys, tmp_path, "--baseline", text, "--format", "json")
        found = json.loads(out)
        assert code == 1
        assert found["changes"]["counts"]["broken"] > 0
        assert found["expenses"][0]["before"] > 0
    assert found["expenses"][0]["pipeline_before"] == "deployed"


def test_a_judge_decides_what_words_leave_open(tmp_path, capsys, monkeypatch):
    """With `--judge` open responses of both runs are graded, and its word fixes a question; without it no model is
    asked."""
    files = {
        "golden.jsonl": [
            {"question_id": "1", "question": "Why was it late?", "answer": "Fog held the ferries."},
            {"question_id": "2", "question": "What did it pay?", "answer": "12 euros", "fact": "12 euros"},
        ],
        "before.jsonl": [
            {"question_id": "1", "pipeline": "P", "response": "A storm damaged the main pier that week."},
            {"question_id": "2", "pipeline": "P", "response": "It paid 12 euros."},
        ],
    }
    paths = {name: write_jsonl(tmp_path / name, rows) for name, rows in files.items()}
    (tmp_path / "mist.py").write_text(
        "def answer(question):\n"
        "    return 'Low cloud kept the boats in harbour.' if 'late' in question else 'It paid 12 euros.'\n"
    )
    monkeypatch.chdir(tmp_path)

    with serve(judge_script(lambda texts: 3 if "harbour" in texts["response"] else 0)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
        command = ["check", "golden.jsonl", "--pipeline", "P=python:mist:answer", "--format", "json"]
        command += ["--baseline", str(paths["before.jsonl"]), "--workspace", str(tmp_path / "w")]
        main(command)
        assert server.calls == []
        capsys.readouterr()
        main([*command, "--judge", "openai:stub", "--judge-cap", "3calls", "--despite-probes", "stand-in"])
        assert len(server.calls) == 2
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert [each["question_id"] for each in found["changes"]["fixed"]] == ["1"]
    assert "Judges differ" not in "".join(found["notes"])
    assert err.count("openai:stub graded 1 of 1") == 2


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A golden dataset of 300 questions, a pipeline that LOST of them breaks, and its responses before."""
    golden = [
        {"question_id": str(n), "question": f"What is number {n}?", "answer": f"{n + 5000}", "fact": f"{n + 5000}"}
        for n in range(300)
    ]
    before = [{"question_id": str(n), "pipeline": "P", "response": f"It is {n + 5000}."} for n in range(300)]
    (tmp_path / "numbers_rag.py").write_text(
        "import os\n"
        "def answer(question):\n"
        "    n = int(question.split()[-1].rstrip('?'))\n"
        "    open('asked.txt', 'a').write(f'{n}\\n')\n"
        "    return f'It is {n + 5000 if n >= int(os.environ[\"LOST\"]) else n + 7000}.'\n"
    )
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "golden.jsonl", golden)
    return write_jsonl(tmp_path / "before.jsonl", before)


@pytest.mark.parametrize(("lost", "code", "most"), [("0", 0, 150), ("100", 1, 90)])
def test_a_fast_check_asks_a_part_of_the_questions(tmp_path, large, monkeypatch, capsys, lost, code, most):
    """It finds that a third broke, or that nothing did, from less than half of 300 questions, asks none twice, says how
    many, and leaves no file of its batches."""
    monkeypatch.setenv("LOST", lost)
    command = ["check", "golden.jsonl", "--pipeline", "P=python:numbers_rag:answer", "--fast"]
    command += ["--baseline", str(large), "--workspace", str(tmp_path / "w"), "--format", "json"]
    assert main(command) == code
    found = json.loads(capsys.readouterr().out)
    asked = (tmp_path / "asked.txt").read_text().split()
    assert 30 <= len(asked) == len(set(asked)) <= most
    assert sum(found["changes"]["counts"].values()) == len(asked)
    assert any(f"{len(asked)} of 300" in note for note in found["notes"])
    assert not list((tmp_path / "w" / "journals").glob("fast-*"))


def test_a_fast_check_goes_on_after_a_kill(tmp_path, large, monkeypatch, capsys):
    """Batches that were answered before a kill are not asked again."""
    monkeypatch.setenv("LOST", "0")
    command = ["check", "golden.jsonl", "--pipeline", "P=python:numbers_rag:answer", "--fast"]
    command += ["--baseline", str(large), "--workspace", str(tmp_path / "w"), "--format", "json"]
    environment = os.environ | {"PYTHONPATH": str(EXAMPLES.parent)}
    started = [sys.executable, "-m", "qaviz", *command]
    with subprocess.Popen(started, stdout=subprocess.DEVNULL, env=environment) as killed:
        while not list((tmp_path / "w" / "journals").glob("fast-*-0.jsonl")) and killed.poll() is None:
            time.sleep(0.01)
        killed.kill()
    first = (tmp_path / "asked.txt").read_text().split()
    assert main(command) == 0
    capsys.readouterr()
    asked = (tmp_path / "asked.txt").read_text().split()
    assert len(first) >= 30
    assert [each for each in first[:30] if asked.count(each) > 1] == []


@pytest.mark.parametrize(
    ("library", "function"),
    [
        ("langchain_core", "langchain_answer"),
        ("llama_index", "llamaindex_answer"),
        ("haystack", "haystack_answer"),
        ("dspy", "dspy_answer"),
    ],
)
def test_objects_of_libraries_are_asked_through_a_function(tmp_path, library, function):
    """The demonstration built with LangChain, LlamaIndex, Haystack and DSPy answers as the demonstration does, with the
    same contexts; skipped where the library is not installed, which qaviz does not need."""
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    rows = []
    for name in ("demo_rag:answer", f"library_rags:{function}"):
        out = tmp_path / f"{len(rows)}.jsonl"
        assert main(["ask", "golden.jsonl", "--pipeline", f"demo=python:{name}", "--out", str(out)]) == 0
        rows.append([(row["question_id"], row["response"], row["contexts"]) for row in _rows(out)])
    assert rows[0] == rows[1]
