"""What a file was when it was read: its size and the hash of its bytes, to tell later whether it is the same one."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from qaviz.loading.source import Source
from qaviz.model.records import SourceFile

_BLOCK = 1024**2


def fingerprint(source: Source) -> SourceFile:
    """Name, SHA-256 and size of the file. Raises QavizError if it cannot be read or is empty."""
    digest, size = hashlib.sha256(), 0
    with source.open() as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return SourceFile(name=source.name, sha256=digest.hexdigest(), size=size)


@contextmanager
def taken_meanwhile(sources: Sequence[Source]) -> Iterator[Future[tuple[SourceFile, ...]]]:
    """Take the files' fingerprints while the block reads them, so that each is fetched from the disk once.

    Gives what will be the fingerprints, each file's once, in order; asked for them before a file was read, it raises as
    `fingerprint` does.
    """
    files = {(source.name, source.data): source for source in sources}.values()
    with ThreadPoolExecutor(1, "fingerprints") as pool:
        yield pool.submit(lambda: tuple(map(fingerprint, files)))
