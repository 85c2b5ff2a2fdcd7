"""The catalogue of metrics: what each score is called, asks, and may be read as; its texts stand in metrics.toml.

To add a metric: give it a column in `qaviz.model`, compute it in `qaviz.scoring`, and describe it there.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl


@dataclass(frozen=True)
class Band:
    """A stretch of a metric's range that is read the same way."""

    low: float
    """The band begins here and ends where the next one begins."""
    reading: str


@dataclass(frozen=True)
class Guide:
    """How one of FMEval's metrics is computed and read: docs/metrics.md and the pages' help are made of it."""

    definition: str
    high_and_wrong: str
    low_and_right: str
    remedy: str
    examples: tuple[tuple[str, str], ...]
    """Responses of the sample that mislead, each as (question_id, pipeline)."""


@dataclass(frozen=True, kw_only=True)
class Metric:
    """How one score is shown and read."""

    name: str
    """FMEval's name, which is the column's; our own where FMEval has none."""
    label: str
    question: str
    low: float = 0.0
    high: float = 1.0
    bands: tuple[Band, ...]
    """From the lowest up; together they cover the range."""
    caveat: str
    guide: Guide | None = None
    """For FMEval's own metrics."""
    compute: Callable[[pl.DataFrame], pl.Series] | None = None
    """For a metric of an installed package (entry points `qaviz.metrics`): from rows with question, answer, fact,
    response and contexts to a number each, null where there is none. None for those that qaviz computes."""

    @property
    def help(self) -> str:
        """The help line: question, range and caveat, in words that need no statistics."""
        return f"{self.question} From {self.low:g} to {self.high:g}. {self.caveat}"

    def reading(self, value: float) -> str:
        """What a value of this metric says: the reading of its band."""
        return [band.reading for band in self.bands if band.low <= value][-1]


@dataclass(frozen=True, kw_only=True)
class Quadrant:
    """One corner of closeness against conciseness, and how it is read."""

    name: str
    close: bool
    concise: bool
    reading: str
    remedy: str


def _read_metric(name: str, texts: Mapping[str, Any]) -> Metric:
    bands = tuple(Band(*band) for band in texts["bands"])
    guide = texts.get("guide")
    if guide:
        guide = Guide(**guide | {"examples": tuple(map(tuple, guide["examples"]))})
    return Metric(name=name, **{**texts, "bands": bands, "guide": guide})


_TEXTS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
METRICS: Mapping[str, Metric] = {name: _read_metric(name, texts) for name, texts in _TEXTS["metrics"].items()}
"""Every metric by its column, in the order in which they are shown."""
QUADRANTS = tuple(Quadrant(**texts) for texts in _TEXTS["quadrants"])
"""The four corners, by the thresholds `high_closeness` and `low_conciseness`."""
