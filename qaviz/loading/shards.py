"""Responses in many files, here or in a store elsewhere: which there are, and each at hand when its turn comes."""

import glob
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import pyarrow as pa
from pyarrow import fs

from qaviz.loading.load_log import quote_text
from qaviz.loading.source import Source
from qaviz.model.errors import QavizError, stop

SHARD_SUFFIXES = (".jsonl", ".ndjson", ".json", ".parquet")
"""Files that can be read part by part."""

_HIDDEN = ("_", ".")
"""How names begin that other tools leave beside their data: `_SUCCESS`, `.part-0.crc`."""

_WILD = "*?["


@dataclass(frozen=True)
class Shard:
    """One of the files that hold responses, as it was found."""

    name: str
    """What a person calls it: its path, or its address without access keys."""
    path: str
    """Where it is in its file system."""
    store: str
    """The address that the file system was found by; empty for files of this machine."""
    size: int
    modified: int
    """When it was last changed, in nanoseconds since 1970: with the size it tells whether it is still the same."""


def is_remote(address: str) -> bool:
    """Whether it names a store elsewhere (`s3://...`), not a path."""
    return "://" in address


def find_shards(addresses: Sequence[str]) -> list[Shard]:
    """The files at the addresses, each once, those of an address in the order of their names.

    An address is a file, a folder (with all that is below it, but names that begin with `_` or `.`), a pattern (`*`,
    `?`, `[...]`; below a store's address `*` and `[...]` only), each as a path or as an address that pyarrow knows
    (`s3://bucket/folder`). Raises QavizError for all addresses with nothing there, and all files that are no shards.
    """
    by_path: dict[str, Shard] = {}
    problems: list[QavizError] = []
    for address in addresses:
        try:
            shards = files_at(address)
        except QavizError as error:
            problems.append(error)
        else:
            by_path |= {shard.name: shard for shard in shards}
    others = [shard for shard in by_path.values() if not shard.path.lower().endswith(SHARD_SUFFIXES)]
    problems += map(_not_a_shard, others)
    if problems:
        raise QavizError(*(problem for error in problems for problem in error.problems))
    return list(by_path.values())


def files_at(address: str) -> list[Shard]:
    """The files at one address, of whatever suffix, in the order of their names. Raises QavizError for none."""
    return sorted(_remote(address) if is_remote(address) else _local(address), key=lambda shard: shard.name)


def _not_a_shard(shard: Shard) -> QavizError:
    suffix = PurePosixPath(shard.path).suffix
    fix = 'Save it in one of these formats, or name the others by a pattern: "folder/*.jsonl".'
    return stop(shard.name, f"the suffix {quote_text(suffix)}", f"one of {', '.join(SHARD_SUFFIXES)}", fix)


def _nothing(address: str) -> QavizError:
    return stop(_without_keys(address), "no file", "a file, a folder of files or a pattern", "Check the address.")


def _local(address: str) -> list[Shard]:
    path = Path(address)
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(path).parts)]
    elif path.is_file():
        files = [path]
    else:
        files = [Path(name) for name in glob.glob(address, recursive=True) if Path(name).is_file()]
    if not files:
        raise _nothing(address)
    return [_of_file(file) for file in files]


def _of_file(file: Path) -> Shard:
    state = file.stat()
    return Shard(str(file), str(file.resolve()), "", state.st_size, state.st_mtime_ns)


def _is_hidden(parts: Sequence[str]) -> bool:
    return any(part.startswith(_HIDDEN) for part in parts)


def _remote(address: str) -> list[Shard]:
    parts = urlsplit(address)
    fixed = parts.path
    if set(_WILD) & set(fixed):
        fixed = fixed[: min(fixed.index(mark) for mark in _WILD if mark in fixed)].rpartition("/")[0]
    store = parts._replace(path=fixed).geturl()
    try:
        system, base = fs.FileSystem.from_uri(store)
        infos = _infos(system, base)
    except (OSError, pa.ArrowException, ValueError) as error:
        fault = f"a store that cannot be read ({str(error).partition(chr(10))[0]})"
        fix = "Check the address, the access rights and the network."
        raise stop(_without_keys(address), fault, "files", fix) from None
    pattern = base + parts.path[len(fixed) :]
    files = [info for info in infos if _matches_pattern(info.path, base, pattern)]
    if not files:
        raise _nothing(address)
    scheme = f"{parts.scheme}://"
    return [Shard(scheme + info.path, info.path, store, info.size, info.mtime_ns or 0) for info in files]


def _infos(system: fs.FileSystem, base: str) -> list[fs.FileInfo]:
    """The file at `base`, or all files below it."""
    info = system.get_file_info(base)
    if info.type == fs.FileType.File:
        return [info]
    below = system.get_file_info(fs.FileSelector(base, allow_not_found=True, recursive=True))
    return [info for info in below if info.type == fs.FileType.File]


def _matches_pattern(path: str, base: str, pattern: str) -> bool:
    if pattern == base:
        return not _is_hidden(PurePosixPath(path[len(base) :]).parts[1:])
    names, wanted = path.split("/"), pattern.split("/")
    return len(names) == len(wanted) and all(map(fnmatchcase, names, wanted))


def _without_keys(address: str) -> str:
    """The address without what may hold access keys: the part before the `@`, and what follows the `?`."""
    if not is_remote(address):
        return address
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


@contextmanager
def at_hand(shard: Shard) -> Iterator[Source]:
    """The shard as a file of this machine; one from a store elsewhere is copied, and the copy removed afterwards.

    Raises QavizError if it cannot be copied.
    """
    if not shard.store:
        yield Source(shard.name, Path(shard.path))
        return
    system, _ = fs.FileSystem.from_uri(shard.store)
    with tempfile.TemporaryDirectory(prefix="qaviz-") as folder:
        copy = Path(folder, f"shard{PurePosixPath(shard.path).suffix}")
        try:
            with system.open_input_stream(shard.path) as remote, copy.open("wb") as local:
                shutil.copyfileobj(remote, local)
        except OSError as error:
            fault = f"a file that cannot be copied ({str(error).partition(chr(10))[0]})"
            fix = "Check that it is still there, the network, and the room for temporary files."
            raise stop(shard.name, fault, "a file that can be read", fix) from None
        yield Source(shard.name, copy)
