"""Charts as plotly figures: frames in, a figure out. Here is what all of them share, and those of the decision.

Text from files enters a figure only through `chart_text`. Figures name no font and no text colour: the page's theme, or
the template of an export, gives them. Every colour has a contrast of at least 3 to 1 on white and on the dark theme's
background, so that one palette serves both themes and every export. No meaning rests on colour alone: pipelines have a
symbol too, diagnoses a sign."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from qaviz.analysis.board import CELL, NOT_CREDITED, Cell
from qaviz.analysis.numbers import MISSING
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.visible import LONGEST_NAME, shorten_names

if TYPE_CHECKING:  # colours and signs are asked for where no figure is drawn
    import plotly.graph_objects as go

PIPELINE_COLOURS = (
    *("#1F7FC4", "#D55E00", "#008F68", "#B85C93", "#B87A00", "#6F7F8F", "#8A6FD1", "#7C8500"),
    *("#0A5BFF", "#FF3D7E", "#FF0AD6", "#DF3DFF", "#008015", "#2C84FF", "#317482", "#DD5FA9"),
)
"""In OKLab any two of the sixteen are at least .95 as far apart as the nearest two of the first eight."""
# As many as share no factor with the number of colours, so that a colour comes with another symbol each time round.
PIPELINE_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "triangle-down", "cross", "star", "hexagon")

_LOOKS = {
    Diagnosis.CORRECT: ("#008F68", "✓"),
    Diagnosis.VERBOSE: ("#1F7FC4", "✓…"),
    Diagnosis.REPHRASED: ("#8A6FD1", "≈"),
    Diagnosis.HALLUCINATION: ("#D55E00", "✗"),
    Diagnosis.ACCIDENTAL: ("#B87A00", "◇"),
    Diagnosis.OFF_TARGET: ("#B85C93", "≠"),
    Diagnosis.DECLINED: ("#6F7F8F", "∅"),
    Diagnosis.UNSCORED: ("#908048", "?"),
}
"""A diagnosis's colour, and the character that stands for it in a text."""
DIAGNOSIS_COLOURS = {diagnosis: colour for diagnosis, (colour, _) in _LOOKS.items()}
BLANK = "rgba(128, 138, 148, 0.25)"
CELL_LOOKS: dict[Cell, tuple[str, str]] = {
    **{Cell(kind.value): look for kind, look in _LOOKS.items() if kind.value in {cell.value for cell in Cell}},
    Cell.RIGHTLY_DECLINED: ("#317482", "∅"),
    Cell.UNSURE: ("#908048", "?"),
    Cell.EMPTY: (BLANK, MISSING),
}
"""The colour and the character of each cell of the board's matrix."""
STATED_LOOKS = {"stated": ("#1F7FC4", "✓"), "not stated": ("#D55E00", "✗"), "not scored": (BLANK, MISSING)}
"""The same of what FMEval's Factual Knowledge says of a cell."""

Figure: TypeAlias = "go.Figure"
Part: TypeAlias = dict[str, Any]
"""A part of a figure as plotly takes it: a trace, a layout, an annotation."""
FAINT = "rgba(128, 138, 148, 0.55)"
"""A grey for guide lines that shows on light and on dark."""
RIM = "#ffffff"
INK = "#05080a"
"""Readable, at 4.5 to 1 or more, on every colour of the palette."""
LEGEND_UP_TO = 4
"""Pipelines that a chart's own legend has room for on a phone; of more, the page draws the legend under the chart."""
LEGEND = {"orientation": "h", "x": 0, "title_text": "", "traceorder": "normal"}
BAR_HEIGHT = 34
LONGEST_QUESTION = 60
ROW_HEIGHT = 22
FRAME_HEIGHT = 120
"""Height in pixels of axis and margins beside the rows."""


