"""What a file is called: enough to find it among the others, and nothing of where it lies on this machine; what it is
read as, and its fingerprint."""

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path

import pytest

from qaviz.loading import Source, apart, load, silent
from qaviz.loading.formats import read_batches
from qaviz.loading.load_log import ENCODING, IGNORED_FILE
from qaviz.loading.source import fingerprint
from qaviz.model.columns import PIPELINE
from qaviz.model.errors import QavizError
from qaviz.model.records import SourceFile
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
    assert loaded.rows[PIPELINE].to_list() == ["gpt", "rag"]
    assert [where for where, *_ in entries(loaded, "empty response")] == [
        "gpt/responses.jsonl line 1",
        "rag/responses.jsonl line 1",
    ]
    assert str(tmp_path) not in loaded.listed.write_csv()


ENCODED = {
    "Windows-1252": ("question,answer\nWas heißt „Müll“?,“waste” – 5 €\n", "cp1252"),
    "Latin-1": ("question,answer\n¿Dónde está?,Málaga\n", "latin-1"),
    "a language of another encoding": ("question,answer\nСколько?,пять\n", "cp1251"),
    "Macintosh": ("question,answer\nOù est le café?,Là-bas\n", "mac-roman"),
    "Polish": ("question,answer\nGdzie jest łódź?,W Łodzi\n", "cp1250"),
}


@pytest.mark.parametrize(("text", "encoding"), ENCODED.values(), ids=ENCODED)
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_another_encoding_is_read_where_it_alone_makes_words(text: str, encoding: str, suffix: str):
    """Windows-1252 and Latin-1 are read and listed; where another encoding is as likely, UTF-8 is asked for."""
    lines = [dict(zip(("question", "answer"), text.splitlines()[1].split(","), strict=True))]
    content = text if suffix == ".csv" else json.dumps(lines[0], ensure_ascii=False) + "\n"
    source = Source(f"g{suffix}", content.encode(encoding))
    if encoding in ("cp1252", "latin-1"):
        (batch,) = read_batches(source)
        assert [record for _, record in batch.records] == lines
        ((kind, words),) = batch.notes
        assert (kind, "Windows-1252" in words) == (ENCODING, True)
    else:
        with pytest.raises(QavizError, match="bytes that are not UTF-8"):
            list(read_batches(source))


def test_two_encodings_in_one_file_are_refused():
    """A file with UTF-8 in one line and Windows-1252 in another reads as neither: the line is named."""
    source = Source("g.csv", "question,answer\nOù?,é\n".encode() + "Où?,à\n".encode("cp1252"))

    with pytest.raises(QavizError, match=r"g\.csv line 3: found bytes that are not UTF-8"):
        list(read_batches(source))


def zip_of(contents: dict[str, str]) -> Source:
    """A zip with these files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in contents.items():
            made.writestr(name, content)
    return Source("b.zip", file.getvalue())


def test_a_zip_is_its_tables():
    """The files of a zip are tables under its name; what is no table is listed, and what systems leave is not."""
    source = zip_of(
        {
            "a/g.csv": "question,answer\nq,a\n",
            "r.jsonl": '{"question": "q", "response": "x"}\n',
            "../up.csv": "question,A\nq,y\n",
            "notes.txt": "x",
            "__MACOSX/a/._g.csv": "\0",
        }
    )
    batches = list(read_batches(source))

    assert [(batch.place, batch.frame.height) for batch in batches] == [
        ("b.zip/a/g.csv", 1),
        ("b.zip/r.jsonl", 1),
        ("b.zip/../up.csv", 1),
    ]
    assert batches[0].notes == ((IGNORED_FILE, '"notes.txt" is no table: left out'),)
    with pytest.raises(QavizError, match="no table in the zip"):
        list(read_batches(zip_of({"notes.txt": "x"})))


BYTES = "\ufeffline one\r\n🙂 line two\x00".encode()


def test_a_fingerprint_is_of_the_bytes(tmp_path: Path):
    """A file and an upload of the same bytes have one fingerprint: SHA-256 and size of the bytes, marks and all."""
    file = tmp_path / "golden.csv"
    file.write_bytes(BYTES)
    expected = SourceFile(name="golden.csv", sha256=hashlib.sha256(BYTES).hexdigest(), size=len(BYTES))
    assert fingerprint(Source.of(file)) == fingerprint(Source("golden.csv", BYTES)) == expected
