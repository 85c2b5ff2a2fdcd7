"""Rows weighed by as many processes as there are cores: Python weighs on one core only."""

import io
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl

from qaviz.diagnosis.columns import EVIDENCE_SCHEMA
from qaviz.diagnosis.evidence import Evidence
from qaviz.diagnosis.weigh import Asked, Weighed, weigh

WORTH_A_PROCESS = 5_000
"""Rows that one process weighs in about the time that another takes to start."""

_PACKAGES = str(Path(__file__).parents[2])


def weigh_table(asked: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of EVIDENCE_SCHEMA for a table with the columns of `Asked`, in that order."""
    parts = min(_cores(), asked.height // WORTH_A_PROCESS)
    if parts < 2:
        return _weigh_here(asked)
    size = -(-asked.height // parts)
    here, *others = (asked.slice(begin, size) for begin in range(0, asked.height, size))
    with ThreadPoolExecutor(len(others)) as pool:
        elsewhere = pool.map(_weigh_elsewhere, others)
        return pl.concat([_weigh_here(here), *elsewhere])


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _weigh_elsewhere(asked: pl.DataFrame) -> pl.DataFrame:
    """Weigh in another process.

    A fresh interpreter rather than a fork, which polars' threads would lock up, and rather than a pool's child, which
    would run the main module again: under Streamlit that is a page.
    """
    found = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import main; main()"],
        input=_written(asked),
        stdout=subprocess.PIPE,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (_PACKAGES, os.environ.get("PYTHONPATH"))))},
    )
    return pl.read_ipc(io.BytesIO(found.stdout))


def _written(frame: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.write_ipc(file)
    return file.getvalue()


def _weigh_here(asked: pl.DataFrame) -> pl.DataFrame:
    rows: Iterable[tuple[object, ...]] = (_row(weigh(Asked(*row))) for row in asked.iter_rows())
    return pl.DataFrame(list(rows), schema=EVIDENCE_SCHEMA, orient="row")


def _row(weighed: Weighed) -> tuple[object, ...]:
    declined = weighed.declined
    refused = declined.response.text if declined and declined.response else None
    return *_leading(weighed.leading), refused, weighed.off_topic, _spans(weighed.leading, declined)


def _spans(*found: Evidence | None) -> list[dict[str, str | int]]:
    return [
        {"kind": evidence.kind, "start": evidence.response.start, "end": evidence.response.end}
        for evidence in found
        if evidence and evidence.response
    ]


def _leading(evidence: Evidence | None) -> tuple[object, ...]:
    if evidence is None:
        return (None,) * 6
    return (
        evidence.stance.value,
        evidence.kind,
        evidence.response and evidence.response.text,
        evidence.golden and evidence.golden.text,
        evidence.note,
        evidence.strength,
    )


def main() -> None:
    """Weigh the table that stands on stdin, for `_weigh_elsewhere`."""
    asked = pl.read_ipc(io.BytesIO(sys.stdin.buffer.read()))
    sys.stdout.buffer.write(_written(_weigh_here(asked)))
