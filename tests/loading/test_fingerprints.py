import hashlib
from pathlib import Path

from qaviz.loading import Source
from qaviz.loading.source import fingerprint
from qaviz.model.records import SourceFile

BYTES = "\ufeffline one\r\n🙂 line two\x00".encode()


def test_a_fingerprint_is_of_the_bytes(tmp_path: Path):
    """A file and an upload of the same bytes have one fingerprint: SHA-256 and size of the bytes, marks and all."""
    file = tmp_path / "golden.csv"
    file.write_bytes(BYTES)
    expected = SourceFile(name="golden.csv", sha256=hashlib.sha256(BYTES).hexdigest(), size=len(BYTES))
    assert fingerprint(Source.of(file)) == fingerprint(Source("golden.csv", BYTES)) == expected
