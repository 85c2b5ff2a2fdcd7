"""qaviz.processes: for all who run work in another process, its limits, its end in words, and that nothing is left."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import polars as pl
import psutil
import pytest

from qaviz import documents, processes
from qaviz.bulk import chunks
from qaviz.diagnosis.weigh import Case
from qaviz.loading import apart
from qaviz.model.columns import ANSWER, RESPONSE
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.processes import (
    CancelledError,
    Limits,
    StoppedError,
    clean_environment,
    explain_end,
    library_environment,
    start,
)
from qaviz.scoring import bertscore, bridge
from qaviz.scoring.bertscore import PAIR
from qaviz.scoring.language_models import ROBERTA, LanguageModel
from tests import work
from tests.loading.files import GOLDEN_FILE, RESPONSE_FILE, upload

ROOT = Path(__file__).parents[1]
workers = import_module("qaviz.diagnosis.extract_evidence")  # its function of the same name is what diagnosis has
LIMITS = Limits(memory=500 * 1024**2, silence_s=4, cpu_s=60)
SILENT = ("time", "deaf")
GONE_WITHIN_S = 10
ABOUT = Problem(where="work", found="a process that", expected="its end", fix="Try again.")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("fresh_processes"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="limits of memory hold on Linux"),
]


def read_file(progress: Progress) -> None:
    apart.load_golden(GOLDEN_FILE, progress)


def read_document(_progress: Progress) -> None:
    documents.read_document(upload("d.md", "# Text\n\nof a document"))


def judge(progress: Progress) -> None:
    list(chunks.stream_files(GOLDEN_FILE, [RESPONSE_FILE], progress=progress))


def diagnose(_progress: Progress) -> None:
    row = Case("Who?", "Ann", "Ann", "Ann")
    workers.weigh_table(pl.DataFrame([row] * 40, orient="row", schema=list(Case._fields)))


def score_with_fmeval(progress: Progress) -> None:
    bridge.score_in_process(pl.DataFrame({"answer": ["Ann"], "fact": ["Ann"], "response": ["Ann"]}), progress)


def compare_texts(progress: Progress) -> None:
    pairs = pl.DataFrame({PAIR: [b"1"], ANSWER: ["Ann"], RESPONSE: ["Ann"]})
    bertscore.score_pairs(pairs, LanguageModel(name=ROBERTA, folder=Path.cwd()), lambda _: None, progress)


@dataclass(frozen=True)
class User:
    """Somebody who runs work in another process."""

    ask: Callable[[Progress], None]
    module: ModuleType
    """Its LIMITS are those of the process."""
    work: str
    """The name in the module of the function that a test replaces."""


def needs(library: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(importlib.util.find_spec(library) is None, reason=f"{library} is not installed")


USERS = {
    "files": User(read_file, apart, "_load_golden"),
    "documents": User(read_document, documents, "_parse_document"),
    "judging": User(judge, chunks, "_judge_given"),
    "diagnosis": User(diagnose, workers, "_weigh_job"),
    "FMEval": User(score_with_fmeval, bridge, "_score_job"),
    "BERTScore": User(compare_texts, bertscore, "score_job"),
}
LIBRARIES = {"FMEval": "fmeval", "BERTScore": "bert_score"}


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Callable[[Progress], None]]:
    """Return what a user asks for, who is under LIMITS and whose process goes wrong in one way."""
    monkeypatch.chdir(tmp_path)

    def replace_work(name: str, fault: str) -> Callable[[Progress], None]:
        variables = {"FAULT": fault, "FAULT_FILE": str(tmp_path / "started"), "PYTHONPATH": str(ROOT)}
        for variable, value in variables.items():
            monkeypatch.setenv(variable, value)
        monkeypatch.setattr(processes, "_CLEAN", (*processes._CLEAN, *variables))
        user = USERS[name]
        silence_s = LIMITS.silence_s if fault in SILENT else 60
        limited = apart if name == "documents" else user.module
        monkeypatch.setattr(limited, "LIMITS", replace(LIMITS, silence_s=silence_s))
        monkeypatch.setattr(workers, "WORTH_A_PROCESS", 20)
        monkeypatch.setattr(workers, "HEAD_START", 0)
        if user.work:
            monkeypatch.setattr(user.module, user.work, work.work)
        return user.ask

    return replace_work


def are_gone(started: Path) -> bool:
    """Whether the processes whose numbers stand in the file are gone within seconds, or wait for their parent."""
    numbers = list(map(int, started.read_text().split()))
    until = time.monotonic() + GONE_WITHIN_S
    while (left := [number for number in numbers if is_running(number)]) and time.monotonic() < until:
        time.sleep(0.02)
    return len(numbers) == 2 and not left


def is_running(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


FAULTS = {
    "memory": "more memory than 0.5 GB",
    "time": "4 s",
    "killed": "SIGKILL",
    "segfault": "SIGSEGV",
    "crash": "code 1; it wrote: RuntimeError: the last words",
}


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        *(("files", fault) for fault in FAULTS),
        *(
            pytest.param(name, "killed", marks=needs(LIBRARIES[name]) if name in LIBRARIES else ())
            for name in USERS
            if name != "files"
        ),
    ],
)
def test_a_process_that_goes_wrong(name: str, fault: str, begin, tmp_path: Path):
    """Over its memory or its time, killed or crashed: the error says which, in one line without the secret that the
    process wrote, and the process and what it started are gone."""
    with pytest.raises(QavizError) as stopped:
        begin(name, fault)(lambda *_: None)

    (problem,) = stopped.value.problems
    assert FAULTS[fault] in problem.found
    assert "\n" not in problem.found
    assert work.SECRET not in problem.found
    assert len(problem.found) < 1_000
    assert are_gone(tmp_path / "started")


@pytest.mark.parametrize(("name", "fault"), [("files", "deaf"), ("judging", "time")])
def test_who_cancels_waits_for_nothing(name: str, fault: str, begin, tmp_path: Path):
    """Progress that raises ends the process and what it started, also where it does not hear the signal to end."""

    def cancel(fraction: float, words: str) -> None:
        # The bar of a load has words of its own.
        if "begun" in words or (words.startswith("scoring") and fraction >= 0.5):
            raise CancelledError

    with pytest.raises(CancelledError):
        begin(name, fault)(cancel)
    assert are_gone(tmp_path / "started")


ASK = """
from pathlib import Path
from qaviz.processes import clean_environment, start
from tests import test_processes, work
environment = clean_environment({"FAULT": "time", "FAULT_FILE": "started", "PYTHONPATH": "."})
Path("folder").mkdir()
how = {"about": test_processes.ABOUT, "environment": environment, "limits": test_processes.Limits()}
with start(work.work, Path("folder"), **how) as running:
    running.finish()
