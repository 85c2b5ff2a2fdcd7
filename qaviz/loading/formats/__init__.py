"""Files of every format as batches of rows: where they stand, and each cell as it is written. Nothing is read twice."""

import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from qaviz.loading.formats import cells, delimited, parquet, xlsx
from qaviz.loading.formats.cells import FIRST_ROWS, ROWS_AT_ONCE, Batch, JsonObject, Records, Written
from qaviz.loading.load_log import ENCODING, IGNORED_FILE, Problems, quote_text
from qaviz.loading.source import Source, convert_to_utf_8, open_text
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress


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
        head = _parse_file(_unpack(archive, members[heads[0]]), source.name) if heads else None
        if not isinstance(head, dict):
            raise stop(source.name, f"a zip without {_HEADS[0]}", "an Inspect log", "Take the log that Inspect wrote.")
        parsed = (_parse_file(_unpack(archive, members[name]), f"{source.name}/{name}") for name in samples)
        logs = ({**head, "samples": [sample]} for sample in parsed)
        lengths = (members[name].file_size for name in samples)
        for records in _group(zip(count(1), logs, lengths, strict=False), problems):
            yield Batch(name=source.name, unit="record", problems=problems, given=records)


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


DOCUMENT_LIMIT = 200 * 1024**2
"""Most bytes of a JSON document, which is only read whole. JSON Lines have no limit."""

LINE_LIMIT = 64 * 1024**2
"""Most bytes of one line."""

BYTES_AT_ONCE = 16 * 1024**2
"""Bytes of lines that make a batch, however few they are."""

_EXPECTED, _EXPORT = "one JSON object", "Export the file again."


def _read_json(source: Source, problems: Problems, progress: Progress) -> Iterator[Batch]:
    """The objects of JSON Lines, or of a document, which is one value: those of its list. A line that is none is a
    problem.

    Numbers stay as they are written; keys that stand twice are refused, and so is what no database can hold.
    """
    with open_text(source) as stream:
        start = stream.tell()
        first = next((text for text in iter(partial(stream.readline, LINE_LIMIT), b"") if text.strip()), b"").strip()
        is_list = first.startswith(b"[")
        # A line of JSON Lines that is cut off ends in a text or a number.
        is_object = first.startswith(b"{") and first.endswith((b"{", b"[", b",")) and bool(stream.read(1))
        stream.seek(start)
        read, unit = (_read_document, "record") if is_list or is_object else (_read_lines, "line")
        for records in _group(read(source, stream, problems), problems):
            yield Batch(name=source.name, unit=unit, problems=problems, given=records)
            progress(min(1.0, stream.tell() / source.size), f"reading {source.name}")


def _parse_file(content: bytes, where: str) -> object:
    """The JSON value of a whole file. Raises QavizError if it is none, or not a plain one."""
    try:
        return _parse(content)
    except (ValueError, RecursionError) as error:
        raise stop(where, _describe_fault(error), "plain JSON", _EXPORT) from None


def _group(objects: Iterator[tuple[int, JsonObject, int]], problems: Problems) -> Iterator[Records]:
    """The objects of a file, each with its line and bytes, in groups, the first one small."""
    records: Records = []
    keys, met = set[str](), set[str]()
    size, limit = 0, FIRST_ROWS
    for line, record, length in objects:
        records.append((line, record))
        size += length
        keys.update(record)
        # The keys of objects may be ids: `tables` counts the columns that become of them.
        met.update(name for name in record.keys() - met if not isinstance(record[name], dict))
        cells.refuse_many_columns(len(met), problems)
        # Rows times columns too: objects may have different keys.
        if len(records) >= limit or size >= BYTES_AT_ONCE or len(records) * len(keys) >= 4_000_000:
            yield records
            records, keys, size, limit = [], set(), 0, ROWS_AT_ONCE
    if records:
        yield records


def _read_document(source: Source, stream: BinaryIO, problems: Problems) -> Iterator[tuple[int, JsonObject, int]]:
    content = stream.read(DOCUMENT_LIMIT + 1)
    if len(content) > DOCUMENT_LIMIT:
        fault = f"a JSON document over {DOCUMENT_LIMIT / 1024**2:,.0f} MB"
        raise stop(source.name, fault, "at most that, or JSON Lines", "Export it in parts, or as JSON Lines.")
    value = _parse_file(content, source.name)
    del content
    for place, record in enumerate(value if isinstance(value, list) else [value], 1):
        if isinstance(record, dict):
            yield place, record, 0
        else:
            problems.add(place, "something else than an object", _EXPECTED, "Remove it.")


