"""The Factual Knowledge report as a figure: a row a question, a column a pipeline, a mark in each cell."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from qaviz.analysis.numbers import MISSING
from qaviz.analysis.tables import score_column
from qaviz.charts.charts import chart_text, shown_names
from qaviz.charts.palette import PIPELINE_COLOURS
from qaviz.model.columns import QUESTION

LONGEST_QUESTION = 60
ROW_HEIGHT = 22
FRAME_HEIGHT = 120
"""Height in pixels of axis and margins beside the rows."""
SCALE = ((0.0, PIPELINE_COLOURS[1]), (1.0, PIPELINE_COLOURS[0]))
"""Not stated, stated: two colours that people with colour-blindness tell apart; the mark in the cell says the same."""


def matrix_chart(matrix: pl.DataFrame, pipelines: Sequence[str]) -> go.Figure:
    """Return `analysis.tables.fact_matrix` as a heat map: ✓ states the fact, ✗ does not, – is not scored."""
    values = [matrix[score_column(name)].to_list() for name in pipelines]
    rows = [list(row) for row in zip(*values, strict=True)]
    questions = matrix.select(chart_text(pl.col(QUESTION), LONGEST_QUESTION)).to_series().to_list()
    # Places, not names: plotly would merge two questions that are cut to the same text.
    places = list(range(matrix.height))
    figure = go.Figure(
        go.Heatmap(
            z=rows,
            text=[[_mark(value) for value in row] for row in rows],
            texttemplate="%{text}",
            textfont={"color": "#ffffff"},
            colorscale=SCALE,
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="%{y}<br>%{x}: %{text}<extra></extra>",
        )
    )
    figure.update_xaxes(tickvals=list(range(len(pipelines))), ticktext=shown_names(pipelines), side="top")
    figure.update_yaxes(tickvals=places, ticktext=questions, autorange="reversed")
    figure.update_layout(height=FRAME_HEIGHT + ROW_HEIGHT * max(matrix.height, 1), margin={"l": 8, "r": 8, "b": 8})
    return figure


def _mark(value: float | None) -> str:
    return MISSING if value is None else "✓" if value else "✗"
