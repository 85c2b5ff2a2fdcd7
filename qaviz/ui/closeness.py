"""Closeness against conciseness on the screen: the chart and the marks on it, its regions in words, and normalised
scores.
"""

from collections.abc import Sequence, Set
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis import closeness
from qaviz.analysis.closeness import (
    GAIN,
    REGIONS,
    RESPONSES,
    SAME_PLACE,
    Box,
    MeansRow,
    Selection,
    Split,
    places,
    select_marked,
)
from qaviz.analysis.numbers import count, percent, plural, score
from qaviz.analysis.selection import Passing
from qaviz.charts import LEGEND_UP_TO, pipeline_marks
from qaviz.charts.scatter_chart import with_thresholds
from qaviz.model.columns import F1, PIPELINE, PRECISION, typed_rows
from qaviz.model.records import Run, Thresholds
from qaviz.scoring.normalised import NORMALISED
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import closeness_of, means_of, normalised_gain_of, regions_of
from qaviz.ui.widgets.chart import Marked, about_run, show_chart
from qaviz.ui.widgets.components import LegendMark, let_thresholds_move
from qaviz.ui.widgets.filters import Filters, pick_listed, write_range
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.responses import show_responses
from qaviz.ui.widgets.table import Cell, Column, Columns, Row, interval_cell, show_table
from qaviz.ui.widgets.text import show_sentences

CHART = "closeness_chart"

MEANS_IN_ALT = 8
"""Pipelines whose means are read out; the table below has all of them."""

_GAIN_COLUMNS = (
    "Pipeline",
    Column("Responses", title="Responses to questions with a golden answer"),
    "Conciseness",
    Column("Normalised", title="Conciseness without the restated question and citations"),
    "F1",
    Column("Normalised", title="F1 without the restated question and citations"),
    Column("Gain", title="Normalised F1 less F1"),
)

_GAIN_FIGURES = (PRECISION, NORMALISED[PRECISION], F1, NORMALISED[F1], GAIN)


def pick_split() -> Split:
    """Draw the choice of one panel or several; returns what the reader chose."""
    return pick_listed(url_state.SPLIT, "Panels", list(Split))


def show_closeness(
    run: Run, filters: Filters, rows: Passing, thresholds: Thresholds, split: Split = Split.NONE
) -> None:
    """Draw these diagnosed rows, which pass the filters, by closeness and conciseness; list what the reader marks.

    The lines of the two thresholds lie over the chart and can be dragged. A moved threshold redraws the chart only if
    other rows pass.
    """
    if not rows.height:
        st.text("No response passes these filters. Remove a filter to see more.")
        return
    _show_marked(run, filters, rows, thresholds, split)
    let_thresholds_move(CHART, thresholds)


@st.fragment
def _show_marked(run: Run, filters: Filters, rows: Passing, thresholds: Thresholds, split: Split) -> None:
    """As a fragment, a mark on the chart redraws nothing else on the page."""
    shown, figure = closeness_of(run, filters, thresholds, split, rows)
    means = means_of(run, filters, thresholds, rows)
    with st.container(key=CHART):
        marked = show_chart(
            figure,
            # Another chart for each split, so that what is marked in one is not looked for in another.
            key=f"{CHART}_{split.name.lower()}",
            name="Closeness vs conciseness",
            alt=_alt(shown, means),
            data=lambda: places(rows, thresholds),
            about=about_run(run, filters, thresholds),
            caption=_reading(shown, rows.height, int(means["responses"].sum())),
            marks=True,
            drawn_over=partial(with_thresholds, thresholds=thresholds),
            legend=_legend(run.pipelines, set(means[PIPELINE])),
        )
    tiles = closeness.bins(shown)
    selections = _selections(marked, [trace.xaxis for trace in figure.data], 0.5 / tiles if tiles else SAME_PLACE)
    if selections:
        inside = pl.concat(select_marked(panel.rows, selections.get(panel.axis, Selection())) for panel in shown)
        listed = rows.at(inside[closeness.ROW].sort())
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(f"Marked: {plural(listed.height, 'response')}", anchor=False, width="content")
            _offer_filter([box for selection in selections.values() for box in selection.boxes])
        if listed.height:
            show_responses(listed, thresholds, "marked")


def _offer_filter(boxes: Sequence[Box]) -> None:
    """Draw the button that narrows every list and chart of the run to a box: of several, none says which."""
    if len(boxes) != 1:
        return
    if st.button("Filter to this box", icon=":material/filter_alt:", help="On every tab, until you take it away."):
        for name, ends in zip(("closeness", "conciseness"), boxes[0], strict=True):
            low, high = (min(1.0, max(0.0, round(end, 3))) for end in sorted(ends))
            write_range(name, (low, high))
        st.rerun()


def _legend(pipelines: Sequence[str], drawn: Set[str]) -> list[LegendMark]:
    """The marks of the pipelines that are drawn, numbered as the chart numbers them."""
    numbered = len(pipelines) > LEGEND_UP_TO
    return [
        LegendMark(
            name=name,
            colour=colour,
            symbol=symbol,
            number=str(place + 1) if numbered else "",
            group=str(place),
        )
        for place, (name, (colour, symbol)) in enumerate(pipeline_marks(pipelines).items())
        if name in drawn
    ]


