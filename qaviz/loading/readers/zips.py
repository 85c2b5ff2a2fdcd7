"""A zip's list of entries, which is read whole before anything else: no longer than people's files have it."""

import struct
from typing import BinaryIO

from qaviz.loading.problems import stop

DIRECTORY_LIMIT = 8 * 1024**2
"""Most bytes of the list: 50,000 entries with names of 100 characters. Each costs ten times as much once it is read."""

_LONGEST_COMMENT = 65_535
_END = struct.Struct("<4s8xL6x")
"""The record at a zip's end: its mark, and the bytes of the list."""
_END_64 = struct.Struct("<4s36xQ8x")
"""The same of zips over 4 GB; it and the 20 bytes that lead to it stand in front of that record."""
_LOCATOR = 20


def refuse_long_directory(name: str, stream: BinaryIO) -> None:
    """Raise QavizError for a zip whose list of entries is longer than DIRECTORY_LIMIT; anything odd is left to zipfile.

    The stream stands at its start afterwards.
    """
    size = stream.seek(0, 2)
    stream.seek(max(0, size - _LONGEST_COMMENT - _END.size - _LOCATOR - _END_64.size))
    tail = stream.read()
    stream.seek(0)
    at = tail.rfind(b"PK\5\6")
    length = 0
    if at >= 0 and at + _END.size <= len(tail):
        length = _END.unpack_from(tail, at)[1]
        before = at - _LOCATOR - _END_64.size
        if before >= 0 and tail.startswith(b"PK\6\6", before):
            length = _END_64.unpack_from(tail, before)[1]
    if length > DIRECTORY_LIMIT:
        found = f"a zip whose list of entries has {length / 1024**2:,.0f} MB"
        fix = "Check where the file comes from; if you trust it, export fewer samples, or another format."
        raise stop(name, found, f"at most {DIRECTORY_LIMIT // 1024**2:,} MB", fix)
