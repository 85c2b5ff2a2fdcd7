"""The questions that decide between two pipelines, with what each of them says there."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.comparison import FIRST, SECOND, deciding
from qaviz.analysis.comparison_words import single
from qaviz.analysis.numbers import count
from qaviz.model.columns import CATEGORY, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.ui.compare import Pair
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.page_setup import OpenRun
from qaviz.ui.widgets.paging import draw_pages, page_of
from qaviz.ui.widgets.table import LONGEST_TEXT, Cell, Column, Row, show_table, text_cell
from qaviz.ui.widgets.text import plain


class _Won(StrEnum):
    """Which of the two is ahead."""

    EITHER = "either"
    FIRST = "first"
    SECOND = "second"


_AHEAD = {
    _Won.EITHER: pl.lit(True),
    _Won.FIRST: pl.col("difference") > 0,
    _Won.SECOND: pl.col("difference") < 0,
}


def show_deciding(shown: OpenRun, pair: Pair) -> None:
    """Draw the questions on which the pair differs, a page at a time; opening one shows it."""
    found = deciding(shown.rows, pair.metric, pair.first, pair.second)
    st.subheader("Questions that decide it", anchor=False)
    if found.is_empty():
        st.text(f"{pair.first} and {pair.second} have the same score on every question that both answer.")
        return
    found = found.filter(_AHEAD[_pick_won(found, pair)])
    st.caption("The widest differences first; ▲ is ahead.")
    columns = [
        Column(label="Question", head=True, wide=True),
        Column(label=pair.first, wide=True),
        Column(label=pair.second, wide=True),
    ]
    page = _with_texts(page_of(found, "deciding"), shown, pair)
    rows = [_row(question, pair.metric) for question in page.iter_rows(named=True)]
    opened = show_table("deciding", "Questions that decide the comparison", columns, rows)
    draw_pages(found, "deciding")
    if opened is not None:
        st.switch_page("pages/question.py", query_params=url_state.link(question=opened))


def _pick_won(found: pl.DataFrame, pair: Pair) -> _Won:
    """Draw the choice of who is ahead, each with its number of questions."""
    names = {_Won.EITHER: "Either", _Won.FIRST: pair.first, _Won.SECOND: pair.second}
    counts = {won: count(found.filter(ahead).height) for won, ahead in _AHEAD.items()}
    return pick(url_state.WON, "Ahead", list(_Won), lambda won: f"{plain(names[won])} {counts[won]}")


def _with_texts(page: pl.DataFrame, shown: OpenRun, pair: Pair) -> pl.DataFrame:
    """These questions with their texts, and the beginning of what either pipeline says (of repeats, the first)."""
    triplets = shown.golden.select(QUESTION_ID, QUESTION, CATEGORY)
    said = shown.rows.select(QUESTION_ID, PIPELINE, RESPONSE).filter(
        pl.col(QUESTION_ID).is_in(page[QUESTION_ID].implode())
    )
    # One character more than a cell shows, so that the cell knows that there is more.
    beginning = pl.col(RESPONSE).str.replace_all(r"\s+", " ").str.slice(0, LONGEST_TEXT + 1)
    page = page.join(triplets, on=QUESTION_ID, how="left", maintain_order="left")
    for side, pipeline in ((FIRST, pair.first), (SECOND, pair.second)):
        own = said.filter(pl.col(PIPELINE) == pipeline).unique(QUESTION_ID, keep="first", maintain_order=True)
        page = page.join(
            own.select(QUESTION_ID, beginning.alias(f"said_{side}")),
            on=QUESTION_ID,
            how="left",
            maintain_order="left",
        )
    return page


def _row(question: Mapping[str, Any], metric: str) -> Row:
    ahead = FIRST if question["difference"] > 0 else SECOND
    return Row(
        id=question[QUESTION_ID],
        href=url_state.href("question", question=question[QUESTION_ID]),
        note=question[CATEGORY] or "",
        cells=[
            text_cell(question[QUESTION], missing=question[QUESTION_ID]),
            *(
                _cell(single(metric, question[side]), question[f"said_{side}"], side == ahead)
                for side in (FIRST, SECOND)
            ),
        ],
    )


def _cell(value: str, said: str | None, ahead: bool) -> Cell:
    text = said if said and said.strip() else "the response is empty"
    return text_cell(f"{value} ▲" if ahead else value, note=text)
