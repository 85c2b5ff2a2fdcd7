"""The board: matrix and scatter on one canvas component, the table of what is selected, and the selection itself.

The selection is in the address alone: cells, groups, pipelines, rows of the matrix, ranges of the scatter. The canvases
apply it at once in the browser, the table when the page runs again; both read the same frame (`board.tabulate_cells`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis import board
from qaviz.analysis.board import CELL, GROUP, ROW, STATED, STEPS, Cell, Group, Move, Trial
from qaviz.analysis.decision import Decision
from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.numbers import count, interval, join, out_of, plural
from qaviz.analysis.selection import Range
from qaviz.charts import CELL_LOOKS, INK, STATED_LOOKS
from qaviz.exports.decision_pack import name_file
from qaviz.exports.table_files import as_csv
from qaviz.golden.versions import newest_version
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.metrics import QUADRANTS
from qaviz.model.visible import drop_shared, visible
from qaviz.ui.curation import gaps_on, try_edits
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import cells_of, judge_anew, select_responses, view_run, worst_of
from qaviz.ui.widgets.components import declare_component
from qaviz.ui.widgets.filters import Filters, pick, read_ranges
from qaviz.ui.widgets.keeping import OpenRun, RunView, keep
from qaviz.ui.widgets.person import offer_file, workspace
from qaviz.ui.widgets.responses import show_responses
from qaviz.ui.widgets.url_state import LISTING, Listing, open_response, read_opened

KEY = "board"
WITH_TEXTS = 2000
"""Questions up to which their texts go to the browser; more are bands, and a click on one shows its text."""
UNSCORED = 65_535
"""Scores go to the browser in STEPS; this number stands for none."""
_PLACED = ("closeness", "conciseness")

_GROUP_TITLES = {
    Group.NOT_CREDITED: "the golden dataset or the metric misses right answers: edit these facts",
    Group.NONE: "check the question, then retrieval",
    Group.ALONE: "one pipeline knows what the others do not",
    Group.SOME: "these tell pipelines apart",
    Group.ALL: "these tell nothing apart",
}
_CELL_TITLES = {
    Cell.CORRECT: "The fact is stated.",
    Cell.VERBOSE: "Stated, in many more words than the golden answer needs.",
    Cell.REPHRASED: "Right in other words, units or formats; Factual Knowledge may not credit it.",
    Cell.RIGHTLY_DECLINED: "The question has no answer, and none is given.",
    Cell.HALLUCINATION: "Another value or name, or the opposite of the golden one.",
    Cell.ACCIDENTAL: "The fact's letters are there, its meaning is not.",
    Cell.OFF_TARGET: "Nothing of the kind that was asked for.",
    Cell.DECLINED: "No answer is given.",
    Cell.UNSURE: "Open: a judge or a person should decide.",
    Cell.EMPTY: "No response, or a blank one.",
}
_board = declare_component("board", '<div class="board"></div>')


class View(StrEnum):
    """What of the board fills the page."""

    ALL = "all"
    MATRIX = "matrix"
    SCATTER = "scatter"
    TABLE = "table"


class Mode(StrEnum):
    """What a cell of the matrix shows."""

    DIAGNOSIS = "Diagnosis"
    FMEVAL = "FMEval"


@dataclass(frozen=True, kw_only=True)
class Picked:
    """What is selected on the board; nothing picked selects all."""

    cells: Sequence[str] = ()
    groups: Sequence[str] = ()
    pipelines: Sequence[str] = ()
    rows: tuple[int, int] | None = None
    """First and last row of the matrix, from 0."""
    ranges: Mapping[str, Range]
    """Of closeness and conciseness, as `Passing.within` takes them."""
    moves: Sequence[str] = ()
    """Of the questions, from the lower of two picked pipelines to the higher; of one or three there is none."""

    def __bool__(self) -> bool:
        return bool(self.cells or self.groups or self.pipelines or self.rows or self.ranges)

    def in_words(self) -> str:
        """What is picked: `hallucination; Pipeline2; rows 3 to 9`."""
        parts = [join(list(names)) for names in (self.cells, self.groups, self.pipelines, self.moves) if names]
        parts += [f"rows {count(self.rows[0] + 1)} to {count(self.rows[1] + 1)}"] if self.rows else []
        return "; ".join([*parts, *(f"{name} {low:g} to {high:g}" for name, (low, high) in self.ranges.items())])

    def select(self, cells: pl.DataFrame, ranked: Sequence[str]) -> pl.DataFrame:
        """The cells of `board.tabulate_cells` for the `ranked` pipelines that are selected, in their order."""
        wanted = [
            pl.col(name).cast(pl.String).is_in(list(values))
            for name, values in ((CELL, self.cells), (GROUP, self.groups), (PIPELINE, self.pipelines))
            if values
        ]
        for name, (low, high) in self.ranges.items():
            below = pl.col(name) <= high if high >= 1 else pl.col(name) < high
            wanted.append((pl.col(name) >= low) & below)
        if self.moves:
            moves = board.find_moves(cells, ranked, self.pipelines[1], self.pipelines[0])
            wanted.append(pl.lit(moves.is_in(list(self.moves))))
        if self.rows:
            first, last = self.rows
            wanted.append(pl.int_range(pl.len()).is_between(first * len(ranked), (last + 1) * len(ranked) - 1))
        return cells.filter(*wanted) if wanted else cells


_NAMED: Mapping[str, tuple[str, Sequence[str]]] = {
    "cells": (url_state.CELL, [cell.value for cell in Cell]),
    "groups": (url_state.GROUP, [group.value for group in Group]),
    "pipelines": (PIPELINE, ()),
    "moves": (url_state.MOVE, [move.value for move in Move]),
}
"""What is picked by name, as the browser and `Picked` call it: its name in the URL, and what there is of it; of
pipelines those of the decision, as it ranks them."""


def read_picked(pipelines: Sequence[str]) -> Picked:
    """What the address selects, of what there is."""
    ends = (url_state.value(url_state.ROWS) or "").split("-")
    rows = tuple(map(int, ends)) if len(ends) == 2 and all(end.isdecimal() for end in ends) else None
    picked = {
        key: [value for value in values or pipelines if value in url_state.values(name)]
        for key, (name, values) in _NAMED.items()
    }
    if len(picked["pipelines"]) != 2:
        picked["moves"] = []
    ranges = {name: ends for name, ends in read_ranges() if name in _PLACED}
    return Picked(**picked, rows=(rows[0], rows[1]) if rows and rows[0] <= rows[1] else None, ranges=ranges)


def clear_picked() -> None:
    """Select everything again: for a button."""
    for name in (*url_state.BOARD_SELECTION, PIPELINE, *_PLACED):
        url_state.write(name)


def select_cells(cell: str, pipeline: str | None) -> None:
    """Select the cells of this class, of one pipeline or of all: for a button."""
    clear_picked()
    url_state.write(url_state.CELL, cell)
    url_state.write(PIPELINE, *([pipeline] if pipeline else []))


def try_thresholds(shown: OpenRun) -> OpenRun:
    """Draw two thresholds as sliders, kept in the URL; returns the run as they diagnose it."""
    own = shown.run.thresholds
    with (
        st.expander("Thresholds", icon=":material/tune:"),
        st.container(horizontal=True, vertical_alignment="center", gap="medium"),
    ):
        tried = dict[str, float]()
        for name in ("high_closeness", "low_conciseness"):
            (label, help), usual = THRESHOLD_WORDS[name], getattr(own, name)
            tried[name] = st.slider(label, 0.0, 1.0, usual, 0.05, key=name, bind="query-params", help=help, width=240)
        thresholds = replace(own, **tried)
        if thresholds == own:
            return shown
        st.caption("A trial of the board: the saved run and its decision stay as they are.", width="content")
    return judge_anew(shown, thresholds)


def show_board(shown: OpenRun, decision: Decision) -> None:
    """Draw matrix and scatter, and under them the table of what is selected on them."""
    _draw_board(shown, decision, read_opened())


@st.fragment
def _draw_board(shown: OpenRun, decision: Decision, opened: tuple[str, str] | None) -> None:
    """A fragment: a selection redraws nothing of the page, unless it opens a response, which the panel shows."""
    cells = cells_of(view_run(shown))
    ranked = decision.ranking[PIPELINE].to_list()
    picked = read_picked(ranked)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        view = pick(url_state.VIEW, "Fills the page", list(View), str.capitalize, hide_label=True)
        mode = pick(url_state.MODE, "Cells show", list(Mode), hide_label=True)
        file, write = name_file(shown.run, datetime.now(UTC), ".csv"), partial(as_csv, cells.drop(ROW))
        run = shown.run.run_id
        offer_file("Matrix (CSV)", "matrix .csv", file, write, run=run)
    if gap := _word_gap(view_run(shown)):
        st.text(gap)
    trial = _show_trial(shown, picked, cells, ranked)
    if view is not View.TABLE:
        _board(
            key=KEY,
            data=_describe(shown, decision, cells, trial)
            | {"picked": _as_places(picked, ranked), "view": view.value, "mode": mode.value},
            on_picked_change=partial(_write_picked, ranked),
            on_opened_change=partial(_open, cells, picked, ranked),
        )
    if view in (View.ALL, View.TABLE):
        selected, listed = picked.select(cells, ranked), select_responses(shown, Filters())
        if picked:
            listed = listed.at(selected[ROW].drop_nulls().sort())
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.subheader("Diagnostics", anchor=False, width="content")
            some, every = out_of(selected.height, cells.height), plural(cells.height, "cell")
            st.text(f"{some} cells: {picked.in_words()}" if picked else every, width="content")
            if picked:
                st.button("Clear selection", icon=":material/close:", type="tertiary", on_click=clear_picked)
        show_responses(listed.ordered(worst_of(shown)), shown.run.thresholds, "diagnostics")
    if read_opened() != opened:
        st.rerun()


def _show_trial(shown: OpenRun, picked: Picked, cells: pl.DataFrame, ranked: Sequence[str]) -> Trial | None:
    """Say what the suggested edits of the selected questions would change, where right answers are selected that are
    not credited; None elsewhere."""
    if Group.NOT_CREDITED.value not in picked.groups:
        return None
    chosen = picked.select(cells, ranked).filter(pl.col(GROUP) == Group.NOT_CREDITED.value)
    questions = chosen[QUESTION_ID].unique(maintain_order=True)
    if len(questions) > WITH_TEXTS:
        st.text(f"Drag over {count(WITH_TEXTS)} rows or fewer to see what the suggested edits would change.")
        return None
    golden = newest_version(workspace(), shown.run.golden_id).golden_id
    trial = try_edits(view_run(shown), golden, tuple(questions), tuple(ranked))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.text(board.word_trial(trial), width="content")
        url_state.draw_link("Look at the suggestions", "golden")
    return trial


@keep()
def _word_gap(view: RunView) -> str | None:
    return board.word_gap(cells_of(view))


@keep()
def _pack_cells(view: RunView) -> tuple[pl.DataFrame, dict[str, int]]:
    """The columns of numbers that the canvases draw, and how many cells each group has."""
    cells = cells_of(view)
    groups = dict(cells[GROUP].cast(pl.String).value_counts().iter_rows())
    numbers = cells.select(
        pl.col(CELL).to_physical().cast(pl.UInt8),
        pl.col(STATED).replace_strict({True: 0, False: 1}, default=2, return_dtype=pl.UInt8),
        *(
            (pl.col(name) * STEPS).round().cast(pl.UInt16).fill_null(UNSCORED).alias(axis)
            for name, axis in zip(_PLACED, "xy", strict=True)
        ),
    )
    return numbers, groups


def _as_places(picked: Picked, ranked: Sequence[str]) -> dict[str, Any]:
    """The selection as the browser has it: places of names, empty lists for what is not picked."""
    places = {
        key: [(values or ranked).index(value) for value in getattr(picked, key)] for key, (_, values) in _NAMED.items()
    }
    ranges = {name: list(picked.ranges.get(name, ())) for name in _PLACED}
    return places | {"rows": list(picked.rows or ())} | ranges


def _write_picked(ranked: Sequence[str]) -> None:
    """Write to the address what the reader selected; a browser says it, so what is no selection selects nothing."""
    event = st.session_state[KEY].picked
    picked: Mapping[str, Any] = event if isinstance(event, Mapping) else {}
    for key, (name, values) in _NAMED.items():
        there, places = values or ranked, _read_numbers(picked.get(key))
        url_state.write(name, *(there[place] for place in places if 0 <= place < len(there)))
    rows = [int(place) for place in _read_numbers(picked.get("rows"))]
    url_state.write(url_state.ROWS, *([f"{rows[0]}-{rows[1]}"] if len(rows) == 2 else []))
    for name in _PLACED:
        ends = _read_numbers(picked.get(name))
        is_range = len(ends) == 2 and 0 <= ends[0] <= ends[1] <= 1
        url_state.write(name, *([f"{ends[0]:g}-{ends[1]:g}"] if is_range else []))


def _read_numbers(values: object) -> list[Any]:
    numbers = values if isinstance(values, Sequence) else []
    return [value for value in numbers if isinstance(value, int | float)]


def _open(cells: pl.DataFrame, picked: Picked, ranked: Sequence[str]) -> None:
    """Open the response of the cell that the reader clicked; next and previous go through the selected ones."""
    place = st.session_state[KEY].opened
    if not isinstance(place, Mapping):
        return
    at = int(place["row"]) * len(ranked) + int(place["column"])
    if not 0 <= at < cells.height:
        return
    names = [QUESTION_ID, pl.col(PIPELINE).cast(pl.String)]
    listed = picked.select(cells, ranked).filter(pl.col(ROW).is_not_null()).select(names)
    st.session_state[LISTING] = Listing(responses=listed, order="as in the matrix")
    open_response(*cells.select(names).row(at))


@keep()
def _describe_texts(shown: OpenRun, _questions: pl.Series) -> list[list[str]]:
    """Question, golden answer and fact of each row of the matrix, cut."""
    texts = shown.golden.select(QUESTION_ID, QUESTION, ANSWER, FACT).with_columns(pl.col(QUESTION).fill_null(""))
    ordered = _questions.to_frame().join(texts, on=QUESTION_ID, how="left", maintain_order="left")
    return [
        [visible((text or "").replace(OR_DELIMITER, " or ")[:160]) for text in (question or question_id, answer, fact)]
        for question_id, question, answer, fact in ordered.iter_rows()
    ]


def _describe(shown: OpenRun, decision: Decision, cells: pl.DataFrame, trial: Trial | None) -> dict[str, Any]:
    """What the canvases draw: columns of numbers, names, and texts where they are few enough."""
    ranked = decision.ranking[PIPELINE].to_list()
    questions = cells.height // max(len(ranked), 1)
    numbers, groups = _pack_cells(view_run(shown))
    few = questions <= WITH_TEXTS
    return {
        "pipelines": list(_describe_columns(shown, decision, cells, trial)),
        "questions": questions,
        "groups": [
            {"name": group.value, "questions": groups.get(group.value, 0) // len(ranked), "title": _GROUP_TITLES[group]}
            for group in Group
        ],
        "looks": [
            {"name": cell.value, "glyph": glyph, "colour": colour, "title": _CELL_TITLES[cell]}
            for cell, (colour, glyph) in ((cell, CELL_LOOKS[cell]) for cell in Cell)
        ],
        "stated": [
            {"name": name, "glyph": glyph, "colour": colour, "title": f"FMEval's Factual Knowledge: {name}."}
            for name, (colour, glyph) in STATED_LOOKS.items()
        ],
        "texts": _describe_texts(shown, cells[QUESTION_ID].gather_every(len(ranked))) if few else None,
        "thresholds": {"close": shown.run.thresholds.high_closeness, "concise": shown.run.thresholds.low_conciseness},
        "quadrants": [{"name": quadrant.name, "title": quadrant.reading} for quadrant in QUADRANTS],
        "moves": [move.value for move in Move],
        "ink": INK,
        "file": name_file(shown.run, datetime.now(UTC), ""),
        "table": numbers,
    }


def _describe_columns(
    shown: OpenRun, decision: Decision, cells: pl.DataFrame, trial: Trial | None
) -> Iterator[dict[str, Any]]:
    gaps = {row[PIPELINE]: row for row in board.count_gap(cells).to_dicts()}
    names = decision.ranking[PIPELINE].to_list()
    # Heads of columns lose what all names share, where any is long.
    heads = drop_shared(names) if max(map(len, names), default=0) > 14 else names
    newest = newest_version(workspace(), shown.run.golden_id)
    edited = newest.golden_id != shown.run.golden_id
    gaps_after = gaps_on(view_run(shown), newest.golden_id, tuple(names)) if edited else {}
    gained = {}
    if trial:  # by how much the edits lower each pipeline's gap
        lowered = trial.before["not_credited"] - trial.after["not_credited"]
        gained = dict(zip(trial.before[PIPELINE].cast(pl.String), lowered, strict=True))
    for row, short in zip(decision.ranking.iter_rows(named=True), heads, strict=True):
        gap, after = gaps[row[PIPELINE]], gaps_after.get(row[PIPELINE])
        facts = out_of(gap["stated"], gap["scored"])
        base = gap["not_credited"] if after is None else after
        tried = base - gained[row[PIPELINE]] if row[PIPELINE] in gained else None
        lines = [
            f"Right answers: {row['in_words']}, likely {interval(row['low'], row['high'])}.",
            f"Factual Knowledge (FMEval): {facts} facts stated.",
            f"Right, not credited: {count(gap['not_credited'])}.",
            *([] if after is None else [f"On version {newest.number} of the golden dataset: {count(after)}."]),
            *([] if tried is None else [f"With the suggested edits: {count(tried)}."]),
        ]
        texts = {"name": visible(row[PIPELINE]), "short": visible(short), "right": row["in_words"], "facts": facts}
        shares: dict[str, Any] = {"factShare": gap["stated"] / gap["scored"] if gap["scored"] else None}
        shares |= {name: row[name] for name in ("share", "low", "high")}
        gaps_shown = {"gap": gap["not_credited"], "gapAfter": after, "gapTried": tried}
        yield texts | shares | gaps_shown | {"lines": lines}
