"""Rows weighed by as many processes as polars has threads: Python weighs on one core only."""

import gc
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryFile
from typing import IO

import polars as pl

from qaviz.diagnosis.columns import (
    GOLDEN,
    KIND,
    NOTE,
    REFUSAL,
    REFUSAL_STRENGTH,
    SAYS,
    SPANS,
    STANCE,
    STRENGTH,
    UNREAD,
)
from qaviz.diagnosis.combine_evidence import Weighed
from qaviz.diagnosis.evidence import Asked, Evidence, Stance
from qaviz.diagnosis.languages.weighing import weigh_in_any_language
from qaviz.model.columns import RESPONSE
from qaviz.model.records import Progress
from qaviz.processes import module_environment

WORTH_A_PROCESS = 5_000
"""Rows that one process weighs in about the time that another takes to start."""
HEAD_START = 2_000
"""Rows that this process weighs while the others start."""
AT_ONCE = 250
"""Rows that are weighed together, from one report of progress to the next."""

SECONDS_A_PART = 120
"""Seconds after which a process that still weighs the same AT_ONCE rows is ended."""


def weigh_table(asked: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the columns of EVIDENCE_SCHEMA for a table with the columns of `Asked`, in that order.

    All processes end at about the same time: `progress` is told that of this one.
    """
    parts = min(pl.thread_pool_size(), asked.height // WORTH_A_PROCESS)
    if parts < 2:
        return _weigh_here(asked, progress)
    size = (asked.height - HEAD_START) // parts
    rest = asked.height - size * (parts - 1)
    with ExitStack() as running:
        elsewhere = [
            running.enter_context(_weighing_elsewhere(asked.slice(begin, size)))
            for begin in range(rest, asked.height, size)
        ]
        return pl.concat([_weigh_here(asked.head(rest), progress), *(found() for found in elsewhere)])


@contextmanager
def _weighing_elsewhere(asked: pl.DataFrame) -> Iterator[Callable[[], pl.DataFrame]]:
    """Weigh in another process, which ends with the context at the latest; what is yielded waits for what it found.

    A fresh interpreter rather than a fork, which polars' threads would lock up, and rather than a pool's child, which
    would run the main module again: under Streamlit that is a page. Files rather than pipes, for a thread that fills
    and empties pipes gets its turn too rarely beside one that weighs.
    """
    with TemporaryFile() as given, TemporaryFile() as written:
        asked.write_ipc(given)
        given.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {__name__} import main; main()"],
            stdin=given,
            stdout=written,
            env=module_environment(os.environ),
        )
        try:
            yield lambda: _read_result(process, written)
        finally:
            process.kill()
            process.wait()


def _read_result(process: subprocess.Popen[bytes], file: IO[bytes]) -> pl.DataFrame:
    if code := process.wait():
        raise subprocess.CalledProcessError(code, process.args)
    file.seek(0)
    return pl.read_ipc(file.read())


_FOUND = pl.Schema(
    {
        STANCE: pl.String(),
        KIND: pl.String(),
        GOLDEN: pl.String(),
        NOTE: pl.String(),
        STRENGTH: pl.Float64(),
        "said_start": pl.Int64(),
        "said_end": pl.Int64(),
        "refusal_start": pl.Int64(),
        "refusal_end": pl.Int64(),
        REFUSAL_STRENGTH: pl.Float64(),
        UNREAD: pl.String(),
    }
)


@contextmanager
def _no_cycles_sought() -> Iterator[None]:
    """Without Python's search for cycles: weighing makes none, and searching takes a tenth of its time."""
    sought = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if sought:
            gc.enable()


def weigh_safely(asked: Sequence[Asked]) -> list[Weighed]:
    """Return what `weigh_in_any_language` does; a response over which it fails is FAILED, and the rest go on.

    The one place that catches every exception: a bug in reading one text of a million must not end the run. The note
    names the exception's type and the module, never its message, which may quote the text.
    """
    try:
        return weigh_in_any_language(asked)
    except MemoryError:
        raise
    except Exception as bug:
        if len(asked) > 1:
            return [weighed for one in asked for weighed in weigh_safely([one])]
        return [Weighed(Evidence(FAILED, Stance.FAILED, note=_name_bug(bug)))]


FAILED = "failed"
"""The kind of evidence that is a bug's."""


def _name_bug(bug: Exception) -> str:
    """Return `IndexError in golden_phrases`: the type, and the innermost module of qaviz that it came through."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(bug.__traceback__)]
    ours = [name.rpartition(".")[2] for name in modules if name.startswith("qaviz.")]
    return f"{type(bug).__name__} in {ours[-1]}"


@_no_cycles_sought()
def _weigh_here(asked: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    parts = []
    for done, part in enumerate(asked.iter_slices(AT_ONCE), start=1):
        rows = map(_row, weigh_safely([Asked._make(row) for row in part.iter_rows()]))
        parts.append(pl.DataFrame(list(zip(*rows, strict=True)), schema=_FOUND, orient="col"))
        if progress:
            progress(min(1.0, done * AT_ONCE / asked.height), "diagnosing")
    found = pl.concat(parts or [pl.DataFrame(schema=_FOUND)]).with_columns(asked[RESPONSE])
    said, refusal = _span(pl.col(KIND), "said"), _span(pl.lit("refusal"), "refusal")
    return found.select(
        STANCE,
        KIND,
        _quote_expression("said").alias(SAYS),
        GOLDEN,
        NOTE,
        STRENGTH,
        _quote_expression("refusal").alias(REFUSAL),
        REFUSAL_STRENGTH,
        UNREAD,
        pl.concat_list(said, refusal).list.drop_nulls().alias(SPANS),
    )


def _quote_expression(what: str) -> pl.Expr:
    start, end = pl.col(f"{what}_start"), pl.col(f"{what}_end")
    return pl.when(start.is_not_null()).then(pl.col(RESPONSE).str.slice(start, end - start))


def _span(kind: pl.Expr, what: str) -> pl.Expr:
    start, end = pl.col(f"{what}_start"), pl.col(f"{what}_end")
    return pl.when(start.is_not_null()).then(pl.struct(kind.alias("kind"), start.alias("start"), end.alias("end")))


def _row(weighed: Weighed) -> tuple[object, ...]:
    leading = weighed.leading or _NOTHING
    return (
        weighed.leading and leading.stance.value,
        leading.kind,
        leading.golden and leading.golden.text,
        leading.note,
        leading.strength,
        *_ends(leading),
        *_ends(weighed.declined or _NOTHING),
        weighed.declined and weighed.declined.strength,
        weighed.unread,
    )


_NOTHING = Evidence("", Stance.SILENT)


def _ends(evidence: Evidence) -> tuple[int | None, int | None]:
    return (evidence.response.start, evidence.response.end) if evidence.response else (None, None)


def main() -> None:
    """Weigh the table that stands on stdin, for `_weighing_elsewhere`."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C reaches this process too; its asker is the one to speak
    asked = pl.read_ipc(sys.stdin.buffer.read())
    _limit_part()
    _weigh_here(asked, _limit_part).write_ipc(sys.stdout.buffer)


def _limit_part(_fraction: float = 0.0, _words: str = "") -> None:
    """Have the system end this process if the next part takes too long, also where its asker is gone."""
    signal.alarm(SECONDS_A_PART)
