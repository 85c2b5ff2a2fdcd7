"""Figures as pictures within a page: SVG that needs neither a script nor a style of its own."""

from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from qaviz.analysis.numbers import count, percent, score
from qaviz.exports.decision_pack.figures import Figure, Series, Unit
from qaviz.exports.decision_pack.texts import extent, short_names

WIDTH = 920
NAMES, RIGHT = 300, 60
"""Room for names at the left, and for what a number needs at the right."""
PLOT = WIDTH - NAMES - RIGHT
ROW, BAR_GAP, TOP, BOTTOM = 34, 6, 8, 28
KEY_LINE, TYPE = 24, 13
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
SMALLEST_LABELLED = 18
"""Pixels of a part that has room for its number."""


def chart(figure: Figure) -> ElementTree.Element:
    """The figure as an `svg` element. Its numbers stand in it as texts, for screen readers too."""
    parts = figure.unit == Unit.COUNT
    many = 1 if parts else len(figure.series)
    row = max(ROW, many * 22 + BAR_GAP)
    keys = _keys(figure) if len(figure.series) > 1 else []
    plot_height = TOP + row * len(figure.pipelines)
    lines = max((line for _, _, line in keys), default=-1) + 1
    height = plot_height + BOTTOM + lines * KEY_LINE
    svg = ElementTree.Element("svg", {"viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria-label": figure.title})
    svg.extend(_axis(plot_height, score if figure.unit == Unit.SCORE else percent))
    names = short_names(figure.pipelines)
    for place, (name, counted) in enumerate(zip(figure.pipelines, figure.counted, strict=True)):
        top = TOP + row * place
        svg.append(_text(NAMES - 10, top + row / 2, f"{names[name]} ({counted})", "end"))
        svg.extend(_shares(figure, place, top, row) if parts else _bars(figure, place, top, row))
    for series, (_, left, line) in zip(figure.series, keys, strict=False):
        top = plot_height + BOTTOM + line * KEY_LINE
        svg.append(_box(left, top, TYPE, TYPE, series.colour))
        svg.append(_text(left + TYPE + 6, top + TYPE / 2, series.name, "start"))
    return svg


def _axis(height: float, written: Callable[[float], str]) -> Iterator[ElementTree.Element]:
    for tick in TICKS:
        at = f"{NAMES + tick * PLOT:.1f}"
        yield ElementTree.Element("line", {"x1": at, "x2": at, "y1": str(TOP), "y2": str(height), "class": "grid"})
        yield _text(float(at), height + 14, written(tick), "middle")


def _bars(figure: Figure, place: int, top: float, row: float) -> Iterator[ElementTree.Element]:
    thick = (row - BAR_GAP) / len(figure.series)
    for number, series in enumerate(figure.series):
        value, at = series.values[place], top + BAR_GAP / 2 + number * thick
        if value is None:
            continue
        yield _box(NAMES, at, value * PLOT, thick - 1, series.colour)
        ends = series.ends[place] if series.ends else None
        if ends:
            yield from _whisker(ends, at + thick / 2)
        written = percent(value) if figure.unit == Unit.PERCENT else score(value)
        yield _text(NAMES + max(value, ends[1] if ends else 0) * PLOT + 6, at + thick / 2, written, "start")


def _whisker(ends: tuple[float, float], middle: float) -> Iterator[ElementTree.Element]:
    low, high = (NAMES + end * PLOT for end in ends)
    for x1, y1, x2, y2 in (
        (low, middle, high, middle),
        (low, middle - 5, low, middle + 5),
        (high, middle - 5, high, middle + 5),
    ):
        ends_of = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
        yield ElementTree.Element("line", ends_of | {"class": "whisker"})


def _shares(figure: Figure, place: int, top: float, row: float) -> Iterator[ElementTree.Element]:
    counts = [series.values[place] or 0 for series in figure.series]
    whole, left = sum(counts), float(NAMES)
    for series, counted in zip(figure.series, counts, strict=True):
        if not counted:
            continue
        wide = counted / whole * PLOT
        part = _box(left, top + BAR_GAP / 2, wide, row - BAR_GAP, series.colour)
        title = ElementTree.SubElement(part, "title")
        title.text = f"{series.name}: {count(int(counted))}"
        yield part
        if wide >= SMALLEST_LABELLED:
            yield _text(left + wide / 2, top + row / 2, count(int(counted)), "middle", "inside")
        left += wide


def _keys(figure: Figure) -> list[tuple[Series, float, int]]:
    """For each series where its key stands: from the left, and on which line."""
    keys, left, line = [], float(NAMES), 0
    for series in figure.series:
        wide = extent(series.name) * TYPE + TYPE + 30
        if left + wide > WIDTH and left > NAMES:
            left, line = float(NAMES), line + 1
        keys.append((series, left, line))
        left += wide
    return keys


def _box(left: float, top: float, wide: float, high: float, colour: str) -> ElementTree.Element:
    place = {"x": f"{left:.1f}", "y": f"{top:.1f}", "width": f"{wide:.1f}", "height": f"{high:.1f}"}
    return ElementTree.Element("rect", place | {"fill": colour})


def _text(left: float, middle: float, words: str, anchor: str, kind: str = "words") -> ElementTree.Element:
    place = {"x": f"{left:.1f}", "y": f"{middle:.1f}", "dy": "0.35em", "text-anchor": anchor, "class": kind}
    element = ElementTree.Element("text", place)
    element.text = words
    return element
