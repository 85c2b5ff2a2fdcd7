"""The GitHub Action and the GitLab job of the examples: their scripts run as the CI's shell runs them; and our own."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

yaml = pytest.importorskip("yaml", reason="PyYAML is optional")
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


STAND_IN = """#!/bin/sh
printf '%s\\n' "$@" > words.txt
echo "### what a check says"
touch qaviz.html
exit "$CODE"
"""
"""In place of `qaviz`: keeps what it was called with, leaves what a check leaves, and ends with the code CODE."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A checkout with the demonstration, and in place of `qaviz` on the path what stands in for it."""
    shutil.copytree(EXAMPLES, tmp_path / "code" / "examples")
    shutil.copytree(ROOT / "sample_data", tmp_path / "code" / "sample_data")
    (tmp_path / "bin").mkdir()
    put_program(tmp_path / "bin" / "qaviz", STAND_IN)
    monkeypatch.chdir(tmp_path / "code" / "examples")
    monkeypatch.delenv("TOP_K", raising=False)
    return tmp_path / "code" / "examples"


def put_program(place: Path, text: str) -> None:
    place.write_text(text)
    place.chmod(0o755)


def run(folder: Path, script: str, **variables: str) -> subprocess.CompletedProcess:
    """A script as both CIs run it: bash, which stops at the first failure, of a pipe too."""
    path = f"{folder.parents[1] / 'bin'}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path} | variables
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def act(folder: Path, more: dict[str, str], /, **given: str) -> tuple[int, str, str]:
    """The first step of the action with these inputs: exit code, result, and the summary."""
    action = yaml.safe_load((EXAMPLES / "github-action" / "action.yml").read_text(encoding="utf-8"))
    inputs = {name: str(each.get("default", "")) for name, each in action["inputs"].items()} | given
    assert all(inputs[name] for name, each in action["inputs"].items() if each.get("required"))
    step = action["runs"]["steps"][0]
    expression = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
    variables = {name: expression.sub(lambda found: inputs[found[1]], value) for name, value in step["env"].items()}
    assert "${{" not in step["run"]
    output, summary = folder / "output.txt", folder / "summary.md"
    places = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)} | more
    done = run(folder, step["run"], **variables, **places)
    said = summary.read_text(encoding="utf-8") if summary.exists() else done.stderr
    return done.returncode, output.read_text().strip() if output.exists() else "", said


GIVEN = {"golden": "golden.jsonl", "pipeline": "demo=python:demo_rag:answer", "baseline": "baseline.jsonl"}


@pytest.mark.parametrize(
    ("code", "unknown", "ends", "result"),
    [
        *((0, "fail", 0, "pass"), (1, "pass", 1, "fail"), (2, "pass", 2, "error")),
        *((3, "fail", 3, "unknown"), (3, "pass", 0, "unknown")),
    ],
)
def test_the_action_ends_as_the_check_does(folder, code: int, unknown: str, ends: int, result: str):
    """Every code but 0 fails; 3, of what cannot be told, passes where `unknown` says so."""
    assert act(folder, {"CODE": str(code)}, **GIVEN, unknown=unknown)[:2] == (ends, f"result={result}")


def test_an_input_is_never_a_script(folder):
    """Inputs are variables: of a golden dataset with a command in its name nothing runs, and the name is one word."""
    name = "$(touch stolen) `touch stolen`; touch stolen"
    act(folder, {"CODE": "2"}, **GIVEN | {"golden": name, "options": "--broken 3"})
    words = (folder / "words.txt").read_text().splitlines()
    assert words[:2] == ["check", name]
    assert ("--broken", "3") in pairwise(words)
    assert not (folder / "stolen").exists()


GH = """#!{python}
import json, subprocess, sys
from pathlib import Path
file, words = Path({file!r}), sys.argv[1:]
comments, options = json.loads(file.read_text()), dict(zip(words, words[1:]))
body = options.get("-F", "").removeprefix("body=@")
if options.get("--method") == "POST":
    comments.append({{"id": len(comments) + 1, "user": {{"type": "Bot"}}, "body": Path(body).read_text()}})
elif options.get("--method") == "PATCH":
    place = next(word for word in words if "/comments/" in word).rpartition("/")[2]
    comments[int(place) - 1]["body"] = Path(body).read_text()
else:
    subprocess.run(["jq", "-r", options["--jq"]], input=json.dumps(comments), text=True, check=True)
file.write_text(json.dumps(comments))
"""
"""In place of GitHub's own program: comments in a file."""


