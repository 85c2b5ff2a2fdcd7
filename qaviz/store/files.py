"""A workspace's files: there whole or not at all, tables in Parquet files that are what was written, and rows of a run
in the making.
"""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from polars import selectors

from qaviz.model import columns as c
from qaviz.model.columns import GOLDEN_COLUMNS, PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, disk_refusals

RUNS_FOLDER, GOLDEN_FOLDER, DRAFTS_FOLDER = "runs", "golden", "drafts"

UNFINISHED = ".tmp"
"""How a file's name ends while it is being written."""

ROWS_A_GROUP = 100_000
"""Rows in one group of a Parquet file: what a reader of few rows has to decode."""

LATER = pl.Schema(
    {
        **dict.fromkeys((c.REPEAT, c.REPEAT_OF), pl.String()),
        **dict.fromkeys((c.CONTEXT_IDS, c.CONTEXT_DOCUMENTS, c.CONTEXT_SCORES), pl.List(pl.String())),
        c.RETRIEVAL_RANK: pl.Int32(),
        c.RETRIEVAL_HIT: pl.Boolean(),
        **dict.fromkeys((*c.RETRIEVAL_SCORES, c.CONTEXT_SUPPORT), pl.Float64()),
        **dict.fromkeys((c.IN_DOCUMENTS, c.CONTEXT_USED, c.CONTEXTS_STATE), pl.Boolean()),
        **dict.fromkeys((c.FAULT_REASON, c.TAKEN, c.GOLDEN_OTHERWISE, c.SENTENCE_STATES), pl.String()),
        **dict.fromkeys((c.CONTEXT_COUNT, c.TAKEN_FROM, c.CITATIONS_WRONG), pl.Int32()),
    }
)
"""Columns that the rows of older runs lack."""
_RENAMED = {"context_recall": c.RECALL_BESIDE_FACT}
"""Columns of older runs: what they are called today."""
_OPEN_FAULTS = dict.fromkeys(("nobody", "style", "pipeline", "retrieval", "data"))
"""Faults of older runs that proved nothing: null today."""

OF_GOLDEN = [column for column in GOLDEN_COLUMNS if column != QUESTION_ID]
"""Columns of diagnosed rows that stand in the golden dataset version: a run's file does not repeat them."""

ROWS = "rows.parquet"


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a path beside `target` to write to; when the block ends, that file becomes `target` in one step. If it
    fails, or the process or the machine dies, `target` is what it was; what is left beside it goes with the next
    one."""
    with passing(target) as unfinished:
        yield unfinished
        _reach_the_disk(unfinished)
        os.replace(unfinished, target)
        _reach_the_disk(target.parent)


def _mark(target: Path) -> str:
    """How the names of files that will become `target` begin: a hash of its name, so that long names fit."""
    return f"{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}-"


@contextmanager
def passing(beside: Path) -> Iterator[Path]:
    """Give an empty file beside `beside`, locked until the block ends or the process dies. It is gone when the block
    ends, unless it was moved, or when the next one begins."""
    clear_abandoned(beside)
    file = beside.with_name(f"{_mark(beside)}{uuid4().hex}{UNFINISHED}")
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL, mode=0o666)
    try:
        # On a file system without locks nothing is cleared either.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield file
    finally:
        file.unlink(missing_ok=True)
        os.close(descriptor)


def clear_abandoned(target: Path) -> None:
    """Remove unfinished files of `target` that killed processes left; a running process keeps its own locked."""
    for left in target.parent.glob(f"{_mark(target)}*{UNFINISHED}"):
        # Locked, gone meanwhile, somebody else's, or not a file.
        with suppress(OSError):
            descriptor = os.open(left, os.O_NONBLOCK | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()
            finally:
                os.close(descriptor)


def _reach_the_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def checksum(file: Path) -> str:
    """SHA-256 of the file's bytes, in hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class StoredFile(NamedTuple):
    """A file that the index names."""

    name: str
    """`runs/ID.parquet`."""
    holds: str
    """In words: `the rows of the run "June"`."""
    checksum: str
    """SHA-256 of its bytes, in hexadecimal."""


def golden_file(version: str, expected: str = "") -> StoredFile:
    """A golden dataset version's file, with the checksum that the index has."""
    return StoredFile(f"{GOLDEN_FOLDER}/{version}.parquet", f'the golden dataset version "{version}"', expected)


def run_files(run_id: str, run: str = "", rows: str = "", listed: str = "") -> tuple[StoredFile, StoredFile]:
    """The files of the run of this name, with the checksums that the index has: its rows, and what was listed."""
    of_listed = StoredFile(f"{RUNS_FOLDER}/{run_id}.listed.parquet", f'what was listed for the run "{run}"', listed)
    return StoredFile(f"{RUNS_FOLDER}/{run_id}.parquet", f'the rows of the run "{run}"', rows), of_listed


class DamagedError(QavizError):
    """A file is missing, or is not what was written."""


def find_damage(folder: Path, file: StoredFile) -> Problem | None:
    """What is wrong with the file."""
    path = folder / file.name
    there = path.is_file()
    if there and checksum(path) == file.checksum:
        return None
    fault = "other bytes than were written" if there else "no such file"
    fix = "Restore the file from a backup, or import the golden dataset and responses again."
    return Problem(where=str(path), found=fault, expected=f"{file.holds}, as it was saved", fix=fix)


