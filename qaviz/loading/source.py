"""Where bytes come from: a path or an upload, opened as UTF-8 text whatever its encoding; its fingerprint; and files in
many shards, here or in a store elsewhere, each at hand when its turn comes.
"""

import codecs
import glob
import hashlib
import io
import os.path
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from urllib.parse import urlsplit

from qaviz.loading.load_log import quote_text
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress, SourceFile

UPLOAD_LIMIT = 500 * 1024**2
"""Most bytes of a file that arrives through the browser, which the server holds in memory until all of it is there. A
path on this machine has no limit: it is streamed."""

_BLOCK = 1024**2


@dataclass(frozen=True)
class Source:
    """One file to load: where its bytes are, and what a person says of how to read it."""

    name: str
    """What people call it, in problems and in all that is kept with a run: never its whole path on this machine."""
    data: Path | bytes
    limit: int = UPLOAD_LIMIT
    """Most bytes of an upload; a path has no limit."""
    uploaded: bool = False
    """Whether the file at the path is an upload's copy: then its folder says nothing of it."""
    sheet: str = ""
    """The sheet of a workbook to read; empty for the first that has the columns."""
    mapping: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Which columns are which word of ours, "" for a column that is left out; the other columns are recognised. Several
    columns mapped to `response` are a pipeline each."""
    skip_bad: bool = False
    """Whether rows that will not do are left out and listed, instead of the file being refused."""
    keep_errors: bool = False
    """Whether a response that is an error message of the pipeline is an answer all the same."""
    joined: tuple[tuple[str, str], ...] = ()
    """Of a golden dataset: pairs that a person joined, a question as responses word it and the question_id it means."""
    format: str = ""
    """The suffix of the format, where the name has none: of a table in memory, which has its caller's name."""
    copy: object = field(default=None, compare=False, repr=False)
    """Keeps an upload's copy on the disk: the copy is removed together with this object."""

    @classmethod
    def of(cls, path: Path | str) -> "Source":
        """The file at `path`, named without its folder; `book.xlsx#Sheet` is that sheet of the workbook."""
        return cls.each_of([path])[0]

    @classmethod
    def each_of(cls, paths: Sequence[Path | str]) -> list["Source"]:
        """The files, each with as much of its folder in its name as tells it from the others."""
        placed = [_file_and_sheet(Path(os.path.abspath(path))) for path in paths]
        files = {file for file, _ in placed}
        names: dict[Path, str] = {}
        parts = 1
        while len(names) < len(files):
            ends = {file: Path(*file.parts[-parts:]) for file in files}
            times = Counter(ends.values())
            names = {file: end.as_posix() for file, end in ends.items() if times[end] == 1} | names
            parts += 1
        return [cls(names[file], file, sheet=sheet) for file, sheet in placed]

    @property
    def suffix(self) -> str:
        """`.jsonl`, in lower case; empty if the name has none."""
        return self.format or Path(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """The file's name without folder and suffix."""
        return Path(self.name).stem

    @property
    def folder(self) -> str:
        """The name of the folder that it lies in; empty if nothing is known of that."""
        path = self.data if isinstance(self.data, Path) and not self.uploaded else Path(self.name)
        return path.parent.name

    @property
    def size(self) -> int:
        """Bytes; 0 if there is no such file."""
        if isinstance(self.data, bytes):
            return len(self.data)
        return self.data.stat().st_size if self.data.is_file() else 0

    def open(self) -> BinaryIO:
        """The raw bytes. Raises QavizError if the file cannot be read, is empty, or is an upload over its limit."""
        if isinstance(self.data, bytes):
            self.refuse_over_limit()
            stream: BinaryIO = io.BytesIO(self.data)
        else:
            if self.data.exists() and not (self.data.is_file() or self.data.is_dir()):
                # Opening a pipe waits for whoever writes to it, and a device may never end.
                raise stop(self.name, "a pipe or a device", "a file", "Save what it gives as a file first.")
            try:
                stream = self.data.open("rb")
            except OSError as error:
                fault = f"no file that can be read ({error.strerror})"
                raise stop(self.name, fault, "a file", f"Check the path {self.data} and its permissions.") from None
        if not self.size:
            stream.close()
            raise stop(self.name, "an empty file", "rows", "Export it again.")
        return stream

    def refuse_over_limit(self) -> None:
        """Raise QavizError if it is an upload over its limit."""
        if self.size > self.limit:
            raise stop(
                self.name,
                f"an upload of {self.size / 1024**2:,.1f} MB",
                f"at most {self.limit / 1024**2:,.0f} MB",
                "Split the file, or load it with `python -m qaviz import`, which has no limit.",
            )


def _file_and_sheet(path: Path) -> tuple[Path, str]:
    """The path and no sheet, or, where no file is called so, a workbook's path and what follows its `#`."""
    file, mark, sheet = str(path).rpartition("#")
    return (Path(file), sheet) if mark and not path.exists() and Path(file).is_file() else (path, "")


@contextmanager
def open_text(source: Source) -> Iterator[BinaryIO]:
    """The file as UTF-8 bytes without byte order mark; UTF-16 with a byte order mark is converted.

    Raises QavizError for binary data, and for UTF-16 without the mark. Later bytes that are no UTF-8 are the reader's.
    """
    with source.open() as stream:
        head = stream.read(64 * 1024)  # a NUL byte in the first of them says that it is not text
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            try:
                text = (head + stream.read()).decode("utf-16")
            except UnicodeDecodeError as error:
                fault = f"UTF-16 that breaks at byte {error.start + 1:,}"
                raise stop(source.name, fault, "whole characters", "Save the file as UTF-8.") from None
            yield io.BytesIO(text.encode())
            return
        if 0 in head:
            fault = f"binary data, or UTF-16 without its mark (a NUL at byte {head.index(0) + 1:,})"
            expected = f"text, as the suffix {source.suffix} says"
            raise stop(source.name, fault, expected, "Check the suffix, or save the file as UTF-8.")
        stream.seek(len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0)
        yield stream


def convert_to_utf_8(source: Source) -> Source:
    """The file, or its text in UTF-8 where Windows-1252 (which has all letters of Latin-1) is its only reading.

    What is neither stays as it is: the reader finds the line. Raises QavizError as `open_text` does.
    """
    with open_text(source) as stream:
        block = next((block for block in iter(lambda: stream.read(_BLOCK), b"") if not block.isascii()), b"")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(block)
    except UnicodeDecodeError:
        if source.size > UPLOAD_LIMIT:
            return source  # all of it would be held
    else:
        return source
    with open_text(source) as stream:
        text = _read_windows_1252(stream.read())
    return source if text is None else replace(source, data=(data := text.encode()), copy=None, limit=len(data))


_CAPITALS = "À-ÖØ-ÞŠŽŒŸ"
_LETTERS = f"{_CAPITALS}ß-öø-ÿšžœƒªºµ"
_NO_WORDS = re.compile(
    rf"""[{_LETTERS}][^\x00-\x7f]*[{_LETTERS}][^\x00-\x7f]*[{_LETTERS}]  # three letters with accents in a row
    | (?<=[a-z])[{_CAPITALS}]+(?![^\x00-\x7f])  # a capital after a small letter
    | (?<=[A-Za-z])(?![’‘´·–—\xad][A-Za-z])[^\x00-\x7f{_LETTERS}]+(?=[A-Za-z])  # a sign inside a word""",
    re.VERBOSE,
)
"""What texts of Western European languages do not have."""


def _read_windows_1252(lines: bytes) -> str | None:
    """The text, if it reads as one of a Western European language and no line is UTF-8; else None: another encoding
    would be as likely."""
    if any(line.decode(errors="ignore").encode() == line for line in lines.split(b"\n") if not line.isascii()):
        return None
    try:
        text = lines.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return None if _NO_WORDS.search(text) else text


def fingerprint(source: Source) -> SourceFile:
    """Name, SHA-256 and size of the file. Raises QavizError if it cannot be read or is empty."""
    with source.open() as stream:
        digest = hashlib.file_digest(stream, "sha256")  # type: ignore[arg-type] # BytesIO and files are what it takes
        return SourceFile(name=source.name, sha256=digest.hexdigest(), size=source.size)


def split_progress(files: Sequence[Source], progress: Progress) -> list[Progress]:
    """For each file its part of the whole progress, by its share of the bytes."""
    sizes = [source.size for source in files]
    whole = max(1, sum(sizes))

    def step(place: int) -> Progress:
        before, share = sum(sizes[:place]) / whole, sizes[place] / whole
        return lambda fraction, words: progress(before + fraction * share, words)

    return [step(place) for place in range(len(files))]


SHARD_SUFFIXES = (".jsonl", ".ndjson", ".json", ".parquet")
"""Files that can be read part by part."""

_HIDDEN = ("_", ".")
"""How names begin that other tools leave beside their data: `_SUCCESS`, `.part-0.crc`."""


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
    fix = 'Save it in one of these formats, or name the others by a pattern: "folder/*.jsonl".'
    shards, problems = find_files(addresses, SHARD_SUFFIXES, fix)
    if problems:
        raise QavizError(*problems)
    return shards


def find_files(addresses: Sequence[str], suffixes: Collection[str], fix: str) -> tuple[list[Shard], list[Problem]]:
    """The files of these suffixes at the addresses, each once; and a problem for each address with nothing there, and
    for each file of another suffix, with what to do."""
    files: dict[str, Shard] = {}
    problems: list[Problem] = []
    for address in addresses:
        try:
            files |= {file.name: file for file in files_at(address)}
        except QavizError as error:
            problems += error.problems
    read = {name: file for name, file in files.items() if PurePosixPath(file.path).suffix.lower() in suffixes}
    problems += [refuse_suffix(name, suffixes, fix) for name in files if name not in read]
    return list(read.values()), problems


def refuse_suffix(name: str, suffixes: Collection[str], fix: str) -> Problem:
    """The problem of a file whose suffix is none of these."""
    fault = f"the suffix {quote_text(PurePosixPath(name).suffix)}"
    return Problem(where=name, found=fault, expected=f"one of {', '.join(suffixes)}", fix=fix)


def files_at(address: str) -> list[Shard]:
    """The files at one address, of whatever suffix, in the order of their names. Raises QavizError for none."""
    shards = _list_remote(address) if is_remote(address) else _list_local(address)
    if not shards:
        raise stop(_without_keys(address), "no file", "a file, a folder of files or a pattern", "Check the address.")
    return sorted(shards, key=lambda shard: shard.name)


def _list_local(address: str) -> list[Shard]:
    path = Path(address)
    if path.is_dir():
        os.listdir(path)  # raises where it may not be read: a search finds nothing there
        files = [file for file in path.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(path).parts)]
    else:
        names = [address] if path.is_file() else glob.glob(address, recursive=True)
        files = [Path(name) for name in names if Path(name).is_file()]
    states = [(str(file), str(file.resolve()), file.stat()) for file in files]
    return [Shard(name, place, "", state.st_size, state.st_mtime_ns) for name, place, state in states]