@pytest.mark.skipif(not shutil.which("jq"), reason="no jq, which GitHub's program has built in")
def test_the_action_writes_one_comment_anew(folder):
    """The first push makes a comment, the next ones write it anew; comments of people and of other jobs stay, also one
    that begins with the same marker."""
    file = folder / "comments.json"
    mark = "<!-- qaviz check: gate -->"
    theirs = [
        {"id": 1, "user": {"type": "User"}, "body": f"{mark} of a person"},
        {"id": 2, "user": {"type": "Bot"}, "body": "<!-- qaviz check: another -->"},
    ]
    file.write_text(json.dumps(theirs))
    put_program(folder.parents[1] / "bin" / "gh", GH.format(python=sys.executable, file=str(file)))
    action = yaml.safe_load((EXAMPLES / "github-action" / "action.yml").read_text(encoding="utf-8"))
    script = action["runs"]["steps"][1]["run"]
    assert "${{" not in script
    for text in ("first", "second", ""):
        (folder / "qaviz-check.md").write_text(text)
        places = {"GITHUB_REPOSITORY": "o/r", "GITHUB_JOB": "gate", "PULL_REQUEST": "7"}
        done = run(folder, script, **places)
        assert done.returncode == 0, done.stderr
        comments = json.loads(file.read_text())
        assert comments[:2] == theirs
        assert len(comments) == 3
        assert comments[2]["body"].startswith(mark)
        assert (text or "could not run") in comments[2]["body"]


def test_the_action_installs_what_it_comes_with(folder, tmp_path):
    """In another repository, where there is no qaviz, the action installs its own checkout, by the lock with
    hashes."""
    own = tmp_path / "actions" / "qaviz"
    shutil.copytree(EXAMPLES / "github-action", own / "examples" / "github-action")
    (own / "deploy").mkdir()
    put_program(own / "deploy" / "install", '#!/bin/sh\nmkdir -p "$1/bin" && mv "$QAVIZ" "$1/bin/qaviz"\n')
    moved = tmp_path / "program"
    (tmp_path / "bin" / "qaviz").rename(moved)
    places = {
        "GITHUB_ACTION_PATH": str(own / "examples" / "github-action"),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "QAVIZ": str(moved),
        "PATH": "/usr/bin:/bin",
        "CODE": "0",
    }
    assert act(folder, places, **GIVEN)[:2] == (0, "result=pass")
    assert (tmp_path / "temp" / "qaviz" / "bin" / "qaviz").is_file()
    assert "--require-hashes" in (ROOT / "deploy" / "install").read_text("utf-8")


def test_the_gitlab_job(folder):
    """The job's script, line after line in one shell, prints the comment and ends with the check's exit code; every
    code but 0 fails the job, also 3."""
    job = yaml.safe_load((EXAMPLES / "gitlab-ci.yml").read_text(encoding="utf-8"))["check"]
    for code in (0, 1, 3):
        done = run(folder, "\n".join(job["script"]), **job["variables"], CODE=str(code))
        assert done.returncode == code
    assert done.stdout.startswith("### ")
    assert "allow_failure" not in job
    assert all((folder / each).is_file() for each in job["artifacts"]["paths"])


@pytest.mark.parametrize(
    ("others", "browser", "ends"),
    [("exit 0", "exit 5", 0), ("exit 1", "exit 0", 1), ("exit 0", "exit 1", 1), ("kill -9 $$", "exit 0", -9)],
)
def test_all_tests_pass_where_both_processes_do(tmp_path, monkeypatch, others: str, browser: str, ends: int):
    """Our own CI fails where one of the two processes does, killed ones too; one without a test does not fail it."""
    script = f'#!/bin/sh\ncase "$*" in *"not browser"*) {others};; *) {browser};; esac\n'
    put_program(tmp_path / "pytest", script)
    run_all = runpy.run_path(str(ROOT / ".ci" / "run_tests.py"))["main"]
    monkeypatch.setitem(run_all.__globals__, "PYTEST", [str(tmp_path / "pytest")])
    assert run_all([]) == ends
