"""The workspace's runs as a list: current, archived or deleted, searched and ordered. A row opens the run's card."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, day, moment, plural
from qaviz.analysis.run_list import RunOrder, in_run_order, runs_with
from qaviz.model.records import JUDGED_BY
from qaviz.store.run_records import RunState
from qaviz.store.run_table import run_table
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.filters import LONGEST_SEARCH, pick, pick_listed
from qaviz.ui.widgets.page_setup import LOAD_PAGE, workspace
from qaviz.ui.widgets.paging import draw_pages, page_of
from qaviz.ui.widgets.table import Cell, Column, Row, mark_cell, show_table, text_cell

_COLUMNS = (
    Column(label="Run", head=True),
    Column(label="Scored"),
    Column(label="Owner"),
    Column(label="Tags"),
    Column(label="Pipelines"),
    Column(label="Size"),
    Column(label="Golden dataset"),
    Column(label="Scored by"),
    Column(label="Verified", title="Whether the installed FMEval gave the same scores at the last check"),
)
ORDER_WIDTH = 220


class RunsView(StrEnum):
    """What the Runs page shows."""

    CURRENT = "Current"
    ARCHIVED = "Archived"
    DELETED = "Deleted"
    AUDIT = "Audit"


STATES = {
    RunsView.CURRENT: RunState.CURRENT,
    RunsView.ARCHIVED: RunState.ARCHIVED,
    RunsView.DELETED: RunState.DELETED,
}
_NONE = {
    RunsView.CURRENT: "No run yet. A run is a golden dataset and the responses of your pipelines, scored.",
    RunsView.ARCHIVED: "No run is archived. An archived run is in no list but this one; links to it still open it.",
    RunsView.DELETED: "No run is deleted. A deleted run can be brought back until it is purged.",
}


def all_runs() -> pl.DataFrame:
    """`run_table` of the workspace, as it is now."""
    return run_table(workspace())


def pick_runs_view(runs: pl.DataFrame) -> RunsView:
    """Draw the choice of what the page shows, with how many runs each has, kept in the URL."""
    counts = dict(runs["state"].value_counts().iter_rows())

    def in_words(view: RunsView) -> str:
        return f"{view} {count(counts.get(STATES[view], 0))}" if view in STATES else str(view)

    return pick(url_state.RUNS_VIEW, "What to show", list(RunsView), in_words)


def search_field(placeholder: str) -> str:
    """Draw the field of the search, kept in the URL; returns what the reader looks for."""
    key = "runs_search"
    st.session_state[key] = (url_state.value(url_state.SEARCH) or "")[:LONGEST_SEARCH]
    st.text_input(
        "Search",
        key=key,
        type="search",
        on_change=lambda: url_state.write(url_state.SEARCH, *filter(None, [st.session_state[key].strip()])),
        placeholder=placeholder,
        label_visibility="collapsed",
        icon=":material/search:",
    )
    return str(st.session_state[key])


def show_runs(runs: pl.DataFrame, view: RunsView) -> None:
    """Draw the search, the order, and the runs of this view, a page at a time; a row opens its run's card."""
    listed = runs.filter(pl.col("state") == STATES[view])
    if listed.is_empty():
        _say_none(view, runs)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        search = search_field("Search names, owners, tags, notes, pipelines")
        order = pick_listed(url_state.RUN_ORDER, "Order", list(RunOrder), ORDER_WIDTH)
    found = in_run_order(runs_with(listed, search), order)
    st.caption(plural(found.height, "run") + (f" of {count(listed.height)}" if search.strip() else ""))
    if found.is_empty():
        st.text("No run contains all these words. Remove a word to see more.")
        return
    rows = [_row(each, view) for each in page_of(found, "runs").iter_rows(named=True)]
    columns = [*_COLUMNS, *([Column(label=view.value)] if view != RunsView.CURRENT else [])]
    opened = show_table("runs", f"{view} runs", columns, rows)
    draw_pages(found, "runs")
    if opened is not None and opened != url_state.value(url_state.CHOSEN):
        url_state.write(url_state.CHOSEN, opened)
        st.rerun()


def _say_none(view: RunsView, runs: pl.DataFrame) -> None:
    st.text(_NONE[view] if runs.is_empty() or view != RunsView.CURRENT else "All runs are archived or deleted.")
    if view == RunsView.CURRENT:
        st.page_link(LOAD_PAGE, label="Load a golden dataset and responses", icon=":material/upload_file:")


def _row(run: Mapping[str, Any], view: RunsView) -> Row:
    out = {RunsView.ARCHIVED: ("archived_at", "archived_by"), RunsView.DELETED: ("deleted_at", "deleted_by")}.get(view)
    return Row(
        id=run["run_id"],
        href=url_state.href("runs", **{url_state.CHOSEN: run["run_id"]}),
        cells=[
            text_cell(run["name"]),
            text_cell(day_and_time(run["created_at"])),
            text_cell(run["owner"], missing="not given"),
            text_cell(", ".join(run["tags"])),
            text_cell(f"{count(len(run['pipelines']))}: {', '.join(run['pipelines'])}"),
            text_cell(keep_unbroken(f"{plural(run['questions'], 'question')}\n{plural(run['responses'], 'response')}")),
            text_cell(keep_unbroken(f"version {run['golden_number']}\n{run['golden_id'][:8]}")),
            text_cell(_scored_by(run["engine"])),
            _verified_cell(run),
            *([text_cell(f"{day_and_time(run[out[0]])}\nby {run[out[1]]}")] if out else []),
        ],
    )


def keep_unbroken(text: str) -> str:
    """The text with blanks that no narrow column breaks at."""
    return text.replace(" ", "\u00a0")


def day_and_time(when: datetime) -> str:
    """A time in UTC for a narrow column: the day, and below it the time of day."""
    return keep_unbroken(moment(when).replace(", ", "\n"))


def _scored_by(engine: str) -> str:
    scorer, said, judge = engine.partition(JUDGED_BY)
    return keep_unbroken(scorer) + (f"\njudge {judge}" if said else "")


def _verified_cell(run: Mapping[str, Any]) -> Cell:
    if run["differences"] is None:
        return mark_cell("not yet", "none", "FMEval has not scored this run again.")
    on = day(run["verified_at"])
    if run["differences"]:
        return mark_cell(f"✗ {count(run['differences'])} differ", "bad", f"Scores that differed on {on}")
    return mark_cell("✓ same", "good", f"FMEval gave the same scores on {on}")
