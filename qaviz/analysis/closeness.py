"""Closeness against conciseness: where each response lies, what its region means, and each pipeline's mean.

Every function takes rows of a scored run and leaves out, or gives null to, a response that has no closeness because its
triplet has no golden answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.analysis.selection import Selectable
from qaviz.model.columns import CATEGORY, DIAGNOSIS, F1, PIPELINE, PRECISION, QUESTION_ID, RECALL
from qaviz.model.records import Thresholds
from qaviz.stats import mean_interval

REGION = "region"

SHORT_AND_CLOSE = "Short and close"
CLOSE_BUT_WORDY = "Close but wordy"
PARTIAL = "Partial"
OTHER_WORDS = "Other words"

REGIONS = {
    SHORT_AND_CLOSE: "the golden answer's words and few others. "
    "Check responses without the fact: a wrong value in an otherwise perfect sentence is here too.",
    CLOSE_BUT_WORDY: "the golden answer's words and many others: long, and mostly right.",
    PARTIAL: "few words, some of them in the golden answer: a shorter answer, or half of what was asked.",
    OTHER_WORDS: "few of the golden answer's words: no answer, a different answer, or the right one in other words.",
}
"""What each region of the chart says of a response."""

SAME_PLACE = 1e-6
"""Scores this near are drawn on the same spot; it absorbs the rounding of coordinates sent to the browser."""


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What a reader marked on the chart: places clicked, boxes and lassos drawn, in the axes' own units."""

    places: tuple[tuple[float, float], ...] = ()
    boxes: tuple[tuple[tuple[float, float], tuple[float, float]], ...] = ()
    """Each as (two closeness ends, two conciseness ends)."""
    lassos: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...] = ()
    """Each as (closeness of its corners, conciseness of its corners)."""
    reach: float = SAME_PLACE
    """How far a clicked place reaches along each axis."""

    def __bool__(self) -> bool:
        return bool(self.places or self.boxes or self.lassos)


def select_placed(rows: pl.DataFrame) -> pl.DataFrame:
    """The responses that have a place on the chart: both closeness and conciseness were scored."""
    return rows.filter(pl.col(RECALL).is_not_null() & pl.col(PRECISION).is_not_null())


def with_region(rows: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """The rows plus `region`, one of REGIONS; null where a response has no place on the chart."""
    named = (pl.when(inside).then(pl.lit(region)) for region, inside in _regions(thresholds).items())
    return rows.with_columns(pl.coalesce(*named).alias(REGION))


def _regions(thresholds: Thresholds) -> dict[str, pl.Expr]:
    """For each of REGIONS whether a response lies there."""
    close = pl.col(RECALL) >= thresholds.high_closeness
    concise = pl.col(PRECISION) >= thresholds.low_conciseness
    return {
        SHORT_AND_CLOSE: close & concise,
        CLOSE_BUT_WORDY: close & ~concise,
        PARTIAL: ~close & concise,
        OTHER_WORDS: ~close & ~concise,
    }


def places(rows: Selectable, thresholds: Thresholds) -> pl.DataFrame:
    """What the chart draws, one row a response: ids, category, closeness, conciseness, F1, diagnosis and region."""
    columns = (QUESTION_ID, CATEGORY, PIPELINE, RECALL, PRECISION, F1, DIAGNOSIS)
    return with_region(select_placed(rows.select(columns)), thresholds)


def region_counts(rows: pl.DataFrame, thresholds: Thresholds, pipelines: Sequence[str]) -> pl.DataFrame:
    """One row a pipeline in the given order: pipeline, and for each of REGIONS the number of its responses there."""
    regions = select_placed(rows.select(PIPELINE, RECALL, PRECISION))
    inside = (lies.sum().alias(region) for region, lies in _regions(thresholds).items())
    counts = regions.group_by(PIPELINE).agg(inside).cast({PIPELINE: pl.String})
    frame = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String})
    return frame.join(counts, on=PIPELINE, how="left", maintain_order="left").with_columns(
        pl.col(*REGIONS).fill_null(0)
    )


def pipeline_means(rows: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """One row a pipeline that has a response on the chart, in the given order.

    Columns: pipeline, responses (how many the means count), closeness, closeness_low, closeness_high, conciseness,
    conciseness_low, conciseness_high; the ends are 95 % intervals of the mean, null below two responses.
    """
    summary = (
        select_placed(rows.select(PIPELINE, RECALL, PRECISION))
        .group_by(PIPELINE)
        .agg(
            pl.len().alias("responses"),
            pl.mean(RECALL).alias("closeness"),
            pl.std(RECALL).alias("closeness_deviation"),
            pl.mean(PRECISION).alias("conciseness"),
            pl.std(PRECISION).alias("conciseness_deviation"),
        )
        .cast({PIPELINE: pl.String})
    )
    summary = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String}).join(
        summary, on=PIPELINE, maintain_order="left"
    )
    for axis in ("closeness", "conciseness"):
        ends = [
            mean_interval(mean, deviation, n) if n > 1 else (None, None)
            for mean, deviation, n in summary.select(axis, f"{axis}_deviation", "responses").iter_rows()
        ]
        summary = summary.with_columns(
            pl.Series(f"{axis}_low", [low for low, _ in ends], dtype=pl.Float64),
            pl.Series(f"{axis}_high", [high for _, high in ends], dtype=pl.Float64),
        ).drop(f"{axis}_deviation")
    return summary


def select_marked(rows: pl.DataFrame, selection: Selection) -> pl.DataFrame:
    """The rows inside the selection, in their order."""
    rows = select_placed(rows)
    x, y = rows[RECALL].to_numpy(), rows[PRECISION].to_numpy()
    inside = np.zeros(len(rows), dtype=bool)
    for at_x, at_y in selection.places:
        inside |= (np.abs(x - at_x) <= selection.reach) & (np.abs(y - at_y) <= selection.reach)
    for ends_x, ends_y in selection.boxes:
        inside |= (x >= min(ends_x)) & (x <= max(ends_x)) & (y >= min(ends_y)) & (y <= max(ends_y))
    for corners in selection.lassos:
        inside |= _inside_polygon(x, y, zip(*corners, strict=True))
    return rows.filter(pl.Series(inside))


def _inside_polygon(
    x: NDArray[np.float64], y: NDArray[np.float64], corners: Iterable[tuple[float, float]]
) -> NDArray[np.bool_]:
    """Which points lie inside, by the even-odd rule: a ray to the right crosses the outline an odd number of times."""
    ring = list(corners)
    inside = np.zeros(len(x), dtype=bool)
    for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1], strict=True):
        if y0 == y1:
            continue
        crosses = (y0 > y) != (y1 > y)
        inside ^= crosses & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return inside
