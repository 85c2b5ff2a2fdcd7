"""An upload as a file on the disk: written once, for all that read it, and gone when nobody has it any more."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from weakref import finalize

from qaviz.loading.sandbox.client import private_folder
from qaviz.loading.sandbox.messages import room_refusals
from qaviz.loading.source import Source

_sizes: dict[Path, tuple[str, int]] = {}
"""Whose each file is, and its bytes."""


class _Copy:
    """Who has this has the file; it is removed with the last."""

    def __init__(self, file: Path, owner: str, size: int) -> None:
        _sizes[file] = owner, size
        finalize(self, _remove, file)


def count_spooled() -> dict[str, int]:
    """Bytes of the uploads that are on the disk, by owner."""
    held: dict[str, int] = {}
    for owner, size in list(_sizes.values()):
        held[owner] = held.get(owner, 0) + size
    return held


def kept(name: str, content: bytes, owner: str = "") -> Source:
    """The upload as a file in a folder that only we may look into, and that goes with this process, however it ends.

    The file goes earlier, when neither the source nor a copy of it is there any more. `owner` is the visitor's session.
    Raises QavizError if the disk has no room for it.
    """
    folder = Path(private_folder())
    with room_refusals(folder):
        descriptor, file = mkstemp(suffix=".upload", dir=folder)
        copy = _Copy(Path(file), owner, len(content))
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
    return Source(name, Path(file), uploaded=True, copy=copy)


def _remove(file: Path) -> None:
    _sizes.pop(file, None)
    # The folder may have gone before it.
    with suppress(OSError):
        file.unlink()
