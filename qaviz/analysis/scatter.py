"""What the chart of closeness against conciseness draws: every response, or their density; in one panel or several."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.analysis import closeness
from qaviz.analysis.selection import Selectable
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import DIAGNOSIS, PIPELINE, PRECISION, QUESTION, QUESTION_ID, RECALL, RESPONSE

DENSITY_FROM = 5_000
"""Responses from which single points are neither readable nor quick to send: the chart shows density instead."""
DENSITY_BINS = 40
"""Tiles along each axis; half as many in small panels."""
MOST_PANELS = 12

ROW = "row"
"""Which of the rows given a panel's row is: panels hold what is drawn, not the run."""

_DRAWN = (PIPELINE, RECALL, PRECISION, DIAGNOSIS)
_TEXTS = (QUESTION_ID, QUESTION, RESPONSE)
"""What points have to hover over, tiles have not."""


class Split(StrEnum):
    """How the chart is divided into panels."""

    NONE = "In one panel"
    PIPELINE = "By pipeline"
    DIAGNOSIS = "By diagnosis"


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One of the small multiples, or the whole chart."""

    name: str
    """The pipeline or diagnosis; empty for the whole."""
    axis: str
    """What plotly calls its closeness axis: `x`, `x2`, …"""
    rows: pl.DataFrame
    """What is drawn of each response, and ROW."""


def panels(rows: Selectable, split: Split, pipelines: Sequence[str]) -> list[Panel]:
    """The panels of these rows: those that have a response on the chart, in the order of pipelines or diagnoses.

    At most MOST_PANELS; without any response, or without a split, one panel.
    """
    own = closeness.select_placed(rows.select(_DRAWN).with_row_index(ROW))
    column, names = {
        Split.NONE: (PIPELINE, []),
        Split.PIPELINE: (PIPELINE, list(pipelines)),
        Split.DIAGNOSIS: (DIAGNOSIS, [each.value for each in Diagnosis]),
    }[split]
    if not names or own.is_empty():
        return _with_texts([Panel(name="", axis="x", rows=own)], rows)
    parts = own.partition_by(column, as_dict=True, maintain_order=True)
    full = [name for name in names if (name,) in parts][:MOST_PANELS]
    shown = [
        Panel(name=name, axis=f"x{place}" if place > 1 else "x", rows=parts[name,])
        for place, name in enumerate(full, start=1)
    ]
    return _with_texts(shown, rows)


def _with_texts(shown: list[Panel], rows: Selectable) -> list[Panel]:
    """The panels with _TEXTS where they show points."""
    if bins(shown):
        return shown
    texts = rows.select(_TEXTS)
    return [replace(panel, rows=panel.rows.hstack(texts[panel.rows[ROW]])) for panel in shown]


def bins(shown: Sequence[Panel]) -> int:
    """Tiles along each axis of a panel if the chart shows density, 0 if it shows points."""
    if sum(panel.rows.height for panel in shown) < DENSITY_FROM:
        return 0
    return DENSITY_BINS if len(shown) == 1 else DENSITY_BINS // 2


def density(rows: pl.DataFrame, tiles: int) -> NDArray[np.int64]:
    """How many responses lie in each tile, so many tiles along each axis, indexed [conciseness, closeness]."""
    # A score of exactly 1 belongs to the last tile.
    across, up = ((pl.col(each) * tiles).cast(pl.Int64).clip(upper_bound=tiles - 1) for each in (RECALL, PRECISION))
    place = rows.select(up * tiles + across).to_series().to_numpy()
    return np.bincount(place, minlength=tiles**2).reshape(tiles, tiles)
