"""Files that are read in a process of their own: the same as read here, and whatever becomes of that process."""

import resource
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

from qaviz.loading import Source, apart, labels, load_golden, preview, silent, stream
from qaviz.model.errors import Problem, QavizError
from qaviz.processes import take_tables, write_tables
from tests.builders import SAMPLE
from tests.fmeval_files import answer_row, fact_row, fmeval_file
from tests.loading.adapters.files import RAGAS_ROW, document
from tests.loading.files import GOLDEN_FILE, jsonl, upload
from tests.loading.formats.test_xlsx import rows, workbook

PATHS = [Source.of(SAMPLE / "golden.jsonl"), Source.of(SAMPLE / "responses.jsonl")]
UPLOADS = [Source(each.name, each.data.read_bytes()) for each in PATHS if isinstance(each.data, Path)]
SHEETS = workbook(
    "both.xlsx", golden=rows(("question", "fact"), ("q", "a")), given=rows(("question", "P1"), ("q", "x"))
)
FMEVAL = [
    fmeval_file("factual_knowledge_P.jsonl", fact_row("Where?", "Here.", "here")),
    fmeval_file("qa_accuracy_P.jsonl", answer_row("Where?", "Here.", "It is here.")),
]
LABELS = jsonl("labels.jsonl", {"question_id": "q1", "pipeline": "A", "label": "correct"})
VERDICTS = jsonl("scored.jsonl", {"question_id": "q1", "pipeline": "A", "verdict": "correct", "confidence": 0.5})


@pytest.mark.parametrize(
    "files", [PATHS, UPLOADS, [SHEETS, SHEETS], FMEVAL], ids=["paths", "uploads", "one", "FMEval's"]
)
def test_chunks_are_those_that_are_read_here(files: list[Source]):
    """Rows, lists, golden dataset and whose the scores are: all as without the process between."""
    here = list(stream(files[0], files[1:], keep_scores=True))
    there = list(apart.stream(files[0], files[1:], keep_scores=True))

    assert [chunk.scored for chunk in there] == [chunk.scored for chunk in here]
    for ours, theirs in zip(here, there, strict=True):
        for name in ("rows", "listed", "golden"):
            assert_frame_equal(getattr(theirs, name), getattr(ours, name), check_exact=True)


@pytest.mark.parametrize(
    "files",
    [PATHS, UPLOADS, [SHEETS], [document("r.json", [RAGAS_ROW])]],
    ids=["paths", "uploads", "workbook", "Ragas"],
)
def test_a_preview_is_that_of_reading_here(files: list[Source]):
    """Columns, words, pipelines, what is lacking, rows and tool of each table come over as they are."""
    for here, there in zip(preview(None, files), apart.preview(None, files), strict=True):
        assert_frame_equal(there.first, here.first)
        assert {**vars(there), "first": None} == {**vars(here), "first": None}


def test_the_other_files_are_read_apart_too():
    """Labels, verdicts and a golden dataset by itself are those that are read here; a mapping reaches the preview."""
    assert_frame_equal(apart.read_labels(LABELS, silent), labels.read_labels(LABELS, silent))
    assert_frame_equal(apart.read_verdicts(VERDICTS, silent), labels.read_verdicts(VERDICTS, silent))
    for ours, theirs in zip(load_golden(GOLDEN_FILE, silent), apart.load_golden(GOLDEN_FILE, silent), strict=True):
        assert_frame_equal(theirs, ours)
    mapped = replace(GOLDEN_FILE, mapping={"fact": ""})
    assert apart.preview(mapped, [])[0].words == preview(mapped, [])[0].words


def test_what_fmeval_wrote_is_told():
    """FMEval's output is told from any other file; a file that cannot be read is nobody's."""
    files = [FMEVAL[0], document("r.json", [RAGAS_ROW]), GOLDEN_FILE, upload("r.json", "[")]
    assert [apart.is_fmeval_output(source) for source in files] == [True, False, False, False]


def test_problems_are_those_of_reading_here():
    """Everything that is wrong with the files is said as it is without the process between."""
    files = upload("g.jsonl", b"{"), upload("r.csv", "question_id,A\nq1\n")
    with pytest.raises(QavizError) as here:
        list(stream(files[0], files[1:]))
    with pytest.raises(QavizError) as there:
        list(apart.stream(files[0], files[1:]))
    assert there.value.problems == here.value.problems


def refusal(asked: Iterator[object]) -> Problem:
    with pytest.raises(QavizError) as caught:
        list(asked)
    (problem,) = caught.value.problems
    return problem


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_nothing_is_left_of_a_request(temporary: Path):
    """What is handed over stands in a folder that only we may look into, and is gone when the answer is there."""
    modes: set[int] = set()

    def look(_fraction: float, _words: str) -> None:
        modes.update(folder.stat().st_mode & 0o077 for folder in temporary.iterdir())

    list(apart.stream(UPLOADS[0], UPLOADS[1:], progress=look))

    assert modes == {0}
    assert list(temporary.iterdir()) == []


def test_a_full_disk_is_said(temporary: Path):
    """An upload that has no room in the folder for temporary files is refused with that folder's name."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        problem = refusal(apart.stream(upload("g.jsonl", b" " * 10_000), []))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "File too large" in problem.found
    assert problem.where.startswith(str(temporary))


def test_a_full_disk_is_said_of_a_table(tmp_path: Path):
    """A table that has no room among the temporary files is refused with what to do, whatever polars calls that."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        with pytest.raises(QavizError, match=r"File too large.+set TMPDIR"):
            write_tables(tmp_path, 0, {"rows": pl.DataFrame({"row": range(10_000)})})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_table_that_is_broken_is_not_taken(tmp_path: Path):
    """What a reader hands over is checked: bytes that are no text, and a name that leads elsewhere, are refused."""
    broken = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe"))
    pq.write_table(pa.table({"text": broken}), tmp_path / "0-rows.parquet", use_dictionary=False)

    with pytest.raises(ValueError, match=r"(?i)utf"):
        take_tables(tmp_path, {"rows": "0-rows.parquet"})
    with pytest.raises(FileNotFoundError):
        take_tables(tmp_path / "inside", {"rows": "../0-rows.parquet"})
