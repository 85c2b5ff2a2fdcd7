"""The decision pack as one page, pack.html: it needs nothing beside itself, runs no script, and prints.

Every text is escaped. The page's own policy forbids everything but its one style sheet, so even a text
that a browser took for markup could load nothing.
"""

import base64
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from qaviz.analysis.numbers import count, percent, plural, score
from qaviz.exports.decision_pack.content import SIGN_OFF, SIGN_OFF_FIELDS, Content, Example
from qaviz.exports.decision_pack.figures import Figure, Series, Unit
from qaviz.exports.decision_pack.tables import all_tables
from qaviz.exports.decision_pack.texts import excerpt, extent, short_names, variants_in_words
from qaviz.exports.templates import Markup, render
from qaviz.model.visible import visible

LONGEST_TEXT = 1_500
"""Characters of each text of an example."""
LAST_TITLES = ("Diagnoses, with examples", "The golden dataset", "What is not known", "How it was measured", "Sign-off")

_FOLDER = Path(__file__).parent
_STYLE = Markup((_FOLDER / "pack.css").read_text(encoding="utf-8"))
_POLICY = Markup(
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    f"{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"
)


def write(content: Content, stream: BinaryIO) -> None:
    """Write the page in UTF-8."""
    figures = [(figure, draw(figure)) for figure in content.figures]
    tables = list(all_tables(content))
    page = render(
        _FOLDER / "pack.html",
        show=visible,
        title=f"Decision pack: {content.run.name}",
        style=_STYLE,
        policy=_POLICY,
        content=content,
        figures=figures,
        tables=tables,
        titles=[*(figure.title for figure, _ in figures), *(table.title for table in tables), *LAST_TITLES],
        example_texts=_example_texts,
        sign_off=[(line, *[""] * len(SIGN_OFF_FIELDS)) for line in SIGN_OFF],
        sign_off_fields=SIGN_OFF_FIELDS,
        count=count,
        plural=plural,
        px="{:.1f}".format,
    )
    stream.write(page.encode())


def _example_texts(example: Example) -> list[tuple[str, str]]:
    texts = {
        "Question": example.question or example.question_id,
        "Golden answer": variants_in_words(example.answer),
        "Fact": variants_in_words(example.fact),
        example.pipeline: example.response or "no response",
        "Why": example.reason,
    }
    return [(name, excerpt(text, LONGEST_TEXT)) for name, text in texts.items() if text]


WIDTH = 920
NAMES, RIGHT = 300, 60
"""Room for names at the left, and for what a number needs at the right."""
PLOT = WIDTH - NAMES - RIGHT
ROW, BAR_GAP, TOP, BOTTOM = 34, 6, 8, 28
KEY_LINE, TYPE = 24, 13
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
SMALLEST_LABELLED = 18
"""Pixels of a part that has room for its number."""

Line = tuple[float, float, float, float]
"""From x1, y1 to x2, y2."""


@dataclass(frozen=True)
class Box:
    """A filled rectangle."""

    left: float
    top: float
    wide: float
    high: float
    colour: str
    title: str = ""


@dataclass(frozen=True)
class Text:
    """Words on a line, `anchor`ed at `left` by their start, middle or end."""

    left: float
    middle: float
    words: str
    anchor: str = "start"
    kind: str = "words"


@dataclass
class Drawing:
    """A picture, from the back to the front. Its numbers are texts, which screen readers read."""

    title: str
    height: int
    width: int = WIDTH
    grid: list[Line] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    whiskers: list[Line] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)


def draw(figure: Figure) -> Drawing:
    """The figure as a picture."""
    parts = figure.unit == Unit.COUNT
    row = max(ROW, (1 if parts else len(figure.series)) * 22 + BAR_GAP)
    keys = _place_keys(figure) if len(figure.series) > 1 else []
    bottom = TOP + row * len(figure.pipelines)
    lines = max((line for _, _, line in keys), default=-1) + 1
    drawing = Drawing(figure.title, bottom + BOTTOM + lines * KEY_LINE)
    _draw_axis(drawing, bottom, figure.unit)
    names = short_names(figure.pipelines)
    for place, (name, counted) in enumerate(zip(figure.pipelines, figure.counted, strict=True)):
        top = TOP + row * place
        drawing.texts.append(Text(NAMES - 10, top + row / 2, f"{names[name]} ({counted})", "end"))
        (_draw_shares if parts else _draw_bars)(drawing, figure, place, top, row)
    for series, left, line in keys:
        top = bottom + BOTTOM + line * KEY_LINE
        drawing.boxes.append(Box(left, top, TYPE, TYPE, series.colour))
        drawing.texts.append(Text(left + TYPE + 6, top + TYPE / 2, series.name))
    return drawing


def _draw_axis(drawing: Drawing, bottom: float, unit: Unit) -> None:
    for tick in TICKS:
        at = NAMES + tick * PLOT
        drawing.grid.append((at, TOP, at, bottom))
        drawing.texts.append(Text(at, bottom + 14, score(tick) if unit == Unit.SCORE else percent(tick), "middle"))


def _draw_bars(drawing: Drawing, figure: Figure, place: int, top: float, row: float) -> None:
    thick = (row - BAR_GAP) / len(figure.series)
    for number, series in enumerate(figure.series):
        value, at = series.values[place], top + BAR_GAP / 2 + number * thick
        if value is None:
            continue
        drawing.boxes.append(Box(NAMES, at, value * PLOT, thick - 1, series.colour))
        ends, middle = series.ends[place] if series.ends else None, at + thick / 2
        if ends:
            low, high = (NAMES + end * PLOT for end in ends)
            drawing.whiskers.append((low, middle, high, middle))
            drawing.whiskers += [(end, middle - 5, end, middle + 5) for end in (low, high)]
        written = percent(value) if figure.unit == Unit.PERCENT else score(value)
        drawing.texts.append(Text(NAMES + max(value, ends[1] if ends else 0) * PLOT + 6, middle, written))


def _draw_shares(drawing: Drawing, figure: Figure, place: int, top: float, row: float) -> None:
    counts = [series.values[place] or 0 for series in figure.series]
    whole, left = sum(counts), float(NAMES)
    for series, counted in zip(figure.series, counts, strict=True):
        if not counted:
            continue
        wide, number = counted / whole * PLOT, count(int(counted))
        title = f"{series.name}: {number}"
        drawing.boxes.append(Box(left, top + BAR_GAP / 2, wide, row - BAR_GAP, series.colour, title))
        if wide >= SMALLEST_LABELLED:
            drawing.texts.append(Text(left + wide / 2, top + row / 2, number, "middle", "inside"))
        left += wide


def _place_keys(figure: Figure) -> list[tuple[Series, float, int]]:
    """For each series where its key stands: from the left, and on which line."""
    keys, left, line = [], float(NAMES), 0
    for series in figure.series:
        wide = extent(series.name) * TYPE + TYPE + 30
        if left + wide > WIDTH and left > NAMES:
            left, line = float(NAMES), line + 1
        keys.append((series, left, line))
        left += wide
    return keys
