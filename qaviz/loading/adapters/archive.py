"""An Inspect log as a zip: one JSON file for what was asked, and one for each sample."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from qaviz.loading.adapters.tool import Record
from qaviz.loading.problems import quote_text, stop
from qaviz.loading.readers import strict_json
from qaviz.loading.readers.zips import refuse_long_directory
from qaviz.loading.source import Source
from qaviz.model.errors import QavizError

SUFFIX = ".eval"
DECODED_LIMIT = 512 * 1024**2
"""Most bytes that the files of an archive may be together once they are unpacked."""
MEMBER_LIMIT = 64 * 1024**2
"""Most bytes of one of them."""

_HEADS = ("header.json", "_journal/start.json")
"""What a log begins with, finished or not."""
_SAMPLES = "samples/"
_ZSTANDARD = 93
"""How Inspect packs since 2025, by the zip format's numbers."""
_LOCAL_HEADER = struct.Struct("<26xHH")


def is_archive(source: Source) -> bool:
    """Whether the file is to be read as such a zip."""
    return source.suffix == SUFFIX


def archived_head(source: Source) -> Record:
    """The log without its samples. Raises QavizError if the file is no such log."""
    with _open_archive(source) as archive:
        return _head(archive, source)


def archived_records(source: Source) -> Iterator[tuple[int, Record]]:
    """The log once for each sample, with only that one in it. Raises QavizError if the file is no such log, is damaged,
    or unpacks to more than DECODED_LIMIT."""
    with _open_archive(source) as archive:
        head = _head(archive, source)
        names = [name for name in archive.namelist() if name.startswith(_SAMPLES) and name.endswith(".json")]
        if sum(archive.getinfo(name).file_size for name in names) > DECODED_LIMIT:
            raise _too_large(source)
        left = DECODED_LIMIT
        for place, name in enumerate(names, 1):
            content = _unpack_member(archive, name, source)
            left -= len(content)
            if left < 0:
                raise _too_large(source)
            yield place, {**head, "samples": [_value(content, name, source)]}


@contextmanager
def _open_archive(source: Source) -> Iterator[zipfile.ZipFile]:
    with source.open() as stream:
        refuse_long_directory(source.name, stream)
        try:
            with zipfile.ZipFile(stream) as archive:
                yield archive
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            if isinstance(error, RecursionError):
                raise
            found = f"a zip that cannot be unpacked ({error})"
            raise stop(source.name, found, "an Inspect log", "Copy the log again, or export it as JSON.") from None


def _head(archive: zipfile.ZipFile, source: Source) -> dict[str, Any]:
    name = next((each for each in _HEADS if each in archive.namelist()), None)
    head = _value(_unpack_member(archive, name, source), name, source) if name else None
    if not isinstance(head, dict):
        raise stop(source.name, f"a zip without {_HEADS[0]}", "an Inspect log", "Take the log that Inspect wrote.")
    return head


def _unpack_member(archive: zipfile.ZipFile, name: str, source: Source) -> bytes:
    member = archive.getinfo(name)
    if member.compress_type == _ZSTANDARD:
        content = _zstandard(source, member)
    else:
        with archive.open(name) as stream:
            content = stream.read(MEMBER_LIMIT + 1)
    if len(content) > MEMBER_LIMIT:
        raise _too_large(source)
    return content


def _zstandard(source: Source, member: zipfile.ZipInfo) -> bytes:
    """What `zipfile` has no decoder for: the member's bytes, up to one more than MEMBER_LIMIT.

    Raises BadZipFile if they are not those that were packed.
    """
    with source.open() as stream:
        stream.seek(member.header_offset)
        # The lengths of name and extra field are the last two of the local header; both stand before the data.
        header = stream.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size:
            raise zipfile.BadZipFile("it breaks off")
        stream.seek(sum(_LOCAL_HEADER.unpack(header)), io.SEEK_CUR)
        packed = stream.read(member.compress_size)
    try:
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as decoded:
            content: bytes = decoded.read(MEMBER_LIMIT + 1)
    except (OSError, pa.ArrowInvalid) as error:
        raise zipfile.BadZipFile(str(error)) from None
    if len(content) <= MEMBER_LIMIT and zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile("a checksum that is not that of its bytes")
    return content


def _value(content: bytes, name: str, source: Source) -> Any:  # noqa: ANN401 - somebody's JSON
    try:
        return strict_json.value(content)
    except (ValueError, RecursionError) as error:
        found = f"a file {quote_text(name)} that is not plain JSON ({type(error).__name__})"
        raise stop(source.name, found, "JSON", "Copy the log again, or export it as JSON.") from None


def _too_large(source: Source) -> QavizError:
    limit = f"at most {DECODED_LIMIT // 1024**2:,} MB, and {MEMBER_LIMIT // 1024**2:,} MB a sample"
    return stop(source.name, "a zip that unpacks to more than an Inspect log needs", limit, "Export fewer samples.")
