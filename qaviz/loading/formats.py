"""Which reader reads a file: by its suffix."""

from collections.abc import Callable, Mapping

from qaviz.loading import delimited, jsonl
from qaviz.loading.source import Source
from qaviz.loading.table import Plan, Progress, Table
from qaviz.model import Problem, QavizError

READERS: Mapping[str, Callable[[Source, Plan, Progress], Table]] = {
    ".jsonl": jsonl.read,
    ".ndjson": jsonl.read,
    ".json": jsonl.read,
    ".csv": delimited.read,
    ".tsv": delimited.read,
}


def read(source: Source, plan: Plan, progress: Progress) -> Table:
    """The columns of the file that `plan` asks for. Raises QavizError for an unknown suffix and for bad content."""
    reader = READERS.get(source.suffix)
    if reader is None:
        raise QavizError(
            Problem(
                where=source.name,
                found=f"the suffix {source.suffix!r}",
                expected=f"one of {', '.join(READERS)}",
                fix="Save it in one of these formats.",
            )
        )
    return reader(source, plan, progress)
