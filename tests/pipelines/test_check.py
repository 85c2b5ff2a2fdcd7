"""`qaviz check` on the demonstration RAG: a planted regression is found."""

import json
import os
import subprocess
import sys
from contextlib import chdir
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


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the demonstration answers with five sentences: asked once."""
    file = tmp_path_factory.mktemp("before") / "before.jsonl"
    with chdir(EXAMPLES):
        assert main(["ask", "golden.jsonl", "--pipeline", CALLABLE, "--out", str(file)]) == 0
    return file


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


def _check(capsys, tmp_path, *arguments):
    code = main(["check", "golden.jsonl", "--pipeline", CALLABLE, "--workspace", str(tmp_path / "w"), *arguments])
    return code, capsys.readouterr().out


def test_a_planted_regression_is_broken_with_the_right_questions(tmp_path, before, monkeypatch, capsys):
    """A retriever that finds one sentence in place of five breaks the questions whose fact only five hold; the gate
    fails by the critical one, and the comment strikes out what went. `--report` writes the new run as a page, and the
    comment links to where `--link` says it is; an address that could break out of the link is refused."""
    after = tmp_path / "after.jsonl"
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
    site = tmp_path / "site.html"
    reported = ("--baseline", str(before), "--report", str(site))
    code, comment = _check(capsys, tmp_path, *reported, "--link", "https://ci.example/run/1?a=b")
    assert code == 1
    assert "~~" in comment
    assert "leader" in comment
    assert "(https://ci.example/run/1?a=b)" in comment
    assert "<html" in site.read_text(encoding="utf-8")
    assert _check(capsys, tmp_path, *reported, "--link", "https://x/) [y](javascript:alert(1)")[0] == 2


def test_no_change_passes(tmp_path, before, capsys):
    """The same pipeline against its own run passes, and nothing is fixed or broken."""
    _check(capsys, tmp_path, "--baseline", str(before), "--name", "first")
    code, out = _check(capsys, tmp_path, "--baseline", "first", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["changes"]["counts"] == {"fixed": 0, "broken": 0, "changed": 0, "same": 18}
    latencies = [row for row in found["expenses"] if row["measure"].startswith("latency")]
    assert [row["now"] is not None for row in latencies] == [True, True]


def test_a_dead_pipeline_is_named_and_leaves_no_run(tmp_path, before, capsys):
    """A server that is down, asked first or as the baseline: exit code 2, its name with the first error's text, and no
    run of no response."""
    dead = ["--pipeline", "dead=http://127.0.0.1:1/ask", "--attempts", "1", "--pair", "dead=demo"]
    command = ["check", "golden.jsonl", *dead, "--baseline", str(before), "--workspace", str(tmp_path / "w")]
    capsys.readouterr()
    assert main(command) == 2
    said = capsys.readouterr().err
    assert "pipeline dead: found 10 requests or more in a row that failed; the last: 127.0.0.1:1: no connection" in said
    main(["runs", "list", "--format", "json", "--workspace", str(tmp_path / "w")])
    assert [run["name"] for run in json.loads(capsys.readouterr().out) if not run["name"].startswith("baseline")] == []


def test_the_baseline_may_be_another_pipeline(tmp_path, capsys, endpoint, monkeypatch):
    """A SPEC as baseline is asked too: here as it is deployed, with five sentences."""
    monkeypatch.setenv("TOP_K", "1")
    code, out = _check(capsys, tmp_path, "--baseline", f"deployed={endpoint}", "--format", "json")
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


@pytest.mark.parametrize(("lost", "code"), [("0", 0), ("100", 1)])
def test_only_the_questions_of_a_file_are_asked(tmp_path, large, monkeypatch, capsys, lost, code):
    """With `--questions` the pipeline gets those thirty alone, the baseline counts on those alone, and its other 270
    questions are no reason to tell nothing; a file of other questions is refused."""
    monkeypatch.setenv("LOST", lost)
    numbers = range(50, 350, 10)
    chosen = [{"question_id": f"s{n}", "question": f"What is number {n}?", "answer": "-"} for n in numbers]
    questions = write_jsonl(tmp_path / "smoke.jsonl", chosen)
    command = ["check", "golden.jsonl", "--pipeline", "P=python:numbers_rag:answer", "--questions", str(questions)]
    command += ["--baseline", str(large), "--workspace", str(tmp_path / "w"), "--format", "json"]
    assert main(command) == code
    outcome = json.loads(capsys.readouterr().out)
    assert sorted(map(int, (tmp_path / "asked.txt").read_text().split())) == list(range(50, 300, 10))
    assert sum(outcome["changes"]["counts"].values()) == 25
    assert outcome["changes"]["counts"]["broken"] == (5 if code else 0)
    write_jsonl(questions, [{"question_id": "1", "question": "Something else?", "answer": "-"}])
    assert main(command) == 2