def _is_hidden(parts: Sequence[str]) -> bool:
    return any(part.startswith(_HIDDEN) for part in parts)


def _list_remote(address: str) -> list[Shard]:
    parts = urlsplit(address)
    fixed, *wild = re.split(r"[*?[]", parts.path, maxsplit=1)
    fixed = fixed.rpartition("/")[0] if wild else fixed
    store = parts._replace(path=fixed).geturl()
    import pyarrow as pa  # here and below, not above: it takes as long to import as all the rest
    from pyarrow.fs import FileSelector, FileSystem, FileType

    try:
        system, base = FileSystem.from_uri(store)
        infos = [system.get_file_info(base)]
        if infos[0].type != FileType.File:
            infos = system.get_file_info(FileSelector(base, allow_not_found=True, recursive=True))
    except (OSError, pa.ArrowException, ValueError) as error:
        fault = f"a store that cannot be read ({str(error).partition(chr(10))[0]})"
        fix = "Check the address, the access rights and the network."
        raise stop(_without_keys(address), fault, "files", fix) from None
    pattern = base + parts.path[len(fixed) :]
    scheme = f"{parts.scheme}://"
    return [
        Shard(scheme + info.path, info.path, store, info.size, info.mtime_ns or 0)
        for info in infos
        if info.type == FileType.File and _matches_pattern(info.path, base, pattern)
    ]


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
    from pyarrow.fs import FileSystem

    system, _ = FileSystem.from_uri(shard.store)
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
