"""Files of every format as batches of rows: where they stand, and each cell as it is written. Nothing is read twice."""

import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import PurePosixPath

from qaviz.loading.formats import delimited, json_files, parquet, xlsx
from qaviz.loading.formats.cells import FIRST_ROWS, Batch, JsonObject
from qaviz.loading.load_log import ENCODING, IGNORED_FILE, Problems, quote_text
from qaviz.loading.source import Source, convert_to_utf_8
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

_TABLES = {
    ".jsonl": (json_files.read, "line"),
    ".ndjson": (json_files.read, "line"),
    ".json": (json_files.read, "line"),
    ".csv": (delimited.read, "line"),
    ".tsv": (delimited.read, "line"),
    ".parquet": (parquet.read, "row"),
}
"""What reads a file that is one table, and what its rows are counted in."""

WORKBOOK, ARCHIVE, LOG = ".xlsx", ".zip", ".eval"

SUFFIXES = (*_TABLES, WORKBOOK, ARCHIVE, LOG)
"""Of all files that can be read."""


def read_batches(source: Source, progress: Progress = lambda _fraction, _words: None) -> Generator[Batch, None, None]:
    """Yield the rows of a file, table by table: each is a file, a sheet of a workbook, or a member of a zip.

    The first batch of a table is small and comes before the rest is read. Raises QavizError after the last batch, with
    the problems of all tables: those of the format, and those that were noted in a batch's `problems` meanwhile; and
    before the first batch for a file that cannot be read at all.
    """
    if source.suffix not in SUFFIXES:
        fault = f"the suffix {quote_text(source.suffix)}" if source.suffix else "no suffix"
        raise stop(source.name, fault, f"one of {', '.join(SUFFIXES)}", "Save it in one of these formats.")
    tables: list[Problems] = []
    problems: list[Problem] = []
    batch = None
    try:
        for batch in _read(source, tables, progress):
            yield batch
    except QavizError as error:
        problems += error.problems
    if problems := [*problems, *(problem for table in tables for problem in table.list_all())]:
        raise QavizError(*problems)
    if batch is None:
        raise stop(source.name, "no rows", "at least one", "Fill it in, or export it again.")
    progress(1.0, f"reading {source.name}")


def _read(source: Source, tables: list[Problems], progress: Progress) -> Iterator[Batch]:
    def note_problems(place: str, unit: str = "row") -> Problems:
        tables.append(Problems(place, unit, skip_bad=source.skip_bad))
        return tables[-1]

    if source.suffix == WORKBOOK:
        yield from xlsx.read(source, note_problems, progress)
    elif source.suffix == ARCHIVE:
        yield from _read_members(source, tables, progress)
    elif source.suffix == LOG:
        yield from _read_log(source, note_problems(source.name, "record"))
    else:
        read, unit = _TABLES[source.suffix]
        given = source if read is parquet.read else convert_to_utf_8(source)
        for batch in read(given, note_problems(source.name, unit), progress):
            if given is not source:
                batch.notes += ((ENCODING, "not UTF-8: read as Windows-1252, the only reading that makes words"),)
            yield batch


DECODED_LIMIT = 512 * 1024**2
"""Most bytes that the files of an archive may be together once they are unpacked."""
MEMBER_LIMIT = 64 * 1024**2
"""Most bytes of one sample of a log."""

_ZSTANDARD = 93
"""How Inspect packs since 2025."""


