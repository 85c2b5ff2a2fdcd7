"""Asking from the cores of this machine, or a cluster, under Ray: each worker with its share of rates and caps.

Ray's own processor for HTTP neither retries nor checks what came back; here `map_batches` runs qaviz's client. What a
worker was told comes back as journal lines, which the driver keeps: the rest of the way is the same as without Ray.
"""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pyarrow as pa

from qaviz.generation.pipeline import requests_for
from qaviz.generation.settings import Generation
from qaviz.llm import Settings, open_session
from qaviz.llm.journal import entry_of, open_journal
from qaviz.scoring.ray_engine import map_shards

WORKERS = 2
"""Workers that rates and caps are divided by."""
BATCH = 64
"""Most chunks that a worker asks before the driver keeps the replies."""


def ask_on_ray(settings: Settings, chunks: pl.DataFrame, made: Generation) -> int:
    """Ask for the chunks that the journal has no reply to, and keep the replies in it; returns how many came.

    What a worker could not get is asked again by whoever goes on. Raises QavizError where Ray is not installed; a
    worker that cannot ask at all leaves its chunks unasked.
    """
    rows = chunks.to_dicts()
    with open_journal(settings.journal) as journal:
        requests = requests_for(chunks, made)
        left = {
            request.key(settings.model): row
            for request, row in zip(requests, rows, strict=True)
            if request.key(settings.model) not in journal
        }
        waiting = [*left.values()]
        batch = max(1, min(BATCH, -(-len(waiting) // WORKERS)))
        shards = [json.dumps(waiting[at : at + batch]) for at in range(0, len(waiting), batch)]
        share = share_out(settings, WORKERS)

        def ask(_shared: pa.Table, shard: str) -> str:
            return _ask(share, made, json.loads(shard))

        before = len(journal)
        for lines in map_shards(ask, shards, pa.table({})) if shards else ():
            found = (entry_of(line.encode()) for line in lines.splitlines())
            journal.append([entry for entry in found if entry is not None and entry.key not in journal])
        return len(journal) - before


def share_out(settings: Settings, workers: int) -> Settings:
    """The settings of one worker of several: rates and caps divided."""
    limits, caps = settings.limits, settings.caps

    def part(number: float | None) -> float | None:
        return None if number is None else number / workers

    def whole(number: int | None) -> int | None:
        return None if number is None else max(1, number // workers)

    return replace(
        settings,
        limits=replace(
            limits,
            in_flight=max(1, limits.in_flight // workers),
            requests_per_minute=part(limits.requests_per_minute),
            tokens_per_minute=part(limits.tokens_per_minute),
        ),
        caps=replace(caps, money=part(caps.money), tokens=whole(caps.tokens), calls=whole(caps.calls)),
    )


def _ask(settings: Settings, made: Generation, rows: Sequence[dict[str, object]]) -> str:
    """In a worker: ask for these chunks, rows of CHUNKS; the journal lines of what came."""
    with tempfile.TemporaryDirectory(prefix="qaviz-") as folder:
        journal = Path(folder) / "journal.jsonl"
        with open_session(replace(settings, journal=journal)) as session:
            session.ask(requests_for(pl.DataFrame(rows), made))
        with open_journal(journal) as kept:
            return b"".join(entry.line() for entry in kept.entries()).decode()