def _read_lines(source: Source, stream: BinaryIO, problems: Problems) -> Iterator[tuple[int, JsonObject, int]]:
    for line, text in enumerate(iter(partial(stream.readline, LINE_LIMIT + 1), b""), 1):
        if len(text) > LINE_LIMIT:
            expected = f"at most {LINE_LIMIT / 1024**2:.0f} MB in a line"
            raise stop(f"{source.name} line {line}", "a line without end", expected, "Write one object a line.")
        if text.strip() and (record := _read_object(text.removesuffix(b"\n"), line, problems)) is not None:
            yield line, record, len(text)


def _read_object(text: bytes, line: int, problems: Problems) -> JsonObject | None:
    """The object of one line, or None and a problem."""
    expected, fix = _EXPECTED, "Correct the line. If it is cut off, export the file again."
    try:
        value = _parse(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnicodeDecodeError):
            expected, fix = "UTF-8 text", "Save the file as UTF-8."
        problems.add(line, _describe_fault(error, in_line=True), expected, fix)
        return None
    if isinstance(value, dict):
        return value
    fault = "a list" if isinstance(value, list) else f"the value {json.dumps(value)[:40]}"
    problems.add(line, fault, expected, 'Write the line as {"question": ..., ...}.')
    return None


KEYS_LIMIT, ALL_KEYS_LIMIT = 200_000, 2_000_000
"""Most keys of an object with few others in it, and of one value: parsing alone takes seconds for each million."""

_KEY = re.compile(rb'"[ \t\r\n]*:')

_DIGITS = 308
"""Digits up to which any whole number is a float too. With more it is read as one: then it may be infinite."""


def _parse(text: bytes) -> object:
    """The JSON value of a text. Raises ValueError or RecursionError if it is none, or not a plain one."""
    keys = sum(1 for _ in _KEY.finditer(text)) if text.count(b":") > KEYS_LIMIT else 0
    if keys > KEYS_LIMIT and (keys > cells.COLUMN_LIMIT * text.count(b"{") or keys > ALL_KEYS_LIMIT):
        raise ValueError(f"{keys:,} keys")  # far more than columns make sense: before it is parsed
    return _DECODER.decode(text.decode())


def _make_object(pairs: list[tuple[str, Any]]) -> JsonObject:
    row = dict(pairs)
    if len(row) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = next(name for name in row if counted[name] > 1)
        raise ValueError(f"the key {quote_text(twice)} twice in one object")
    for name in row:
        if not cells.is_whole(name):
            raise ValueError("half a character (a lone surrogate) in a key")
        if "\0" in name:  # names of ours have one
            raise ValueError("a NUL character in a key")
    return row


def _read_float(digits: str) -> float:
    number = float(digits)
    if repr(number) == digits:
        return number
    written = Written(number)
    written.digits = digits
    return written


_DECODER = json.JSONDecoder(
    object_pairs_hook=_make_object,
    parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else _read_float(digits),
    parse_float=_read_float,
    parse_constant=_read_float,
)


def _describe_fault(error: Exception, *, in_line: bool = False) -> str:
    """What is wrong with a JSON text, in words, of what `_parse` raises; `in_line` where the text is a line."""
    match error:
        case RecursionError():
            return "lists or objects nested too deep"
        case UnicodeDecodeError():
            return f"bytes that are not UTF-8, from byte {error.start + 1:,}" + (" of the line" if in_line else "")
        case json.JSONDecodeError():
            # Some of Python's messages end in the words that lead to the position.
            words = error.msg.removesuffix(" at").removesuffix(" starting")
            place = f"character {error.colno}" if in_line else f"line {error.lineno:,}, character {error.colno:,}"
            return f"broken JSON at {place} ({words})"
        case _:
            return str(error)


_TABLES = {
    ".jsonl": (_read_json, "line"),
    ".ndjson": (_read_json, "line"),
    ".json": (_read_json, "line"),
    ".csv": (delimited.read, "line"),
    ".tsv": (delimited.read, "line"),
    ".parquet": (parquet.read, "row"),
}
"""What reads a file that is one table, and what its rows are counted in."""

WORKBOOK, ARCHIVE, LOG = ".xlsx", ".zip", ".eval"

SUFFIXES = (*_TABLES, WORKBOOK, ARCHIVE, LOG)
"""Of all files that can be read."""

__all__ = ["SUFFIXES", "Batch", "read_batches"]