def _read_members(source: Source, tables: list[Problems], progress: Progress) -> Iterator[Batch]:
    """The tables of a zip's files, which are unpacked in memory: no name in it is a path of this machine."""
    problems: list[Problem] = []
    fix = "Name the files that are in it, unpacked."
    with _open_archive(source, "a zip of tables") as archive:
        xlsx.stop_at_bomb(source.name, archive, fix)
        paths = {member: PurePosixPath(member.filename) for member in archive.infolist() if not member.is_dir()}
        shown = {
            member: path
            for member, path in paths.items()
            # `__MACOSX/`, `.DS_Store`: systems leave them beside what was packed.
            if not any(part.startswith((".", "_")) and part != ".." for part in path.parts)
        }
        members = [member for member, path in shown.items() if path.suffix.lower() in (*_TABLES, WORKBOOK)]
        others = [member.filename for member in shown if member not in members]
        notes = tuple((IGNORED_FILE, f"{quote_text(name)} is no table: left out") for name in others)
        if not members:
            raise stop(source.name, "no table in the zip", f"files of {', '.join((*_TABLES, WORKBOOK))}", fix)
        for number, member in enumerate(members, 1):
            name = f"{source.name}/{member.filename}"
            inner = replace(source, name=name, data=archive.read(member), format="", copy=None, limit=DECODED_LIMIT)
            try:
                for batch in _read(inner, tables, lambda _fraction, _words: None):
                    batch.notes += notes
                    yield batch
            except QavizError as error:
                problems += error.problems
            progress(number / len(members), f"reading {source.name}")
    if problems:
        raise QavizError(*problems)


@contextmanager
def _open_archive(source: Source, expected: str) -> Iterator[zipfile.ZipFile]:
    with source.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                yield archive
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            if isinstance(error, RecursionError):
                raise
            fault = f"a zip that cannot be unpacked ({error})"
            raise stop(source.name, fault, expected, "Copy the file again, or name what is in it, unpacked.") from None


_HEADS = ("header.json", "_journal/start.json")
"""What a log of Inspect begins with, finished or not."""


def _read_log(source: Source, problems: Problems) -> Iterator[Batch]:
    """Inspect's log, a zip with a JSON file for each sample: the log once for each, with only that one in it.

    The first batch has many samples, as of any file: what a sample that failed lacks, others have.
    """
    with _open_archive(source, "an Inspect log") as archive:
        members = {member.filename: member for member in archive.infolist()}
        samples = [name for name in members if name.startswith("samples/") and name.endswith(".json")]
        heads = [name for name in _HEADS if name in members][:1]
        sizes = [members[name].file_size for name in (*heads, *samples)]  # no member is longer than it declares
        if sum(sizes) > DECODED_LIMIT or max(sizes, default=0) > MEMBER_LIMIT:
            fault = "a log that is too large once it is unpacked"
            limits = f"at most {DECODED_LIMIT // 1024**2:,} MB, and {MEMBER_LIMIT // 1024**2} MB a sample"
            raise stop(source.name, fault, limits, "Export fewer samples.")
        head = json_files.parse_object(_unpack(archive, members[heads[0]]), source.name) if heads else None
        if not isinstance(head, dict):
            raise stop(source.name, f"a zip without {_HEADS[0]}", "an Inspect log", "Take the log that Inspect wrote.")
        size = 0
        records: list[tuple[int, JsonObject]] = []
        for place, name in enumerate(samples, 1):
            sample = json_files.parse_object(_unpack(archive, members[name]), f"{source.name}/{name}")
            records.append((place, {**head, "samples": [sample]}))
            size += members[name].file_size
            if place == len(samples) or len(records) == FIRST_ROWS or size >= json_files.BYTES_AT_ONCE:
                yield Batch(name=source.name, unit="record", problems=problems, given=records)
                size, records = 0, []


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The member's bytes. Raises BadZipFile if they are not those that were packed."""
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    import pyarrow as pa  # few files are logs

    packed = copy(member)  # `zipfile` has no decoder: it gives the bytes as if they were not packed
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, member.compress_size
    del packed.CRC
    try:
        with pa.CompressedInputStream(pa.BufferReader(archive.read(packed)), "zstd") as decoded:
            content: bytes = decoded.read(member.file_size)
    except (OSError, pa.ArrowInvalid) as error:
        raise zipfile.BadZipFile(str(error)) from None
    if zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile("a checksum that is not that of its bytes")
    return content


__all__ = ["SUFFIXES", "Batch", "read_batches"]
