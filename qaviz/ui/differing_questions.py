"""The questions behind a comparison: those that decide between two pipelines, that changed since another run, and on
which repeats of one pipeline disagree.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Literal

import polars as pl
import streamlit as st

from qaviz.analysis.comparison import FIRST, SECOND, deciding
from qaviz.analysis.comparison_words import single
from qaviz.analysis.consistency import IN_ALL, IN_NONE, IN_SOME, REPEATS, SAME, SPREAD
from qaviz.analysis.criteria import criteria_in_force
from qaviz.analysis.gate import GateRun, gate, judge_change
from qaviz.analysis.numbers import count, day, interval, percent, plural, score
from qaviz.analysis.run_changes import CHANGE, CHANGE_WORDS, Change, RunSide, compare_runs, compare_words, count_changes
from qaviz.exports.gate_formats import as_text
from qaviz.model.classes import Verdict
from qaviz.model.columns import CATEGORY, DIAGNOSIS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import plain
from qaviz.store import kept_labels, labels_state
from qaviz.ui.compare import Pair
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import keep, repeats_of
from qaviz.ui.widgets.filters import pick, pick_listed, pick_several
from qaviz.ui.widgets.page_setup import OpenRun, workspace
from qaviz.ui.widgets.person import noted
from qaviz.ui.widgets.table import (
    LONGEST_TEXT,
    Cell,
    Column,
    Row,
    interval_cell,
    show_pages,
    show_table,
    text_cell,
    words_cell,
)
from qaviz.ui.widgets.text import show_problems

NO_RUN = ""
"""Stands for no other run: no id is blank."""

_CHANGE_COLUMNS = (
    Column(label="Question", head=True, wide=True),
    "Pipeline",
    Column(label="Before", wide=True),
    Column(label="Now", wide=True),
)

_REPEAT_COLUMNS = (
    "Pipeline",
    "Repeats",
    Column(label="Same verdict", title="Questions with one verdict in all repeats"),
    Column(label="Fact every time", title="Questions whose fact all repeats state"),
    Column(label="Sometimes", title="Questions whose fact only some repeats state"),
    Column(label="Never", title="Questions whose fact no repeat states"),
    Column(label="Spread of closeness", title="The highest closeness minus the lowest, averaged over questions"),
)

_FLAKY_COLUMNS = (
    Column(label="Question", head=True, wide=True),
    "Pipeline",
    "Repeats",
    "Spread of closeness",
)


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

    def draw_rows(page: pl.DataFrame) -> list[Row]:
        return [_deciding_row(each, pair.metric) for each in _with_texts(page, shown, pair).iter_rows(named=True)]

    show_pages("deciding", "Questions that decide the comparison", columns, found, draw_rows)


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
    tables = [triplets]
    for side, pipeline in ((FIRST, pair.first), (SECOND, pair.second)):
        own = said.filter(pl.col(PIPELINE) == pipeline).unique(QUESTION_ID, keep="first", maintain_order=True)
        tables.append(own.select(QUESTION_ID, beginning.alias(f"said_{side}")))
    for table in tables:
        page = page.join(table, on=QUESTION_ID, how="left", maintain_order="left")
    return page


def _deciding_row(question: Mapping[str, Any], metric: str) -> Row:
    ahead = FIRST if question["difference"] > 0 else SECOND
    return Row(
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


def pick_other_run(run: Run) -> Run | None:
    """Draw the choice of another run; returns the one picked, None for none, or where there is no other."""
    others = {each.run_id: each for each in workspace().runs() if each.run_id != run.run_id}
    if not others:
        return None
    names = {NO_RUN: "none"} | {key: f"{each.name} · {day(each.created_at)}" for key, each in others.items()}
    picked = pick_listed(url_state.AGAINST, "With another run", list(names), 360, names.__getitem__)
    return others.get(picked)


def show_run_against_run(shown: OpenRun, other: Run) -> None:
    """Draw the questions of the open run by what became of them since another one, and the gate."""
    st.subheader(f"{plain(shown.run.name)} against {plain(other.name)}", anchor=False)
    try:
        labelled = (labels_state(workspace(), shown.run), labels_state(workspace(), other))
        changes = _changes_of(shown.run, other, labelled)
        found = _gate_of(shown.run, other)
    except QavizError as error:
        show_problems(error)
        return
    if judges := judge_change(other, shown.run):
        st.caption(plain(judges))
    changes = _pick_pipelines(changes)
    counts = count_changes(changes)
    change = pick(
        url_state.CHANGE, "Questions", list(Change), lambda each: f"{each.capitalize()} {count(counts[each])}"
    )
    st.caption(f"{CHANGE_WORDS[change]}.")
    _show_changes(changes.filter(pl.col(CHANGE) == change.value))
    st.download_button(
        "All questions as a file",
        noted(workspace(), "questions that differ", changes.write_ndjson, run=shown.run.run_id),
        "run-changes.jsonl",
        "application/jsonl",
        icon=":material/download:",
        on_click="ignore",
    )
    with st.expander(f"The gate: {plain(found.partition(chr(10))[0])}", icon=":material/rule:"):
        st.text(found)


@keep(waiting="Comparing the runs")
def _changes_of(
    now: Run,
    before: Run,
    labelled: tuple[tuple[int, int], tuple[int, int]],  # noqa: ARG001 - what is kept goes by the labels' state
) -> pl.DataFrame:
    home = workspace()
    old, new = (
        RunSide(run=run, golden=home.golden(run.golden_id), rows=home.rows(run), labels=kept_labels(home, run))
        for run in (before, now)
    )
    return compare_runs(old, new)


@keep(waiting="Asking the gate")
def _gate_of(now: Run, before: Run) -> str:
    home = workspace()
    side, baseline = (GateRun(run=run, golden=home.golden(run.golden_id), rows=home.rows(run)) for run in (now, before))
    return as_text(gate(side, baseline, criteria=criteria_in_force(home)))


def _pick_pipelines(changes: pl.DataFrame) -> pl.DataFrame:
    """Draw the filter of pipelines where there are several; returns the questions of those picked."""
    names = changes[PIPELINE].unique(maintain_order=True).to_list()
    picked = pick_several(PIPELINE, names, key="changes_of") if len(names) > 1 else []
    return changes.filter(pl.col(PIPELINE).is_in(picked)) if picked else changes


def _show_changes(changes: pl.DataFrame) -> None:
    if changes.is_empty():
        st.text("None.")
        return
    show_pages(
        "changes",
        "Questions by what became of them",
        _CHANGE_COLUMNS,
        changes,
        lambda page: map(_change_row, page.iter_rows(named=True)),
    )


def _change_row(each: Mapping[str, Any]) -> Row:
    changed = ", another answer or fact in the golden dataset" if each["golden_changed"] else ""
    return Row(
        href=url_state.href("question", **url_state.at_response(each[QUESTION_ID], each[PIPELINE])),
        note=f"{each[QUESTION_ID]}{changed}",
        cells=(
            text_cell(each[QUESTION], missing=each[QUESTION_ID]),
            each[PIPELINE],
            words_cell(each[f"{DIAGNOSIS}_before"] or "", _mark_words(each, "_before"), "no response"),
            words_cell(each[DIAGNOSIS] or "", _mark_words(each, ""), "no response"),
        ),
    )


def _mark_words(
    each: Mapping[str, Any], when: Literal["_before", ""]
) -> list[tuple[str, Literal["same", "gone", "new"]]]:
    """The words of the response of before, or of now, each with whether the other one has it too."""
    parts = compare_words(each[f"{RESPONSE}_before"] or "", each[RESPONSE] or "")
    if when:
        return [(part.before, "same" if part.same else "gone") for part in parts]
    return [(part.after, "same" if part.same else "new") for part in parts]


def show_consistency(run: Run) -> None:
    """Draw how far the repeats of each pipeline agree, and the questions on which they do not; nothing without repeats.

    Opening a question leads to its page.
    """
    try:
        agreement, flaky = repeats_of(run)
    except QavizError as error:
        show_problems(error)
        return
    if agreement.is_empty():
        return
    st.subheader("Repeats", anchor=False)
    st.caption(
        "On this page a pipeline is all its repeats, and a question counts once, as their mean. Here is how far they "
        "say the same, over the questions that every repeat has a score of; intervals are over questions."
    )
    rows = [Row(cells=_agreement_cells(each)) for each in agreement.iter_rows(named=True)]
    show_table("consistency", "How far repeats agree", list(_REPEAT_COLUMNS), rows, short=True)
    _show_flaky(run, flaky)


def _agreement_cells(row: Mapping[str, Any]) -> list[Cell]:
    figures = [_interval_cell(row, name) for name in (SAME, IN_ALL, IN_SOME, IN_NONE, SPREAD)]
    return [row[PIPELINE], count(row[REPEATS]), *figures]


def _interval_cell(row: Mapping[str, Any], name: str) -> Cell:
    value, low, high, n = (row[f"{name}{end}"] for end in ("", "_low", "_high", "_n"))
    if not n:
        return text_cell(None, missing="no question scored every time")
    if name == SPREAD:
        return interval_cell(value, low, high, score(value), f"{score(low)}–{score(high)}; n = {count(n)}")
    return interval_cell(value, low, high, percent(value), f"{interval(low, high)}; n = {count(n)}")


def _show_flaky(run: Run, flaky: pl.DataFrame) -> None:
    if flaky.is_empty():
        st.text("Every question has the same verdict in all repeats.")
        return
    st.caption(f"{plural(flaky.height, 'question')} with more than one verdict, the most different first.")
    texts = workspace().golden(run.golden_id).select(QUESTION_ID, QUESTION)

    def draw_rows(page: pl.DataFrame) -> Iterable[Row]:
        named = page.join(texts, on=QUESTION_ID, how="left", maintain_order="left")
        return map(_flaky_row, named.iter_rows(named=True))

    show_pages("flaky", "Questions on which repeats differ", _FLAKY_COLUMNS, flaky, draw_rows)


def _flaky_row(each: Mapping[str, Any]) -> Row:
    return Row(
        href=url_state.href("question", question=each[QUESTION_ID], pipeline=""),
        cells=(
            text_cell(each[QUESTION], missing=each[QUESTION_ID]),
            each[PIPELINE],
            (", ".join(f"{count(each[v])} {v}" for v in Verdict if each.get(v))),
            score(each[SPREAD]),
        ),
    )
