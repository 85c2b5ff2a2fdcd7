"""Labels of the chart of closeness against conciseness: how many responses lie on one point, and names of means."""

from collections.abc import Mapping, Sequence

import polars as pl

from qaviz.charts.charts import LEGEND_UP_TO, Part, shown_names
from qaviz.model.columns import PIPELINE, PRECISION, RECALL

WHOLE_AXIS = (-0.03, 1.03)
STACK_SHARE = 0.01
"""Share of all responses from which a point with several responses says how many."""
STACKS_COUNTED = 12
"""At most so many points say it."""
LABEL_ROOM = (0.05, 0.045)
"""Along each axis: what the count of a place takes."""
LETTER_ROOM, LINE_ROOM, MARK_ROOM = 0.0095, 0.04, 0.022
"""Of an axis: a letter of a name, a line of text, and half a mark, in a chart of the usual width."""


def stack_sizes(rows: pl.DataFrame, means: pl.DataFrame) -> list[Part]:
    """How many responses lie on one point: for the largest such points that are not beside a mean or another count."""
    stacks = rows.group_by(RECALL, PRECISION).len().filter(pl.col("len") >= max(2, len(rows) * STACK_SHARE))
    beside = {"xanchor": "left", "xshift": 7, "yshift": 8, "showarrow": False}
    taken = list(means.select("closeness", "conciseness").drop_nulls().iter_rows())
    counted: list[Part] = []
    for at_x, at_y, responses in stacks.sort("len", RECALL, PRECISION, descending=[True, False, False]).iter_rows():
        if len(counted) < STACKS_COUNTED and not any(_overlap((at_x, at_y), box) for box in taken):
            taken.append((at_x, at_y))
            counted.append(beside | {"x": at_x, "y": at_y, "text": f"×{responses}"})
    return counted


def _overlap(place: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(abs(one - two) < room for one, two, room in zip(place, other, LABEL_ROOM, strict=True))


def mean_names(means: pl.DataFrame, pipelines: Sequence[str]) -> list[Part]:
    """Beside each mean its pipeline's name, on the side that is free; of many pipelines the marks have numbers."""
    if len(pipelines) > LEGEND_UP_TO:
        return []
    names = dict(zip(pipelines, shown_names(pipelines), strict=True))
    placed = means.drop_nulls(["closeness", "conciseness"])
    marks = list(placed.select("closeness", "conciseness").iter_rows())
    taken: list[_Box] = [(x - MARK_ROOM, y - MARK_ROOM, x + MARK_ROOM, y + MARK_ROOM) for x, y in marks]
    labels = []
    for name, (x, y) in zip(placed[PIPELINE], marks, strict=True):
        sides = _place_sides(x, y, LETTER_ROOM * len(names[name]))
        free = min(sides, key=lambda side: _measure_overlap(sides[side], taken))
        taken.append(sides[free])
        labels.append({"x": x, "y": y, "text": f"<b>{names[name]}</b>", "showarrow": False, **_ANCHORS[free]})
    return labels


_Box = tuple[float, float, float, float]
"""Left, low, right and high, along the axes."""


_ANCHORS: Mapping[str, Part] = {
    "right": {"xanchor": "left", "xshift": 12},
    "left": {"xanchor": "right", "xshift": -12},
    "above": {"yanchor": "bottom", "yshift": 10},
    "below": {"yanchor": "top", "yshift": -10},
}


def _place_sides(x: float, y: float, wide: float) -> dict[str, _Box]:
    """Where a label of this width lies on each side of a mark."""
    low, high = y - LINE_ROOM / 2, y + LINE_ROOM / 2
    return {
        "right": (x + MARK_ROOM, low, x + MARK_ROOM + wide, high),
        "left": (x - MARK_ROOM - wide, low, x - MARK_ROOM, high),
        "above": (x - wide / 2, y + MARK_ROOM, x + wide / 2, y + MARK_ROOM + LINE_ROOM),
        "below": (x - wide / 2, y - MARK_ROOM - LINE_ROOM, x + wide / 2, y - MARK_ROOM),
    }


def _measure_overlap(box: _Box, taken: Sequence[_Box]) -> float:
    """How much of the box is taken or lies beside the chart."""
    left, low, right, high = box
    shared = sum(
        max(0.0, min(right, box[2]) - max(left, box[0])) * max(0.0, min(high, box[3]) - max(low, box[1]))
        for box in taken
    )
    beside = max(0.0, right - WHOLE_AXIS[1]) + max(0.0, WHOLE_AXIS[0] - left)
    return shared + beside * (high - low)