def find_whole(folder: Path, file: StoredFile) -> Path:
    """The path of the file. Raises DamagedError if its bytes are not as written: a damaged file is never decoded."""
    if problem := find_damage(folder, file):
        raise DamagedError(problem)
    return folder / file.name


def make_folders(folder: Path) -> None:
    """Make the folders of a workspace, where they are not there. Raises OSError as the disk does."""
    for name in (RUNS_FOLDER, GOLDEN_FOLDER):
        (folder / name).mkdir(parents=True, exist_ok=True)


def list_files(folder: Path) -> list[str]:
    """The names of all files in a workspace's folders, golden dataset versions first."""
    files = (file for name in (GOLDEN_FOLDER, RUNS_FOLDER) for file in sorted((folder / name).iterdir()))
    return [f"{file.parent.name}/{file.name}" for file in files]


def write_table(file: Path, table: pl.DataFrame | Path) -> str:
    """Keep a table, or a Parquet file that moves here, whole or not at all. Returns the checksum of the file."""
    with replacing(file) as unfinished:
        if isinstance(table, Path):
            os.replace(table, unfinished)
        else:
            table.write_parquet(unfinished, row_group_size=ROWS_A_GROUP)
        return checksum(unfinished)


@contextmanager
def growing_table(file: Path, about: Mapping[str, str] | None = None) -> Iterator[Callable[[pl.DataFrame], None]]:
    """Give what adds a table's rows to a new Parquet file, all with the same columns. It is whole when the block ends;
    what it says `about` itself stands in its footer."""
    with ExitStack() as open_file:
        writer: pq.ParquetWriter | None = None

        def add(frame: pl.DataFrame) -> None:
            nonlocal writer
            table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
            if writer is None:
                writer = open_file.enter_context(
                    pq.ParquetWriter(file, table.schema, compression="zstd", write_page_checksum=True)
                )
                writer.add_key_value_metadata(dict(about or {}))
            writer.write_table(table, row_group_size=ROWS_A_GROUP)

        yield add


def read_columns(file: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """A run's table, or these columns of it; those of LATER are null in a file that lacks them."""
    if columns is None:
        return _scan_rows(file).collect()
    there = _scan_rows(file).collect_schema()
    lacking = [pl.lit(None, LATER[name]).alias(name) for name in columns if name in LATER and name not in there]
    return _scan_rows(file).with_columns(lacking).select(columns).collect()


def _scan_rows(file: Path) -> pl.LazyFrame:
    """A table with today's names of columns and faults."""
    rows = pl.scan_parquet(file).rename(_RENAMED, strict=False)
    return rows.with_columns(selectors.by_name(c.FAULT, require_all=False).replace(_OPEN_FAULTS))


def read_groups(file: Path) -> Iterator[pl.DataFrame]:
    """A run's table, ROWS_A_GROUP rows at a time; an empty one as one group."""
    rows = pl.scan_parquet(file).select(pl.len()).collect().item()
    for start in range(0, max(rows, 1), ROWS_A_GROUP):
        yield _scan_rows(file).slice(start, ROWS_A_GROUP).collect()


def map_tables(parts: Iterable[pl.DataFrame], beside: Path) -> pl.DataFrame:
    """These tables below one another, mapped from the disk: the system takes memory back as it needs it. Their files
    beside `beside` have no name any more when this returns, so the disk gets their room back with the table's end."""
    tables = []
    with disk_refusals(beside.parent):
        for part in parts:
            with passing(beside) as file:
                part.write_ipc(file, compression="uncompressed")
                # polars 2 reads such a file into memory; Arrow takes it from where it is mapped.
                tables.append(pl.DataFrame(pa.ipc.open_file(pa.memory_map(str(file))).read_all()))
    return pl.concat(tables, rechunk=False)


class Draft:
    """Diagnosed rows in a file that nobody else sees."""

    def __init__(self, file: Path) -> None:
        """The rows go to `file`, which is there and empty."""
        self.height = 0
        self._file = file
        self._pipelines: dict[str, None] = {}
        self._writing = ExitStack()
        self._write = self._writing.enter_context(growing_table(file))

    @property
    def pipelines(self) -> tuple[str, ...]:
        """In the order in which the rows first name them."""
        return tuple(self._pipelines)

    def add(self, rows: pl.DataFrame) -> None:
        """Write the rows below those before, which have the same columns."""
        with disk_refusals(self._file.parent):
            self._write(rows.drop(OF_GOLDEN, strict=False))
        self.height += rows.height
        self._pipelines |= dict.fromkeys(rows[PIPELINE].unique(maintain_order=True))

    def close(self) -> Path:
        """The whole file, as the store keeps a run's rows; nothing can be added any more. Raises OSError."""
        self._writing.close()
        return self._file


@contextmanager
def draft(workspace: Path) -> Iterator[Draft]:
    """Give a draft in the workspace's folder; its file is gone when the block ends, unless it was saved."""
    folder = workspace / DRAFTS_FOLDER
    with ExitStack() as begun:
        with disk_refusals(folder):
            folder.mkdir(parents=True, exist_ok=True)
            file = begun.enter_context(passing(folder / ROWS))
        rows = Draft(file)
        try:
            yield rows
        finally:
            # What a full disk has no room for goes now.
            with suppress(OSError):
                rows.close()
