"""Asking from a Ray cluster: each worker asks a share of the chunks with its share of the rates.

Ray's own processor for HTTP neither retries nor checks what came back; here `map_batches` runs qaviz's client. What a
worker was told comes back as journal lines, which the driver keeps: the rest of the way is the same as without Ray.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.generation.prompting import build_request
from qaviz.generation.settings import Generation
from qaviz.llm import Settings, open_session
from qaviz.llm.journal import entry_of, open_journal

WORKERS = 2
"""Workers at once, at most; fewer where the cluster has fewer cores."""
BATCH = 64
"""Chunks that a worker asks before the driver keeps the replies."""

Batch = Mapping[str, NDArray[Any]]


def ask_on_ray(settings: Settings, chunks: pl.DataFrame, made: Generation) -> None:
    """Ask for the chunks that the journal has no reply to, and keep the replies in it.

    Caps are shared out like rates: each worker may spend its part. What fails on a worker is asked again by whoever
    goes on. Raises QavizError as `open_session` does, or if the model cannot be asked at all.
    """
    import ray

    with open_journal(settings.journal) as journal:
        requests = {
            build_request(made.prompt, row, temperature=made.temperature, max_tokens=made.max_tokens).key(
                settings.model
            ): row
            for row in chunks.iter_rows(named=True)
        }
        rows = [row for key, row in requests.items() if key not in journal]
        if not rows:
            return
        if not ray.is_initialized():
            ray.init(include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        workers = max(1, min(WORKERS, int(ray.cluster_resources().get("CPU", 1))))
        share = share_out(settings, workers)
        ray.data.DataContext.get_current().enable_progress_bars = False
        asked = ray.data.from_items(rows).map_batches(
            _asker(share, made), batch_size=BATCH, batch_format="numpy", concurrency=workers
        )
        for row in asked.iter_rows():
            entry = entry_of(row["line"])
            if entry is not None and entry.key not in journal:
                journal.append([entry])


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


def _asker(settings: Settings, made: Generation) -> Any:  # noqa: ANN401 - a class, for Ray to make a task of
    def ask(batch: Batch) -> dict[str, NDArray[Any]]:
        lines = [*_lines(settings, made, batch)]
        return {"line": np.array(lines, dtype=object)}

    return ask


def _lines(settings: Settings, made: Generation, batch: Batch) -> Iterator[bytes]:
    rows = [{name: values[place] for name, values in batch.items()} for place in range(len(batch["chunk"]))]
    requests = [
        build_request(made.prompt, row, temperature=made.temperature, max_tokens=made.max_tokens) for row in rows
    ]
    with tempfile.TemporaryDirectory(prefix="qaviz-") as folder:
        journal = Path(folder) / "journal.jsonl"
        with open_session(replace(settings, journal=journal)) as session:
            session.ask(requests)
        with open_journal(journal) as kept:
            yield from (entry.line() for entry in kept.entries())
