import hashlib
from pathlib import Path

import pytest

from qaviz.loading import Source
from qaviz.loading.source import fingerprint, taken_meanwhile
from qaviz.model.errors import QavizError
from qaviz.model.records import SourceFile

BYTES = "\ufeffline one\r\n🙂 line two\x00".encode()


def test_a_fingerprint_is_of_the_bytes(tmp_path: Path):
    """A file and an upload of the same bytes have one fingerprint: SHA-256 and size of the bytes, marks and all."""
    file = tmp_path / "golden.csv"
    file.write_bytes(BYTES)
    expected = SourceFile(name="golden.csv", sha256=hashlib.sha256(BYTES).hexdigest(), size=len(BYTES))
    assert fingerprint(Source.of(file)) == fingerprint(Source("golden.csv", BYTES)) == expected


def test_fingerprints_come_in_order_each_file_once():
    """A file that holds the golden dataset and the responses is listed once; others in the order they were given."""
    sources = [Source(name, name.encode()) for name in ("b", "a", "b")]
    with taken_meanwhile(sources) as files:
        pass
    assert [file.name for file in files.result()] == ["b", "a"]


def test_what_cannot_be_read_stops_nothing_but_whoever_asks(tmp_path: Path):
    """The block runs to its end where a file is missing; only the answer is refused, with the file's name."""
    with taken_meanwhile([Source.of(tmp_path / "missing.csv")]) as files:
        done = True
    assert done
    with pytest.raises(QavizError, match=r"missing\.csv"):
        files.result()
