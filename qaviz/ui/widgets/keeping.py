"""The caches of the pages: what is kept for all visitors, by its content or by what the visitor may see.

Nobody gets what was made of another content, or of what only others may see: `keep` is the only cache of results in the
app, and tests/ui/test_caches.py refuses one whose key has neither.
"""

import hashlib
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import polars as pl
import streamlit as st

from qaviz.loading import Source
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.store.golden_versions import GoldenVersion

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

OPEN_RUNS = 3
"""Runs kept open, mapped from the disk: 100,000 responses take about 100 MB there, and 0.3 s to open again."""

Identities = dict[str | type[Any], Callable[[Any], Any]]
"""What tells apart two arguments of a type."""
kept: dict[str, tuple[Callable[..., Any], Identities]] = {}
"""Every function whose results are kept, by its full name, with what tells its arguments apart."""


@dataclass(frozen=True, kw_only=True)
class OpenRun:
    """The run a page shows, with its tables. They are shared by all sessions: never change them in place."""

    run: Run
    golden: pl.DataFrame
    """One row a triplet, GOLDEN_COLUMNS."""
    rows: pl.DataFrame
    """One row a response: golden columns, response, scores, diagnosis."""


@dataclass(frozen=True, kw_only=True)
class RunView:
    """An open run at a state of what people say of it: what its figures depend on, and so their key."""

    shown: OpenRun
    labels: tuple[int, int]
    """`labels_state`, as figures count it."""
    policies: int
    """How many were ever set: the newest is in force."""


@dataclass(frozen=True)
class Permission:
    """What a visitor may see: this workspace, in which they have a role."""

    workspace: str


def identify_source(source: Source) -> tuple[object, ...]:
    """What tells a file to read from every other: its bytes, or the state of its copy on the disk, and how to read it.
    An upload's copy has a path of its own and is never written again, so a gigabyte need not be read for a key."""
    data = source.data
    state: object
    if isinstance(data, Path) and data.exists():
        kept_as = data.stat()
        state = (str(data), kept_as.st_ino, kept_as.st_size, kept_as.st_mtime_ns)
    else:
        state = hash_content(source)
    return (source.name, state, source.sheet, sorted(source.mapping.items()), source.skip_bad, source.keep_errors)


def hash_content(source: Source) -> tuple[str, str]:
    """The file's name and the SHA-256 of its bytes; for a file that cannot be read, that it cannot be."""
    try:
        with source.open() as stream:
            return source.name, hashlib.sha256(stream.read()).hexdigest()
    except QavizError as error:
        return source.name, error.problems[0].found


def _identify_run(run: Run) -> tuple[object, ...]:
    return run.run_id, run.pipelines, astuple(run.thresholds)


CONTENT: Identities = {
    # A run never changes. With its repeats put together it has other pipelines; a trial has other thresholds.
    OpenRun: lambda shown: _identify_run(shown.run),
    RunView: lambda view: (*_identify_run(view.shown.run), view.labels, view.policies),
    Run: lambda run: run.run_id,
    GoldenVersion: lambda version: (version.line, version.golden_id),
    Source: identify_source,
    # Its columns and the hashes of its rows, in order.
    pl.DataFrame: lambda table: (table.columns, table.hash_rows().to_numpy().tobytes()),
}
"""The types whose identity is that of their content, whoever asks."""


def keep(
    entries: int = OPEN_RUNS, *, waiting: str = "", by: Identities | None = None
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Keep what a function derives from its arguments, for so many of them and all sessions together. One argument at
    least has to be of CONTENT, of a type that `by` identifies by its content, or a Permission; arguments whose names
    begin with _ do not count. The words are shown to those who are `waiting` for the first one."""
    identities = CONTENT | (by or {})

    def keep_results(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        kept[f"{function.__module__}.{function.__qualname__}"] = function, identities
        by_key = st.cache_resource(max_entries=entries, show_spinner=waiting or False, hash_funcs=identities)
        return by_key(function)

    return keep_results
