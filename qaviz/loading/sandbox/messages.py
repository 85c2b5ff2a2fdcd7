"""What goes between qaviz and the process that reads: JSON and Arrow, nothing that could run."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from qaviz.loading.source import Source
from qaviz.model.errors import stop
from qaviz.model.records import Progress
from qaviz.processes import Message

Options = Message
"""What a request says beside its files; each operation knows its own."""

_OPTIONS = ("sheet", "skip_bad", "keep_errors")


@dataclass(frozen=True)
class Answer:
    """One of the answers to a request."""

    said: Message
    """What JSON can say."""
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)


Operation = Callable[[list[Source], Options, Progress], Iterator[Answer]]
"""Reads files, with options, and yields what it reads."""
Operations = Mapping[str, Operation]
"""What a request may ask for, by name."""


@contextmanager
def room_refusals(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses to write into `folder` into a QavizError."""
    try:
        yield
    except OSError as error:
        fault = f"a folder for temporary files that cannot be written to ({error.strerror or error})"
        fix = "Make room there, or set TMPDIR to another folder."
        raise stop(str(folder), fault, "free space", fix) from error


def source_to(source: Source, folder: Path, number: int) -> Message:
    """The source as a request names it. An upload goes to a file of `folder`. Raises QavizError if it is too large."""
    if isinstance(source.data, bytes):
        source.refuse_over_limit()
        path = folder / f"{number}.upload"
        with room_refusals(folder):
            path.write_bytes(source.data)
    else:
        path = source.data.absolute()
    return {"path": str(path), "uploaded": isinstance(source.data, bytes)} | options_of(source)


def options_of(source: Source) -> dict[str, Any]:
    """What the source says of itself beside its bytes, as JSON can say it."""
    return {name: getattr(source, name) for name in ("name", *_OPTIONS, "joined")} | {"mapping": dict(source.mapping)}


def source_from(request: Message) -> Source:
    """The source that `source_to` named."""
    options = {name: request[name] for name in ("uploaded", "mapping", *_OPTIONS)}
    joined = tuple((question, question_id) for question, question_id in request["joined"])
    return Source(request["name"], Path(request["path"]), joined=joined, **options)


def write_table(table: pl.DataFrame, file: Path) -> None:
    """Write the table as an Arrow file, for `taken_table`. Raises QavizError if there is no room for it."""
    arrow = table.to_arrow(compat_level=pl.CompatLevel.oldest())
    with room_refusals(file.parent), pa.OSFile(str(file), "wb") as stream, pa.ipc.new_file(stream, arrow.schema) as to:
        to.write_table(arrow)


def taken_table(file: Path) -> pl.DataFrame:
    """The table in an Arrow file, which is removed.

    Raises ValueError or OSError if it is none, or breaks Arrow's rules anywhere: whoever wrote it has read a file that
    nobody trusts.
    """
    with pa.OSFile(str(file)) as stream:
        table = pa.ipc.open_file(stream).read_all()
    file.unlink()
    table.validate(full=True)
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame
