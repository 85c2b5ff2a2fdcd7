import json
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import polars as pl
import pytest

from qaviz.__main__ import INTERRUPTED, run
from qaviz.cli import main, terminal
from qaviz.exports import table_files
from qaviz.loading import Source
from qaviz.model.columns import SCORES
from qaviz.runs import SAMPLE_NAME
from qaviz.store.workspace import open_workspace
from tests.browser.served import free_port, started
from tests.builders import SAMPLE, draft_files, write_jsonl

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GOLDEN, RESPONSES = SAMPLE / "golden.jsonl", SAMPLE / "responses.jsonl"

TRIPLETS = [
    {"question_id": "a", "question": "Where?", "answer": "It is in Seattle.", "fact": "Seattle"},
    {"question_id": "b", "question": "Who?", "answer": "Andy is.", "fact": "Andy"},
]
ANSWERS = [
    {"question_id": "a", "pipeline": "P", "response": "In Seattle."},
    {"question_id": "b", "pipeline": "P", "response": "It is Jeff."},
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A golden dataset of two triplets and a pipeline's responses to both."""
    golden, responses = tmp_path / "golden.jsonl", tmp_path / "responses.jsonl"
    return str(write_jsonl(golden, TRIPLETS)), str(write_jsonl(responses, ANSWERS))


def read(out: Path) -> pl.DataFrame:
    readers: dict[str, Callable[[Path], pl.DataFrame]] = {
        ".jsonl": pl.read_ndjson,
        ".csv": pl.read_csv,
        ".parquet": pl.read_parquet,
    }
    return readers[out.suffix](out)


PROMISED = (
    "question_id question pipeline response factual_knowledge factual_knowledge_quasi_exact recall_over_words "
    "precision_over_words f1_score exact_match_score quasi_exact_match_score recall_beside_fact diagnosis verdict "
    "reason fault confidence category unscored_fact unscored_answer fact_variant fact_start fact_end "
    "fact_inside_token warnings retrieval_rank retrieval_hit retrieval_reciprocal_rank retrieval_ndcg "
    "retrieval_precision retrieval_recall context_support context_used in_documents fault_reason sentence_states "
    "citations_wrong open"
)
"""The columns of a file of scores, in their order."""


@pytest.mark.parametrize("suffix", table_files.FORMATS)
def test_score_writes_a_row_a_response(tmp_path: Path, suffix: str):
    """`score` writes, in each format, the promised columns in order, and the values that Python code gets."""
    out = tmp_path / f"out{suffix}"
    assert main(["score", str(GOLDEN), str(RESPONSES), "--out", str(out)]) == 0
    written = read(out)
    # polars 2.1 gives columns of JSON Lines another order from 33 on.
    columns = [*json.loads(out.read_text().partition("\n")[0])] if suffix == ".jsonl" else written.columns
    assert " ".join(columns) == PROMISED
    drafted = draft_files(Source.of(GOLDEN), [Source.of(RESPONSES)]).rows
    same = ["question_id", "pipeline", *SCORES, "recall_beside_fact", "diagnosis", "verdict", "reason", "fault"]
    assert written.select(same).rows() == drafted.select(same).rows()


@pytest.mark.parametrize(
    ("responses", "code", "listed"),
    [
        (ANSWERS, 0, []),
        (ANSWERS[:1], 1, ["unanswered"]),
        ([*ANSWERS, ANSWERS[0]], 1, ["duplicate"]),
        ([*ANSWERS, {"question_id": "z", "pipeline": "P", "response": "?"}], 1, ["unaligned"]),
        ([ANSWERS[0], ANSWERS[1] | {"response": ""}], 0, ["empty response"]),
    ],
)
def test_the_exit_code_says_whether_all_was_scored(
    tmp_path: Path, capsys, files, responses, code: int, listed: list[str]
):
    """Exit 0 where each question has a scored response of each pipeline, 1 where one is missing or set aside; each such
    row has one line on stderr with its question and kind, and the kinds are counted."""
    write_jsonl(Path(files[1]), responses)
    assert main(["score", *files, "--out", str(tmp_path / "out.csv")]) == code
    lines = capsys.readouterr().err.splitlines()
    kinds = [
        line
        for line in lines
        if re.search(r'question_id "\w".*: (unanswered|duplicate|unaligned|empty response): ', line)
    ]
    assert len(kinds) == len(listed)
    assert all(kind in line for kind, line in zip(listed, kinds, strict=True))
    assert lines[len(kinds) :] == [f"qaviz: listed: 1 {kind}" for kind in listed]


def test_import_keeps_a_run(tmp_path: Path, capsys, monkeypatch, files):
    """`import` saves a run in the workspace that --workspace names, else QAVIZ_WORKSPACE, else ./workspace."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("QAVIZ_WORKSPACE", raising=False)
    assert main(["import", *files, "--name", "one"]) == 0
    monkeypatch.setenv("QAVIZ_WORKSPACE", str(tmp_path / "from the environment"))
    assert main(["import", *files, "--name", "two"]) == 0
    assert main(["import", *files, "--name", "three", "--workspace", str(tmp_path / "named")]) == 0
    names = {
        folder: [run.name for run in open_workspace(tmp_path / folder).runs()]
        for folder in ("workspace", "from the environment", "named")
    }
    assert names == {"workspace": ["one"], "from the environment": ["two"], "named": ["three"]}
    run = open_workspace(tmp_path / "named").find("three")
    assert f'saved as the run "three", id {run.run_id}' in capsys.readouterr().out


def test_a_files_text_cannot_steer_the_terminal(tmp_path: Path, capsys, files):
    """Control characters of a file's text arrive on the terminal spelled out."""
    hostile = {"question_id": "\x1b]0;owned\x07", "pipeline": "P\u202eQ", "response": "?"}
    write_jsonl(Path(files[1]), [*ANSWERS, hostile])
    main(["score", *files, "--out", str(tmp_path / "out.csv")])
    said = capsys.readouterr().err
    assert r"\x1b]0;owned\x07" in said
    assert all(char.isprintable() for line in said.splitlines() for char in line)


def test_pip_and_python_start_the_same(tmp_path: Path, files):
    """`python -m qaviz` runs the function that pip's `qaviz` is declared to run: the command, then its exit code."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert {name: EntryPoint(name, value, "").load() for name, value in declared.items()} == {"qaviz": run}
    command = [sys.executable, "-m", "qaviz", "score", *files, "--out", str(tmp_path / "out.jsonl")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[:2] == [f"file: {tmp_path / 'out.jsonl'}", "responses: 2"]
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["question_id"] for line in lines] == ["a", "b"]


def test_an_interrupt_while_libraries_load_is_no_traceback():
    """Ctrl+C right after the start, before the command has begun, ends it with exit code 130 and no traceback."""
    command = [sys.executable, "-X", "importtime", "-m", "qaviz", "runs", "list"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # One of many that the command's module imports.
        while process.stderr.readline().split("|")[-1].strip() != "polars":
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == INTERRUPTED
    assert "Traceback" not in err
    assert out == ""


ASKING = (
    *("runs list", "runs show June", "golden history June", "report June --out pack.md", "verify June"),
    *("export June --format fmeval --out folder", "gate July --baseline June", "bertscore June"),
    f"lint {GOLDEN} --run June",
)


@pytest.mark.parametrize("command", ASKING, ids=lambda command: " ".join(command.split()[:2]))
def test_what_only_asks_makes_no_workspace(tmp_path: Path, capsys, command: str):
    """A mistyped --workspace is said, and no folder is made of it."""
    assert main([*command.split(), "--workspace", str(tmp_path / "typo")]) == 2
    assert "typo: found no workspace; expected a folder that holds one" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_progress_shows_only_after_a_quiet_second(capsys, monkeypatch):
    """Short work says nothing; long work says what it is doing, a line for each kind of work where nobody watches: the
    number of rows that are done does not make it another kind."""
    with terminal.progress_line() as progress:
        progress(0.5, "scoring")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(terminal, "QUIET_S", 0)
    with terminal.progress_line() as progress:
        progress(0.25, "reading\na.csv")
        progress(0.3, "reading\na.csv")
        progress(0.5, "scored 9,000 rows")
        progress(0.6, "scored 10,000 rows")
    assert capsys.readouterr().err == "qaviz: reading\\na.csv, 25%\nqaviz: scored 9,000 rows, 50%\n"


def listening_addresses(port: int) -> set[str]:
    """Addresses in /proc/net on which this port listens, as the kernel writes them."""
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return {row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port}


def test_app_serves_this_machine_only_and_starts_with_the_sample(tmp_path: Path, capsys):
    """`app` listens on 127.0.0.1 alone and keeps the sample run at the first start; a taken port is refused in a line.
    The workspace is found from the folder in which the command was given, not from the app's own."""
    port = free_port()
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port)]
    with started(command, port, tmp_path, folder=tmp_path, PYTHONPATH=str(ROOT), QAVIZ_WORKSPACE="mine"):
        assert listening_addresses(port) == {"0100007F"}
        assert main(["app", "--port", str(port), "--workspace", str(tmp_path / "mine")]) == 2
        assert re.fullmatch(rf"qaviz: --port {port}: found .+ expected a free port.+\n", capsys.readouterr().err)
    assert [run.name for run in open_workspace(tmp_path / "mine").runs()] == [SAMPLE_NAME]
