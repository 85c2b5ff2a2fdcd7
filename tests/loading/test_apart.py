"""Files that are read in a process of their own: the same as read here, and whatever becomes of that process."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import psutil
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

from qaviz.loading import GOLDEN, RESPONSES, Source, labels, load_golden, preview, sandbox, silent, stream
from qaviz.loading.adapters.fmeval_output import stream_with_scores
from qaviz.loading.sandbox import client
from qaviz.loading.sandbox.client import taken_table
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.processes import CancelledError, StoppedError, Why
from tests.builders import SAMPLE
from tests.fmeval_files import answer_row, fact_row, fmeval_file
from tests.loading.adapters.files import RAGAS_ROW, document
from tests.loading.files import GOLDEN_FILE, RESPONSE_FILE, jsonl, upload
from tests.loading.readers.test_workbook import rows, workbook

ROOT = Path(__file__).parents[3]
GONE_WITHIN_S = 15
PATHS = [Source.of(SAMPLE / "golden.jsonl"), Source.of(SAMPLE / "responses.jsonl")]
UPLOADS = [Source(each.name, each.data.read_bytes()) for each in PATHS if isinstance(each.data, Path)]
SHEETS = workbook(
    "both.xlsx", golden=rows(("question", "fact"), ("q", "a")), given=rows(("question", "P1"), ("q", "x"))
)
FMEVAL = [
    fmeval_file("factual_knowledge_P.jsonl", fact_row("Where?", "Here.", "here")),
    fmeval_file("qa_accuracy_P.jsonl", answer_row("Where?", "Here.", "It is here.")),
]
LONG_RESPONSES = jsonl(
    "long.jsonl", *({"question_id": "q1", "pipeline": f"P{n}", "response": f"{n} " * 2_000} for n in range(100))
)
"""More than fits between two processes: the reader cannot be done before its first word is heard."""
LABELS = jsonl("labels.jsonl", {"question_id": "q1", "pipeline": "A", "label": "correct"})
VERDICTS = jsonl("scored.jsonl", {"question_id": "q1", "pipeline": "A", "verdict": "correct", "confidence": 0.5})


def fork_server() -> psutil.Process:
    """The process that forks to read, which the first request starts."""
    sandbox.recognise_file(GOLDEN_FILE)
    alive = (each for each in psutil.Process().children() if each.status() != psutil.STATUS_ZOMBIE)
    (found,) = (each for each in alive if "qaviz.loading.sandbox.operations" in each.cmdline())
    return found


def hanging(server: psutil.Process) -> Progress:
    """Progress that stops the reader at the first word from it: it never gets to the end of its file."""

    def hang(_fraction: float, _words: str) -> None:
        for each in server.children():
            each.suspend()

    return hang


def soon(happens: Callable[[], object]) -> bool:
    until = time.monotonic() + GONE_WITHIN_S
    while not happens() and time.monotonic() < until:
        time.sleep(0.01)
    return bool(happens())


@pytest.mark.parametrize(
    "files", [PATHS, UPLOADS, [SHEETS, SHEETS], FMEVAL], ids=["paths", "uploads", "one", "FMEval's"]
)
def test_chunks_are_those_that_are_read_here(files: list[Source]):
    """Rows, lists, golden dataset and whose the scores are: all as without the process between."""
    here = list(stream_with_scores(files[0], files[1:]))
    there = list(sandbox.stream(files[0], files[1:], keep_scores=True))

    assert [chunk.scored for chunk in there] == [chunk.scored for chunk in here]
    for ours, theirs in zip(here, there, strict=True):
        for name in ("rows", "listed", "golden"):
            assert_frame_equal(getattr(theirs, name), getattr(ours, name), check_exact=True)


@pytest.mark.parametrize(
    ("source", "role"),
    [(PATHS[0], GOLDEN), (UPLOADS[1], RESPONSES), (SHEETS, RESPONSES), (document("r.json", [RAGAS_ROW]), GOLDEN)],
    ids=["path", "upload", "workbook", "Ragas"],
)
def test_a_preview_is_that_of_reading_here(source: Source, role):
    """Columns, words, pipelines, what is lacking, rows and tool come over as they are."""
    here, there = preview(source, role), sandbox.preview(source, role)

    assert_frame_equal(there.first, here.first)
    assert {**vars(there), "first": None} == {**vars(here), "first": None}


def test_the_other_files_are_read_apart_too():
    """Labels, verdicts and a golden dataset by itself are those that are read here; a mapping reaches the preview."""
    assert_frame_equal(sandbox.read_labels(LABELS, silent), labels.read_labels(LABELS, silent))
    assert_frame_equal(sandbox.read_verdicts(VERDICTS, silent), labels.read_verdicts(VERDICTS, silent))
    for ours, theirs in zip(load_golden(GOLDEN_FILE, silent), sandbox.load_golden(GOLDEN_FILE, silent), strict=True):
        assert_frame_equal(theirs, ours)
    mapped = replace(GOLDEN_FILE, mapping={"fact": ""})
    assert sandbox.preview(mapped, GOLDEN).words == preview(mapped, GOLDEN).words


def test_who_wrote_a_file_is_told():
    """FMEval's output, another tool's and anybody's are told apart; a file that cannot be read is nobody's."""
    files = [FMEVAL[0], document("r.json", [RAGAS_ROW]), GOLDEN_FILE, upload("r.json", "[")]
    found = [sandbox.recognise_file(each) for each in files]
    assert [(each.fmeval, each.tool) for each in found] == [
        (True, False),
        (False, True),
        (False, False),
        (False, False),
    ]


def test_problems_are_those_of_reading_here():
    """Everything that is wrong with the files is said as it is without the process between."""
    files = upload("g.jsonl", b"{"), upload("r.csv", "question_id,A\nq1\n")
    with pytest.raises(QavizError) as here:
        list(stream(files[0], files[1:]))
    with pytest.raises(QavizError) as there:
        list(sandbox.stream(files[0], files[1:]))
    assert there.value.problems == here.value.problems


def stopped(asked: Iterator[object]) -> StoppedError:
    with pytest.raises(StoppedError) as caught:
        list(asked)
    return caught.value


def refusal(asked: Iterator[object]) -> Problem:
    with pytest.raises(QavizError) as caught:
        list(asked)
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize(
    "source",
    [
        upload("g.json", b"[" + b"{}," * 3_000_000 + b"{}]"),
        upload("g.csv", b"question,answer\n" + b",".join([b"x"] * 5_000_000)),
    ],
    ids=["a JSON document", "CSV"],
)
def test_a_file_that_takes_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch, source: Source):
    """A file of 10 MB whose reader would need hundreds is stopped at the limit and said; the next one is read."""
    monkeypatch.setattr(client, "LIMITS", replace(client.LIMITS, memory=160 * 1024**2))

    error = stopped(sandbox.stream(source, [source]))

    assert error.end.why is Why.MEMORY
    assert error.problems[0].where == source.name
    assert "0.2 GB" in error.problems[0].found
    assert sandbox.preview(GOLDEN_FILE, GOLDEN).rows == 1


def test_a_file_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch):
    """A reader that is silent for longer than the limit is ended, and that is said."""
    server = fork_server()
    monkeypatch.setattr(client, "LIMITS", replace(client.LIMITS, silence_s=0.3))

    error = stopped(sandbox.stream(GOLDEN_FILE, [LONG_RESPONSES], progress=hanging(server)))

    assert error.end.why is Why.TIME
    assert "0.3 s" in error.problems[0].found
    assert soon(lambda: not server.children())


def test_whoever_raises_in_progress_ends_the_work_at_once():
    """Cancelled, a reader that hangs is gone within seconds, long before its own limits would end it."""
    server = fork_server()
    hang = hanging(server)

    def cancel(fraction: float, words: str) -> None:
        hang(fraction, words)
        raise CancelledError

    with pytest.raises(CancelledError):
        list(sandbox.stream(GOLDEN_FILE, [LONG_RESPONSES], progress=cancel))

    assert soon(lambda: not server.children())


def test_a_reader_that_dies_is_a_problem_in_words():
    """A reader that the system kills leaves a sentence that names the file, no traceback."""
    server = fork_server()

    def kill(_fraction: float, _words: str) -> None:
        for each in server.children():
            each.kill()

    error = stopped(sandbox.stream(GOLDEN_FILE, [RESPONSE_FILE], progress=kill))

    assert error.end.why is Why.KILLED
    assert "SIGKILL" in error.problems[0].found
    assert error.problems[0].where == "golden.jsonl, responses.jsonl"


def test_a_fork_server_that_is_gone_is_started_again():
    """When the process that forks was killed, the next request finds another one."""
    killed = fork_server()
    killed.kill()
    killed.wait(GONE_WITHIN_S)

    assert sandbox.preview(GOLDEN_FILE, GOLDEN).rows == 1
    assert fork_server().pid != killed.pid


def test_no_key_or_password_is_in_a_readers_environment(monkeypatch: pytest.MonkeyPatch):
    """What the environment says of databases and clouds does not reach the process that reads."""
    monkeypatch.setenv("QAVIZ_DATABASE_URL", "postgresql://somebody:secret@example/qaviz")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    killed = fork_server()
    killed.kill()
    killed.wait(GONE_WITHIN_S)

    assert not [name for name, said in fork_server().environ().items() if "secret" in said or name.startswith("AWS")]


ASK_FOR_EVER = """
import time
from qaviz.loading import sandbox
from tests.loading.files import GOLDEN_FILE, RESPONSE_FILE

