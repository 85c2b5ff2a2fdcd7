"""What goes between qaviz and the process that reads: JSON and Arrow, nothing that could run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from qaviz.loading.source import Source

ERRORS = "errors.txt"
"""The file in a request's folder with what the process and its libraries had to say beside answers."""


@dataclass(frozen=True)
class Answer:
    """One of the answers to a request."""

    said: Mapping[str, Any]
    """What JSON can say."""
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)


def source_to(source: Source, folder: Path, number: int) -> dict[str, Any]:
    """The source as a request names it. An upload goes to a file of `folder`. Raises QavizError if it is too large."""
    if isinstance(source.data, bytes):
        source.refuse_over_limit()
        path = folder / f"{number}.upload"
        path.write_bytes(source.data)
        return {"name": source.name, "path": str(path), "uploaded": True, "sheet": source.sheet}
    path = source.data.absolute()
    return {"name": source.name, "path": str(path), "uploaded": False, "sheet": source.sheet}


def source_from(request: Mapping[str, Any]) -> Source:
    """The source that `source_to` named."""
    return Source(request["name"], Path(request["path"]), uploaded=request["uploaded"], sheet=request["sheet"])


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
