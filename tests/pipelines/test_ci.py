"""The GitHub Action and the GitLab job of the examples: their scripts run as the CI's shell runs them."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from qaviz.cli import main

pytestmark = pytest.mark.slow

yaml = pytest.importorskip("yaml", reason="PyYAML is optional")
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def baseline(tmp_path_factory) -> bytes:
    """The responses of the demonstration: asked once."""
    out = tmp_path_factory.mktemp("baseline") / "baseline.jsonl"
    arguments = ["--pipeline", "demo=python:demo_rag:answer", "--out", str(out)]
    with chdir(EXAMPLES):
        assert main(["ask", "golden.jsonl", *arguments]) == 0
    return out.read_bytes()


@pytest.fixture
def folder(tmp_path, monkeypatch, baseline):
    """A checkout with the demonstration, its responses of yesterday, and `qaviz` on the path."""
    shutil.copytree(EXAMPLES, tmp_path / "code" / "examples")
    shutil.copytree(ROOT / "sample_data", tmp_path / "code" / "sample_data")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "qaviz"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m qaviz "$@"\n')
    program.chmod(0o755)
    checkout = tmp_path / "code" / "examples"
    monkeypatch.chdir(checkout)
    monkeypatch.delenv("TOP_K", raising=False)
    (checkout / "baseline.jsonl").write_bytes(baseline)
    return checkout


def run(folder: Path, script: str, **variables: str) -> subprocess.CompletedProcess:
    """A script as both CIs run it: bash, which stops at the first failure, of a pipe too."""
    path = f"{folder.parents[1] / 'bin'}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path} | variables
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


MORE: dict[str, str] = {}


def act(folder: Path, top_k: str, more: dict[str, str] = MORE, /, **given: str) -> tuple[int, str, str]:
    """The first step of the action with these inputs: exit code, result, and the summary."""
    action = yaml.safe_load((EXAMPLES / "github-action" / "action.yml").read_text(encoding="utf-8"))
    inputs = {name: str(each.get("default", "")) for name, each in action["inputs"].items()} | given
    assert all(inputs[name] for name, each in action["inputs"].items() if each.get("required"))
    step = action["runs"]["steps"][0]
    expression = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
    variables = {name: expression.sub(lambda found: inputs[found[1]], value) for name, value in step["env"].items()}
    assert "${{" not in step["run"]
    output, summary = folder / "output.txt", folder / "summary.md"
    places = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary), "TOP_K": top_k} | more
    done = run(folder, step["run"], **variables, **places)
    said = summary.read_text(encoding="utf-8") if summary.exists() else done.stderr
    return done.returncode, output.read_text().strip() if output.exists() else "", said


GIVEN = {"golden": "golden.jsonl", "pipeline": "demo=python:demo_rag:answer", "baseline": "baseline.jsonl"}


def test_the_action_fails_a_regression(folder):
    """The composite action fails the planted regression, says so in its output, puts the comment into the summary, and
    leaves a report to publish."""
    found, output, summary = act(folder, "1", **GIVEN)
    assert (found, output) == (1, "result=fail")
    assert summary.startswith("### ")
    assert "| pipeline | by | now | before | change |" in summary
    assert (folder / "qaviz.html").is_file()


def test_an_input_is_never_a_script(folder):
    """Inputs are variables: a golden dataset with a command in its name runs nothing, and is reported as missing."""
    code, output, _ = act(folder, "5", **GIVEN | {"golden": "$(touch stolen) `touch stolen`; touch stolen"})
    assert (code, output) == (2, "result=error")
    assert not (folder / "stolen").exists()


def test_what_cannot_be_told_fails_unless_it_is_told_not_to(folder):
    """Exit code 3, here of three questions that may all break, fails by default, and passes with `unknown: pass`."""
    few = "".join((folder / "golden.jsonl").read_text().splitlines(keepends=True)[7:10])
    (folder / "few.jsonl").write_text(few)
    given = GIVEN | {"golden": "few.jsonl", "options": "--broken 3"}
    assert act(folder, "1", **given)[:2] == (3, "result=unknown")
    (folder / "output.txt").unlink()
    assert act(folder, "1", **given, unknown="pass", workspace="w2")[:2] == (0, "result=unknown")


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
    program = folder.parents[1] / "bin" / "gh"
    program.write_text(GH.format(python=sys.executable, file=str(file)))
    program.chmod(0o755)
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
    """In another repository, where there is no qaviz, the action installs its own checkout, by the lock with hashes;
    a pipeline that did not change passes."""
    own = tmp_path / "actions" / "qaviz"
    shutil.copytree(EXAMPLES / "github-action", own / "examples" / "github-action")
    (own / "deploy").mkdir()
    install = own / "deploy" / "install"
    install.write_text('#!/bin/sh\nmkdir -p "$1/bin" && mv "$QAVIZ" "$1/bin/qaviz"\n')
    install.chmod(0o755)
    moved = tmp_path / "program"
    (tmp_path / "bin" / "qaviz").rename(moved)
    places = {
        "GITHUB_ACTION_PATH": str(own / "examples" / "github-action"),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "QAVIZ": str(moved),
        "PATH": "/usr/bin:/bin",
    }
    assert act(folder, "5", places, **GIVEN)[:2] == (0, "result=pass")
    assert (tmp_path / "temp" / "qaviz" / "bin" / "qaviz").is_file()
    assert "--require-hashes" in (ROOT / "deploy" / "install").read_text("utf-8")


def test_the_gitlab_job(folder):
    """The job's script, line after line in one shell, prints the comment and ends with the check's exit code; every
    code but 0 fails the job, also 3."""
    job = yaml.safe_load((EXAMPLES / "gitlab-ci.yml").read_text(encoding="utf-8"))["check"]
    variables = job["variables"] | {"PIPELINE": GIVEN["pipeline"], "TOP_K": "1"}
    done = run(folder, "\n".join(job["script"]), **variables)
    assert done.returncode == 1
    assert done.stdout.startswith("### ")
    assert "allow_failure" not in job
    assert all((folder / each).is_file() for each in job["artifacts"]["paths"])