def wait(*_):
    print("reading", flush=True)
    time.sleep(3600)

list(sandbox.stream(GOLDEN_FILE, [RESPONSE_FILE], progress=wait))
"""


def test_when_the_asker_is_killed_everything_goes(tmp_path: Path):
    """kill -9 of the asker in the middle of a file ends fork server and reader, and removes what they wrote."""
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", ASK_FOR_EVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=ROOT) as asker:
        assert asker.stdout is not None
        assert asker.stdout.readline() == b"reading\n"
        assert soon(lambda: len(psutil.Process(asker.pid).children(recursive=True)) == 2)
        readers = psutil.Process(asker.pid).children(recursive=True)
        asker.send_signal(signal.SIGKILL)

    assert soon(lambda: not any(each.is_running() for each in readers))
    assert soon(lambda: not list(tmp_path.glob("qaviz-*")))


def test_nothing_is_left_of_a_request():
    """Uploads and tables that were handed over are gone when the answer is there."""
    folder = Path(fork_server().cmdline()[-2])
    list(sandbox.stream(UPLOADS[0], UPLOADS[1:]))
    assert list(folder.iterdir()) == []
    assert folder.stat().st_mode & 0o077 == 0


def test_a_full_disk_is_said():
    """An upload that has no room in the folder for temporary files is refused with that folder's name."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    fork_server()
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        problem = refusal(sandbox.stream(upload("g.jsonl", b" " * 10_000), []))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "File too large" in problem.found
    assert problem.where.startswith(fork_server().cmdline()[-2])


def test_an_upload_over_its_limit_goes_nowhere():
    """An upload over the limit is refused before a byte of it is written."""
    source = Source("g.jsonl", b"x" * 3_000_000, limit=2 * 1024**2)
    assert refusal(sandbox.stream(source, [])).found == "an upload of 2.9 MB"


def test_a_table_that_breaks_arrows_rules_is_not_taken(tmp_path: Path):
    """What a reader hands over is checked in full: bytes that are no text are refused, before anybody looks at them."""
    broken = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe"))
    table = pa.table({"text": broken})
    with pa.OSFile(str(tmp_path / "0.arrow"), "wb") as stream, pa.ipc.new_file(stream, table.schema) as written:
        written.write_table(table)

    with pytest.raises(ValueError, match="UTF8"):
        taken_table(tmp_path / "0.arrow")


def test_progress_goes_from_nothing_to_all():
    """How far the reading is comes over too, and never goes back."""
    told: list[float] = []
    read = sum(
        chunk.rows.height
        for chunk in sandbox.stream(PATHS[0], PATHS[1:], progress=lambda fraction, _: told.append(fraction))
    )
    assert (read, told[-1]) == (pl.read_ndjson(SAMPLE / "responses.jsonl").height, 1.0)
    assert told == sorted(told)
