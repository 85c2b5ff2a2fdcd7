"""Closeness against conciseness on the screen: the chart, what the reader marks on it, and the regions in words."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import streamlit as st

from qaviz.model import PIPELINE, Run, Thresholds
from qaviz.report import charts, numbers
from qaviz.report.closeness import (
    REGIONS,
    SAME_PLACE,
    Selection,
    pipeline_means,
    placed,
    places,
    region_counts,
    selected,
)
from qaviz.ui.chart import about_run, show_chart
from qaviz.ui.filters import Filters
from qaviz.ui.prose import show_sentences
from qaviz.ui.responses import show_responses
from qaviz.ui.table import Cell, Column, Row, interval_cell, show_table, text_cell


@st.fragment
def show_closeness(run: Run, filters: Filters, rows: pl.DataFrame, thresholds: Thresholds) -> None:
    """Draw these diagnosed rows, which pass the filters, by closeness and conciseness; list what the reader marks.

    A fragment: a mark on the chart redraws nothing else on the page.
    """
    on_chart = placed(rows)
    density = on_chart.height > charts.DENSITY_ABOVE
    marked = show_chart(
        charts.closeness_conciseness(on_chart, thresholds, run.pipelines),
        key="closeness_chart",
        name="Closeness vs conciseness",
        alt="Each response by its closeness and conciseness, with the mean of each pipeline",
        data=lambda: places(rows, thresholds),
        about=about_run(run, filters, thresholds),
        caption=_reading(rows.height, on_chart.height, density),
        marks=True,
    )
    selection = _selection(marked, charts.TILE / 2 if density else SAME_PLACE)
    if selection:
        listed = selected(on_chart, selection)
        st.subheader(f"Marked: {numbers.plural(listed.height, 'response')}", anchor=False)
        if not listed.is_empty():
            show_responses(listed, thresholds, "marked")


def _reading(responses: int, on_chart: int, density: bool) -> str:
    shown = "Darker tiles hold more responses" if density else "One mark a response"
    left_out = responses - on_chart
    missing = f" Not shown: {numbers.plural(left_out, 'response')} without a golden answer." if left_out else ""
    return (
        f"{shown}; the large marks are means with their 95% intervals. Click a place, or draw a box or a lasso with "
        f"the tools above the chart, to list its responses.{missing}"
    )


def _selection(marked: Mapping[str, Sequence[Mapping[str, Any]]], reach: float) -> Selection:
    """What the chart reports. The area of a box or lasso counts, not its points: tiles stand for many responses."""
    boxes = tuple((tuple(box["x"]), tuple(box["y"])) for box in marked["box"])
    lassos = tuple((tuple(lasso["x"]), tuple(lasso["y"])) for lasso in marked["lasso"])
    if boxes or lassos:
        return Selection(boxes=boxes, lassos=lassos)
    return Selection(places=tuple((point["x"], point["y"]) for point in marked["points"]), reach=reach)


def show_regions(rows: pl.DataFrame, thresholds: Thresholds, pipelines: Sequence[str]) -> None:
    """Draw how many of each pipeline's responses lie in each region, beside its means; then what the regions mean."""
    counts = region_counts(rows, thresholds, pipelines)
    means = {mean[PIPELINE]: mean for mean in pipeline_means(rows, pipelines).iter_rows(named=True)}
    drawn = [
        Row(cells=_region_cells(each, means[each[PIPELINE]]))
        for each in counts.iter_rows(named=True)
        if each[PIPELINE] in means
    ]
    columns = [
        Column(label="Pipeline", head=True),
        Column(label="Closeness, mean"),
        Column(label="Conciseness, mean"),
        *(Column(label=region, title=meaning) for region, meaning in REGIONS.items()),
    ]
    show_table("regions", "Where each pipeline's responses lie", columns, drawn)
    show_sentences("meanings", [f"{region}: {meaning}" for region, meaning in REGIONS.items()])


def _region_cells(counts: Mapping[str, Any], mean: Mapping[str, Any]) -> list[Cell]:
    return [
        text_cell(counts[PIPELINE]),
        _mean_cell(mean, "closeness"),
        _mean_cell(mean, "conciseness"),
        *(
            text_cell(f"{numbers.count(counts[region])} ({numbers.percent(counts[region] / mean['responses'])})")
            for region in REGIONS
        ),
    ]


def _mean_cell(mean: Mapping[str, Any], axis: str) -> Cell:
    middle, low, high = mean[axis], mean[f"{axis}_low"], mean[f"{axis}_high"]
    counted = f"n = {numbers.count(mean['responses'])}"
    if low is None:
        return interval_cell(middle, middle, middle, numbers.score(middle), counted)
    return interval_cell(
        middle, low, high, numbers.score(middle), f"{numbers.score(low)} to {numbers.score(high)}, {counted}"
    )