def pipeline_marks(pipelines: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Colour and symbol of each pipeline, by its place in the run; the first 144 pairs are unique."""
    return {
        name: (PIPELINE_COLOURS[i % len(PIPELINE_COLOURS)], PIPELINE_SYMBOLS[i % len(PIPELINE_SYMBOLS)])
        for i, name in enumerate(pipelines)
    }


def chart_text(text: pl.Expr, longest: int) -> pl.Expr:
    """The text on one line, cut to `longest` characters, so that a figure shows exactly this and nothing else. Plotly
    reads a few HTML tags and entities in every text, and Streamlit replaces `#000001` and its like by colours anywhere
    in a figure. `<`, `>`, `&` and `#` therefore enter as entities, which plotly turns back into characters."""
    line = text.str.replace_all(r"[\s\p{C}]+", " ").str.strip_chars()
    cut = pl.when(line.str.len_chars() > longest).then(line.str.slice(0, longest - 1) + "…").otherwise(line)
    return cut.str.replace_many(["&", "<", ">", "#"], ["&amp;", "&lt;", "&gt;", "&#35;"])


def chart_texts(texts: Sequence[str], longest: int) -> list[str]:
    """As `chart_text`, for a list of texts."""
    return pl.Series(texts, dtype=pl.String).to_frame("").select(chart_text(pl.col(""), longest)).to_series().to_list()


def shown_names(pipelines: Sequence[str]) -> list[str]:
    """Names for legends and axes, as `shorten_names` has them."""
    short = shorten_names(pipelines)
    return chart_texts([short[name] for name in pipelines], LONGEST_NAME)


def matrix_chart(cells: pl.DataFrame, questions: pl.DataFrame, pipelines: Sequence[str]) -> Figure:
    """Return `analysis.board.tabulate_cells` as a heat map, a row a question: what became of each response, by colour
    and sign; hovering says whether it is right and not credited. `questions` are the triplets asked."""
    looks = [CELL_LOOKS[cell] for cell in Cell]
    words = [cell.value for cell in Cell]
    ids = cells[QUESTION_ID].unique(maintain_order=True)
    credit = pl.when(NOT_CREDITED).then(pl.lit(", not credited")).otherwise(pl.lit(""))
    table = cells.select(
        pl.col(CELL).to_physical().alias("code"), (pl.col(CELL).cast(pl.String) + credit).alias("note")
    )
    codes, note = (table[name].to_numpy().reshape(ids.len(), -1) for name in ("code", "note"))
    named = ids.to_frame().join(questions, on=QUESTION_ID, how="left", maintain_order="left")
    shown = named.select(chart_text(pl.col(QUESTION), LONGEST_QUESTION)).to_series().to_list()
    edges = [(place / len(words), (place + 1) / len(words)) for place in range(len(words))]
    import plotly.graph_objects as go

    figure = go.Figure(
        go.Heatmap(
            z=codes.tolist(),
            text=[[looks[code][1] for code in row] for row in codes],
            customdata=note.tolist(),
            texttemplate="%{text}",
            textfont={"color": INK},
            colorscale=[(edge, colour) for ends, (colour, _) in zip(edges, looks, strict=True) for edge in ends],
            zmin=-0.5,
            zmax=len(words) - 0.5,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="%{y}<br>%{x}: %{customdata}<extra></extra>",
        )
    )
    # Places, not names: plotly would merge two questions that are cut to the same text.
    figure.update_xaxes(tickvals=list(range(len(pipelines))), ticktext=shown_names(pipelines), side="top")
    figure.update_yaxes(tickvals=list(range(ids.len())), ticktext=shown, autorange="reversed")
    figure.update_layout(height=FRAME_HEIGHT + ROW_HEIGHT * max(ids.len(), 1), margin={"l": 8, "r": 8, "b": 8})
    return figure


def decision_chart(ranking: pl.DataFrame) -> Figure:
    """Return `Decision.ranking` as a figure: each pipeline's share of right answers with its 95 % interval."""
    import plotly.graph_objects as go

    shares, low, high = (ranking[name].to_list() for name in ("share", "low", "high"))
    figure = go.Figure(
        go.Scatter(
            x=shares,
            y=list(range(ranking.height)),
            mode="markers",
            marker={"size": 12, "color": PIPELINE_COLOURS[0]},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [end - share for share, end in zip(shares, high, strict=True)],
                "arrayminus": [share - end for share, end in zip(shares, low, strict=True)],
            },
            text=chart_texts(ranking["in_words"].to_list(), LONGEST_QUESTION),
            hovertemplate="%{text} right, %{x:.0%}<extra></extra>",
        )
    )
    figure.update_xaxes(title_text="Right answers, with the 95% interval", range=(0, 1), tickformat=".0%")
    places = list(range(ranking.height))
    names = shown_names(ranking[PIPELINE].to_list())
    figure.update_yaxes(tickvals=places, ticktext=names, range=(ranking.height - 0.5, -0.5))
    figure.update_layout(height=FRAME_HEIGHT + BAR_HEIGHT * ranking.height, margin={"l": 8, "r": 24, "t": 8, "b": 8})
    return figure
