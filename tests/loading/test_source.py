"""What a file is called: enough to find it among the others, and nothing of where it lies on this machine."""

import os
from pathlib import Path

import pytest

from qaviz.loading import Source, apart, load, silent
from qaviz.model.columns import PIPELINE
from qaviz.model.errors import QavizError
from tests.builders import write_jsonl
from tests.loading.files import TRIPLET, entries

NAMES = {
    "one file": (["/home/anna/run/g.jsonl"], ["g.jsonl"]),
    "other names": (["/home/anna/g.jsonl", "/home/bert/r.jsonl"], ["g.jsonl", "r.jsonl"]),
    "the same name in two folders": (
        ["/home/a/r.csv", "/home/b/r.csv", "/home/g.csv"],
        ["a/r.csv", "b/r.csv", "g.csv"],
    ),
    "the same folder's name too": (["/v1/out/r.csv", "/v2/out/r.csv"], ["v1/out/r.csv", "v2/out/r.csv"]),
    "at the top and below": (["/r.csv", "/a/r.csv"], ["/r.csv", "a/r.csv"]),
    "the same file, written in two ways": (["/a/r.csv", "/a/b/../r.csv"], ["r.csv", "r.csv"]),
}


@pytest.mark.parametrize(("paths", "names"), NAMES.values(), ids=NAMES)
def test_a_file_is_named_as_briefly_as_tells_it_from_the_others(paths: list[str], names: list[str]):
    """A file goes by its name; files of one name have as much of their folders before it as they need to differ."""
    assert [source.name for source in Source.each_of(paths)] == names


def test_a_path_from_the_current_folder_is_read_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A path is meant from the folder in which it was given, and is the same file as its whole path."""
    write_jsonl(tmp_path / "g.jsonl", [TRIPLET])
    monkeypatch.chdir(tmp_path)

    assert Source.of("g.jsonl") == Source.of(tmp_path / "g.jsonl")


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet", ".xlsx", ".eval"])
def test_what_might_never_end_is_not_opened(tmp_path: Path, suffix: str):
    """A pipe is refused in words, whatever its suffix: opening one waits for whoever writes to it, perhaps for ever."""
    pipe = tmp_path / f"g{suffix}"
    os.mkfifo(pipe)

    with pytest.raises(QavizError, match="found a pipe or a device; expected a file"):
        apart.load_golden(Source.of(pipe), silent)


def test_nothing_that_is_kept_says_where_the_files_lie(tmp_path: Path):
    """Neither what is listed nor the names of files hold the whole path; two files of one name stay two pipelines."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [TRIPLET, TRIPLET | {"question_id": "q2", "question": "Why?"}])
    files = [tmp_path / name / "responses.jsonl" for name in ("gpt", "rag")]
    for file in files:
        file.parent.mkdir()
        write_jsonl(file, [{"question_id": "q1", "response": ""}])
    first, *others = Source.each_of([golden, *files])
    loaded = load(first, others)

    assert loaded.sources == ("golden.jsonl", "gpt/responses.jsonl", "rag/responses.jsonl")
    assert loaded.rows[PIPELINE].to_list() == ["gpt/responses", "rag/responses"]
    assert [where for where, *_ in entries(loaded, "empty response")] == [
        "gpt/responses.jsonl line 1",
        "rag/responses.jsonl line 1",
    ]
    assert str(tmp_path) not in loaded.listed.write_csv()