"""


def test_a_process_ends_with_its_asker(tmp_path: Path):
    """kill -9 of the asker ends the process and what it started, and their folder goes."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", ASK], cwd=tmp_path, env=environment) as asker:
        until = time.monotonic() + 60
        while not (tmp_path / "started").exists() or not (tmp_path / "started").read_text():
            assert time.monotonic() < until
            time.sleep(0.02)
        asker.send_signal(signal.SIGKILL)
    assert are_gone(tmp_path / "started")
    until = time.monotonic() + GONE_WITHIN_S
    while (tmp_path / "folder").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not (tmp_path / "folder").exists()


def test_cancelled_between_two_reports(tmp_path: Path):
    """Progress is told, and may end the work, while the process says nothing new."""
    told = []

    def progress(_fraction: float, _words: str) -> None:
        told.append(time.monotonic())
        if len(told) > 5:
            raise CancelledError

    environment = clean_environment({"FAULT": "time", "FAULT_FILE": str(tmp_path / "started")})
    with (
        pytest.raises(CancelledError),
        start(work.work, tmp_path, about=ABOUT, environment=environment, limits=Limits()) as running,
    ):
        running.finish(progress)
    assert max(later - before for before, later in pairwise(told)) < 5


def test_a_crash_is_logged_with_its_traceback(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    """Whoever runs the server finds the traceback, without the key in it; the user has one line of it."""
    environment = clean_environment({"FAULT": "crash", "FAULT_FILE": str(tmp_path / "started")})
    with (
        pytest.raises(StoppedError),
        start(work.work, tmp_path, about=ABOUT, environment=environment, limits=Limits()) as running,
    ):
        running.finish()
    logged = capfd.readouterr().err
    assert re.search(r"Traceback .*work\.py.*RuntimeError: the last words", logged, re.DOTALL)
    assert work.SECRET not in logged


def test_the_system_counts_seconds_of_computing():
    """A process that computes for longer than its limit is out of time, also where nobody waits for it."""
    code = "from qaviz.processes import Limits\nLimits(cpu_s=1).apply()\nwhile True: pass"
    ended = subprocess.run([sys.executable, "-c", code], check=False, timeout=60, cwd=ROOT)
    assert ended.returncode == -signal.SIGXCPU
    assert explain_end(ended.returncode, "", Limits(silence_s=1)) == "took more time than 1 s for one step"


def test_no_secret_is_in_an_environment(monkeypatch: pytest.MonkeyPatch):
    """Keys, passwords and addresses with a password reach no process of ours; what libraries read does."""
    secrets = {"OPENAI_API_KEY": "k", "QAVIZ_DATABASE_URL": "postgresql://me:pass@host/db", "AWS_SESSION_TOKEN": "t"}
    for name, value in {**secrets, "HF_HOME": "/models"}.items():
        monkeypatch.setenv(name, value)
    assert clean_environment({}).keys().isdisjoint({*secrets, "HF_HOME"})
    assert library_environment({}).keys().isdisjoint(secrets)
    assert library_environment({"MORE": "1"}).items() >= {"HF_HOME": "/models", "MORE": "1"}.items()