def _alt(shown: Sequence[closeness.Panel], means: pl.DataFrame) -> str:
    """What the chart shows, in words and figures, for those who do not see it."""
    means_in_words = [
        f"{mean[PIPELINE]} {score(mean['closeness'])} and {score(mean['conciseness'])}"
        for mean in means.head(MEANS_IN_ALT).iter_rows(named=True)
    ]
    drawn = plural(sum(panel.rows.height for panel in shown), "response")
    return f"{drawn} by closeness and conciseness; means: {', '.join(means_in_words) or 'none'}"


def _reading(shown: Sequence[closeness.Panel], responses: int, scored: int) -> str:
    mark = "Stronger tiles hold more responses" if closeness.bins(shown) else "One mark a response"
    left_out, unseen = responses - scored, scored - sum(panel.rows.height for panel in shown)
    missing = f" Not shown: {plural(left_out, 'response')} without a golden answer." if left_out else ""
    more = f" The first {len(shown)} panels; {plural(unseen, 'response')} more in others." if unseen else ""
    return (
        f"{mark}; the large marks are means with their 95% intervals. Click a place, or draw a box or a lasso with "
        f"the tools above the chart, to list its responses. The handles of the two lines move the thresholds."
        f"{missing}{more}"
    )


def _selections(marked: Marked, axes: Sequence[str], reach: float) -> dict[str, Selection]:
    """What the chart reports, by the closeness axis of its panel; `axes` are those of the chart's traces.

    The area of a box or lasso counts, not its points: tiles stand for many responses.
    """
    drawn = {area["xref"] for area in (*marked["box"], *marked["lasso"])}
    if drawn:
        return {axis: _drawn_around(marked, axis) for axis in drawn}
    # Another filter may have left fewer traces than there were when the reader clicked.
    points = [point for point in marked["points"] if point["curve_number"] < len(axes)]
    places_of: dict[str, list[tuple[float, float]]] = {}
    for point in points:
        places_of.setdefault(axes[point["curve_number"]], []).append((point["x"], point["y"]))
    return {axis: Selection(places=tuple(clicked), reach=reach) for axis, clicked in places_of.items()}


def _drawn_around(marked: Marked, axis: str) -> Selection:
    return Selection(
        boxes=tuple((tuple(box["x"]), tuple(box["y"])) for box in marked["box"] if box["xref"] == axis),
        lassos=tuple((tuple(area["x"]), tuple(area["y"])) for area in marked["lasso"] if area["xref"] == axis),
    )


def show_regions(run: Run, filters: Filters, rows: Passing, thresholds: Thresholds) -> None:
    """Draw how many of each pipeline's responses lie in each region, beside its means; then what the regions mean.

    Nothing where there is no response.
    """
    if not rows.height:
        return
    means = {mean[PIPELINE]: mean for mean in typed_rows(means_of(run, filters, thresholds, rows), MeansRow)}
    counts = regions_of(run, filters, thresholds, rows).select(PIPELINE, *REGIONS).iter_rows()
    drawn = [_region_row(means[pipeline], inside) for pipeline, *inside in counts if pipeline in means]
    columns: Columns = (
        "Pipeline",
        "Closeness, mean",
        "Conciseness, mean",
        *(Column(region, title=meaning) for region, meaning in REGIONS.items()),
    )
    show_table("regions", "Where each pipeline's responses lie", columns, drawn)
    show_sentences("meanings", [f"{region}: {meaning}" for region, meaning in REGIONS.items()])


def _region_row(mean: MeansRow, inside: Sequence[int]) -> Row:
    n = mean["responses"]
    return Row(
        cells=[
            mean[PIPELINE],
            _mean_cell(mean["closeness"], mean["closeness_low"], mean["closeness_high"], n),
            _mean_cell(mean["conciseness"], mean["conciseness_low"], mean["conciseness_high"], n),
            *(f"{count(column)} ({percent(column / n)})" for column in inside),
        ]
    )


def _mean_cell(mean: float, low: float | None, high: float | None, n: int) -> Cell:
    if low is None or high is None:
        return interval_cell(mean, mean, mean, score(mean), f"n = {count(n)}")
    return interval_cell(mean, low, high, score(mean), f"{score(low)} to {score(high)}, n = {count(n)}")


def show_normalised_gain(shown: OpenRun) -> None:
    """Draw a panel that, once opened, says what each pipeline loses by restating the question and by citations."""
    panel = st.expander("Without the restated question and citations", on_change="rerun", key="normalised")
    if not panel.open:
        return
    with panel:
        st.caption(
            "The scores again, over responses without citations such as [1] and without the words that only repeat the "
            "question. FMEval's own scores are the ones that count everywhere else."
        )
        gains = normalised_gain_of(shown).select(PIPELINE, RESPONSES, *_GAIN_FIGURES)
        rows = [Row(cells=[name, count(n), *map(score, figures)]) for name, n, *figures in gains.iter_rows()]
        show_table("normalised_gain", "Scores without the restated question and citations", _GAIN_COLUMNS, rows)
