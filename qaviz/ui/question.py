"""The parts of the Question page: which question is open, and what another tool's scores say of its responses."""

from collections.abc import Sequence

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import MISSING, count, figure
from qaviz.analysis.selection import Passing
from qaviz.analysis.tables import SCORE, VALUE, WHY_NOT, their_scores
from qaviz.model.columns import DIAGNOSIS, PIPELINE, QUESTION, QUESTION_ID
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import answered_of
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.table import Cell, Row, show_table, text_cell

MOST_OFFERED = 200
"""Questions in the list, around the open one; the search of the filters reaches all others."""
EXCERPT = 90


def pick_question(shown: OpenRun, matched: Passing) -> str | None:
    """Draw the choice of a question; returns its id, or None where nothing passes the filters.

    `matched` are the responses that do. A question that the URL names is shown whether or not it passes.
    """
    offered = answered_of(shown)
    if matched.height < shown.rows.height:
        matching = matched.select([QUESTION_ID])[QUESTION_ID].unique()
        offered = offered.filter(pl.col(QUESTION_ID).is_in(matching.implode()))
    named = url_state.value(url_state.QUESTION)
    known = named is not None and not shown.golden.filter(pl.col(QUESTION_ID) == named).is_empty()
    if named and not known:
        st.text(f"This run has no question “{named}”. Here is the first that passes the filters.")
    picked = named if known else next(iter(offered[QUESTION_ID]), None)
    if picked is None:
        st.markdown("No response passes these filters. Remove a filter to see questions.")
        return None
    _draw_choice(shown, offered, picked)
    return picked


def _draw_choice(shown: OpenRun, offered: pl.DataFrame, picked: str) -> None:
    ids = offered[QUESTION_ID].to_list()
    place = ids.index(picked) if picked in ids else None
    before = ids[place - 1] if place else None
    after = ids[place + 1 : place + 2] if place is not None else ids[:1]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _draw_list(offered, place or 0, picked)
        with st.container(horizontal=True, gap="small", width="content"):
            _step("Previous", "arrow_back", "Left", before)
            _step("Next", "arrow_forward", "Right", after[0] if after else None)
    st.caption(_position(place, len(ids), shown.golden.height))


def _position(place: int | None, passing: int, questions: int) -> str:
    if place is None:
        return f"This question does not pass the filters; {count(passing)} of {count(questions)} do."
    among = f"{count(passing)} that pass the filters" if passing < questions else count(passing)
    return f"Question {count(place + 1)} of {among}"


def _step(label: str, icon: str, key: str, question_id: str | None) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        shortcut=key,
        disabled=question_id is None,
        on_click=lambda: url_state.write(url_state.QUESTION, question_id or ""),
    )


def _draw_list(offered: pl.DataFrame, place: int, picked: str) -> None:
    start = max(0, place - MOST_OFFERED // 2)
    texts = dict(offered.slice(start, MOST_OFFERED).select(QUESTION_ID, QUESTION).iter_rows())
    texts.setdefault(picked, None)
    st.session_state["question_picker"] = picked
    st.selectbox(
        "Question",
        list(texts),
        format_func=lambda question_id: f"{question_id} · {' '.join((texts[question_id] or '').split())[:EXCERPT]}",
        key="question_picker",
        on_change=lambda: url_state.write(url_state.QUESTION, st.session_state["question_picker"]),
    )


def show_their_scores(rows: pl.DataFrame, pipelines: Sequence[str]) -> None:
    """Draw the scores that came with the file, one row a score, one column a pipeline; nothing where there are none."""
    scores = their_scores(rows)
    if scores.is_empty():
        return
    st.subheader("Scores that came with the file", anchor=False)
    st.caption("As the other tool gave them. Nothing on these pages is computed from them.")
    diagnoses = dict(scores.select(PIPELINE, DIAGNOSIS).iter_rows())
    names = [name for name in pipelines if name in diagnoses]
    cells = {(row[SCORE], row[PIPELINE]): _cell(row[VALUE], row[WHY_NOT]) for row in scores.iter_rows(named=True)}
    ours = Row(cells=["Diagnosis, by qaviz", *(diagnoses[name] for name in names)])
    theirs = [
        Row(cells=[score, *(cells.get((score, name)) for name in names)])
        for score in scores[SCORE].unique(maintain_order=True)
    ]
    columns = ["Score", *(name for name in names)]
    show_table("their_scores", "Scores that came with the file", columns, [ours, *theirs])


def _cell(value: float | None, why_not: str | None) -> Cell:
    return text_cell(None, missing=why_not or MISSING) if value is None else text_cell(figure(value, 4))
