"""Which shards an address means, and each of them as a file of this machine; a server here plays the store."""

import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from qaviz.loading.source import at_hand, find_shards
from qaviz.model.errors import QavizError

FILES = {
    "b.jsonl": b"2",
    "a.parquet": b"1",
    "_SUCCESS": b"",
    ".a.parquet.crc": b"",
    "year=2023/part-0.ndjson": b"30",
    "year=2023/part-1.ndjson": b"31",
    "year=2023/_temporary/part-2.ndjson": b"unfinished",
}

ADDRESSES = {
    "folder": ("{}", ["a.parquet", "b.jsonl", "year=2023/part-0.ndjson", "year=2023/part-1.ndjson"]),
    "folder below": ("{}/year=2023", ["year=2023/part-0.ndjson", "year=2023/part-1.ndjson"]),
    "pattern": ("{}/*.jsonl", ["b.jsonl"]),
    "pattern of folders": ("{}/year=*/part-[1-9].ndjson", ["year=2023/part-1.ndjson"]),
    "file": ("{}/b.jsonl", ["b.jsonl"]),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files, as many tools leave them."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


class Store(BaseHTTPRequestHandler):
    """What S3 answers when it is asked for a bucket's list and for an object, as far as reading needs it."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        _, bucket, *names = unquote(asked.path).split("/")
        name = "/".join(names)
        if bucket == "closed":
            self.answer(b"<Error><Code>AccessDenied</Code></Error>", 403)
        elif not name and "list-type" in asked.query:
            self.answer(self.listing(bucket, parse_qs(asked.query).get("prefix", [""])[0]))
        elif bucket == "bucket" and name in FILES:
            self.answer(FILES[name])
        else:
            self.answer(b"<Error><Code>NoSuchKey</Code></Error>", 404)

    def listing(self, bucket: str, prefix: str) -> bytes:
        keys = sorted(name for name in FILES if name.startswith(prefix))
        stamp = "<LastModified>2026-11-01T00:00:00.000Z</LastModified>"
        found = (f"<Contents><Key>{key}</Key>{stamp}<Size>{len(FILES[key])}</Size></Contents>" for key in keys)
        head = f"<Name>{bucket}</Name><KeyCount>{len(keys)}</KeyCount><IsTruncated>false</IsTruncated>"
        return f"<?xml version='1.0'?><ListBucketResult>{head}{''.join(found)}</ListBucketResult>".encode()

    def answer(self, body: bytes, status: int = 200) -> None:
        whole = len(body)
        if status == 200 and "Range" in self.headers:
            first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
            body, status = body[int(first) : int(last) + 1], 206
        self.send_response(status)
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{int(first) + len(body) - 1}/{whole}")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", "Sun, 01 Nov 2026 00:00:00 GMT")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: a test's output is its own."""


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What follows the `?` of an `s3://` address whose bucket has the files."""
    monkeypatch.setitem(os.environ, "AWS_EC2_METADATA_DISABLED", "true")
    with ThreadingHTTPServer(("127.0.0.1", 0), Store) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"endpoint_override=127.0.0.1%3A{server.server_port}&scheme=http&region=us-east-1"
        server.shutdown()


@pytest.mark.parametrize(("address", "names"), ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_means_these_files(folder: Path, address: str, names: list[str]):
    """A folder means all below it but hidden names, a pattern what it fits, a file itself; in the order of names."""
    shards = find_shards([address.format(folder)])

    assert [shard.name for shard in shards] == [str(folder / name) for name in names]
    assert [shard.size for shard in shards] == [len(FILES[name]) for name in names]
    for shard, name in zip(shards, names, strict=True):
        with at_hand(shard) as source:
            assert (source.data, source.name) == (folder / name, str(folder / name))


@pytest.mark.parametrize(("address", "names"), ADDRESSES.values(), ids=ADDRESSES)
def test_a_store_is_read_as_a_folder_is(store: str, address: str, names: list[str]):
    """An `s3://` address means the same files, each at hand as a copy that is gone afterwards; keys are not shown."""
    shards = find_shards([f"{address.format('s3://KEY:SECRET@bucket')}?{store}"])

    assert [shard.name for shard in shards] == [f"s3://bucket/{name}" for name in names]
    for shard, name in zip(shards, names, strict=True):
        with at_hand(shard) as source:
            assert isinstance(source.data, Path)
            assert source.data.read_bytes() == FILES[name]
            assert source.suffix == Path(name).suffix
        assert not source.data.exists()


def test_a_shard_that_is_gone_is_a_problem(store: str):
    """A file that left the store after it was found is said by its name."""
    shard = replace(find_shards([f"s3://KEY:SECRET@bucket/b.jsonl?{store}"])[0], path="bucket/gone.jsonl")
    with pytest.raises(QavizError, match=r"s3://bucket/b\.jsonl: found a file that cannot be copied"), at_hand(shard):
        pass


def test_a_changed_file_is_another_shard(folder: Path):
    """Size or time of change tell a file from what it was."""
    address = str(folder / "b.jsonl")
    before = find_shards([address])
    os.utime(address, ns=(0, before[0].modified + 1))
    touched = find_shards([address])
    (folder / "b.jsonl").write_bytes(b"22")
    os.utime(address, ns=(0, before[0].modified))

    assert before != touched
    assert find_shards([address]) not in (before, touched)


def test_a_file_named_twice_is_one_shard(folder: Path):
    """A file that two addresses mean is read once, where it is first named."""
    shards = find_shards([str(folder / "b.jsonl"), str(folder / "*.*")])

    assert [Path(shard.name).name for shard in shards] == ["b.jsonl", "a.parquet"]


def test_all_that_is_wrong_is_said_at_once(folder: Path, store: str):
    """Addresses with nothing there, files of other formats and closed stores are all named; access keys are not."""
    (folder / "notes.csv").write_bytes(b"")
    stores = [f"s3://KEY:SECRET@{place}?{store}" for place in ("bucket/none", "closed/x")]
    with pytest.raises(QavizError) as caught:
        find_shards([str(folder), f"{folder}/*.txt", *stores])

    said = [f"{problem.where}: {problem.found}" for problem in caught.value.problems]
    assert said[0] == f"{folder}/*.txt: no file"
    assert said[1] == "s3://bucket/none: no file"
    assert said[2].startswith("s3://closed/x: a store that cannot be read (")
    assert said[3] == f'{folder}/notes.csv: the suffix ".csv"'
    assert "SECRET" not in str(caught.value)
